"""Oracle profiles are registered once, and whoever names one asks the registry."""

import re
import subprocess
import sys

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper, profiles, suites
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY

_KNOW = re.compile(r"[\"'](?:replay/syntax|paper/\w+|paper/\w+/answer-gated|baseline/constant-both)[\"']")
"""A profile's name as code would have it; what only tells people stands in longer strings."""


def test_one_profile_leads_and_every_extractor_has_both_readings() -> None:
    assert [one.name for one in profiles.REGISTERED.values() if one.leads] == [profiles.HEADLINE]
    for extractor in choose.EXTRACTORS:
        assert set(profiles.wanted(extractor)) == {*profiles.CURRENT, *(one.name for one in paper.profiles(extractor))}
    own = [one.name for judge in suites.JUDGES.values() for one in judge.profiles]
    assert len({*own, *profiles.REGISTERED}) == len(own) + len(profiles.REGISTERED), "no name twice"
    with pytest.raises(UserError, match="unknown profile 'replay/other'"):
        profiles.named("replay/other")


def test_the_views_say_what_the_registry_says(session: Session) -> None:
    views.install(session)
    named = session.execute(text("SELECT DISTINCT profile FROM results_v1.baselines")).scalars()
    assert set(named) <= {one.baseline for one in profiles.SHOWN}
    defined = session.scalar(text("SELECT pg_get_viewdef('results_baselines'::regclass)"))
    assert all(f"'{one.name}'" in defined for one in profiles.SHOWN)
    assert f"'{profiles.HEADLINE}'" in session.scalar(
        text("SELECT pg_get_viewdef('results_v1.verdict_turns'::regclass)")
    )
    session.rollback()


def test_no_other_code_knows_a_profile_by_name() -> None:
    folder = REPOSITORY / "halluvault_tasks"
    known = {
        path.relative_to(folder).as_posix()
        for path in (*folder.rglob("*.py"), *folder.rglob("*.sql"), *folder.rglob("*.html"))
        if "migrations" not in path.parts and _KNOW.search(path.read_text(encoding="utf-8"))
    }
    assert known == {"oracles/replay_profile.py", "oracles/paper.py"}


def test_who_judges_imports_nothing_that_only_others_compute_with() -> None:
    program = (
        "import sys; from halluvault_tasks.oracles import stages; "
        "print(sorted({'scipy', 'sklearn', 'pandas', 'torch', 'statsmodels', 'spacy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
