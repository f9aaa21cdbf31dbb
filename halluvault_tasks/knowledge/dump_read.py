"""The two passes over a dump: first which entities are wanted, then everything said about them.

For every entity the first pass keeps what decides whether the month covers it: item values of the configured
properties, numbers of sitelinks, redirects. The second keeps names, statements with ranks and qualifiers, value nodes.

A dump is *full* if it has statement nodes (`p:`, `ps:`). A truthy dump has only `wdt:`: a value of best rank may hide
others and there are no qualifiers, so its statements get names made from their content and the rank normal, which
licenses only by-nature properties (semantics.md §1.1).
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import pyoxigraph

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import tail
from halluvault_tasks.knowledge.config import Domain, Domains
from halluvault_tasks.knowledge.dump import DumpStream
from halluvault_tasks.knowledge.dump_staging import LABEL, SAME_AS, Shelf, escaped
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import ENTITY, NO_VALUE, PREFIXES, STATEMENT, WIKIBASE, of_property, property_number

_OWL_SAME_AS = PREFIXES["owl"] + "sameAs"
_RDF_TYPE = PREFIXES["rdf"] + "type"
_SITELINKS = WIKIBASE + "sitelinks"
_UNIT = WIKIBASE + "quantityUnit"
_TEXTS = (LABEL, PREFIXES["skos"] + "altLabel", PREFIXES["schema"] + "description")
_LANGUAGES = frozenset({"en", "mul"})
_NODE_FIELDS = tuple(
    WIKIBASE + name
    for name in (
        "timeValue",
        "timePrecision",
        "timeCalendarModel",
        "quantityAmount",
        "quantityUnit",
        "quantityLowerBound",
        "quantityUpperBound",
    )
)
_ITEM = ENTITY + "Q"
_DIGITS, _NAME = len(_ITEM), len(STATEMENT)
_LARGEST, _SHORT = 2**31 - 1, 10
_PAGE = re.compile(r"https?://www\.wikidata\.org/wiki/Special:EntityData/Q([1-9]\d{0,9})")
_OWNER = re.compile(r"[Qq]([1-9]\d{0,9})(?![0-9])")
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_WINDOW = 20_000
"""Statements kept in memory until their lines, which mostly come together, are stored."""

Report = Callable[[int, int], None]
"""Told how many bytes of how many were read."""


class Survey(NamedTuple):
    """What the first pass found out."""

    full: bool
    """Whether the dump has statement nodes."""
    triples: int
    wanted: frozenset[int]
    """Entities whose details the second pass keeps; a little more than the snapshot will speak of."""
    owners: dict[str, int]
    """Statement → subject, for those whose name does not begin with their subject's."""
    sha256: str


class Details(NamedTuple):
    """What the second pass found besides what is on the shelf."""

    triples: int
    metadata: list[tuple[int, str, str, str, bool]]
    """(property, predicate's IRI, value, language, whether an IRI) of properties."""
    constraints: dict[str, dict[str, list[str]]]
    """Constraint statement → predicate's IRI → values."""
    sha256: str


def survey(
    stream: DumpStream, shelf: Shelf, domains: Domains, report: Report, kept: Mapping[str, Sequence[int]]
) -> Survey:
    """The first pass; `kept` as in `plan.PullPlan`."""
    surveyor = _Surveyor(shelf)
    acts: dict[str, tuple[Callable[[str, str, int], None], int]] = {}
    for pid in _item_properties(domains):
        acts[of_property("wdt", pid)] = (surveyor.direct, pid)
        acts[of_property("ps", pid)] = (surveyor.stated, pid)
        acts[of_property("p", pid)] = (surveyor.claim, pid)
    acts[_OWL_SAME_AS] = (surveyor.direct, SAME_AS)
    acts[_SITELINKS] = (surveyor.sitelinks, 0)
    acts[_UNIT] = (surveyor.unit, 0)
    triples, find = 0, acts.get
    for chunk in stream:
        triples += len(chunk)
        for triple in cast(list[Any], chunk):
            act = find(triple.predicate.value)
            if act is not None:
                act[0](triple.subject.value, _text(triple.object), act[1])
        report(stream.done, stream.size)
        shelf.wake()
    shelf.finish_edges()
    wanted = frozenset(_wanted(shelf, domains, surveyor.units, kept))
    return Survey(surveyor.full, triples, wanted, surveyor.owners, stream.sha256)


