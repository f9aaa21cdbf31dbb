"""The question's own words as a claim: an answer without yes or no."""

from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.oracles import phrases
from halluvault_tasks.oracles.polar import Sign
from halluvault_tasks.oracles.sentences import Span
from halluvault_tasks.oracles.silence import SILENCE


class Restated(NamedTuple):
    """The asked proposition, affirmed or denied."""

    sign: Sign
    start: int
    end: int


def _claiming(text: str, span: Span) -> list[Span]:
    """The clauses of a sentence that claim something: those after its last doubt ("…, but it is unclear if …")."""
    cuts = [match.end() for match in phrases.TURN.finditer(text, span.start, span.end)]
    clauses = [Span(a, b) for a, b in zip([span.start, *cuts], [*cuts, span.end], strict=True) if a < b]
    claiming: list[Span] = []
    for clause in clauses:
        piece = text[clause.start : clause.end]
        claiming = [] if SILENCE.search(piece) or phrases.HEDGE.search(piece) else [*claiming, clause]
    return claiming


def restated(text: str, spans: Sequence[Span], question: str, unread: bool = False) -> Restated | None:
    """The question's own words as a claim: unanimous over all sentences that restate it, else nothing.

    A later sentence that restates it as a mere possibility ("it is possible that other senators …") takes the
    claim back.
    """
    if not question or unread:
        return None
    claims: list[Restated] = []
    current = "current" in question
    for sentence in spans:
        whole = text[sentence.start : sentence.end]
        claiming = _claiming(text, sentence)
        if claims and not claiming and phrases.HEDGE.search(whole) and phrases.restates(whole, question):
            return None
        for span in claiming:
            clause = text[span.start : span.end]
            named = whole if phrases.OF_THEM.search(clause) else clause
            if phrases.restates(named, question) and ("current" in phrases.EVER.sub("", clause)) <= current:
                same = phrases.is_negated(clause) == phrases.is_negated(question)
                claims.append(Restated("yes" if same else "no", span.start, span.end))
    return claims[0] if claims and len({claim.sign for claim in claims}) == 1 else None
