"""A year, rehearsed: months of a changing source × four simulated models, through real Airflow, while things break.

    python -m benchmarks.year --months 12 --kills 120 --json year.json
    python -m benchmarks.year --months 3 --kills 9

The same year runs twice from nothing: undisturbed, each stage a command (`--by hand` stops there), and then through
Airflow, month by month by its partitions, while processes of every kind get SIGKILL at moments that the seed draws and
are started again. Results must have the same hash. On the way a month is skipped, one pulled again, one pulled from a
dump of another origin, one model gets worse, one is swapped behind its name, one is away, the results are dumped,
dropped and restored, and old months are dropped. Printed: a line a month, and what was to be noticed. Killed and run
again, it goes on where it was. Exit status 1 where anything that was to be shown is not.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

from sqlalchemy import text

from benchmarks import changing_source, year_page
from benchmarks.changing_source import FalseFact, SourceState, month_of
from benchmarks.year_stage import SOURCE, VICTIMS, YearStage
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, demo, sample, watch
from halluvault_tasks.querying import pools
from halluvault_tasks.querying.registry import load_models
from halluvault_tasks.storage import sessions
from halluvault_tasks.wikidata import snapshot_keys
from halluvault_tasks.wikidata.relation import Kind, relation_of

OTHER_SOURCE = "dump-of-another-origin"
_PERSONAS = {"steady": "careful", "worse": "careful", "swapped": "careful", "away": "refuser"}
_WORSE = "overconfident"
_OTHER_SEED = 2
_ROWS = text("""
SELECT 'snapshot', snapshot, content_hash, status, NULL, NULL FROM snapshot
UNION ALL SELECT 'case', b.snapshot, b.suite, c.id, c.question, c.gold
    FROM benchmark_case b JOIN cases c ON c.id = b.case_id
UNION ALL SELECT 'change', snapshot, case_id, change, reason, successor FROM benchmark_change
UNION ALL SELECT 'response', e.snapshot, m.name, r.case_id, r.status, r.text FROM response r
    JOIN evaluation e ON e.id = r.evaluation_id JOIN model m ON m.id = e.model_id
UNION ALL SELECT 'verdict', e.snapshot, m.name, v.case_id, v.profile || ' ' || v.answer, v.category FROM verdict v
    JOIN evaluation e ON e.id = v.evaluation_id JOIN model m ON m.id = e.model_id
UNION ALL SELECT 'metric', snapshot, model, profile, suite || scope || key || metric, value::text
    FROM results_v1.metrics WHERE NOT starts_with(metric, 'ms_') AND metric <> 'attempts'
ORDER BY 1, 2, 3, 4, 5, 6
""")
"""All that must not differ: how long it took and how often a request was sent again may."""
_DENIED = text("""
SELECT DISTINCT b.fact::text, b.licence FROM benchmark_case b WHERE b.snapshot = :snapshot AND b.suite = 'relation'
    AND b.fact->>'truth' = 'false' AND b.subject IS NOT NULL AND b.object IS NOT NULL ORDER BY 2, 1
