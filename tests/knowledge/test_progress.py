from collections.abc import Callable

from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import estimate
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.progress import LogReport, PullProgress, duration
from tests.knowledge.test_change import AFTER, PEOPLE, pull


def test_a_log_gets_a_line_a_minute_with_rate_and_time_left() -> None:
    now, lines = [0.0], []
    report = LogReport(tell=lines.append, clock=lambda: now[0])
    for done in range(1, 151):
        report(PullProgress("statements", "people", done, 300))
        now[0] += 2.0
    assert len(lines) == 4
    assert lines[0] == "statements people: 31 of 300 batches, 30 a minute, about 9 min left"
    report(PullProgress("statements", "people", 300, 300))
    assert lines[-1].startswith("statements people: 300 of 300 batches")


def test_steps_of_many_short_parts_do_not_fill_the_log() -> None:
    now, lines = [0.0], []
    report = LogReport(tell=lines.append, clock=lambda: now[0])
    for _ in range(100):
        report(PullProgress("seeds", "culture", 1, 1))
        now[0] += 1.0
    assert len(lines) == 2


def test_what_was_stored_before_does_not_flatter_the_rate() -> None:
    now, lines = [0.0], []
    report = LogReport(tell=lines.append, clock=lambda: now[0])
    report(PullProgress("entities", "", 900, 1000))
    now[0] = 60.0
    report(PullProgress("entities", "", 910, 1000))
    assert lines == ["entities: 910 of 1000 batches, 10 a minute, about 9 min left"]


def test_durations_are_said_as_people_do() -> None:
    said = [duration(seconds) for seconds in (0, 99, 100, 3500, 3600, 9000)]
    assert said == ["0 s", "99 s", "2 min", "58 min", "1 h 00 min", "2 h 30 min"]


def test_a_first_month_is_estimated_by_its_limits_and_the_next_by_the_one_before(
    session: Session, faulty: Callable, everything: Domains
) -> None:
    first = estimate.of(session, "2013-01", "planned", everything)
    assert "upper bound" in first.basis and first.service_seconds is None
    steps = {step.step: step.requests for step in first.steps}
    assert steps["statements"] == sum(
        -(-(one.limit + (one.tail.limit if one.tail else 0)) // everything.batches.seeds)
        for one in everything.domains.values()
    )
    assert first.seconds(1.0) == first.remaining() == sum(steps.values())
    pull(session, faulty, AFTER, "2013-01", "planned")
    done = estimate.of(session, "2013-01", "planned", PEOPLE)
    second = estimate.of(session, "2013-02", "planned", PEOPLE)
    assert second.basis.startswith("2013-01") and second.service_seconds is not None
    assert second.remaining() == sum(step.stored for step in done.steps) > 0
    assert estimate.of(session, "2013-02", "another", PEOPLE).service_seconds is None
