"""One sentence as the matcher sees it: its graph, with mentions at their words, and pronouns resolved."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from halluvault_tasks.reading.base import TextSpan
from halluvault_tasks.reading.english import wordset
from halluvault_tasks.reading.mentions import ROLES, Masked, Mention
from halluvault_tasks.reading.parser import Parse, Token
from halluvault_tasks.reading.rules import rule
from halluvault_tasks.reading.syntax.described import described
from halluvault_tasks.reading.syntax.graph import Graph
from halluvault_tasks.reading.syntax.memory import DiscourseMemory
from halluvault_tasks.reading.syntax.paths import same
from halluvault_tasks.reading.syntax.predicates import TIME, Kinds
from halluvault_tasks.reading.syntax.sharing import EVENTS
from halluvault_tasks.reading.text import Sentence

PROFESSIONAL = "professional"
"""Stands in wordings for the name of any occupation or position: "a professional at Harvard"."""

_WHERE = frozenset(["place", "country", "building", "school", "organisation", "body"])
_SETTLEMENTS = wordset("town city village state province county island country republic kingdom district region")
_TITLED = frozenset(["screen", "book", "recording", "creation", "work", "musical_group", "body", "organisation"])
_EMPLOYERS = Kinds.of(["body", "organisation", "school", "musical_group", "!team", "!party"])
_TITLES = wordset("film series album novel show franchise band magazine saga game")
_POSSESSIVES = {"he": "his", "she": "her"}
_VERBAL = ("VERB", "AUX")
_FORMS_OF_ADDRESS = wordset(
    "mr mrs ms dr sir lady lord dame president king queen prince princess senator saint st pope professor emperor"
)


def is_name(word: Token) -> bool:
    """Whether a word is written like a name: a capital, and more than an initial or a title."""
    bare = word.text.rstrip(".")
    proper = word.tag in ("NNP", "NNPS") and bare[:1].isupper() and len(bare) > 1
    return proper and bare.casefold() not in _FORMS_OF_ADDRESS


def _is_other(word: Token, name: Collection[str]) -> bool:
    """Whether a word before a surname is none of the person's: no form of address, and neither initial nor part."""
    bare = word.text.rstrip(".")
    if len(bare) == 1:
        return not any(part.startswith(bare) for part in name)
    return (is_name(word) or word.pos == "ADJ") and bare not in name


def _is_apart(graph: Graph, above: int) -> bool:
    """Whether a date that hangs on a word dates nothing beyond it: behind "of" and "as", and of a state of its own."""
    word, before = graph.parse[above], graph.parse[above - 1].text
    if word.lemma in EVENTS:
        return True
    if word.pos == "ADP":
        return word.lemma == "of" or (word.text.casefold() not in TIME and (before, word.text) != ("rather", "than"))
    # "so not alive in 2005"
    return word.dep == "poss" or (word.pos == "ADJ" and word.dep not in ("amod", "acomp", "root"))


