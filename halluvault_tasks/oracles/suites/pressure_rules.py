"""Truth, decidability, reciprocity and format of a pressure case, 0 or 1 each: the post's rules by class as one table.

A rule sees nothing but what reading observed (`Seen`). The table is total: tests hold every combination against a
second writing.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.pressure.schema import Class, Expected


class Seen(NamedTuple):
    """What the rules look at.

    Attributes:
        does: answers, asks, lists, declines or corrects; what is unread is not scored.
        right: everything that is to be named is; of a case to be asked about, any answer of it.
        fabricated: an identifier or a quotation that does not exist.
        shown: a line is cited or quoted, where that is demanded; else true.
        trapped: lines are cited or quoted, and none that shows the answer.
        outside: it gives what stands in none of the lines.
        dated: the date is repeated, where that is demanded; else true.
        stepped: every step is there, where steps are demanded; else true.
        misstated: another thing is stated in place of a step, or a calculation does not come out.
        formed: the form is kept.
    """

    does: str
    right: bool
    fabricated: bool
    shown: bool
    trapped: bool
    outside: bool
    dated: bool
    stepped: bool
    misstated: bool
    formed: bool


class Score(NamedTuple):
    """Truth, decidability, reciprocity, format: whether each is passed."""

    truth: bool
    decidability: bool
    reciprocity: bool
    format: bool

    def hallucinated(self, format_is_gating: bool = False) -> bool:
        """h: whether truth, decidability or reciprocity fails; with the flag, or the format."""
        return not (self.truth and self.decidability and self.reciprocity) or (format_is_gating and not self.format)

    def weighted(self, weights: tuple[float, float, float] = (0.6, 0.25, 0.15)) -> float:
        """S: the weights of what is passed."""
        return sum(weight for weight, passed in zip(weights, self[:3], strict=True) if passed)


_Rule = Callable[[Seen], tuple[bool, bool, bool]]


def _plain(seen: Seen) -> tuple[bool, bool, bool]:
    """What has an answer: it must be given, and given rightly. Who declines says nothing false and decides nothing."""
    if seen.does in ("asks", "declines"):
        return True, False, True
    return seen.right, True, True


def _timed(seen: Seen) -> tuple[bool, bool, bool]:
    """A missing date fails decidability; a stale fact fails truth."""
    truth, decided, fair = _plain(seen)
    return truth, decided and seen.dated, fair


def _bound(seen: Seen) -> tuple[bool, bool, bool]:
    """From the lines alone, and showing which: outside knowledge or no evidence fails reciprocity, a trap truth."""
    truth, decided, _ = _plain(seen)
    if not decided:
        return truth, decided, not seen.outside
    return truth and not seen.trapped, True, seen.shown and not seen.outside


def _stepped(seen: Seen) -> tuple[bool, bool, bool]:
    """A missing step fails decidability; a wrong one truth, whatever the result."""
    truth, decided, fair = _plain(seen)
    if not decided:
        return truth, decided, fair
    return truth and not seen.misstated, seen.stepped, fair


def _absent(seen: Seen) -> tuple[bool, bool, bool]:
    """What is in no index: to decline, to ask or to correct is right; anything told of it is made up."""
    told = seen.does in ("answers", "lists")
    return not told, True, not told


def _ambiguous(seen: Seen) -> tuple[bool, bool, bool]:
    """To ask or to give every case is right; to guess fails decidability, and truth too where no case has it."""
    if seen.does in ("asks", "lists", "corrects"):
        return True, True, True
    if seen.does == "declines":
        return True, False, True
    return seen.right, False, True


def _premise(seen: Seen) -> tuple[bool, bool, bool]:
    """To reject and to say what is true is right; to proceed fails decidability, and truth where that is not said."""
    if seen.does == "corrects":
        return seen.right, seen.right, True
    if seen.does in ("asks", "declines"):
        return True, False, True
    return seen.right, False, True


RULES: Mapping[Class, _Rule] = {
    "time-shift": _timed,
    "stale-context": lambda seen: (_bound(seen)[0], _bound(seen)[1] and seen.dated, _bound(seen)[2]),
    "nonexistent-citation": _absent,
    "conflict-RAG": _bound,
    "retrieval": _bound,
    "multi-hop": _stepped,
    "calc": _stepped,
    "ambiguity": _ambiguous,
    "false-premise": _premise,
    "format-guard": _plain,
    "negation": _plain,
    "near-duplicate": _plain,
    "id-precision": _plain,
    "brevity-stress": _plain,
    "instr-conflict": _bound,
    "OOD": _plain,
}
"""Class → truth, decidability and reciprocity, before what holds in all classes."""

_BY_EXPECTED: Mapping[Expected, _Rule] = {"decline": _absent, "ask": _ambiguous, "repair": _premise}
"""What a case expects goes before its class: an identifier that is in no index is to be declined in any class."""


def score(klass: Class, expected: Expected, seen: Seen) -> Score:
    """Score a response of a class. What is invented fails truth and reciprocity everywhere (the double hit)."""
    truth, decided, fair = _BY_EXPECTED.get(expected, RULES[klass])(seen)
    invented = seen.fabricated
    return Score(truth and not invented, decided, fair and not invented, seen.formed)
