"""Names that identify: when a label may be used in a question, and with which article.

A label identifies an entity only if no other entity of the snapshot, seed or not, shares it as label or alias after
case and diacritic folding (semantics.md §3.4). A shared one is described by the entity's description in apposition,
never by a parenthesis of the label, or the entity is left out and counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.articles import (
    definite,
    head,
    indefinite,
    is_plural,
    names_several,
    of_event,
    of_organisation,
    of_team,
)
from halluvault_tasks.benchmark.wording.descriptions import (
    Words,
    first_trade,
    gist,
    maker,
    plain_trade,
    words_of_people,
    year_made,
)
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.benchmark.wording.name_frequency import (
    LITTLE_KNOWN_MOONS,
    LITTLE_KNOWN_PEOPLE,
    LITTLE_KNOWN_TOWNS,
    Namesakes,
    Renown,
)
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_TOKEN = re.compile(r"[^\W_]+")

_NAMESAKES = 0.1  # as well known, that are to be expected, from which on a name does not say who is meant
_NAMESAKES_OF_A_TRADE = 1.0  # the same of somebody whose trade is told
_TWICE = 0.7  # as a logarithm: twice as many
_BETTER_KNOWN = 2.3  # as a logarithm: ten times as many pages, or statements
_PERSON = 5
_TITLE = re.compile(r"\b[A-Z]\w+ of (?:the )?[A-Z]")
"""Why somebody is not named: "Nelson Mandela, President of South Africa, died in 2013", "Zachary Taylor, the American
general" of "American general, 12th President of the United States"."""
_OF_A_RULER = re.compile(r" of [A-Z]| [IVX]+\b")
"""Who is named by a realm or a number is known for that, not for a trade: no "poet Ludwig I of Bavaria"."""
_JUNIOR = re.compile(r",? (?:jr|sr)\.?$")
_PEER = re.compile(
    r"[^,]+, (?:\d+(?:st|nd|rd|th) )?(?:Baron|Baroness|Viscount|Viscountess|Earl|Countess|Marquess|Marchioness)\b[^,]*"
)
"""A peer, who keeps the title for life."""
_WITH_ARTICLE = ("river", "award", "model")
"""Kinds whose names take "the": the Nile, the Booker Prize, the Ford Model T."""
_OF_A_SORT = ("us_state", "country", "river")
"""Kinds of which what they are stands before the name, rather than a description after it."""
_GENERAL = frozenset({"book", "literary work", "written work", "creative work", "work", "musical work"})


class Facts(NamedTuple):
    """What naming needs to know of one entity.

    Attributes:
        types: what it is an instance of, with all superclasses in the snapshot.
        classes: these, and what it is a subclass of: influenza is no instance of disease, but a disease.
        direct: what it is an instance of, nothing above.
        trade: what a person may be called by: politician; empty: nothing is stated.
        director: the label of the only director that is stated of a work.
        dead: whether somebody's titles do not change any more.
    """

    qid: int
    label: str | None
    description: str | None
    aliases: tuple[str, ...]
    types: frozenset[int]
    classes: frozenset[int]
    direct: frozenset[int] = frozenset()
    trade: str = ""
    director: str = ""
    dead: bool = False


class Named(NamedTuple):
    """How an entity is named in sentences, or why it is not.

    Attributes:
        name: within a sentence, with article or noun; may end in a comma that closes an apposition. Empty: not usable.
        bare: the label alone, for slots that take no article.
        common: the label is a common noun ("violin"), not a proper name.
        mass: a common noun that takes no article ("influenza").
        reason: why `name` is empty: no label, ambiguous …
        described: the description is in apposition, or what stands for it.
        told_by: the property that tells what stands for a description; 0: none does.
        plural: takes a verb in the plural: the 1948 Summer Olympics were.
    """

    name: str
    bare: str
    common: bool = False
    mass: bool = False
    reason: Unasked | None = None
    described: bool = False
    plural: bool = False
    told_by: int = 0

    @property
    def why(self) -> Unasked:
        """Why it is not used: of one that needs a description, that its name alone does not identify."""
        return self.reason or Hindrance.AMBIGUOUS_NAME()


