"""The two passes over a dump: first which entities are wanted, then everything said about them.

For every entity the first pass keeps what decides whether the month covers it: item values of the configured
properties, numbers of sitelinks, redirects. The second keeps names, statements with ranks and qualifiers, value nodes.
Both search blocks of lines for those that they want, one search for each kind: a loop over all lines would take three
times as long. Every pattern begins with a newline, so that nothing within a text is ever taken for a line.

A dump is *full* if it has statement nodes (`p:`, `ps:`). A truthy dump has only `wdt:`: a value of best rank may hide
others and there are no qualifiers, so its statements get names made from their content and the rank normal, which
licenses only by-nature properties (semantics.md §1.1).

Every so often what was read is committed, together with the place that was reached: a reading that is killed goes on
from there.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import tail
from halluvault_tasks.knowledge.config import Domain, Domains
from halluvault_tasks.knowledge.dump import Dump, DumpChanged, DumpPlace, DumpStream
from halluvault_tasks.knowledge.dump_staging import LABEL, NEW_LINE, SAME_AS, Shelf, copied, escaped
from halluvault_tasks.knowledge.dump_terms import term, text
from halluvault_tasks.knowledge.store_shape import truthy_name
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import ENTITY, NO_VALUE, PREFIXES, STATEMENT, WIKIBASE, of_property, property_number

_PATIENCE = 50
"""How many times as long as its last commit took a reading goes on before the next: a fiftieth goes on commits."""

_RDF_TYPE = PREFIXES["rdf"] + "type"
_TEXTS = (LABEL, PREFIXES["skos"] + "altLabel", PREFIXES["schema"] + "description")
_LANGUAGES = frozenset({"en", "mul"})

_NUMBER = "([1-9][0-9]{0,8}|1[0-9]{9}|20[0-9]{8})"
"""Of an item, within Postgres's integers."""
_PID = "([1-9][0-9]{0,9})"
_OWNER = re.compile("[Qq]([1-9][0-9]{0,9})(?![0-9])")
_LARGEST, _SHORT = 2**31 - 1, 10
_LITERAL = r'"((?:[^"\\\n]++|\\.)*+)"'


def _line(start: str, rest: str) -> re.Pattern[str]:
    """Lines that begin with an IRI of these letters and go on like that."""
    return re.compile(rf"\n<{re.escape(start)}{rest}")


def _iri(start: str, rest: str = "") -> str:
    return f"<{re.escape(start)}{rest}>"


_ITEM = _iri(ENTITY, f"Q{_NUMBER}")
_DIRECT = _line(
    ENTITY, rf"Q{_NUMBER}> (?:{_iri(PREFIXES['wdt'], f'P{_PID}')}|{_iri(PREFIXES['owl'] + 'sameAs')}) {_ITEM} \."
)
_NAME = r"((?:[Qq]([1-9][0-9]{0,9})(?![0-9]))?[^>]*+)"
"""Of a statement, and the number of its subject as far as the name says so."""
_STATED = _line(STATEMENT, rf"{_NAME}> {_iri(PREFIXES['ps'], f'P{_PID}')} {_ITEM} \.")
_STRANGERS = _line(
    ENTITY, rf"Q{_NUMBER}> {_iri(PREFIXES['p'], f'P{_PID}')} <{re.escape(STATEMENT)}(?!Q\1-)([^>]*+)> \."
)
_NODES = re.compile(rf"\n<[^>\n]*+> {_iri(PREFIXES['ps'], f'P{_PID}')}")
_SITELINKS = re.compile(
    rf"\n<(?:{re.escape(ENTITY)}|https?://www\.wikidata\.org/wiki/Special:EntityData/)Q{_NUMBER}> "
    rf'{_iri(WIKIBASE + "sitelinks")} "([0-9]{{1,9}})"'
)
_UNIT = re.compile(rf"\n<[^>\n]*+> {_iri(WIKIBASE + 'quantityUnit')} {_ITEM} \.")
_CLAIM = _line(ENTITY, rf"Q{_NUMBER}> {_iri(PREFIXES['p'], f'P{_PID}')} <{re.escape(STATEMENT)}([^>]*+)> \.")
_STATEMENT = re.compile(rf"(\n<{re.escape(STATEMENT)}{_NAME}> )(.*(?:\n<{re.escape(STATEMENT)}\2> .*)*)")
"""All lines of a statement that stand together."""
_TERM = _line(ENTITY, rf"Q{_NUMBER}> <({'|'.join(map(re.escape, _TEXTS))})> {_LITERAL}@([Ee][Nn]|[Mm][Uu][Ll]) \.")
_VALUE = _line(
    PREFIXES["wdv"],
    rf"([^>]*+)> <{re.escape(WIKIBASE)}"
    r"(time(?:Value|Precision|CalendarModel)|quantity(?:Amount|Unit|(?:Lower|Upper)Bound))> (.*) \.",
)
_TRUTHY = _line(ENTITY, rf"Q{_NUMBER}> <({re.escape(PREFIXES['wdt'])}[^>]*+|{re.escape(_RDF_TYPE)})> (.*) \.")
_PROPERTY = _line(ENTITY, rf"P{_PID}> <([^>\n]*+)> (.*) \.")

