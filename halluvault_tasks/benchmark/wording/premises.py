"""Evidence in the benchmark's words: proofs of facts as premises with a sentence each."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Named
from halluvault_tasks.benchmark.wording.lexicon import DateWording, Lexicon
from halluvault_tasks.benchmark.wording.sentences import Date, agreeing, date_text, fill, iso_date
from halluvault_tasks.benchmark.wording.wordable import fitting, tensed
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.wikidata.names import fold


def premise_item(premise: Premise, index: EntityIndex, lexicon: Lexicon) -> dict[str, Any] | Unasked:
    """One premise as `benchmark_case.premises` stores it, or why it has no words."""
    subject = {"qid": premise.s, "label": index.namer.plain(premise.s)}
    if not _labelled(index, premise.s):
        return Hindrance.PREMISE_LABEL()
    s = spoken(index, premise.s)
    item: dict[str, Any] = {"sid": premise.sid, "guid": premise.guid, "subject": subject, "property": premise.p}
    if premise.kind == "time" and premise.earliest is not None and premise.precision is not None:
        term = date_term(lexicon, premise.p, premise.s, index)
        on = Date(premise.earliest, premise.precision, is_julian(premise.julian, premise.p))
        return item | date_item(term, on, s) if term else Hindrance.PREMISE_WORDING()
    if premise.kind == "quantity" and premise.amount is not None:
        number = amount_text(premise.amount)
        o, item["object"], other = Named(number, number), {"amount": number}, None
    elif premise.kind == "item" and premise.o is not None:
        if not _labelled(index, premise.o):
            return Hindrance.PREMISE_LABEL()
        o, other = spoken(index, premise.o), premise.o
        item["object"] = {"qid": premise.o, "label": index.namer.plain(premise.o)}
    else:
        return Hindrance.PREMISE_VALUE()
    entry = fitting(lexicon.properties.get(premise.p, ()), premise.s, other, index)
    if entry is None:
        return Hindrance.PREMISE_WORDING()
    item["relation"] = entry.relation
    item["sentence"] = _sentence(tensed(entry, premise.s, other, index).statement, s=s, o=o)
    return item


def date_term(lexicon: Lexicon, p: int, s: int, index: EntityIndex) -> DateWording | None:
    """The wording of a dated statement of a subject."""
    return next((term for term in lexicon.dates.get(p, ()) if index.fits(s, term.subject)), None)


def is_julian(julian: Sequence[int] | None, p: int) -> bool | None:
    """Whether the time of a statement's own property or of a qualifier is of the Julian calendar; None: not kept."""
    return None if julian is None else p in julian


def date_item(term: DateWording, date: Date, s: Named) -> dict[str, Any]:
    """Relation, object and sentence of a dated premise, the date in its own calendar."""
    on = date_text(date)
    value = {"date": iso_date(date), "precision": date.precision}
    return {
        "relation": f"{term.relation} {on.split(' ', 1)[0]}",
        "object": value | ({"calendar": date.calendar} if date.calendar else {}),
        "sentence": _sentence(term.statement, s=s, on=on),
    }


def _sentence(pattern: str, **names: Named | str) -> str:
    """The pattern filled, its verb in the plural where a name is and a rule says how: the Normandy landings were."""
    return fill(agreeing(pattern, **names) or pattern, **names)


def amount_text(amount: Decimal) -> str:
    """A number as people write it: 79, 8848.86; never an exponent."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _labelled(index: EntityIndex, qid: int) -> bool:
    known = index.entities.get(qid)
    return bool(known and known.label and fold(known.label))


def spoken(index: EntityIndex, qid: int) -> Named:
    """A name for evidence: as in questions where it identifies, else the label, which is enough beside its id."""
    named = index.namer.named(qid)
    if named.name:
        return named
    label = index.namer.plain(qid)
    return Named(label, label)
