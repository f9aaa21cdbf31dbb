"""A CoreNLP server over HTTP: one text to checked triples, or the reason why there are none.

Our own thin client, since stanza's drops `ssplit.eolonly`, opens a connection for every text and has no deadline for a
whole reply. Whatever is no complete reply about the text that was sent is `RefusedText`. Phrases are the text between
the offsets of their tokens, since the server's own glosses lose hyphens, articles and quotes.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

import aiohttp
from pydantic import BaseModel, Field, ValidationError
from yarl import URL

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import PhraseTriple, relation_phrase
from halluvault_tasks.untrusted import without_password

ANNOTATORS = "tokenize,ssplit,pos,lemma,depparse,natlog,openie"

_LARGEST = 1 << 26  # bytes of a reply; 4,000 characters make some 500 KB
_PAGE_SECONDS = 10.0
_SHOWN = 200
_VERSION = re.compile(rb"\bversion (\d[\w.]{0,20})")
_WORD = re.compile(r"\w+|\S")
_START = "start it (docs/oracles.md, CoreNLP) and set HALLUVAULT_CORENLP_URL to where it listens"
_NOT_IT = "set HALLUVAULT_CORENLP_URL to the server's own address, such as http://127.0.0.1:9000"


class RefusedText(Exception):
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


class CoreNlpAway(RefusedText):
    """Nothing listens."""


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


class CoreNlpServer:
    """Where a CoreNLP server listens, and what every text is sent with.

    Args:
        endpoint: URL; user and password in it are sent as basic authentication.
        timeout_seconds: after which the server is to give up a text; 0 or more. Other deadlines are the caller's.

    Raises:
        UserError: no http or https URL.
    """

    def __init__(self, endpoint: str, timeout_seconds: float) -> None:
        try:
            self._url = URL(endpoint.strip())
            plain = self._url.with_user(None) if self._url.host else self._url
        except ValueError:
            self._url = plain = URL()
        if self._url.scheme not in ("http", "https") or not self._url.host:
            raise UserError(
                f"the CoreNLP server's URL is {without_password(endpoint)!r}; it must begin with http:// or "
                "https:// and name a host",
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
        query = {"properties": json.dumps(dict(self.properties)), "resetDefault": "false"}
        self._annotate = self._url.update_query(query)

    async def annotate(self, http: aiohttp.ClientSession, text: str) -> list[PhraseTriple]:
        """Triples of a text, each line of it a sentence.

        Raises:
            Refused: no complete reply about this text.
        """
        sent = text.encode("utf-8", "replace")
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        try:
            async with http.post(self._annotate, data=sent, headers=headers, allow_redirects=False) as response:
                body = await _body(response)
                if response.status != 200:
                    raise _of_status(response.status, body, response.headers.get("Location", ""))
        except aiohttp.ClientConnectorError as error:
            raise CoreNlpAway(_line(str(error)), _START, may_pass=True) from error
        except (aiohttp.ClientError, OSError) as error:
            broke = f"the reply broke off ({type(error).__name__}: {_line(str(error))})"
            raise RefusedText(broke, "see the server's log", may_pass=True) from error
        return parse(body, sent.decode("utf-8"))

    async def version(self, http: aiohttp.ClientSession) -> str:
        """As the server's own page tells it; nothing else of it does."""
        try:
            limit = aiohttp.ClientTimeout(total=_PAGE_SECONDS)
            async with http.get(self._url, allow_redirects=False, timeout=limit) as response:
                found = _VERSION.search(await _body(response))
        except (aiohttp.ClientError, OSError, TimeoutError, RefusedText):
            found = None
        return found[1].decode() if found else "of unknown version"


async def _body(response: aiohttp.ClientResponse) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > _LARGEST:
            raise RefusedText(f"the reply has more than {_LARGEST >> 20} MB", _NOT_IT)
    return bytes(body)


def _of_status(status: int, body: bytes, location: str) -> RefusedText:
    said = f"HTTP {status}: {_line(body.decode('utf-8', 'replace')) or 'an empty body'}"
    if status in (401, 403):
        return RefusedText(
            said, "put its user and password into HALLUVAULT_CORENLP_URL: http://USER:PASSWORD@HOST:PORT"
        )
    if 300 <= status < 400:
        return RefusedText(f"HTTP {status}, another address: {_line(location)}", _NOT_IT)
    if status in (404, 405):
        return RefusedText(said, _NOT_IT)
    if b"missing model" in body or b"Unable to open" in body or b"Error while loading" in body:
        return RefusedText(said, "put the English models' jar into its class path and start it again")
    return RefusedText(said, "see the server's log", may_pass=status >= 500)


def parse(body: bytes, text: str) -> list[PhraseTriple]:
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
        raise RefusedText(f"a reply that is {wrong}: {seen}", _NOT_IT) from error
    units = text.encode("utf-16-le")
    found = []
    for sentence in read.sentences:
        if sentence.tokens and 2 * max(token.end for token in sentence.tokens) > len(units):
            raise RefusedText("a reply about another text", _NOT_IT)
        for one in sentence.openie:
            subject = _written(units, sentence.tokens, one.subject_span) or one.subject
            relation = _written(units, sentence.tokens, one.relation_span) or one.relation
            other = _written(units, sentence.tokens, one.object_span) or one.object
            found.append(PhraseTriple(subject, relation_phrase(_completed(relation, one.relation)), other))
    return found


def _written(units: bytes, tokens: Sequence[_Token], span: tuple[int, int]) -> str:
    """The text from a span's first token to its last; empty where the span is none."""
    first, end = span
    if not 0 <= first < end <= len(tokens):
        return ""
    return units[2 * tokens[first].begin : 2 * tokens[end - 1].end].decode("utf-16-le", "replace").strip()


def _completed(relation: str, gloss: str) -> str:
    """A relation as written, with what OpenIE adds from elsewhere: "was born" and the "on" of "in Kent on 7 May"."""
    words, written = gloss.split(), set(_WORD.findall(relation))
    front = list(takewhile(lambda word: not written & set(_WORD.findall(word)), words))
    added = [word for word in words[len(front) :] if not written & set(_WORD.findall(word))]
    return " ".join([*front, relation, *added])


def _line(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
