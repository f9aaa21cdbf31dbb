"""A CoreNLP server over HTTP: one text to a checked reply, or the reason why there is none.

Our own thin client, since stanza's drops `ssplit.eolonly`, opens a connection for every text and has no deadline for a
whole reply. Whatever is no complete reply about the text that was sent is `Refused`.
"""

import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

import aiohttp
from pydantic import BaseModel, Field, ValidationError
from yarl import URL

from halluvault_tasks.errors import UserError

ANNOTATORS = "tokenize,ssplit,pos,lemma,depparse,natlog,openie"

_LARGEST = 1 << 26  # bytes of a reply; 4,000 characters make some 500 KB
_PAGE_SECONDS = 10.0
_SHOWN = 200
_VERSION = re.compile(rb"\bversion (\d[\w.]{0,20})")
_START = "start it (docs/oracles.md, CoreNLP) and set HALLUVAULT_CORENLP_URL to where it listens"
_NOT_IT = "set HALLUVAULT_CORENLP_URL to the server's own address, such as http://127.0.0.1:9000"


class Refused(Exception):
    """A text was not read.

    Args:
        reason: in one line.
        way_out: what fixes it if no text at all is read.
        may_pass: whether it may fix itself, as a server that starts again does.
    """

    def __init__(self, reason: str, way_out: str, may_pass: bool = False) -> None:
        super().__init__(reason)
        self.way_out = way_out
        self.may_pass = may_pass


class Away(Refused):
    """Nothing listens."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, _START, may_pass=True)


class Phrase(NamedTuple):
    """A relation's words."""

    text: str
    """As the text has them, from the first token to the last."""

    gloss: str
    """As the server has them, parted by spaces."""


class Said(NamedTuple):
    """A triple of OpenIE, its ends as the text has them."""

    subject: str
    relation: Phrase
    object: str


class _Token(BaseModel):
    begin: int = Field(alias="characterOffsetBegin", ge=0)
    end: int = Field(alias="characterOffsetEnd", ge=0)


class _Triple(BaseModel):
    subject: str
    relation: str
    object: str
    subject_span: tuple[int, int] = Field(alias="subjectSpan")
    relation_span: tuple[int, int] = Field(alias="relationSpan")
    object_span: tuple[int, int] = Field(alias="objectSpan")


class _Sentence(BaseModel):
    tokens: list[_Token]
    openie: list[_Triple]


class _Body(BaseModel):
    sentences: list[_Sentence]


class Server:
    """Where a CoreNLP server listens, and what every text is sent with.

    Args:
        endpoint: URL; user and password in it are sent as basic authentication.
        timeout_seconds: after which the server is to give up a text; 0 or more.

    Raises:
        UserError: no http or https URL.
    """

    def __init__(self, endpoint: str, timeout_seconds: float) -> None:
        try:
            self.url = URL(endpoint.strip())
            plain = self.url.with_user(None) if self.url.host else self.url
        except ValueError:
            self.url = plain = URL()
        if self.url.scheme not in ("http", "https") or not self.url.host:
            hidden = re.sub(r"[^/@]*@", "…@", endpoint)  # a password is shown to nobody
            raise UserError(
                f"the CoreNLP server's URL is {hidden!r}; it must begin with http:// or https:// and name a host",
                "set HALLUVAULT_CORENLP_URL, for instance to http://127.0.0.1:9000",
            )
        self.shown = str(plain).rstrip("/")
        """Without user and password."""
        self.properties: Mapping[str, str] = {
            "annotators": ANNOTATORS,
            "outputFormat": "json",
            "ssplit.eolonly": "true",
            "timeout": str(int(timeout_seconds * 1000)),
        }

    @asynccontextmanager
    async def session(self, connections: int) -> "AsyncIterator[Session]":
        """Connections that stay open until the context ends."""
        connector = aiohttp.TCPConnector(limit=connections)
        # Deadlines are the caller's, for all requests of a passage together.
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as http:
            yield Session(http, self)