""")
_DONE = {"success", "failed"}
_PAUSE_SECONDS = (5.0, 25.0)
_GROWTH = 1.25
"""Times what months take when the first is dropped, that is the most that they may take later."""
_CHANCE = 0.05
"""Of a month's questions those that may go though nothing in the source is against them: in so small a benchmark one
block that a ceiling has no more room for is a twenty-fifth."""
_SIZES = text("""
SELECT pg_database_size(current_database()), sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND (relispartition OR relname = 'temporal_fact')
""")


class YearPlan(NamedTuple):
    """Which month of the year has what; 0: none.

    Attributes:
        months: how many there are.
        again: pulled again, as a revision.
        skipped: not run at all.
        worse: one model gets worse.
        other: pulled from another source, too.
        swapped: another model answers behind a name.
        away: a model's server is away.
        leap: its data are of a day more than a month later than they should be.
        restored: before it the results are restored from a dump.
        reconfigured: from it on the benchmark is to be larger.
        keep: months whose rows are kept.
    """

    months: int
    again: int
    skipped: int
    worse: int
    other: int
    swapped: int
    away: int
    leap: int
    restored: int
    reconfigured: int
    keep: int


YEAR = YearPlan(
    12, again=3, skipped=4, worse=5, other=6, swapped=7, away=8, leap=10, restored=9, reconfigured=11, keep=6
)
QUARTER = YearPlan(
    3, again=2, skipped=0, worse=2, other=3, swapped=3, away=3, leap=2, restored=3, reconfigured=3, keep=2
)


class MonthRun(NamedTuple):
    """How a month of a year went, as kept between two tries."""

    seconds: float
    megabytes: float
    """Of the database, after old months are dropped; what was published about them stays in it."""
    dropped_with_months: float
    """Megabytes of these: of what goes with an old month."""
    evaluations: int
    """That were started of it."""


class Kill(NamedTuple):
    """A process that got SIGKILL."""

    month: str
    victim: str
    during: str
    """Stages at work then."""


class Runner(Protocol):
    """A way to have a month run: its stages, from pulling to the results.

    Attributes:
        evaluations: key → evaluations that were started of it.
        at_work: stages that run at this moment.
        steps: that were seen so far: a task that began or ended.
    """

    evaluations: dict[str, int]
    at_work: str
    steps: int

    def month(self, key: str) -> None:
        """Run it to its end.

        Raises:
            UserError: it came to no good end.
        """

    def close(self) -> None:
        """End what it started."""


class ByHand:
    """Each stage a command, one after the other."""

    def __init__(self, stage: YearStage) -> None:
        self._stage, self._environment = stage, stage.environment(stage.config())
        self.evaluations: dict[str, int] = {}
        self.at_work, self.steps = "", 0

    def month(self, key: str) -> None:
        """Pull, derive, build, evaluate."""
        self.command("pull", "--snapshot", key)
        for words in (["derive", "run"], ["temporal", "run"], ["benchmark", "build"]):
            self.command(*words, "--snapshot", key)
        # A model that is away costs the others nothing, and the command its good end.
        self.command("evaluate", "--snapshot", key, accepted=(2, 4) if self._stage.away() else (0,))
        self.evaluations[key] = 1

    def command(self, *words: str, accepted: Sequence[int] = (0,), **more: str) -> str:
        """One command of ours; its output.

        Raises:
            UserError: it failed; quotes its last lines.
        """
        done = subprocess.run(
            [airflow.executable("halluvault"), *words], env=dict(self._stage_environment(more)), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        with (self._stage.state / "commands.log").open("a") as log:
            log.write(f"$ halluvault {' '.join(words)}  → {done.returncode}\n{done.stdout}\n")
        if done.returncode not in accepted:
            said = " ".join(line.strip() for line in done.stdout.strip().splitlines()[-4:])
            raise UserError(f"`halluvault {' '.join(words)}` ended with {done.returncode}: {said[:600]}")
        return done.stdout

    def _stage_environment(self, more: dict[str, str]) -> dict[str, str]:
        return {**os.environ, **self._environment, **more}

    def close(self) -> None:
        """Nothing runs."""


class ThroughAirflow:
    """Each month a backfill of one partition, and the evaluation that its asset starts.

    Args:
        stage: the servers.
        schedulers: of the one Airflow.
    """

    def __init__(self, stage: YearStage, schedulers: int = 1) -> None:
        self._stage = stage
        self.evaluations: dict[str, int] = {}
        self.at_work, self.steps = "", 0
        environment = stage.environment(stage.config())
        self._installation = airflow.install(
            stage.state / "airflow", stage.airflow_url(), stage.port("airflow"), environment
        )
        airflow.migrate(self._installation)
        listed = stage.state / "pools.json"
        listed.write_text(pools.as_json(load_models(Path(environment["HALLUVAULT_MODELS_FILE"]), {})))
        airflow.run(self._installation, "pools", "import", str(listed))
        airflow.start(self._installation, stage.pids, airflow.COMPONENTS, stage.supervisor, schedulers)
        self._api = airflow.AirflowApi(self._installation, supervisor=stage.supervisor)
        watch.wait_for_dags(self._api)
        self._begin()

    def _begin(self) -> None:
        """Unpaused, the schedule starts the last closed month at once: that run ends before it does anything.

        Deleted, it would be started again.
        """
        self._slots(0)
        self._api.unpause(watch.REFRESH)
        until = time.monotonic() + 300
        while not (found := self._api.runs(watch.REFRESH)):
            if time.monotonic() > until:
                raise UserError("the schedule started no run", f"read {self._installation.home / 'scheduler.log'}")
            self._api.look()
            time.sleep(0.5)
        for run in found:
            self._api.fail(watch.REFRESH, run["dag_run_id"])
        self._slots(128)
        self._until(lambda: all(run["state"] in _DONE for run in self._api.runs(watch.REFRESH)), 600)
        self._api.unpause(watch.EVALUATE)

    def _slots(self, number: int) -> None:
        airflow.run(self._installation, "pools", "set", "default_pool", str(number), "")

    def month(self, key: str) -> None:
        """A backfill of its partition; another pull of a month is a run by hand."""
        month, _, revision = key.partition(".")
        before = {(run["dag_run_id"], run["start_date"]) for run in self._api.runs(watch.REFRESH)}
        if revision:
            self._api.trigger(watch.REFRESH, {"snapshot": key})
        else:
            day = f"{changing_source.last_day(month)}"
            words = ("--dag-id", watch.REFRESH, "--from-date", f"{month}-01", "--to-date", day)
            # The last month has the schedule's own run already, which did nothing.
            words += ("--reprocess-behavior", "completed")
            self._until(lambda: airflow.run(self._installation, "backfill", "create", *words) is not None, 300)
        self._follow(key, before)

    def _until(self, done: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while True:
            with suppress(UserError):
                if done():
                    return
            if time.monotonic() > until:
                raise UserError(f"Airflow did not take the month within {seconds:.0f} s")
            self._api.look()
            time.sleep(2.0)

    def _follow(self, key: str, before: set[tuple[str, str]]) -> None:
        """Wait until the month's refresh and evaluation have ended."""
        changed, seen = time.monotonic(), ""
        while True:
            self._api.look_after_scheduler()
            runs = self._api.runs(watch.REFRESH)
            refreshed = [run for run in runs if (run["dag_run_id"], run["start_date"]) not in before]
            evaluated = [run for run in self._api.runs(watch.EVALUATE) if run["partition_key"] == key]
            runs = refreshed + evaluated
            for run in runs:
                self._require_good(run, key)
            if refreshed and evaluated and all(run["state"] in _DONE for run in runs):
                self.evaluations[key] = len(evaluated)
                return
            tasks = [
                (task["task_id"], task["map_index"], task["state"], task["try_number"])
                for run in runs
                for task in self._api.tasks(run["dag_id"], quote(run["dag_run_id"]))
            ]
            at_work = [name for name, _, state, _ in tasks if state == "running"]
            self.at_work = ", ".join(dict.fromkeys(at_work)) or "between two stages"
            if str(tasks) != seen:
                changed, seen = time.monotonic(), str(tasks)
                self.steps += 1
            if time.monotonic() - changed > 900:
                raise UserError(f"{key}: nothing moved for 15 minutes: {seen[-300:]}")
            time.sleep(1.0)

    def _require_good(self, run: Mapping[str, Any], key: str) -> None:
        """A run may fail at the lane of a server that is away, and must then.

        Raises:
            UserError: it failed elsewhere, or did not.
        """
        if run["state"] not in _DONE:
            return
        away = self._stage.away() if run["dag_id"] == watch.EVALUATE else set()
        tasks = self._api.tasks(run["dag_id"], quote(run["dag_run_id"]))
        failed = {task["task_id"] for task in tasks if task["state"] == "failed"}
        if {name.partition(".")[0] for name in failed} != away or (run["state"] == "failed") != bool(away):
            where = ", ".join(sorted(failed)) or "no task"
            raise UserError(
                f"{run['dag_id']} of {key} ended in {run['state']}, failed at {where}",
                f"read {self._installation.home / 'logs'}",
            )

    def close(self) -> None:
        """Its processes end with the stage."""