@lru_cache(maxsize=1 << 14)  # names meet each other in many facts
def tokens(text: str) -> frozenset[str]:
    """Folded words of at least three letters or digits."""
    return frozenset(word for word in _TOKEN.findall(fold(text)) if len(word) >= 3)


_STEM = 4  # letters: Greek and Greece, fermium and Fermi


def names_alike(one: str, other: str) -> bool:
    """Whether a word of one text begins as a word of the other does."""
    mine, theirs = ({word[:_STEM] for word in tokens(text)} for text in (one, other))
    return bool(mine & theirs)


class Namer:
    """Names entities of one snapshot.

    Args:
        entities: every entity of the snapshot, seed or not; their names are what a name could be confused with.
        lexicon: nouns of titles, mass classes, and names written by hand.
        fame: how well known they are, as a logarithm; None: nothing is the best known of its name.
    """

    def __init__(
        self,
        entities: Mapping[int, Facts],
        lexicon: Lexicon,
        fame: Mapping[int, float] | None = None,
    ) -> None:
        self._entities = entities
        self._fame = fame or {}
        self._lexicon = lexicon
        self._bearers: dict[str, tuple[int, ...]] = {}  # nearly all of one
        for qid in sorted(entities):
            for name in _distinct(entities[qid]):
                self._bearers[name] = (*self._bearers.get(name, ()), qid)
        self._mass = frozenset(lexicon.mass)
        self._groups = frozenset(lexicon.kinds.get("musical_group", ()))
        self._always = frozenset(klass for kind in _WITH_ARTICLE for klass in lexicon.kinds.get(kind, ()))
        self._teams = frozenset(lexicon.kinds.get("team", ()))
        self._languages = frozenset(lexicon.kinds.get("language", ()))
        self._compounds = frozenset(lexicon.kinds.get("chemical", ()))
        self._organisations = frozenset(lexicon.kinds.get("organisation", ()))
        self._events = frozenset(lexicon.kinds.get("event", ()))
        self._persons = frozenset(lexicon.kinds.get("person", ()))
        self._invented = frozenset(lexicon.kinds.get("invented", ()))
        self._no_works = self._organisations | frozenset(lexicon.kinds.get("software", ()))
        self._places = frozenset(lexicon.kinds.get("territory", ()))
        self._sorted = frozenset(klass for kind in _OF_A_SORT for klass in lexicon.kinds.get(kind, ()))
        self._humans = frozenset(lexicon.kinds.get("human", ()))
        self._films = frozenset(lexicon.kinds.get("film", ()))
        people = [qid for qid, one in entities.items() if one.types & self._humans]
        self._regions = _Regions(entities, lexicon)
        self._moon = frozenset(lexicon.kinds.get("moon", ()))
        moons = [qid for qid, one in entities.items() if one.types & self._moon]
        self._moons = Renown(moons, self._fame, LITTLE_KNOWN_MOONS)
        self._namesakes = Namesakes(entities[qid].label or "" for qid in people)
        self._people = Renown(people, self._fame, LITTLE_KNOWN_PEOPLE)
        firms = [qid for qid, one in entities.items() if one.types & self._organisations]
        self._firms = Renown(firms, self._fame)
        towns = [qid for qid, one in entities.items() if one.types & self._places]
        self._towns, self._cities = Renown(towns, self._fame), Renown(towns, self._fame, LITTLE_KNOWN_TOWNS)
        self._known: dict[int, Named] = {}
        self._last: Words | None = None

    def rivals(self, qid: int) -> list[int]:
        """Other entities that share this one's label as label or alias, ascending."""
        label = self._entities[qid].label
        return [other for other in self._bearers.get(fold(label), ()) if other != qid] if label else []

    def named(self, qid: int) -> Named:
        """How the entity is named; the same each time."""
        if qid not in self._known:
            self._known[qid] = self._name(qid)
        return self._known[qid]

    def beside(self, qid: int) -> Named:
        """The same beside what tells who is meant, a wife, a child, a film of theirs: a person's name alone."""
        named, entity = self.named(qid), self._entities.get(qid)
        alone = named.described and entity is not None and entity.types & self._humans and "," not in named.bare
        return Named(named.bare, named.bare) if alone else named

    def undated(self, qid: int) -> Named:
        """The same without a year, if its maker identifies it: Steven Spielberg's film “Jaws”."""
        named, entity = self.named(qid), self._entities.get(qid)
        told = named.name and not re.search(r"\d{3,4}", named.name)
        if told or not entity or not entity.label or named.reason not in (None, Hindrance.AMBIGUOUS_NAME()):
            return named
        noun, made_by, label = self._noun(entity), maker(entity.description), " ".join(entity.label.split())
        if not noun or not made_by or _unreadable(label, quoted=True) or re.search(r"\d{3,4}", label + made_by):
            return named
        if any(maker(self._entities[other].description) == made_by for other in self.rivals(qid)):
            return _unnamed(label, Hindrance.AMBIGUOUS_NAME())
        return Named(f"{made_by}'s {noun} “{label}”", label)

    def well_known_place(self, qid: int) -> bool:
        """Whether hardly another place of its name could be meant."""
        return not self._cities.little_known(qid)

    def unmistakable(self, qid: int, *, many_alike: bool) -> bool:
        """Whether a place is known by its name alone, or by two words in which no other name ends: Council Bluffs.

        Args:
            qid: the place.
            many_alike: whether towns of its country often share their names, so that English tells them by their state.
        """
        label = fold(self._entities[qid].label or "")
        if " " not in label or not many_alike:
            return not self.named(qid).described and (not many_alike or self.well_known_place(qid))
        return self._endings[label] == 1 and not self.rivals(qid)

    @cached_property
    def _endings(self) -> Counter[str]:
        """How many names end so, in their last word, two or three."""
        labels = (fold(one.label).split() for one in self._entities.values() if one.label)
        return Counter(" ".join(words[-many:]) for words in labels for many in range(1, min(3, len(words)) + 1))

    def plain(self, qid: int) -> str:
        """The label as text, "Q42" where there is none: for triples, never for questions."""
        entity = self._entities.get(qid)
        return " ".join(entity.label.split()) if entity and entity.label else f"Q{qid}"

    def _name(self, qid: int) -> Named:
        entity = self._entities.get(qid)
        if entity is None or not entity.label or not entity.label.strip():
            return _unnamed("", Hindrance.NO_LABEL())
        if entity.direct & self._invented and entity.direct & self._persons:
            return _unnamed(entity.label, Hindrance.INVENTED())
        label, noun = self._label(qid, entity), self._noun(entity)
        if _unreadable(label, quoted=bool(noun)) or (noun and _otherwise_called(label, entity.aliases)):
            return _unnamed(label, Hindrance.LABEL_NO_NAME())
        if entity.types & self._humans and "," in label and not _JUNIOR.search(label.lower()):
            return self._of_title(entity, label)
        if qid in self._lexicon.names:  # written knowing what else is called so
            name = self._lexicon.names[qid]
            of_several = bool(entity.types & self._groups) and names_several(name)  # the Beastie Boys
            return Named(name, label, plural=is_plural(name) or of_several)
        form = self._form(qid, entity, label, noun)
        if isinstance(form, Unasked):
            return _unnamed(label, form)
        return self._told_apart(qid, entity, label, form)

    def _of_title(self, entity: Facts, label: str) -> Named:
        """Somebody whose name has a title in it, if it is for good: Charles was Prince of Wales until he was king."""
        for_good = entity.dead or _PEER.fullmatch(label)
        if label.count(",") > 1 or not for_good or self.rivals(entity.qid):
            return _unnamed(label, Hindrance.TITLE_IN_NAME())
        return Named(f"{label},", label, described=True)

    def _label(self, qid: int, entity: Facts) -> str:
        """What it is called, as English writes that."""
        label = _in_english(" ".join((entity.label or "").split()), entity.aliases)
        if entity.types & self._humans:
            if _JUNIOR.search(label.lower()):
                label = label.replace(",", "")  # Martin Luther King Jr.
            return self._usual(qid, label, entity.aliases)
        if entity.direct & self._compounds and re.fullmatch(r"[A-Z][a-z]+(?: [A-Z]?[a-z]+)*", label):
            return label.lower()  # "Carbonic Acid": chemists write it small
        # "portuguese": a slip, no language's name begins with a small letter.
        return label.title() if entity.types & self._languages and label.islower() else label

    def _usual(self, qid: int, label: str, aliases: Sequence[str]) -> str:
        """Somebody's name without all of their names, where they and nobody else are called so: Paul Dirac."""
        words = label.split()
        if len(words) < _FULL or "," in label or not all(word[0].isupper() for word in words):
            return label
        short = (f"{given} {words[-1]}" for given in words[:-1])
        return next((one for one in short if one in aliases and self._bearers[fold(one)] == (qid,)), label)

    def _told_apart(self, qid: int, entity: Facts, label: str, form: "_NameForm") -> Named:
        """The name alone where it says who or what is meant, else with a description."""
        rivals = form.rivals
        if not entity.types & self._humans and self._best_known(qid, rivals):
            rivals = []
        if entity.types & self._places and self._regions.is_capital(entity):
            return Named(form.name, label)
        plural = not form.titled and not entity.types & self._organisations and is_plural(form.name)
        plural = plural or form.several
        if form.told_by:
            return Named(form.name, label, described=True, told_by=form.told_by)
        if not entity.description and self._moons.little_known(qid):
            return _unnamed(label, Hindrance.AMBIGUOUS_NAME())
        if entity.types & self._moon and (called := self._called(entity, label, form)):
            return called
        unclear = not self._is_group(entity, form) and self._unclear(qid, entity)
        if rivals or _general_name(label, entity) or unclear:
            return self._told(entity, label, form, rivals, plural=plural)
        mass = form.common and bool(entity.classes & self._mass)
        return Named(form.name, label, common=form.common, mass=mass, plural=plural)

    def _told(self, entity: Facts, label: str, form: "_NameForm", rivals: Sequence[int], *, plural: bool) -> Named:
        """The name with what tells it from others: a state, what the thing is, or its description."""
        if addressed := self._addressed(entity, form, label):
            return addressed
        called = self._called(entity, label, form)
        if called and entity.direct & self._sorted:  # the state of Georgia, not "Georgia, a state in the …"
            return called
        described = self._described(entity, form.name, label, rivals)._replace(plural=plural)
        return described if described.name else called or described

    def _is_group(self, entity: Facts, form: "_NameForm") -> bool:
        """Whether its name says already that it is a band, which is all that its description would say."""
        return form.titled and bool(entity.types & self._groups)

    def _addressed(self, entity: Facts, form: "_NameForm", label: str) -> Named | None:
        """A place with its state, as English tells towns of some countries apart: Rochester, New York."""
        place = entity.types & self._places or (not entity.types and _SETTLEMENT.match(entity.description or ""))
        region = self._regions.of(entity) if place else ""
        others = [one for other in form.rivals if (one := self._entities[other]).types & self._places]
        if not region or any(self._regions.of(one) == region for one in others):
            return None
        return Named(f"{form.name}, {region},", label, described=True, told_by=wd.LOCATED_IN)

    def _called(self, entity: Facts, label: str, form: "_NameForm") -> Named | None:
        """The name after what the thing is, where nothing else of the name is that: the physicist Max Born."""
        if entity.types & self._humans:
            trade = "" if _OF_A_RULER.search(label) else entity.trade
            namesake = any(one.trade in (trade, "") for one in self._people_of(form.rivals))
            if not trade or namesake or self._namesakes.expected(label) >= _NAMESAKES_OF_A_TRADE:
                return None
            return Named(f"the {trade} {label}", label, described=True, told_by=wd.OCCUPATION)
        sort = self._sort(entity)
        # Prospero and Margaret are others first, whether or not they are here.
        shared = form.rivals or entity.types & self._moon
        if not sort or not shared or any(self._sort(self._entities[other]) == sort for other in form.rivals):
            return None
        return Named(f"{sort} {label}", label)

    def _people_of(self, several: Iterable[int]) -> list[Facts]:
        return [one for one in map(self._entities.__getitem__, several) if one.types & self._humans]

    def _sort(self, entity: Facts) -> str:
        """What stands before its name where that is not enough."""
        return next((said for klass, said in self._lexicon.sorts.items() if klass in entity.types), "")

    def _form(self, qid: int, entity: Facts, label: str, noun: str) -> "_NameForm | Unasked":
        rivals = self.rivals(qid)
        if noun:
            return self._titled(entity, label, noun, rivals)
        if label == label.lower() and not entity.types & self._humans:
            # Where a common noun stands nobody thinks of a song or a village.
            rivals = [other for other in rivals if self._common(other)]
            return Hindrance.PLURAL_CLASS() if names_several(label) else _NameForm(label, rivals, common=True)
        name = self._proper(entity, label)
        if entity.types & self._places:  # a title would be in quotation marks after its noun
            rivals = [other for other in rivals if not self._noun(self._entities[other])]
        # Albert, Prince Consort, …: the apposition within the name is closed like our own.
        return _NameForm(f"{name}," if "," in name else name, rivals)

    def _common(self, qid: int) -> bool:
        """Whether it is named by a common noun."""
        label = self._entities[qid].label or ""
        return label == label.lower()

    def _titled(self, entity: Facts, label: str, noun: str, rivals: Sequence[int]) -> "_NameForm | Unasked":
        """A title after its noun, with its year, or after its director, where that tells it from others."""
        group = bool(entity.types & self._groups) and not _unreadable(label, quoted=False)
        if group and label.startswith("The ") and not rivals:  # the Beatles, the Who
            return _NameForm(f"the {label[4:]}", [], titled=True, several=names_several(label))
        alike = [other for other in rivals if self._same_sort(noun, self._entities[other])]
        made = year_made(entity.description)
        if any(year_made(self._entities[other].description) == made for other in alike):
            made = ""
        if not made and self._fame and entity.types & self._films:  # of most titles there are several films
            director = entity.director
            if not director or "," in director or any(self._entities[other].director == director for other in rivals):
                return Hindrance.AMBIGUOUS_NAME()
            return _NameForm(f"{director}'s {noun} “{label}”", [], titled=True, told_by=wd.DIRECTOR)
        sort = f"{made} {noun}" if made else noun
        name = f"the {sort} {label}" if group else f"the {sort} “{label}”"  # a group's name is no title
        return _NameForm(name, [] if made else alike, titled=True)

    def _unclear(self, qid: int, entity: Facts) -> bool:
        """Whether the name alone would not say who or what is meant, although nothing else here is called so."""
        if not self._fame:
            return False
        if entity.types & self._humans:
            if self._of_father_and_son(qid, entity):
                return True
            as_known = self._namesakes.expected(entity.label or "") * self._people.as_known(qid)
            return as_known >= _NAMESAKES or self._people.little_known(qid)
        if entity.types & self._places:
            return self._towns.little_known(qid)
        if _OF_A_NAVY.match(entity.label or ""):  # several ships bore the name, one after the other
            return True
        return bool(entity.types & self._organisations) and self._firms.little_known(qid)

    def _of_father_and_son(self, qid: int, entity: Facts) -> bool:
        """Whether somebody else here has the name with or without "Jr." or "Sr.", and is not much less known."""
        label = fold(entity.label or "")
        stem = _JUNIOR.sub("", label)
        names = {stem, *(f"{stem}{comma} {which}" for comma in ("", ",") for which in ("jr.", "sr."))} - {label}
        others = {other for name in names for other in self._bearers.get(name, ())} - {qid}
        known = self._fame.get(qid, 0.0)
        return any(
            self._entities[other].types & self._humans and known - self._fame.get(other, 0.0) < _TWICE
            for other in others
        )

    def _best_known(self, qid: int, rivals: Sequence[int]) -> bool:
        """Whether nobody would think of another thing of that name: Turin, not the village."""
        known, label = self._fame.get(qid, 0.0), fold(self._entities[qid].label or "")

        def less(other: int) -> bool:
            # A kingdom of before has the country's name as an alias; it is the country that is called so.
            ahead = _BETTER_KNOWN if fold(self._entities[other].label or "") == label else 0.0
            return known - self._fame.get(other, 0.0) > ahead

        return bool(self._fame) and bool(rivals) and all(map(less, rivals))

    def _same_sort(self, noun: str, other: Facts) -> bool:
        """Whether a title quoted with this noun could mean the other entity: same noun, a general one, or untyped."""
        theirs = self._noun(other)
        return not other.types or theirs == noun or bool(theirs and _GENERAL & {noun, theirs})

    def _noun(self, entity: Facts) -> str:
        if entity.types & self._humans:  # somebody has said that she is a book, too
            return ""
        noun = next((noun for klass, noun in self._lexicon.nouns.items() if klass in entity.types), "")
        # Of a company or program that is said to be a work, too (EMI), the general noun says the wrong thing.
        return "" if noun in _GENERAL and entity.types & self._no_works else noun

    def _proper(self, entity: Facts, label: str) -> str:
        if entity.types & self._humans:
            return label
        # A town that was European Capital of Culture bears an award, and is none.
        of_title = entity.types & self._always and not entity.types & self._places
        if of_title and not label.lower().startswith("the "):
            return f"the {label}"
        if entity.types & self._teams:
            return of_team(label)
        if entity.types & self._organisations:
            return of_organisation(label)
        return of_event(label) if entity.types & self._events else definite(label)

    def _of_people(self) -> Words:
        """What descriptions of people say."""
        if self._last is None:
            # Of invented people, whom the kind holds as well, most descriptions say "character".
            people = (one for one in self._entities.values() if _PERSON in (one.direct or one.types))
            self._last = words_of_people(one.description or "" for one in people)
        return self._last

    @cached_property
    def _counted(self) -> Counter[str]:
        """How often descriptions have each word, their first left out."""
        return Counter(word for entity in self._entities.values() for word in (entity.description or "").split()[1:])

    @cached_property
    def _common_words(self) -> frozenset[str]:
        """Words that descriptions have in small letters more often than not."""
        counted = self._counted
        return frozenset(
            word for word, number in counted.items() if word.islower() and number > counted[word.capitalize()]
        )

    def _written_large(self, word: re.Match[str]) -> str:
        """A word as descriptions have it, where nearly all write it large: "a french department"."""
        large = word[0].capitalize()
        return large if self._counted[large] > _SLIPS * self._counted[word[0]] else word[0]

    def _described(self, entity: Facts, name: str, label: str, rivals: Iterable[int]) -> Named:
        """The name with a description in apposition, where that says who or what is meant."""
        whole = " ".join((entity.description or "").split()).rstrip(".")
        person = bool(entity.types & self._humans)
        if person and _TITLE.search(whole):
            return _unnamed(label, Hindrance.TITLE_IN_DESCRIPTION())
        text = self._first_part(whole, person)
        text = plain_trade(text, self._of_people()) if person and not rivals else text
        same = any(self._may_be(self._entities[other], text) for other in rivals)
        # "a director, the director of a film," is no noun any more; Nicholas II of Russia, the Russian emperor.
        repeats = name == label == label.lower() or (person and " of " in name and tokens(label) & tokens(text))
        repeats = repeats or f" of {label} " in text  # Tarija, the capital of Tarija department
        several = person and names_several(text)  # "American art directors": of two who work together
        if same or repeats or several or _unfit(text) or _says_little(text, whole, person):
            return _unnamed(label, Hindrance.AMBIGUOUS_NAME())
        return self._apposed(entity, name, label, text)

    def _may_be(self, other: Facts, text: str) -> bool:
        """Whether a description fits another bearer of the name, too: it is said so, or nothing is said of a person."""
        said = fold(gist(other.description or ""))
        unknown = not said and not other.trade and bool(other.types & self._humans)
        return unknown or said.startswith(fold(text))

    def _first_part(self, whole: str, person: bool) -> str:
        """What of a description says enough: its first part, of a person the first trade."""
        text, known = gist(whole), self._of_people() if person else Words()
        # One trade is enough to say who is meant; "English film" of "English film and television actor" is none.
        return whole if text != whole and head(text).lower() in known.before else first_trade(text, known.nouns)

    def _apposed(self, entity: Facts, name: str, label: str, text: str) -> Named:
        first, place = text.partition(" ")[0], bool(entity.types & self._places)
        rest = text.removeprefix(first)
        if first.lower() in self._common_words and not rest[1:2].isupper():
            text = first.lower() + rest  # "Film actor", but "Labour Party leader"
        if (noun := head(text)) != noun.lower() and noun.lower() in self._of_people().nouns:
            text = text.replace(noun, noun.lower())  # "French Composer"
        county = not entity.types & self._humans and head(text).lower() in label.lower().split()
        # Los Angeles County, a county in California; "Königsberg in Prussia", for "…, a capital city in Prussia,".
        if county or (place and re.match(r"(?:capital )?(?:city|town) in ", text)):
            return _placed(name, label, text)
        text = text[0].lower() + text[1:] if text.startswith(("The ", "A ", "An ")) else text
        text = _ADJECTIVE.sub(self._written_large, text)
        if not re.match(r"(?:the|an?|its?|one) |(?:[A-Z]\S* )*[A-Z]\S*'s ", text):  # "Tom Cruise's son"
            # "London, a city in Southwestern Ontario", "Landes, a French department": there are several.
            text = indefinite(text) if place and not _ONLY_ONE.search(text) else f"the {text}"
        return Named(f"{name.rstrip(',')}, {text},", label, described=True)


