"""`api` of a model in models.yaml: how a hosted API is asked, in a preset's words or one's own."""

from pydantic import BaseModel, ConfigDict, Field, field_validator

from halluvault_tasks.querying.dialects.presets import PLAIN, ApiPreset, presets

_SECRETS = frozenset({"key", "api_key", "apikey", "token", "access_token", "secret", "password", "subscription_key"})
_NEEDED = frozenset({"model", "messages", "prompt", "inputs", "parameters", "stream"})


class ApiEntry(BaseModel):
    """How an API differs from the plain protocol; what is left out is as the preset has it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    preset: str = ""
    """Of `dialects.presets`."""
    path: str | None = Field(default=None, pattern=r"^[A-Za-z0-9._~/-]*$")
    """Between the base URL and `/chat/completions`; empty for none."""
    query: dict[str, str] = Field(default={})
    """Parameters of every URL, as Azure's `api-version`."""
    header: str | None = Field(default=None, pattern=r"^[A-Za-z0-9-]{1,60}$")
    """Carries the key, in place of `Authorization: Bearer`."""
    limit_field: str | None = Field(default=None, pattern=r"^[a-z_]{1,60}$")
    """How the limit of new tokens is called."""
    omit: tuple[str, ...] | None = Field(default=None, strict=False)
    """Fields of a request that are never sent."""

    @field_validator("preset")
    @classmethod
    def _known(cls, preset: str) -> str:
        if preset and preset not in presets():
            raise ValueError(f"no such preset; there are: {', '.join(presets())}")
        return preset

    @field_validator("path")
    @classmethod
    def _between_slashes(cls, path: str | None) -> str | None:
        return f"/{path.strip('/')}".rstrip("/") if path is not None else None

    @field_validator("query", mode="before")
    @classmethod
    def _as_words(cls, query: object) -> object:
        # An api-version is a date to YAML.
        return {name: str(value) for name, value in query.items()} if isinstance(query, dict) else query

    @field_validator("query")
    @classmethod
    def _no_secret(cls, query: dict[str, str]) -> dict[str, str]:
        if any(name.lower().replace("-", "_") in _SECRETS for name in query):
            raise ValueError("a key does not belong into a URL, which is logged; use token_env and `header`")
        return query

    @field_validator("omit")
    @classmethod
    def _can_be_left_out(cls, omit: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if needed := sorted(_NEEDED & set(omit or ())):
            raise ValueError(f"{needed[0]!r} cannot be left out")
        return omit

    @property
    def resolved(self) -> ApiPreset:
        """The preset with what is given."""
        given = {name: value for name, value in self.model_dump(exclude={"preset"}).items() if value not in (None, {})}
        return (presets()[self.preset] if self.preset else PLAIN)._replace(**given)
