"""How far an examiner is to be trusted: labelled claims, half of them misread, and what it says of them.

Its sensitivity is the share of claims that a text says and that it upholds; its specificity, of misread ones, the share
that it does not. Both stand beside every rate of its profile.
"""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.cross_examination import asking, questions
from halluvault_tasks.oracles.cross_examination.asking import ClaimAnswer
from halluvault_tasks.oracles.cross_examination.questions import CrossQuestion
from halluvault_tasks.oracles.cross_examination.statements import ExaminedStatement
from halluvault_tasks.oracles.measure import labelled
from halluvault_tasks.oracles.measure.labelled import LabelledLine
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.querying.pinned import PinnedModel
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.servers import TokenOf, token_of
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage.tables import examiner_trial

FILE = REPOSITORY / "studies" / "examination" / "claims.jsonl"
"""The labelled claims of a checkout."""

ENOUGH = 300
"""Labelled claims, half of them misread, from which on figures of an examiner are shown beside its rates."""

_WAYS = ("says", "otherwise")


class LabelledStatement(LabelledLine):
    """A statement about a text."""

    id: str
    question: str
    text: str
    statement: str
    denied: bool = False
    meant: tuple[str, ...] = ()
    said: bool
    """Label: the text says it."""

    how: str
    """What it was made of."""

    @property
    def asked(self) -> CrossQuestion:
        """As an examiner is asked."""
        return CrossQuestion(self.question, self.text, ExaminedStatement(self.statement, self.denied), self.meant)


class LabelledSet(NamedTuple):
    """The claims of a file, and the first 16 hex digits of its sha256."""

    lines: Sequence[LabelledStatement]
    version: str


class TrialFigures(NamedTuple):
    """What an examiner says of labelled claims.

    Attributes:
        claims: of the file.
        answered: of these, both ways round.
        sensitivity: of those that are said: upheld.
        specificity: of those that are not: not upheld.
        by_kind: what a claim was made of → those rightly answered.
        by_answers: answers given, yes/no as read, to the question and the other way round → how many.
    """

    claims: int
    answered: int
    sensitivity: HitShare | None
    specificity: HitShare | None
    by_kind: Mapping[str, HitShare]
    by_answers: Mapping[str, int]


def load(file: Path = FILE) -> LabelledSet:
    """Read labelled claims.

    Raises:
        UserError: the file cannot be read, or a line is no labelled claim.
    """
    lines = labelled.read([file], LabelledStatement)
    return LabelledSet(lines, hashlib.sha256(file.read_bytes()).hexdigest()[:16])


def ask(session: Session, registry: Registry, given: LabelledSet, token: TokenOf = token_of) -> TrialFigures:
    """Ask the pinned examiner about what it has not answered yet, and count. Commits; goes on if killed.

    Raises:
        Unavailable: nobody answers, or no longer; what was answered is kept.
        UserError: as `asking.ask`.
    """
    known = {one.question.key for one in _stored(session, registry, given)}
    missing = {one.id: one for one in given.lines if one.asked.key not in known}

    def keep(examiner: PinnedModel, answers: Sequence[ClaimAnswer]) -> None:
        rows = [
            {"examiner": examiner.key, "labelled": given.version, "said": missing[one.name].said} | one.columns
            for one in answers
        ]
        if rows:
            session.execute(insert(examiner_trial).on_conflict_do_nothing(), rows)
        session.commit()

    if missing:
        asking.ask(session, registry, {name: one.asked for name, one in missing.items()}, keep, token)
    return figures(given, _stored(session, registry, given))


def _stored(session: Session, registry: Registry, given: LabelledSet) -> list[ClaimAnswer]:
    by_key = {one.asked.key: one for one in given.lines}
    c = examiner_trial.c
    rows = session.execute(
        select(c.claim, c.says_reply, c.otherwise_reply).where(
            c.labelled == given.version, c.examiner.in_(asking.rows_of(session, registry)), c.claim.in_(by_key)
        )
    )
    found = {row.claim: row for row in rows}
    return [
        ClaimAnswer(by_key[key].id, by_key[key].asked, row.says_reply, row.otherwise_reply)
        for key, row in sorted(found.items())
    ]


def of_sheets(given: LabelledSet, sheets: Sequence[Path]) -> TrialFigures:
    """What readers who filled in sheets say: lines ID.says or ID.otherwise, a tabulator, yes or no.

    Raises:
        UserError: a line is none of these; names file and line.
    """
    said: dict[str, dict[str, str]] = {}
    known = {one.id for one in given.lines}
    for file in sheets:
        for number, row in enumerate(csv.reader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t"), 1):
            name, _, way = row[0].partition(".") if row else ("", "", "")
            if name not in known or way not in _WAYS or len(row) < 2:
                raise UserError(
                    f"{file}:{number}: {' '.join(row)[:80]!r} answers no question of this set",
                    "each line must be ID.says or ID.otherwise, a tabulator, and yes or no",
                )
            said.setdefault(name, {})[way] = row[-1]
    whole = [(one, said[one.id]) for one in given.lines if len(said.get(one.id, ())) == len(_WAYS)]
    return figures(given, [ClaimAnswer(one.id, one.asked, both["says"], both["otherwise"]) for one, both in whole])


def sheet(given: LabelledSet, seed: str) -> list[tuple[str, str, str, str]]:
    """Rows (id, question, text, what is asked) of every claim one way round, in an order and a way that `seed` draws.

    Two sheets with the seeds "1" and "2" hold both ways of each claim, one each.
    """
    rows = []
    for one in given.lines:
        first = hashlib.sha256(one.id.encode()).digest()[0] % 2 == int(seed == "2")
        way = _WAYS[0 if first else 1]
        question = f"{one.question} {one.asked.preface}".strip()
        rows.append((f"{one.id}.{way}", question, one.text, getattr(one.asked, way)))
    return sorted(rows, key=lambda row: hashlib.sha256(f"{seed} {row[0]}".encode()).digest())


def figures(given: LabelledSet, answers: Sequence[ClaimAnswer]) -> TrialFigures:
    """Count answers to labelled claims."""
    lines = {one.id: one for one in given.lines}
    right: dict[str, list[bool]] = {}
    pairs: dict[str, int] = {}
    for one in answers:
        right.setdefault(lines[one.name].how, []).append(one.upheld == lines[one.name].said)
        pair = " ".join(questions.read(reply) for reply in (one.says, one.otherwise))
        pairs[pair] = pairs.get(pair, 0) + 1
    said = [one.upheld for one in answers if lines[one.name].said]
    misread = [not one.upheld for one in answers if not lines[one.name].said]
    return TrialFigures(
        len(lines),
        len(answers),
        share(sum(said), len(said)),
        share(sum(misread), len(misread)),
        {how: found for how, hits in sorted(right.items()) if (found := share(sum(hits), len(hits)))},
        dict(sorted(pairs.items())),
    )