class _Regions:
    """In which state or province a place lies, and of what it is the capital, as far as it is called or described so.

    Args:
        entities: every entity of the snapshot.
        lexicon: which classes are countries, and states and provinces that stand behind a town's name.
    """

    def __init__(self, entities: Mapping[int, Facts], lexicon: Lexicon) -> None:
        countries, classes = (frozenset(lexicon.kinds.get(kind, ())) for kind in ("country", "region"))
        self._countries = frozenset(one.label for one in entities.values() if one.types & countries)
        self._classes = classes
        names = sorted(
            (one.label for one in entities.values() if one.label and one.direct & classes), key=len, reverse=True
        )
        self._said = re.compile(rf"(?:, | in | of )({'|'.join(map(re.escape, names))})(?=,|$)") if names else None

    def is_capital(self, entity: Facts) -> bool:
        """Whether it is said to be a country's capital, which everybody thinks of whatever else is called so."""
        told = _CAPITAL_OF.search(entity.description or "")
        return told is not None and told[1] in self._countries

    def of(self, entity: Facts) -> str:
        """The name of the state or province; empty where nothing says so."""
        if self._said is None or entity.types & self._classes or not entity.label:
            return ""
        alias = next((one for one in entity.aliases if one.startswith(f"{entity.label}, ")), "")
        told = self._said.findall(alias.removeprefix(entity.label)) or self._said.findall(entity.description or "")
        return told[0] if len(set(told)) == 1 else ""


