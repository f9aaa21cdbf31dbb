"""What a served model wrote for a benchmark: asked for once, stored before it is checked, the same ever after.

A part that is built again from what is stored is the same to the byte, whether the model is still served or not.
"""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import generation

Ask = Callable[..., Sequence[str | None]]
"""Model and prompts → a reply for each prompt, in order; None where none came. A third argument, a `Manner`, is given
where a model is not to be asked as it is registered."""


class Manner(NamedTuple):
    """How prompts are put, where it is not as models.yaml says.

    Attributes:
        sampling: fields of `sampling` in models.yaml, in place of the model's own; None: its own.
        conversation: prompts are conversations in the JSON of table `prompt`, whose open turns are the model's own.
    """

    sampling: Mapping[str, Any] | None = None
    conversation: bool = False


AS_REGISTERED = Manner()

_BATCH = 200  # prompts asked before what came back is stored
_log = logging.getLogger(__name__)


class Instruction(NamedTuple):
    """The instruction that a model gets with an input.

    Attributes:
        name: as table `generation` has it.
        version: counts changes of the text; what an earlier one brought is not taken for this one's.
        prompt: input → what is sent.
        times: how many texts are wanted of each input.
        manner: how it is put.
    """

    name: str
    version: int
    prompt: Callable[[str], str]
    times: int = 1
    manner: Manner = AS_REGISTERED


def input_hash(text: str) -> str:
    """Key of an input."""
    return hashlib.sha256(text.encode()).hexdigest()


def known(session: Session, model: str, of: Instruction, inputs: Collection[str]) -> dict[str, dict[int, str]]:
    """Input → number → text, of these inputs as far as something is stored of them."""
    c = generation.c
    by_hash = {input_hash(one): one for one in inputs}
    query = select(c.input_hash, c.n, c.text).where(
        c.model == model, c.instruction == of.name, c.version == of.version, c.input_hash.in_(sorted(by_hash))
    )
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for key, number, text in session.execute(query):
        found[by_hash[key]][number] = text
    return dict(found)


def fetch(session: Session, model: str, of: Instruction, inputs: Collection[str], ask: Ask | None) -> int:
    """Ask for the missing texts and store them, batch by batch. Commits; if killed, it continues from there.

    Returns:
        How many were asked for.

    Raises:
        UserError: some are missing and there is nobody to ask.
    """
    stored = known(session, model, of, inputs)
    missing = [
        (one, number)
        for one in sorted(set(inputs))
        for number in range(1, of.times + 1)
        if number not in stored.get(one, {})
    ]
    if missing and ask is None:
        raise UserError(
            f"{len(missing)} texts that {model} is to write ({of.name}) are not stored, and no model is there to ask",
            "run the build where the model is served",
        )
    for at in range(0, len(missing), _BATCH):
        batch = missing[at : at + _BATCH]
        assert ask is not None
        prompts = [of.prompt(one) for one, _ in batch]
        replies = ask(model, prompts) if of.manner == AS_REGISTERED else ask(model, prompts, of.manner)
        rows = [
            {
                "model": model, "instruction": of.name, "version": of.version, "input_hash": input_hash(one),
                "n": number, "text": reply.replace("\0", "\ufffd"),
            }
            for (one, number), reply in zip(batch, replies, strict=True)
            if reply is not None
        ]  # fmt: skip
        if rows:
            session.execute(insert(generation).on_conflict_do_nothing(), rows)
        session.commit()
        _log.info("%d of %d texts (%s) written by %s", at + len(rows), len(missing), of.name, model)
    return len(missing)
