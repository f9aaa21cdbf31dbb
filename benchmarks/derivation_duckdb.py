# ruff: noqa: S608 (all queries are made of this harness's own numbers)
"""DuckDB over the same triples: how fast another engine is, and how many rows of each kind there must be.

The queries are written from what the kinds mean (semantics.md §1, prolog_rules/derivation.pl's comments), not from the
Prolog, so that equal counts say something. Only their number is compared; evidence is DuckDB's to ignore.
"""

import time
from pathlib import Path
from typing import NamedTuple

import derivation_data as data
import duckdb

from halluvault_tasks.wikidata import properties as wd


class Told(NamedTuple):
    """What DuckDB found and how long it took."""

    load_seconds: float
    rows: dict[str, int]
    seconds: dict[str, float]
    cpu_seconds: dict[str, float]
    """Of all its threads: what another process takes meanwhile lengthens only `seconds`."""


def _values(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)


def _chains() -> str:
    joins = []
    for at, chain in enumerate(data.CHAINS):
        tables = [f"t AS t{step}" for step in range(len(chain))]
        where = [f"t{step}.p = {p}" for step, p in enumerate(chain)]
        where += [f"t{step}.o = t{step + 1}.s" for step in range(len(chain) - 1)]
        last = len(chain) - 1
        joins.append(
            f"SELECT DISTINCT {at} AS rule, t0.s, t{last}.o FROM {', '.join(tables)} "
            f"WHERE {' AND '.join(where)} AND t0.s <> t{last}.o"
        )
    return " UNION ALL ".join(joins)


_INVERSE = f"""
SELECT p, o AS s, s AS o FROM t WHERE p IN ({_values(data.INVERSE)})
"""

_SYMMETRIC = f"""
SELECT p, o AS s, s AS o FROM t
WHERE p IN ({_values(data.SYMMETRIC)})
  AND NOT EXISTS (SELECT 1 FROM t AS back WHERE back.p = t.p AND back.s = t.o AND back.o = t.s)
"""

# Reached in two steps or more and in no fewer; a node never reaches itself, nor what it states directly.
_TRANSITIVE = f"""
WITH RECURSIVE up(p, s, o) AS (
    SELECT p, s, o FROM t WHERE p IN ({_values(data.TRANSITIVE)})
    UNION
    SELECT up.p, up.s, t.o FROM up JOIN t ON t.p = up.p AND t.s = up.o
)
SELECT p, s, o FROM up WHERE s <> o EXCEPT SELECT p, s, o FROM t
"""

_POLARITY = "SELECT p, s, o FROM t"

# Each subject with one value gets PER_FACT values that are not so, if as many can be shown not to be.
# Things: of one type, no class, and nothing above or below (P131, P171 and P279 lead above). Places: a country can be
# reached.
_NEGATION = f"""
WITH RECURSIVE above(s, o) AS (
    SELECT s, o FROM t WHERE p = {wd.LOCATED_IN}
    UNION
    SELECT above.s, t.o FROM above JOIN t ON t.p = {wd.LOCATED_IN} AND t.s = above.o
), placed AS (
    SELECT s FROM above JOIN kinds ON kinds.item = above.o AND kinds.kind = {data.COUNTRY}
), single AS (
    SELECT p, s, min(o) AS o FROM t WHERE p IN ({_values(data.FUNCTIONAL)}) GROUP BY p, s HAVING count(*) = 1
)
SELECT p, s, o, unnest(range({data.PER_FACT})) AS card FROM single
WHERE (p NOT IN ({_values(data.PLACES)}) OR o IN (SELECT s FROM placed)) AND o NOT IN (SELECT kind FROM kinds)
"""

# Two values of a functional property that do not contain one another (by P131, P171 or P279): one of them is wrong, so
# neither counts.
_CONTRADICTED = f"""
WITH RECURSIVE twice AS (
    SELECT a.p, a.s, a.o AS one, b.o AS other FROM t AS a JOIN t AS b USING (p, s)
    WHERE a.p IN ({_values(data.FUNCTIONAL)}) AND a.o < b.o
), above(s, o) AS (
    SELECT t.s, t.o FROM t
    WHERE p IN ({_values(data.UPWARD)}) AND s IN (SELECT one FROM twice UNION SELECT other FROM twice)
    UNION
    SELECT above.s, t.o FROM above JOIN t ON t.p IN ({_values(data.UPWARD)}) AND t.s = above.o
)
SELECT p, s FROM twice
WHERE (one, other) NOT IN (SELECT s, o FROM above) AND (other, one) NOT IN (SELECT s, o FROM above)
"""

_GROUPS = """
SELECT p, o, count(*) AS members FROM t GROUP BY p, o HAVING count(*) > 1
"""

_PAIRS = f"""
WITH seated AS (
    SELECT p, o, s, row_number() OVER (PARTITION BY p, o ORDER BY s) - 1 AS seat,
           count(*) OVER (PARTITION BY p, o) AS members
    FROM t
), small AS (
    SELECT a.p, a.s, b.s AS o FROM seated AS a JOIN seated AS b USING (p, o)
    WHERE a.members <= {data.CAP + 1} AND a.s < b.s
), places AS (
    SELECT p, o, s, (seat + step) % members AS seat
    FROM seated, range(1, {data.CAP // 2 + 1}) AS steps(step) WHERE members > {data.CAP + 1}
), large AS (
    SELECT a.p, least(a.s, b.s) AS s, greatest(a.s, b.s) AS o
    FROM places AS a JOIN seated AS b ON b.p = a.p AND b.o = a.o AND b.seat = a.seat
)
SELECT DISTINCT p, s, o FROM (SELECT * FROM small UNION ALL SELECT * FROM large)
"""

QUERIES = {
    "inverse": _INVERSE,
    "symmetric": _SYMMETRIC,
    "transitive": _TRANSITIVE,
    "chains": _chains(),
    "negation.polarity": _POLARITY,
    "negation.value": _NEGATION,
    "groups": _GROUPS,
    "pairs": _PAIRS,
}


def measure(triples: Path, kinds: Path, directory: Path, pairs: bool) -> Told:
    """Load the triples and materialise every kind.

    Args:
        triples: tab-separated p, s, o.
        kinds: tab-separated item, type.
        directory: where DuckDB may spill.
        pairs: also the shared-object pairs.
    """
    engine = duckdb.connect(config={"threads": 2, "memory_limit": "6GB", "temp_directory": str(directory)})
    started = time.monotonic()
    read = "SELECT * FROM read_csv('{}', delim = '\t', header = false, columns = {{{}}})"
    engine.execute("CREATE TABLE t AS " + read.format(triples, "'p': 'INT', 's': 'INT', 'o': 'INT'"))
    engine.execute("CREATE TABLE kinds AS " + read.format(kinds, "'item': 'INT', 'kind': 'INT'"))
    loaded = time.monotonic() - started
    rows, seconds, cpu_seconds = {}, {}, {}
    engine.execute(f"DELETE FROM t WHERE (p, s) IN ({_CONTRADICTED})")
    for name, query in QUERIES.items():
        if name == "pairs" and not pairs:
            continue
        started, used = time.monotonic(), time.process_time()
        engine.execute(f"CREATE TABLE found AS {query}")
        seconds[name] = round(time.monotonic() - started, 3)
        cpu_seconds[name] = round(time.process_time() - used, 3)
        rows[name] = engine.execute("SELECT count(*) FROM found").fetchone()[0]
        engine.execute("DROP TABLE found")
    engine.close()
    return Told(round(loaded, 3), rows, seconds, cpu_seconds)