class _NameForm(NamedTuple):
    """What a thing is called in a sentence, before it is told from others.

    Attributes:
        rivals: other things that it could be taken for.
        common: it is a common noun.
        titled: it is a title after its noun.
        several: it takes its verb in the plural: the Beatles were.
        told_by: the property that tells it from others.
    """

    name: str
    rivals: Sequence[int]
    common: bool = False
    titled: bool = False
    several: bool = False
    told_by: int = 0


def _unnamed(label: str, why: Unasked) -> Named:
    return Named("", label, reason=why)


def _unfit(text: str) -> bool:
    """Whether a description cannot stand in apposition."""
    odd = text.count(",") > 1 or len(text.split()) > _LONGEST or re.search(r"[;:.()\[\]?!\"“”/\d]|\bfounded\b", text)
    return bool(odd) or not text.isprintable() or not 0 < len(text) <= 70


def _says_little(text: str, whole: str, person: bool) -> bool:
    """Whether the first part of a description does not say who or what is meant.

    Of a person with many trades the first says little; so does "centre-left" of "centre-left, socialist party".
    """
    if person:
        return whole.count(",") > _TRADES
    return " " not in text and text != whole


def _placed(name: str, label: str, text: str) -> Named:
    """A name with the place that its description ends in; not usable where that repeats the name."""
    place = re.search(r" in (?!and ).+?(?= in |$)", text)  # not "in and county seat of", nor "in Hesse in Germany"
    if not place or names_alike(label, place[0]):  # the Australian Labor Party in Australia
        return _unnamed(label, Hindrance.AMBIGUOUS_NAME())
    said = _BY_NAME.sub(r" \1", _COUNTY.sub(r" in \1", place[0]))
    return Named(f"{name.rstrip(',')},{said},", label, described=True)


