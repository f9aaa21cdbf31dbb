"""Claims of one parsed sentence: paths that wordings have, nouns that say what something is, places within places."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from halluvault_tasks.reading.mentions import Mention
from halluvault_tasks.reading.names import UNTYPED
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.cleft import copula
from halluvault_tasks.reading.syntax.graph import Edge
from halluvault_tasks.reading.syntax.paths import Path, down, same, up, ups
from halluvault_tasks.reading.syntax.polarity import CLAUSES, denied, excluded, opposed
from halluvault_tasks.reading.syntax.predicates import NUMBER, TIME, Book, Kinds, Node, Pattern
from halluvault_tasks.reading.syntax.sentence import Sentenced
from halluvault_tasks.reading.syntax.sharing import THEME
from halluvault_tasks.reading.syntax.unsaid import bounds, has_nearer
from halluvault_tasks.wikidata.relation import Predicate, ordering

_LOCATED = frozenset(["place", "building", "school", "body", "organisation", "team", "party", "country"])


class Matched(NamedTuple):
    """Two ends joined by words that state a property.

    Attributes:
        p: what is stated.
        subject: number of a mention of the sentence.
        object: number of another.
        path: what joins them.
        negative: it is denied.
        rank: how well the ends' kinds fit: of several properties the best count.
        words: lemmas beside the path that it rests on.
    """

    p: Predicate
    subject: int
    object: int
    path: Path
    negative: bool
    rank: int
    words: frozenset[str] = frozenset()


class AskedRelations(NamedTuple):
    """What is asked: a question's relations may join its own things, of whatever kinds these are.

    Attributes:
        properties: and other relations.
        entities: items.
    """

    properties: frozenset[Predicate] = frozenset()
    entities: frozenset[int] = frozenset()

    def joins(self, p: Predicate, *ends: Mention) -> bool:
        """Whether a relation between these ends is what the question and its proof speak of."""
        return p in self.properties and all(
            one.kind in ("date", "number") or not self.entities.isdisjoint(one.qids) for one in ends
        )


class Matcher:
    """Matches sentences against compiled wordings.

    Args:
        book: the wordings.
    """

    def __init__(self, book: Book) -> None:
        self._book = book

    def match(self, said: Sentenced, about: AskedRelations = AskedRelations()) -> list[Matched]:
        """What a sentence states, in order of its subjects."""
        found = [
            *self._paths(said, about),
            *self._classes(said),
            *self._nationalities(said),
            *self._within(said),
            *_brackets(said),
        ]
        if any(word.text.casefold() == "but" for word in said.graph.parse):
            found = [one for each in found for one in _affirmed(said, each)]
        return _best(self._turned(said, one) for one in found)

    def _turned(self, said: Sentenced, one: Matched) -> Matched:
        """Of a relation that holds both ways the end that is spoken of first is the subject."""
        first, second = (said.mentions[end].span for end in (one.subject, one.object))
        if one.p in self._book.symmetric and second < first:
            return one._replace(subject=one.object, object=one.subject)
        return one

    # ------------------------------------------------------------------ wordings

    def _paths(self, said: Sentenced, about: AskedRelations) -> Iterator[Matched]:
        graph = said.graph
        for number, word in enumerate(said.words):
            mention = said.mentions[number]
            if word < 0 or mention.kind in ("date", "number", "demonym"):
                continue
            for alias in same(graph, word):
                for edge in graph.predicates[alias.word]:
                    for step in ups(graph, edge.role, edge.word):
                        if node := self._book.root.steps.get(step):
                            path = Path((step,), (edge.word,), (*alias.via, edge.via))
                            yield from self._walk(said, about, number, node, path)

    def _walk(self, said: Sentenced, about: AskedRelations, subject: int, node: Node, path: Path) -> Iterator[Matched]:
        graph = said.graph
        top = path.predicates[-1]
        for edge in graph.arguments[top]:
            yield from self._ended(said, about, subject, node, path, edge)
            deeper = node.steps.get(down(graph, edge.role, edge.word))
            if deeper and edge.word not in path.predicates:
                yield from self._walk(said, about, subject, deeper, path.onto(edge.role, edge.word, edge.via))
        for edge in graph.predicates[top]:
            higher = node.steps.get(up(graph, edge.role, edge.word))
            if higher and edge.word not in path.predicates:
                yield from self._walk(said, about, subject, higher, path.onto(edge.role, edge.word, edge.via))

    def _ended(
        self, said: Sentenced, about: AskedRelations, subject: int, node: Node, path: Path, edge: Edge
    ) -> Iterator[Matched]:
        """What a path states that comes down by an argument of its last predicate."""
        things = node.steps[edge.role].ends if edge.role in node.steps else []
        steps = (TIME.get(edge.role, ""),)
        # "not founded until 1939"
        late = edge.role in ("until", "till") and denied(said.graph, path.ended(edge.role, edge.via))
        dates = [
            one for step in (("@", "@from") if late else steps) if step in node.steps for one in node.steps[step].ends
        ]
        for number, via in said.named.get(edge.word, ()) if things or dates else ():
            if number == subject or said.words[number] in path.predicates:
                continue
            if {*via, *path.via} & {*path.predicates}:  # "the films include Jaws" includes no film in a film
                continue
            whole = path.ended(edge.role, edge.via, *via)
            for pattern in dates if said.mentions[number].kind == "date" else things:
                for one in self._matched(said, about, subject, number, pattern, whole):
                    yield one._replace(negative=one.negative != late)

    def _matched(
        self, said: Sentenced, about: AskedRelations, subject: int, other: int, pattern: Pattern, path: Path
    ) -> Iterator[Matched]:
        rank = _rank(pattern, said.mentions[subject], said.mentions[other], about)
        if rank < _WORST or _dates_else(said, pattern, path, said.words[other]):
            return
        if pattern.words and not pattern.words <= self._around(said, path):
            return
        negative = denied(said.graph, path, pattern.words) != pattern.negative
        parse = said.graph.parse
        above = {parse[one].head for one in path.predicates if parse[one].dep in _ON_NOUNS}
        clauses = {one for one in above if copula(said.graph, one) < 0}
        ends = {said.words[subject], said.words[other]} - clauses  # "not Bob, who was born in 1968"
        if any(excluded(said.graph, end) for end in ends):
            negative = True
        yield Matched(pattern.p, subject, other, path, negative, rank + bool(pattern.words), pattern.words)

    def _around(self, said: Sentenced, path: Path) -> set[str]:
        """Lemmas of the clauses that a path runs through, and of what governs them."""
        graph = said.graph
        found = {graph.lemmas[one] for top in path.predicates for one in graph.subtree(top, CLAUSES)}
        for index in path.predicates:
            adjectives = (one for one in graph.children[index] if graph.parse[one].pos == "ADJ")  # "aged 80"
            found.update(graph.lemmas[one] for one in adjectives)
            while graph.parse[index].head != index:
                index = graph.parse[index].head
                found.add(graph.lemmas[index])
        return found

    # ------------------------------------------------------------------ nouns and adjectives

    @rule("claims.class", "Ann Lee is an [actor|occupation].", otherwise=())
    def _classes(self, said: Sentenced) -> Iterator[Matched]:
        """ "X is an actor", "the actor X", "X works as an actor": the object's kind says which property it is."""
        for number, word in enumerate(said.words):
            mention = said.mentions[number]
            if mention.kind != "entity" or word < 0:
                continue
            for pid, (subject, other) in self._book.is_a.items():
                if other.any & mention.kinds and not other.none & mention.kinds:
                    for holder, edge in _holders(said, word):
                        if holder != number and (rank := _fit(subject, said.mentions[holder])) >= 1:
                            path = Path((), (word,), (edge.via,))
                            yield Matched(pid, holder, number, path, denied(said.graph, path), rank + 2)

    @rule("claims.nationality", "Ann Lee is a Japanese dancer.", otherwise=())
    def _nationalities(self, said: Sentenced) -> Iterator[Matched]:
        """ "a Japanese actor", "X is Japanese": of people, works and organisations each its own property."""
        graph = said.graph
        for number, word in enumerate(said.words):
            if said.mentions[number].kind != "demonym" or word < 0:
                continue
            for noun in [word, *(edge.word for edge in graph.predicates[word] if edge.role == "mod")]:
                holders = list(_holders(said, noun))
                people = [one for one in holders if "human" in said.mentions[one[0]].kinds]
                for holder, edge in people or holders:
                    kinds = said.mentions[holder].kinds
                    p = 27 if "human" in kinds else 495 if kinds & _WORKS else 17 if kinds & _LOCATED else 0
                    if p and holder != number:
                        path = Path((), (noun,), (edge.via,))
                        yield Matched(p, holder, number, path, denied(graph, path), 4)

    @rule("claims.within", "Ann Lee was born in [Leeds|place], [Yorkshire|place].", otherwise=())
    def _within(self, said: Sentenced) -> Iterator[Matched]:
        """ "Paris, France", "Eton College in Windsor", "Paris is in France": what lies in places lies in this one."""
        for one, other in said.masked.neighbours():
            if _is_apposed(said, one, other):
                yield _located(one, other, said.mentions[other], Path((), (said.words[other],), (-1,)), False)
        for number, word in enumerate(said.words):
            for edge in said.graph.predicates[word] if word >= 0 and "place" in said.mentions[number].kinds else ():
                if edge.role in ("in", "within") and said.graph.lemmas[edge.word] in _LIE:
                    path = Path((), (edge.word,), (edge.via,))
                    for holder in _lying(said, edge.word, number):
                        yield _located(holder, number, said.mentions[number], path, denied(said.graph, path))


