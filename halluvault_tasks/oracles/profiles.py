"""The oracle profiles that every response is judged by, with their versions, and the one that headlines rest on."""

from collections.abc import Mapping

from halluvault_tasks.oracles import anchored, paper, replay_profile, suites
from halluvault_tasks.oracles.extraction.base import Extractor

CURRENT: Mapping[str, str] = dict.fromkeys(paper.PROFILES, paper.VERSION) | {
    replay_profile.PROFILE: replay_profile.VERSION
}
"""Profile → version, of suites of yes/no questions."""


def wanted(extractor: Extractor | None) -> Mapping[str, str]:
    """`CURRENT`, and the published method's readings with another extractor."""
    name = extractor.name if extractor else anchored.NAME
    return {**CURRENT, **dict.fromkeys(paper.profiles(name), paper.version(name))}


def of_suite(suite: str) -> Mapping[str, str]:
    """Profiles that every response of a suite is judged by → version."""
    return suites.JUDGES[suite].profiles if suite in suites.JUDGES else CURRENT


HEADLINE = replay_profile.PROFILE
"""Profile whose rate is a model's headline (semantics.md section 4.4)."""