_COUNTY = re.compile(r"^ in (?:the )?(?:\w+ern |central )?((?:[A-Z]\S+ )+County)\b.*")
"""Novato, in Marin County, of "city in northern Marin County in California"."""

_BY_NAME = re.compile(r"^ in ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)(?<! County)$")
"""Jena, Thuringia; but Berkeley, in Alameda County."""

_ONLY_ONE = re.compile(r"\b(?:\w+est|most populous|capital|seat|metropolis|only)\b(?! of a )")
"""Of a place: there is one largest city in Pennsylvania, and one county seat of Marion County."""

_LONGEST = 7
"""Words of a description: "the Russian geophysicist and polar explorer of Baltic German origin" is too long."""

_CAPITAL_OF = re.compile(r"\bcapital\b.*?\bof (?:the )?([A-Z].*)$")

_ADJECTIVE = re.compile(r"\b[a-z]+(?:an|ese|ish|ench|utch|eek|elsh)\b")
"""What may be of a country: french, but also human."""

_SLIPS = 10  # times as often a word is written large that is small by a slip

_TRADES = 3
"""Commas of a description beyond which it lists what somebody did, and says nothing of what for they are known."""

_GENERAL_NAME = re.compile(
    r"(?:(?:the )?(?:national|federal|central|supreme|royal|general|state|house|ministry|department|council|court|"
    r"senate|parliament|university|city|old|new) ?(?:of )?)?"
    r"(?:assembly|museum|library|gallery|bank|court|academy|council|senate|parliament|representatives|lords|commons|"
    r"theatre|archives|cathedral|observatory|zoo|university|county|justice|defence|defense|education|finance|health)"
    r"|.* county",
    re.IGNORECASE,
)
_PARTY = 7278


