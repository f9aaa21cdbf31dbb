"""Seeded faults of a simulated server, off unless asked for: those of real servers and the proxies before them.

Which fault a request gets by its share depends on the seed, the model, the route, the prompt and how often that
prompt was asked before, never on the order in which requests arrive; by number it depends on the order alone.
"""

from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.draws import share

MEANINGS: Mapping[str, str] = {
    "overloaded": "429 at once, as when every permit is taken",
    "generation": "424, the generation of this request failed",
    "batch": "424 for this request and every other that is being generated, as when the forward pass fails",
    "incomplete": "500 `Incomplete generation`",
    "bad_gateway": "502 with a proxy's page and Retry-After",
    "unavailable": "503 with a proxy's text and Retry-After",
    "gateway_timeout": "504 with a proxy's page and Retry-After",
    "reset": "the connection is reset (RST) before any byte",
    "stale": "the connection is closed before any byte, as a kept-alive one that had gone stale",
    "hang": "silence: nothing is sent until the client goes away",
    "hang_after_headers": "headers and half the body, then silence",
    "drop": "half the body, then a reset (RST)",
    "short": "half the body under the length of the whole, then an orderly close; a stream ends without its last event",
    "truncated": "JSON that ends early, under a length that fits; a stream's last event ends early",
    "html": "a login page with status 200",
    "midstream": "a stream's error event after some tokens; elsewhere like `generation`",
    "plain": "422 in plain text: a proxy that rejects the body; not worth asking again",
    "slow": "the answer takes `slow_seconds` longer; in a stream each token its part of them",
    "unhealthy": "503 of /health alone",
}
"""Kind → what it does."""

KINDS = tuple(MEANINGS)

RETRYABLE = tuple(kind for kind in KINDS if kind not in ("plain", "slow", "unhealthy"))
"""Kinds after which asking again is right. `mix=SHARE` draws evenly from them."""

QUICK = tuple(kind for kind in RETRYABLE if not kind.startswith("hang"))
"""Those that a client notices at once; the others cost it a timeout. `quick=SHARE` draws evenly from them."""

_GROUPS: Mapping[str, tuple[str, ...]] = {"mix": RETRYABLE, "quick": QUICK}


class FaultRule(NamedTuple):
    """When one kind of fault strikes."""

    kind: str
    share: float = 0.0
    """Of the requests, drawn by hash."""
    route: str = ""
    """Only there, e.g. `/generate_stream` or `/info`; empty for every route that generates."""
    first: int = 0
    """Where it is not 0: strikes the requests from this number on (counted per model, from 1) …"""
    last: int = 0
    """… to this one."""


class HttpFaults(NamedTuple):
    """Which requests fail, and how."""

    rules: tuple[FaultRule, ...] = ()
    seed: int = 0
    slow_seconds: float = 1.0
    retry_after: int = 0
    """Seconds that a proxy's 502, 503 and 504 ask to wait; TGI itself never says."""
    poison: str = ""
    """A prompt that contains this text fails every time with 424; empty for none."""
    poison_share: float = 0.0
    """Share of the prompts that fail every time with 424, drawn by hash of seed and prompt alone."""

    def is_poison(self, prompt: str) -> bool:
        """Whether a prompt fails every time; of a conversation, its `conversation.key`."""
        if self.poison and self.poison in prompt:
            return True
        return self.poison_share > 0 and share(self.seed, "poison", prompt) < self.poison_share

    def pick(self, model: str, route: str, prompt: str, before: int, number: int) -> str:
        """The fault of one request, or an empty string.

        Args:
            model: the simulated model's name.
            route: the path below the model's.
            prompt: what it was asked (`conversation.key`).
            before: how often it was asked that before.
            number: how manieth request of this model it is, from 1.
        """
        if self.is_poison(prompt):
            return "generation"
        if not self.rules:
            return ""
        draw = share(self.seed, model, before, prompt)
        for rule in self.rules:
            if rule.kind == "unhealthy" or (rule.route and rule.route != route):
                continue
            if rule.first:
                if rule.first <= number <= rule.last:
                    return rule.kind
            elif draw < rule.share:
                return rule.kind
            else:
                draw -= rule.share
        return ""

    def of_question(self, route: str, number: int) -> str:
        """The fault of a GET, or an empty string: rules that name its route, and `unhealthy` on /health.

        Args:
            route: the path below the model's.
            number: how manieth GET of this model it is, from 1.
        """
        for rule in self.rules:
            if rule.route != route and not (rule.kind == "unhealthy" and route == "/health" and not rule.route):
                continue
            if rule.first <= number <= rule.last if rule.first else share(self.seed, route, number) < rule.share:
                return rule.kind
        return ""


def parse(text: str) -> HttpFaults:
    """Read `--faults`, comma-separated.

    `KIND=SHARE` (0 to 1), `KIND=#N` or `KIND=#N-M` (the Nth to Mth request), each with `@ROUTE` behind the kind for
    one route (also `@/info`, `@/health` and so on, where a proxy's faults and broken connections strike);
    `mix=SHARE` and `quick=SHARE` draw evenly from `RETRYABLE` and `QUICK`; `seed=N`, `slow_seconds=S`,
    `retry_after=S`, `poison=SHARE` or `poison=TEXT`.

    Raises:
        UserError: an unknown kind or a share that is no number from 0 to 1.
    """
    rules: list[FaultRule] = []
    found = HttpFaults()
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, value = part.partition("=")
        number = _number(value)
        if name == "poison":
            if number is not None and number <= 1:
                found = found._replace(poison_share=number)
            else:
                found = found._replace(poison=value)
        elif name == "seed" and number is not None:
            found = found._replace(seed=int(number))
        elif name == "retry_after" and number is not None:
            found = found._replace(retry_after=int(number))
        elif name == "slow_seconds" and number is not None:
            found = found._replace(slow_seconds=number)
        else:
            rules += _rules(name, value, part)
    for route in {rule.route for rule in rules}:
        total = sum(rule.share for rule in rules if rule.route in ("", route) and rule.kind != "unhealthy")
        if total > 1 + 1e-9:
            raise UserError(f"--faults shares sum to {total:g}", "keep the sum at most 1")
    return found._replace(rules=tuple(rules))


def _rules(name: str, value: str, part: str) -> list[FaultRule]:
    kind, _, route = name.partition("@")
    first, _, last = value.removeprefix("#").partition("-")
    number = _number(value)
    if kind in KINDS and value.startswith("#") and first.isdigit() and (last or first).isdigit() and int(first):
        return [FaultRule(kind, 0.0, route, int(first), int(last or first))]
    if number is not None and number <= 1:
        if kind in KINDS:
            return [FaultRule(kind, number, route)]
        if kind in _GROUPS:
            kinds = _GROUPS[kind]
            return [FaultRule(each, number / len(kinds), route) for each in kinds]
    raise UserError(
        f"--faults has {part!r}; accepted: KIND[@ROUTE]=SHARE with SHARE 0 to 1, or KIND[@ROUTE]=#N[-M], "
        f"with KIND one of {', '.join(KINDS)}, mix, quick; seed=N, slow_seconds=S, retry_after=S, poison=SHARE or TEXT",
        "for instance --faults overloaded=0.1,reset@/generate=#3,seed=7",
    )


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
