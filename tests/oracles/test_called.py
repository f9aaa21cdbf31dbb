"""Questions that call somebody by what he or she alone made: who is meant is whom the response names."""

from types import SimpleNamespace

import pytest

from halluvault_tasks.oracles import asked, replay
from halluvault_tasks.oracles.replay import ReplayItem, ReplayPremise

BORN, DIRECTOR_OF, MARRIED = 19, 57, 26
JAWS, SPIELBERG, LUCAS, CINCINNATI, CAPSHAW = 1, 2, 3, 4, 5


def item(p: int, s: int, o: int, *premises: ReplayPremise) -> ReplayItem:
    """ "Was the director of Jaws born in Cincinnati?", or married to somebody, and what a response says."""
    stated = [(p, s, o), (DIRECTOR_OF, JAWS, SPIELBERG)]
    told = [
        {"sid": 1, "property": each, "subject": {"qid": one}, "object": {"qid": other}} for each, one, other in stated
    ]
    fact = {"rule": f"composite:P57/P{p}", "kind": "composite", "relation": f"P{p}", "s": s, "o": o, "truth": True}
    fact["called"] = {"property": DIRECTOR_OF, "of": JAWS}
    columns = {"id": "c", "question": "?", "gold": "yes", "relation": "same", "mutation": "original", "group_id": "g"}
    case = asked.case_of(SimpleNamespace(**columns, fact=fact, premises=told, rule_kind="composite", subject=s))
    return ReplayItem(case, "yes", "yes", premises, (), False, False, False, "argued", False, None)


def said(p: int, s: int, o: int, negative: bool = False) -> ReplayPremise:
    return ReplayPremise(p, s, o, negative)


def test_the_slot_that_calls_somebody_is_known_whatever_is_asked_of_him() -> None:
    assert item(BORN, SPIELBERG, CINCINNATI).asked.named_by == {(DIRECTOR_OF, JAWS)}


@pytest.mark.parametrize(
    ("premises", "who"),
    [
        ((), SPIELBERG),
        ((said(DIRECTOR_OF, JAWS, SPIELBERG), said(BORN, SPIELBERG, CINCINNATI)), SPIELBERG),
        ((said(DIRECTOR_OF, JAWS, LUCAS),), LUCAS),
        ((said(DIRECTOR_OF, JAWS, LUCAS, negative=True),), SPIELBERG),
        ((said(DIRECTOR_OF, JAWS, LUCAS), said(DIRECTOR_OF, JAWS, SPIELBERG)), SPIELBERG),
        ((said(DIRECTOR_OF, JAWS, 0),), SPIELBERG),
    ],
)
def test_who_names_another_director_speaks_of_another_person(premises: tuple[ReplayPremise, ...], who: int) -> None:
    born = replay.meant(item(BORN, SPIELBERG, CINCINNATI, *premises)).asked
    assert (born.s, born.o) == (who, CINCINNATI)
    married = replay.meant(item(MARRIED, CAPSHAW, SPIELBERG, *premises)).asked
    assert (married.s, married.o) == (CAPSHAW, who)
