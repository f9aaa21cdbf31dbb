"""Reading a frozen benchmark: one whole case, a random sheet for auditors, and the export."""

import json
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, Select, func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.snapshots import find
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases, prompt, prompt_variant
from halluvault_tasks.storage.tables import snapshot as snapshots
from halluvault_tasks.wikidata.snapshot_keys import parse_key

_NEWEST_FIRST = (snapshots.c.month.desc(), snapshots.c.revision.desc())


class CaseView(NamedTuple):
    """A case as people and programs read it."""

    snapshot: str
    id: str
    question: str
    gold: str
    group_id: str
    mutation: str
    relation: str
    suite: str
    domain: str
    rule_kind: str
    licence: str
    fact: dict[str, Any]
    premises: list[dict[str, Any]]
    proof: str


class PromptView(NamedTuple):
    """A stored prompt with its variant's columns."""

    template: str
    version: int
    form: str
    context: str
    text: str


_COLUMNS = (
    benchmark_case.c.snapshot,
    cases.c.id,
    cases.c.question,
    cases.c.gold,
    cases.c.group_id,
    cases.c.mutation,
    cases.c.relation,
    cases.c.suite,
    benchmark_case.c.domain,
    benchmark_case.c.rule_kind,
    benchmark_case.c.licence,
    benchmark_case.c.fact,
    benchmark_case.c.premises,
    benchmark_case.c.proof,
)


def _all() -> Select[Any]:
    return select(*_COLUMNS).join(benchmark_case, benchmark_case.c.case_id == cases.c.id)


def _view(row: RowMapping) -> CaseView:
    return CaseView(**row)


def newest(session: Session) -> str:
    """Snapshot of the newest frozen benchmark, by month and revision (as text, 2026-10.10 comes before 2026-10.2).

    Raises:
        UserError: there is none.
    """
    found = session.scalar(
        select(benchmark_part.c.snapshot)
        .join(snapshots, snapshots.c.snapshot == benchmark_part.c.snapshot)
        .order_by(*_NEWEST_FIRST)
        .limit(1)
    )
    if found is None:
        raise UserError("no benchmark is frozen", "halluvault benchmark build")
    return str(found)


def meant(session: Session, key_or_month: str = "") -> str:
    """Exact key of the month that a user means for questions.

    A month means its highest revision with a published benchmark: one that is pulled again is not asked before it has
    questions. Empty means the newest month with a frozen one, and an exact key itself.

    Raises:
        UserError: there is none such.
    """
    if not key_or_month.strip():
        return newest(session)
    key = parse_key(key_or_month)
    asked = (
        select(benchmark_part.c.snapshot)
        .join(snapshots, snapshots.c.snapshot == benchmark_part.c.snapshot)
        .where(snapshots.c.month == key.month, snapshots.c.status == "published", benchmark_part.c.published)
    )
    found = session.scalar(asked.order_by(*_NEWEST_FIRST).limit(1)) if key.revision is None else None
    return str(found) if found else find(session, key_or_month).snapshot


def case(session: Session, case_id: str, snapshot: str = "") -> CaseView:
    """A case by its id, or by enough of its beginning.

    Args:
        session: open session.
        case_id: hex digits.
        snapshot: the month; empty: the newest that asks it.

    Raises:
        UserError: no case begins so, or several do.
    """
    if not case_id or set(case_id) - set("0123456789abcdef"):
        raise UserError(f"case {case_id!r} is not a case id; an id is 16 hex digits", "halluvault benchmark sample")
    query = _all().where(cases.c.id.startswith(case_id, autoescape=True))
    if snapshot:
        query = query.where(benchmark_case.c.snapshot == snapshot)
    query = query.join(snapshots, snapshots.c.snapshot == benchmark_case.c.snapshot)
    rows = session.execute(query.order_by(*_NEWEST_FIRST, cases.c.id).limit(50)).mappings().all()
    where = f" of {snapshot}" if snapshot else ""
    if not rows:
        raise UserError(f"no case{where} has an id that begins with {case_id!r}", "halluvault benchmark sample")
    if len({row["id"] for row in rows}) > 1:
        raise UserError(
            f"several cases{where} begin with {case_id!r}: {', '.join(sorted({row['id'] for row in rows})[:5])}"
        )
    return _view(rows[0])