class Killer(threading.Thread):
    """Kills one process after another while it is let, each time one of a kind that was killed least.

    Args:
        stage: whose processes.
        kills: how many there are to be, those of earlier tries among them.
        seed: of the moments and of who is hit.
    """

    def __init__(self, stage: YearStage, kills: int, seed: int) -> None:
        super().__init__(daemon=True)
        self._stage, self._kills, self._path = stage, kills, stage.state / "kills.json"
        kept = json.loads(self._path.read_text()) if self._path.exists() else []
        self.done = [Kill(*one) for one in kept]
        self._random = Random(f"{seed}:kills:{len(kept)}")
        self.ended = threading.Event()
        self._calm = threading.Lock()
        self._calm.acquire()
        self._month, self._runner = "", None  # type: str, Runner | None

    @contextmanager
    def loose(self, month: str, runner: Runner) -> Iterator[None]:
        """Kills happen in here alone.

        Args:
            month: that is run.
            runner: runs it.
        """
        self._month, self._runner = month, runner
        self._calm.release()
        try:
            yield
        finally:
            self._calm.acquire()
            self._stage.settle()

    def run(self) -> None:
        """Until all kills are done or the year ends; after each the month must have moved before the next."""
        steps = -1
        while len(self.done) < self._kills and not self.ended.wait(self._random.uniform(*_PAUSE_SECONDS)):
            with self._calm:
                assert self._runner is not None
                if self._runner.steps == steps:
                    continue
                steps, during = self._runner.steps, self._runner.at_work
                if victim := next((one for one in self._least_first() if self._stage.kill(one, self._random)), None):
                    self.done.append(Kill(self._month, victim, during))
                    self._path.write_text(json.dumps(self.done))

    def _least_first(self) -> list[str]:
        hit = Counter(one.victim for one in self.done)
        return sorted(self._random.sample(VICTIMS, len(VICTIMS)), key=lambda victim: hit[victim])