def _general_name(label: str, entity: Facts) -> bool:
    """A name that many share, whether or not the snapshot has another: the Conservative Party, Norfolk County."""
    return _PARTY in entity.types or bool(_GENERAL_NAME.fullmatch(label))


def _distinct(entity: Facts) -> set[str]:
    names = {fold(name) for name in (entity.label or "", *entity.aliases)}
    return {name for name in names if name}


_SETTLEMENT = re.compile(r"(?:city|town|village|borough|township|county seat)\b")
_FULL = 4  # words of a name from which on it is all of somebody's names
_MACRONS = str.maketrans("ĀāĒēĪīŌōŪū", "AaEeIiOoUu")
_OF_A_NAVY = re.compile(r"(?:HM[A-Z]{0,2}S|USS|USNS|SS) ")


def _in_english(label: str, aliases: Sequence[str]) -> str:
    """A name without macrons, where it is called so, too: Kobe."""
    plain = label.translate(_MACRONS)
    return plain if plain in aliases else label


_AGREE = 3


def _otherwise_called(label: str, aliases: Sequence[str]) -> bool:
    """Whether aliases agree on a word that the label lacks, and share none with it: a sign of vandalism."""
    others = [tokens(alias) for alias in aliases]
    return (
        len(others) >= _AGREE
        and bool(frozenset.intersection(*others))
        and not tokens(label) & frozenset().union(*others)
    )