_LIE = ("be", "lie", "locate", "situate")


def _is_apposed(said: Sentenced, one: int, other: int) -> bool:
    """Whether a place stands behind what lies there: "Eton College in Windsor", "Paris, France"."""
    text, a, b = said.masked.text, said.mentions[one], said.mentions[other]
    first, second = said.masked.spans[one], said.masked.spans[other]
    lies = a.kinds & _LOCATED and "human" not in a.kinds and "place" in b.kinds and a.kind == b.kind == "entity"
    if not lies or a.qids == b.qids or not text[first.start].isupper():
        return False
    between = text[first.end : second.start]
    if between != ", ":
        return between in (" in ", " in the ")
    behind = text[second.end :].lstrip(", ")
    after = len(text) - len(behind) + behind.find(" ") + 1
    ends = not behind[:1].isupper()  # "Jesus College, Oxford, where"; but "Harvard, Oxford, Yale"
    lists = behind.startswith(("and ", "or ")) and any(span.start == after for span in said.masked.spans)
    return ("place" in a.kinds or ("school" in a.kinds and ends)) and not lists


def _lying(said: Sentenced, verb: int, place: int) -> Iterator[int]:
    """Mentions of what a verb of lying is said of."""
    for edge in said.graph.arguments[verb]:
        for holder, _ in said.named.get(edge.word, ()) if edge.role in ("subj", "obj") else ():
            if said.mentions[holder].kinds & _LOCATED and holder != place:
                yield holder


