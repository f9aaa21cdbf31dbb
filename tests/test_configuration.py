"""Two configurations in one format, and one file that explains every variable and from which compose passes them on."""

import configparser
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from halluvault_tasks.benchmark import config
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import sample
from halluvault_tasks.settings import REPOSITORY, Settings, secret, settings

PRODUCTION, DEMO = REPOSITORY / "config", REPOSITORY / "config" / "demo"
KUBERNETES = REPOSITORY / "deploy" / "kubernetes"
INIT = REPOSITORY / "scripts" / "compose-init.sh"
COMPOSE = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text(encoding="utf-8"))


OURS = {name: one for name, one in COMPOSE["services"].items() if one["image"].startswith("${HALLUVAULT_IMAGE")}


def explained() -> set[str]:
    lines = (REPOSITORY / ".env.example").read_text(encoding="utf-8").splitlines()
    return {match[1] for line in lines if (match := re.match(r"#?([A-Z][A-Z_]+)=", line))}


def test_the_demo_differs_from_production_in_its_models_alone() -> None:
    assert {file.name for file in DEMO.glob("*.yaml")} == {file.name for file in PRODUCTION.glob("*.yaml")}
    own = {file.name for file in DEMO.glob("*.yaml") if not file.is_symlink()}
    assert own == {"models.yaml"}
    assert Settings().config_dir == PRODUCTION
    assert config.load(PRODUCTION, Settings().benchmark_size).size.target("relation") == 7200


def test_a_secret_setting_comes_by_the_variable_or_by_the_file_that_another_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("database_url", "sim_database_url", "airflow_api_password", "corenlp_url"):
        variable, file = f"HALLUVAULT_{name.upper()}", tmp_path / name
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv(f"{variable}_FILE", str(file))
        with pytest.raises(UserError, match=f"cannot read .* of {variable}_FILE"):
            Settings()
        file.write_text("postgresql://by-file\n", encoding="utf-8")
        assert getattr(Settings(), name) == "postgresql://by-file"
        monkeypatch.setenv(variable, "postgresql://by-variable")
        assert getattr(Settings(), name) == "postgresql://by-variable"


def test_every_setting_is_explained_and_passed_through_compose() -> None:
    assert {f"HALLUVAULT_{name.upper()}" for name in Settings.model_fields} <= explained()
    for name, service in OURS.items():
        assert service["env_file"] == [".env"], name


def test_every_file_of_the_configuration_is_named_where_its_folder_is_set() -> None:
    said, _, _ = (REPOSITORY / ".env.example").read_text(encoding="utf-8").partition("HALLUVAULT_CONFIG_DIR=")
    assert {file.name for file in PRODUCTION.glob("*.yaml")} <= set(re.findall(r"\b\w+\.yaml\b", said))


def test_each_service_gets_the_secrets_of_its_duty_alone_and_none_by_variable() -> None:
    def holders(secret: str) -> set[str]:
        return {name for name, service in COMPOSE["services"].items() if secret in (service.get("secrets") or [])}

    assert holders("postgres_password") == {"postgres"}, "the superuser"
    assert holders("halluvault_admin_url") == holders("halluvault_owner_password") == {"init"}
    assert holders("halluvault_sim_database_url") == {"sim-a", "sim-b"}
    assert holders("halluvault_reader_password") == {"init", "superset", "grafana"}
    assert holders("halluvault_backup_password") == {"init", "backup"}
    held = {secret for service in COMPOSE["services"].values() for secret in service.get("secrets") or []}
    assert held == set(COMPOSE["secrets"])
    kinds = re.compile(r"_(PASSWORD|SECRET|TOKEN|KEY|URL|CONN)$")
    local = re.compile(r"http://|\$\{HALLUVAULT_\w+_URL:-http://")
    for name, service in COMPOSE["services"].items():
        for variable, value in (service.get("environment") or {}).items():
            assert not kinds.search(variable) or local.match(value), (name, variable)


