"""Watching a month: a run that failed ends the wait, whichever run it is."""

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import watch


def test_a_second_run_of_a_companion_suite_that_failed_is_told_and_not_waited_for() -> None:
    done = {"task_id": "publish", "state": "success"}
    suite, scored = {"task_id": "suite", "state": "success"}, {"task_id": "sim-a.score", "state": "failed"}
    tasks = {watch.REFRESH: [done, suite], watch.EVALUATE: [done, scored]}
    good, bad = {"state": "success"}, {"state": "failed"}
    watch._check({watch.REFRESH: [good], watch.EVALUATE: [good, good]}, tasks)
    with pytest.raises(UserError, match=r"halluvault_evaluate failed at sim-a\.score"):
        watch._check({watch.REFRESH: [good], watch.EVALUATE: [good, bad]}, tasks)
