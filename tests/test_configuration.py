"""Two configurations in one format, and one file that explains every variable and from which compose passes them on."""

import re
import stat
import subprocess
from pathlib import Path

import pytest
import yaml

from halluvault_tasks.benchmark import config
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import sample
from halluvault_tasks.settings import REPOSITORY, Settings, settings

PRODUCTION, DEMO = REPOSITORY / "config", REPOSITORY / "config" / "demo"
COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text(encoding="utf-8"))


def explained() -> set[str]:
    lines = (REPOSITORY / ".env.example").read_text(encoding="utf-8").splitlines()
    return {match[1] for line in lines if (match := re.match(r"#?([A-Z][A-Z_]+)=", line))}


def test_the_demo_differs_from_production_in_its_models_alone() -> None:
    assert {file.name for file in DEMO.glob("*.yaml")} == {file.name for file in PRODUCTION.glob("*.yaml")}
    own = {file.name for file in DEMO.glob("*.yaml") if not file.is_symlink()}
    assert own == {"models.yaml"}
    assert Settings().config_dir == PRODUCTION
    assert config.load(PRODUCTION, Settings().benchmark_size).size.relation == 7200


def test_every_setting_is_explained_and_passed_through_compose() -> None:
    fields = {f"HALLUVAULT_{name.upper()}" for name in Settings.model_fields}
    assert fields <= explained()
    passed = set(COMPOSE["x-airflow"]["environment"])
    for service in COMPOSE["services"].values():
        passed |= set(service.get("environment") or {})
    installed = {name for name in explained() if name.startswith("HALLUVAULT_")}
    of_compose = {"HALLUVAULT_IMAGE", "HALLUVAULT_LISTEN", "HALLUVAULT_PORT"}
    assert installed - of_compose <= passed


def test_no_service_but_init_gets_the_superuser_and_each_reads_the_folders_configuration() -> None:
    for name, service in COMPOSE["services"].items():
        given = str(service.get("environment") or {})
        assert ("POSTGRES_PASSWORD" in given or "ADMIN_URL" in given) == (name in {"postgres", "init"}), name
        if "&" not in name and str(service.get("command", "")).startswith("['airflow'"):
            assert "./config:/opt/halluvault/config:ro" in service["volumes"]


def test_every_variable_of_compose_is_explained() -> None:
    used = set(re.findall(r"\$\{([A-Z_]+)", (REPOSITORY / "docker-compose.yml").read_text(encoding="utf-8")))
    assert used <= explained()


@pytest.mark.parametrize("kind", ["production", "demo"])
def test_env_is_made_once_with_secrets_of_its_own_and_for_its_owner_alone(tmp_path: Path, kind: str) -> None:
    (tmp_path / "scripts").mkdir()
    for name in ("scripts/compose-env.sh", ".env.example"):
        (tmp_path / name).write_text((REPOSITORY / name).read_text(encoding="utf-8"), encoding="utf-8")
    command = ["sh", str(tmp_path / "scripts" / "compose-env.sh"), *(["demo"] if kind == "demo" else [])]
    subprocess.run(command, check=True, capture_output=True)
    made = tmp_path / ".env"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    values = dict(line.split("=", 1) for line in made.read_text().splitlines() if line and not line.startswith("#"))
    secrets = [value for name, value in values.items() if name.endswith(("_PASSWORD", "_SECRET", "_KEY"))]
    assert len(set(secrets)) == len(secrets) and min(map(len, secrets)) >= 40
    assert values["HALLUVAULT_OWNER_PASSWORD"] in values["HALLUVAULT_DATABASE_URL"]
    assert values["POSTGRES_PASSWORD"] in values["HALLUVAULT_ADMIN_URL"]
    assert ("HALLUVAULT_SIM_PASSWORD" in values) == (kind == "demo")
    assert values.get("HALLUVAULT_AS_OF") == (sample.AS_OF.isoformat() if kind == "demo" else None)
    before = made.read_bytes()
    assert subprocess.run(command, check=False, capture_output=True).returncode == 2
    assert made.read_bytes() == before


def test_a_variable_with_a_value_that_it_cannot_have_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_SPARQL_IN_FLIGHT", "9")
    settings.cache_clear()
    with pytest.raises(UserError, match=r"HALLUVAULT_SPARQL_IN_FLIGHT is '9'.*less than or equal to 5.*\.env\.example"):
        settings()
    monkeypatch.setenv("HALLUVAULT_SPARQL_IN_FLIGHT", "")
    settings.cache_clear()
    assert settings().sparql_in_flight == 1, "compose passes empty values; they mean the default"
    settings.cache_clear()


@pytest.mark.parametrize("file", sorted((REPOSITORY / "locked").glob("*.txt")), ids=lambda path: path.stem)
def test_what_is_locked_is_what_is_pinned_and_every_line_has_its_hash(file: Path) -> None:
    pinned = dict(
        re.findall(r"(?m)^([\w.-]+)==([^\s;]+)", (REPOSITORY / "constraints.txt").read_text(encoding="utf-8"))
    )
    versions = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pinned.items()}
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines
    for line in lines:
        name, version = re.fullmatch(r"([\w-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line).groups()  # type: ignore[union-attr]
        assert versions[name] == version


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg2://u:se/cret@h:54x/db",
        "postgres://u:secret@h/db",
        "postgresql://u:se:cret#x@h:/:/db",
    ],
)
def test_a_database_url_that_is_none_is_named_without_its_password(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", url)
    with pytest.raises(UserError, match=r"HALLUVAULT_DATABASE_URL is .* must look like") as refused:
        Settings().require_database()
    assert "cret" not in str(refused.value)
