"""The reason why a service could not answer, extracted from whatever it sends instead: one line, without the echo.

Engines print the query before the reason (Blazegraph, up to 100 KB of it) or after it (Virtuoso), bury it under a chain
of exceptions, wrap it in JSON (QLever, GraphDB) or in a web page (Jetty, proxies). What is shown comes from outside: it
is cut, and nothing in it moves a terminal's cursor.
"""

import json
import re
from html.parser import HTMLParser

_SHOWN = 300  # characters of a reason
_PAGE = 1 << 14  # characters of a page that are looked at
_CHAIN = 1 << 13  # characters of a chain of exceptions that are looked at

_THROWN = re.compile(r"\s*(?:Caused by: ?(?=(?:[\w$]+\.)+[A-Z])|(?=(?:[\w$]+\.)+[\w$]*(?:Exception|Error)\b))(.*)")
_CLASS = re.compile(r"(?:[\w$]+\.)+([A-Z][\w$]*)(?:: |$)")
_WORDS = ("exception", "message", "error", "detail", "reason", "title")
"""Where JSON bodies have the reason, the most telling first (RFC 9457 and what engines do)."""


def reason(body: bytes, query: str = "") -> str:
    """The reason that a body gives, in one line of printable characters; empty where it gives none.

    Args:
        body: of a refusal, unpacked.
        query: what was asked, so that its echo can be told from the reason.
    """
    text = body.decode("utf-8", "replace").replace("\r\n", "\n")
    start = text.lstrip()[:200].lower()
    if start.startswith("{"):
        inner = _of_json(text)
    elif start.startswith("<") and "<html" in text[:2000].lower():
        inner = _of_page(text)
    else:
        inner = _of_trace(_without_echo(text, query))
    return line(inner)


def line(text: str) -> str:
    """Text from outside as one short line that is safe to print."""
    shown = "".join(char if char.isprintable() else " " for char in " ".join(text[: 20 * _SHOWN].split()))
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]} …"


def title(body: bytes) -> str:
    """What a web page calls itself; empty for one that does not, or for no page."""
    return line(Page.of(body[:_PAGE].decode("utf-8", "replace")).title)


def _of_json(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for _ in range(3):
        if not isinstance(value, dict):
            break
        value = next((value[word] for word in _WORDS if value.get(word)), text)
    return value if isinstance(value, str) else text


def _of_page(text: str) -> str:
    page = Page.of(text[:_PAGE])
    text = " ".join(" ".join(page.texts).split())
    # Jetty's pages, which Blazegraph's and Fuseki's refusals come in, say where the reason begins.
    _, _, jetty = text.partition("Reason: ")
    return jetty.partition(" Powered by")[0] or text or page.title


def _without_echo(text: str, query: str) -> str:
    """The text without the lines that repeat the query, and without what introduces them."""
    query = query.strip()
    at = text.find(query) if query else -1
    if at < 0:
        return text
    lines = text[:at].rpartition("\n")[0].rstrip().splitlines()
    after = text[at + len(query) :].partition("\n")[2]
    if lines and lines[-1].endswith(":"):
        lines.pop()
    return "\n".join([*lines, after])


def _of_trace(text: str) -> str:
    """Of a stack trace the innermost cause; of any other text its first paragraph."""
    thrown = [match[1] for each in text.splitlines() if (match := _THROWN.match(each))]
    if not thrown:
        return text.strip().partition("\n\n")[0]
    cause = thrown[-1][:_CHAIN]
    while (outer := _CLASS.match(cause)) and _CLASS.match(cause, outer.end()):
        cause = cause[outer.end() :]
    return _CLASS.sub(r"\1: ", cause, count=1).rstrip(": ") if _CLASS.match(cause) else cause


class Page(HTMLParser):
    """What a reader sees of a web page that comes where results should: of a proxy, a Java server, a wrong address."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.texts: list[str] = []
        """Its texts in their order, without scripts and the title."""
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens."""
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        """And closes."""
        self._open = ""

    def handle_data(self, data: str) -> None:
        """The text within it."""
        if self._open == "title":
            self.title += data
        elif self._open not in {"script", "style"}:
            self.texts.append(data)

    @classmethod
    def of(cls, text: str) -> "Page":
        """A page that was read."""
        page = cls()
        page.feed(text)
        return page
