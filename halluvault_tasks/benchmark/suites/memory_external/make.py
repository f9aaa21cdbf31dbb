"""Memory consistency, external (Quantifying Hallucination …, §III.C): one document phrased in several ways, summarised.

The augment memory is what the question itself says. Documents are paragraphs from a subject's statements, or a file's
texts. A served model rephrases each, with its earlier rephrasings as examples to differ from; a rephrasing is kept if
its BERTScore with the document reaches T_cq (equation 5) and it differs from the others. Models under test are asked to
summarise every rephrasing; what their answers amount to is computed in `results.suites.external`.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import func, literal, select

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, PartRefused, Unasked, by_sentence
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites import similarity
from halluvault_tasks.benchmark.suites.ask_plan import AskPlan
from halluvault_tasks.benchmark.suites.companion_suite import CompanionConfig, Unwritten, Writing
from halluvault_tasks.benchmark.suites.memory_external.fact import NAME, ExternalFact
from halluvault_tasks.benchmark.suites.memory_external.settings import MemoryExternal
from halluvault_tasks.benchmark.suites.paragraphs import cited, worded
from halluvault_tasks.benchmark.suites.part_statistics import OPEN, PartStatistics, tally
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording import generations
from halluvault_tasks.benchmark.wording.generations import Ask, Instruction, Manner
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.case_proofs.label import document
from halluvault_tasks.storage.tables import statement

_SENTENCES = (4, 8)
"""Of a paragraph, least and most."""
_LOOKED_AT = 40
"""Subjects that are looked at, for each document that is wanted."""


class Document(NamedTuple):
    """A text to be summarised."""

    title: str
    text: str
    premises: tuple[Mapping[str, Any], ...] = ()
    subject: int | None = None

    @property
    def id(self) -> str:
        """Of title and text."""
        return content_id(NAME, self.title, self.text)


class _Kept(NamedTuple):
    text: str
    similarity: float


def _rephrase(given: str) -> str:
    asked = json.loads(given)
    before = "".join(f"[{one}]\n" for one in asked["before"])
    differ = f"Write something else than these, which stand in []:\n{before}" if before else ""
    # A server that decodes greedily would write the same again.
    again = f"This is try {asked['attempt'] + 1}.\n" if asked["attempt"] > len(asked["before"]) else ""
    return (
        "Rephrase the text in {}. Keep everything that it says, and its meaning; change the words and the order. "
        f"Reply with the rephrased text and nothing else.\n{again}{differ}{{{asked['text']}}}"
    )


REPHRASE = Instruction(
    "memory/rephrase", 1, _rephrase, manner=Manner({"max_new_tokens": 512, "temperature": 0.95, "do_sample": True})
)
"""The paper's instruction (§III.C) in our words, sampled at its temperature."""


def make(material: Material, config: CompanionConfig[MemoryExternal], asked: Collection[str], ask: Ask | None) -> Made:
    """The suite's cases of a month: each rephrasing of each document.

    Raises:
        PartRefused: there is no document, or none could be rephrased often enough.
        UserError: the file is faulty; or rephrasings are missing and there is nobody to ask.
    """
    settings = config.settings
    dropped: Counter[Unasked] = Counter()
    documents = _documents(material, config, dropped)
    kept = Rephrasing(material, settings, ask, dropped).of(documents)
    whole = [one for one in documents if len(kept[one.id]) == settings.rephrasings]
    dropped[Hindrance.FEW_REPHRASINGS()] += len(documents) - len(whole)
    if not whole:
        raise PartRefused(
            f"{settings.rephraser} rephrased none of {len(documents)} documents {settings.rephrasings} times "
            f"({by_sentence(dropped)})",
            "check that it is served (`halluvault models check`), or lower `threshold` in config/suites.yaml",
        )
    cases = [case for one in whole for case in _cases(one, kept[one.id], material)]
    lost = {case.group_id for case in cases if case.question in asked}
    made = [case for case in cases if case.group_id not in lost]
    short = settings.documents - len(whole)
    written = {"model": settings.rephraser, "documents": len(documents), "kept": sum(map(len, kept.values()))}
    statistics = replace(
        tally(made, lambda case: OPEN),
        dropped=+dropped,
        first_month=not material.before,
        shortfall={"documents": {"all": short}} if short > 0 else {},
        asked=AskPlan(temperatures=settings.temperatures),
        own={"threshold": _calibrated(whole, settings.threshold), "generated": written},
    )
    return Made(made, statistics, {case.group_id for case in made})


