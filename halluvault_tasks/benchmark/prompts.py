"""The papers' prompts as versioned templates: HalluVault's table 2 (one-shot) and Drowzee's table IV.

Both stand as published, down to their grammar, with one added line that states the date of the facts; the question
itself names no such date, so that an unchanged fact keeps its case. A changed text is a new version, never an edit.

A chat prompt gives the same text as one user's turn: a system turn, which some models' chat templates refuse, would
be ours and not the papers'. Its messages are stored as canonical JSON; `{"role": "assistant", "content": null}` is a
turn that the model itself is to give before the next one is asked.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from halluvault_tasks.benchmark.cases import Case, content_id
from halluvault_tasks.benchmark.config import Variant
from halluvault_tasks.benchmark.contexts import Events, evidence, numbered
from halluvault_tasks.wikidata.times import MONTH_NAMES

VERSION = 1

_AS_OF = "The facts are to be judged as of {as_of}."

_HALLUVAULT = """\
Instruction: Answer the question with your knowledge and reasoning power.
Query: Now given the question: {question}, please provide an answer with your knowledge and reasoning power.
Think of it step by step with a human-like reasoning process.
After giving the answer, list the knowledge used in your reasoning process in the form of declarative sentences and \
point by point.
{as_of_line}
Here is an example. Question: During Barack Obama held the position as the president of the USA, were any films \
directed by James Cameron released?
Supposed Response: Yes, during Barack Obama’s presidency from 2009 to 2017, one film directed by James Cameron was \
released - Avatar in 2009.
The key knowledge points used in this reasoning process are:
1. Barack Obama was the US President from January 20, 2009 to January 20, 2017.
2. James Cameron is a famous film director known for movies like Titanic, Avatar, Terminator 2, etc.
3. Cameron’s only film release during Obama’s presidency was Avatar in 2009."""

_DROWZEE_RELATION = """\
Instruction: Answer the question with your knowledge and reasoning power.
Query: Given the question: {question}, please provide an answer with your knowledge and reasoning power. Think of it \
step by step with a human-like reasoning process. After giving the answer, list the knowledge used in your reasoning \
process in the form of declarative sentences and point by point. The answer must contain ‘Yes’, ‘No’ or ‘I don’t know’ \
at the beginning.
{as_of_line}"""

_DROWZEE_TEMPORAL = """\
Instruction: Answer the question with your knowledge and reasoning power.
Query: Given the question: {question}, please provide an answer with your knowledge and reasoning power upon metric \
temporal logic. Think it step by step with a human-like reasoning process. After giving the answer, list the evidence \
from your temporal reasoning in the form of declarative sentences and point by point. The answer must contain ‘Yes’, \
‘No’ or ‘I don’t know’ at the beginning.
{as_of_line}"""

_EVIDENCE = """\
Evidence: the following statements are true.
{evidence}"""

_EVENTS = """\
Here are some recent events, in no particular order:
{events}
Please confirm that you have taken note of them. I will then ask you a question about them."""

_TEMPLATES = {
    ("halluvault", "relation"): _HALLUVAULT,
    ("halluvault", "temporal"): _HALLUVAULT,
    ("drowzee", "relation"): _DROWZEE_RELATION,
    ("drowzee", "temporal"): _DROWZEE_TEMPORAL,
}


class Prompt(NamedTuple):
    """One case's text for one variant; `sha256` is of the UTF-8 text."""

    variant_id: str
    case_id: str
    text: str
    sha256: str


def variant_id(variant: Variant) -> str:
    """Id of a prompt variant: template, version, form and context."""
    return content_id(variant.template, VERSION, variant.form, variant.context)


def messages_json(messages: Sequence[Mapping[str, str | None]]) -> str:
    """Messages as they are stored: canonical JSON, whose sha256 finds the case again."""
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def text_of(variant: Variant, case: Case, as_of: date, events: Events | None = None) -> str | None:
    """The prompt's text, or for chat the canonical JSON of its messages.

    Args:
        variant: which template, form and context.
        case: its question, suite and evidence.
        as_of: the snapshot's date.
        events: recent events of the benchmark, for out-of-distribution.

    Returns:
        None where the case has no such prompt: nothing that it rests on is recent.
    """
    asked = _asked(variant, case, as_of)
    if variant.form == "plain":
        return asked
    turns: list[dict[str, str | None]] = []
    if variant.context == "out-of-distribution":
        told = events.told(case) if events else []
        if not told:
            return None
        turns += [
            {"role": "user", "content": _filled(_EVENTS, events=numbered(told))},
            {"role": "assistant", "content": None},
        ]
    return messages_json([*turns, {"role": "user", "content": asked}])


def _asked(variant: Variant, case: Case, as_of: date) -> str:
    line = _filled(_AS_OF, as_of=f"{as_of.day} {MONTH_NAMES[as_of.month - 1]} {as_of.year}")
    template = _TEMPLATES[variant.template, case.suite]
    given = {"question": case.question, "as_of_line": line}
    if variant.context == "with-evidence":
        instruction, rest = template.split("\n", 1)
        template = f"{instruction}\n{_EVIDENCE}\n{rest}"
        given["evidence"] = evidence(case)
    return _filled(template, **given)


_SLOT = re.compile(r"\{(question|as_of_line|as_of|evidence|events)\}")


def _filled(template: str, **values: str) -> str:
    """The template with its slots filled, once each; what looks like a slot within a value stays what it is.

    Raises:
        KeyError: the template has a slot that is not given.
    """
    return _SLOT.sub(lambda match: values[match[1]], template)


def prompts_of(
    variants: Iterable[Variant], cases: Iterable[Case], as_of: date, events: Events | None = None
) -> list[Prompt]:
    """The prompts of all cases, variant by variant; a case that a context does not fit has none there."""
    cases = list(cases)
    made = []
    for variant in variants:
        identity = variant_id(variant)
        for case in cases:
            text = text_of(variant, case, as_of, events)
            if text is not None:
                made.append(Prompt(identity, case.id, text, hashlib.sha256(text.encode()).hexdigest()))
    return made