def test_everyone_who_may_log_in_has_a_password_by_file_so_that_airflow_prints_none_of_its_own() -> None:
    users = COMPOSE["services"]["api-server"]["environment"]["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS"]
    roles = dict(each.split(":") for each in users.split(","))
    assert roles == {"admin": "admin", "viewer": "viewer"}
    assert {f"airflow_{name}_password" for name in roles} <= set(COMPOSE["services"]["init"]["secrets"])
    written = re.search(r'airflow_\{name\}_password"\) for name in \((.*)\)\}', INIT.read_text(encoding="utf-8"))
    assert written and set(re.findall(r'"(\w+)"', written[1])) == set(roles)


def test_every_service_is_checked_limited_and_restarted_and_listens_to_this_machine_alone() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["restart"] == ("no" if name == "init" else "unless-stopped"), name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name
        assert "no-new-privileges:true" in service["security_opt"] and "mem_limit" in service, name
        assert service["healthcheck"].get("test") or name == "init", name
        listens = {port.split("}:${")[0] for port in service.get("ports", [])}
        assert listens <= {"${PROXY_LISTEN:-0.0.0.0" if name == "proxy" else "${HALLUVAULT_LISTEN:-127.0.0.1"}, name
    for name, service in OURS.items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        if str(service["command"]).startswith("['airflow'"):
            assert "./config:/opt/halluvault/config:ro" in service["volumes"]


def test_a_task_that_waits_for_a_worker_is_never_failed_for_it() -> None:
    compose = COMPOSE["services"]["scheduler"]["environment"]
    kubernetes = yaml.safe_load((KUBERNETES / "values.yaml").read_text(encoding="utf-8"))
    for times in (
        compose["AIRFLOW__SCHEDULER__NUM_STUCK_IN_QUEUED_RETRIES"],
        kubernetes["config"]["scheduler"]["num_stuck_in_queued_retries"],
    ):
        assert int(times) >= 10_000, "Airflow's two would fail the month after minutes without a worker"


def test_the_pods_find_what_the_charts_values_name() -> None:
    head = (KUBERNETES / "values.yaml").read_text(encoding="utf-8")
    values = yaml.safe_load(head)
    pod = yaml.safe_load((KUBERNETES / "pod-template.yaml").read_text(encoding="utf-8"))["spec"]
    made = set(re.findall(r"kubectl create (?:secret generic|configmap) (\S+)", head))
    named = {values["data"]["metadataSecretName"], values["pgbouncer"]["configSecretName"]}
    named |= {values[f"{name}SecretName"] for name in ("fernetKey", "apiSecretKey")} | {values["jwtSecretName"]}
    of_the_charts_pods = [*values["volumes"], *values["apiServer"]["extraVolumes"]]
    for volume in [*of_the_charts_pods, *pod["volumes"]]:
        named |= {volume[kind][key] for kind, key in (("secret", "secretName"), ("configMap", "name")) if kind in volume
                  and key in volume[kind]}  # fmt: skip
    [container] = pod["containers"]
    for each in [*yaml.safe_load(values["extraEnvFrom"]), *container["envFrom"]]:
        named.add(each["configMapRef"]["name"])
    assert named - {"halluvault-config"} <= made, "that one the chart makes, with its airflow.cfg"
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert not {volume["name"] for volume in of_the_charts_pods} & {"config", "logs", "dags"}, "the chart's own"


def test_a_task_on_kubernetes_has_the_settings_of_the_charts_pods() -> None:
    pod = yaml.safe_load((KUBERNETES / "pod-template.yaml").read_text(encoding="utf-8"))["spec"]
    [container] = pod["containers"]
    [mount] = [each for each in container["volumeMounts"] if each.get("subPath") == "airflow.cfg"]
    assert mount["mountPath"] == "/opt/airflow/airflow.cfg", "the home of the image: Dockerfile"
    [volume] = [each for each in pod["volumes"] if each["name"] == mount["name"]]
    assert volume["configMap"]["name"] == "halluvault-config", "as the chart names it for the release halluvault"
    said = {each["name"] for each in container["env"]}
    assert not {name for name in said if name.startswith(("AIRFLOW__WORKERS__", "AIRFLOW__CORE__EXECUTION_API"))}