def prompts(session: Session, one: CaseView) -> list[PromptView]:
    """The stored prompts of a case."""
    columns = (
        prompt_variant.c.template,
        prompt_variant.c.version,
        prompt_variant.c.form,
        prompt_variant.c.context,
        prompt.c.text,
    )
    rows = session.execute(
        select(*columns)
        .join(prompt, prompt.c.variant_id == prompt_variant.c.id)
        .where(prompt.c.snapshot == one.snapshot, prompt.c.case_id == one.id)
        .order_by(prompt_variant.c.template, prompt_variant.c.version, prompt_variant.c.form, prompt_variant.c.context)
    )
    return [PromptView(*row) for row in rows]


def sample(session: Session, snapshot: str, *, count: int, seed: int) -> list[CaseView]:
    """A random sample of cases, the same for the same seed, in the order of the draw."""
    identities = session.scalars(select(benchmark_case.c.case_id).where(benchmark_case.c.snapshot == snapshot)).all()
    if not identities:
        raise part_lookup.missing(session, snapshot)
    chosen = sorted(identities, key=lambda one: drawn(seed, one))[:count]
    rows = session.execute(_all().where(benchmark_case.c.snapshot == snapshot, cases.c.id.in_(chosen))).mappings()
    by_id = {row["id"]: _view(row) for row in rows}
    return [by_id[one] for one in chosen]


def every(session: Session, snapshot: str, suites: Collection[str] = ()) -> Iterator[CaseView]:
    """All cases of a benchmark, ids ascending; of these suites, if any are named."""
    query = _all().where(benchmark_case.c.snapshot == snapshot)
    if suites:
        query = query.where(benchmark_case.c.suite.in_(suites))
    for row in session.execute(query.order_by(cases.c.id).execution_options(yield_per=500)).mappings():
        yield _view(row)


def export(session: Session, snapshot: str, suites: Collection[str] = ()) -> Iterator[str]:
    """All cases of a benchmark, or of these suites, as JSON lines, ids ascending; the keys are those of `CaseView`."""
    for one in every(session, snapshot, suites):
        yield json.dumps(one._asdict(), ensure_ascii=False, sort_keys=True)


class VariantView(NamedTuple):
    """A prompt variant of a benchmark, and how many of its cases have it."""

    id: str
    template: str
    version: int
    form: str
    context: str
    prompts: int
    """How many cases have it: out-of-distribution prompts exist only where a case depends on something recent."""

    @property
    def slug(self) -> str:
        """Its name in file and task names, e.g. `drowzee-1-plain-closed-book`."""
        return f"{self.template}-{self.version}-{self.form}-{self.context}".replace("/", "-")


def variants(session: Session, snapshot: str, suites: Collection[str] = ()) -> list[VariantView]:
    """The variants that prompts of a benchmark, or of these suites, are stored in: plain first, closed-book first."""
    columns = [prompt_variant.c[name] for name in ("id", "template", "version", "form", "context")]
    query = (
        select(*columns, func.count())
        .join(prompt, prompt.c.variant_id == prompt_variant.c.id)
        .join(
            benchmark_case,
            (benchmark_case.c.snapshot == prompt.c.snapshot) & (benchmark_case.c.case_id == prompt.c.case_id),
        )
        .where(prompt.c.snapshot == snapshot)
        .group_by(*columns)
    )
    if suites:
        query = query.where(benchmark_case.c.suite.in_(suites))
    return sorted(
        (VariantView._make(row) for row in session.execute(query)),
        key=lambda one: (one.form != "plain", one.context != "closed-book", one.template, one.context, one.version),
    )
