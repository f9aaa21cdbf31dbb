"""What the last published part of a suite asked, to be asked again as it was where nothing in the source is against it.

Facts are paired into blocks, and which two meet depends on what else there is. So the facts of each former block are
offered to each other first, and only what is left to everybody (`Stood.first`); and blocks that were asked before are
chosen first (`balance.choose`). Else one statement that goes would change a third of a month (semantics.md A7).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import benchmark_case, cases
from halluvault_tasks.wikidata import snapshot_keys

T = TypeVar("T")
Made = TypeVar("Made", bound=Sequence[Candidate])


class Stood(NamedTuple):
    """What a part asked.

    Attributes:
        wordings: groups, each with the mutations that were asked.
        blocks: group → the number of its block, where the part has numbers.
        facts: property, subject and object → the same, of what is called by something else there and so another group.
        subjects: who and what was asked about.
        ends: subject and object of its facts.
        licences: block → what its weakest "No" rested on.
    """

    wordings: frozenset[tuple[str, str]] = frozenset()
    blocks: Mapping[str, int] = {}
    facts: Mapping[tuple[int | None, int, int | None], int] = {}
    subjects: frozenset[int] = frozenset()
    ends: frozenset[tuple[int, int]] = frozenset()
    licences: Mapping[int, LicenceKind] = {}

    def block(self, one: Candidate) -> int | None:
        """The number of the block in which a fact stood."""
        return self.blocks.get(one.group, self.facts.get((one.pid, one.subject, one.object)))

    def one_block(self, one: Candidate, other: Candidate) -> LicenceKind | None:
        """What the block rested on in which both stood; None where they stood in none together."""
        block = self.block(one)
        return self.licences.get(block) if block is not None and block == self.block(other) else None

    def together(self, several: Iterable[T], of: Callable[[T], Candidate]) -> list[list[T]]:
        """Those that stood in one block, block by block, in their order; what stood in none is not among them."""
        found: dict[int, list[T]] = defaultdict(list)
        for one in several:
            if (block := self.block(of(one))) is not None:
                found[block].append(one)
        return [found[block] for block in sorted(found)]

    def first(
        self, facts: Sequence[T], paired: Callable[[Sequence[T]], list[Made]], of: Callable[[T], Candidate]
    ) -> list[Made]:
        """Pair facts: those of each former block with each other, then all that are left.

        Args:
            facts: what is paired.
            paired: into what.
            of: the candidate of a fact.
        """
        found = [made for former in self.together(facts, of) for made in paired(former)]
        taken = {one.identity for made in found for one in made}
        return found + paired([one for one in facts if of(one).identity not in taken])


NOTHING = Stood()


def renewed(identity: tuple[object, ...], snapshot: str, *, seed: int, share: float) -> bool:
    """Whether a block that stood gives its place to another this month: a share of them, by hash.

    By the month alone: what stood through its first pull stands through every other.
    """
    month = snapshot_keys.parse_key(snapshot).month
    return int(drawn(seed, "renewal", month, *identity)[:8], 16) < share * 0x1_0000_0000


def load(session: Session, row: SnapshotRow, suite: str) -> Stood:
    """What the last published part of a suite before a snapshot asked, of the same source.

    Args:
        session: open session; only read.
        row: the snapshot.
        suite: which.
    """
    before = snapshots.previous_part(session, row, suite)
    b, c = benchmark_case.c, cases.c
    query = (
        select(c.group_id, c.mutation, b.block, b.property, b.subject, b.object, b.licence)
        .join(benchmark_case, b.case_id == c.id)
        .where(b.snapshot == before, b.suite == suite)
    )
    rows = session.execute(query).all() if before else []
    return Stood(
        frozenset((one.group_id, one.mutation) for one in rows),
        {one.group_id: one.block for one in rows if one.block is not None},
        {(one.property, one.subject, one.object): one.block for one in rows if None not in (one.block, one.object)},
        frozenset(one.subject for one in rows if one.subject is not None),
        frozenset((one.subject, one.object) for one in rows if None not in (one.subject, one.object)),
        {one.block: LicenceKind(one.licence) for one in rows if one.block is not None},
    )