def test_kubernetes_asks_the_pods_by_a_command_that_our_image_has() -> None:
    values = yaml.safe_load((KUBERNETES / "values.yaml").read_text(encoding="utf-8"))
    job_types = {"scheduler": "SchedulerJob", "dagProcessor": "DagProcessorJob", "triggerer": "TriggererJob"}
    for service, job_type in job_types.items():
        probes = {name: probe for name, probe in values[service].items() if name.endswith("Probe")}
        assert "livenessProbe" in probes and ("startupProbe" in probes) == (service == "scheduler"), "all the chart has"
        for probe in probes.values():  # the chart's own run /entrypoint, a script of Airflow's image
            assert probe["command"] == ["airflow", "jobs", "check", "--local", "--job-type", job_type]
        assert not values[service]["logGroomerSidecar"]["enabled"], "it runs /clean-logs, another one"


def test_the_pooler_on_kubernetes_serves_statements_that_a_driver_prepares() -> None:
    head = (KUBERNETES / "values.yaml").read_text(encoding="utf-8")
    [driver] = re.findall(r"--from-literal=connection=(\S+)://airflow:\S+@halluvault-pgbouncer", head)
    assert driver == "postgresql+psycopg2", "postgresql:// is psycopg 3 to SQLAlchemy 2.1, and prepares"
    pooler = configparser.ConfigParser(comment_prefixes=(";",))
    pooler.read(KUBERNETES / "pgbouncer.ini", encoding="utf-8")
    assert pooler["pgbouncer"]["pool_mode"] == "transaction"
    assert pooler.getint("pgbouncer", "max_prepared_statements") > 0, "a connection may say postgresql:// after all"


def test_a_pods_secrets_are_where_its_variables_say_and_leave_the_service_account_its_place() -> None:
    head = (KUBERNETES / "values.yaml").read_text(encoding="utf-8")
    values = yaml.safe_load(head)
    [container] = yaml.safe_load((KUBERNETES / "pod-template.yaml").read_text(encoding="utf-8"))["spec"]["containers"]
    [made] = re.findall(r"kubectl create secret generic halluvault (--from-file.*)", head)
    for variables, mounts in ((values["env"], values["volumeMounts"]), (container["env"], container["volumeMounts"])):
        [secrets] = [mount["mountPath"] for mount in mounts if mount["name"].endswith("secrets")]
        files = {Path(each["value"]) for each in variables if each["name"].endswith("_FILE")}
        assert {file.name for file in files} == set(re.findall(r"--from-file=(\w+)", made))
        assert {str(file.parent) for file in files} == {secrets}
        for mount in mounts:
            assert "run/secrets" not in mount["mountPath"], "nothing can be mounted below a secret"


def test_every_variable_of_compose_is_explained_with_the_default_that_it_has() -> None:
    compose, example = (
        (REPOSITORY / name).read_text(encoding="utf-8") for name in ("docker-compose.yml", ".env.example")
    )
    assert set(re.findall(r"\$\{([A-Z_]+)", compose)) <= explained()
    shown = dict(re.findall(r"(?m)^#([A-Z_]+)=(.*)$", example))
    defaults = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", compose))
    assert {name: shown[name] for name in defaults} == defaults


def test_the_services_that_read_answers_find_the_extractors_server_of_compose() -> None:
    for name in ("scheduler", "worker-1", "worker-2"):
        assert COMPOSE["services"][name]["environment"]["HALLUVAULT_CORENLP_URL"].endswith(":-http://corenlp:9000}")
    assert "corenlp" in COMPOSE["services"]