_WORKS = frozenset(["screen", "book", "recording", "creation", "work"])
_WORDS = frozenset(["occupation", "position", "genre"])
"""Kinds of what is said of things rather than a thing: no end of a property that does not ask for it."""

_ON_NOUNS = ("relcl", "acl")

_LIFE = 20 * 365
"""Days that hardly any term of office in brackets has, and most lives."""

_WORST, _BEST = 2, 4
"""Rank below which kinds do not fit, since both ends must at least be possible, and of ends that both do."""


def _affirmed(said: Sentenced, one: Matched) -> Iterator[Matched]:
    """What "but" sets against a denied end is so: "it did not begin in 1971 but in 1973"."""
    against = {opposed(said.graph, one.path, said.words[end]) for end in (one.subject, one.object)}
    if True in against and denied(said.graph, one.path, one.words):
        yield one._replace(negative=not one.negative)
    elif None not in against or True in against:
        yield one


def _rank(pattern: Pattern, first: Mention, second: Mention, about: AskedRelations) -> int:
    """How well the kinds of two ends fit a property; below `_WORST` where they do not."""
    if (second.kind == "demonym" and pattern.p not in (27, 19)) or pattern.dated != (second.kind == "date"):
        return _WORST - 1
    if first.qids == second.qids != ():
        return _WORST - 1
    rank = _fit(pattern.subject, first) + (1 if pattern.dated else _fit(pattern.object, second))
    # "her birthplace of England" reads both ways: no question makes a place the one who was born
    turned = _fit(pattern.subject, second) + _fit(pattern.object, first) >= _BEST
    if about.joins(pattern.p, first, second) and not (turned and rank < _WORST):
        return 3 if pattern.dated else _BEST
    return rank


