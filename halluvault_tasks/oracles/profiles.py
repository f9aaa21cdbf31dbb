"""The registry of the oracle profiles that responses are judged by: everybody else asks it."""

from collections.abc import Mapping

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import anchored, paper, replay_profile, suites
from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.oracles.profile import OracleProfile

REGISTERED: Mapping[str, OracleProfile] = {
    one.name: one
    for one in (replay_profile.REPLAY, *(one for extractor in choose.EXTRACTORS for one in paper.profiles(extractor)))
}
"""Profiles of suites of yes/no questions by name, in the order in which they are shown; companion suites bring theirs
(`suites.JUDGES`)."""

SHOWN = tuple(one for one in REGISTERED.values() if one.extractor in ("", anchored.NAME))
"""Those that every installation judges by."""

CURRENT: Mapping[str, str] = {one.name: one.version for one in SHOWN}
"""Their versions by name."""

LEADING = next(one for one in SHOWN if one.leads)
HEADLINE = LEADING.name
"""Profile whose rate is a model's headline (semantics.md section 4.4)."""

CONSTANT = next(one for one in SHOWN if one.constant)
"""Profile beside which stands that of an oracle that calls every answer an error of both kinds."""


def wanted(extractor: str = "") -> Mapping[str, str]:
    """Profiles that an installation judges by, with this extractor beside `anchored` → version."""
    names = ("", anchored.NAME, extractor)
    return {one.name: one.version for one in REGISTERED.values() if one.extractor in names}


def of_suite(suite: str) -> Mapping[str, str]:
    """Profiles that every response of a suite is judged by → version."""
    return suites.JUDGES[suite].versions if suite in suites.JUDGES else CURRENT


def named(name: str) -> OracleProfile:
    """A registered profile, or that of a cross-examiner, which is registered by naming one in models.yaml.

    Raises:
        UserError: there is none of that name; says which there are.
    """
    if examiner := cross_examination.examiner_of(name):
        return cross_examination.of(examiner)
    if name not in REGISTERED:
        known = f"{', '.join(REGISTERED)}, or {cross_examination.PREFIX}NAME of a cross-examiner"
        raise UserError(f"unknown profile {name!r}", f"give one of {known}")
    return REGISTERED[name]
