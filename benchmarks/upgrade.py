"""An upgrade with data, rehearsed: months by an earlier version, `db upgrade` under kills, months by today's.

    python -m benchmarks.upgrade --from 48b8443 --months 6 --json upgrade.json

The source is the year's (`benchmarks/changing_source.py`), and four simulated models answer. The first half of the
months is pulled, derived, built, asked and judged by that commit's own commands, out of git's history, with the
packages that are installed here; then today's `db upgrade` is timed on a copy, killed some times, run to its end, and
today's commands read the old months, judge them anew and make the others. Printed: a line for each thing that was to be
shown. Killed and run again with the same `--state`, it goes on where it was. Exit status 1 where anything is not shown.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import psycopg2
from sqlalchemy import text

from benchmarks import changing_source, upgrade_kept, year_page
from benchmarks.changing_source import SourceState, month_of
from benchmarks.upgrade_stage import TODAY, ProgramVersion, UpgradeStage, unpacked
from benchmarks.year import last_month, same_again
from benchmarks.year_stage import SOURCE
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import demo, sample
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import page, page_cases
from halluvault_tasks.storage import requirements, roles, sessions

COPY = "upgrade_tried"
_LOCKS = 120
"""It is killed when it has locked so many tables and views, or fewer; from 0020 on it locks more in all."""
_LOCKED = """
SELECT count(DISTINCT l.relation) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
WHERE d.datname = %s AND l.mode = 'AccessExclusiveLock' AND l.granted AND l.locktype = 'relation'
"""
_ONE_OF = text("""
SELECT e.id AS evaluation, r.case_id AS case, m.name AS model FROM response r
JOIN evaluation e ON e.id = r.evaluation_id JOIN model m ON m.id = e.model_id
JOIN verdict v ON v.evaluation_id = e.id AND v.case_id = r.case_id
WHERE e.snapshot = :snapshot AND v.category LIKE '%error%' AND m.name = 'simulated/overconfident'
ORDER BY r.case_id LIMIT 1
""")
_MODELS = 4
_CHANGES = text("""
SELECT model, change FROM results_v1.trend
WHERE snapshot = :snapshot AND suite = 'headline' AND profile = :profile AND change IS NOT NULL ORDER BY model
""")
_VERSIONS = text("""
SELECT DISTINCT s.snapshot, v.profile, v.profile_version FROM verdict v JOIN evaluation s ON s.id = v.evaluation_id
WHERE v.profile = :profile ORDER BY 1, 3
""")


class Shown(NamedTuple):
    """Something that was to be shown.

    Attributes:
        what: in a few words.
        held_true: whether it was.
        seen: figures, or what was there instead.
    """

    what: str
    held_true: bool
    seen: str = ""


class Watch(threading.Thread):
    """While an upgrade runs: how long whoever reads the results waits, and how many tables nobody can read.

    Args:
        reader: libpq URL of a role that reads the views.
        admin: libpq URL of a superuser.
        database: that is upgraded.
    """

    def __init__(self, reader: str, admin: str, database: str) -> None:
        super().__init__(daemon=True)
        self._reader, self._admin, self._database = reader, admin, database
        self._over = threading.Event()
        self.longest, self.tables = 0.0, 0

    def run(self) -> None:
        """Until it is told that the upgrade is over."""
        waits = threading.Thread(target=self._read, daemon=True)
        waits.start()
        with closing(psycopg2.connect(self._admin)) as connection, connection.cursor() as cursor:
            connection.autocommit = True
            while not self._over.wait(0.02):
                cursor.execute(_LOCKED, (self._database,))
                self.tables = max(self.tables, (cursor.fetchone() or (0,))[0])
        waits.join()

    def _read(self) -> None:
        while not self._over.wait(0.02):
            began = time.monotonic()
            with closing(psycopg2.connect(self._reader)) as connection, connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM results_v1.by_model")
            self.longest = max(self.longest, time.monotonic() - began)

    def end(self) -> None:
        """The upgrade is over."""
        self._over.set()
        self.join()


class Upgrade:
    """One drill in one folder.

    Args:
        state: the folder.
        before: the version that runs the first months.
        months: how many there are, those of before and those of today.
        last: the last of them.
        seed: of everything drawn.
        kills: how often the upgrade is killed.
    """

    def __init__(
        self, state: Path, before: ProgramVersion, months: tuple[int, int], last: str, seed: int, kills: int
    ) -> None:
        self._state, self._before, self._seed, self._kills = state, before, seed, kills
        self._first = month_of(last, 2 - sum(months))
        self._old = [month_of(self._first, number + 1) for number in range(months[0])]
        self._new = [month_of(self._first, number + 1) for number in range(months[0], sum(months))]
        self._done: dict[str, Any] = {}
        if (kept := state / "done.json").exists():
            self._done = json.loads(kept.read_text())
        self.stage = UpgradeStage(state, before)

    def run(self) -> list[Shown]:
        """Everything that was not done by an earlier try; what was shown in all."""
        source = changing_source.beginning(sample.load(sample.CHECKED), self._first, seed=self._seed)
        for number, key in enumerate((*self._old, *self._new), 1):
            if number > 1:
                day = min(changing_source.last_day(key), datetime.now(UTC).date())
                source = changing_source.following(source, number, seed=self._seed, as_of=day)[0]
            if key == self._new[0]:
                self._change_over(source)
            version = self._before if key in self._old else TODAY
            self._once(f"month {key}", partial(self._month, version, key, source))
            if key == self._new[0]:
                self._once("why not", self._why_not)
                self._once("judged anew", self._judged_anew)
        self._once("compared", self._compared)
        self._once("still kept", lambda: self._kept("everything", moved=True))
        return [Shown(*one) for name in self._done for one in self._done[name]]

    def _once(self, name: str, what: Callable[[], Sequence[Shown]]) -> None:
        """Do something unless an earlier try has done it."""
        if name in self._done:
            return
        began = time.monotonic()
        self._done[name] = [list(one) for one in what()]
        (self._state / "done.json").write_text(json.dumps(self._done, indent=1))
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)

    def _month(self, version: ProgramVersion, key: str, source: SourceState) -> list[Shown]:
        """A month by a version's commands, from pulling to the results."""
        self.stage.serve(source.sample, version)
        began = time.monotonic()
        for words in (["pull"], ["derive", "run"], ["temporal", "run"], ["benchmark", "build"], ["evaluate"]):
            self.stage.require(version, *words, "--snapshot", key)
        return [Shown(f"{key} is made by {version.name}", True, f"{time.monotonic() - began:.0f} s")]

    def _change_over(self, source: SourceState) -> None:
        """From the version of before to today's."""
        self.stage.serve(source.sample, self._before)
        for name, step in (
            ("dumped", self._dumped), ("copied aside", self._copied_aside),
            ("configuration of before", self._configured), ("refused before", self._refused_before),
            ("timed on a copy", self._timed), ("killed", self._killed), ("upgraded", self._upgraded),
            ("kept", lambda: self._kept("the upgrade")), ("refused after", self._refused_after),
            ("way back", self._way_back),
        ):  # fmt: skip
            self._once(name, step)
        self.stage.serve(source.sample, TODAY)
        self._once("read", self._read)
        self._once("kept after reading", lambda: self._kept("today's commands", moved=True))

    def _dumped(self) -> list[Shown]:
        self.stage.dump()
        return []

    def _way_back(self) -> list[Shown]:
        """The backup of before, read by the version of before."""
        url = self.stage.restore_dump(COPY)
        done = self.stage.command(
            self._before, "results", "show", "--snapshot", self._old[-1], HALLUVAULT_DATABASE_URL=url
        )
        self._superuser(f"DROP DATABASE {COPY} WITH (FORCE)")
        return [Shown("the way back: the backup is restored, and the version of before reads it", not done.status)]

    def _configured(self) -> list[Shown]:
        """A configuration of before, copied by its owner, under today's program."""
        folder = str(self._before.tree / "config")
        done = self.stage.command(TODAY, "doctor", HALLUVAULT_CONFIG_DIR=folder)
        lines = [line.strip() for line in done.said.splitlines() if f"{folder}/" in line]
        sound = "Traceback" not in done.said and done.status in (0, 1, 2)
        named = ", ".join(sorted({word.rpartition("/")[2].rstrip(",:") for line in lines for word in line.split()
                                  if word.startswith(f"{folder}/")}))  # fmt: skip
        return [Shown("`doctor` names what a configuration of before must change", sound, named or "nothing")]

    def _copied_aside(self) -> list[Shown]:
        with self.stage.session() as session:
            number = upgrade_kept.copy_aside(session)
        return [Shown("rows of before are copied aside", number > 0, f"{number} of {len(self._old)} months")]

    def _refused_before(self) -> list[Shown]:
        done = self.stage.command(TODAY, "results", "show", "--snapshot", self._old[-1])
        told = "halluvault db upgrade" in done.last
        return [Shown("today's program refuses tables of before in a line", done.status == 2 and told, done.last)]

    def _refused_after(self) -> list[Shown]:
        done = self.stage.command(self._before, "results", "show", "--snapshot", self._old[-1])
        told = "newer than this program" in done.last
        return [Shown("the program of before refuses today's tables in a line", done.status == 2 and told, done.last)]

    def _timed(self) -> list[Shown]:
        """The upgrade on a copy of the database, while somebody reads."""
        self._superuser(f"DROP DATABASE IF EXISTS {COPY} WITH (FORCE)")
        sessions.engine(self.stage.url).dispose()
        self._superuser(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{roles.OWNER}'",  # noqa: S608
            f"CREATE DATABASE {COPY} TEMPLATE {roles.OWNER} OWNER {roles.OWNER}",
        )
        url = self.stage.in_database(COPY)
        watch = Watch(_libpq(url), _libpq(self.stage.server.url(COPY)), COPY)
        watch.start()
        began = time.monotonic()
        self.stage.require(TODAY, "db", "upgrade", HALLUVAULT_DATABASE_URL=url)
        seconds = time.monotonic() - began
        watch.end()
        self._superuser(f"DROP DATABASE {COPY} WITH (FORCE)")
        seen = (
            f"{seconds:.1f} s in all; who read the results waited {watch.longest:.1f} s at most, "
            f"while {watch.tables} tables and views were locked"
        )
        return [Shown("the upgrade's time and locks", True, seen)]

    def _killed(self) -> list[Shown]:
        """Killed when it holds as many locks as the seed draws: the command, or Postgres; nothing of it stays."""
        random, before, late = Random(f"{self._seed}:upgrade"), self._version_of_tables(), 0
        for number in range(self._kills):
            process = self.stage.start(TODAY, "db", "upgrade")
            late += not self._reached(random.randint(1, _LOCKS), process)
            if number % 2:
                self.stage.kill("postgres", random)
            else:
                process.kill()
            process.communicate()
            self.stage.settle()
            if (now := self._version_of_tables()) != before:
                return [
                    Shown("a killed upgrade leaves the tables' version", late > 0, f"{now} after kill {number + 1}")
                ]
            if not (kept := self._kept(f"kill {number + 1}"))[0].held_true:
                return kept
        read = self.stage.command(self._before, "results", "show", "--snapshot", self._old[-1])
        seen = f"{self._kills} kills; then the version of before: {read.last}"
        return [Shown("a killed upgrade leaves all as it was", read.status == 0, seen)]

    def _reached(self, locks: int, process: subprocess.Popen[str]) -> bool:
        """Wait until an upgrade has locked so many tables and views; False where it ended before."""
        with closing(psycopg2.connect(_libpq(self.stage.server.url()))) as connection, connection.cursor() as cursor:
            connection.autocommit = True
            while process.poll() is None:
                cursor.execute(_LOCKED, (roles.OWNER,))
                if (cursor.fetchone() or (0,))[0] >= locks:
                    return True
        return False

    def _upgraded(self) -> list[Shown]:
        began = time.monotonic()
        self.stage.require(TODAY, "db", "upgrade")
        seconds = time.monotonic() - began
        self.stage.require(TODAY, "db", "upgrade")
        version = self._version_of_tables()
        seen = f"{seconds:.1f} s after {self._kills} kills; tables of version {version}; a second time changes nothing"
        return [Shown("the upgrade is repeated to its end", version == requirements.newest_migration(), seen)]

    def _kept(self, what: str, moved: bool = False) -> list[Shown]:
        with self.stage.session() as session:
            rows = list(upgrade_kept.compare(session, moved))
        lost = [one for one in rows if one.lost]
        said = ", ".join(f"{one.name} {one.lost} of {one.before}" for one in lost)
        seen = said or f"{sum(one.before for one in rows)} rows of {len(rows)} tables and views"
        return [Shown(f"old rows and views are as they were after {what}", not lost, seen)]

    def _version_of_tables(self) -> str:
        with self.stage.session() as session:
            return str(session.scalar(text("SELECT max(version_num) FROM alembic_version")))

    def _read(self) -> list[Shown]:
        """Old months by today's commands and pages."""
        found = []
        for key in (self._old[0], self._old[-1]):
            with self.stage.session() as session:
                one = session.execute(_ONE_OF, {"snapshot": key}).one()
            readings = self._readings(key, one)
            lines = readings if key == self._old[-1] else readings[:1]
            for words, done in zip(lines, self.stage.several(TODAY, lines), strict=True):
                found.append(Shown(f"`{' '.join(words)[:70]}`", done.status == 0 and bool(done.last), done.last))
            found += self._pages(key, one.case)
        found.append(self._verified(self._old[-1]))
        return found

    def _readings(self, key: str, one: Any) -> list[list[str]]:
        with_month = ["--snapshot", key]
        return [
            ["results", "show", *with_month],
            ["results", "compare", *with_month],
            ["results", "alerts", *with_month],
            ["results", "items", *with_month],
            ["results", "export", "--to", "csv", "--output", str(self._state / f"export-{key}"), *with_month],
            ["results", "export", "--to", "inspect", "--output", str(self._state / f"inspect-{key}"), *with_month],
            ["results", "export", "--to", "bundle", "--output", str(self._state / f"bundle-{key}"), *with_month],
            ["score", "explain", f"{one.evaluation}:{one.case}"],
            ["benchmark", "show", one.case, *with_month],
            ["benchmark", "grid", *with_month],
            ["benchmark", "sample", "--n", "5", *with_month],
            ["benchmark", "export", "--output", str(self._state / f"benchmark-{key}"), *with_month],
            ["benchmark", "changes", self._old[0], self._old[-1]],
            ["snapshot", "show", key],
            ["snapshot", "diff", self._old[0], self._old[-1]],
            ["rules", "show", *with_month],
            ["derive", "facts", *with_month],
            ["report", *with_month, "--output", str(self._state / f"report-{key}.html")],
            ["metrics", "show"],
            ["doctor"],
        ]

    def _verified(self, key: str) -> Shown:
        """An old month's bundle, recomputed by the program in it."""
        program = [sys.executable, "-I", "-S", str(self._state / f"bundle-{key}" / "verify.py"), "--proofs", "5"]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        said = (done.stdout + done.stderr).strip().splitlines()
        return Shown(f"`verify.py` recomputes the bundle of {key}", done.returncode == 0, said[-1] if said else "")

    def _pages(self, key: str, case: str) -> list[Shown]:
        pages: dict[str, Callable[..., str | None]] = {
            "leaderboard": page.leaderboard, "where": page.where, "compare": page.compare, "month": page.month,
            "cases": page_cases.cases,
        }  # fmt: skip
        found = []
        with self.stage.session() as session:
            for name, made in (
                *((name, make(session, key)) for name, make in pages.items()),
                ("case", page_cases.case(session, case, key)),
            ):
                whole = made is not None and key in made and (name in ("month",) or len(made) > 2000)
                (self._state / f"page-{key}-{name}.html").write_text(made or "")
                found.append(Shown(f"the page's {name} of {key}", whole, f"{len(made or '')} characters"))
        return found

    def _why_not(self) -> list[Shown]:
        """What another version of the judge judged is compared with nothing, and a line says so."""
        key = self._new[0]
        done = self.stage.command(TODAY, "results", "compare", "--snapshot", key)
        told = f"halluvault evaluate --snapshots {self._old[-1]},{key}"
        line = next((line for line in done.said.splitlines() if "not compared: " in line), "")
        alerts = self.stage.command(TODAY, "results", "alerts", "--snapshot", key)
        return [
            Shown(f"{key} is not compared with what another judge judged, and says so", told in line, line),
            Shown(f"{key}: no rise is told across judges", "rate_rose" not in alerts.said, alerts.last),
        ]

    def _judged_anew(self) -> list[Shown]:
        """Old answers by today's profile, as that line says: verdicts of before stay beside those of now."""
        before, now = self._old[-1], self._new[0]
        with self.stage.session() as session:
            answers = session.scalar(text("SELECT count(*) FROM response"))
        done = self.stage.command(TODAY, "evaluate", "--snapshots", f"{before},{now}")
        with self.stage.session() as session:
            asked = (session.scalar(text("SELECT count(*) FROM response")) or 0) - (answers or 0)
            rows = session.execute(_VERSIONS, {"profile": profiles.HEADLINE}).all()
            changes = session.execute(_CHANGES, {"snapshot": now, "profile": profiles.HEADLINE}).all()
        versions = {row.profile_version for row in rows if row.snapshot == before}
        return [
            Shown("an old month is judged by today's profile, too", not done.status and len(versions) == 2,
                  f"{before}: versions {', '.join(sorted(versions))}; {done.last}"),
            Shown("and nothing is asked again", asked == 0, f"{asked} more answers"),
            Shown(f"then {now} is compared with it", len(changes) == _MODELS,
                  ", ".join(f"{model} {100 * change:+.1f} points" for model, change in changes)),
            *self._kept("judging anew", moved=True),
        ]  # fmt: skip

    def _compared(self) -> list[Shown]:
        """New months against old ones."""
        with self.stage.session() as session:
            lines = {line.month: line for line in year_page.read(session, SOURCE, TODAY.tree / "config" / "demo")}
        found = []
        for key in self._new:
            line = lines[key]
            reasons = ", ".join(f"{number} × {reason}" for reason, number in sorted(line.retired.items()))
            changes = {name: one["change"] for name, one in line.models.items() if one["change"] is not None}
            found += [
                Shown(f"{key} keeps questions of the month before", line.kept > 0,
                      f"{line.kept} kept, {line.new} new, gone: {reasons or 'none'}"),
                Shown(f"{key}: every retired question has its reason", line.unexplained == 0, f"{line.unexplained}"),
                Shown(f"{key}: its gates compare it", line.gates == "passed", line.gates),
                Shown(f"{key}: each model's change is told", len(changes) == _MODELS,
                      ", ".join(f"{name} {100 * change:+.1f} points" for name, change in changes.items())),
                Shown(f"{key}: no alert on models that stayed the same", not line.alerts, "; ".join(line.alerts)),
            ]  # fmt: skip
        for words in (
            ["benchmark", "changes", self._old[0], self._new[-1]],
            ["results", "show", "--snapshot", self._new[-1]],
            ["results", "gate", "--model", f"simulated/careful@{self._new[-1]}", "--baseline",
             f"simulated/careful@{self._old[0]}"],
        ):  # fmt: skip
            done = self.stage.command(TODAY, *words)
            found.append(Shown(f"`{' '.join(words)[:70]}`", done.status in (0, 3), done.last))
        return found

    def _superuser(self, *statements: str) -> None:
        with closing(psycopg2.connect(_libpq(self.stage.server.url()))) as connection, connection.cursor() as cursor:
            connection.autocommit = True
            for statement in statements:
                cursor.execute(statement)

    def close(self) -> None:
        """End everything."""
        self.stage.close()


