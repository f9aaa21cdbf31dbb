"""What events and states are called in questions about time."""

from halluvault_tasks.benchmark.suites.temporal.phrases import phrases_of
from halluvault_tasks.benchmark.wording.entity_index import Ending, EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Facts
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.temporal.verbalise import Phrase

LEXICON = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
HUMAN, STATE, ITALY, HEAD = 5, 6256, 38, 35
DE_NICOLA, EINAUDI = 1245, 1242
NOBODY = Links({}, {})


def entity(qid: int, label: str, kind: int, description: str = "") -> Facts:
    kinds = frozenset({kind})
    return Facts(qid, label, description or None, (), kinds, kinds, kinds)


def index(*people: tuple[int, str, str]) -> EntityIndex:
    several = [entity(qid, label, HUMAN, description=said) for qid, label, said in people]
    others = [entity(n, f"Person {n}", HUMAN) for n in range(2_000, 2_200)]
    everything = {one.qid: one for one in (*several, *others, entity(ITALY, "Italy", STATE))}
    return EntityIndex(everything, {}, LEXICON, Ending(frozenset(), frozenset()), known=dict.fromkeys(everything, 1.0))


def of_life(kind: str, qid: int) -> dict[str, object]:
    return {"kind": kind, "qid": qid, "o": None, "p": 569}


def headed(holder: int) -> dict[str, object]:
    return {"kind": "head", "qid": ITALY, "o": holder, "p": HEAD}


def test_who_stands_beside_a_child_is_called_by_the_name_alone() -> None:
    both = index((1, "Mako", "American actor"), (2, "Zazie", "American actress"))
    atoms = {"one": of_life("death", 1), "other": of_life("birth", 2)}
    strangers = phrases_of(atoms, ["one", "other"], both, LEXICON, NOBODY)
    kin = phrases_of(atoms, ["one", "other"], both, LEXICON, Links({1: {2}, 2: {1}}, {}))
    assert isinstance(strangers, dict) and isinstance(kin, dict)
    assert _names(strangers) == ["Mako, the American actor,", "Zazie, the American actress,"]
    assert _names(kin) == ["Mako", "Zazie"]


def _names(phrases: dict[str, Phrase]) -> list[str]:
    return [phrase.subject for phrase in phrases.values()]


def test_who_held_an_office_is_called_without_the_peerage_that_came_after() -> None:
    peer = index((EINAUDI, "Des Browne, Baron Browne of Ladyton", ""), (DE_NICOLA, "Baron Goldsmith", ""))
    asked = phrases_of({"held": headed(EINAUDI)}, ["held"], peer, LEXICON, NOBODY)
    assert isinstance(asked, dict) and _names(asked) == ["Des Browne"]


def test_a_head_of_state_is_called_as_in_that_country_but_who_was_called_otherwise_is_not_asked_about() -> None:
    both = index((DE_NICOLA, "Enrico De Nicola", ""), (EINAUDI, "Luigi Einaudi", ""))
    asked = phrases_of({"held": headed(EINAUDI)}, ["held"], both, LEXICON, NOBODY)
    assert isinstance(asked, dict) and asked["held"].predicate == "was President of Italy"
    assert not isinstance(phrases_of({"held": headed(DE_NICOLA)}, ["held"], both, LEXICON, NOBODY), dict)
