"""Model servers as the registry names them: their clients, keys and identities."""

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

import aiohttp

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying.barred import not_before, way_out
from halluvault_tasks.querying.batches.paper import PaperTransport
from halluvault_tasks.querying.dialects.openai import OpenAiClient
from halluvault_tasks.querying.outage import until_it_answers
from halluvault_tasks.querying.registry import Model, ModelServer, Registry
from halluvault_tasks.querying.replies import Client, Failure, Identity, ServerInfo
from halluvault_tasks.querying.retry_policy import A_MOMENT, patiently
from halluvault_tasks.querying.transport import Transport
from halluvault_tasks.settings import secret

if TYPE_CHECKING:
    from halluvault_tasks.querying.hub import Wire

_PATIENT_SECONDS = 30.0
"""For a server that others may be asking, one thing at a time."""

TokenOf = Callable[[Model], str]
"""The API key of a model's server; empty for one without."""


class Identified(NamedTuple):
    """A model whose replicas all answered, and alike."""

    identity: Identity
    replicas: tuple[ServerInfo, ...]
    """One per base URL."""

    @property
    def limits(self) -> ServerInfo:
        """The identity with what all replicas together admit and the least of them accepts."""
        concurrent = [info.max_concurrent_requests for info in self.replicas]
        known = [limit for limit in concurrent if limit is not None]
        return ServerInfo(
            self.identity,
            sum(known) if len(known) == len(concurrent) else None,
            _least(info.max_input_tokens for info in self.replicas),
            _least(info.max_total_tokens for info in self.replicas),
            _least(info.max_stop_sequences for info in self.replicas),
            next((info.reads for info in self.replicas if info.reads), None),
        )


def token_of(entry: Model) -> str:
    """The key that a registry entry names: in an environment variable, or in Airflow's connection from there.

    Outside Airflow a connection is looked up where Airflow would look first: in AIRFLOW_CONN_<ID>, as URI or JSON.

    Raises:
        UserError: it names one, and there is none; the message never shows a value.
    """
    if entry.token_env:
        # What is not written as variables are may be a key in place of its name.
        shown = entry.token_env if entry.token_env.isupper() else "that token_env names"
        return _sendable(entry, secret(entry.token_env)) or _no_key(entry, f"the environment variable {shown}")
    if not entry.token_connection:
        return ""
    name = f"AIRFLOW_CONN_{entry.token_connection.upper()}"
    raw = os.environ.get(name, "")
    try:
        if raw.lstrip().startswith("{"):
            token = str(json.loads(raw).get("password") or "")
        else:
            token = unquote(urlsplit(raw).password or "")
    except ValueError:
        token = ""
    return _sendable(entry, token) or _no_key(
        entry,
        f"a password in the environment variable {name} (Airflow's connection, where its own / ? # are %2F %3F %23)",
    )


def _sendable(entry: Model, key: str) -> str:
    key = key.strip()
    if not key.isascii() or not key.isprintable():
        raise UserError(
            f"{entry.name}: the API key of its server holds a line break or a letter that no header can carry",
            "set it to the key alone, without quotes or other text",
        )
    return key


def _no_key(entry: Model, what: str) -> str:
    raise UserError(
        f"{entry.name}: {what} is missing, which models.yaml names for its server's API key",
        "set it to the key, or remove the name from models.yaml",
    )


class Http:
    """Connections of all clients of a process; `async with` closes them."""

    async def __aenter__(self) -> "Http":
        # A dead keep-alive connection of a restarted server costs one retry; no limit, since lanes bound themselves.
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self._wire: Wire | None = None
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()
        if self._wire is not None:
            await self._wire.close()

    def to(self, entry: Model, url: str, seconds: float, token: str) -> Transport:
        """The way to one replica of a model, through the client that the registry names."""
        address = entry.way.address
        if entry.client == "bulk":
            return Transport(self._session, url, seconds, token, address)
        from halluvault_tasks.querying.hub import HubTransport, Wire  # takes a second to import

        self._wire = self._wire or Wire()
        return HubTransport(self._wire, self._session, url, seconds, token, address)

    def on_paper(self, entry: Model, url: str, seconds: float, token: str) -> PaperTransport:
        """The way to one replica, on which questions may stay on paper."""
        return PaperTransport(self._session, url, seconds, token, entry.way.address)