class _Surveyor:
    """What the first pass keeps of each kind of line; each method takes subject, object and the property's number."""

    def __init__(self, shelf: Shelf) -> None:
        self._put = shelf.put
        self.full = False
        self.owners: dict[str, int] = {}
        self.units: set[int] = set()

    def direct(self, subject: str, value: str, pid: int) -> None:
        """`wd:s wdt:pid wd:o`."""
        if (o := _item(value)) and (s := _item(subject)):
            self._put("dump_edge", f"{s}\t{pid}\t{o}\tt\n")

    def stated(self, subject: str, value: str, pid: int) -> None:
        """`wds:name ps:pid wd:o`."""
        self.full = True
        if (o := _item(value)) and (s := _owner(subject[_NAME:], self.owners)):
            self._put("dump_edge", f"{s}\t{pid}\t{o}\tf\n")

    def claim(self, subject: str, value: str, _pid: int) -> None:
        """`wd:s p:pid wds:name`: whose a statement is, where its name does not say so."""
        if (s := _item(subject)) and not value.startswith(f"Q{s}-", _NAME):
            name = value[_NAME:]
            if _owner(name, self.owners) != s:
                self.owners[name] = s

    def sitelinks(self, subject: str, value: str, _pid: int) -> None:
        """Their number, said of an item or of its page."""
        page = _PAGE.fullmatch(subject)
        s = int(page[1]) if page else _item(subject)
        if s and value.isdecimal() and len(value) < _SHORT:
            self._put("dump_sitelinks", f"{s}\t{value}\n")

    def unit(self, _subject: str, value: str, _pid: int) -> None:
        """Of a quantity."""
        if o := _item(value):
            self.units.add(o)


def collect(stream: DumpStream, shelf: Shelf, first: Survey, domains: Domains, report: Report) -> Details:
    """The second pass.

    Args:
        stream: the file again.
        shelf: filled by the first pass.
        first: what that found out.
        domains: the configuration.
        report: told how far it has come.

    Raises:
        UserError: the file is no longer the one of the first pass.
    """
    pids = set(domains.all_properties()) | {*wd.TIME_QUALIFIERS, *wd.HEDGES}
    acts = _detail_acts(sorted(pids), first.full)
    collector = _Collector(shelf, first)
    find, take, triples = acts.get, collector.take, 0
    for chunk in stream:
        triples += len(chunk)
        for triple in cast(list[Any], chunk):
            act = find(triple.predicate.value)
            if act is not None:
                take(triple, *act)
        report(stream.done, stream.size)
        shelf.wake()
    collector.statements.flush()
    shelf.finish_details()
    if stream.sha256 != first.sha256:
        raise UserError("the source changed while it was read", "wait for the download to end, then pull again")
    return Details(triples, collector.metadata, collector.constraints, stream.sha256)


class _Collector:
    """What the second pass keeps, by what a line is about."""

    def __init__(self, shelf: Shelf, survey: Survey) -> None:
        self._put, self._survey = shelf.put, survey
        self.statements = _Statements(shelf, survey)
        self.metadata: list[tuple[int, str, str, str, bool]] = []
        self.constraints: dict[str, dict[str, list[str]]] = {}

    def take(self, triple: Any, kind: str, pid: int) -> None:
        """Keep what is wanted of a line; kind and property are its predicate's, as `_detail_acts` has them."""
        subject = triple.subject.value
        if kind == "node":
            node, field = escaped(subject.rsplit("/", 1)[-1]), triple.predicate.value[len(WIKIBASE) :]
            self._put("dump_node", f"{node}\t{field}\t{escaped(_text(triple.object))}\n")
        elif subject.startswith(STATEMENT):
            self._of_statement(triple, subject[_NAME:], kind, pid)
        elif subject.startswith(ENTITY + "P"):
            if p := property_number(subject):
                self.metadata.append((p, triple.predicate.value, *_described(triple.object)))
        elif kind == "text":
            self._term(triple, subject)
        elif (s := _item(subject)) and s in self._survey.wanted:
            self._of_item(triple, s, kind, pid)

    def _of_statement(self, triple: Any, name: str, kind: str, pid: int) -> None:
        if name[:1] in "Pp":
            values = self.constraints.setdefault(name, {}).setdefault(triple.predicate.value, [])
            values.append(_text(triple.object))
        elif kind != "text":
            self.statements.add(name, kind, pid, triple.object)

    def _term(self, triple: Any, subject: str) -> None:
        language = triple.object.language if isinstance(triple.object, pyoxigraph.Literal) else None
        # Most are in other languages.
        if language in _LANGUAGES and (s := _item(subject)) in self._survey.wanted:
            text = escaped(_text(triple.object))
            self._put("dump_term", f"{s}\t{triple.predicate.value}\t{text}\t{language}\n")

    def _of_item(self, triple: Any, s: int, kind: str, pid: int) -> None:
        if kind == "claim":
            self.statements.claimed(_text(triple.object)[_NAME:], s, pid)
        elif not self._survey.full:
            self.statements.truthy(s, pid, triple.object, kind)


