"""The pull plan's questions, answered from what a dump's two passes have stored.

So a dump goes through the same plan, normalising and loading as a query service, and the same data gives the same
snapshot wherever it was read.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from halluvault_tasks.knowledge.batches import Quarantined, Step, batched
from halluvault_tasks.knowledge.counted_answers import Cell, Row
from halluvault_tasks.knowledge.dump_read import Details
from halluvault_tasks.knowledge.dump_staging import SAME_AS, Shelf
from halluvault_tasks.knowledge.progress import Progress, Report
from halluvault_tasks.knowledge.pulled_vs_written import Body
from halluvault_tasks.knowledge.queries import Query
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import ENTITY, PREFIXES, STATEMENT, WIKIBASE, of_property

_LARGEST = 500
"""Ids that are looked up at a time: what limits memory, now that nothing limits a request."""
_MARKS = frozenset((*wd.TIME_QUALIFIERS, *wd.HEDGES))


class _Claim(NamedTuple):
    """One statement, from all its fragments."""

    s: int
    pids: list[int]
    """Of its `p:` lines: one."""
    ranks: list[str]
    values: list[tuple[int, Cell]]
    nodes: list[tuple[int, str]]
    absent: set[int]
    qualifiers: list[tuple[int, Cell]]
    qualifier_nodes: list[tuple[int, str]]

    @property
    def pid(self) -> int:
        """Its property."""
        return self.pids[0]


class Local:
    """Stands where a client of a service stands: the dump is on this machine."""

    local = True
    requests = 0

    def breathe(self) -> None:
        """There is nothing to spare."""


class Ready(NamedTuple):
    """Rows that are there already, where a service's would be under way."""

    found: list[Row]

    def rows(self) -> list[Row]:
        """All of them."""
        return self.found

    def close(self) -> None:
        """Nothing is under way."""


