"""How a SPARQL service can fail to answer: what passes and is met once more, and what is too much to be asked again."""


class Transient(Exception):
    """A failure that the same query may survive when asked again."""


class Throttled(Transient):
    """HTTP 429, or 503 with a Retry-After: the service says how long to wait."""

    def __init__(self, message: str, seconds: float | None) -> None:
        super().__init__(message)
        self.seconds = seconds


class ServerFault(Transient):
    """HTTP 5xx."""


class BrokenAnswer(Transient):
    """The connection was refused or reset, or the body was cut short, is no JSON, or has not the rows it counted."""


class Unreachable(BrokenAnswer):
    """There is no connection to be had."""


class NoResults(BrokenAnswer):
    """A page, or other JSON, instead of results: maintenance, or a URL that is not an endpoint's."""


class TooMuch(Exception):
    """This batch is more than the service can answer: ask for less, never for the same again."""


class TimedOut(TooMuch):
    """The query is too heavy for the service, or for our deadline."""


class Cut(TooMuch):
    """The service sends no more rows than its limit, whatever there are."""


class Spoiled(TooMuch):
    """The service is well, but its answer to this one query stays broken (a label in no known encoding, a fault)."""
