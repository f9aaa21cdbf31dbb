"""The plan's requests, answered from what a dump's two passes have stored.

So a dump goes through the same plan, normalising and loading as a query service, and the same data gives the same
snapshot wherever it was read.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, starmap
from typing import NamedTuple, assert_never

from halluvault_tasks.knowledge import requests as r
from halluvault_tasks.knowledge.answer_source import AnswerSource, RequestStep, UnansweredBatch
from halluvault_tasks.knowledge.counted_answers import Cell, Row
from halluvault_tasks.knowledge.dump_read import Details
from halluvault_tasks.knowledge.dump_staging import SAME_AS, Shelf
from halluvault_tasks.knowledge.dump_terms import term
from halluvault_tasks.knowledge.progress import PullProgress, Report
from halluvault_tasks.knowledge.pulled_vs_written import StoredBody
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.iris import ENTITY, PREFIXES, STATEMENT, WIKIBASE, of_property, property_number

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

    def add(self, part: str) -> None:
        """Take in a part as the second pass wrote it (`dump_staging.Fragment`)."""
        key, _, token = part.partition(" ")
        letter, pid = key[0], int(key[1:] or 0)
        match letter:
            case "c":
                self.pids.append(pid)
            case "r":
                self.ranks.append(term(token).value)
            case "v":
                self.values.append((pid, _cell(token)))
            case "t":
                if number := property_number(term(token).value):
                    self.absent.add(number)
            case "q":
                self.qualifiers.append((pid, _cell(token)))
            case "x":
                self.nodes.append((pid, _node(token)))
            case _:
                self.qualifier_nodes.append((pid, _node(token)))


class ReadyRows(NamedTuple):
    """Rows that are there already, where a service's would be under way."""

    answer: list[Row]

    def rows(self) -> list[Row]:
        """All of them."""
        return self.answer

    def close(self) -> None:
        """Nothing is under way."""


