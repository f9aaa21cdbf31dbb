"""The model registry: `config/models.yaml`, read, expanded and checked.

A mistake there is a `UserError` that names the file, the entry, the value found and the accepted form; no server is
asked before the whole file is valid.
"""

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from halluvault_tasks import untrusted
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.api_entry import ApiEntry
from halluvault_tasks.querying.dialects import DIALECTS, Dialect
from halluvault_tasks.querying.dialects.openai import RESERVED
from halluvault_tasks.querying.dialects.presets import ApiPreset
from halluvault_tasks.querying.dialects.terms import LIMIT
from halluvault_tasks.querying.replies import JSON_FORMS, JsonForm
from halluvault_tasks.querying.thinking import Thinking, written
from halluvault_tasks.wikidata import yaml_files

MOST_MODELS = 60
"""Models of one server: asked in two to four ways (`benchmark.suites`), each is a mapped task of its lane, of which
Airflow takes fewer than 256."""

_SHOWN = 20
"""Names in a message; of more, those that look like what was given."""
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_KEY_NAMES = {"token_env": r"([A-Za-z_][A-Za-z0-9_]*)?", "token_connection": r"[A-Za-z0-9_.-]*"}
_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s?#@]*)?")

ServerName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,60}$")]
ModelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,120}$")]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ModelServer(_Entry):
    """One model server, the unit of concurrency: what its models share."""

    name: ServerName
    pool: ServerName
    """Airflow pool of its query tasks."""
    slots: int = Field(ge=1, le=64)
    """Shards that may query it at the same time."""
    in_flight: int = Field(ge=1, le=4096)
    """Open requests allowed, all shards together."""
    attempts: int = Field(default=8, ge=1, le=20)
    """Attempts per prompt before it is dead-lettered; an overloaded answer (429) is not counted."""
    deadline_seconds: float = Field(default=900.0, gt=0, le=86_400)
    """Time per prompt, all attempts and waits together."""
    timeout_seconds: float = Field(default=300.0, gt=0, le=86_400)
    """Time for one request, the server's queue included."""
    outage_seconds: float = Field(default=1800.0, ge=0, le=86_400)
    """How long planning and lanes wait for a server that is down, loading or another model, before they stop."""
    shard_rows: int = Field(default=2000, ge=1)
    """Most prompts per shard; fewer if answers so far show that this many would take long (`sizing`)."""

    @field_validator("deadline_seconds", "timeout_seconds", "outage_seconds", mode="before")
    @classmethod
    def _whole_seconds(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @property
    def in_flight_per_shard(self) -> int:
        """A slot's part of the in-flight budget when all slots are busy, at least 1."""
        return max(1, self.in_flight // self.slots)


class SamplingParameters(_Entry):
    """Generation parameters in TGI's terms and within TGI's limits (research: validation in its router)."""

    max_new_tokens: int = Field(default=512, ge=1)
    temperature: float | None = Field(default=None, ge=0)
    """0 or absent means greedy; TGI itself refuses 0."""
    top_p: float | None = Field(default=None, gt=0, lt=1)
    top_k: int | None = Field(default=None, ge=1)
    typical_p: float | None = Field(default=None, gt=0, lt=1)
    repetition_penalty: float | None = Field(default=None, gt=0)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    do_sample: bool = False
    seed: int | None = Field(default=None, ge=0)
    stop: tuple[str, ...] = Field(default=(), max_length=4, strict=False)
    truncate: int | None = Field(default=None, ge=1)
    extra: dict[str, Any] = Field(default={})
    """Further fields of an OpenAI request, for what one kind of server knows alone (vLLM's `top_k` …)."""
    verdict_tokens: int | None = Field(default=None, ge=1)
    """New tokens of a turn that asks for one word; None: as few as its form needs (`guides`)."""

    @field_validator("temperature", "top_p", "typical_p", "repetition_penalty", "frequency_penalty", mode="before")
    @classmethod
    def _whole_numbers(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("extra")
    @classmethod
    def _free_fields(cls, extra: dict[str, Any]) -> dict[str, Any]:
        if taken := sorted(RESERVED & set(extra)):
            raise ValueError(f"{taken[0]!r} is not free: it is set from the other fields, or never sent")
        return extra

    def parameters(self) -> dict[str, Any]:
        """What is sent as TGI's `parameters`, and what identifies an evaluation: only what differs from silence.

        `do_sample` is always included, since TGI samples when `parameters` is left out altogether.
        """
        given = {name: value for name, value in self.model_dump().items() if value not in (None, (), {})}
        if given.get("temperature") == 0:
            del given["temperature"]
        if "stop" in given:
            given["stop"] = list(given["stop"])
        return given


class BatchEntry(_Entry):
    """`batch` of a model: how its batches differ from what its API allows."""

    requests: int | None = Field(default=None, ge=1)
    """Of one batch at most; None: as many as the API takes."""
    window: str = Field(default="", pattern=r"^([1-9][0-9]{0,2}[hd])?$")
    """Within which it is to be done, as 24h or 7d; empty: as the API has it."""
    poll_seconds: float = Field(default=300.0, gt=0, le=86_400)
    """Between two looks at a batch."""
    deadline_hours: float = Field(default=48.0, gt=0, le=24 * 31)
    """After which a batch that has not ended stops the run with a line."""

    @field_validator("poll_seconds", "deadline_hours", mode="before")
    @classmethod
    def _whole_numbers(cls, value: object) -> object:
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


class Model(_Entry):
    """One model under test and where it is served."""

    name: ModelName
    dialect: Literal["tgi", "openai"]
    api: ApiEntry = ApiEntry()
    """How the API differs from the plain protocol."""
    server: ServerName
    base_urls: tuple[str, ...] = Field(min_length=1, strict=False)
    """Replicas of the same model, without a slash at the end (and, for `openai`, without the API's path)."""
    token_env: str = Field(default="", repr=False)
    """Environment variable that holds the server's API key; empty for a server without one."""
    token_connection: str = Field(default="", repr=False)
    """Airflow connection whose password is the server's API key; instead of `token_env`."""
    served_as: str = ""
    """`openai` only: the name the server knows the model by; empty where it serves one alone."""
    route: Literal["chat", "completions"] = "chat"
    """How a plain prompt is sent: as one user's turn through the server's template, or raw, as to a base model."""
    client: Literal["bulk", "hub"] = "bulk"
    """Who asks and reads the answers: our own transport, or huggingface_hub (`hub`), for the same rows."""
    asking: Literal["direct", "batch"] = "direct"
    """One by one; or in files that a hosted API answers in its own time, mostly at half the price."""
    batch: BatchEntry = BatchEntry()
    """Of `asking: batch`."""
    stream: bool = False
    """Ask for streams: a server that hangs is noticed after 45 s of silence, at more cost per answer."""
    sampling: SamplingParameters = SamplingParameters()
    thinking: Thinking = Thinking()
    """What is done about a model that thinks before it answers."""
    tags: tuple[str, ...] = Field(default=(), strict=False)
    edited_from: str = ""
    """The model that this one is after edits; empty: none, or NAME of `NAME-edited`."""
    family: str = ""
    """What it is a kin of, in a word (`kinship`); empty: what its names say."""

    @property
    def speaks(self) -> Dialect:
        """Its protocol."""
        return DIALECTS[self.dialect]

    @property
    def way(self) -> ApiPreset:
        """What is known about its server's API."""
        return self.api.resolved

    @property
    def json_forms(self) -> tuple[JsonForm, ...]:
        """Forms of a JSON schema that its server may take."""
        return self.way.json if self.speaks.has_path else JSON_FORMS[:1]

    @property
    def greedy(self) -> bool:
        """Whether the registry says that the likeliest token is always taken."""
        given = self.sampling
        if given.do_sample or given.temperature:
            return False
        if "temperature" in self.way.omit and self.route in self.speaks.greedy_aloud:
            return False  # left to the server, which samples at a temperature of its own
        return not any(getattr(given, name) not in (None, 1) for name in self.speaks.samples_by)

    def parameters(self) -> dict[str, Any]:
        """What is sent and how it is read (`dialects.terms`), as it identifies an evaluation: only what differs."""
        way, thinking = self.way, self.thinking.parameters()
        named = {} if way.limit_field == LIMIT else {"limit_field": way.limit_field}
        left_out = {"omit": sorted(way.omit)} if way.omit else {}
        return self.sampling.parameters() | ({"thinking": thinking} if thinking else {}) | named | left_out

    @field_validator("thinking", mode="before")
    @classmethod
    def _thinking_as_written(cls, value: object) -> object:
        return written(value)

    @field_validator("token_env", "token_connection")
    @classmethod
    def _names_a_key(cls, name: str, given: ValidationInfo) -> str:
        if not re.fullmatch(_KEY_NAMES[str(given.field_name)], name) or untrusted.looks_like_key(name):
            raise ValueError(
                "must be the name of a variable or connection, as in `token_env: OPENAI_API_KEY`, never the key itself "
                "(what is there is not shown)"
            )
        return name

    @field_validator("base_urls")
    @classmethod
    def _urls(cls, urls: tuple[str, ...], given: ValidationInfo) -> tuple[str, ...]:
        for url in urls:
            if not _URL.fullmatch(url):
                raise ValueError(
                    "must be http(s)://host[:port][/path] without user, password or query (a key: token_env, a query: "
                    "`api: {query: {NAME: VALUE}}`)"
                )
        dialect, api = DIALECTS.get(given.data.get("dialect", "")), given.data.get("api")
        ending = api.resolved.path if dialect and dialect.has_path and api else ""
        route = "/chat/completions" if ending else ""
        urls = tuple(url.rstrip("/").removesuffix(route).removesuffix(ending).rstrip("/") for url in urls)
        if len(set(urls)) < len(urls):
            raise ValueError("duplicate URL")
        return urls

    @model_validator(mode="after")
    def _fits_the_dialect(self) -> "Model":
        if self.token_env and self.token_connection:
            raise ValueError("token_env and token_connection exclude each other")
        speaks = self.speaks
        if self.thinking.off and self.route == "completions":
            raise ValueError("thinking: off needs the route chat, whose template lets a model think")
        if self.client == "hub" and self.stream:
            raise ValueError("client hub does not stream: huggingface_hub takes a truncated stream for a complete one")
        if self.client == "hub" and self.route not in speaks.of_hub:
            raise ValueError("client hub has no call for an OpenAI server's /v1/completions; use `client: bulk`")
        self._fits_the_api()
        if self.asking == "batch":
            self._fits_batches()
        if not speaks.names_models and self.served_as:
            raise ValueError("served_as belongs to the dialect openai; a TGI server has one model")
        if not speaks.names_models and self.sampling.extra:
            raise ValueError("sampling.extra belongs to the dialect openai")
        if lacking := [one for one in speaks.lacks.get(self.route, ()) if getattr(self.sampling, one) is not None]:
            raise ValueError(speaks.instead.format(lacking[0]))
        if self.stream and self.route not in speaks.streams:
            raise ValueError("stream needs the route chat")
        return self

    def _fits_batches(self) -> None:
        if not self.speaks.names_models:
            raise ValueError("asking: batch belongs to the dialect openai")
        if self.way.batch is None:
            raise ValueError(f"asking: batch needs an API with batches, and {self.api.preset} has none for us")
        if self.client == "hub" or self.stream:
            raise ValueError("asking: batch goes with neither client hub nor stream: nothing is asked one by one")
        if len(self.base_urls) > 1:
            raise ValueError("asking: batch takes one base URL: whoever has a file answers all of it")

    def _fits_the_api(self) -> None:
        speaks, way = self.speaks, self.way
        if speaks.name not in way.dialects:
            raise ValueError(f"api.preset {self.api.preset} belongs to the dialect {' or '.join(way.dialects)}")
        if not speaks.has_path and self.api.path is not None:
            raise ValueError("api.path belongs to the dialect openai; a TGI server's path is part of its base URL")
        if not way.lists and not self.served_as:
            raise ValueError(f"served_as is missing: an API like {self.api.preset} does not list what it serves")


class ExaminerEntry(_Entry):
    """Which model examines what was read in the answers of others (`oracles.cross_examination`), pinned."""

    model: ModelName
    model_id: str = Field(min_length=1)
    """As its server reports it."""
    model_sha: str = ""
    """Likewise; empty where the server reports none."""


class Registry(_Entry):
    """All servers and models of one installation, in the order of the file."""

    servers: tuple[ModelServer, ...] = Field(strict=False)
    models: tuple[Model, ...] = Field(strict=False)
    examiner: ExaminerEntry | None = None
    """None: nothing is examined."""
    _file: str = PrivateAttr(default="models.yaml")

    def server(self, name: str) -> ModelServer:
        """The server of that name; a `UserError` says which exist."""
        for server in self.servers:
            if server.name == name:
                return server
        raise self._none_such("server", name, [server.name for server in self.servers])

    def model(self, name: str) -> Model:
        """The model of that name; a `UserError` says which exist."""
        for model in self.models:
            if model.name == name:
                return model
        raise self._none_such("model", name, [model.name for model in self.models])

    def _none_such(self, what: str, name: str, known: Sequence[str]) -> UserError:
        return UserError(
            f"no {what} {name!r} in {self._file}; there are: {_among(name, known)}",
            "`halluvault models list` shows them; or add it to that file",
        )

    def at_temperature(self, temperature: float) -> "Registry":
        """The same models, asked at another temperature, which is then part of an evaluation's identity.

        Args:
            temperature: 0 is greedy; a server that the registry says can only sample continues sampling.
        """
        cold = {"temperature": None, "top_p": None, "top_k": None, "typical_p": None}
        warm = {"temperature": temperature, "top_p": None, "typical_p": None, "do_sample": True}
        changed = warm if temperature > 0 else cold
        models = tuple(
            one.model_copy(update={"sampling": one.sampling.model_copy(update=changed)}) for one in self.models
        )
        found = self.model_copy(update={"models": models})
        found._file = self._file
        return found

    @property
    def examiner_alone(self) -> str:
        """The model that is here to examine others, and is asked no month unless somebody names it; empty: none."""
        return self.examiner.model if self.examiner else ""

    def select(
        self, models: Sequence[str] = (), server: str = "", tag: str = "", *, left_out: str = ""
    ) -> tuple[Model, ...]:
        """The models asked for, in the order of the file.

        Args:
            models: names; empty means all.
            left_out: a model that is meant only if it is named.
            server: only the models of this server.
            tag: only the models with this tag.

        Raises:
            UserError: a name, server or tag that does not exist; or no model is registered at all.
        """
        if not self.models:
            raise UserError(
                f"{self._file} registers no model",
                "add one (the examples there show how), or set HALLUVAULT_CONFIG_DIR to config/demo for simulated ones",
            )
        wanted = {self.model(name).name for name in models}
        if server:
            self.server(server)
        if tag and not any(tag in model.tags for model in self.models):
            known = sorted({word for model in self.models for word in model.tags})
            raise self._none_such("model with the tag", tag, known)
        return tuple(
            model
            for model in self.models
            if (model.name in wanted or (not wanted and model.name != left_out))
            and (not server or model.server == server)
            and (not tag or tag in model.tags)
        )


def load_models(path: Path, environ: Mapping[str, str]) -> Registry:
    """Read, expand and check a models.yaml.

    Args:
        path: the file.
        environ: where `${VAR}` in base URLs is looked up; `${VAR:-default}` falls back when unset or empty.

    Raises:
        UserError: names the file, the entry, the value found and the accepted form.
    """

    def expanded(raw: Any) -> Any:
        _expand_urls(path, raw, environ)
        return raw

    registry = yaml_files.load(
        path, Registry, prepare=expanded, way_out="set HALLUVAULT_MODELS_FILE or restore the file"
    )
    _check_references(path, registry)
    registry._file = str(path)
    return registry


def _expand_urls(path: Path, raw: dict[str, Any], environ: Mapping[str, str]) -> None:
    models = raw.get("models")
    for entry in models if isinstance(models, list) else []:
        urls = entry.get("base_urls") if isinstance(entry, dict) else None
        if isinstance(urls, list):
            entry["base_urls"] = [
                _expanded(path, str(entry.get("name")), url, environ) if isinstance(url, str) else url for url in urls
            ]


def _expanded(path: Path, entry: str, url: str, environ: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name, default = match.group(1), match.group(2)
        found = environ.get(name) or default
        if found is None:
            raise UserError(
                f"{path}: models[{entry}].base_urls {untrusted.without_password(url)!r} needs the environment variable "
                f"{name}, which is not set",
                f"set {name}, or write ${{{name}:-http://host:port}}",
            )
        return found

    return _VARIABLE.sub(value, url)


def _check_references(path: Path, registry: Registry) -> None:
    for kind, names in (
        ("server", [server.name for server in registry.servers]),
        ("pool", [server.pool for server in registry.servers]),
        ("model", [model.name for model in registry.models]),
    ):
        if twice := sorted(name for name, count in Counter(names).items() if count > 1):
            raise UserError(f"{path}: duplicate {kind} {twice[0]!r}", "give each its own name")
    known = [server.name for server in registry.servers]
    for model in registry.models:
        if model.server not in known:
            raise UserError(
                f"{path}: models[{model.name}].server is {model.server!r}; accepted: {_among(model.server, known)}",
                "name one of them, or add the server",
            )
    for server, count in Counter(model.server for model in registry.models).items():
        if count > MOST_MODELS:
            raise UserError(
                f"{path}: {count} models name the server {server!r}; at most {MOST_MODELS} may",
                "divide them over several servers, each with its pool and its part of `in_flight`; their base_urls may "
                "be the same",
            )
    if registry.examiner is not None:
        _check_examiner(path, registry, registry.examiner)


def _among(name: str, known: Sequence[str]) -> str:
    """What there is, for a message on a name that is none of it."""
    if len(known) <= _SHOWN:
        return ", ".join(known)
    near = difflib.get_close_matches(name, known, 3, 0.5)
    return f"{', '.join(near)} and {len(known) - len(near)} more" if near else f"{len(known)}, none like it"


def _check_examiner(path: Path, registry: Registry, pinned: ExaminerEntry) -> None:
    named = [model.name for model in registry.models]
    if pinned.model not in named:
        raise UserError(
            f"{path}: examiner.model is {pinned.model!r}; accepted: {_among(pinned.model, named)}",
            "name one of `models`",
        )
    entry = registry.model(pinned.model)
    if entry.route != "chat" or not entry.greedy:
        raise UserError(
            f"{path}: the examiner {pinned.model} must be asked by the route chat and take the likeliest token",
            "set `route: chat` and no temperature, or name another model",
        )
