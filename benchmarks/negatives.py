# ruff: noqa: S608 (the queries are made of this harness's own words)
"""Holds a month's conclusions against statements that people checked: what they found false, and what is true.

    .venv/bin/python benchmarks/negatives.py --snapshot 2021-06 \
        --false ../shared/data/wikidata-codex-s/negatives.tsv --true ../shared/data/wikidata-codex-s/statements.tsv

Of the false ones: how many the month states, derives as true (a wrong Yes) and licenses as false. Of the true ones that
it does not state: how many it licenses as false (a wrong No). The database is that of `HALLUVAULT_DATABASE_URL`;
nothing is written there.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions, tables

Triple = tuple[int, int, int]
_THESE = "(SELECT * FROM unnest(CAST(:s AS int[]), CAST(:p AS int[]), CAST(:o AS int[])))"
_STATED = f"SELECT s, p, o FROM statement WHERE snapshot = :key AND (s, p, o) IN {_THESE}"
_TRUE = (
    "SELECT DISTINCT d.s, of.properties[1], d.o FROM derived_fact d JOIN rule r USING (snapshot, rule)"
    " JOIN relation of ON of.id = d.relation AND of.kind = 'property' WHERE snapshot = :key"
    f" AND r.kind <> 'negation.value' AND (d.s, of.properties[1], d.o) IN {_THESE}"
)


def held(session: Session, key: str, triples: Sequence[Triple], world: World, labelled: set[int]) -> dict[str, Any]:
    """Counts of one file."""
    ends = {name: [one[at] for one in triples] for at, name in enumerate("spo")}
    stated = {tuple(row) for row in session.execute(text(_STATED), {"key": key, **ends})}
    derived = {tuple(row) for row in session.execute(text(_TRUE), {"key": key, **ends})}
    there = [one for one in triples if one[0] in labelled and one[2] in labelled]
    judged = {(s, p, o): license_no(world, p, s, o) for s, p, o in there if (s, p, o) not in stated}
    licensed = [one for one, found in judged.items() if isinstance(found, Licence)]
    return {
        "read": len(triples),
        "both_ends_in_the_month": len(there),
        "stated": len(stated),
        "derived_as_true_and_not_stated": len(derived - stated),
        "not_stated_both_ends_there": len(judged),
        "licensed_as_false": len(licensed),
        "by_property": {f"P{p}": number for p, number in Counter(p for _, p, _ in licensed).most_common()},
    }


def main() -> None:
    """Print the counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--snapshot", required=True)
    parser.add_argument("--false", type=Path, required=True, help="tab separated: subject, property, object")
    parser.add_argument("--true", type=Path, required=True, help="the same")
    parser.add_argument("--json", type=Path, help="write the counts there, too")
    given = parser.parse_args()
    with sessions.session(settings().database_url) as session:
        world = load_world(session, given.snapshot)
        entity = tables.entity.c
        named = select(entity.qid).where(entity.snapshot == given.snapshot, entity.label.is_not(None))
        labelled = set(session.scalars(named))
        counts = {
            name: held(session, given.snapshot, checked_negatives.read(file), world, labelled)
            for name, file in (("found_false", given.false), ("true", given.true))
        }
    told = json.dumps(counts, indent=2)
    if given.json:
        given.json.write_text(told + "\n", encoding="utf-8")
    print(told)


if __name__ == "__main__":
    main()
