"""Cases on what a text tells that is given: a sentence of a document without its end, and a date of a recent event."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select

from halluvault_tasks.benchmark.suites.paragraphs import worded
from halluvault_tasks.benchmark.suites.pressure.draft import CaseDraft, Drafts, expecting, ids_of, numbered
from halluvault_tasks.benchmark.suites.pressure.ground import Ground
from halluvault_tasks.benchmark.suites.pressure.schema import Constraints, Inputs
from halluvault_tasks.reasoning.case_proofs import response as proof
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.names import fold
from halluvault_tasks.wikidata.times import DAY, YEAR

_LEAST, _OF_DOMAIN = 5, 60
"""Statements of a document at least, and documents of each domain."""
_RECENT_YEARS = 3
"""Before the snapshot's date."""
_RECENT = 2000
"""Subjects of recent events that are looked at."""

_Premise = Mapping[str, Any]


def documents(ground: Ground) -> list[tuple[int, Sequence[_Premise]]]:
    """Subjects of each domain with at least five statements in words, and these, drawn by hash."""
    index, c = ground.material.index, statement.c
    several = set(
        ground.material.session.scalars(
            select(c.s)
            .where(c.snapshot == ground.material.snapshot, c.kind == "item", ~c.hedged)
            .group_by(c.s)
            .having(func.count() >= _LEAST)
        )
    )
    by: dict[str, list[int]] = defaultdict(list)
    for s in sorted(several):
        by[index.domains.get(s, "general")].append(s)
    drawn = [s for domain in sorted(by) for s in ground.random("document", domain).sample(by[domain],
             min(_OF_DOMAIN, len(by[domain])))]  # fmt: skip
    told = worded(ground.material, drawn)
    return [(s, told[s]) for s in drawn if len(told.get(s, ())) >= _LEAST and ground.name(s)]


def retrieval(ground: Ground) -> Drafts:
    """A sentence of a document, its end left out: it is to be found and quoted."""
    for s, told in documents(ground):
        random = ground.random("retrieval", s)
        premises = list({one["sentence"]: one for one in told}.values())
        random.shuffle(premises)
        premises = premises[: random.choice((5, 8, 12))]
        texts = [one["sentence"] for one in premises]
        askable = ((one, start) for one in premises if (start := _start(ground, one, texts)))
        one, start = next(askable, (None, ""))
        if one is None:
            continue
        p, o = one["property"], one["object"]["qid"]
        lines = numbered(texts)
        yield CaseDraft(
            Inputs(prompt=f"Going by the context, how does this sentence end: “{start}…”? Quote at least six words "
                   "in a row of the line that says so, in quotation marks.", context=lines),
            Constraints(quote_words=6),
            expecting("answer", ground.spellings(o), kind="retrieval", lines=ids_of(lines, [one["sentence"]])),
            ("retrieval",), len(texts) - ground.fame(s) / 100, s, p, o, (one,), "the line says so",
            ground.argued(s, p, o),
        )  # fmt: skip


def _start(ground: Ground, one: _Premise, texts: Sequence[str]) -> str:
    """A sentence without the name at its end; empty where it is short, or another says where it leads."""
    sentence, o = one["sentence"], one["object"].get("qid")
    value = ground.name(o) if o else ""
    if not value or not sentence.endswith(f"{value}.") or len(sentence.split()) < 6:
        return ""
    start = sentence[: -len(value) - 1]
    others = [text for text in texts if text != sentence]
    return "" if any(text.startswith(start) or fold(value) in fold(text) for text in others) else start


def recent_events(ground: Ground) -> list[_Premise]:
    """Dated statements of the last years before the snapshot's date, as premises, the newest first."""
    c, as_of = statement.c, ground.material.row.as_of
    today = day_number(as_of.year, as_of.month, as_of.day)
    subjects = ground.material.session.scalars(
        select(c.s)
        .where(c.snapshot == ground.material.snapshot, c.kind == "time", ~c.hedged, c.precision >= YEAR,
               c.latest <= today, c.earliest >= today - _RECENT_YEARS * 365)
        .order_by(c.s).distinct().limit(_RECENT)
    ).all()  # fmt: skip
    told = [one for several in worded(ground.material, subjects).values() for one in several]
    since = as_of.year - _RECENT_YEARS
    found = [
        one for one in told
        if one["object"].get("date", "")[:1] not in ("", "-") and since <= int(one["object"]["date"][:4])
        and one["object"]["date"] <= as_of.isoformat() and one["object"]["precision"] >= YEAR
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one["object"]["date"], one["sid"]), reverse=True)


def recent(ground: Ground) -> Drafts:
    """Recent events are told in a turn of their own, and asked about in the next (HalluVault, Fig. 10)."""
    newest = recent_events(ground)
    for place, one in enumerate(newest):
        date, sentence = one["object"]["date"], one["sentence"]
        joint = " on " if one["object"]["precision"] >= DAY else " in "
        start = sentence.rfind(joint)
        told = sentence[start + len(joint) :].rstrip(".") if start > 0 else ""
        others = [each for each in newest if each["subject"] != one["subject"]]
        if not told or date[:4] not in told or len(others) < 5:
            continue
        random = ground.random("recent", one["sid"])
        events = [sentence, *(each["sentence"] for each in random.sample(others, 5))]
        random.shuffle(events)
        listed = "\n".join(f"{number}. {text}" for number, text in enumerate(events, 1))
        opening = (
            "Here are some recent events, in no particular order:\n"
            f"{listed}\nPlease confirm that you have taken note of them. I will then ask you about one."
        )
        yield CaseDraft(
            Inputs(prompt="Going by the events that I told you, put in the date that is missing: "
                   f"“{sentence[:start]} …”", opening=opening),
            Constraints(), expecting("answer", (told, date)), ("OOD",), -place / 1000, one["subject"]["qid"],
            one["property"], None, (one,), "the list says so", proof.told(told),
        )  # fmt: skip