Report = Callable[[int, int], None]
"""Told how many bytes of how many were read."""


class Survey(NamedTuple):
    """What the first pass found out."""

    full: bool
    """Whether the dump has statement nodes."""
    triples: int
    wanted: frozenset[str]
    """Numbers of the entities whose details the second pass keeps, a little more than the snapshot will speak of."""
    owners: Mapping[str, str]
    """Statement → number of its subject, for those whose name does not begin with their subject's."""
    sha256: str
    plain: bool
    """Whether every line had the plainest form: the same bytes need no other check."""


class Details(NamedTuple):
    """What the second pass found besides what is on the shelf."""

    metadata: list[tuple[int, str, str, str, bool]]
    """(property, predicate's IRI, value, language, whether an IRI) of properties."""
    constraints: dict[str, dict[str, list[str]]]
    """Constraint statement → predicate's IRI → values."""


class _Pass(Protocol):
    """What one pass does with the lines."""

    def take(self, block: str) -> None:
        """Keep what is wanted of a block of lines."""

    def memory(self) -> dict[str, Any]:
        """What it has kept outside the shelf; JSON-safe."""


class DumpReading:
    """Both passes over a dump; what an earlier process has read of it, and committed, is not read again.

    Args:
        dump: the file.
        shelf: of this reading.
        domains: the configuration.
    """

    def __init__(self, dump: Dump, shelf: Shelf, domains: Domains) -> None:
        self._dump, self._shelf, self._domains = dump, shelf, domains

    def survey(self, report: Report, kept: Mapping[str, Sequence[int]]) -> Survey:
        """The first pass; `kept` as in `plan.PullPlan`.

        Raises:
            UserError: the file cannot be read.
            DumpChanged: it is not the one that an earlier process read a part of.
        """
        saved, shelf = self._shelf.saved(), self._shelf
        if "survey" not in saved:
            surveyor = _Surveyor(shelf, self._domains, saved.get("memory", {}))
            stream = DumpStream(self._dump, DumpPlace(*saved.get("place", ())))
            self._walk(stream, surveyor, {}, report)
            shelf.finish_edges()
            _want(shelf, self._domains, surveyor.units, kept)
            survey = [surveyor.full, stream.triples, surveyor.owners, stream.sha256, stream.plain]
            saved = {"survey": survey}
            shelf.save(saved)
        elif self._dump.sha256() != saved["survey"][3]:
            raise DumpChanged
        full, triples, owners, sha256, plain = saved["survey"]
        return Survey(full, triples, frozenset(map(str, shelf.wanted())), owners, sha256, plain)

    def details(self, report: Report, first: Survey) -> Details:
        """The second pass.

        Raises:
            UserError: the file is no longer the one of the first pass.
            DumpChanged: nor the one of which the second has read a part.
        """
        saved, shelf = self._shelf.saved(), self._shelf
        if "details" not in saved:
            collector = _Collector(shelf, self._domains, first, saved.get("memory", {}))
            stream = DumpStream(self._dump, DumpPlace(*saved.get("place", ())), checked=first.plain)
            self._walk(stream, collector, {"survey": saved["survey"]}, report)
            if stream.sha256 != first.sha256:
                raise UserError("the source changed while it was read", "wait for the download to end, then pull again")
            shelf.finish_details()
            saved = {"survey": saved["survey"], "details": collector.memory()}
            shelf.save(saved)
        return Details(**saved["details"])

    def _walk(self, stream: DumpStream, reader: _Pass, known: Mapping[str, Any], report: Report) -> None:
        due = 0.0
        for block in stream:
            reader.take(block)
            report(stream.done, stream.size)
            if stream.place is not None and (now := time.monotonic()) >= due:
                self._shelf.save({**known, "place": stream.place, "memory": reader.memory()})
                due = time.monotonic() + _PATIENCE * (time.monotonic() - now)
            else:
                self._shelf.wake()


