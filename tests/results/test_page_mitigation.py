"""What mitigation changed, on the page: pairs of the right models, as a picture and a table of the same figures."""

import re
from collections.abc import Sequence

import pytest
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.results import page_mitigation, page_suites, views
from halluvault_tasks.results.mitigation.gains import Gain
from halluvault_tasks.results.page_mitigation import Changed, Mitigation, MitigationRow
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics.comparisons import PairedDifference
from halluvault_tasks.storage.tables import mitigation_use
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

BASE = "somebody's <b>model</b>"
OTHERS = (f"{BASE}-edited", f"{BASE}-tuned-2", f"{BASE}-larger", "another-edited")


@pytest.fixture
def asked(session: Session) -> None:
    """A model whose first six questions were made into edits, and others asked the same month."""
    views.install(session)
    for number, name in enumerate((BASE, *OTHERS)):
        evaluation_of(session, evaluation=f"e{number}", name=name, seed=number)
    publish(session)
    for number in range(len(OTHERS) + 1):
        summarise(session, f"e{number}")
    session.execute(
        insert(mitigation_use),
        [
            {"model": BASE, "kind": "edit", "case_id": case, "snapshot": SNAPSHOT, "group_id": f"gx{number // 3}",
             "subject": number, "property": 19, "split": ""}
            for number, case in enumerate(f"x{number:03d}" for number in range(6))
        ],
    )  # fmt: skip
    session.commit()


def test_a_changed_model_is_compared_with_the_one_whose_name_it_bears_and_no_other_is(
    session: Session, asked: None
) -> None:
    found = page_mitigation.of(session, SNAPSHOT)
    assert [(one.model, one.made_of) for one in found.changed] == [(OTHERS[0], BASE), (OTHERS[1], BASE)]
    assert found.prompts == []
    parts = {gain.part: gain for gain in found.changed[0].gains}
    assert (parts["targets"].difference.shared, parts["all"].difference.shared) == (6, 400)

    html = page_suites.suites(session, SNAPSHOT)
    section = html[html.index('id="mitigation"') :]
    assert "<b>model" not in section and "somebody&#39;s &lt;b&gt;model" in section
    for one in found.changed:
        [picture] = [each.svg for each in found.pictures if one.model in each.heading]
        assert picture in section
        for gain in one.gains:
            difference = gain.difference
            ends = f"[{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"
            assert f"{gain.part}: {100 * difference.difference:+.1f} points {ends}" in picture
            assert f">{100 * difference.difference:+.1f} {ends}</td>" in section

    session.execute(text("DELETE FROM mitigation_use"))
    assert page_mitigation.of(session, SNAPSHOT).changed == []
    session.rollback()


def gain(part: str, ends: Sequence[float]) -> Gain:
    low, middle, high = ends
    return Gain(part, 0.5, 0.5 + middle, PairedDifference(middle, low, high, 0.5, 40, 20, 0.1))


def row(model: str, name: str, every: Sequence[float], failed: Sequence[float]) -> MitigationRow:
    return MitigationRow(model, False, name, "two-turn", "with", "without", gain("all", every), gain("all", failed))


def test_each_prompt_has_a_picture_of_all_models_and_all_prompts_have_one_axis() -> None:
    prompts = [
        row("m", "self-check", (-0.05, 0.01, 0.07), (-0.1, -0.05, 0.0)),
        row("n", "self-check", (-0.05, 0.02, 0.07), (-0.1, -0.04, 0.0)),
        row("m", "evidence (two-turn)", (-0.5, -0.4, -0.3), (-0.6, -0.5, -0.4)),
    ]
    first, second = Mitigation(prompts, []).pictures
    assert (first.heading, second.heading) == (
        "Change by self-check, in points", "Change by evidence (two-turn), in points"
    )  # fmt: skip
    assert "all asked again, n: +2.0 points [-5.0, +7.0]" in first.svg
    assert "only failed ones asked again, n: -4.0 points [-10.0, +0.0]" in first.svg
    ends = [re.findall(r">([+-]\d+)</text>", picture.svg) for picture in (first, second)]
    assert ends[0] == ends[1] == ["-60", "-30", "+30", "+60"]


def test_who_is_simulated_is_said_of_prompts_and_of_changed_models() -> None:
    prompted = row("p", "self-check", (0, 0, 0), (0, 0, 0))
    changed = Changed("c-edited", True, "c", "two-turn", "variant", [gain("all", (-0.2, -0.1, 0.0))])
    found = Mitigation([prompted, prompted._replace(model="s", simulated=True)], [changed])
    assert found.simulated == {"s", "c-edited"}
