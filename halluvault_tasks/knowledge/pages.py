"""Web pages that come where SPARQL results should: of proxies, of Java's servers, of a wrong address."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What a reader sees of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.said: list[str] = []
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
            self.said.append(data)

    @classmethod
    def of(cls, text: str) -> "Page":
        """A page that was read."""
        page = cls()
        page.feed(text)
        return page