def _detail_acts(pids: list[int], full: bool) -> dict[str, tuple[str, int]]:
    acts: dict[str, tuple[str, int]] = {}
    for pid in pids:
        if full:
            acts[of_property("p", pid)] = ("claim", pid)
            acts[of_property("ps", pid)] = ("v", pid)
            acts[of_property("psv", pid)] = ("node of v", pid)
        else:
            acts[of_property("wdt", pid)] = ("direct", pid)
    for pid in (*wd.TIME_QUALIFIERS, *wd.HEDGES):
        acts[of_property("pq", pid)] = ("q", pid)
        acts[of_property("pqv", pid)] = ("node of q", pid)
    acts |= dict.fromkeys(_TEXTS, ("text", 0)) | dict.fromkeys(_NODE_FIELDS, ("node", 0))
    acts |= {WIKIBASE + "rank": ("rank", 0), _RDF_TYPE: ("type", 0)}
    # Of properties themselves: datatype, inverse, classes, constraints.
    acts[WIKIBASE + "propertyType"] = ("property", 0)
    for pid in (wd.INSTANCE_OF, wd.INVERSE):
        acts.setdefault(of_property("wdt", pid), ("property", pid))
    acts[of_property("p", wd.CONSTRAINT)] = ("property", wd.CONSTRAINT)
    acts[of_property("ps", wd.CONSTRAINT)] = ("v", wd.CONSTRAINT)
    acts[of_property("pq", wd.SEPARATOR)] = ("q", wd.SEPARATOR)
    return acts


class _Statements:
    """Statements as their lines come by: parts that belong together are put on the shelf together."""

    def __init__(self, shelf: Shelf, survey: Survey) -> None:
        self._shelf = shelf
        self._survey = survey
        self._open: dict[str, tuple[int, list[tuple[Any, ...]]]] = {}

    def claimed(self, name: str, s: int, pid: int) -> None:
        """`wd:s p:pid wds:name`."""
        self._parts(name, s).append(("c", pid))

    def add(self, name: str, kind: str, pid: int, value: Any) -> None:
        """A line about a statement node, if its subject is wanted."""
        known = self._open.get(name)
        if known is None:
            s = _owner(name, self._survey.owners)
            if s not in self._survey.wanted:
                return
            parts = self._parts(name, s)
        else:
            parts = known[1]
        if kind == "rank":
            parts.append(("rank", _text(value)))
        elif kind == "type":
            if (text := _text(value)).startswith(NO_VALUE) and (number := property_number(text)):
                parts.append(("no", number))
        elif kind.startswith("node"):
            parts.append((kind, pid, _text(value).rsplit("/", 1)[-1]))
        else:
            parts.append((kind, pid, *_cell(value)))

    def truthy(self, s: int, pid: int, value: Any, kind: str = "direct") -> None:
        """`wd:s wdt:pid value`, or `wd:s a wdno:pid`, as a statement of its own."""
        cell = _cell(value)
        if kind == "type":
            number = property_number(cell[1]) if cell[1].startswith(NO_VALUE) else None
            if number is not None:
                self._parts(f"Q{s}-P{number}-none", s).extend([("c", number), ("no", number)])
        elif kind == "direct":
            digest = hashlib.sha256("|".join(map(str, cell)).encode()).hexdigest()[:20]
            self._parts(f"Q{s}-P{pid}-{digest}", s).extend([("c", pid), ("v", pid, *cell)])

    def flush(self) -> None:
        """Put everything on the shelf."""
        for name, (s, parts) in self._open.items():
            self._shelf.put("dump_claim", f"{s}\t{escaped(name)}\t{escaped(_ENCODE(parts))}\n")
        self._open.clear()

    def _parts(self, name: str, s: int) -> list[tuple[Any, ...]]:
        statement = self._open.get(name)
        if statement is None:
            if len(self._open) >= _WINDOW:
                self.flush()
            statement = self._open[name] = (s, [])
        return statement[1]


