"""What this project reads and judges with, as the measures take it. The one module here that knows how it is done."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.entity_index import Ending, EntityIndex
from halluvault_tasks.benchmark.lexicon import Ends, Lexicon, load_lexicon
from halluvault_tasks.benchmark.names import Facts
from halluvault_tasks.oracles import decision, phrasebook, stages
from halluvault_tasks.oracles.claims import Claim, Reader
from halluvault_tasks.oracles.embedding import Embed
from halluvault_tasks.oracles.extraction.base import Extractor
from halluvault_tasks.oracles.measure.claims import Read, ReadClaim, bare_name, iso
from halluvault_tasks.oracles.measure.labelled import Case, LabelledClaim, LabelledSentence
from halluvault_tasks.oracles.measure.responses import Judge, JudgedClaim, Judgement
from halluvault_tasks.oracles.mentions import EntityName, Names
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Given
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.storage.tables import benchmark_case, cases, statement
from halluvault_tasks.wikidata.relation import Relation

_HUMAN = 5  # Q5


def answers(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What each text answers to its question."""
    reader = AnswerReader(spacy_parser())
    return [one.answer.kind for one in reader.read([Given(text, question) for text, question in pairs])]


def claims(config_dir: Path) -> Read:
    """The reader of claims, on the names of each line alone.

    Args:
        config_dir: directory of lexicon.yaml and phrases.yaml.
    """
    book = phrasebook.load(config_dir)
    lexicon = load_lexicon(config_dir / "lexicon.yaml")

    def read(line: LabelledSentence) -> Iterable[ReadClaim]:
        known = _known(line, lexicon)
        names = Names(EntityName(one.qid, one.label or "", (), _HUMAN in one.classes) for one in known.values())
        world = EntityIndex({one.qid: one for one in known.values()}, {}, lexicon, Ending(frozenset(), frozenset()))
        qids = {one.qid: one.label or "" for one in known.values()}
        topic = known[bare_name(line.topic)].qid if line.topic else 0
        for claim in Reader(names, book, world).read(line.text, qids, topic):
            if said := _said(claim, qids):
                yield said

    return read


def _known(line: LabelledSentence, lexicon: Lexicon) -> dict[str, Facts]:
    """The line's names as entities of the kinds that their properties ask for; dates and numbers are no names."""
    kinds: dict[str, set[int]] = {bare_name(name): set() for name in (line.topic, *line.names) if name}
    labelled = [*line.claims, *line.also_fine, *(alt for claim in line.claims for alt in claim.alt)]
    for claim in labelled:
        for name, side in ((claim.s, "subject"), (claim.o, "object")):
            if not iso(bare_name(name)):
                kinds.setdefault(bare_name(name), set()).update(_demanded(claim, side, lexicon))
    return {
        name: Facts(number, name, None, (), frozenset(classes), frozenset(classes))
        for number, (name, classes) in enumerate(sorted(kinds.items()), 1)
    }


def _demanded(claim: LabelledClaim, side: str, lexicon: Lexicon) -> set[int]:
    found: set[int] = set()
    for p in claim.p.split(","):
        for entry in lexicon.properties.get(int(p.strip().lstrip("P") or 0), ()):
            ends: Ends = getattr(entry, side)
            found.update(qid for kind in ends.any for qid in lexicon.kinds[kind])
    return found


def _said(claim: Claim, qids: Mapping[int, str]) -> ReadClaim | None:
    readings = [one for one in claim.readings if one.p and Relation.of(one.p).is_property]
    if claim.source == "unread" or not readings:
        return None
    first = readings[0]
    other = qids.get(first.o) or claim.object.partition(",")[0]
    properties = tuple(dict.fromkeys(f"P{one.p}" for one in readings))
    return ReadClaim(properties, qids.get(first.s, claim.subject), other, claim.negative)


def judge(
    session: Session,
    snapshot: str,
    placed: Sequence[Case] | None,
    profile: str,
    *,
    embed: Embed,
    extractor: Extractor | None = None,
) -> Judge:
    """One profile's judge on a snapshot, on cases that need not be of its benchmark.

    Args:
        session: open session; it is only read.
        snapshot: exact key, rules typed.
        placed: the cases, statements of their proofs are found again by their ids in Wikidata; None: its benchmark's.
        profile: whose verdicts.
        embed: Sentence-BERT.
        extractor: where the profile is another extractor's.
    """
    rows = None if placed is None else _rows(session, snapshot, placed)

    def judged(texts: Sequence[tuple[str, str]]) -> list[Judgement | None]:
        items = [stages.Item(case, number, text) for number, (case, text) in enumerate(texts, 1)]
        made = stages.judge(session, snapshot, items, embed=embed, extractor=extractor, wanted=[profile], placed=rows)
        by_number = {row["sample"]: _judgement(row) for row in made}
        return [by_number.get(item.sample) for item in items]

    return judged


def echoes(session: Session, snapshot: str) -> list[tuple[str, str]]:
    """Each case of a benchmark with the right answer that lists its proof word for word."""
    rows = session.execute(
        select(cases.c.id, cases.c.gold, benchmark_case.c.premises)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot)
        .order_by(cases.c.id)
    )
    return [
        (case, f"{gold.capitalize()}.\n" + "\n".join(f"{n}. {one['sentence']}" for n, one in enumerate(premises, 1)))
        for case, gold, premises in rows
    ]


def _rows(session: Session, snapshot: str, placed: Sequence[Case]) -> list[Any]:
    guids = sorted({str(premise["guid"]) for case in placed for premise in case.premises if premise.get("guid")})
    sids: dict[str, int] = dict(
        session
        .execute(
            select(statement.c.guid, statement.c.sid).where(
                statement.c.snapshot == snapshot, statement.c.guid.in_(guids)
            )
        )
        .tuples()
        .all()
    )
    rows = []
    for case in sorted(placed, key=lambda one: one.id):
        premises = [premise | {"sid": sids.get(str(premise.get("guid")), premise["sid"])} for premise in case.premises]
        rows.append(SimpleNamespace(**case.model_dump() | {"premises": premises}))
    return rows


def _judgement(row: Mapping[str, Any]) -> Judgement:
    listed = row["detail"].get("claims") if row["profile"] == decision.PROFILE else None
    read = None
    if listed is not None:
        read = tuple(
            JudgedClaim(
                one["text"], one["subject"], one["object"], one["by"] != "unread", one["status"] == "contradicted"
            )
            for one in listed
        )
    return Judgement(row["category"], row["answer"], read)