class DumpAnswers(AnswerSource):
    """Answers the plan from a dump's shelf.

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
        self.given_up: dict[str, UnansweredBatch] = {}
        """Empty: nothing is too much."""
        self.read: dict[str, StoredBody] = {}
        """Empty: there are no stored answers."""
        self._shelf = shelf
        self._details = details
        self._unsaid_rank = None if full else WIKIBASE + "NormalRank"
        self._report = report
        self._subjects: tuple[int, ...] = ()
        self._claims: dict[str, _Claim] = {}
        self._nodes: dict[str, dict[str, str]] = {}

    def together(
        self, steps: Sequence[RequestStep], domain: str, size: int
    ) -> Iterator[tuple[Sequence[int], list[list[Row]]]]:
        """As `AnswerSource.together`."""
        batches = list(zip(*(step.request.batches(max(size, _LARGEST)) for step in steps), strict=True))
        for number, batch in enumerate(batches, start=1):
            yield batch[0].ids, [self._answer(request) for request in batch]
            if self._report:
                self._report(PullProgress(steps[0].stage, domain, number, len(batches)))

    def rows(self, stage: str, domain: str, request: r.NumberedRequest) -> list[Row]:
        """As `AnswerSource.rows`."""
        return self._answer(request)

    def later(self, stage: str, domain: str, request: r.StatementQualifiers, size: int) -> ReadyRows:
        """As `AnswerSource.later`; the answer is computed at once, while its subjects are in memory."""
        return ReadyRows(self._answer(request))

    def _answer(self, request: r.Request) -> list[Row]:
        match request:
            case r.KnownItems(ids):
                return self._known(ids)
            case r.PropertyTerms(ids):
                return self._metadata_terms(ids)
            case r.PropertyConstraints(ids):
                return self._metadata_constraints(ids)
            case r.Subclasses(ids):
                return [_seed(qid, None) for qid in self._shelf.below(ids)]
            case r.ClassMembers(ids, mode, sitelinks):
                return list(starmap(_seed, self._shelf.members(ids, wd.MEMBERSHIP[mode], sitelinks)))
            case r.TailMembers(ids, mode, sitelinks, ending):
                return list(starmap(_seed, self._shelf.tail(ids, wd.MEMBERSHIP[mode], sitelinks, ending)))
            case r.ListedItems(ids):
                return list(starmap(_seed, self._shelf.listed(ids)))
            case r.SubjectStatements(ids, properties):
                return self._statements(ids, properties)
            case r.SubjectTimes(ids, properties):
                return self._times(ids, properties)
            case r.SubjectQuantities(ids, properties):
                return self._quantities(ids, properties)
            case r.StatementQualifiers(guids):
                return list(chain.from_iterable(map(self._qualifiers, guids)))
            case r.EntityTerms(ids):
                return self._entities(ids)
            case _:
                assert_never(request)

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
        wanted = set(properties)
        return [
            row
            for pid, key, value, _language, _iri in self._details.metadata
            if pid in wanted and key == of_property("p", wd.CONSTRAINT)
            for row in _constraint_rows(pid, self._details.constraints.get(value[len(STATEMENT) :], {}))
        ]

    def _entities(self, numbers: Sequence[int]) -> list[Row]:
        rows: list[Row] = [
            {"e": _entity(qid), "k": _uri(key), "x": _literal(value, language)}
            for qid, key, value, language in self._shelf.terms(numbers)
        ]
        kinds = {wd.INSTANCE_OF: of_property("wdt", wd.INSTANCE_OF), SAME_AS: PREFIXES["owl"] + "sameAs"}
        rows += [{"e": _entity(s), "k": _uri(kinds[pid]), "x": _entity(o)} for s, pid, o in self._shelf.links(numbers)]
        return rows + [
            {"e": _entity(qid), "k": _uri(WIKIBASE + "sitelinks"), "x": _literal(str(count))}
            for qid, count in self._shelf.sitelinks(numbers)
        ]

    def _statements(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        rows: list[Row] = []
        for name, claim in self._of(subjects, properties):
            row = {"s": _entity(claim.s), "c": _uri(f"{PREFIXES['p']}P{claim.pid}"), "st": _uri(STATEMENT + name)}
            if rank := min(claim.ranks, default=self._unsaid_rank):
                row["rank"] = _uri(rank)
            if claim.pid in claim.absent:
                row["no"] = _uri(f"{PREFIXES['wdno']}P{claim.pid}")
            values = [cell for pid, cell in claim.values if pid == claim.pid]
            rows += [row | {"v": cell} for cell in values] or [row]
        return rows

    def _times(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        return [
            {"st": _uri(STATEMENT + name), **time}
            for name, claim in self._of(subjects, properties)
            for pid, node in claim.nodes
            if pid == claim.pid and (time := self._time(node))
        ]

    def _quantities(self, subjects: Sequence[int], properties: Sequence[int]) -> list[Row]:
        return [
            {"st": _uri(STATEMENT + name), **quantity}
            for name, claim in self._of(subjects, properties)
            for pid, node in claim.nodes
            if pid == claim.pid and (quantity := self._quantity(node))
        ]

    def _qualifiers(self, guid: str) -> Iterator[Row]:
        claim, statement = self._claims[guid], {"st": _uri(STATEMENT + guid)}
        if not (claim.qualifiers or claim.absent):
            return
        for pid, cell in claim.qualifiers:
            if pid in _MARKS:
                yield statement | {"k": _uri(of_property("pq", pid)), "node": cell}
        for pid, node in claim.qualifier_nodes:
            if pid in wd.TIME_QUALIFIERS:
                row = statement | {"k": _uri(of_property("pqv", pid)), "node": _uri(PREFIXES["wdv"] + node)}
                yield row | self._time(node)
        for pid in sorted(claim.absent.intersection(wd.TIME_QUALIFIERS)):
            yield statement | {"k": _uri(PREFIXES["rdf"] + "type"), "node": _uri(of_property("wdno", pid))}

    def _quantity(self, node: str) -> Row:
        fields = self._nodes.get(node, {})
        if not {"quantityAmount", "quantityUnit"} <= fields.keys():
            return {}
        row = {"amount": _literal(fields["quantityAmount"]), "unit": _uri(fields["quantityUnit"])}
        for column, field in (("low", "quantityLowerBound"), ("high", "quantityUpperBound")):
            if field in fields:
                row[column] = _literal(fields[field])
        return row

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
    claims: dict[str, _Claim] = {}
    for fragment in shelf.claims(subjects):
        claim = claims.get(fragment.guid)
        if claim is None:
            claim = claims[fragment.guid] = _Claim(fragment.s, [], [], [], [], set(), [], [])
        for part in fragment.parts.split("\n"):
            claim.add(part)
    return {name: claim for name, claim in claims.items() if claim.pids}


def _constraint_rows(pid: int, statement: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for kind in statement.get(of_property("ps", wd.CONSTRAINT), ()):
        for rank in statement.get(WIKIBASE + "rank", ()):
            for separator in statement.get(of_property("pq", wd.SEPARATOR), [""]):
                row = {"p": _property(pid), "type": _uri(kind), "rank": _uri(rank)}
                yield row | ({"separator": _uri(separator)} if separator else {})


def _cell(token: str) -> Cell:
    kind, value, datatype, _ = term(token)
    cell = {"type": kind, "value": value}
    return cell | {"datatype": datatype} if datatype else cell


def _node(token: str) -> str:
    return term(token).value.rsplit("/", 1)[-1]


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