def _dates_else(said: Sentenced, pattern: Pattern, path: Path, date: int) -> bool:
    """Whether a date is not that of what is said: "lived through 1929", "born in 1961 at the latest"."""
    if pattern.p == 570 and path.steps[-1] == "through":
        return True
    if pattern.dated and (bounds(said.graph, path) or ("human" in pattern.subject.any and _dates_more(said, path))):
        return True
    return any(has_nearer(said.graph, one, date) for one in path.predicates)


def _fit(kinds: Kinds, mention: Mention) -> int:
    """2: of a kind that is asked for; 1: nothing is asked for, or nothing is known of a name; -9: of another kind."""
    if mention.kind == "name":
        return 1
    if mention.kind == "number":
        return 2 if NUMBER in kinds.any else -9
    if UNTYPED in mention.kinds:
        return 1
    if not kinds.fit(mention.kinds) or (not kinds.any and mention.kinds & _WORDS):
        return -9
    return 2 if kinds.any else 1


@rule("claims.shared_date", "", otherwise=False)
def _dates_more(said: Sentenced, path: Path) -> bool:
    """ "She lived in Paris until 1950" dates her stay, and not her life; but "she was not born until 1950"."""
    if path.steps[-1] in ("until", "till") and denied(said.graph, path):
        return False
    others = (one for one in said.graph.arguments[path.predicates[-1]] if one.role not in ("subj", THEME))
    return TIME.get(path.steps[-1], "@") != "@" and any(said.graph.parse[one.word].pos != "NUM" for one in others)


def _holders(said: Sentenced, noun: int) -> Iterator[tuple[int, Edge]]:
    """Mentions that a noun is said to be."""
    for edge in said.graph.arguments[noun]:
        if edge.role == "self":
            for holder, _ in said.named.get(edge.word, ()):
                yield holder, edge


def _located(one: int, other: int, place: Mention, path: Path, negative: bool) -> Matched:
    p = 30 if "continent" in place.kinds else 17 if "country" in place.kinds else 131
    return Matched(p, one, other, path, negative, 4)


@rule("claims.bracket", "Ann Lee (1892-1973) was a dancer.", otherwise=())
def _brackets(said: Sentenced) -> Iterator[Matched]:
    """ "Hamlet (1603)", "Tolkien (1892-1973)", "Tolkien (3 January 1892 – 2 September 1973)"."""
    text, mentions = said.sentence.text, said.masked.mentions
    for number, date in enumerate(mentions):
        head, opened, inside = text[: date.span.start].rpartition("(")
        if date.kind != "date" or not opened or inside:
            continue
        last = number + (text[date.span.end :].lstrip()[:1] in ("-", "–", "—") and number + 1 < len(mentions))
        until = mentions[last].days if last > number else date.quantity and date.quantity.until
        lived = until and date.days and until.earliest - date.days.earliest > _LIFE
        for one, bearer in enumerate(mentions):
            path = Path((), (max(said.words[one], 0),), (-1,))
            if bearer.span.end != len(head.rstrip(' "”')) or text[mentions[last].span.end :][:1] != ")":
                continue
            if bearer.kinds & _WORKS and last == number:
                yield Matched(577, one, number, path, False, 4)
            elif "human" in bearer.kinds and lived:
                yield Matched(569, one, number, path, False, 4)
                yield Matched(570, one, last, path, False, 4)


def _best(found: Iterable[Matched]) -> list[Matched]:
    """Of several properties that the same words may mean between the same ends those whose kinds fit best."""
    kept: dict[tuple[object, ...], dict[Predicate, Matched]] = {}
    for one in found:
        words = kept.setdefault((frozenset((one.subject, one.object)), one.negative, one.path.predicates), {})
        if one.p not in words or words[one.p].rank < one.rank:
            words[one.p] = one
    chosen: dict[tuple[object, ...], Matched] = {}
    for several in kept.values():
        best = max(one.rank for one in several.values())
        for one in several.values():
            if one.rank == best:
                chosen.setdefault((one.p, one.subject, one.object, one.negative), one)
    return sorted(chosen.values(), key=lambda one: (ordering(one.p), *one[1:]))