class Session:
    """Open connections to a server."""

    def __init__(self, http: aiohttp.ClientSession, server: Server) -> None:
        self._http = http
        self._url = server.url
        properties = json.dumps(dict(server.properties))
        self._annotate = self._url.update_query({"properties": properties, "resetDefault": "false"})

    async def annotate(self, text: str) -> Sequence[Said]:
        """Triples of a text, each line of it a sentence.

        Raises:
            Refused: no complete reply about this text.
        """
        sent = text.encode("utf-8", "replace")
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        try:
            async with self._http.post(self._annotate, data=sent, headers=headers, allow_redirects=False) as response:
                body = await _body(response)
                if response.status != 200:
                    raise _of_status(response.status, body, response.headers.get("Location", ""))
        except aiohttp.ClientConnectorError as error:
            raise Away(_line(str(error))) from error
        except (aiohttp.ClientError, OSError) as error:
            broke = f"the reply broke off ({type(error).__name__}: {_line(str(error))})"
            raise Refused(broke, "see the server's log", may_pass=True) from error
        return parse(body, sent.decode("utf-8"))

    async def version(self) -> str:
        """As the server's own page tells it; nothing else of it does."""
        try:
            limit = aiohttp.ClientTimeout(total=_PAGE_SECONDS)
            async with self._http.get(self._url, allow_redirects=False, timeout=limit) as response:
                found = _VERSION.search(await _body(response))
        except (aiohttp.ClientError, OSError, TimeoutError, Refused):
            found = None
        return found[1].decode() if found else "of unknown version"


async def _body(response: aiohttp.ClientResponse) -> bytes:
    parts, size = [], 0
    async for chunk in response.content.iter_chunked(1 << 16):
        parts.append(chunk)
        size += len(chunk)
        if size > _LARGEST:
            raise Refused(f"the reply has more than {_LARGEST >> 20} MB", _NOT_IT)
    return b"".join(parts)


def _of_status(status: int, body: bytes, location: str) -> Refused:
    said = f"HTTP {status}: {_line(body.decode('utf-8', 'replace')) or 'an empty body'}"
    if status in (401, 403):
        return Refused(said, "put its user and password into HALLUVAULT_CORENLP_URL: http://USER:PASSWORD@HOST:PORT")
    if 300 <= status < 400:
        return Refused(f"HTTP {status}, another address: {_line(location)}", _NOT_IT)
    if status in (404, 405):
        return Refused(said, _NOT_IT)
    if b"missing model" in body or b"Unable to open" in body or b"Error while loading" in body:
        return Refused(said, "put the English models' jar into its class path and start it again")
    return Refused(said, "see the server's log", may_pass=status >= 500)


def parse(body: bytes, text: str) -> Sequence[Said]:
    """The triples of a reply in the server's JSON.

    Args:
        body: as it came.
        text: that was sent; offsets count its UTF-16 units.

    Raises:
        Refused: no such reply, or one about another text.
    """
    try:
        read = _Body.model_validate_json(body)
    except ValidationError as error:
        seen = _line(body[: 4 * _SHOWN].decode("utf-8", "replace")) or "an empty body"
        wrong = "not JSON" if error.errors()[0]["type"] == "json_invalid" else "without sentences read by OpenIE"
        raise Refused(f"a reply that is {wrong}: {seen}", _NOT_IT) from error
    units = text.encode("utf-16-le")
    found = []
    for sentence in read.sentences:
        if sentence.tokens and 2 * max(token.end for token in sentence.tokens) > len(units):
            raise Refused("a reply about another text", _NOT_IT)
        for one in sentence.openie:
            subject = _written(units, sentence.tokens, one.subject_span) or one.subject
            relation = _written(units, sentence.tokens, one.relation_span) or one.relation
            other = _written(units, sentence.tokens, one.object_span) or one.object
            found.append(Said(subject, Phrase(relation, one.relation), other))
    return found


def _written(units: bytes, tokens: Sequence[_Token], span: tuple[int, int]) -> str:
    """The text from a span's first token to its last; empty where the span is none."""
    first, end = span
    if not 0 <= first < end <= len(tokens):
        return ""
    return units[2 * tokens[first].begin : 2 * tokens[end - 1].end].decode("utf-16-le", "replace").strip()


def _line(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
