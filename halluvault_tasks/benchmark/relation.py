"""Relation questions: derived facts of every rule kind, worded from the lexicon, with premises and proof."""

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import func, literal, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases import Candidate, Evidence, Found
from halluvault_tasks.benchmark.lexicon import Entry, Form, Lexicon, Term, entries_for
from halluvault_tasks.benchmark.names import Named, fold, tokens
from halluvault_tasks.benchmark.proving import WRONG_VALUE, proofs
from halluvault_tasks.benchmark.survival import TOO_NEW, Survival
from halluvault_tasks.benchmark.wording import date_text, fill, iso_date, words
from halluvault_tasks.benchmark.world import World
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Proof
from halluvault_tasks.storage.tables import derived_fact, entity
from halluvault_tasks.storage.tables import property as property_table
from halluvault_tasks.storage.tables import rule as rule_table


class _Rule(NamedTuple):
    name: str
    kind: str


def _rules(session: Session, snapshot: str) -> dict[int, _Rule]:
    columns = (rule_table.c.rule, rule_table.c.name, rule_table.c.kind)
    return {
        number: _Rule(name, kind)
        for number, name, kind in session.execute(select(*columns).where(rule_table.c.snapshot == snapshot))
    }


def sampled(session: Session, snapshot: str, *, seed: int, per_rule: int) -> Iterable[tuple[str, DerivedFact]]:
    """At most `per_rule` derived facts for each domain and rule, drawn by hash: (domain, fact), in a fixed order.

    A fact's domain is its subject's, else its object's; facts outside all domains are not asked about.
    """
    fact = derived_fact.c
    subject, other = entity.alias("subject"), entity.alias("other")
    domain = func.coalesce(subject.c.domain, other.c.domain)
    order = func.md5(func.concat_ws(":", literal(str(seed)), fact.p, fact.s, fact.o))
    joined = derived_fact.join(
        subject, (subject.c.snapshot == fact.snapshot) & (subject.c.qid == fact.s), isouter=True
    ).join(other, (other.c.snapshot == fact.snapshot) & (other.c.qid == fact.o), isouter=True)
    row_number = func.row_number().over(partition_by=(domain, fact.rule), order_by=(order, fact.s, fact.o))
    ranked = (
        select(
            domain.label("domain"), fact.rule, fact.p, fact.s, fact.o, fact.e1, fact.e2, fact.e3, row_number.label("n")
        )
        .select_from(joined)
        .where(fact.snapshot == snapshot, domain.is_not(None), subject.c.label.is_not(None))
        .subquery()
    )
    columns = [ranked.c[name] for name in ("domain", "rule", "p", "s", "o", "e1", "e2", "e3")]
    rows = session.execute(
        select(*columns).where(ranked.c.n <= per_rule).order_by(ranked.c.domain, ranked.c.rule, ranked.c.n)
    )
    return [(row[0], DerivedFact(*row[1:])) for row in rows]


def find(
    session: Session, snapshot: str, world: World, lexicon: Lexicon, survival: Survival, *, seed: int, per_rule: int
) -> Found:
    """Word the snapshot's derived facts.

    Returns:
        Candidates in a fixed order; what was dropped is counted by reason.
    """
    rules = _rules(session, snapshot)
    datatypes = dict(
        session.execute(
            select(property_table.c.pid, property_table.c.datatype).where(property_table.c.snapshot == snapshot)
        ).all()
    )
    found: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for domain, fact in sampled(session, snapshot, seed=seed, per_rule=per_rule):
        rule = rules[fact.rule]
        datatype = str(datatypes.get(fact.p, "wikibase-item")).lower()
        outcome = _candidate(domain, fact, rule, world, lexicon, number="quantity" in datatype)
        if isinstance(outcome, str):
            dropped[outcome] += 1
        elif not survival.named(outcome.entities):
            dropped[TOO_NEW] += 1
        else:
            found.append(outcome)
    return Found(found, dropped)


def _candidate(
    domain: str, fact: DerivedFact, rule: _Rule, world: World, lexicon: Lexicon, *, number: bool
) -> Candidate | str:
    """The fact as a candidate, or why it is none."""
    entries = [one for one in entries_for(lexicon, fact.p) if one.ask]
    if not entries:
        return "no wording"
    s = world.namer.named(fact.s)
    o = Named(str(fact.o), str(fact.o)) if number else world.namer.named(fact.o)
    for name in (s, o):
        if not name.name:
            return name.reason
    entry = fitting(entries, fact.s, None if number else fact.o, world)
    if entry is None:
        return "wrong kind of subject or object"
    if missing := _presupposed(entry, fact, world):
        return missing
    truth = rule.kind != WRONG_VALUE
    if not truth and not entry.ask_no:
        return "not asked for No"
    if not number and gives_away(world, fact.s, s, fact.o, o):
        return "one name gives the other away"
    wordings = words(tensed(entry, fact.s, None if number else fact.o, world), s, o)
    if wordings is None:
        return "names blur the question"
    return Candidate(
        suite="relation",
        domain=domain,
        kind=rule.kind,
        strand=rule.name,
        identity=(rule.kind, rule.name, fact.p, fact.s, fact.o),
        pid=fact.p if fact.p > 0 else None,
        subject=fact.s,
        object=None if number else fact.o,
        entities=(fact.s,) if number else (fact.s, fact.o),
        truth=truth,
        wordings=wordings,
        source=fact,
    )


def fitting(entries: Sequence[Entry], s: int, o: int | None, world: World) -> Entry | None:
    """The first wording whose kinds the two ends are of."""
    for entry in entries:
        if world.fits(s, entry.subject) and (o is None or world.fits(o, entry.object)):
            return entry
    return None


