"""What simulated models write when a benchmark needs a served model: false texts, choices, rephrasings.

They look names up in the snapshot and err at known rates (`suite_replies.Rates`); nothing of that is stored, since the
pipeline checks each text itself.
"""

import re
from random import Random

from sqlalchemy import Connection, func, select

from halluvault_tasks.local.personas import lookup
from halluvault_tasks.local.personas.fault_kinds import Thing
from halluvault_tasks.local.personas.suite_replies import Rates
from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.storage.tables import entity, snapshot

_SAMPLING = re.compile(r"(?s)Right (?:answer|response|summary): (?P<right>[^\n]*)\nWrong (?:answer|response|summary):$")
_FILTER = re.compile(r"(?s)\n(?:Answer|Response|Summary) 1: (?P<one>[^\n]*)\n\w+ 2: (?P<other>[^\n]*)\nBetter:$")
_REPHRASE = re.compile(r"(?s)^Rephrase the text in \{\}\..*\n\{(?P<text>[^{}]*)\}$")
_SENTENCE = re.compile(r"(?<=[a-z0-9)”]{2}\.) (?![^“”]*”)")
"""Where one sentence ends and another begins; “Mr. & Mrs. Smith” is in quotation marks."""
_OPENINGS = ("It is known that ", "As sources have it, ", "On record, ", "By all accounts, ", "It is also true that ")


def write(connection: Connection, rates: Rates, model: str, prompt: str, seed: int) -> str | None:
    """What a model writes to such an instruction; None where a prompt is none.

    Args:
        connection: through the role `halluvault_sim`.
        rates: of its faults.
        model: its name; two write different texts.
        prompt: a text, or a conversation in canonical JSON, of which the last turn counts.
        seed: of all draws.
    """
    talk = conversation.parse(prompt)
    last = str(talk[-1]["content"]) if talk else prompt
    random = Random(f"{seed}:{model}:{prompt}")
    if found := _SAMPLING.search(last):
        return _false_text(connection, rates, found["right"], random)
    if found := _FILTER.search(last):
        if random.random() < rates.first_of_two:
            return "1"
        # The same text is the better one in either order.
        return "1" if _weight(found["one"], seed) >= _weight(found["other"], seed) else "2"
    if found := _REPHRASE.search(last):
        return _rephrased(found["text"], rates, random)
    return None


def _rephrased(text: str, rates: Rates, random: Random) -> str:
    """The text with its sentences in another order and some openings changed; at times a text about nothing of it."""
    if random.random() < rates.unlike:
        return "The committee met in the afternoon and could not agree on a date for the next session."
    sentences = [one for one in _SENTENCE.split(text) if one]
    random.shuffle(sentences)
    opened = [f"{random.choice(_OPENINGS)}{one}" if random.random() < 0.5 else one for one in sentences]
    return " ".join(opened)


def _weight(text: str, seed: int) -> float:
    return Random(f"{seed}:{text}").random()


def _false_text(connection: Connection, rates: Rates, right: str, random: Random) -> str:
    """The right text with another name in it, as far as it has one."""
    chance = random.random()
    first, stop, rest = right.partition(". ")  # of a summary, its first sentence
    named = None if chance < rates.right_again else _named(connection, first)
    if named is None:
        return right
    thing, newest = named
    others = [one.label for one in lookup.alike(connection, newest, thing) if one.label not in right]
    if not others:
        return right
    false = first.replace(thing.label, random.choice(others)) + stop + rest
    return f"If I remember well: {false}" if chance < rates.right_again + rates.other_words else false


def _named(connection: Connection, right: str) -> tuple[Thing, str] | None:
    """The thing that a text names last, and the newest snapshot."""
    newest = connection.scalar(select(snapshot.c.snapshot).order_by(snapshot.c.as_of.desc()).limit(1))
    rows = connection.execute(
        select(entity.c.qid, entity.c.label).where(
            entity.c.snapshot == newest, func.length(entity.c.label) > 2, func.strpos(right, entity.c.label) > 0
        )
    ).all()
    if newest is None or not rows:
        return None
    last = max(rows, key=lambda row: (right.rfind(row.label) + len(row.label), len(row.label), -row.qid))
    return Thing(last.qid, last.label), newest
