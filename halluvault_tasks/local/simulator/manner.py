"""How a simulated model's server behaves beside its protocol: a value, loaded from a file, by name or inline.

How the model thinks, how its replies end, what the API refuses, bills and limits, where it is and what it counts. The
bundled ones are data (`manners.yaml`); what each field does is played by `thinking` and `hosted`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.draws import share
from halluvault_tasks.querying.thoughts import FIELDS, FORMATS, Format
from halluvault_tasks.wikidata import yaml_files

_FORMATS: Mapping[str, Format] = {each.name.replace(",", ""): each for each in FORMATS}
APART = (*FIELDS, "parts", "hidden")
"""Places of a thought beside the text: fields of the message, parts of its content, or none that is told."""

SWITCHES: Mapping[str, Mapping[str, Any]] = {
    "enable_thinking": {"chat_template_kwargs": {"enable_thinking": False}},
    "thinking": {"chat_template_kwargs": {"thinking": False}},
    "reasoning_effort": {"reasoning_effort": "none"},
    "disabled": {"thinking": {"type": "disabled"}},
    "reasoning": {"reasoning": {"enabled": False}},
    "think": {"think": False},
}
"""Name of a switch → the fields of a request that keep the model from thinking."""

GRAMMARS = ("json_schema", "json_object", "structured_outputs", "regex")
"""Ways of a request to ask for a grammar: OpenAI's, llama.cpp's, vLLM's and SGLang's."""

_LASTING = ("refused", "refused_400", "refused_bare", "filtered", "silent")
_PASSING = ("failed", "aborted")
FATES = (*_LASTING, *_PASSING)
"""What may become of a prompt instead of an answer; each is the name of a share below. The last two pass by."""
_MANY = 131_072

_Share = Field(default=0.0, ge=0, le=1)


class ServerManner(BaseModel):
    """How one model and its server behave. Shares are of the prompts, drawn by hash of `seed` and prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = ""
    """One line for people."""
    api: Literal["openai", "tgi"] = "openai"
    """A hosted API or a server like vLLM; or text-generation-inference, where only thoughts in the text are played."""

    thought: str = ""
    """It thinks in the text, in the format of this name (`thoughts.FORMATS`, without commas)."""
    apart: str = ""
    """It thinks beside the text, in one of `APART`. With neither, nor `end`, it does not think."""
    start: str = ""
    """With `end`: marks of a format that nobody knows."""
    end: str = ""
    opened: bool = False
    """The mark before the thought stands in the prompt, so that only the one behind it comes."""
    wrapped: bool = False
    """The marks that the format puts around an answer come, too."""
    thought_tokens: int = Field(default=60, ge=1)
    thought_share: float = Field(default=1.0, ge=0, le=1)
    """Of the prompts, those that it thinks about."""
    quiet_by: tuple[str, ...] = ()
    """What keeps it from thinking: `SWITCHES`, or words behind the last message like /no_think."""
    grammars: tuple[str, ...] = GRAMMARS
    """Those of `GRAMMARS` that it obeys, behind the thought; others are ignored."""
    grammar_first: bool = False
    """It obeys them from the first token on, and so does not think."""

    parts: bool = False
    """The content of a message is a list of parts."""
    refused: float = _Share
    """`refusal` in the message, whose content is null."""
    refused_400: float = _Share
    """HTTP 400 with the code content_filter."""
    refused_bare: float = _Share
    """No text, finish_reason content_filter."""
    filtered: float = _Share
    """Half a text, finish_reason content_filter."""
    silent: float = _Share
    """An empty text: every token went into the thought."""
    failed: float = _Share
    """Half a text, finish_reason error; another time it is well."""
    aborted: float = _Share
    """Half a text, finish_reason abort; another time it is well."""
    seed: int = 0

    refuses: tuple[str, ...] = ()
    """Fields of a request that it refuses by name; a temperature of 1 is always taken."""
    quota: int = Field(default=0, ge=0)
    """Requests that are answered, and none after them; 0: all are."""
    spent: Literal["402", "insufficient_quota", "tomorrow"] = "402"
    """What is said of those after them."""
    requests_per_minute: int = Field(default=0, ge=0)
    tokens_per_minute: int = Field(default=0, ge=0)
    """What is granted and told in x-ratelimit headers; 0: any number, and no headers."""
    errors: Literal["openai", "vllm", "mistral", "gemini", "openrouter"] = "openai"
    """Whose shape errors have."""

    path: str = "/v1"
    """Of its routes, below the model's name."""
    query: Mapping[str, str] = {}
    """What every request's query string must have."""
    header: str = "authorization"
    """Carries the key, where there is one."""
    lists: bool = True
    """`GET /models` lists the model."""
    pages: Mapping[str, Any] = {}
    """Other paths below the model's name → the JSON that a GET of them answers."""
    completes: bool = False
    """It has `/completions`, too, and `/tokenize`."""
    batches: Literal["", "openai", "mistral"] = ""
    """Whose batches it has (`simulator.batches`); empty: none."""

    length: int = Field(default=0, ge=0)
    """Tokens of prompt and answer together, listed with the model; 0: many, and not told."""
    context: int = Field(default=0, ge=0)
    """The prompt's last tokens that it reads, by its usage; 0: all."""
    counts: bool = True
    """Its replies have a usage."""

    @field_validator("quiet_by", "grammars", "refuses", mode="before")
    @classmethod
    def _several(cls, given: object) -> object:
        return tuple(given.split("+")) if isinstance(given, str) else given

    @field_validator("spent", mode="before")
    @classmethod
    def _a_word(cls, given: object) -> object:
        return str(given) if isinstance(given, int) else given

    @model_validator(mode="after")
    def _consistent(self) -> "ServerManner":
        if self.thought and self.thought not in _FORMATS:
            raise ValueError(f"no format of thoughts is called {self.thought!r}; there are: {', '.join(_FORMATS)}")
        if self.apart and self.apart not in APART:
            raise ValueError(f"thoughts cannot be put into {self.apart!r}, only into {', '.join(APART)}")
        if sum(map(bool, (self.thought, self.apart, self.end))) > 1:
            raise ValueError("thought, apart and end exclude each other")
        if unknown := sorted(set(self.grammars) - {*GRAMMARS, ""}):
            raise ValueError(f"no way to ask for a grammar is called {unknown[0]!r}; there are: {', '.join(GRAMMARS)}")
        if unknown := [name for name in self.quiet_by if name not in SWITCHES and not name.startswith("/")]:
            raise ValueError(f"nothing is switched off by {unknown[0]!r}; there are: {', '.join(SWITCHES)}, /WORD")
        if sum(getattr(self, fate) for fate in FATES) > 1 + 1e-9:
            raise ValueError(f"the shares of {', '.join(FATES)} sum to more than 1")
        if self.api == "tgi" and (others := sorted(self.model_fields_set - _OF_TGI)):
            raise ValueError(f"text-generation-inference has no {others[0]}; leave `api: tgi` out")
        return self

    @property
    def format(self) -> Format | None:
        """How thoughts are marked in the text; None where they are not there."""
        return Format("own", self.start, self.end, "") if self.end else _FORMATS.get(self.thought)

    @property
    def room(self) -> int | None:
        """Tokens of prompt and answer together; None where the limits of a text-generation-inference say it."""
        return None if self.api == "tgi" else self.length or _MANY

    @property
    def words_off(self) -> tuple[str, ...]:
        """The words among `quiet_by`."""
        return tuple(name for name in self.quiet_by if name.startswith("/"))

    def is_told_not_to_think(self, request: Mapping[str, Any]) -> bool:
        """Whether a request's fields say so."""
        return any(_has(request, SWITCHES[name]) for name in self.quiet_by if name in SWITCHES)

    def thinks_about(self, prompt: str) -> bool:
        """Whether it thinks before it answers this."""
        if not (self.format or self.apart):
            return False
        return self.thought_share >= 1 or share(self.seed, "thinks", prompt) < self.thought_share

    def fate(self, prompt: str, before: int) -> str:
        """What becomes of a prompt: one of `FATES`, or an empty string for an answer.

        Args:
            prompt: what was asked (`conversation.key`).
            before: how often it was asked that before.
        """
        found, left = self._drawn(_LASTING, share(self.seed, "fate", prompt))
        return found or self._drawn(_PASSING, left * share(self.seed, "fate", before, prompt))[0]

    def _drawn(self, fates: Sequence[str], number: float) -> tuple[str, float]:
        """The one on whose share a number from 0 to 1 falls, or an empty string; and what the shares leave of 1."""
        reached = 0.0
        for name in fates:
            reached += getattr(self, name)
            if number < reached:
                return name, 0.0
        return "", 1 - reached