_PAGE = re.compile(
    r"(?:category|template|portal|wikipedia|wikimedia|module|help|draft|user|file|mediawiki):|"
    r"(?:lists?|index|outline|timeline) of \w",
    re.IGNORECASE,
)
"""How pages of Wikimedia's own are called that are no thing of the world: Category:BBC News, List of cities in Peru."""


def _unreadable(label: str, *, quoted: bool) -> bool:
    """Labels that would break a sentence: line breaks, quotes, brackets, a sentence end within; none without a letter.
    Those of categories, templates and lists name no thing.

    A title in quotation marks carries its own punctuation, so there only quotation marks and control characters do.
    """
    if len(label) > 80 or _PAGE.match(label) or not label.isprintable() or not re.search(r"[^\W\d_]", label):
        return True
    if re.search(r"([^\W\d_]{4,})\1", label):  # CyrusCyrus: a slip in the source
        return True
    if quoted:
        # A title in small letters alone is what somebody who plays with the source writes.
        return bool(re.search(r"[“”]", label)) or bool(re.fullmatch(r"(?:[a-z0-9]+ ){3,}[a-z0-9]+", label))
    return bool(re.search(r"[?!]|[()\[\]{}<>|\\\"“”„/;]|\.\s[a-z]|^['‘]", label))
