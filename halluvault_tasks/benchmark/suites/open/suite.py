"""The suite open: facts with one answer or a complete list, asked so that nobody can guess."""

from halluvault_tasks.benchmark.suites.open.fact import NAME
from halluvault_tasks.benchmark.suites.open.make import make
from halluvault_tasks.benchmark.suites.open.open_suite import OpenSuite
from halluvault_tasks.benchmark.suites.suite import NAMES
from halluvault_tasks.benchmark.suites.template import Template, Turn

_EXPLAINED = Turn("{evidence}{question}\n{as_of}\nExplain in a few short sentences, one fact each.")

_ANSWERS = (
    Turn("Answer with the name alone, or: don't know.", "name"),
    Turn("Answer with the date alone, or: don't know.", "date"),
    Turn("Answer with the number alone, or: don't know.", "number"),
)

_CONFIDENCE = Turn("How sure are you that this is right, from 0 to 100? Reply with the number alone.", "confidence")

SUITE = OpenSuite(
    name=NAME,
    what="for the name, the date or the number of a fact, so that nobody can guess",
    make=make,
    wordings=(*NAMES, "properties", "dates", "titles", "open"),
    templates={
        "open/two-turn": Template(1, (_EXPLAINED, *_ANSWERS)),
        "open/confidence": Template(1, (_EXPLAINED, *_ANSWERS, _CONFIDENCE)),
    },
    variants=("open/two-turn/chat/closed-book",),
)