def tensed(entry: Entry, s: int, o: int | None, world: World) -> Form:
    """The form in the right tense: past for what is certainly over."""
    if entry.past is None or entry.open is None:
        form = entry.past or entry.open
        assert form is not None  # the lexicon refuses an entry with neither
        return form
    over = {"subject": world.over(s), "object": o is not None and world.over(o)}
    when = entry.past_when
    past = all(over.values()) if when == "both" else any(over.values()) if when == "any" else over[when]
    return entry.past if past else entry.open


def _presupposed(entry: Entry, fact: DerivedFact, world: World) -> str:
    ends = {"s": fact.s, "o": fact.o}
    for presupposition in entry.presupposes:
        what, end = presupposition.split(":")
        known = world.ending.dead if what == "dead" else world.ending.ended
        if ends[end] not in known:
            return f"presupposes {what}"
    return ""


def gives_away(world: World, s: int, named_s: Named, o: int, named_o: Named) -> bool:
    """Whether one end's description names the other end, so that the question answers itself.

    A label within a label (Mexico City in Mexico) is what the things are called and stays; a description in
    apposition was added by us and must not tell.
    """
    for described, other in ((named_s, o), (named_o, s)):
        if described.described:
            entity_ = world.entities[other]
            told = tokens(described.name) - tokens(described.bare)
            if told & tokens(entity_.label or "") or any(told >= tokens(a) and tokens(a) for a in entity_.aliases):
                return True
    return False


# ---------------------------------------------------------------- evidence


def prove(
    session: Session,
    snapshot: str,
    candidates: Sequence[Candidate],
    world: World,
    lexicon: Lexicon,
    survival: Survival,
) -> list[Evidence | str]:
    """Evidence for each candidate, in order, or why it is not asked about after all."""
    proved = proofs(session, snapshot, [one.source for one in candidates])
    survival.ask(premise.sid for proof in proved if isinstance(proof, Proof) for premise in proof.premises)
    told: list[Evidence | str] = []
    for proof, one in zip(proved, candidates, strict=True):
        if isinstance(proof, str):
            told.append(proof)
        elif not survival.stated(premise.sid for premise in proof.premises):
            told.append(TOO_NEW)
        else:
            told.append(evidence(proof, one, world, lexicon))
    return told


def evidence(proof: Proof, candidate: Candidate, world: World, lexicon: Lexicon) -> Evidence | str:
    """A proof in the benchmark's words, or why it cannot be worded (then the fact is not asked about)."""
    premises = []
    for premise in proof.premises:
        item = premise_item(premise, world, lexicon)
        if isinstance(item, str):
            return item
        premises.append(item)
    fact = {
        "kind": candidate.kind,
        "rule": proof.rule_name,
        "p": proof.fact.p,
        "s": proof.fact.s,
        "o": proof.fact.o,
        "truth": candidate.truth,
        "reason": proof.reason,
    }
    return Evidence(fact, premises, proof.program)


def premise_item(premise: Premise, world: World, lexicon: Lexicon) -> dict[str, Any] | str:
    """One premise as `benchmark_case.premises` stores it, or why it has no words."""
    subject = {"qid": premise.s, "label": world.namer.plain(premise.s)}
    if not _labelled(world, premise.s):
        return "premise without label"
    s = spoken(world, premise.s)
    item: dict[str, Any] = {"sid": premise.sid, "guid": premise.guid, "subject": subject, "property": premise.p}
    if premise.kind == "time" and premise.earliest is not None and premise.precision is not None:
        term = date_term(lexicon, premise.p, premise.s, world)
        return item | date_item(term, premise.earliest, premise.precision, s) if term else "premise without wording"
    if premise.kind == "quantity" and premise.amount is not None:
        number = amount_text(premise.amount)
        o, item["object"], other = Named(number, number), {"amount": number}, None
    elif premise.kind == "item" and premise.o is not None:
        if not _labelled(world, premise.o):
            return "premise without label"
        o, other = spoken(world, premise.o), premise.o
        item["object"] = {"qid": premise.o, "label": world.namer.plain(premise.o)}
    else:
        return "premise without value"
    entry = fitting(lexicon.properties.get(premise.p, ()), premise.s, other, world)
    if entry is None:
        return "premise without wording"
    item["relation"] = entry.relation
    item["sentence"] = fill(tensed(entry, premise.s, other, world).statement, s=s, o=o)
    return item


def date_term(lexicon: Lexicon, p: int, s: int, world: World) -> Term | None:
    """The wording of a dated statement of a subject."""
    return next((term for term in lexicon.dates.get(p, ()) if world.fits(s, term.subject)), None)


def date_item(term: Term, earliest: int, precision: int, s: Named) -> dict[str, Any]:
    """Relation, object and sentence of a dated premise."""
    on = date_text(earliest, precision)
    return {
        "relation": f"{term.relation} {on.split(' ', 1)[0]}",
        "object": {"date": iso_date(earliest, precision), "precision": precision},
        "sentence": fill(term.statement, s=s, on=on),
    }


def amount_text(amount: Decimal) -> str:
    """A number as people write it: 79, 8848.86; never an exponent."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _labelled(world: World, qid: int) -> bool:
    known = world.entities.get(qid)
    return bool(known and known.label and fold(known.label))


def spoken(world: World, qid: int) -> Named:
    """A name for evidence: as in questions where it identifies, else the label, which is enough beside its id."""
    named = world.namer.named(qid)
    if named.name:
        return named
    label = world.namer.plain(qid)
    return Named(label, label)
