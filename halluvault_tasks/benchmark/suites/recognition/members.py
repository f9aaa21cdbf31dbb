"""Texts as cases: both members of a pair to be judged, a false one to be corrected, and what HaluEval's files hold."""

from typing import NamedTuple

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.paragraphs import cited
from halluvault_tasks.benchmark.suites.recognition import judging, refining
from halluvault_tasks.benchmark.suites.recognition.fact import NAME, Member, RecognitionFact
from halluvault_tasks.benchmark.suites.recognition.halueval import FileTask, HaluEvalLine
from halluvault_tasks.benchmark.suites.recognition.swaps import Swap
from halluvault_tasks.reasoning.case_proofs.label import labelled
from halluvault_tasks.reasoning.case_proofs.members import false_member, right_member

GENERATOR = "licensed swaps"
HALUEVAL = "HaluEval"


class TextPair(NamedTuple):
    """A right text and a false one, whoever made them.

    Attributes:
        pattern: of the false member.
        generator: who made it.
        right, false: empty where a file has one of them alone.
        knowledge: what decides it; empty: the setting does.
        why: what shows that the false member is false.
    """

    task: FileTask
    pattern: str
    generator: str
    setting: str
    right: str
    false: str
    knowledge: str
    why: str


def both_members(swap: Swap, material: Material, generator: str) -> list[Case]:
    """The cases of a swap, by whoever made it: its right member and its false one."""
    pair = TextPair(swap.task, swap.pattern, generator, swap.setting, swap.right, swap.false, swap.knowledge,
                    swap.shown.why)  # fmt: skip
    id_ = content_id(NAME, generator, swap.task, swap.pattern, swap.setting, swap.right, swap.false)
    domain = _domain(swap, material)
    right = right_member(swap.task, "no", map(cited, swap.premises), swap.support)
    false = false_member(map(cited, swap.premises), swap.shown)
    return [
        _about(_judged(pair, id_, "right", domain, right), swap)._replace(object=swap.o),
        _about(_judged(pair, id_, "false", domain, false), swap)._replace(object=swap.other),
    ]


def imported(row: HaluEvalLine, task: FileTask) -> list[Case]:
    """The cases of a line of HaluEval: its members, as it labels them."""
    pair = TextPair(task, "as imported", HALUEVAL, row.setting, row.right, row.false, row.knowledge, "HaluEval says so")
    id_ = content_id(NAME, HALUEVAL, task, row.setting, row.right, row.false)
    whose = "the label of HaluEval's file; nothing here derives it"
    members: tuple[tuple[Member, str, str], ...] = (("right", row.right, "no"), ("false", row.false, "yes"))
    return [_judged(pair, id_, member, HALUEVAL, labelled(gold, whose)) for member, text, gold in members if text]


def _judged(pair: TextPair, id_: str, member: Member, domain: str, proof: str) -> Case:
    text, other = (pair.right, pair.false) if member == "right" else (pair.false, pair.right)
    whole = bool(text and other)
    fact = RecognitionFact(
        task=pair.task, pattern=pair.pattern, generator=pair.generator, pair=id_, member=member,
        words=len(text.split()), characters=len(text), other_words=len(other.split()), other_characters=len(other),
        why=pair.why, instruction=judging.INSTRUCTIONS[pair.task], demonstrations=judging.DEMONSTRATIONS[pair.task],
        contrast=judging.contrast(pair.task, id_, pair.right, pair.false) if whole else None,
        knowledge=pair.knowledge or None,
    )  # fmt: skip
    question, gold = judging.question(pair.task, pair.setting, text), "yes" if member == "false" else "no"
    return Case(
        id=content_id(question, gold, id_, member), question=question, gold=gold, group_id=id_,
        mutation="original" if member == "right" else "false", relation="same", suite=NAME, domain=domain,
        rule_kind=f"{pair.task}.{pair.pattern}", property=None, subject=None, object=None,
        fact=fact.model_dump(mode="json", exclude_none=True), premises=[], proof=proof,
    )  # fmt: skip


def to_correct(swap: Swap, material: Material) -> Case:
    """The pair's false member, to be corrected."""
    asked = refining.of(swap)
    group = content_id(NAME, refining.RULE, swap.task, swap.setting, swap.right, swap.false)
    fact = RecognitionFact(
        task=swap.task, pattern=swap.pattern, generator=GENERATOR, pair=group, member="false",
        words=len(swap.false.split()), characters=len(swap.false), other_words=len(swap.right.split()),
        other_characters=len(swap.right), why=swap.shown.why, refine=asked.told, names=(asked.right, asked.false),
    )  # fmt: skip
    case = Case(
        id=content_id(asked.question, swap.right, group, "original"), question=asked.question, gold=swap.right,
        group_id=group, mutation="original", relation="same", suite=NAME, domain=_domain(swap, material),
        rule_kind=f"{swap.task}.{refining.RULE}", property=None, subject=None, object=swap.o,
        fact=fact.model_dump(mode="json", exclude_none=True), premises=[],
        proof=right_member(swap.task, swap.right, map(cited, swap.premises), swap.support),
    )  # fmt: skip
    return _about(case, swap)


def _domain(swap: Swap, material: Material) -> str:
    return material.index.domains.get(swap.s) or "general"


def _about(case: Case, swap: Swap) -> Case:
    """A case with the statements that it rests on."""
    return case._replace(property=swap.p, subject=swap.s, premises=[dict(each) for each in swap.premises])
