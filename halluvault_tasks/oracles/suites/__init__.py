"""Who judges which suite: a suite that is not yes/no questions brings a judge and profiles of its own.

How far each may be trusted stands beside its profile (`HELD`), and is read here by all who show a figure.

Suites that are not named here are judged by the published method and the replay (`scorer`).
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.oracles.suites import external, held, memory, pressure, recognition
from halluvault_tasks.oracles.suites.held import Held


class SuiteJudge(NamedTuple):
    """How one suite's responses are judged.

    Attributes:
        profiles: profile, named after the suite (`recognition/strict`) → version.
        judge: session, snapshot and responses (case_id, sample, text) → rows of table `verdict` without evaluation_id,
            one for each response and profile.
        held: profile → what labels of a real model's responses say of it; a profile that is not in it has none.
    """

    profiles: Mapping[str, str]
    judge: Callable[[Session, str, Sequence[Any]], list[dict[str, Any]]]
    held: Mapping[str, Held] = MappingProxyType({})

    @property
    def planted_only(self) -> bool:
        """Whether some profile was not held against enough labels, so that every figure of the suite must say so."""
        return not all(name in self.held and self.held[name].enough(now) for name, now in self.profiles.items())


JUDGES: Mapping[str, SuiteJudge] = {
    "memory": SuiteJudge(memory.PROFILES, memory.judge, memory.HELD),
    "memory_external": SuiteJudge(external.PROFILES, external.judge, external.HELD),
    "recognition": SuiteJudge(recognition.PROFILES, recognition.judge, recognition.HELD),
    "pressure": SuiteJudge(pressure.PROFILES, pressure.judge, pressure.HELD),
}
"""Suite → its judge."""


def judges(profile: str, suite: str) -> bool:
    """Whether a profile, of any version and extractor, is for a suite."""
    own = next((name for name, one in JUDGES.items() if profile in one.profiles), "")
    return own == suite if own else suite not in JUDGES


def planted_only(suite: str) -> bool:
    """Whether figures of a suite are *planted only*; never of suites that the headline's oracles judge."""
    return suite in JUDGES and JUDGES[suite].planted_only


def trust(profile: str) -> str:
    """How far a companion suite's profile was held against labels, in words; empty for any other profile."""
    return next(
        (held.said(one.held.get(profile), one.profiles[profile]) for one in JUDGES.values() if profile in one.profiles),
        "",
    )
