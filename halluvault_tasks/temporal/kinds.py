"""The kinds of atoms: what may be asked about in time, from which statements, and how closely it is dated.

A kind is one object in `KINDS`, and all that treats it in a way of its own follows from its fields. Rows store its name
(`temporal_fact.atoms`), and config/lexicon.yaml words it under that name (`atoms`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.wikidata import properties as wd

_YEARLY = frozenset({Granularity.YEAR})
_MONTHLY = _YEARLY | {Granularity.MONTH}
_DAILY = _MONTHLY | {Granularity.DAY}


@dataclass(frozen=True, kw_only=True, eq=False)
class AtomKind:
    """What atoms of a kind have in common."""

    name: str
    """As rows, formulas and the lexicon have it; without an underscore, which ends it in an atom's name."""

    properties: tuple[int, ...]
    """Of the dates: a state's start and end, a moment's one; or what is dated by its qualifiers (`by_qualifiers`)."""

    lasts: bool
    """It is a state; else it happens in one moment."""

    once: bool
    """A thing has one such moment, whose year the suite relation asks about in the same words: no formula is that
    year alone. Of what lasts False."""

    by_qualifiers: bool = False
    """Its statements say since when, until when or when, and it has an object: an office, a spouse, an award. Others
    may be unlisted, so it is open (semantics.md §2.3)."""

    seated_by: Literal["", "subject", "object"] = ""
    """Which end of its statement is what one may hold at a time, an office or a country; the other end holds it. Empty:
    nobody asks whether others did."""

    begins: "AtomKind | None" = None
    """The term of which it is the start."""

    earliest: bool = False
    """The first of several dates counts, since countries follow one another; else there must be one alone."""

    instead: "AtomKind | None" = None
    """The state that takes its place where the thing has one."""

    paired: bool = False
    """A person would ask about two at once, unlike two births or foundings."""

    throughout: bool = False
    """A person would ask whether it lasted throughout some years; of a life or an existence nobody does."""

    agreed: frozenset[Granularity] = _YEARLY
    """Units to which sources agree on it: a film's day is that of one country, a war's a historian's."""

    margin: int = 0
    """Units by which sources differ about it, so that no answer may turn on them."""

    around: int = 0
    """Units next to its date in which it may have gone on, so that there is no No: of a battle's days one is stated."""

    looser_with_length: bool = False
    """It is dated the more loosely the longer it lasted."""

    anchors: bool = False
    """A well-known one may name the time of an office that it is tied to: "when Harry Truman died"."""

    story_margin: float = 1.0
    """Years from what is compared with in a story (`stories`), in which nothing is asked."""

    @property
    def p(self) -> int:
        """The property of its first statement."""
        return self.properties[0]

    @property
    def dates(self) -> tuple[int, ...]:
        """Properties of the dates of the thing itself that it depends on; none of what is dated by its qualifiers."""
        return () if self.by_qualifiers else self.properties

    def of(self, qid: int) -> str:
        """The name of an item's atom."""
        return f"{self.name}_Q{qid}"


LIFE = AtomKind(name="life", properties=(wd.BIRTH, wd.DEATH), lasts=True, once=False, paired=True, agreed=_MONTHLY)
# Sources differ by two years about when a war or a period began and ended.
RUN = AtomKind(
    name="run", properties=(wd.START, wd.END), lasts=True, once=False, paired=True, throughout=True, margin=2,
    looser_with_length=True,
)  # fmt: skip
EXISTENCE = AtomKind(name="existence", properties=(wd.INCEPTION, wd.DISSOLUTION), lasts=True, once=False)
BIRTH = AtomKind(name="birth", properties=(wd.BIRTH,), lasts=False, once=True, agreed=_DAILY)
DEATH = AtomKind(name="death", properties=(wd.DEATH,), lasts=False, once=True, agreed=_DAILY, anchors=True)
FOUNDING = AtomKind(name="founding", properties=(wd.INCEPTION,), lasts=False, once=True, instead=EXISTENCE)
EVENT = AtomKind(
    name="event", properties=(wd.POINT_IN_TIME,), lasts=False, once=False, instead=RUN, around=1, anchors=True
)
# Whether a film was released when it was first shown, or a year later, sources differ.
PUBLICATION = AtomKind(
    name="publication",
    properties=(wd.PUBLICATION,),
    lasts=False,
    once=True,
    earliest=True,
    margin=1,
    story_margin=2.0,
)
POSITION = AtomKind(
    name="position", properties=(wd.POSITION,), lasts=True, once=False, by_qualifiers=True, throughout=True,
    seated_by="object",
)  # fmt: skip
MARRIAGE = AtomKind(
    name="marriage", properties=(wd.SPOUSE,), lasts=True, once=False, by_qualifiers=True, throughout=True
)
AWARD = AtomKind(name="award", properties=(wd.AWARD,), lasts=False, once=False, by_qualifiers=True, seated_by="object")
STATE_HEAD = AtomKind(
    name="head", properties=(wd.HEAD_OF_STATE,), lasts=True, once=False, by_qualifiers=True, throughout=True,
    seated_by="subject",
)  # fmt: skip
GOVERNMENT_HEAD = AtomKind(
    name="premier", properties=(wd.HEAD_OF_GOVERNMENT,), lasts=True, once=False, by_qualifiers=True, throughout=True,
    seated_by="subject",
)  # fmt: skip
CAPITAL = AtomKind(
    name="capital", properties=(wd.CAPITAL,), lasts=True, once=False, by_qualifiers=True, throughout=True,
    seated_by="subject",
)  # fmt: skip
TAKING_OFFICE = AtomKind(
    name="taking", properties=(wd.POSITION,), lasts=False, once=False, by_qualifiers=True, seated_by="object",
    begins=POSITION,
)  # fmt: skip
ACCESSION = AtomKind(
    name="accession", properties=(wd.HEAD_OF_STATE,), lasts=False, once=False, by_qualifiers=True, seated_by="subject",
    begins=STATE_HEAD,
)  # fmt: skip
INVESTITURE = AtomKind(
    name="investiture", properties=(wd.HEAD_OF_GOVERNMENT,), lasts=False, once=False, by_qualifiers=True,
    seated_by="subject", begins=GOVERNMENT_HEAD,
)  # fmt: skip

KINDS: Mapping[str, AtomKind] = {
    kind.name: kind
    for kind in (
        LIFE, RUN, EXISTENCE, BIRTH, DEATH, FOUNDING, EVENT, PUBLICATION, POSITION, MARRIAGE, AWARD, STATE_HEAD,
        GOVERNMENT_HEAD, CAPITAL, TAKING_OFFICE, ACCESSION, INVESTITURE,
    )
}  # fmt: skip
"""Every kind by its name, a state before what it stands instead of. The order is that of an item's atoms, by which
draws go: a new kind is added at the end."""
