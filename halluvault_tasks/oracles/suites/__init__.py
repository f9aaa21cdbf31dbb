"""Who judges which suite: a suite that is not yes/no questions brings a judge and profiles of its own.

How far each may be trusted stands in its profile, and is read here by all who show a figure.

Suites that are not named here are judged by the published method and the replay (`scorer`).
"""

from collections.abc import Mapping

from halluvault_tasks.oracles.suites import external, memory, open, pressure, recognition
from halluvault_tasks.oracles.suites.judge import SuiteJudge

JUDGES: Mapping[str, SuiteJudge] = {
    judge.suite: judge
    for judge in (
        open.JUDGE,
        memory.JUDGE,
        external.JUDGE,
        recognition.JUDGE,
        pressure.JUDGE,
    )
}
"""Companion suite → its judge."""


def judges(profile: str, suite: str) -> bool:
    """Whether a profile, of any version and extractor, is for a suite."""
    own = next((name for name, one in JUDGES.items() if profile in one.versions), "")
    return own == suite if own else suite not in JUDGES


def planted_only(suite: str) -> bool:
    """Whether figures of a suite are *planted only*; never of suites that the headline's oracles judge."""
    return suite in JUDGES and JUDGES[suite].planted_only


def untried(suite: str) -> str:
    """What figures of a suite are called as long as its judge was held against too few labels; empty from then on."""
    return JUDGES[suite].untried if planted_only(suite) else ""


def trust(profile: str) -> str:
    """How far a companion suite's profile was held against labels, in words; empty for any other profile."""
    own = ((judge.untried, one) for judge in JUDGES.values() for one in judge.profiles)
    return next((one.trust(untried) for untried, one in own if one.name == profile), "")
