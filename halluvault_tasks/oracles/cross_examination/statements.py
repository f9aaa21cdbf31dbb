"""What was read in a text, said as a plain statement: what the cross-examiner is asked about.

In the words of the questions (`config/lexicon.yaml`), else in the first of those that the reader knows
(`config/predicates.yaml`); ends are called by their labels, since a pronoun is what may have been misread.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.benchmark.wording.articles import definite, of_event, of_organisation
from halluvault_tasks.benchmark.wording.forms import EndKinds
from halluvault_tasks.benchmark.wording.lexicon import DateWording, Entry, Lexicon, entries_for
from halluvault_tasks.benchmark.wording.sentences import Date, date_text, fill
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.weighed import WeighedClaim
from halluvault_tasks.reading import snapshot as snapshot_names
from halluvault_tasks.reading.base import Claim, ClaimTriple, Conclusion
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.syntax.predicates import Kinds, Predicates, plain_clauses
from halluvault_tasks.settings import settings
from halluvault_tasks.wikidata.relation import Predicate, Relation

_TERM = {"start": "from {} on", "end": "until {}", "point": "{}"}
_HAPPENS, _BODY = frozenset(["event", "conflict"]), frozenset(["organisation", "body"])
_PERFECT = " has "


class ExaminedStatement(NamedTuple):
    """What is asked about.

    Attributes:
        text: a plain statement without a full stop.
        denied: that it is false is what was read.
    """

    text: str
    denied: bool = False


class Stater:
    """Words claims.

    Args:
        lexicon: sentences of the questions.
        predicates: what the reader knows besides.
        names: of the snapshot.
    """

    def __init__(self, lexicon: Lexicon, predicates: Predicates, names: Names) -> None:
        self._lexicon, self._predicates, self._names = lexicon, predicates, names

    @classmethod
    def of(cls, names: Names, config_dir: Path | None = None) -> "Stater":
        """With the wordings of a configuration: the configured one, if none is given."""
        return cls(*snapshot_names.files(config_dir or settings().config_dir), names)

    def statement(self, told: WeighedClaim | Conclusion) -> ExaminedStatement:
        """What a claim or conclusion says."""
        if isinstance(told, Conclusion):
            return ExaminedStatement(f"the answer to the question is {told.kind}")
        claim, triple = told.claim, told.cast.triple
        said = self._affirmed(claim, triple).rstrip(".")
        if claim.which and claim.days:
            when = date_text(Date(claim.days.earliest, claim.days.precision))
            bare = when.removeprefix("in ").removeprefix("on ")
            said = f"{said} {_TERM[claim.which].format(when if claim.which == 'point' else bare)}"
        return ExaminedStatement(said, claim.negative)

    def meant(self, asked: CaseToJudge) -> tuple[str, ...]:
        """Whom the question calls by something else: "Jaws was directed by Steven Spielberg"."""
        called = [one for one in asked.evidence if one.slot in asked.named_by and one.o > 0]
        return tuple(dict.fromkeys(self._linked(ClaimTriple(one.p, one.s, one.o), "", "") for one in called))

    def _linked(self, triple: ClaimTriple, subject: str, other: str) -> str:
        s, o = self._name(triple.s, subject), self._name(triple.o, other)
        return _inner(fill(next(self._worded(triple), "{s} and {o} belong together"), s=s, o=o), s, o).rstrip(".")

    def _affirmed(self, claim: Claim, triple: ClaimTriple) -> str:
        s = self._name(triple.s, claim.subject)
        if claim.amount is not None:
            pattern = next(self._with_number(triple.p), "the number that belongs to {s} is {o}")
            return _inner(fill(pattern, s=s, o=f"{claim.amount:f}"), s)
        if claim.days is not None and not triple.o:
            when = date_text(Date(claim.days.earliest, claim.days.precision))
            return _inner(fill(self._dated(triple), s=s, on=when), s)
        return self._linked(triple, claim.subject, claim.object)

    def _name(self, qid: int, said: str) -> str:
        if qid not in self._names.entities:
            return said
        kinds, label = self._kinds(qid), self._names.label(qid)
        if "human" in kinds:
            return label
        with_article = of_event if kinds & _HAPPENS else of_organisation if kinds & _BODY else definite
        return with_article(label)

    def _kinds(self, qid: int) -> frozenset[str]:
        return self._names.kinds([qid]) if qid in self._names.entities else frozenset()

    def _fits(self, ends: EndKinds, qid: int) -> bool:
        return Kinds(frozenset(ends.any), frozenset(ends.none)).fit(self._kinds(qid))

    def _worded(self, triple: ClaimTriple) -> Iterator[str]:
        """Clauses with {s} and {o}, the best first."""
        relation = triple.p if isinstance(triple.p, Relation) else Relation.of(triple.p)
        entries = entries_for(self._lexicon, relation)
        fitting = [one for one in entries if self._fits(one.subject, triple.s) and self._fits(one.object, triple.o)]
        yield from map(_plain, fitting or entries)
        yield from self._reviewed(triple.p, "o")

    def _with_number(self, p: Predicate) -> Iterator[str]:
        stated = self._predicates.properties.get(p) if isinstance(p, int) else None
        yield from plain_clauses(stated.ages, "o") if stated else ()
        yield from self._reviewed(p, "o")

    def _dated(self, triple: ClaimTriple) -> str:
        terms: list[DateWording] = self._lexicon.dates.get(triple.pid, [])
        fitting = [one.statement for one in terms if self._fits(one.subject, triple.s)]
        return next(iter((*fitting, *self._reviewed(triple.p, "on"))), "{s} belongs to a date {on}")

    def _reviewed(self, p: Predicate, slot: str) -> Iterator[str]:
        stated = self._predicates.properties.get(p) if isinstance(p, int) else None
        if stated is None:
            return
        if slot == "o":
            yield from (f"{{o}} is the {noun} of {{s}}" for noun in stated.nouns)
        yield from plain_clauses(stated.says, slot)


def _plain(entry: Entry) -> str:
    """The plain present, else the past: nobody says "has been"."""
    open_ = entry.open if entry.open and _PERFECT not in entry.open.statement else None
    form = open_ or entry.past or entry.open
    assert form
    return form.statement


def _inner(sentence: str, *names: str) -> str:
    """A sentence as it stands within another one: its first letter is small unless a name begins there."""
    return sentence if sentence.startswith(names) else sentence[:1].lower() + sentence[1:]
