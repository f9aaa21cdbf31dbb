"""Which wording of the lexicon fits a fact, and in which tense."""

from collections.abc import Sequence

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.forms import Form
from halluvault_tasks.benchmark.wording.lexicon import Entry


def fitting(entries: Sequence[Entry], s: int, o: int | None, index: EntityIndex) -> Entry | None:
    """The first wording whose kinds the two ends are of."""
    for entry in entries:
        if index.fits(s, entry.subject) and (o is None or index.fits(o, entry.object)):
            return entry
    return None


def tensed(entry: Entry, s: int, o: int | None, index: EntityIndex) -> Form:
    """The form in the right tense: past for what is certainly over."""
    if entry.past is None or entry.open is None:
        form = entry.past or entry.open
        assert form is not None  # the lexicon refuses an entry with neither
        return form
    # "Was she ever a poet?" is right of the living too; "was she a sister of his?" is not.
    gone = index.maybe_over if entry.time_bound else index.over
    over = {"subject": gone(s), "object": o is not None and gone(o)}
    when = entry.past_when
    past = all(over.values()) if when == "both" else any(over.values()) if when == "any" else over[when]
    return entry.past if past else entry.open


def presupposed(entry: Entry, s: int, o: int, index: EntityIndex) -> Unasked | None:
    """What the question would take for granted and the snapshot does not show; None: nothing."""
    ends = {"s": s, "o": o}
    for presupposition in entry.presupposes:
        what, end = presupposition.split(":")
        known = index.ending.dead if what == "dead" else index.ending.ended
        if ends[end] not in known:
            return Hindrance.PRESUPPOSED(what)
    return None
