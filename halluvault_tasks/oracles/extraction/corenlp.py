"""The extractor `corenlp`: Stanford OpenIE, as published (HalluVault §4.4).

The server is a Java program of its own (https://stanfordnlp.github.io/CoreNLP/corenlp-server.html). `corenlp_server`
speaks to it; here stands what is asked, a sentence a line, and what is done where it is refused.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import aiohttp

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.oracles.anchored import MAX_TRIPLES, PhraseTriple
from halluvault_tasks.oracles.extraction.base import KNOWN, Sentences, UnreadPassage
from halluvault_tasks.oracles.extraction.corenlp_server import CoreNlpAway, CoreNlpServer, RefusedText

AT_A_TIME = 4
"""Passages in work at the server, each on a connection that stays open."""

LONGEST = 4_000
"""Characters of one request: parsing a sentence takes more than linear time, and the server takes 100,000 at most."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Among them is what the server takes for the end of a line, and so of a sentence."""

_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‛", "'"))
"""OpenIE reads a name in typographic quotation marks otherwise than in straight ones, and models write both."""


class CoreNlp:
    """Sentences to triples by a CoreNLP server that runs already.

    Args:
        endpoint: URL of the server, such as http://127.0.0.1:9000; may hold user and password.
        timeout_seconds: for everything that is asked for one passage.

    Raises:
        UserError: the endpoint is no URL.
    """

    name = "corenlp"
    own_phrases = True

    def __init__(self, endpoint: str, timeout_seconds: float = 60.0) -> None:
        self._server = CoreNlpServer(endpoint, timeout_seconds)
        self._seconds = timeout_seconds
        self._version = ""

    def __call__(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple] | UnreadPassage]:
        """Triples of each passage in the order of its text, at most `MAX_TRIPLES`.

        Raises:
            Unavailable: the server does not answer, or not in time.
            UserError: what answers cannot read.
        """
        return asyncio.run(self._read_all(passages))

    def check(self) -> str:
        """As `Tool.check` says."""
        [found] = self([[KNOWN]])
        return f"Stanford CoreNLP {self._version} at {self._server.shown} reads {len(found)} triples in “{KNOWN}”"

    def provenance(self) -> Mapping[str, Any]:
        """As `Tool.provenance` says."""
        limits = {"characters": LONGEST, "triples": MAX_TRIPLES, "seconds": self._seconds}
        return {"tool": f"Stanford CoreNLP {self._version}", "options": {**self._server.properties, **limits}}

    async def _read_all(self, passages: Sequence[Sentences]) -> list[list[PhraseTriple] | UnreadPassage]:
        room, connector = asyncio.Semaphore(AT_A_TIME), aiohttp.TCPConnector(limit=AT_A_TIME)
        # A deadline is for all requests of a passage together.
        async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as http:
            if not self._version:  # the models are loaded by the first sentence, which may take longer than others
                await self._still_reads(http)
                self._version = await self._server.version(http)

            async def one(passage: Sentences) -> list[PhraseTriple] | UnreadPassage:
                async with room:
                    return await self._read(http, passage)

            tasks = [asyncio.create_task(one(passage)) for passage in passages]
            try:
                return list(await asyncio.gather(*tasks))
            finally:  # the first failure ends the others
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, http: aiohttp.ClientSession, passage: Sentences) -> list[PhraseTriple] | UnreadPassage:
        try:
            return await self._annotated(http, requests(passage), self._seconds)
        except RefusedText as refused:
            await self._still_reads(http)
            return UnreadPassage(str(refused))

    async def _annotated(self, http: aiohttp.ClientSession, texts: Iterable[str], seconds: float) -> list[PhraseTriple]:
        found: dict[PhraseTriple, None] = {}
        try:
            async with asyncio.timeout(seconds):
                for text in texts:
                    found.update(dict.fromkeys(await self._server.annotate(http, text)))
                    if len(found) >= MAX_TRIPLES:
                        break
        except TimeoutError as error:
            raise RefusedText(f"no whole reply within {seconds:g} s", "see its log", may_pass=True) from error
        return list(found)[:MAX_TRIPLES]

    async def _still_reads(self, http: aiohttp.ClientSession) -> None:
        """Ask the sentence that is known to work.

        Raises:
            Unavailable, UserError: it is not read.
        """
        try:
            if await self._annotated(http, [KNOWN], self._seconds if self._version else 2 * self._seconds):
                return
            raise RefusedText("it finds no triple in it", "start it with all English models")
        except RefusedText as refused:
            what = f"the CoreNLP server at {self._server.shown} does not read “{KNOWN}”"
            if isinstance(refused, CoreNlpAway):
                what = f"no CoreNLP server answers at {self._server.shown}"
            raise (Unavailable if refused.may_pass else UserError)(
                f"{what}: {refused}",
                f"{refused.way_out}; or use HALLUVAULT_EXTRACTOR=anchored, which needs no server",
            ) from refused


def requests(passage: Sentences) -> Iterator[str]:
    """The texts to send for a passage: a sentence a line, cut between sentences.

    A sentence that is longer than a request is cut at white space.
    """
    lines: list[str] = []
    size = 0
    for sentence in passage:
        for piece in _pieces(_CONTROLS.sub(" ", sentence.translate(_STRAIGHT)).strip()):
            if lines and size + len(piece) > LONGEST:
                yield "\n".join(lines)
                lines, size = [], 0
            lines.append(piece)
            size += len(piece) + 1
    if lines:
        yield "\n".join(lines)


def _pieces(sentence: str) -> Iterator[str]:
    while len(sentence) > LONGEST:
        at = sentence.rfind(" ", 1, LONGEST)
        at = LONGEST if at < 0 else at
        yield sentence[:at]
        sentence = sentence[at:].strip()
    if sentence:
        yield sentence