class Year:
    """One year in one folder.

    Args:
        state: the folder.
        plan: of the year.
        seed: of everything drawn.
        last: its last month.
        through: how months are run.
        kills: how many there are to be.
    """

    def __init__(
        self, state: Path, plan: YearPlan, seed: int, last: str, through: Callable[[YearStage], Runner], kills: int
    ) -> None:
        self._plan, self._seed, self._state = plan, seed, state
        self._first = month_of(last, 2 - plan.months)
        self._stage = YearStage(state)
        self._through, self._runner = through, None  # type: Callable[[YearStage], Runner], Runner | None
        self._hand: ByHand | None = None
        self.killer = Killer(self._stage, kills, seed)

    def run(self) -> dict[str, Any]:
        """All months, those that an earlier try finished left as they are; what there is to see."""
        done = self._done()
        state = changing_source.beginning(sample.load(sample.CHECKED), self._first, seed=self._seed)
        for number in range(1, self._plan.months + 1):
            if number > 1:
                state = self._next(state, number)
            month = month_of(self._first, number)
            if number == self._plan.skipped or month in done:
                continue
            self._prepare(state, number)
            done[month] = self._month(state, number, month)
            (self._state / "done.json").write_text(json.dumps(done))
            print(f"{month}: {done[month].seconds:.0f} s", file=sys.stderr, flush=True)
        self.killer.ended.set()
        return self._seen(done)

    def close(self) -> None:
        """End everything."""
        self.killer.ended.set()
        self._stage.close()

    def _done(self) -> dict[str, MonthRun]:
        path = self._state / "done.json"
        kept = json.loads(path.read_text()) if path.exists() else {}
        return {month: MonthRun(*one) for month, one in kept.items()}

    def _next(self, state: SourceState, number: int) -> SourceState:
        before = month_of(self._first, number - 1)
        state = state._replace(refuted=tuple(self._denied(before, number)))
        as_of = changing_source.last_day(month_of(self._first, number))
        if number == self._plan.leap:
            as_of += timedelta(days=40)
        today = datetime.now(UTC).date()
        return changing_source.following(state, number, seed=self._seed, as_of=min(as_of, today))[0]

    def _denied(self, month: str, number: int) -> list[FalseFact]:
        """Two things that the month before denied."""
        with self._stage.session() as session:
            facts = [json.loads(row[0]) for row in session.execute(_DENIED, {"snapshot": month})]
        denied = [
            FalseFact(fact["s"], relation.pid, fact["o"])
            for fact in facts
            if (relation := relation_of(fact)) is not None and relation.kind is Kind.PROPERTY and fact["o"]
        ]
        return Random(f"{self._seed}:{number}:denied").sample(denied, min(2, len(denied)))

    def _prepare(self, state: SourceState, number: int) -> None:
        """The month's source, and who answers in it."""
        self._stage.serve_source(state.sample)
        answering = dict(_PERSONAS)
        if self._plan.worse and number >= self._plan.worse:
            answering["worse"] = _WORSE
        if number == self._plan.away:
            del answering["away"]
        swapped = bool(self._plan.swapped) and number >= self._plan.swapped
        self._stage.serve_models(answering, {"swapped": _OTHER_SEED} if swapped else {})
        self._hand = self._hand or ByHand(self._stage)
        if self._plan.reconfigured and number >= self._plan.reconfigured:
            self._stage.enlarge()
        if number == self._plan.restored:
            self._stage.restore()
        if self._runner is None:
            self._runner = self._through(self._stage)
            self.killer.start()

    def _month(self, state: SourceState, number: int, month: str) -> MonthRun:
        assert self._runner is not None and self._hand is not None
        began = time.monotonic()
        runner = self._runner
        with self.killer.loose(month, runner):
            runner.month(month)
        if number == self._plan.again:
            self._stage.serve_source(changing_source.thinned(state.sample, 0.002, seed=self._seed))
            with self.killer.loose(f"{month}.2", runner):
                runner.month(f"{month}.2")
        if number == self._plan.other:
            self._other(state, month)
        seconds = time.monotonic() - began
        # What a person's crontab would do (docs/operations.md).
        self._hand.command("snapshot", "drop", "--keep", str(self._plan.keep), "--yes")
        with self._stage.session() as session:
            size, of_months = (float(one) / 1e6 for one in session.execute(_SIZES).one())
        return MonthRun(seconds, size, of_months, runner.evaluations.get(month, 0))

    def _other(self, state: SourceState, month: str) -> None:
        """The same month from a dump of another origin: a source of its own, which changes nothing of ours."""
        self._stage.serve_source(changing_source.thinned(state.sample, 0.05, seed=self._seed + 1))
        assert self._hand is not None
        self._hand.command("pull", "--snapshot", month, HALLUVAULT_SOURCE=OTHER_SOURCE)

    def _seen(self, done: Mapping[str, MonthRun]) -> dict[str, Any]:
        sessions.engine(self._stage.url).dispose()
        with self._stage.session() as session:
            rows = [tuple(row) for row in session.execute(_ROWS)]
            page = year_page.read(session, SOURCE, self._state / "config")
        return {
            "rows": len(rows),
            "hash": _hashed(rows),
            "hashes": {
                key: _hashed([row for row in rows if row[1] == key]) for key in sorted({row[1] for row in rows})
            },
            **{field: {month: getattr(one, field) for month, one in done.items()} for field in MonthRun._fields},
            "kills": [one._asdict() for one in self.killer.done],
            "months": [line._asdict() for line in page],
        }