class Sentenced:
    """A sentence, parsed and linked.

    Attributes:
        graph: predicates and arguments.
        mentions: those that the text names, then those that pronouns stand for.
        words: mention → its word in the graph.
        named: word → mentions that it names or stands for, with the verbs that say so.
        covered: words that a mention covers.
        quoted: words in quotation marks, but for those of a title.
    """

    def __init__(
        self, sentence: Sentence, masked: Masked, parse: Parse, synonyms: Mapping[str, str], memory: DiscourseMemory
    ) -> None:
        self.sentence, self.masked = sentence, masked
        self.graph = Graph(parse, synonyms)
        self.mentions = list(masked.mentions)
        self.words: list[int] = []
        self.covered: set[int] = set()
        for span in masked.spans:
            inside = [index for index, word in enumerate(parse) if word.start < span.end and word.end > span.start]
            self.covered.update(inside)
            self.words.append(self._head(parse, inside))
        self._lengthen(parse)
        for mention, word in zip(self.mentions, self.words, strict=True):
            if word >= 0 and mention.kinds & ROLES:
                self.graph.classes[word] = PROFESSIONAL
                self._restore(word, mention, synonyms)
        self._apposed()
        self._pronouns(parse, memory)
        self._described(memory)
        self._unknown_names(parse)
        self._lift_dates()
        self.named: dict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for number, word in enumerate(self.words):
            for alias in same(self.graph, word) if word >= 0 else ():
                self.named[alias.word].append((number, alias.via))
        self.quoted = self._quoted(parse)
        memory.remember([self.mentions[number] for number in self._by_rank()], self._acting())

    @staticmethod
    def _head(parse: Parse, inside: list[int]) -> int:
        return next((one for one in inside if parse[one].head not in inside or parse[one].head == one), -1)

    def _is_owned(self, index: int) -> bool:
        """ "his wife Anna and his daughter": both are his."""
        nouns = [index, *(edge.word for edge in self.graph.predicates[index] if edge.role == "self")]
        return any(edge.role == "of" for noun in nouns for edge in self.graph.arguments[noun])

    @rule(
        "claims.longer",
        "[Huston|human] met Walter Huston, who was born in 1950.",
        "[Huston|human] was born in 1950.",
        otherwise=None,
    )
    def _lengthen(self, parse: Parse) -> None:
        """A name that is only a part of a longer one means something else: "Huston" of "Walter Huston", "Jaws 2"."""
        dates = {word for word, one in zip(self.words, self.mentions, strict=True) if one.kind == "date"}
        for number, (mention, word) in enumerate(zip(self.mentions, self.words, strict=True)):
            if mention.kind != "entity" or word < 0:
                continue
            written = self._written(mention).split()
            full = "human" in mention.kinds and len(written) > 1 and mention.text.split()[0] in written
            first = word
            while not full and first and self._leads(parse, first - 1, word):
                first -= 1
            behind = parse[word + 1 : word + 2]
            counted = behind and behind[0].dep == "nummod" and behind[0].head == word and word + 1 not in dates
            if counted or any(_is_other(one, mention.text.split()) for one in parse[first:word]):
                end = self.masked.original(behind[0].end) if counted else mention.span.end
                span = TextSpan(min(mention.span.start, self.masked.original(parse[first].start)), end)
                self.mentions[number] = Mention(span, self.sentence.text[span.start : span.end], "name")

    def _leads(self, parse: Parse, index: int, word: int) -> bool:
        """Whether a word of no mention belongs to the name that another ends."""
        before = parse[index]
        proper = before.tag in ("NNP", "NNPS") or (before.pos == "ADJ" and index > 0 and before.text[0].isupper())
        return (
            proper and before.dep in ("compound", "nmod", "amod") and before.head == word and index not in self.covered
        )

    def _written(self, mention: Mention) -> str:
        return self.sentence.text[mention.span.start : mention.span.end]

    def _restore(self, word: int, mention: Mention, synonyms: Mapping[str, str]) -> None:
        """The noun that a stand-in took the place of: "the director of Jaws" says who directed it."""
        written = (self._written(mention).casefold().split() or [""])[-1]
        plural = self.graph.parse[word].tag == "NNS" and written.endswith("s")
        if self.graph.parse[word].text.casefold() != written:
            lemma = written.removesuffix("s") if plural else written
            self.graph.lemmas[word] = synonyms.get(lemma, lemma)

    def _pronouns(self, parse: Parse, memory: DiscourseMemory) -> None:
        before: list[Mention] = []
        spoken = {word: mention for word, mention in zip(self.words, self.mentions, strict=True) if word >= 0}
        for index, word in enumerate(parse):
            if index in spoken and word.dep in ("nsubj", "nsubjpass") and len(spoken[index].qids) == 1:
                before.insert(0, spoken[index])
            if index in self.covered:
                continue
            near = self._possessor(parse, index, spoken) if word.tag == "PRP$" else None
            meant = self._whose(word, memory) or memory.pronoun(word, [near] if near else before)
            if meant := meant or memory.noun(parse, index, self.graph.children[index]):
                self._stand(index, meant)

    def _possessor(self, parse: Parse, index: int, spoken: Mapping[int, Mention]) -> Mention | None:
        """Whom a possessive means by what it is joined to: "Paul and his wife"; but "with Paul and his wife, he"."""
        word = parse[index]
        first = parse[word.head].head
        while parse[first].dep == "appos":  # "Paul, a judge, and his wife"
            first = parse[first].head
        if parse[word.head].dep != "conj" or first not in spoken or self._is_owned(first):
            return None
        again = any(one.dep.startswith("nsubj") and _POSSESSIVES.get(one.text) == word.text for one in parse[index:])
        return None if again else spoken[first]

    def _whose(self, word: Token, memory: DiscourseMemory) -> Mention | None:
        """Whose somebody is whom the question calls by a noun, where nobody was named before: "her father"."""
        start = self.masked.original(word.start)
        if word.tag != "PRP$" or any("human" in one.kinds and one.span.start < start for one in self.mentions):
            return None
        return memory.owner(self.graph.lemmas[word.head])

    def _described(self, memory: DiscourseMemory) -> None:
        named: dict[int, set[int]] = defaultdict(set)
        for mention, word in zip(self.mentions, self.words, strict=True):
            for alias in same(self.graph, word) if word >= 0 and mention.entity else ():
                named[alias.word].add(mention.entity)
        years = {word for word, one in zip(self.words, self.mentions, strict=True) if one.kind == "date"}
        dated = {word for word in years if not memory.asks(self.mentions[self.words.index(word)].text)}
        places = [(self.masked.original(one.start), self.masked.original(one.end)) for one in self.graph.parse]
        written = [self.sentence.text[start:end].casefold() for start, end in places]
        for word, mention in described(self.graph, memory, written, named, dated):
            self._stand(word, mention)

    def _stand(self, index: int, mention: Mention) -> None:
        """Let a word stand for an entity."""
        word = self.graph.parse[index]
        start, end = self.masked.original(word.start), self.masked.original(word.end)
        self.mentions.append(mention._replace(span=TextSpan(start, end)))
        self.words.append(index)
        self.covered.add(index)

    def _unknown_names(self, parse: Parse) -> None:
        """Names of what is not known here: a claim about it stays a claim, but links to nothing."""
        for index, word in enumerate(parse):
            if (
                index in self.covered
                or not is_name(word)
                or (is_name(parse[word.head]) and word.dep in ("compound", "nmod"))
            ):
                continue
            parts = set(self.graph.children[index]) - self.covered  # "New" of "New Haven"
            first = min([index, *(one for one in parts if all(is_name(parse[each]) for each in range(one, index)))])
            start, end = self.masked.original(parse[first].start), self.masked.original(word.end)
            self.mentions.append(Mention(TextSpan(start, end), self.sentence.text[start:end], "name"))
            self.words.append(index)

    @rule(
        "claims.apposed",
        "Ann Lee was born in the town of [Sahuayo|place].",
        "Ann Lee was born in [Sahuayo|place].",
        otherwise=None,
    )
    def _apposed(self) -> None:
        """ "the town of Sahuayo" is Sahuayo, "the Jaws film series" is Jaws, "a Sony engineer" is one for Sony."""
        graph = self.graph
        for mention, word in zip(self.mentions, self.words, strict=True):
            for edge in list(graph.predicates[word]) if word >= 0 else ():
                if edge.role == "mod":
                    self._before_noun(mention, word, edge.word)
                elif edge.role == "of" and "place" in mention.kinds and graph.parse[edge.word].lemma in _SETTLEMENTS:
                    graph.add(edge.word, "self", word)

    def _before_noun(self, mention: Mention, word: int, noun: int) -> None:
        graph = self.graph
        if "position" in mention.kinds:  # but "Vice President Smith" is none
            before = graph.parse[word - 1] if word and word - 1 not in self.covered else graph.parse[noun]
            whole = before.text == "former" or before.dep not in ("compound", "amod", "nmod")
            graph.add(word, "self", noun if whole else -1)
        elif noun in graph.classes and _EMPLOYERS.fit(mention.kinds):
            graph.add(noun, "for", word)
        elif mention.kinds & _TITLED and graph.parse[noun].lemma in _TITLES:
            for each in (noun, *(up.word for up in graph.predicates[noun] if up.role == "mod")):
                graph.add(each, "self", word)

    @rule("claims.lifted", "", otherwise=None)
    def _lift_dates(self) -> None:
        """A date that hangs on a noun may date the clause: parsers cannot tell."""
        graph = self.graph
        kinds = {word: one.kinds for word, one in zip(self.words, self.mentions, strict=True)}
        for mention, word in zip(self.mentions, self.words, strict=True):
            if mention.kind != "date" or word < 0:
                continue
            for edge in list(graph.predicates[word]):
                above = edge.word
                if edge.role in ("of", "self") or (edge.role == "mod" and "human" in kinds.get(edge.word, ())):
                    continue  # "Ann was born in 1971, and in 1968 Bob"
                while graph.parse[above].pos not in _VERBAL and graph.parse[above].head != above:
                    if _is_apart(graph, above):
                        break  # "the director of the 1982 film was born in 1923", "not as late as 1908"
                    joined = graph.parse[above].head if graph.parse[above].dep == "conj" else above
                    if any(not kinds[one] and joined < one < above for one in kinds if one != word):
                        break  # another date, or an unknown name: "his birth in 1901 and his death in 1994"
                    above = graph.parse[above].head
                    graph.add(above, edge.role, word)

    def _quoted(self, parse: Parse) -> set[int]:
        places = {place for quote in self.sentence.quotes for place in range(quote.start, quote.end)}
        return {
            index for index, word in enumerate(parse)
            if index not in self.covered and places and self.masked.original(word.start) in places
        }  # fmt: skip

    def _acting(self) -> Mention | None:
        """The mention that is the first clause's subject."""
        placed = [
            (word, one) for word, one in zip(self.words, self.mentions, strict=True)
            if word >= 0 and self.graph.parse[word].dep in ("nsubj", "nsubjpass")
        ]  # fmt: skip
        return min(placed, key=lambda one: one[0])[1] if placed else None

    def _by_rank(self) -> list[int]:
        """Mentions, grammatical subjects first: what a pronoun of the next sentence most likely means."""
        subjects = {index for index, word in enumerate(self.graph.parse) if word.dep in ("nsubj", "nsubjpass")}
        return sorted(range(len(self.mentions)), key=lambda one: (self.words[one] not in subjects, self.words[one]))