def _libpq(url: str) -> str:
    return url.replace("+psycopg2", "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="commit", default="48b8443", help="version of before (default: %(default)s)")
    parser.add_argument("--months", type=int, default=6, help="in all; half of them by it (default: %(default)s)")
    parser.add_argument("--last", default="", metavar="YYYY-MM", help="last month; default: the last closed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=6, help="of the upgrade (default: %(default)s)")
    parser.add_argument("--state", type=Path, help="folder of its own, kept; default: a new one, removed at the end")
    parser.add_argument("--json", type=Path, metavar="FILE", help="what was shown, as JSON")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, rehearse, print; the exit status."""
    asked = _parser().parse_args(arguments)
    try:
        if asked.months < 2:
            raise UserError(f"--months is {asked.months}; an upgrade stands between two", "give 2 or more")
        last = last_month(asked.last, datetime.now(UTC).date())
        with tempfile.TemporaryDirectory(prefix="halluvault-upgrade-") as made:
            found = _rehearsed(asked, asked.state or Path(made), last)
    except UserError as error:
        print(f"upgrade: {error}", file=sys.stderr)
        return 2
    for one in found:
        print(f"{'shown    ' if one.held_true else 'NOT SHOWN'}  {one.what}{': ' if one.seen else ''}{one.seen}")
    if asked.json:
        asked.json.write_text(json.dumps([one._asdict() for one in found], indent=1) + "\n")
    return int(not all(one.held_true for one in found))


def _rehearsed(asked: argparse.Namespace, folder: Path, last: str) -> list[Shown]:
    folder.mkdir(parents=True, exist_ok=True)
    with demo.locked(folder, "drill", "wait for it, or give this one a folder of its own with --state"):
        same_again(folder, {"from": asked.commit, "months": asked.months, "seed": asked.seed, "last": last})
        half = asked.months // 2
        before = unpacked(asked.commit, folder / "before")
        drill = Upgrade(folder, before, (half, asked.months - half), last, asked.seed, asked.kills)
        try:
            return drill.run()
        finally:
            drill.close()


if __name__ == "__main__":
    sys.exit(main())
