"""What a month lost, by cause: what is chance, what is held back, and what stops the month."""

import pytest

from halluvault_tasks.knowledge.config import Gates
from halluvault_tasks.knowledge.falls import (
    CLASS,
    NAMES,
    PROPERTY,
    KeyCount,
    MonthJudgement,
    MonthPair,
    Past,
    YearCount,
    judge,
    year_ago,
)

GATES = Gates()
MONTHS = MonthPair("2026-11", "2026-10")


def one(kind: str, key: int, before: int, added: int = 0, **causes: int) -> KeyCount:
    return KeyCount(kind, key, before - sum(causes.values()) + added, before, causes)


def many(count: int = 40) -> list[KeyCount]:
    """Classes that stand, nearly."""
    return [one("class", 1000 + n, 100 + n, deleted=n % 2) for n in range(count)]


def judged(*counts: KeyCount, past: Past | None = None, limits: Gates = GATES, **year: YearCount) -> MonthJudgement:
    by_key = {("class", int(name[1:])): then for name, then in year.items()}
    return judge([*many(), *counts], past or Past((), GATES.least), limits, by_key, MONTHS)


def test_three_of_122_are_chance() -> None:
    assert judged(one("class", 486_972, 122, deleted=3)) == MonthJudgement()


def test_a_class_that_falls_is_held_back_with_its_causes_and_the_month_goes_on() -> None:
    found = judged(one("class", 5, 122, deleted=60, retyped=2, merged=5, added=1))
    assert not found.stopped
    assert [(fall.kind, fall.key, fall.words) for fall in found.held] == [
        (
            "class",
            5,
            "Q5 122 → 56 seeds since 2026-10: 2 of another class now, 60 in no answer any more; besides 5 merged into "
            "others",
        )
    ]


@pytest.mark.parametrize(
    "count",
    [
        one("property", 19, 1000, deleted=1000),
        one("property", 19, 1000, unanswered=300),
        one("class", 5, 1000, retyped=400),
        one("names", 5, 1000, renamed=200),
    ],
)
def test_what_falls_alone_is_held_back(count: KeyCount) -> None:
    found = judged(count, one("property", 20, 1000), one("property", 21, 1000), *(many_names()))
    assert [(fall.kind, fall.key) for fall in found.held] == [(count.kind, count.key)] and not found.stopped


def many_names() -> list[KeyCount]:
    return [one("names", 1000 + n, 200) for n in range(20)]


@pytest.mark.parametrize(
    "count",
    [
        one("class", 5, 1000, merged=900),
        one("property", 19, 1000, moved=1000),
        one("property", 19, 1000, merged=400, gone=20),
    ],
)
def test_what_answers_under_another_name_is_no_loss_and_named(count: KeyCount) -> None:
    found = judged(count, one("property", 20, 20_000), one("property", 21, 20_000))
    assert not found.held and not found.stopped
    assert len(found.remarks) == 1 and found.remarks[0].startswith(count.name)


def test_a_source_cut_off_or_doubled_stops_the_month() -> None:
    cut = judge([one("property", n, 40, deleted=5) for n in range(40)], Past((), 50), GATES, {}, MONTHS)
    assert cut.stopped == ("12% of all statements left since 2026-10 (200 deleted): the source looks truncated",)
    twice = judge([one("property", n, 1000, added=1000) for n in range(40)], Past((), 50), GATES, {}, MONTHS)
    assert twice.stopped == (
        "statements rose from 40,000 to 80,000 since 2026-10: the source looks doubled, or is another",
    )
    most = judge([one("class", n, 1000, retyped=500 * (n < 25)) for n in range(40)], Past((), 50), GATES, {}, MONTHS)
    assert len(most.stopped) == 1 and most.stopped[0].startswith("most classes fell (25 of 40): Q0 1000 → 500")


def test_a_source_that_changes_much_is_judged_by_its_own_past_from_six_months_on() -> None:
    fell = one("class", 5, 400, deleted=80)

    def past(months: int) -> Past:
        # Of every twentieth class a quarter leaves each month.
        return Past(
            [[one("class", n, 400, deleted=100 * ((n + m) % 20 == 0)) for n in range(200)] for m in range(months)], 50
        )

    assert judged(fell).held and judged(fell, past=past(5)).held
    assert not judged(fell, past=past(6)).held
    # One that always loses much has a past of its own; the others gain no licence by it.
    leaky = Past([[one("class", n, 400, deleted=40 * (n == 5)) for n in range(400)] for _ in range(6)], 50)
    assert not judged(one("class", 5, 400, deleted=70), past=leaky).held
    assert judged(one("class", 6, 400, deleted=80), past=leaky).held


def test_what_leaks_a_little_each_month_is_held_against_a_year_ago() -> None:
    now = one("class", 5, 602, deleted=10)
    found = judged(now, Q5=YearCount(1000, 0, "2025-11"))
    assert [fall.words for fall in found.held] == ["Q5 1000 → 592 seeds since 2025-11, a little each month"]
    assert not judged(now, Q5=YearCount(1000, 380, "2025-11")).held, "named when it was held back, or no loss"


def test_what_was_held_back_or_merged_is_known_of_a_year() -> None:
    then = [one("class", 5, 900, added=100), one("names", 5, 900)]
    since = [
        (one("class", 5, 1000, deleted=300, merged=10), True),
        (one("class", 5, 690, deleted=20, merged=5), False),
    ]
    assert year_ago("2025-11", then, since, [one("class", 5, 665, merged=1)]) == {
        ("class", 5): YearCount(1000, 316, "2025-11")
    }


def test_what_a_person_looked_at_holds_nothing_back_until_that_month() -> None:
    fell = one("class", 5, 122, deleted=60)
    for until, held in (("2026-10", True), ("2026-11", False), ("2026-12", False)):
        assert bool(judged(fell, limits=Gates(accepted={"Q5": until})).held) is held
    crept, year = one("class", 5, 602, deleted=10), {"Q5": YearCount(1000, 0, "2025-11")}
    assert not judged(crept, limits=Gates(accepted={"Q5": "2026-11"}), **year).held
    assert judged(crept, limits=Gates(accepted={"Q5": "2025-11"}), **year).held


def test_several_months_between_two_allow_for_more() -> None:
    fell = one("property", 19, 2000, deleted=320)
    others = [one("property", n, 2000) for n in range(20, 30)]
    assert judged(fell, *others).held
    assert not judged(fell._replace(months=12), *(other._replace(months=12) for other in others)).held


def test_kinds_and_their_causes_are_told_apart() -> None:
    assert (CLASS.letter, PROPERTY.letter, NAMES.letter) == ("Q", "P", "Q")
    assert one("property", 19, 10, gone=3, deleted=2).fell == 2 and one("property", 19, 10, gone=3).no_loss == 3
    assert one("class", 5, 10, retyped=3, merged=1, added=2).added == 2