class DumpAnswers:
    """Answers the plan as `batches.Batches` does.

    Args:
        shelf: filled by both passes.
        details: of the second pass.
        snapshot: exact key.
        full: whether the dump has statement nodes, and so ranks; of a truthy one every value is of the best rank.
        report: told after every batch.
    """

    def __init__(
        self, shelf: Shelf, details: Details, snapshot: str, *, full: bool, report: Report | None = None
    ) -> None:
        self.snapshot = snapshot
        self.client = Local()
        self.given_up: dict[str, Quarantined] = {}
        self.read: dict[str, Body] = {}
        """Empty: there are no stored answers."""
        self._shelf = shelf
        self._details = details
        self._unsaid_rank = None if full else WIKIBASE + "NormalRank"
        self._report = report
        self._subjects: tuple[int, ...] = ()
        self._claims: dict[str, _Claim] = {}
        self._nodes: dict[str, dict[str, str]] = {}

    def each(
        self, stage: str, domain: str, ids: Sequence[int], size: int, render: Callable[[Sequence[int]], Query]
    ) -> Iterator[tuple[Sequence[int], list[Row]]]:
        """As `Batches.each`."""
        for chunk, (rows,) in self.each_of([Step(stage, render)], domain, ids, size):
            yield chunk, rows

    def each_of(
        self, steps: Sequence[Step], domain: str, ids: Sequence[int], size: int
    ) -> Iterator[tuple[Sequence[int], list[list[Row]]]]:
        """As `Batches.each_of`."""
        chunks = list(batched(ids, max(size, _LARGEST)))
        for number, chunk in enumerate(chunks, start=1):
            yield chunk, [self._answer(step.render(chunk)) for step in steps]
            if self._report:
                self._report(Progress(steps[0].stage, domain, number, len(chunks)))

    def later(
        self, stage: str, domain: str, ids: Sequence[str], size: int, render: Callable[[Sequence[str]], Query]
    ) -> "Ready":
        """As `Batches.later`; the answer is computed at once, while its subjects are in memory."""
        return Ready(self._answer(render(ids)) if ids else [])

    def rows(self, stage: str, domain: str, ids: Sequence[Any], render: Callable[..., Query], **_: object) -> list[Row]:
        """As `Batches.rows`."""
        return self._answer(render(ids))

    def _answer(self, query: Query) -> list[Row]:
        name, *arguments = query.about
        answer: Callable[..., list[Row]] = getattr(self, f"_{name}")
        return answer(*arguments)

    def _known(self, items: Sequence[int]) -> list[Row]:
        return [
            {"e": _entity(qid)} | ({"target": _entity(target)} if target else {})
            for qid, target in self._shelf.known(items)
        ]

    def _metadata_terms(self, properties: Sequence[int]) -> list[Row]:
        kept = {PREFIXES["rdfs"] + "label", WIKIBASE + "propertyType"}
        kept |= {of_property("wdt", pid) for pid in (wd.INVERSE, wd.INSTANCE_OF)}
        wanted = set(properties)
        return [
            {"p": _property(pid), "k": _uri(key), "x": _uri(value) if iri else _literal(value, language)}
            for pid, key, value, language, iri in self._details.metadata
            if pid in wanted and key in kept and (iri or language in {"en", "mul"})
        ]

    def _metadata_constraints(self, properties: Sequence[int]) -> list[Row]:
        wanted, found = set(properties), []
        for pid, key, value, _language, _iri in self._details.metadata:
            if pid not in wanted or key != of_property("p", wd.CONSTRAINT):
                continue
            said = self._details.constraints.get(value[len(STATEMENT) :], {})
            for kind in said.get(of_property("ps", wd.CONSTRAINT), ()):
                for rank in said.get(WIKIBASE + "rank", ()):
                    for separator in said.get(of_property("pq", wd.SEPARATOR), [""]):
                        row = {"p": _property(pid), "type": _uri(kind), "rank": _uri(rank)}
                        found.append(row | ({"separator": _uri(separator)} if separator else {}))
        return found

    def _subclasses(self, classes: Sequence[int]) -> list[Row]:
        return [{"s": _entity(qid)} for qid in self._shelf.below(classes)]

    def _seeds(self, classes: Sequence[int], mode: str, sitelinks: int) -> list[Row]:
        return [_seed(*member) for member in self._shelf.members(classes, wd.MEMBERSHIP[mode], sitelinks)]

    def _listed_seeds(self, items: Sequence[int]) -> list[Row]:
        return [_seed(*member) for member in self._shelf.listed(items)]

    def _entities(self, numbers: Sequence[int]) -> list[Row]:
        found: list[Row] = [
            {"e": _entity(qid), "k": _uri(key), "x": _literal(value, language)}
            for qid, key, value, language in self._shelf.terms(numbers)
        ]
        kinds = {wd.INSTANCE_OF: of_property("wdt", wd.INSTANCE_OF), SAME_AS: PREFIXES["owl"] + "sameAs"}
        found += [{"e": _entity(s), "k": _uri(kinds[pid]), "x": _entity(o)} for s, pid, o in self._shelf.links(numbers)]
        return found + [
            {"e": _entity(qid), "k": _uri(WIKIBASE + "sitelinks"), "x": _literal(str(count))}
            for qid, count in self._shelf.sitelinks(numbers)
        ]

    def _statements(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        found: list[Row] = []
        for name, claim in self._of(subjects, properties):
            row = {"s": _entity(claim.s), "c": _uri(f"{PREFIXES['p']}P{claim.pid}"), "st": _uri(STATEMENT + name)}
            if rank := min(claim.ranks, default=self._unsaid_rank):
                row["rank"] = _uri(rank)
            if claim.pid in claim.absent:
                row["no"] = _uri(f"{PREFIXES['wdno']}P{claim.pid}")
            values = [cell for pid, cell in claim.values if pid == claim.pid]
            found += [row | {"v": cell} for cell in values] or [row]
        return found

    def _times(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        return [
            {"st": _uri(STATEMENT + name), **time}
            for name, claim in self._of(subjects, properties)
            for pid, node in claim.nodes
            if pid == claim.pid and (time := self._time(node))
        ]

    def _quantities(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        found = []
        for name, claim in self._of(subjects, properties):
            for pid, node in claim.nodes:
                fields = self._nodes.get(node, {})
                if pid != claim.pid or not {"quantityAmount", "quantityUnit"} <= fields.keys():
                    continue
                row = {"amount": _literal(fields["quantityAmount"]), "unit": _uri(fields["quantityUnit"])}
                for column, field in (("low", "quantityLowerBound"), ("high", "quantityUpperBound")):
                    if field in fields:
                        row[column] = _literal(fields[field])
                found.append({"st": _uri(STATEMENT + name), **row})
        return found

    def _qualifiers(self, names: Sequence[str]) -> list[Row]:
        found: list[Row] = []
        for name in names:
            claim = self._claims[name]
            if not (claim.qualifiers or claim.absent):
                continue
            here = {"st": _uri(STATEMENT + name)}
            for pid, cell in claim.qualifiers:
                if pid in _MARKS:
                    found.append(here | {"k": _uri(of_property("pq", pid)), "node": cell})
            for pid, node in claim.qualifier_nodes:
                if pid in wd.TIME_QUALIFIERS:
                    row = here | {"k": _uri(of_property("pqv", pid)), "node": _uri(PREFIXES["wdv"] + node)}
                    found.append(row | self._time(node))
            for pid in sorted(claim.absent.intersection(wd.TIME_QUALIFIERS)):
                found.append(here | {"k": _uri(PREFIXES["rdf"] + "type"), "node": _uri(of_property("wdno", pid))})
        return found

    def _time(self, node: str) -> Row:
        fields = self._nodes.get(node, {})
        if not {"timeValue", "timePrecision", "timeCalendarModel"} <= fields.keys():
            return {}
        return {
            "t": _literal(fields["timeValue"]),
            "precision": _literal(fields["timePrecision"]),
            "calendar": _uri(fields["timeCalendarModel"]),
        }

    def _of(self, subjects: Sequence[int], properties: Sequence[int]) -> Iterator[tuple[str, _Claim]]:
        if tuple(subjects) != self._subjects:
            self._subjects = tuple(subjects)
            self._claims = _assembled(self._shelf, self._subjects)
            names = {node for claim in self._claims.values() for _, node in (*claim.nodes, *claim.qualifier_nodes)}
            self._nodes = self._shelf.nodes(sorted(names))
        wanted = set(properties)
        for name, claim in self._claims.items():
            if claim.pid in wanted:
                yield name, claim


def _assembled(shelf: Shelf, subjects: Sequence[int]) -> dict[str, _Claim]:
    """Statements of the subjects; one that has no subject's `p:` line is none of theirs."""
    fragments = shelf.claims(subjects)
    found: dict[str, _Claim] = {}
    for fragment, parts in zip(fragments, json.loads(f"[{','.join(one.parts for one in fragments)}]"), strict=True):
        claim = found.get(fragment.guid)
        if claim is None:
            claim = found[fragment.guid] = _Claim(fragment.s, [], [], [], [], set(), [], [])
        for kind, *part in parts:
            if kind == "c":
                claim.pids.append(part[0])
            elif kind == "rank":
                claim.ranks.append(part[0])
            elif kind == "v":
                claim.values.append((part[0], _cell(*part[1:])))
            elif kind == "no":
                claim.absent.add(part[0])
            elif kind == "q":
                claim.qualifiers.append((part[0], _cell(*part[1:])))
            else:
                (claim.nodes if kind == "node of v" else claim.qualifier_nodes).append((part[0], part[1]))
    return {name: claim for name, claim in found.items() if claim.pids}


def _cell(kind: str, value: str, datatype: str) -> Cell:
    cell = {"type": kind, "value": value}
    return cell | {"datatype": datatype} if datatype else cell


def _uri(value: str) -> Cell:
    return {"type": "uri", "value": value}


def _entity(number: int) -> Cell:
    return _uri(f"{ENTITY}Q{number}")


def _property(number: int) -> Cell:
    return _uri(f"{ENTITY}P{number}")


def _literal(value: str, language: str = "") -> Cell:
    cell = {"type": "literal", "value": value}
    return cell | {"xml:lang": language} if language else cell


def _seed(qid: int, sitelinks: int | None) -> Row:
    row = {"s": _entity(qid)}
    return row if sitelinks is None else row | {"n": _literal(str(sitelinks))}
