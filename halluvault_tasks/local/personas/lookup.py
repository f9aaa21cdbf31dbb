"""What a simulated model may look up when it is asked: the case behind a prompt, and neighbours to err with.

Everything is read through the role `halluvault_sim`, which sees benchmark tables and entities and nothing that the
pipeline measures.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from halluvault_tasks.local.personas.fault_kinds import Thing
from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.storage.tables import benchmark_case, cases, entity, prompt, prompt_variant

_GUIDES = ("verdict", "conduct", "name", "date", "number", "confidence")
_GUIDED = tuple(f',"guide":"{guide}"}}]' for guide in _GUIDES)
_ASKS_FORM = or_(*(func.right(prompt.c.text, len(end)) == end for end in _GUIDED))
"""Whether the last turn may be answered in one form alone."""

_AS_SENT = func.regexp_replace(prompt.c.text, ',"guide":"[a-z]+"}', "}", "g")
"""A conversation without what only the client knows of its turns."""


_PREPOSITION = re.compile(r" (?:in|on)$")
"""Of a relation to a date: "died in"; how the date is said depends on how exact it is."""


class EvidencePiece(NamedTuple):
    """One piece of evidence of a case."""

    subject: Thing
    property: int
    relation: str
    sentence: str
    item: Thing | None
    """The object, where it is an entity."""
    date: str
    """The object, where it is a date: ISO, `-0043` for BCE; else empty."""
    precision: int
    amount: str
    """The object, where it is a number; else empty."""


class PromptedCase(NamedTuple):
    """The case behind a prompt."""

    snapshots: tuple[str, ...]
    """Snapshots whose benchmark has this very prompt, newest first."""
    case_id: str
    gold: str
    suite: str
    rule_kind: str
    fact: Mapping[str, Any]
    asked: Thing | None
    """The object of the question, where it is a labelled entity."""
    premises: tuple[EvidencePiece, ...]


class Catalogue(NamedTuple):
    """What the premises of one benchmark say together: where wrong but plausible values come from."""

    objects: Mapping[int, tuple[Thing, ...]]
    """Property → its objects, by QID."""
    values: frozenset[tuple[int, int, int]]
    """(subject, property, object) of all premises."""
    linked: frozenset[tuple[int, int]]
    """Pairs of entities that any premise joins, both ways round."""
    relations: tuple[tuple[int, str, str], ...]
    """(property, relation, kind of object), sorted."""
    about: Mapping[int, tuple[str, ...]]
    """Subject → true sentences about it, sorted."""
    types: Mapping[int, frozenset[int]]
    """Entity → its types, so that a wrong value is of a kind with the true one."""

    dated: Mapping[int, frozenset[int]] = {}
    """Property of dates → types of what it dates, so that no war is born."""

    def objects_of(self, property: int) -> tuple[Thing, ...]:
        """What the property is said of anything, by QID."""
        return self.objects.get(property, ())

    def states(self, s: int, p: int, o: int) -> bool:
        """Whether a premise says so."""
        return (s, p, o) in self.values

    def of_a_kind(self, one: int, other: int) -> bool:
        """Whether two entities share a type."""
        return not self.types.get(one, frozenset()).isdisjoint(self.types.get(other, frozenset()))


class PromptMatch(NamedTuple):
    """What a model is asked."""

    case: PromptedCase
    guide: str
    """Of this turn (`benchmark.suites.template.Guide`): `free` where anything may be said."""
    template: str = ""
    context: str = ""
    """Of the prompt's variant."""


def find_case(connection: Connection, text: str) -> PromptMatch | None:
    """The case whose prompt is this text or conversation, or begins with this turn and continues to ask for a form.

    Args:
        connection: through the role `halluvault_sim`.
        text: a plain prompt, or a conversation in canonical JSON, whose own turns are the model's to give.
    """
    if found := _find(connection, prompt.c.sha256.in_(conversation.digests(text))):
        return found[0]
    messages = conversation.parse(text)
    if messages is None:
        return None
    # What precedes a turn's text is the same in every prompt that begins with it, its guide apart.
    first, asked = (
        conversation.canonical([{**one, "content": None} if one["role"] == "assistant" else one for one in several])
        for several in (messages[:1], messages)
    )
    begins = case(
        (func.starts_with(prompt.c.text, first[:-2]), func.starts_with(_AS_SENT, f'{asked[:-1]},{{"role":"assistant"')),
        else_=False,
    )
    begun = _find(connection, and_(begins, _ASKS_FORM))
    if begun is None:
        return None
    turns = json.loads(begun[1])
    guide, following = (turns[at].get("guide", "free") for at in (len(messages) - 1, len(messages) + 1))
    # A free turn that another free one follows only sets the scene.
    return None if guide == following == "free" else begun[0]._replace(guide=guide)


