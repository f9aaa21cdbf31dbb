"""Names that identify: when a label may stand in a question, and with which article.

A label identifies an entity only if no other entity of the snapshot, seed or not, shares it as label or alias after
case and diacritic folding (semantics.md §3.4). A shared one is described by the entity's description in apposition,
never by a parenthesis of the label, or the entity is left out and counted.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.wording.articles import definite, is_plural, of_organisation
from halluvault_tasks.benchmark.wording.lexicon import Lexicon
from halluvault_tasks.wikidata.names import fold

_TOKEN = re.compile(r"[^\W_]+")

_BETTER_KNOWN = 2.3  # as a logarithm: ten times as many pages, or statements
_GENERAL = frozenset({"book", "literary work", "written work", "creative work", "work", "musical work"})


class Facts(NamedTuple):
    """What naming needs to know of one entity.

    Attributes:
        types: what it is an instance of, with all superclasses in the snapshot.
        classes: these, and what it is a subclass of: influenza is no instance of disease, but a disease.
        direct: what it is an instance of, nothing above.
    """

    qid: int
    label: str | None
    description: str | None
    aliases: tuple[str, ...]
    types: frozenset[int]
    classes: frozenset[int]
    direct: frozenset[int] = frozenset()


class Named(NamedTuple):
    """How an entity is named in sentences, or why it is not.

    Attributes:
        name: within a sentence, with article or noun; may end in a comma that closes an apposition. Empty: not usable.
        bare: the label alone, for slots that take no article.
        common: the label is a common noun ("violin"), not a proper name.
        mass: a common noun that takes no article ("influenza").
        reason: why `name` is empty: no label, ambiguous …
        described: the description stands in apposition.
        plural: takes a verb in the plural: the 1948 Summer Olympics were.
    """

    name: str
    bare: str
    common: bool = False
    mass: bool = False
    reason: str = ""
    described: bool = False
    plural: bool = False


def tokens(text: str) -> frozenset[str]:
    """Folded words of at least three letters or digits."""
    return frozenset(word for word in _TOKEN.findall(fold(text)) if len(word) >= 3)


class Namer:
    """Names entities of one snapshot.

    Args:
        entities: every entity of the snapshot, seed or not; their names are what a name could be confused with.
        lexicon: nouns of titles, mass classes, and names written by hand.
        fame: how well known they are, as a logarithm; None: nothing is the best known of its name.
    """

    def __init__(
        self, entities: Mapping[int, Facts], lexicon: Lexicon, fame: Mapping[int, float] | None = None
    ) -> None:
        self._entities = entities
        self._fame = fame or {}
        self._lexicon = lexicon
        self._bearers: dict[str, list[int]] = defaultdict(list)
        for qid in sorted(entities):
            for name in _distinct(entities[qid]):
                self._bearers[name].append(qid)
        self._mass = frozenset(lexicon.mass)
        self._groups = frozenset(lexicon.kinds.get("musical_group", ()))
        self._always = frozenset({*lexicon.kinds.get("river", ()), *lexicon.kinds.get("award", ())})
        self._languages = frozenset(lexicon.kinds.get("language", ()))
        self._organisations = frozenset(lexicon.kinds.get("organisation", ()))
        self._no_works = self._organisations | frozenset(lexicon.kinds.get("software", ()))
        self._humans = frozenset(lexicon.kinds.get("human", ()))
        self._known: dict[int, Named] = {}

    def rivals(self, qid: int) -> list[int]:
        """Other entities that share this one's label as label or alias, ascending."""
        label = self._entities[qid].label
        return [other for other in self._bearers[fold(label)] if other != qid] if label else []

    def named(self, qid: int) -> Named:
        """How the entity is named; the same each time."""
        if qid not in self._known:
            self._known[qid] = self._name(qid)
        return self._known[qid]

    def plain(self, qid: int) -> str:
        """The label as text, "Q42" where there is none: for triples, never for questions."""
        entity = self._entities.get(qid)
        return " ".join(entity.label.split()) if entity and entity.label else f"Q{qid}"

    def _name(self, qid: int) -> Named:
        entity = self._entities.get(qid)
        if entity is None or not entity.label or not entity.label.strip():
            return Named("", "", reason="no label")
        label = " ".join(entity.label.split())
        if entity.types & self._languages and label.islower():
            label = label.title()  # "portuguese": a slip, no language's name begins with a small letter
        noun = self._noun(entity)
        if _unreadable(label, quoted=bool(noun)):
            return Named("", label, reason="label is no name")
        common = label == label.lower() and not (entity.types & self._humans)
        rivals = self.rivals(qid)
        if qid in self._lexicon.names:  # written knowing what else is called so
            name = self._lexicon.names[qid]
            return Named(name, label, plural=is_plural(name))
        if noun:
            bare = bool(entity.types & self._groups) and not _unreadable(label, quoted=False)
            name = f"the {noun} {label}" if bare else f"the {noun} “{label}”"  # a group's name is no title
            rivals = [other for other in rivals if self._same_sort(noun, self._entities[other])]
            common = False
        elif common:
            name = label
        else:
            name = self._proper(entity, label)
            if "," in name:  # Albert, Prince Consort, …: the apposition within the name is closed like our own
                name += ","
        if not entity.types & self._humans and self._best_known(qid, rivals):
            rivals = []
        if not rivals and not _general_name(label, entity):
            mass = common and bool(entity.classes & self._mass)
            return Named(name, label, common=common, mass=mass, plural=not noun and is_plural(name))
        return self._described(entity, name, label, rivals)._replace(plural=not noun and is_plural(name))

    def _best_known(self, qid: int, rivals: Sequence[int]) -> bool:
        """Whether nobody would think of another bearer of the name: Turin, not the village."""
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
        if entity.types & self._always and not label.lower().startswith("the "):
            return f"the {label}"
        return of_organisation(label) if entity.types & self._organisations else definite(label)

    def _described(self, entity: Facts, name: str, label: str, rivals: Iterable[int]) -> Named:
        text = " ".join((entity.description or "").split()).rstrip(".")
        unfit = (
            not text.isprintable()
            or not 0 < len(text) <= 70
            or text.count(",") > 1
            or bool(re.search(r"[;:()\[\]?!\"“”/]|\d ?[–-]|\bfounded\b", text))
        )
        if name == label == label.lower():  # "a director, the director of a film," is no noun any more
            return Named("", label, reason="ambiguous name")
        same = any(fold(self._entities[other].description or "") == fold(text) for other in rivals)
        if unfit or same:
            return Named("", label, reason="ambiguous name")
        text = text[0].lower() + text[1:] if text.startswith(("The ", "A ", "An ")) else text
        if not re.match(r"(?:the|an?|its?|one) ", text):
            text = f"the {text}"
        return Named(f"{name.rstrip(',')}, {text},", label, described=True)


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
    """A name that many bear, whether or not the snapshot holds another: the Conservative Party, Norfolk County."""
    return _PARTY in entity.types or bool(_GENERAL_NAME.fullmatch(label))


def _distinct(entity: Facts) -> set[str]:
    names = {fold(name) for name in (entity.label or "", *entity.aliases)}
    return {name for name in names if name}


def _unreadable(label: str, *, quoted: bool) -> bool:
    """Labels that would break a sentence: line breaks, quotes, brackets, a sentence end within; none without a letter.

    A title in quotation marks carries its own punctuation, so there only quotation marks and control characters do.
    """
    if len(label) > 80 or not label.isprintable() or not re.search(r"[^\W\d_]", label):
        return True
    if re.search(r"([^\W\d_]{4,})\1", label):  # CyrusCyrus: a slip of whoever made the source
        return True
    if quoted:
        # A title in small letters alone is what somebody who plays with the source writes.
        return bool(re.search(r"[“”]", label)) or bool(re.fullmatch(r"(?:[a-z0-9]+ ){3,}[a-z0-9]+", label))
    return bool(re.search(r"[?!]|[()\[\]{}<>|\\\"“”„/;]|\.\s[a-z]|^['‘]", label))
