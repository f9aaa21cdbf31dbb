"""The reader `syntax`: what a response claims, by dependency parse and typed arguments."""

from collections.abc import Iterator, Sequence

from halluvault_tasks.reading.base import Answer, Claim, ClaimTriple, Guard, ReaderInput, Reading, TextSpan
from halluvault_tasks.reading.document import DocumentParser, ResponseDocument
from halluvault_tasks.reading.mentions import Finder, Mention
from halluvault_tasks.reading.names import Names
from halluvault_tasks.reading.parser import PINNED, Parser
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.guards import ClaimGuards
from halluvault_tasks.reading.syntax.match import AskedRelations, Matched, Matcher
from halluvault_tasks.reading.syntax.memory import DiscourseMemory
from halluvault_tasks.reading.syntax.predicates import Book
from halluvault_tasks.reading.syntax.retraction import taken_back, takes_back
from halluvault_tasks.reading.syntax.sentence import Sentenced
from halluvault_tasks.reading.syntax.terms import dates_of
from halluvault_tasks.wikidata.relation import Predicate

MAX_CLAIMS = 200
"""Claims of a response that are kept."""

_PUBLISHED = 577


class SyntaxReader:
    """Reads claims; one for all responses on a snapshot.

    Args:
        names: the snapshot's names.
        book: compiled wordings.
        demonyms: `Japanese` and the entities it means.
        parser: the one that compiled the book.
    """

    name = "syntax"
    parsed_by = PINNED

    def __init__(self, names: Names, book: Book, demonyms: dict[str, tuple[int, ...]], parser: Parser) -> None:
        self._names, self._book = names, book
        self.documents = DocumentParser(parser, Finder(names, demonyms), book.nouns.__contains__)
        self._matcher = Matcher(book)

    @property
    def relations(self) -> frozenset[Predicate]:
        """What it can read."""
        return self._book.relations

    def read(self, batch: Sequence[ReaderInput]) -> list[Reading]:
        """A reading of each response, in their order; answers and steps are other readers' business."""
        return [
            Reading(Answer("unparseable", TextSpan(0, 0)), self.claims(*one), (), one[1].unread, (), one[1])
            for one in zip(batch, self.documents.documents(batch), strict=True)
        ]

    def claims(self, given: ReaderInput, document: ResponseDocument) -> tuple[Claim, ...]:
        """What a response claims.

        Args:
            given: the response.
            document: of it.
        """
        memory = DiscourseMemory(self._names, given, self._book.nouns)
        about = AskedRelations(given.focus, given.context)
        kept: dict[tuple[object, ...], Claim] = {}
        last: list[tuple[object, ...]] = []
        for number, sentence in enumerate(document.sentences):
            for line in sentence.lines if len(kept) < MAX_CLAIMS else ():
                said = Sentenced(line.sentence, line.masked, line.parse, self._book.synonyms, memory)
                if takes_back(line.whole, line.parse, bool(_named(said))):
                    for key in last:
                        kept.pop(key, None)
                last = []
                back = said.masked.original(taken_back(line.parse))
                for claim in self._of(said, number, about):
                    key = claim._replace(span=TextSpan(0, 0), sentence=0)
                    if key not in kept and claim.span.start >= line.sentence.span(back).start:
                        kept[key] = claim
                        last.append(key)
        return tuple(list(kept.values())[:MAX_CLAIMS])

    def _of(self, said: Sentenced, number: int, about: AskedRelations) -> Iterator[Claim]:
        groups: dict[tuple[object, ...], list[Matched]] = {}
        for matched in self._matcher.match(said, about):
            quantity = said.mentions[matched.object].quantity
            own = matched.p if quantity and quantity.until else 0  # each of a span's ends is a claim of its own
            key = (matched.subject, matched.object, matched.negative, matched.path.predicates, own)
            groups.setdefault(key, []).append(matched)
        around = ClaimGuards(said)
        for several in groups.values():
            guards = around.guards(several[0])
            if said.sentence.kind == "quote":
                guards.add("quotation")
            if several[0].p == _PUBLISHED and _in_a_country(said, several[0]):
                guards.add("inexact")  # "released in Japan in 1990" says nothing of the first publication
            yield from self._made(said, number, several, tuple(sorted(guards)))
        if not groups and not said.sentence.asks and (claim := _unread(said, number)):
            yield claim

    def _made(self, said: Sentenced, number: int, several: list[Matched], guards: tuple[Guard, ...]) -> Iterator[Claim]:
        """One claim for what is stated, and one for each date that the clause gives it."""
        first = several[0]
        subject, other = said.mentions[first.subject], said.mentions[first.object]
        triples = tuple(dict.fromkeys(ClaimTriple(one.p, subject.qid, other.qid) for one in several))
        quantity, days = other.quantity, other.days
        if quantity and quantity.until and first.p in (570, 582, 576):
            days = quantity.until
        span = _clause_span(said, first)
        claim = Claim(
            span, number, triples, subject.text, other.text, first.negative, guards, ("syntax",), days,
            other.amount,
        )  # fmt: skip
        yield claim
        if quantity is None and first.p in self._book.terms:
            for which, term in dates_of(said, first):
                yield claim._replace(days=term, which=which)


@rule(
    "doubt.country",
    "[Jaws|screen,work] was released in Japan in 1990.",
    "[Jaws|screen,work] was released in 1990.",
    otherwise=False,
)
def _in_a_country(said: Sentenced, matched: Matched) -> bool:
    """Whether a clause limits what it dates to a country (semantics.md §1.8)."""
    arguments = {edge.word for joint in matched.path.predicates for edge in said.graph.arguments[joint]}
    return any(
        word in arguments and mention.kinds & {"country", "territory"}
        for word, mention in zip(said.words, said.mentions, strict=True)
    )


def _named(said: Sentenced) -> list[Mention]:
    """Whom and what a sentence names, or a pronoun stands for: what is written in lower case is a word, not a name."""
    text = said.sentence.text
    return [
        one for number, one in enumerate(said.mentions)
        if one.kind in ("entity", "name") and (number >= len(said.masked.mentions) or text[one.span.start].isupper())
    ]  # fmt: skip


@rule("claims.unread", "Ann Lee outsang [Bob Fox|human].", otherwise=None)
def _unread(said: Sentenced, number: int) -> Claim | None:
    """A sentence that names two things in words that mean no property known here: it claims something all the same."""
    named = sorted({one.text: one for one in _named(said)}.values(), key=lambda one: one.span)
    if len(named) < 2:
        return None
    first, last = named[0], named[-1]
    span = said.sentence.span()
    return Claim(
        span, number, (ClaimTriple(0, first.qid, last.qid),), first.text, last.text, False, ("inexact",), ("syntax",)
    )


def _clause_span(said: Sentenced, matched: Matched) -> TextSpan:
    """From the first to the last word that the claim rests on, in the response."""
    ends = [said.mentions[matched.subject].span, said.mentions[matched.object].span]
    words = [said.graph.parse[one] for one in matched.path.predicates]
    places = [(said.masked.original(word.start), said.masked.original(word.end)) for word in words] + [
        tuple(end) for end in ends
    ]
    start, end = min(one[0] for one in places), max(one[1] for one in places)
    return said.sentence.span(start, min(max(end, start + 1), len(said.sentence.text)))
