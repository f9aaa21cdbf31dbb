"""Cases on a name that several places bear."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from sqlalchemy import select

from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold

_PAIRS = 3
"""Of a name, that are looked at."""


def ambiguity(ground: Ground) -> Drafts:
    """A label that several bear, asked about without saying which; what each lies in is known, and differs."""
    bearers: dict[str, list[int]] = defaultdict(list)
    for qid, known in ground.material.index.entities.items():
        if known.label and known.description:
            bearers[known.label].append(qid)
    shared = {label: sorted(several) for label, several in bearers.items() if len(several) > 1}
    around = _around(ground, {qid for several in shared.values() for qid in several})
    for label, several in sorted(shared.items()):
        lying = [qid for qid in several if len(around[qid]) == 1 and ground.statements.plainly(min(around[qid]))]
        draft = next(filter(None, _drafts(ground, label, [(qid, min(around[qid])) for qid in lying])), None)
        if draft:
            yield draft


def _around(ground: Ground, places: set[int]) -> defaultdict[int, set[int]]:
    """Place → what it lies in, or is the seat of, by statements of either end."""
    c, wanted = statement.c, sorted(places)
    rows = ground.material.session.execute(
        select(c.p, c.s, c.o).where(
            c.snapshot == ground.material.snapshot, c.kind == "item", ~c.hedged,
            ((c.p == wd.LOCATED_IN) & c.s.in_(wanted)) | ((c.p == wd.ADMINISTERS) & c.o.in_(wanted)),
        )
    )  # fmt: skip
    values: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        inner, outer = (row.s, row.o) if row.p == wd.LOCATED_IN else (row.o, row.s)
        values[inner].add(outer)
    return values


def _drafts(ground: Ground, label: str, lying: Sequence[tuple[int, int]]) -> Iterable[CaseDraft | None]:
    """A case of each of the first pairs of bearers of a name, each with what it lies in; None: they lie in one."""
    for (one, first), (other, second) in islice(combinations(lying, 2), _PAIRS):
        names = ground.spellings(first, second), ground.spellings(second, first)
        if first == second or fold(names[0][0]) == fold(names[1][0]):
            yield None
            continue
        prompt = f"The atlas has two entries called {label}. In which administrative territory does {label} lie?"
        yield CaseDraft(
            Inputs(prompt=prompt), Constraints(), expecting("ask", *names), ("ambiguity",),
            -ground.fame(one) - ground.fame(other), one, wd.LOCATED_IN, first, (),
            f"Q{one} and Q{other} bear the label, and lie in Q{first} and Q{second}",
            proof.namesakes([(one, names[0][0]), (other, names[1][0])]),
        )  # fmt: skip
