"""Names as answers: linked to things of the snapshot, and how these stand to what is wanted (semantics.md §4.6).

A name that the case knows is right by itself. Everything else is looked up: a form of that name, if nobody else bears
it; what lies above or below; another thing, which is wrong where it is shown to be another. What shows nothing is
unjudged. No embedding is used.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from halluvault_tasks.benchmark.suites.open.fact import WantedNames
from halluvault_tasks.oracles.suites.open_outcome import AnswerStanding, OpenOutcome
from halluvault_tasks.reading.open_answer import cutting, likeness, spelling
from halluvault_tasks.reading.open_answer.known import KnownThings
from halluvault_tasks.reading.open_answer.likeness import NameLikeness


class Snapshot(NamedTuple):
    """What of a snapshot names are judged by.

    Attributes:
        known: its things; asked for only where a reply gives more than the names that its case knows.
        fill: which of some items may fill the slot that is asked for.
        places: whether the slot holds places.
    """

    known: Callable[[], KnownThings]
    fill: Callable[[Iterable[int]], frozenset[int]]
    places: bool = False


class NamedPiece(NamedTuple):
    """One name of a reply.

    Attributes:
        item: number of the wanted item that it is, or is less precise than; -1: none.
        qids: whom it was read as.
    """

    standing: AnswerStanding
    via: str
    item: int = -1
    qids: tuple[int, ...] = ()


def worst(pieces: Iterable[NamedPiece], which: Callable[..., AnswerStanding] = max) -> AnswerStanding:
    """The worst standing of some names, or with `min` the best."""
    return which((piece.standing for piece in pieces), default=AnswerStanding.UNJUDGED)


def names(said: str, question: str, wanted: WantedNames, snapshot: Snapshot) -> OpenOutcome:
    """How the names of a reply stand to those that are wanted.

    Args:
        said: the reply, without the question.
        question: its names are no answer in a sentence.
        wanted: every one of them is.
        snapshot: of the case.
    """
    judge = _Names(question, wanted, snapshot)
    pieces = [piece for line in cutting.lines(said) for piece in judge.line(line, cutting.MOST)]
    return judge.together(pieces)


@dataclass
class _Names:
    question: str
    wanted: WantedNames
    snapshot: Snapshot
    looked_at: int = field(default=0, init=False)

    @cached_property
    def known(self) -> KnownThings:
        return self.snapshot.known()

    @cached_property
    def keys(self) -> list[frozenset[tuple[str, ...]]]:
        """Of each wanted item the keys of its names."""
        return [frozenset(map(likeness.key, one.names)) for one in self.wanted.items]

    @cached_property
    def persons(self) -> bool:
        """Whether people are wanted."""
        return all(self.known.is_person(one.qid) for one in self.wanted.items)

    @cached_property
    def places(self) -> bool:
        """Whether places are, of which one may lie in another."""
        return self.snapshot.places and not self.persons

    # ------------------------------------------------------------------ cutting

    def line(self, text: str, depth: int) -> list[NamedPiece]:
        """The names of a line, or of a part of one."""
        whole = cutting.tidy(cutting.alternatives(text))
        if not whole or depth == 0:
            return []
        name, brackets = cutting.without_brackets(whole)
        if found := next(filter(None, map(self.exact, filter(None, (whole, cutting.turned(whole), name)))), None):
            return [self.called(found, brackets)]
        if found := next(filter(None, map(self.exact, brackets)), None):
            return [self.called(found, (name,))]
        self.looked_at += 1
        if self.looked_at > self.most:
            return [NamedPiece(AnswerStanding.WRONG, "by number")]
        known = bool(self.known.bearers(name))
        parts = [] if known else cutting.listed(name)
        return self.each(parts, depth) if len(parts) > 1 else self.unlisted(name, known, depth)

    def called(self, found: NamedPiece, others: Iterable[str]) -> NamedPiece:
        """A right name beside what is said to be another name of the same: that must be nobody else's."""
        for name in others:
            piece = self.linked(name) if not cutting.is_prose(name) else None
            if piece and piece.qids and self.is_rival(piece):
                return NamedPiece(AnswerStanding.UNJUDGED, "another's name as its own", qids=piece.qids)
        return found

    def each(self, parts: Sequence[str], depth: int) -> list[NamedPiece]:
        """The names of several parts."""
        return [piece for part in parts for piece in self.line(part, depth - 1)]

    def unlisted(self, name: str, known: bool, depth: int) -> list[NamedPiece]:
        """The names of a text that is no list by semicolons and the like.

        Args:
            name: the text.
            known: whether somebody or something is called so.
            depth: how often it may still be parted.
        """
        head, *beside = cutting.by_commas(name)
        prose = not known and self.is_prose(name)
        if prose and (self.is_prose(head) or self.is_asked(head) or self.mentioned(name)):
            return self.sentence(name)
        if (found := self.in_one(name, known, prose)) is not None:
            return [found]
        if head and head != name:
            return self.beside(self.line(head, depth - 1), beside, depth - 1)
        parts = cutting.joined(name)
        return self.each(parts, depth) if len(parts) > 1 else [self.unlinked(name)]

    def in_one(self, name: str, whole_known: bool, prose: bool) -> NamedPiece | None:
        """A text as one name, where it is no sentence and no list."""
        if prose or (self.persons and not whole_known and len(cutting.joined(name)) > 1):
            return None
        turned = cutting.turned(name)
        if turned and " " in name.partition(",")[0]:  # two names: "Spielberg, Steven" is one
            turned = ""
        if "," in name and not whole_known:
            return self.linked(turned) if turned else None
        return self.linked(name)

    def is_asked(self, name: str) -> bool:
        """Whether a name stands in the question: to say it answers nothing, unless it is one of those offered."""
        return set(spelling.words(name)) <= self.asked

    @cached_property
    def asked(self) -> set[str]:
        """Words of the question."""
        return cutting.asked_words(self.question)

    def is_prose(self, text: str) -> bool:
        """Whether a text is a sentence; where names of what is wanted are common nouns, small letters tell nothing."""
        common = any(own.islower() for one in self.wanted.items for own in one.names[:1])
        return cutting.is_prose(text) and not common

    @property
    def most(self) -> int:
        return cutting.MOST + 2 * len(self.wanted.items)

    def beside(self, head: list[NamedPiece], others: Sequence[str], depth: int) -> list[NamedPiece]:
        """A name and what stands behind it after commas: more names, or where the place lies."""
        if self.persons or len(self.wanted.items) > 1:
            return [*head, *self.each(others, depth + 1)]
        found = list(head)
        for other in others:
            if pieces := self.line(other, depth):
                found = self.placed_in(found, pieces)
        return found

    def placed_in(self, found: list[NamedPiece], pieces: list[NamedPiece]) -> list[NamedPiece]:
        """What a name amounts to together with what stands behind it."""
        mine, theirs = (worst(each) for each in (found, pieces))
        if theirs is AnswerStanding.LESS_PRECISE:  # "Turin, Italy"
            return found
        if not self.places and theirs is not AnswerStanding.RIGHT and all(map(self.is_elsewhere, pieces)):
            return found  # "Politecnico di Torino, Turin"
        if mine is AnswerStanding.UNJUDGED and theirs in (AnswerStanding.RIGHT, AnswerStanding.WRONG):
            return pieces  # "Lingotto, Turin": what nobody knows lies where it is said to lie
        told_apart = self.borne_by_others(found)
        if mine is AnswerStanding.RIGHT and theirs is AnswerStanding.WRONG and not self.placed(found):
            return [
                *found,
                *([NamedPiece(AnswerStanding.UNJUDGED, "where it lies is not known")] if told_apart else []),
            ]
        return [*found, *pieces] if told_apart or theirs is not AnswerStanding.UNJUDGED else found

    def is_elsewhere(self, piece: NamedPiece) -> bool:
        """Whether a name behind a comma is a place's, where no place is wanted."""
        return any(map(self.known.is_place, piece.qids))

    def placed(self, pieces: Sequence[NamedPiece]) -> bool:
        """Whether it is known up to a country where right names lie."""
        of = self.known.containment.place_of
        return all(of(qid).country > 0 and of(qid).whole for piece in pieces for qid in piece.qids)

    def borne_by_others(self, pieces: Sequence[NamedPiece]) -> bool:
        """Whether a right name is another thing's, too, so that what stands behind it tells them apart."""
        return any(set(self.known.bearers(name)) - {one.qid} for piece in pieces if piece.item >= 0
                   for one in (self.wanted.items[piece.item],) for name in one.names)  # fmt: skip

    def sentence(self, text: str) -> list[NamedPiece]:
        """The name that a sentence gives."""
        if cutting.denies(text):
            return [NamedPiece(AnswerStanding.UNJUDGED, "a sentence that denies something")]
        inside = self.mentioned(text)
        found = self.given_in(text, inside)
        right = [*inside, *(piece for piece in found if piece.standing is AnswerStanding.RIGHT)]
        if right and not any(map(self.is_rival, found)):
            return right
        # "In Stuttgart, Germany"
        within = [piece for piece in found if piece.standing is not AnswerStanding.LESS_PRECISE] or found
        if within and not right and (len(within) == 1 or worst(within, min) is AnswerStanding.WRONG):
            return within
        why = "several names in a sentence" if found or right else "no name in a sentence"
        return [NamedPiece(AnswerStanding.UNJUDGED, why)]

    def given_in(self, text: str, inside: Sequence[NamedPiece]) -> list[NamedPiece]:
        """The names of a sentence that are no part of wanted ones in it."""
        # Where all names are the question's, it is one of those that the question offers.
        asked = self.asked if any(cutting.names_in(text, self.asked)) else set()
        named = (name for name in cutting.names_in(text, asked) if not self.is_part(name, inside))
        return [self.linked(name) or self.unlinked(name) for name in islice(named, cutting.MOST)]

    def mentioned(self, text: str) -> list[NamedPiece]:
        """Wanted items of which a name stands in a text."""
        words = f" {' '.join(spelling.words(text))} "
        return [
            NamedPiece(AnswerStanding.RIGHT, "in a sentence", at, (one.qid,))
            for at, one in enumerate(self.wanted.items)
            if any(len(name) >= 3 and f" {' '.join(spelling.words(name))} " in words for name in one.names)
        ]

    def is_part(self, name: str, inside: Sequence[NamedPiece]) -> bool:
        """Whether a name in a sentence is what was found there, or a word of it."""
        words = set(likeness.key(name))
        return any(words <= set(own) or set(own) <= words for piece in inside for own in self.keys[piece.item])

    def is_rival(self, piece: NamedPiece) -> bool:
        """Whether a name is wrong beside a right one, and not somebody's film or country."""
        if piece.standing is not AnswerStanding.WRONG or not piece.qids:
            return piece.standing is AnswerStanding.WRONG
        kinds = self.known.containment.types
        wanted = frozenset[int]().union(*(kinds.get(one.qid, frozenset()) for one in self.wanted.items))
        return any(not wanted.isdisjoint(kinds.get(qid, wanted)) for qid in piece.qids)

    # ------------------------------------------------------------------ linking

    def exact(self, name: str) -> NamedPiece | None:
        """The wanted item whose label or alias a name is, letter case, marks and articles aside."""
        words = likeness.key(name)
        for at, keys in enumerate(self.keys):
            if words in keys:
                return NamedPiece(AnswerStanding.RIGHT, "name", at, (self.wanted.items[at].qid,))
        return None

    def linked(self, name: str) -> NamedPiece | None:
        """A name as a form of a wanted one's, or as a thing that the snapshot knows; None: it is neither."""
        if len(likeness.key(name)) > cutting.LONGEST:
            return NamedPiece(AnswerStanding.UNJUDGED, "no name is so long")
        alike, at = self.likest(name)
        others = tuple(qid for qid in self.known.bearers(name) if qid not in self.qids)
        if alike is NameLikeness.SAME:
            return self.right("name", at)
        if (short := self.short_of(name, others)) is not None:
            return self.right("short form", short)
        if alike in (NameLikeness.FORM, NameLikeness.SPELT):
            if not others:
                return self.right("form" if alike is NameLikeness.FORM else "spelling", at)
            if not self.says_more(name, at):
                return NamedPiece(AnswerStanding.UNJUDGED, "another bears that name", qids=others)
        if alike is NameLikeness.SURNAME:
            return self.by_surname(name, at)
        return self.other(name, others, alike) if others else None

    def short_of(self, name: str, others: Sequence[int]) -> int | None:
        """The wanted item that a name is the usual short form of; None: of none.

        A ruler is called without the realm, "Henry VIII", and a thing without what the question says that it is: of an
        observatory, "Palomar"; not so a town that shares its name with another place.
        """
        said = likeness.bare(name)
        asked = self.asked | likeness.PARTICLES
        elliptic = not self.persons and not (self.places and others)
        for at, one in enumerate(self.wanted.items):
            if self.persons and any(said == likeness.without_realm(own) for own in one.names):
                return at
            if elliptic and any(set(said) < set(whole) <= asked | set(said) for whole in self.keys[at]):
                return at
        return None

    @cached_property
    def qids(self) -> frozenset[int]:
        return frozenset(one.qid for one in self.wanted.items)

    def right(self, via: str, at: int) -> NamedPiece:
        return NamedPiece(AnswerStanding.RIGHT, via, at, (self.wanted.items[at].qid,))

    def likest(self, name: str) -> tuple[NameLikeness, int]:
        """How like a name is to the wanted one that it is likest to, and which that is."""
        return max(
            (
                (likeness.like(name, own, self.persons, self.known.common, self.known.synonyms), -at)
                for at, one in enumerate(self.wanted.items)
                for own in one.names
            )
        )  # fmt: skip

    def says_more(self, name: str, at: int) -> bool:
        """Whether a name holds a word, no initial, that no name of the wanted item does: in full it is another's."""
        said = {word for word in spelling.words(name) if len(word) > 1}
        return all(said - set(spelling.words(own)) for own in self.wanted.items[at].names)

    def by_surname(self, name: str, at: int) -> NamedPiece:
        """A surname alone is right if, of those who may fill the slot, one bears it."""
        last = likeness.key(name)[-1]
        rivals = set(self.known.of_surname.get(last, ())) - {self.wanted.items[at].qid}
        if rivals and (rivals := set(self.snapshot.fill(rivals))):
            return NamedPiece(AnswerStanding.UNJUDGED, "a surname of several", qids=tuple(sorted(rivals)))
        return self.right("surname", at)

    def other(self, name: str, others: tuple[int, ...], alike: NameLikeness) -> NamedPiece:
        """A name of another thing, or of several: what lies above or below is no contradiction."""
        above, below, near, apart = False, -1, False, True
        for at, one in enumerate(self.wanted.items):
            for qid in others:
                above = above or self.holds(qid, one.qid)
                below = at if self.holds(one.qid, qid) else below
                near = near or self.known.containment.related(one.qid, qid)
            apart = apart and any(self.different(one.qid, qid, alike) for qid in others)
        apart = apart and not near
        if near and self.is_asked(name):
            return NamedPiece(AnswerStanding.UNJUDGED, "what the question names", qids=others)
        if below >= 0:
            return NamedPiece(AnswerStanding.RIGHT, "lies within", below, others)
        if above:
            return NamedPiece(AnswerStanding.LESS_PRECISE, "lies around", 0, others)
        return NamedPiece(
            AnswerStanding.WRONG if apart else AnswerStanding.UNJUDGED,
            "another" if apart else "may be the same",
            qids=others,
        )

    def holds(self, upper: int, lower: int) -> bool:
        """Whether whoever says the lower thing has said the upper one: a place's country, a class."""
        if self.known.is_kind_of(lower, upper):  # a city, of Turin
            return False
        return (self.places and upper in self.known.containment.above(lower)) or self.known.is_class_above(lower, upper)

    def different(self, wanted: int, other: int, alike: NameLikeness) -> bool:
        """Whether two known things are shown to be two, of which one is wrong where the other is right."""
        if alike is NameLikeness.PART:
            return False
        if alike is NameLikeness.LONGER:
            return self.persons and self.known.is_person(other)
        if self.places:
            return self.known.lie_apart(wanted, other)
        return True

    def unlinked(self, name: str) -> NamedPiece:
        """A name that nobody in the snapshot bears: wrong where a person of another name is wanted."""
        alike, _ = self.likest(name)
        written = name[:1].isupper() and not spelling.foreign(name) and len(likeness.key(name)) > 1
        called = alike is NameLikeness.OTHER or all(likeness.is_full(one.names[0]) for one in self.wanted.items)
        if self.persons and alike <= NameLikeness.OTHER and written and called and not cutting.is_prose(name):
            return NamedPiece(AnswerStanding.WRONG, "another name")
        return NamedPiece(AnswerStanding.UNJUDGED, "linked to nothing")

    # ------------------------------------------------------------------ together

    def together(self, pieces: Sequence[NamedPiece]) -> OpenOutcome:
        """What all names of a reply amount to: one wrong among right ones is wrong."""
        qids = tuple(dict.fromkeys(qid for piece in pieces for qid in piece.qids))
        if not pieces:
            return OpenOutcome(AnswerStanding.UNJUDGED, None, "no name")
        worst = max(pieces, key=lambda piece: piece.standing)
        given = {piece.item for piece in pieces if piece.standing is AnswerStanding.RIGHT}
        if worst.standing is AnswerStanding.WRONG:
            return OpenOutcome(AnswerStanding.WRONG, qids, "by number" if given else worst.via)
        if worst.standing is AnswerStanding.UNJUDGED:
            return OpenOutcome(AnswerStanding.UNJUDGED, qids, worst.via)
        if len(given) == len(self.wanted.items):
            return OpenOutcome(
                AnswerStanding.RIGHT, qids, next(one.via for one in pieces if one.standing is AnswerStanding.RIGHT)
            )
        if len(self.wanted.items) == 1:
            return OpenOutcome(AnswerStanding.LESS_PRECISE, qids, worst.via)
        left_open = worst.standing is AnswerStanding.LESS_PRECISE
        return OpenOutcome(AnswerStanding.UNJUDGED if left_open else AnswerStanding.WRONG, qids, "incomplete")
