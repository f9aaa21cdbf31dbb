"""The extractor `corenlp`: Stanford OpenIE through stanza's CoreNLP client, as published (HalluVault §4.4).

The server is a Java program of its own (https://stanfordnlp.github.io/CoreNLP/corenlp-server.html; compose profile
`corenlp`). Tested against a loopback server that speaks stanza's protocol buffers; unverified against the real one.
"""

import logging
from collections.abc import Sequence
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.anchored import Triple, relation_phrase
from halluvault_tasks.oracles.extraction.base import Sentences

_log = logging.getLogger(__name__)

ANNOTATORS = "tokenize,ssplit,pos,lemma,depparse,natlog,openie"


class CoreNlp:
    """Sentences to triples by a CoreNLP server that runs already.

    Args:
        endpoint: URL of the server, such as http://127.0.0.1:9000.
        timeout_seconds: for one response's sentences.
    """

    name = "corenlp"

    def __init__(self, endpoint: str, timeout_seconds: float = 60.0) -> None:
        self._endpoint = endpoint.rstrip("/")
        self._milliseconds = int(timeout_seconds * 1000)
        self._client: Any = None

    def __call__(self, passages: Sequence[Sentences]) -> list[list[Triple]]:
        """Triples of each passage, every one that OpenIE gives.

        A sentence that the server refuses is left out and logged; the others of its passage are asked alone.

        Raises:
            UserError: the server does not answer.
        """
        return [self._passage(passage) if any(passage) else [] for passage in passages]

    def _passage(self, sentences: Sentences) -> list[Triple]:
        from stanza.server.client import AnnotationException, TimeoutException

        found: dict[Triple, None] = {}
        try:
            # One sentence a line, so that the server splits where we did
            document = self._annotate("\n".join(sentence.replace("\n", " ") for sentence in sentences))
        except (AnnotationException, TimeoutException) as error:
            if _unreachable(error):
                raise UserError(
                    f"no CoreNLP server answers at {self._endpoint}: {str(error)[:200]}",
                    "start it (`docker compose --profile corenlp up -d`, or CoreNLP's own start script), set "
                    "HALLUVAULT_CORENLP_URL, or use HALLUVAULT_EXTRACTOR=anchored, which needs none",
                ) from error
            if len(sentences) > 1:
                return list(dict.fromkeys(triple for sentence in sentences for triple in self._passage([sentence])))
            _log.warning("CoreNLP refused a sentence of %d characters: %s", len(sentences[0]), str(error)[:200])
            return []
        for sentence in document.sentence:
            for each in sentence.openieTriple:
                found.setdefault(Triple(each.subject, relation_phrase(each.relation), each.object))
        return list(found)

    def _annotate(self, text: str) -> Any:
        from stanza.server.client import CoreNLPClient, StartServer

        self._client = self._client or CoreNLPClient(
            start_server=StartServer.DONT_START,
            endpoint=self._endpoint,
            annotators=ANNOTATORS,
            output_format="serialized",
            timeout=self._milliseconds,
            properties={"ssplit.eolonly": "true"},
        )
        return self._client.annotate(text)


def _unreachable(error: BaseException) -> bool:
    """Whether nothing answered at all, other than a refusal of this one text."""
    import requests

    cause = error.__cause__ or error.__context__
    return isinstance(cause, requests.exceptions.ConnectionError | requests.exceptions.Timeout)
