"""The papers' prompts as versioned templates: HalluVault's table 2 (one-shot) and Drowzee's table IV.

Both stand as published, down to their grammar, with one added line that states the date of the facts; the question
itself names no such date, so that an unchanged fact keeps its case. A changed text is a new version, never an edit.
"""

import hashlib
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from halluvault_tasks.benchmark.cases import Case, content_id
from halluvault_tasks.benchmark.config import Variant
from halluvault_tasks.benchmark.wording import MONTHS

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


def text_of(variant: Variant, case: Case, as_of: date) -> str:
    """The prompt's text.

    Args:
        variant: which template.
        case: its question and suite.
        as_of: the snapshot's date.
    """
    line = _AS_OF.format(as_of=f"{as_of.day} {MONTHS[as_of.month - 1]} {as_of.year}")
    # Not str.format: a question may hold braces of its own, and the template's slots are filled once each.
    template = _TEMPLATES[variant.template, case.suite].replace("{as_of_line}", line)
    return template.replace("{question}", case.question, 1)


def prompts_of(variants: Iterable[Variant], cases: Iterable[Case], as_of: date) -> list[Prompt]:
    """The prompts of all cases, variant by variant."""
    cases = list(cases)
    made = []
    for variant in variants:
        identity = variant_id(variant)
        for case in cases:
            text = text_of(variant, case, as_of)
            made.append(Prompt(identity, case.id, text, hashlib.sha256(text.encode()).hexdigest()))
    return made