class _Surveyor:
    """The first pass."""

    def __init__(self, shelf: Shelf, domains: Domains, memory: Mapping[str, Any]) -> None:
        self._put = shelf.put
        self._pids = frozenset(map(str, _item_properties(domains)))
        self.full = bool(memory.get("full"))
        self.owners: dict[str, str] = memory.get("owners", {})
        self.units: set[str] = set(memory.get("units", ()))

    def memory(self) -> dict[str, Any]:
        """As `_Pass.memory`."""
        return {"full": self.full, "owners": self.owners, "units": sorted(self.units)}

    def take(self, block: str) -> None:
        """As `_Pass.take`."""
        pids = self._pids
        edges = [f"{s}\t{p or SAME_AS}\t{o}\tt\n" for s, p, o in _DIRECT.findall(block) if not p or p in pids]
        if PREFIXES["ps"] in block:
            edges += self._stated(block)
        self._put("edge", edges)
        if "#sitelinks>" in block:
            self._put("sitelinks", [f"{s}\t{n}\n" for s, n in _SITELINKS.findall(block)])
        if "#quantityUnit>" in block:
            self.units.update(_UNIT.findall(block))

    def _stated(self, block: str) -> list[str]:
        pids = self._pids
        for s, p, name in _STRANGERS.findall(block):
            if p in pids and _owner(name) != s:
                self.owners[name] = s
        self.full = self.full or any(p in pids for p in _NODES.findall(block))
        stated = _STATED.findall(block)
        if self.owners:
            known = self.owners.get
            stated = [(name, known(name, s), p, o) for name, s, p, o in stated]
        return [f"{s}\t{p}\t{o}\tf\n" for _, s, p, o in stated if p in pids and s and _is_item(s)]