def stack(folder: Path) -> Path:
    (folder / "scripts").mkdir()
    for name in ("scripts/compose-env.sh", "scripts/check_secrets.py", ".env.example"):
        (folder / name).write_text((REPOSITORY / name).read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(folder / "scripts" / "compose-env.sh"), *words]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def checked(folder: Path) -> list[str]:
    command = [sys.executable, str(folder / "scripts" / "check_secrets.py"), str(folder / "secrets")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == (2 if done.stderr else 0)
    return done.stderr.splitlines()


@pytest.mark.parametrize("kind", ["", "demo", "celery"])
def test_settings_and_secrets_are_made_once_and_apart_for_their_owner_alone(tmp_path: Path, kind: str) -> None:
    folder = stack(tmp_path)
    assert make(folder, *kind.split()).returncode == 0
    made, secrets = folder / ".env", folder / "secrets"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600 and stat.S_IMODE(secrets.stat().st_mode) == 0o700
    values = dict(line.split("=", 1) for line in made.read_text().splitlines() if line and not line.startswith("#"))
    assert values.get("HALLUVAULT_AS_OF") == (sample.AS_OF.isoformat() if kind == "demo" else None)
    assert values.get("AIRFLOW_EXECUTOR") == ("CeleryExecutor" if kind == "celery" else None)
    content = {file.name: file.read_text() for file in secrets.iterdir()}
    wanted = {entry["file"].removeprefix("./secrets/") for entry in COMPOSE["secrets"].values()}
    assert set(content) == wanted and not any(value and value in made.read_text() for value in content.values())
    drawn = [value for name, value in content.items() if value and not name.endswith("_url")]
    assert len(set(drawn)) == len(drawn) and min(map(len, drawn)) >= 40
    assert checked(folder) == []
    assert make(folder).returncode == 0 and make(folder, "demo").returncode == 2
    assert {file.name: file.read_text() for file in secrets.iterdir()} == content


def test_the_secrets_of_an_env_of_before_go_into_their_files(tmp_path: Path) -> None:
    folder = stack(tmp_path)
    (folder / ".env").write_text(f"HALLUVAULT_OWNER_PASSWORD={'before' * 5}\nPOSTGRES_USER=airflow\n")
    told = make(folder).stderr
    assert "delete from .env: HALLUVAULT_OWNER_PASSWORD" in told and "beforebefore" not in told
    assert f":{'before' * 5}@postgres" in (folder / "secrets" / "halluvault_database_url").read_text()
    assert (folder / "secrets" / "halluvault_admin_url").read_text().startswith("postgresql+psycopg2://airflow:")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("postgres_password", "postgres", "is weak (8 characters, 7 different; 16 at least)"),
        ("halluvault_reader_password", "", "is empty"),
        ("airflow_fernet_key", "x" * 44, "is no Fernet key"),
        ("halluvault_owner_password", "another-password-of-24-c", "holds another password than"),
        ("airflow_jwt_secret", "a-long-enough-secret-here\n", "begins or ends with"),
        ("superset_secret_key", None, "is missing"),
    ],
)
def test_a_secret_that_nobody_should_start_with_is_one_line_without_its_value(
    tmp_path: Path, name: str, value: str | None, said: str
) -> None:
    folder = stack(tmp_path)
    make(folder)
    file = folder / "secrets" / name
    file.unlink()
    file.mkdir() if value is None else file.write_text(value)
    [line] = checked(folder)
    assert said in line and ("compose-env.sh" in line or "printf" in line)
    assert not value or value == "postgres" or value.strip() not in line


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"COMPOSE_PROFILES": "demo,backups"}, "COMPOSE_PROFILES has backups, which starts nothing"),
        ({"AIRFLOW_EXECUTOR": "CeleryExecutor"}, "need each other"),
        ({"COMPOSE_PROFILES": "celery"}, "need each other"),
        ({"AIRFLOW_EXECUTOR": "celery"}, "AIRFLOW_EXECUTOR is 'celery': LocalExecutor or CeleryExecutor"),
        ({"AIRFLOW_PARALLELISM": "many"}, "AIRFLOW_PARALLELISM is 'many'"),
        ({"BACKUP_KEEP": "0"}, "BACKUP_KEEP is '0'; it must be a number from 1 on"),
        ({"POSTGRES_ARCHIVE_MODE": "yes"}, "POSTGRES_ARCHIVE_MODE is 'yes': on or off"),
        ({"POSTGRES_ARCHIVE_MODE": "on"}, "keeps all WAL until the disk is full"),
        ({"POSTGRES_ARCHIVE_MODE": "on", "COMPOSE_PROFILES": "'demo, backup'"}, ""),
        ({"AIRFLOW_EXECUTOR": "CeleryExecutor", "COMPOSE_PROFILES": "celery,gpu", "BACKUP_KEEP": ""}, ""),
        ({}, ""),
    ],
)
def test_a_setting_that_would_start_something_else_is_one_line(given: dict[str, str], said: str) -> None:
    command = [sys.executable, str(REPOSITORY / "scripts" / "check_settings.py")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=given)
    assert (done.returncode, done.stderr.count("\n")) == ((2, 1) if said else (0, 0)), done.stderr
    assert said in done.stderr
    assert "check_settings.py" in INIT.read_text(encoding="utf-8")


