"""A month of four hundred questions with verdicts drawn at random, every category among them, some of them unread."""

import random

from sqlalchemy import insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import paper, profiles
from halluvault_tasks.storage import tables
from tests.oracles.material import MODEL, SNAPSHOT, fill

ANSWERS = ("yes", "no", "yes", "no", "dont_know", "refusal")
UNREAD = ("", "no_answer", "cut_off", "api_refusal")
"""Sub-labels of what could not be read."""

CATEGORIES = ("normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable", "review")


def more_cases(session: Session, count: int) -> list[str]:
    """Cases beyond the hand-written four, so that rates are not all 0, ½ and 1."""
    seed = random.Random(5)
    ids = [f"x{number:03d}" for number in range(count)]
    session.execute(
        upsert(tables.cases).on_conflict_do_nothing(),
        [
            {
                "id": case,
                "question": f"Question {case}?",
                "gold": seed.choice(["yes", "no"]),
                "group_id": f"gx{number // 3}",
                "mutation": "original",
                "relation": seed.choice(["same", "contradictory", "contrary"]),
                "suite": "temporal" if number // 3 % 3 == 0 else "relation",
            }
            for number, case in enumerate(ids)
        ],
    )
    part = {"suite": "temporal", "seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}, "published": True}
    session.execute(upsert(tables.benchmark_part).on_conflict_do_nothing(), [part | {"snapshot": SNAPSHOT}])
    session.execute(
        upsert(tables.benchmark_case).on_conflict_do_nothing(),
        [
            {
                "snapshot": SNAPSHOT,
                "suite": "temporal" if number // 3 % 3 == 0 else "relation",
                "case_id": case,
                "domain": seed.choice(["people", "culture", "geography"]),
                "rule_kind": seed.choice(["F", "U"] if number // 3 % 3 == 0 else ["inverse", "negation.value"]),
                "fact": {},
                "premises": [],
                "proof": "",
            }
            for number, case in enumerate(ids)
        ],
    )
    session.commit()
    return ids


def judge_at_random(
    session: Session,
    evaluation: str,
    profile: str,
    version: str = paper.VERSION,
    seed: int | str = 1,
    unread: float = 0.05,
) -> None:
    """A verdict row of every category for the evaluation's delivered responses; this share of them is unread."""
    chance = random.Random(seed)
    golds = dict(session.execute(select(tables.cases.c.id, tables.cases.c.gold)).all())
    rows = []
    for case in session.scalars(
        select(tables.response.c.case_id)
        .where(tables.response.c.evaluation_id == evaluation, tables.response.c.status == "delivered")
        .order_by(tables.response.c.case_id)
    ):
        lot = random.Random(f"{case}{seed}")
        answer = "unparseable" if lot.random() < unread else lot.choice(ANSWERS)
        category, faulty = chance.choice(CATEGORIES[:5] + CATEGORIES[6:]), chance.choice([True, False])
        sub_label = None
        if answer == "unparseable":
            category, faulty, sub_label = "unparseable", None, lot.choice(UNREAD)
        elif answer in paper.ABSTENTIONS:
            category, faulty = "normal", None
        rows.append({
            "evaluation_id": evaluation, "case_id": case, "sample": 1, "profile": profile, "profile_version": version,
            "answer": answer, "correct": answer == golds[case] if answer in ("yes", "no") else None,
            "category": category, "sub_label": sub_label, "reasoning_faulty": faulty, "detail": {},
        })  # fmt: skip
    session.execute(insert(tables.verdict), rows)
    session.commit()


def evaluation_of(
    session: Session,
    dead: int = 0,
    evaluation: str = "e1",
    name: str = MODEL,
    seed: int = 0,
    unread: float = 0.05,
) -> str:
    """An evaluation of the month, judged at random by every profile; its first `dead` prompts got no response."""
    fill(session, [("c1", "Yes.")], evaluation, name)
    ids = more_cases(session, 396)
    every = ["c1", "c2", "c3", "c4", *ids]
    answers = [(case, None if number < dead else "Yes.") for number, case in enumerate(every)]
    fill(session, answers, evaluation, name)
    for profile, version in profiles.CURRENT.items():
        judge_at_random(session, evaluation, profile, version, seed=f"{seed} {profile}", unread=unread)
    return evaluation


def publish(session: Session, snapshot: str = SNAPSHOT) -> None:
    """Only a published month is current. Commits."""
    of_month = tables.benchmark_part.c.snapshot == snapshot
    session.execute(update(tables.benchmark_part).where(of_month).values(published=True))
    session.commit()


def summarise_any_version(session: Session, evaluation: str) -> None:
    """Figures of an evaluation whose profiles may have a version that no code of today has."""
    from halluvault_tasks.results import figures, store, tally

    snapshot = session.scalar(text("SELECT snapshot FROM evaluation WHERE id = :id"), {"id": evaluation})
    planned = tally.planned(session, str(snapshot), 1, "v1")
    for key, judged in tally.of_evaluation(session, evaluation, str(snapshot)).items():
        store.put(session, store.ResultSet(evaluation, *key), figures.of_tally(judged, planned), figures.OWNED)
    session.commit()


def judge_anew(session: Session, evaluation: str, version: str) -> None:
    """The verdicts that an evaluation has, by another version of its profiles as well; and its figures by both."""
    mine = select(tables.verdict).where(tables.verdict.c.evaluation_id == evaluation)
    rows = [dict(row) | {"profile_version": version} for row in session.execute(mine).mappings()]
    session.execute(insert(tables.verdict), rows)
    session.commit()
    summarise_any_version(session, evaluation)