def _hashed(rows: Sequence[tuple[Any, ...]]) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def shown(plan: YearPlan, first: str, months: Sequence[dict[str, Any]]) -> dict[str, bool]:
    """What the year was to show, and whether it did.

    Args:
        plan: of the year.
        first: its first month.
        months: lines of the page.
    """
    by_month = {line["month"]: line for line in months}

    def told(number: int, kind: str, model: str) -> bool:
        line = by_month.get(month_of(first, number))
        return line is not None and any(kind in one and model in one for one in line["alerts"])

    found = {
        "every retired question has its reason": all(line["unexplained"] == 0 for line in months),
        "what the source has nothing against stays": all(
            line["reconfigured"] or line["without_cause"] <= _CHANCE * line["cases"] for line in months
        ),
    }
    if plan.worse:
        found["drift is found in the month it came"] = told(plan.worse, "rate_rose", "simulated/worse")
        false = [
            one
            for line in months
            for one in line["alerts"]
            if "rate_rose" in one
            and not (line["month"].startswith(month_of(first, plan.worse)) and "simulated/worse" in one)
        ]
        found["no other rise is told"] = not false
    if plan.swapped:
        found["the swap is noticed"] = told(plan.swapped, "answers_changed", "simulated/swapped")
    if plan.reconfigured:
        said = [line["month"].partition(".")[0] for line in months if line["reconfigured"]]
        found["a changed configuration is said in its month alone"] = said == [month_of(first, plan.reconfigured)]
    if plan.away:
        line = by_month[month_of(first, plan.away)]
        found["who is away has no rate"] = "away" not in line["models"]
    return found