def test_the_profiles_that_are_known_are_composes() -> None:
    known = {profile for service in COMPOSE["services"].values() for profile in service.get("profiles", [])}
    script = (REPOSITORY / "scripts" / "check_settings.py").read_text(encoding="utf-8")
    named = re.search(r"^PROFILES = \((.*)\)$", script, re.MULTILINE)
    assert named and set(re.findall(r'"(\w+)"', named[1])) == known


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
        "postgresql+asyncpg://u:secret@h/db",
        "mysql://u:secret@h/db",
        "postgresql://u:first@se/cret@h/db",
        "postgresql://u:first@se?cret#x@h:5/db",
        "host=h user=u password=secret",
        "jdbc:postgresql://h/db?user=u&password=secret",
        "postgresql:/u:secret@h/db",
        "secret",
    ],
)
def test_a_database_url_that_is_none_is_named_without_its_password(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", url)
    with pytest.raises(UserError, match=r"HALLUVAULT_DATABASE_URL is .* must look like") as refused:
        Settings().require_database()
    assert "cret" not in str(refused.value)
    monkeypatch.setenv("HALLUVAULT_SIM_DATABASE_URL", url)
    with pytest.raises(UserError, match=r"HALLUVAULT_SIM_DATABASE_URL is .* must look like") as refused:
        Settings().require_sim_database()
    assert "cret" not in str(refused.value)


@pytest.mark.parametrize("named", ["hunter2", "postgresql://u:hunter2@h/db", "hunter2" * 100])
def test_a_secret_in_place_of_its_file_is_not_shown(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL_FILE", named)
    with pytest.raises(UserError, match=r"cannot read the file of HALLUVAULT_DATABASE_URL_FILE: ") as refused:
        secret("HALLUVAULT_DATABASE_URL")
    assert "hunter2" not in str(refused.value) and refused.value.__cause__ is None


def test_a_secret_file_may_begin_with_the_mark_of_its_encoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes("\ufeffhunter2\r\n".encode())
    monkeypatch.setenv("HALLUVAULT_OWNER_PASSWORD_FILE", str(tmp_path / "file"))
    assert secret("HALLUVAULT_OWNER_PASSWORD") == "hunter2"
    monkeypatch.setenv("HALLUVAULT_OWNER_PASSWORD_FILE", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match=f"cannot read {tmp_path}/nowhere of HALLUVAULT_OWNER_PASSWORD_FILE"):
        secret("HALLUVAULT_OWNER_PASSWORD")