class _Collector:
    """The second pass."""

    def __init__(self, shelf: Shelf, domains: Domains, first: Survey, memory: Mapping[str, Any]) -> None:
        self._put, self._first = shelf.put, first
        self._pids = frozenset(map(str, {*domains.all_properties(), *wd.TIME_QUALIFIERS, *wd.HEDGES}))
        self._keys = _keys(self._pids) if first.full else {}
        self._metadata: list[Sequence[Any]] = memory.get("metadata", [])
        self._constraints: dict[str, dict[str, list[str]]] = memory.get("constraints", {})

    def memory(self) -> dict[str, Any]:
        """As `_Pass.memory`."""
        return {"metadata": self._metadata, "constraints": self._constraints}

    def take(self, block: str) -> None:
        """As `_Pass.take`."""
        wanted = self._first.wanted
        self._put("claim", self._claims(block) if self._first.full else self._truthy(block))
        self._put(
            "term",
            [
                f"{s}\t{k}\t{escaped(text(x))}\t{language.lower()}\n"
                for s, k, x, language in _TERM.findall(block)
                if s in wanted
            ],
        )
        self._put(
            "node",
            [
                f"{copied(node)}\t{field}\t{escaped(term(value).value)}\n"
                for node, field, value in _VALUE.findall(block)
            ],
        )
        for p, predicate, value in _PROPERTY.findall(block):
            if predicate in _OF_PROPERTIES:
                found = term(value)
                if found.kind != "literal" or found.language in _LANGUAGES:
                    self._metadata.append((int(p), predicate, found.value, found.language, found.kind != "literal"))

    def _claims(self, block: str) -> list[str]:
        wanted, pids, owner = self._first.wanted, self._pids, self._first.owners.get
        claims = {name: (s, p) for s, p, name in _CLAIM.findall(block) if p in pids and s in wanted}
        lines = []
        for start, name, s, rest in _STATEMENT.findall(block):
            if owner(name, s) in wanted:
                if parts := self._parts(start, rest):
                    of, p = claims.pop(name, ("", ""))
                    if "\\" in rest or "\t" in rest:
                        parts = list(map(copied, parts))
                    lines.append(_fragment(of or owner(name, s), name, [*parts, f"c{p}"] if of else parts))
            elif name[:1] in "Pp":
                self._constraint(name, start, rest)
        return lines + [_fragment(s, name, [f"c{p}"]) for name, (s, p) in claims.items()]

    def _parts(self, start: str, rest: str) -> list[str]:
        parts, key = [], self._keys.get
        for line in rest.split(start):
            predicate, _, value = line.partition(" ")
            letter = key(predicate)
            if letter is not None and (letter != "t" or value.startswith(_NO_VALUE)):
                parts.append(f"{letter} {value[:-2]}")
        # A rank beside the value of a property that nobody asks for.
        return [] if len(parts) == 1 and parts[0][0] == "r" and PREFIXES["ps"] in rest else parts

    def _constraint(self, name: str, start: str, rest: str) -> None:
        for line in rest.split(start):
            predicate, _, value = line.partition(" ")
            if predicate[1:-1] in _OF_CONSTRAINTS:
                values = self._constraints.setdefault(name, {}).setdefault(predicate[1:-1], [])
                values.append(term(value[:-2]).value)

    def _truthy(self, block: str) -> list[str]:
        """`wd:s wdt:pid value` and `wd:s a wdno:pid`, each as a statement of its own."""
        wanted, lines = self._first.wanted, []
        for s, predicate, value in _TRUTHY.findall(block):
            if s not in wanted:
                continue
            if predicate == _RDF_TYPE:
                number = property_number(value[1:-1]) if value.startswith(_NO_VALUE) else None
                if number is not None:
                    lines.append(_fragment(s, f"Q{s}-P{number}-none", [f"c{number}", f"t {copied(value)}"]))
            elif (p := predicate[len(PREFIXES["wdt"]) + 1 :]) in self._pids:
                lines.append(_fragment(s, truthy_name(s, p, *term(value)[:3]), [f"c{p}", f"v{p} {copied(value)}"]))
        return lines


_NO_VALUE = f"<{NO_VALUE}"
_OF_PROPERTIES = frozenset((
    LABEL,
    WIKIBASE + "propertyType",
    of_property("wdt", wd.INVERSE),
    of_property("wdt", wd.INSTANCE_OF),
    of_property("p", wd.CONSTRAINT),
))
_OF_CONSTRAINTS = frozenset((of_property("ps", wd.CONSTRAINT), of_property("pq", wd.SEPARATOR), WIKIBASE + "rank"))


def _keys(pids: Iterable[str]) -> dict[str, str]:
    """Predicate of a statement → what its values are called on the shelf (`dump_staging.Fragment`)."""
    keys = {f"<{WIKIBASE}rank>": "r", f"<{_RDF_TYPE}>": "t"}
    for prefix, letter, numbers in (
        ("ps", "v", pids),
        ("psv", "x", pids),
        ("pq", "q", map(str, (*wd.TIME_QUALIFIERS, *wd.HEDGES))),
        ("pqv", "y", map(str, wd.TIME_QUALIFIERS)),
    ):
        keys |= {f"<{PREFIXES[prefix]}P{p}>": f"{letter}{p}" for p in numbers}
    return keys


def _fragment(s: str, name: str, parts: Iterable[str]) -> str:
    return f"{s}\t{copied(name)}\t{NEW_LINE.join(parts)}\n"


def _owner(name: str) -> str:
    """The number of a statement's subject, as far as its name says so."""
    match = _OWNER.match(name)
    return match[1] if match else ""


def _is_item(number: str) -> bool:
    return len(number) < _SHORT or int(number) <= _LARGEST


def _want(shelf: Shelf, domains: Domains, units: Iterable[str], kept: Mapping[str, Sequence[int]]) -> None:
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
    shelf.want(seeds | set(map(int, units)) | tails.union(*kept.values()))
    upward = (SAME_AS, wd.INSTANCE_OF, *domains.chain)
    last = shelf.follow(None, 0, forever=False)
    last = shelf.follow(upward, last, forever=True)
    last = shelf.follow((*domains.links, SAME_AS), last, forever=False)
    shelf.follow(upward, last, forever=True)


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