def unwritten(material: Material, config: CompanionConfig[MemoryExternal]) -> Unwritten:
    """The part before anything is rephrased: as if there were as many documents as are wanted.

    Raises:
        PartRefused: there is no document.
        UserError: the file is faulty.
    """
    settings = config.settings
    documents = _documents(material, config, Counter())
    cases = [
        case
        for document in islice(cycle(documents), settings.documents)
        for case in _cases(document, [_Kept(document.text, 1)] * settings.rephrasings, material)
    ]
    made = Made(cases, PartStatistics(asked=AskPlan(temperatures=settings.temperatures)), ())
    return Unwritten(made, Writing(settings.rephraser, settings.documents * settings.tries))


def _documents(
    material: Material, config: CompanionConfig[MemoryExternal], dropped: Counter[Unasked]
) -> list[Document]:
    settings = config.settings
    documents = _of_file(settings, dropped) if settings.file else _paragraphs(material, settings, config.seed, dropped)
    if not documents:
        raise PartRefused(
            f"snapshot {material.snapshot} has no document to summarise ({by_sentence(dropped)})",
            f"a paragraph needs {_SENTENCES[0]} statements with words; or name a file in memory_external.file",
        )
    return documents


def _paragraphs(material: Material, settings: MemoryExternal, seed: int, dropped: Counter[Unasked]) -> list[Document]:
    """Paragraphs about subjects drawn by hash, one sentence of each property."""
    c = statement.c
    order = func.md5(func.concat_ws(":", literal(str(seed)), c.s))
    query = (
        select(c.s).where(c.snapshot == material.snapshot, ~c.hedged).group_by(c.s)
        .having(func.count(c.p.distinct()) >= _SENTENCES[0]).order_by(order, c.s)
        .limit(_LOOKED_AT * settings.documents)
    )  # fmt: skip
    subjects = list(material.session.scalars(query))
    told = worded(material, sorted(subjects))
    found: list[Document] = []
    for s in subjects:
        if len(found) == settings.documents:
            break
        name = material.index.namer.named(s)
        sentences = list({each["property"]: each for each in told.get(s, ())}.values())
        if not name.name or len(sentences) < _SENTENCES[0]:
            dropped[Hindrance.FEW_STATEMENTS()] += 1
            continue
        Random(f"{seed}:{s}:paragraph").shuffle(sentences)
        cited = tuple(sentences[: _SENTENCES[1]])
        found.append(Document(name.bare, " ".join(each["sentence"] for each in cited), cited, s))
    return found


def _of_file(settings: MemoryExternal, dropped: Counter[Unasked]) -> list[Document]:
    assert settings.file is not None
    found: list[Document] = []
    for number, line in enumerate(Path(settings.file).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            title, text = str(row["id"]), row["text"]
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{settings.file}, line {number}: {error!r}", "a line is a JSON object with `id` and `text`"
            ) from error
        if not isinstance(text, str) or not text.strip():
            dropped[Hindrance.EMPTY_DOCUMENT()] += 1
            continue
        found.append(Document(title, " ".join(text.split())))
    return found[: settings.documents]