def _wanted(shelf: Shelf, domains: Domains, units: set[int], kept: Mapping[str, Sequence[int]]) -> set[int]:
    """Seeds, all that they mention and what lies above: never less than the plan will ask for, a little more."""
    roots = {root.qid for _, root in domains.roots()}
    items = {qid for name in domains.domains for qid in domains.require(name).items}
    heirs = {qid: heir for qid, heir in shelf.known(roots | items) if heir}
    seeds = items | roots | set(heirs.values())
    for name, root in domains.roots():
        classes = _classes(shelf, {root.qid, heirs.get(root.qid, root.qid)}, root.depth)
        least = domains.require(name).sitelinks if root.sitelinks is None else root.sitelinks
        for mode in root.modes:
            seeds.update(member.qid for member in shelf.members(classes, wd.MEMBERSHIP[mode], least))
    tails = {qid for name in domains.domains for qid in _tail(shelf, domains.require(name), heirs)}
    shelf.want(seeds | units | tails.union(*kept.values()))
    upward = (SAME_AS, wd.INSTANCE_OF, *domains.chain)
    last = shelf.follow(None, 0, forever=False)
    last = shelf.follow(upward, last, forever=True)
    last = shelf.follow((*domains.links, SAME_AS), last, forever=False)
    shelf.follow(upward, last, forever=True)
    return shelf.wanted()


def _tail(shelf: Shelf, domain: Domain, heirs: Mapping[int, int]) -> Iterable[int]:
    """What the plan will draw of a domain's members that few know."""
    if (settings := domain.tail) is None:
        return ()

    def members(classes: Sequence[int], mode: str, ending: str) -> dict[int, int]:
        found = shelf.tail(classes, wd.MEMBERSHIP[mode], settings.sitelinks, ending)
        return {member.qid: member.sitelinks for member in found if member.sitelinks}

    roots = [(root, sorted(_classes(shelf, {heirs.get(root.qid, root.qid)}, root.depth))) for root in domain.roots]
    return tail.draw(settings, roots, members)


def _classes(shelf: Shelf, roots: set[int], depth: int) -> set[int]:
    classes = front = roots
    for _ in range(depth):
        front = set(shelf.below(front)) - classes
        classes = classes | front
    return classes


def _item_properties(domains: Domains) -> list[int]:
    return sorted({*domains.all_properties(), *wd.MEMBERSHIP.values()})


def _text(term: Any) -> str:
    """A term's text; empty for a triple in a triple's place, which RDF 1.2 has and Wikidata has not."""
    return getattr(term, "value", "")


def _described(term: Any) -> tuple[str, str, bool]:
    """(value, language, whether an IRI)."""
    literal = isinstance(term, pyoxigraph.Literal)
    return _text(term), (term.language or "") if literal else "", not literal


def _cell(term: Any) -> tuple[str, str, str]:
    """(type, value, datatype), as in SPARQL's JSON."""
    if isinstance(term, pyoxigraph.Literal):
        return "literal", term.value, term.datatype.value
    return ("bnode" if isinstance(term, pyoxigraph.BlankNode) else "uri"), _text(term), ""


def _item(iri: str) -> int:
    """Like `iris.item`, but 0 for anything else, and in a third of the time."""
    digits = iri[_DIGITS:]
    if not digits.isdecimal() or not iri.startswith(_ITEM):
        return 0
    number = int(digits)
    return number if number <= _LARGEST else 0


def _owner(name: str, owners: dict[str, int]) -> int:
    """The subject of a statement: that of the dump where it is known to differ, else the one in its name."""
    if owners and (known := owners.get(name)) is not None:
        return known
    match = _OWNER.match(name)
    return int(match[1]) if match else 0
