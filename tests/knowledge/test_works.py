"""Which works go together."""

from halluvault_tasks.knowledge.works import Works

ALIEN, ALIENS, HEAT, RONIN, ANNIE = 1, 2, 3, 4, 5
CASTS = {
    ALIEN: frozenset({11, 12}), ALIENS: frozenset({11, 12, 13}), HEAT: frozenset({11}), RONIN: frozenset({11, 12}),
}  # fmt: skip
YEARS = {ALIEN: 1979, ALIENS: 1986, HEAT: 1986, RONIN: 1998}


def test_works_of_a_time_with_several_people_in_common_go_together() -> None:
    works = Works(CASTS, YEARS)
    assert works.pairs({RONIN, HEAT, ALIENS, ALIEN, ANNIE}) == [(ALIEN, ALIENS)]
    assert works.go_together(ALIENS, ALIEN)
    assert not works.go_together(HEAT, ALIENS), "one alone joins films that nobody would think of together"
    assert not works.go_together(RONIN, ALIENS), "twelve years lie between them"


def test_of_a_work_without_a_year_or_a_cast_nothing_is_known() -> None:
    works = Works(CASTS, {ALIEN: 1979})
    assert works.pairs(CASTS) == []
    assert not works.go_together(ANNIE, ALIEN)
