"""The suite recognition: does a text hold what is not factual (HELMA)?"""

from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.recognition.fact import NAME
from halluvault_tasks.benchmark.suites.recognition.make import make, unwritten
from halluvault_tasks.benchmark.suites.recognition.settings import Recognition
from halluvault_tasks.benchmark.suites.template import Template, Turn

_YES_OR_NO = "Reply with Yes if it does and No if it does not, and with nothing else."

_SHOWN = "{fact.instruction}\n{as_of}\n{fact.demonstrations}"
# As each demonstration ends: whatever else is to be said stands before it.
_JUDGED = f"{_YES_OR_NO}\n{{question}}\nJudgement:"
_TEXTS = {
    "base": f"{_SHOWN}{_JUDGED}",
    "knowledge": f"{_SHOWN}This is known: {{fact.knowledge}}\n{_JUDGED}",
    "cot": f"{_SHOWN}{{question}}\nReason step by step first. Then write Yes, if it does, or No, if it does "
    "not, alone on the last line.",
    "contrast": f"{_SHOWN}For comparison, here are two of which one is right and the other is not.\n"
    f"{{fact.contrast}}\nThe one to judge stands last. {_JUDGED}",
    "refined": "{fact.refine}\n{question}\n{as_of}",
}
"""HELMA's recognition (tables 8, 15, 16) its three strategies (table 9) and refining (table 10), in our words."""

SUITE = CompanionSuite(
    name=NAME,
    what="whether a text contains something that is not factual, in pairs of a right and a false one (HELMA)",
    settings=Recognition,
    make=make,
    templates={
        f"recognition/{way}": Template(1 if way == "refined" else 2, (Turn(text),)) for way, text in _TEXTS.items()
    },
    variants=tuple(f"recognition/{way}/chat/closed-book" for way in ("base", "knowledge", "cot", "contrast")),
    unwritten=unwritten,
)
