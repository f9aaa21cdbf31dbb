"""The registry of kinds of atoms: what `history` and `stories` take for granted of it."""

from itertools import takewhile

import pytest

from halluvault_tasks.temporal.kinds import KINDS, LIFE, AtomKind
from halluvault_tasks.wikidata import properties as wd

EVERY = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def before(kind: AtomKind) -> list[AtomKind]:
    return list(takewhile(lambda each: each is not kind, KINDS.values()))


@EVERY
def test_a_kind_comes_after_what_it_depends_on(kind: AtomKind) -> None:
    assert kind.instead is None or (kind.instead.lasts and kind.instead in before(kind))
    assert not kind.by_qualifiers or LIFE in before(kind)


@EVERY
def test_an_atom_of_a_name_has_its_kind(kind: AtomKind) -> None:
    assert KINDS[kind.of(5).partition("_")[0]] is kind


@EVERY
def test_a_dated_state_has_two_dates_and_everything_else_one_property(kind: AtomKind) -> None:
    assert len(kind.properties) == (2 if kind.lasts and not kind.by_qualifiers else 1)
    assert set(kind.properties) <= set(wd.DATED_BY_QUALIFIERS if kind.by_qualifiers else wd.DATES)


@EVERY
def test_only_a_moment_is_asked_about_by_its_year_alone_elsewhere(kind: AtomKind) -> None:
    assert not (kind.once and kind.lasts)
    assert not (kind.throughout and not kind.lasts)