def compared(years: Mapping[str, dict[str, Any]], keep: int, kills: int) -> dict[str, bool]:
    """What the ways of running a year were to show, and whether they did.

    Args:
        years: way → what there is to see of it.
        keep: months whose rows are kept.
        kills: how many there were to be through Airflow.
    """
    found = {}
    if len(years) > 1:
        found["the same results however it is run"] = len({one["hash"] for one in years.values()}) == 1
    for name, one in years.items():
        sizes = list(one["dropped_with_months"].values())[keep - 1 :]
        if len(sizes) > 1:
            found[f"what goes with old months grows no more ({name})"] = max(sizes[1:]) <= _GROWTH * sizes[0]
    if "through Airflow" not in years:
        return found
    year = years["through Airflow"]
    if kills:
        # A tenth fewer than is even: one of them is away for a month.
        hit, each = Counter(one["victim"] for one in year["kills"]), 9 * kills // (10 * len(VICTIMS))
        found[f"every kind was killed, at least {each} times each"] = all(hit[victim] >= each for victim in VICTIMS)
    else:  # a publication that is killed and tried again may announce the month again
        found["no month is evaluated twice"] = all(number == 1 for number in year["evaluations"].values())
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--months", type=int, choices=(3, 12), default=12, help="a year, or a quarter of it")
    parser.add_argument("--last", default="", metavar="YYYY-MM", help="last month; default: the last closed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0, help="SIGKILLs while the months run through Airflow")
    parser.add_argument("--schedulers", type=int, default=1, help="of the one Airflow (default: 1)")
    parser.add_argument("--by", choices=("hand", "airflow", "both"), default="both", help="which runs (default: both)")
    parser.add_argument("--state", type=Path, help="folder of its own, kept; default: a new one, removed at the end")
    parser.add_argument("--json", type=Path, metavar="FILE", help="what there is to see, as JSON")
    return parser


def last_month(given: str, today: date) -> str:
    """The year's last month.

    Raises:
        UserError: it is no month, or not over yet.
    """
    closed = snapshot_keys.last_closed_month(today)
    key = snapshot_keys.parse_key(given or closed)
    if key.revision is not None:
        raise UserError(f"--last {given} is a revision", f"give a month, for instance {closed}")
    if key.month > closed:
        raise UserError(f"--last {given} is not over yet", f"the last closed month is {closed}")
    return key.month


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, rehearse, print; the exit status."""
    asked = _parser().parse_args(arguments)
    try:
        last = last_month(asked.last, datetime.now(UTC).date())
        with tempfile.TemporaryDirectory(prefix="halluvault-year-") as made:
            return _rehearsed(asked, asked.state or Path(made), last)
    except UserError as error:
        print(f"year: {error}", file=sys.stderr)
        return 2


def _rehearsed(asked: argparse.Namespace, folder: Path, last: str) -> int:
    plan = YEAR if asked.months == YEAR.months else QUARTER
    ways: dict[str, tuple[Callable[[YearStage], Runner], int]] = {}
    if asked.by in ("hand", "both"):
        ways["by hand"] = (ByHand, 0)
    if asked.by in ("airflow", "both"):
        ways["through Airflow"] = (partial(ThroughAirflow, schedulers=asked.schedulers), asked.kills)
    seen: dict[str, dict[str, Any]] = {}
    with demo.locked(folder, "drill", "wait for it, or give this one a folder of its own with --state"):
        same_again(folder, {"months": asked.months, "seed": asked.seed, "last": last})
        for name, (through, kills) in ways.items():
            year = Year(folder / name.replace(" ", "-"), plan, asked.seed, last, through, kills)
            try:
                seen[name] = year.run()
            finally:
                year.close()
    months = list(seen.values())[-1]["months"]
    found = shown(plan, month_of(last, 2 - plan.months), months) | compared(seen, plan.keep, asked.kills)
    print(year_page.written(months))
    print(year_page.costs(seen))
    print(year_page.killed(seen))
    for name, one in seen.items():
        print(f"{name}: {one['rows']} rows, {one['hash']}, {sum(one['seconds'].values()):.0f} s")
    for what, held_true in found.items():
        print(f"{'shown    ' if held_true else 'NOT SHOWN'}  {what}")
    if asked.json:
        asked.json.write_text(json.dumps({"shown": found, "years": seen}, indent=1, default=str) + "\n")
    return int(not all(found.values()))


def same_again(folder: Path, told: Mapping[str, object]) -> None:
    """A drill that is run again must be the one that was killed.

    Args:
        folder: of it.
        told: what makes it this one.

    Raises:
        UserError: the folder holds another.
    """
    path = folder / "drill.json"
    if not path.exists():
        path.write_text(json.dumps(told))
    elif (kept := json.loads(path.read_text())) != dict(told):
        words = ", ".join(f"{name} {value}" for name, value in kept.items())
        raise UserError(f"{folder} holds another drill: {words}", "give the same again, or another --state")


if __name__ == "__main__":
    sys.exit(main())
