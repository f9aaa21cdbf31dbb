"""The texts of prompts: HalluVault's table 2 (one-shot), Drowzee's table IV, and one of our own.

The papers' two are as published, down to their grammar, with one added line that states the date of the facts; the
question itself names no such date, so that an unchanged fact keeps its case. Ours asks twice in one conversation: a
model first explains freely and only then has to keep to a form, because a form demanded at once changes the answer. A
changed text is a new version, never an edit.
"""

import re
from collections.abc import Mapping

from halluvault_tasks.benchmark.suites.registry import SUITES
from halluvault_tasks.benchmark.suites.template import Template, Turn

_HALLUVAULT = """\
Instruction: Answer the question with your knowledge and reasoning power.
{evidence}Query: Now given the question: {question}, please provide an answer with your knowledge and reasoning power.
Think of it step by step with a human-like reasoning process.
After giving the answer, list the knowledge used in your reasoning process in the form of declarative sentences and \
point by point.
{as_of}
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
{evidence}Query: Given the question: {question}, please provide an answer with your knowledge and reasoning power. \
Think of it step by step with a human-like reasoning process. After giving the answer, list the knowledge used in your \
reasoning process in the form of declarative sentences and point by point. The answer must contain ‘Yes’, ‘No’ or \
‘I don’t know’ at the beginning.
{as_of}"""

_DROWZEE_TEMPORAL = """\
Instruction: Answer the question with your knowledge and reasoning power.
{evidence}Query: Given the question: {question}, please provide an answer with your knowledge and reasoning power upon \
metric temporal logic. Think it step by step with a human-like reasoning process. After giving the answer, list the \
evidence from your temporal reasoning in the form of declarative sentences and point by point. The answer must contain \
‘Yes’, ‘No’ or ‘I don’t know’ at the beginning.
{as_of}"""

_EXPLAINED = """\
{evidence}{question}
{as_of}
Explain in a few short sentences, one fact each."""

_VERDICT = """\
What is your answer, then? A right answer counts 1 point, a wrong one -3, "don't know" 0. Reply with one of these and \
nothing else: yes, no, don't know."""
"""With the index's w (semantics.md §4.4), so that who is ranked by it knows what a guess costs."""


_SYSTEM = """\
You state nothing that you are not sure of. Where you do not know a fact, say so; do not make one up, and do not let \
the question lead you.

"""

_CHECK = """\
List every claim of your answer, one a line. Behind each write whether you are sure of it, and if it is wrong, what is \
right."""

_AGAIN = "Answer the question again, with nothing but what stood the check, in a few short sentences, one fact each."

SHARED: Mapping[str, Template] = {
    "halluvault": Template(1, (Turn(_HALLUVAULT),)),
    "drowzee": Template(1, (Turn(_DROWZEE_RELATION),), instead={"temporal": (Turn(_DROWZEE_TEMPORAL),)}),
    "halluvault/two-turn": Template(2, (Turn(_EXPLAINED), Turn(_VERDICT, "verdict"))),
    "halluvault/system": Template(2, (Turn(f"{_SYSTEM}{_EXPLAINED}"), Turn(_VERDICT, "verdict"))),
    "halluvault/self-check": Template(2, (Turn(_EXPLAINED), Turn(_CHECK), Turn(_AGAIN), Turn(_VERDICT, "verdict"))),
}
"""Name → template of every suite that has none of its own. A further one is added here."""

TEMPLATES: Mapping[str, Template] = {
    **SHARED,
    **{
        name: template._replace(only=(suite.name,))
        for suite in SUITES.values()
        for name, template in suite.templates.items()
    },
}
"""Name → template: these, and those that a suite brings for itself."""


def asks(name: str, suite: str) -> bool:
    """Whether a template is for a suite; True for one that is no longer made, since that cannot be known."""
    if name not in TEMPLATES:
        return True
    only = TEMPLATES[name].only
    return suite in only if only else all(suite not in other.only for other in TEMPLATES.values())


def needs(name: str) -> frozenset[str]:
    """Texts of a case's `fact` that a template asks for; none of one that is no longer made."""
    return TEMPLATES[name].needs if name in TEMPLATES else frozenset()


AS_OF = "The facts are to be judged as of {as_of}."

EVIDENCE = """\
Evidence: the following statements are true.
{evidence}
"""

EVENTS = """\
Here are some recent events, in no particular order:
{events}
Please confirm that you have taken note of them. I will then ask you a question about them."""

_SLOT = re.compile(r"\{(question|as_of|evidence|events|fact\.[a-z_]+)\}")


def filled(text: str, **values: str) -> str:
    """The text with its slots filled, once each; what looks like a slot within a value stays what it is.

    Raises:
        KeyError: the text has a slot that is not given.
    """
    return _SLOT.sub(lambda match: values[match[1]], text)