_OF_TGI = frozenset({
    "about", "api", "thought", "start", "end", "opened", "wrapped", "thought_tokens", "thought_share", "quiet_by",
    "grammars", "grammar_first", "seed",
})  # fmt: skip

TGI = ServerManner(api="tgi")
"""A text-generation-inference whose model does not think."""


def _has(request: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(request, Mapping) and all(_has(request.get(name), each) for name, each in wanted.items())
    return bool(request == wanted)


@lru_cache(maxsize=1)
def bundled() -> Mapping[str, ServerManner]:
    """The examples of the package, by name."""
    raw = yaml.safe_load(Path(__file__).with_name("manners.yaml").read_text(encoding="utf-8"))
    return {name: ServerManner.model_validate(fields) for name, fields in raw.items()}


def parse(text: str) -> ServerManner:
    """Read `--manner`.

    The path of a YAML or JSON file with the fields of `ServerManner`; or, comma-separated, names of the bundled ones
    and FIELD=VALUE on top of them, several values with `+`: `think,refused=0.05,refuses=seed+stop`.

    Raises:
        UserError: no such name or field, or a value that it does not take.
    """
    if text.endswith((".yaml", ".yml", ".json")):
        return yaml_files.load(Path(text), ServerManner, way_out="give the path of a file that can be read")
    fields: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, given, value = part.partition("=")
        if given:
            fields[name] = _value(value)
        elif name in bundled():
            fields |= bundled()[name].model_dump(exclude_unset=True)
        else:
            raise UserError(
                f"--manner has {name!r}; bundled are: {', '.join(bundled())}", "or give a file, FIELD=VALUE"
            )
    try:
        return ServerManner.model_validate(fields)
    except ValidationError as error:
        [fault, *_] = error.errors(include_url=False)
        where = ".".join(map(str, fault["loc"]))
        said = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            said = f"no such field; there are: {', '.join(ServerManner.model_fields)}"
        raise UserError(f"--manner {where or text!r}: {said}", "--help lists the bundled ones") from error


def _value(written: str) -> Any:
    try:
        return yaml.safe_load(written)
    except yaml.YAMLError:
        return written
