"""Where a sentence has another reading that is true, it convicts nobody (semantics.md section 4.2: "read exactly").

No list of constructions holds all the ways in which a clause speaks of what it does not say. But who says in the same
breath what is so, or repeats what the answer has just
denied, was most probably misread.
"""

from collections.abc import Callable, Sequence

from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.roles import Cast
from halluvault_tasks.oracles.statuses import ClaimStatus
from halluvault_tasks.reading import echoes
from halluvault_tasks.reading.base import Claim, Conclusion, Reading
from halluvault_tasks.reading.text import cut
from halluvault_tasks.wikidata.relation import Predicate


def guarded(
    asked: CaseToJudge,
    reading: Reading,
    claims: Sequence[Claim],
    status: Callable[[Claim], ClaimStatus],
    *,
    apart: bool,
) -> list[Claim]:
    """The claims of a response, those that may be misread with the guard `doubtful`.

    Args:
        asked: the case.
        reading: the response's answer and conclusions.
        claims: the response's.
        status: what the snapshot says of a claim.
        apart: its answer was asked for in a turn of its own, so that the text itself denies nothing.
    """
    found = [(one, status(one).status) for one in claims]
    right = [one for one, known in found if known == "supported" and not one.negative]
    wrong = [one for one, known in found if known == "contradicted"]
    opposed = [one.span for one in reading.conclusions if one.kind != reading.answer.kind]
    worded = echoes.denies(cut(asked.question).sentences)
    denied = {"no": worded, "yes": not worded}.get(reading.answer.kind)

    def is_doubtful(one: Claim) -> bool:
        if any(_beside(one, other) for other in right):
            return True
        value = one.days is not None or one.amount is not None
        again = value and one.negative is denied and one.object.casefold() in asked.question.casefold()
        elsewhere = any(_beside(one, other._replace(sentence=one.sentence)) for other in right)
        plain = apart or any(span.meets(one.span) for span in opposed)
        return again and (elsewhere or not plain)

    doubtful = [one for one in wrong if is_doubtful(one)]
    return [one._replace(guards=(*one.guards, "doubtful")) if one in doubtful else one for one in claims]


def _slots(claim: Claim) -> set[tuple[Predicate, int]]:
    return {(triple.p, triple.s) for triple in claim.triples}


def _beside(one: Claim, other: Claim) -> bool:
    """Whether two claims of a sentence give a slot values of the same sort, the second one as exact."""
    alike = (one.amount is None) == (other.amount is None) and _precision(one) <= _precision(other)
    return alike and one.sentence == other.sentence and not _slots(one).isdisjoint(_slots(other))


def _precision(claim: Claim) -> int:
    return claim.days.precision if claim.days else 0


def standing(asked: CaseToJudge, reading: Reading, told: Sequence[tuple[Claim, Cast, ClaimStatus]]) -> list[Conclusion]:
    """The conclusions of a response that count.

    Args:
        asked: the case.
        reading: the response's answer and conclusions.
        told: its claims, guarded, with their roles and statuses.
    """
    doubtful = [one.span for one, _, _ in told if "doubtful" in one.guards]
    known = [one for one, cast, found in told if cast.role == "premise" and found.status == "supported"]
    right = reading.answer.kind == asked.gold and not all(one.negative for one in known)
    return [
        one
        for one in reading.conclusions
        if (one.plain or not right) and not any(one.span.meets(span) for span in doubtful)
    ]
