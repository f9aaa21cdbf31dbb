"""Where a sentence has another reading that is true, it convicts nobody (semantics.md section 4.2: "read exactly").

No list of constructions holds all the ways in which a clause speaks of what it does not say. But who says in the same
breath what is so, or gives a date that is somebody else's whom the question names, or repeats what the answer has just
denied, was most probably misread.
"""

from collections.abc import Callable, Sequence

from halluvault_tasks.oracles.asked import Asked
from halluvault_tasks.oracles.statuses import Judged
from halluvault_tasks.reading import echoes
from halluvault_tasks.reading.base import Claim, Reading
from halluvault_tasks.reading.text import cut


def guarded(
    asked: Asked, reading: Reading, claims: Sequence[Claim], status: Callable[[Claim], Judged], *, apart: bool
) -> list[Claim]:
    """The claims of a response, those that may be misread with the guard `doubtful`.

    Args:
        asked: the case.
        reading: the response's answer and conclusions.
        claims: the response's.
        status: what the snapshot says of a claim.
        apart: the answer was asked for in a turn of its own, so that the text answers nothing.
    """
    found = [(one, status(one).status) for one in claims]
    right = [one for one, known in found if known == "supported" and not one.negative]
    opposed = [one.span for one in reading.conclusions if one.kind != reading.answer.kind]
    worded = echoes.denies(cut(asked.question).sentences)
    denied = None if apart else {"no": worded, "yes": not worded}.get(reading.answer.kind)

    def is_doubtful(one: Claim) -> bool:
        if not one.negative and any(_beside(one, other) for other in right):
            return True
        if any(status(other).status == "supported" for other in _of_others(asked, one)):
            return True
        value = one.days is not None or one.amount is not None
        again = value and one.negative is denied and one.object.casefold() in asked.question.casefold()
        elsewhere = any(_beside(one, other._replace(sentence=one.sentence)) for other in right)
        return again and (elsewhere or not any(span.meets(one.span) for span in opposed))

    doubtful = [one for one, known in found if known == "contradicted" and is_doubtful(one)]
    return [one._replace(guards=(*one.guards, "doubtful")) if one in doubtful else one for one in claims]


def _beside(one: Claim, other: Claim) -> bool:
    """Whether two claims of a sentence give a slot values of the same sort, the second one as exact."""
    slots = {(triple.p, triple.s) for triple in one.triples}
    alike = (one.amount is None) == (other.amount is None) and _precision(one) <= _precision(other)
    return alike and one.sentence == other.sentence and any((t.p, t.s) in slots for t in other.triples)


def _precision(claim: Claim) -> int:
    return claim.days.precision if claim.days else 0


def _of_others(asked: Asked, claim: Claim) -> list[Claim]:
    """The same date, said of the others whom the question names."""
    if claim.days is None or claim.which or claim.negative:
        return []
    others = sorted(asked.entities - {triple.s for triple in claim.triples})
    return [claim._replace(triples=tuple(one._replace(s=other) for one in claim.triples)) for other in others]
