"""The profile of a cross-examiner: `replay/syntax+NAME`, whose verdicts rest only on claims that NAME upholds."""

from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.cross_examination import questions
from halluvault_tasks.oracles.profile import OracleProfile

PREFIX = f"{replay_profile.PROFILE}+"
"""What the names of such profiles begin with."""

_GONE = frozenset({f"{PREFIX}transcript"})
"""Profiles of before that were called alike."""


def of(examiner: str) -> OracleProfile:
    """The profile of an examiner, by its registry name."""
    version = f"{replay_profile.VERSION}.{questions.VERSION}"
    return OracleProfile(f"{PREFIX}{examiner}", version, f"replay, examined by {examiner}")


def examiner_of(profile: str) -> str:
    """Whose a profile is; empty for a profile of no examiner."""
    return profile.removeprefix(PREFIX) if profile.startswith(PREFIX) and profile not in _GONE else ""