def client(http: Http, entry: Model, home: ModelServer, url: str, parameters: Mapping[str, Any], token: str) -> Client:
    """The client of one replica, in the model's dialect, with an evaluation's sampling parameters."""
    return entry.speaks.client(http.to(entry, url, home.timeout_seconds, token), entry, parameters)


def clients(
    http: Http,
    entry: Model,
    home: ModelServer,
    token: TokenOf = token_of,
    parameters: Mapping[str, Any] | None = None,
) -> list[Client]:
    """One client per replica of a model.

    Raises:
        UserError: the model's key is missing.
    """
    sampling = entry.parameters() if parameters is None else parameters
    key = token(entry)
    return [client(http, entry, home, url, sampling, key) for url in entry.base_urls]


async def identify(entry: Model, home: ModelServer, token: TokenOf = token_of) -> Identified:
    """Ask all replicas of a model who they are.

    Raises:
        Unavailable: a replica does not answer.
        UserError: it speaks another dialect or refuses; or two replicas differ in what they serve.
    """
    async with Http() as session:
        found = [await _asked(entry, each, home, session) for each in clients(session, entry, home, token)]
    for url, info in zip(entry.base_urls, found, strict=True):
        if info.identity != found[0].identity:
            raise UserError(
                f"{entry.name}: {url} serves {info.identity}, but {entry.base_urls[0]} serves {found[0].identity}",
                "replicas must serve the same model; give the other one its own entry",
            )
    return Identified(found[0].identity, tuple(found))


async def identify_all(
    chosen: Sequence[Model], registry: Registry, token: TokenOf = token_of
) -> dict[str, Identified | UserError]:
    """Ask all models' servers at once, and wait for those that do not answer (`outage_seconds`).

    Returns:
        By registry name: who the model is, or why it cannot be asked; `Unavailable` where its server did not answer.
    """

    async def patient(entry: Model) -> Identified | UserError:
        home = registry.server(entry.server)
        what = f"{entry.name} at {', '.join(entry.base_urls)}"
        try:
            return await until_it_answers(partial(identify, entry, home, token), what, home.outage_seconds)
        except UserError as error:
            return error

    answers = await asyncio.gather(*map(patient, chosen))
    return {entry.name: answer for entry, answer in zip(chosen, answers, strict=True)}


def together(errors: Sequence[UserError]) -> UserError:
    """Several models' errors as one; `Unavailable` if that is all they are."""
    kind = Unavailable if all(isinstance(error, Unavailable) for error in errors) else UserError
    return kind("; ".join(error.message for error in errors), errors[0].way_out)


async def _asked(entry: Model, each: Client, home: ModelServer, session: Http) -> ServerInfo:
    try:
        return await patiently(partial(each.info, _PATIENT_SECONDS), A_MOMENT, Random())
    except Failure as failure:
        if (
            not entry.speaks.has_path
            and failure.status in (200, 404, 405)
            and await _lists_models(session.to(entry, each.base_url, home.timeout_seconds, ""))
        ):
            raise UserError(
                f"{entry.name}: {each.base_url} is not a text-generation-inference server ({failure.reason}), but "
                "it lists models as OpenAI-compatible servers do",
                "set `dialect: openai` in models.yaml",
            ) from failure
        if far_off := not_before(entry.name, each.base_url, failure, home.outage_seconds):
            raise far_off from failure
        kind = Unavailable if failure.kind.passes else UserError
        path = "; if its API is not below /v1, say where: `api: {path: /PATH}`" if failure.status == 404 else ""
        raise kind(
            f"{entry.name}: no model server of the dialect {entry.dialect} at {each.base_url} ({failure.reason})",
            f"{_amend(failure)}{path}; `halluvault models check` asks all",
        ) from failure


def _amend(failure: Failure) -> str:
    """What to look at first."""
    if failure.status in (401, 402, 403, 429) and not failure.kind.passes:
        return way_out(failure)
    return "start it, or correct dialect, base_urls, key and `api` (its preset, too) in models.yaml"


async def _lists_models(way: Transport) -> bool:
    other = OpenAiClient(way, {"max_new_tokens": 1})
    try:
        await other.info()
    except Failure as failure:
        return failure.status == 200
    return True


def _least(values: Any) -> int | None:
    known = [value for value in values if value is not None]
    return min(known) if known else None
