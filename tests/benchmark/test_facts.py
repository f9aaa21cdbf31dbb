"""Which derived facts are put into words, and why others are not."""

import pytest

from halluvault_tasks.benchmark.selection.entity_index import Ending, EntityIndex
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.benchmark.wording.names import Facts
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.days import day_number

LEXICON = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
STATE, WAR = 3624078, 198
EMPIRE, KINGDOM, FOUGHT = 1, 2, 3
RULE = Rule(1, "symmetric", "symmetric", (710,), 710, "", {"time_bound": False}, "active", "")


def entity(qid: int, label: str, kind: int) -> Facts:
    return Facts(qid, label, None, (), frozenset({kind}), frozenset({kind}), frozenset({kind}))


@pytest.mark.parametrize(
    ("participant", "asked"), [(EMPIRE, "what took part was over before the event began"), (KINGDOM, "")]
)
def test_a_state_that_was_over_before_a_war_is_not_asked_about_as_one_that_took_part(
    participant: int, asked: str
) -> None:
    entities = [
        entity(EMPIRE, "Swedish Empire", STATE), entity(KINGDOM, "Prussia", STATE),
        entity(FOUGHT, "Seven Years' War", WAR),
    ]  # fmt: skip
    since = {EMPIRE: day_number(1721, 12, 31), KINGDOM: day_number(1918, 12, 31), FOUGHT: day_number(1763, 12, 31)}
    index = EntityIndex(
        {one.qid: one for one in entities},
        {},
        LEXICON,
        Ending(frozenset(), frozenset(since), since=since),
        years={EMPIRE: 1611, KINGDOM: 1701, FOUGHT: 1756},
    )
    worder = Worder(index, LEXICON, LicenceFacts())
    told = worder.candidate("history", DerivedFact(1, 710, FOUGHT, participant, 1, 0, 0), RULE)
    turned = worder.candidate("history", DerivedFact(1, 1344, participant, FOUGHT, 1, 0, 0), RULE)
    for one in (told, turned):
        assert one == asked if asked else not isinstance(one, str), one