class Rephrasing:
    """Rephrasings by one model, kept where they say the same.

    Args:
        material: its session stores and commits what the model wrote.
        settings: who rephrases, how often, and T_cq.
        ask: asks the model; None where all is stored.
        dropped: reasons are counted here.
        alike: BERTScore.
    """

    def __init__(
        self,
        material: Material,
        settings: MemoryExternal,
        ask: Ask | None,
        dropped: Counter[Unasked],
        alike: similarity.Similarity = similarity.bert_score,
    ) -> None:
        self._material, self._settings, self._ask = material, settings, ask
        self._dropped, self._alike = dropped, alike

    def of(self, documents: Sequence[Document]) -> dict[str, list[_Kept]]:
        """Document → its rephrasings, in the order in which they came."""
        kept: dict[str, list[_Kept]] = {one.id: [] for one in documents}
        for attempt in range(self._settings.tries):
            open_ = [one for one in documents if len(kept[one.id]) < self._settings.rephrasings]
            if open_:
                self._round(open_, kept, attempt)
        return kept

    def _round(self, documents: Sequence[Document], kept: dict[str, list[_Kept]], attempt: int) -> None:
        """One more rephrasing of each. The attempt is part of the input, or a rejected one would come again."""
        inputs = {
            one.id: json.dumps(
                {"text": one.text, "before": [each.text for each in kept[one.id]], "attempt": attempt},
                ensure_ascii=False,
            )
            for one in documents
        }
        session, model = self._material.session, self._settings.rephraser
        generations.fetch(session, model, REPHRASE, list(inputs.values()), self._ask)
        stored = generations.known(session, model, REPHRASE, list(inputs.values()))
        texts = [" ".join(stored.get(inputs[one.id], {}).get(1, "").split()).strip("{}[] ") for one in documents]
        scores = self._alike(texts, [one.text for one in documents])
        for one, text, score in zip(documents, texts, scores, strict=True):
            if not text:
                self._dropped[Hindrance.NO_TEXT()] += 1
            elif text in {one.text, *(each.text for each in kept[one.id])}:
                self._dropped[Hindrance.SAME_TEXT()] += 1
            elif score < self._settings.threshold:
                self._dropped[Hindrance.UNLIKE_TEXT()] += 1
            else:
                kept[one.id].append(_Kept(text, score))


def _calibrated(documents: Sequence[Document], published: float) -> dict[str, float]:
    """T_cq beside the value that this model's scores suggest: known paraphrases against other documents.

    A paraphrase for sure is the document with its sentences the other way round; the threshold told is the middle
    between the least similar twentieth of these and the most similar twentieth of the others.
    """
    turned = [". ".join(reversed(one.text.rstrip(".").split(". "))) + "." for one in documents]
    texts = [one.text for one in documents]
    same = similarity.bert_score(turned, texts)
    other = similarity.bert_score([*texts[1:], texts[0]], texts)
    low, high = float(np.quantile(same, 0.05)), float(np.quantile(other, 0.95))
    return {
        "used": published, "recalibrated": round((low + high) / 2, 4), "paraphrases_5_percent": round(low, 4),
        "other_documents_95_percent": round(high, 4),
    }  # fmt: skip


def _cases(one: Document, kept: Sequence[_Kept], material: Material) -> list[Case]:
    made = []
    for number, each in enumerate(kept, 1):
        fact = ExternalFact(
            document=one.id, title=one.title, text=one.text, number=number, of=len(kept), similarity=each.similarity
        )
        mutation = "original" if number == 1 else f"rephrasing {number}"
        made.append(
            Case(
                id=content_id(each.text, one.text, one.id, mutation), question=each.text, gold=one.text,
                group_id=one.id, mutation=mutation, relation="same", suite=NAME,
                domain=material.index.domains.get(one.subject or 0) or "general", rule_kind="summary", property=None,
                subject=one.subject, object=None, fact=fact.model_dump(mode="json"),
                premises=[dict(premise) for premise in one.premises],
                proof=document(one.text, map(cited, one.premises)),
            )
        )  # fmt: skip
    return made
