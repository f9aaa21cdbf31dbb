"""When a wrong value is very much like the right one (HELMA's extrinsic-soft), in the small world."""

from collections.abc import Callable

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.recognition.dialogues import DialogueSwaps
from halluvault_tasks.benchmark.suites.sole_statements import SoleStatements
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.settings import REPOSITORY

LONDON, PORTSMOUTH, MUNICH, ENGLAND, SCOTLAND = 1022, 1021, 1023, 1011, 1014
DICKENS, VERMEER, ADA, BERT, ALBERT = 2001, 2002, 2003, 2004, 2008


@pytest.fixture
def swaps(session: Session, make_world: Callable[..., str]) -> DialogueSwaps:
    key = make_world("2057-01")
    material = Material(session, snapshots.get(session, key), load_lexicon(REPOSITORY / "config" / "lexicon.yaml"))
    return DialogueSwaps(SoleStatements(material, (19, 22), 1, 100), {})


def test_like_places_are_of_one_type_and_one_country_and_like_people_of_one_time(swaps: DialogueSwaps) -> None:
    assert swaps.alike(19, LONDON, PORTSMOUTH)
    assert swaps.alike(19, ENGLAND, ENGLAND)
    assert not swaps.alike(19, LONDON, MUNICH), "another country"
    assert not swaps.alike(19, LONDON, SCOTLAND), "the same country, and a part of it: another type"
    assert not swaps.alike(19, LONDON, DICKENS)
    assert swaps.alike(22, DICKENS, ALBERT), "born in 1812 and 1819"
    assert swaps.alike(22, ADA, BERT)
    assert not swaps.alike(22, DICKENS, VERMEER), "born in 1812 and 1632"
    assert not swaps.alike(22, ADA, 2009), "whose birth is not known"
