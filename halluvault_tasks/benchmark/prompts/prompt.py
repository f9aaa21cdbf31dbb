"""A prompt, of one turn or several: what a model is asked about one case, from the case, a template and the date.

A chat prompt gives a plain one's text as one user's turn: a system turn, which some models' chat templates refuse,
would be ours and not the papers'. Its messages are stored as canonical JSON; `{"role": "assistant", "content": null}`
is a turn that the model itself gives before the next one is asked, and `"guide"` on a user's turn says what form the
reply must have, if any.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from halluvault_tasks.benchmark.prompts.contexts import AskedCase, Events, evidence, numbered
from halluvault_tasks.benchmark.prompts.templates import AS_OF, EVENTS, EVIDENCE, TEMPLATES, asks, filled, needs
from halluvault_tasks.benchmark.prompts.variants import OUT_OF_DISTRIBUTION, Variant
from halluvault_tasks.benchmark.suites.template import Turn
from halluvault_tasks.wikidata.times import MONTH_NAMES


class Prompt(NamedTuple):
    """One case's text for one variant.

    Attributes:
        sha256: of what a server sees, in UTF-8: a plain text, or the messages with nothing but role and content.
    """

    variant_id: str
    case_id: str
    text: str
    sha256: str


def messages_json(messages: Sequence[Mapping[str, str | None]]) -> str:
    """Messages as they are stored: canonical JSON."""
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def prompt_of(variant: Variant, case: AskedCase, as_of: date, events: Events | None = None) -> Prompt | None:
    """The prompt of a case in a variant.

    Args:
        variant: which template, form and context.
        case: its question, suite and evidence.
        as_of: the snapshot's date.
        events: recent events of the case's part, for out-of-distribution.

    Returns:
        None where the case has no such prompt: the template is for other suites or asks for a text that the case has
        not, or nothing that it depends on is recent.
    """
    if not asks(variant.template, case.suite) or not needs(variant.template) <= set(case.fact):
        return None
    turns = _turns(variant, case, as_of)
    if variant.form == "plain":
        (only,) = turns
        return _prompt(variant, case, only.text, only.text)
    if variant.context == OUT_OF_DISTRIBUTION:
        told = events.told(case) if events else []
        if not told:
            return None
        turns = [Turn(filled(EVENTS, events=numbered(told))), *turns]
    messages: list[dict[str, str | None]] = []
    for turn in turns:
        if messages:
            messages.append({"role": "assistant", "content": None})
        bound = {} if turn.guide == "free" else {"guide": turn.guide}
        messages.append({"role": "user", "content": turn.text, **bound})
    seen = [{name: each[name] for name in ("role", "content")} for each in messages]
    return _prompt(variant, case, messages_json(messages), messages_json(seen))


def _prompt(variant: Variant, case: AskedCase, text: str, seen: str) -> Prompt:
    return Prompt(variant.id, case.id, text, hashlib.sha256(seen.encode()).hexdigest())


def _turns(variant: Variant, case: AskedCase, as_of: date) -> list[Turn]:
    """The template's turns about this case."""
    given = {
        "question": case.question,
        "as_of": filled(AS_OF, as_of=f"{as_of.day} {MONTH_NAMES[as_of.month - 1]} {as_of.year}"),
        **{f"fact.{name}": text for name, text in _texts(case).items()},
        "evidence": filled(EVIDENCE, evidence=evidence(case)) if variant.context == "with-evidence" else "",
    }
    turns = [turn for turn in TEMPLATES[variant.template].turns_of(case.suite) if turn.fits(case.wants)]
    told = [turn for turn in turns if not turn.optional or turn.texts <= {*_texts(case)}]
    return [Turn(filled(turn.text, **given), turn.guide) for turn in told]


def _texts(case: AskedCase) -> dict[str, str]:
    """The texts of a case's `fact`, by the names of their slots."""
    return {name: text for name, text in case.fact.items() if isinstance(text, str)}


def prompts_of(variant: Variant, cases: Iterable[AskedCase], as_of: date, events: Events | None = None) -> list[Prompt]:
    """The prompts of several cases; a case that the context does not fit has none."""
    made = (prompt_of(variant, case, as_of, events) for case in cases)
    return [one for one in made if one is not None]