def _find(connection: Connection, which: ColumnElement[bool]) -> tuple[PromptMatch, str] | None:
    """What is asked, and the whole prompt."""
    rows = connection.execute(
        select(
            prompt.c.snapshot,
            cases.c.id,
            cases.c.gold,
            cases.c.suite,
            benchmark_case.c.rule_kind,
            benchmark_case.c.fact,
            benchmark_case.c.object,
            benchmark_case.c.premises,
            entity.c.label,
            prompt.c.text,
            prompt_variant.c.template,
            prompt_variant.c.context,
        )
        .join(cases, cases.c.id == prompt.c.case_id)
        .join(
            benchmark_case,
            (benchmark_case.c.snapshot == prompt.c.snapshot) & (benchmark_case.c.case_id == prompt.c.case_id),
        )
        .join(prompt_variant, prompt_variant.c.id == prompt.c.variant_id)
        .outerjoin(entity, (entity.c.snapshot == prompt.c.snapshot) & (entity.c.qid == benchmark_case.c.object))
        .where(which)
        .order_by(prompt.c.snapshot.desc(), cases.c.id)
    ).all()
    if not rows:
        return None
    newest = rows[0]
    found = PromptedCase(
        snapshots=tuple(dict.fromkeys(row.snapshot for row in rows if row.id == newest.id)),
        case_id=newest.id,
        gold=newest.gold,
        suite=newest.suite,
        rule_kind=newest.rule_kind,
        fact=newest.fact,
        asked=Thing(newest.object, newest.label) if newest.label else None,
        premises=read_premises(newest.premises),
    )
    guide = next((end.split('"')[3] for end in _GUIDED if newest.text.endswith(end)), "free")
    return PromptMatch(found, guide, newest.template, newest.context), newest.text


def read_premises(raw: Sequence[Mapping[str, Any]]) -> tuple[EvidencePiece, ...]:
    """Premises from the JSON of `benchmark_case.premises`."""
    found = []
    for each in raw:
        value = each["object"]
        found.append(
            EvidencePiece(
                subject=Thing(int(each["subject"]["qid"]), str(each["subject"]["label"])),
                property=int(each["property"]),
                relation=_PREPOSITION.sub("", str(each["relation"])) if "date" in value else str(each["relation"]),
                sentence=str(each["sentence"]),
                item=Thing(int(value["qid"]), str(value["label"])) if "qid" in value else None,
                date=str(value.get("date", "")),
                precision=int(value.get("precision", 9)),
                amount=str(value.get("amount", "")),
            )
        )
    return tuple(found)


def load_catalogue(connection: Connection, snapshot: str) -> Catalogue:
    """Read all premises of a snapshot's benchmark. A frozen benchmark never changes, so this is kept."""
    objects: dict[int, set[Thing]] = defaultdict(set)
    values: set[tuple[int, int, int]] = set()
    linked: set[tuple[int, int]] = set()
    relations: set[tuple[int, str, str]] = set()
    about: dict[int, set[str]] = defaultdict(set)
    dated: dict[int, set[int]] = defaultdict(set)
    for raw in connection.scalars(select(benchmark_case.c.premises).where(benchmark_case.c.snapshot == snapshot)):
        for premise in read_premises(raw):
            about[premise.subject.qid].add(premise.sentence)
            if premise.item is not None:
                subject, item = premise.subject.qid, premise.item.qid
                objects[premise.property].add(premise.item)
                values.add((subject, premise.property, item))
                linked |= {(subject, item), (item, subject)}
            elif premise.date:
                dated[premise.property].add(premise.subject.qid)
            relations.add((premise.property, premise.relation, kind(premise)))
    every = sorted({*about, *(thing.qid for things in objects.values() for thing in things)})
    kinds = connection.execute(
        select(entity.c.qid, entity.c.types).where(entity.c.snapshot == snapshot, entity.c.qid.in_(every))
    )
    types = {qid: frozenset(several) for qid, several in kinds}
    return Catalogue(
        types=types,
        dated={p: frozenset().union(*(types.get(one, frozenset()) for one in few)) for p, few in dated.items()},
        objects={pid: tuple(sorted(things)) for pid, things in objects.items()},
        values=frozenset(values),
        linked=frozenset(linked),
        relations=tuple(sorted(relations)),
        about={qid: tuple(sorted(sentences)) for qid, sentences in about.items()},
    )


def kind(premise: EvidencePiece) -> str:
    """What its object is: item, date or amount."""
    return "item" if premise.item is not None else "date" if premise.date else "amount"


def alike(connection: Connection, snapshot: str, thing: Thing) -> tuple[Thing, ...]:
    """Up to 40 labelled entities that share a type with `thing`, by QID: for when the catalogue has no neighbour."""
    types = select(entity.c.types).where(entity.c.snapshot == snapshot, entity.c.qid == thing.qid).scalar_subquery()
    rows = connection.execute(
        select(entity.c.qid, entity.c.label)
        .where(
            entity.c.snapshot == snapshot,
            entity.c.label.is_not(None),
            entity.c.types.overlap(types),
            entity.c.qid != thing.qid,
        )
        .order_by(entity.c.qid)
        .limit(40)
    )
    return tuple(Thing(qid, label) for qid, label in rows)


def description(connection: Connection, snapshot: str, qid: int) -> str:
    """The entity's description, or an empty string."""
    found = connection.scalar(select(entity.c.description).where(entity.c.snapshot == snapshot, entity.c.qid == qid))
    return found or ""
