"""Draw candidates for the set of claims that cross-examiners are measured on: `python -m studies.examination FILE`.

What a claim is, is known from how it was made: what convicts a faulty text, or is read and true of a sound one, is said
there; what convicts a sound text once pieces of the reader are taken out is not, nor is what a claim becomes with
another's date, another subject or without its denial. A reader then looked at each (README.md).
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from halluvault_tasks.cli.parts.all_sets import state
from halluvault_tasks.local import evidence
from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.cross_examination.statements import ExaminedStatement, Stater
from halluvault_tasks.oracles.measure import pieces as of_pieces
from halluvault_tasks.oracles.measure import texts as of_texts
from halluvault_tasks.oracles.measure import whole
from halluvault_tasks.oracles.measure.texts import SetText, TextSet
from halluvault_tasks.oracles.roles import Cast
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.oracles.statuses import ClaimStatus
from halluvault_tasks.oracles.weighed import JudgeInput, WeighedClaim, WeighedResponse
from halluvault_tasks.reading.base import Claim

_BATCH = 50
_CHARITY = ("oracles.charity._beside", "oracles.charity._of_others")
_GUARDS = ("guards", "_scope", "_put_by_question", "_unknown_name")
WITHOUT: Mapping[str, Sequence[str]] = {
    "guards": (
        *(f"syntax.guards.PredicateGuards.{name}" for name in _GUARDS), "syntax.sentence.Sentenced._quoted", *_CHARITY,
    ),
    "nearness": (
        "syntax.nearness.passes_over", "syntax.unsaid.has_nearer", "syntax.gapping.owner", "syntax.match._dates_more",
        "syntax.match._holders", *_CHARITY,
    ),
    "polarity": (
        "syntax.polarity.denied", "syntax.polarity.excluded", "syntax.polarity.opposed",
        "syntax.retraction.takes_back", *_CHARITY,
    ),
}  # fmt: skip
"""Pieces of the reader that are taken out together."""


class Candidate(NamedTuple):
    """A statement about a text.

    Attributes:
        said: whether the text says it.
        how: what it was made of.
    """

    said: bool
    how: str
    source: str
    line: int
    case: str
    question: str
    text: str
    statement: ExaminedStatement
    meant: tuple[str, ...]


def _chosen(one: TextSet, texts: Sequence[SetText]) -> list[SetText]:
    """Texts of a set; of each wording one, whichever its hash says."""
    by_line: dict[int, list[SetText]] = {}
    for text in texts:
        by_line.setdefault(text.source, []).append(text)
    found = []
    for line, several in by_line.items():
        digest = hashlib.sha256(f"{one.name} {line}".encode()).digest()
        found.append(several[int.from_bytes(digest[:4], "big") % len(several)])
    return found


def _is_sound(text: SetText) -> bool:
    return bool(text.right) and not text.faulty


def _weighed(scorer: Scorer, texts: Sequence[SetText]) -> Iterator[tuple[SetText, JudgeInput, WeighedResponse]]:
    judge = scorer._replay
    assert judge
    for start in range(0, len(texts), _BATCH):
        part = texts[start : start + _BATCH]
        read = scorer._read([exchange.heard(text.unstored(number)) for number, text in enumerate(part, 1)])
        given = [one.replayed(scorer.asked, base_right=False) for one in read]
        yield from zip(part, given, judge._weigh(given)[0], strict=True)


def _convicting(
    one: TextSet, scorer: Scorer, stater: Stater, texts: Sequence[SetText], how: str
) -> Iterator[Candidate]:
    for text, _, weighed in _weighed(scorer, texts):
        for told in dict.fromkeys(map(stater.statement, weighed.suspects)):
            yield Candidate(
                not _is_sound(text),
                how,
                one.name,
                text.source,
                text.case,
                text.question,
                weighed.given.text,
                told,
                stater.meant(weighed.asked),
            )


def _made(one: TextSet, scorer: Scorer, stater: Stater, texts: Sequence[SetText]) -> Iterator[Candidate]:
    """What is read in texts, and what that is made into."""
    judge = scorer._replay
    assert judge
    names = judge._syntax._names
    for text, given, _ in _weighed(scorer, texts):
        claims = [claim for claim in judge._syntax.read([judge._given(given)])[0].claims if not claim.unread]
        plain = [claim for claim in claims if not claim.guards and claim.triples[0].s in names.entities]

        def say(claim: Claim) -> ExaminedStatement:
            return stater.statement(WeighedClaim(claim, Cast("premise", claim.triples[0]), _UNKNOWN))

        known = set(map(say, claims))
        said = set(map(say, plain))
        put = [c for c in claims if {"quotation", "condition", "question"} & set(c.guards) and say(c) not in said]
        variants: list[tuple[str, ExaminedStatement]] = [("supposed or quoted", say(claim)) for claim in put]
        variants += [("as read", say(claim)) for claim in plain]
        for claim in plain:
            around = {end for c in claims for t in c.triples for end in (t.s, t.o)} | given.asked.entities
            variants += [(how, say(other)) for how, other in _others(claim, plain, around, names)]
        for how, told in dict.fromkeys(variants):
            if how == "as read" or how == "supposed or quoted" or told not in known:
                yield Candidate(
                    how == "as read",
                    how,
                    one.name,
                    text.source,
                    text.case,
                    text.question,
                    given.text,
                    told,
                    stater.meant(given.asked),
                )


_UNKNOWN = ClaimStatus("unverifiable", 0, "")


def _others(claim: Claim, plain: Sequence[Claim], around: set[int], names: Any) -> Iterator[tuple[str, Claim]]:
    """What a claim becomes by one fault of reading."""
    triple = claim.triples[0]
    yield ("negation dropped" if claim.negative else "negation added"), claim._replace(negative=not claim.negative)
    dated = claim.days is not None and not triple.o and claim.amount is None and not claim.negative
    for other in plain:
        if dated and other.days and other.days != claim.days and not other.triples[0].o and other.amount is None:
            yield "a neighbour's date", claim._replace(days=other.days)
    for end in sorted(around & names.entities.keys() - {triple.s, triple.o}):
        if names.kinds([end]) & names.kinds([triple.s]) and not claim.negative:
            yield "another's", claim._replace(triples=tuple(t._replace(s=end) for t in claim.triples))


def draw(folder: Path) -> Iterator[Candidate]:
    """All candidates of the sets of a folder, in its order."""
    sets = of_texts.load(folder)
    with (
        evidence.opened(state(), [folder / f"{name}.jsonl.gz" for name in sets.evidence]) as urls,
        evidence.months(urls) as months,
    ):
        whole.keep_parses(state())
        bench = whole.Bench(folder, sets, months)
        judged = [(one, _chosen(one, bench.texts[one.name])) for one in bench.sets if one.judged]
        for one, texts in judged:
            scorer = bench._scorer(one.evidence)
            stater = Stater.of(scorer.names)
            faulty = [text for text in texts if not _is_sound(text)]
            yield from _convicting(one, scorer, stater, faulty, "convicts a faulty text")
            yield from _made(one, scorer, stater, texts)
        every = of_pieces.every()
        for name, out in WITHOUT.items():
            with of_pieces.replaced({piece: every[piece].silent for piece in out}, every):
                bench.discard()
                for one, texts in judged:
                    scorer = bench._scorer(one.evidence)
                    sound = [text for text in texts if _is_sound(text)]
                    yield from _convicting(one, scorer, Stater.of(scorer.names), sound, f"read without {name}")


if __name__ == "__main__":
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        for found in draw(of_texts.FOLDER):
            file.write(
                json.dumps(found._asdict() | {"statement": found.statement._asdict()}, ensure_ascii=False) + "\n"
            )
            file.flush()
