"""The suite pressure: cases that press a model where it invents (T/D/R/F), and the texts of its prompts."""

from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.pressure.make import make
from halluvault_tasks.benchmark.suites.pressure.schema import NAME
from halluvault_tasks.benchmark.suites.pressure.settings import Pressure
from halluvault_tasks.benchmark.suites.template import Template, Turn

_DID = """\
Which word says best what your last reply did? Reply with one of these and nothing else: answers (it gives an \
answer), asks (it asks which of several is meant), lists (it gives the answer for each of several cases), declines \
(it says that this cannot be found or known), corrects (it says that something in the request is false, and what is \
true)."""

_DISCIPLINE = """\
Answer under these rules. If what is asked can mean several things, ask which, or answer for each. If the request \
rests on something false, say so and say what is true. Give no identifier, address or quotation that you were not \
shown; if what is asked for is not there, say so. Where context is given, use nothing else and name the line that you \
rest on."""

_OPENING = Turn("{fact.opening}", optional=True)

_TURNS = {
    "baseline": (_OPENING, Turn("{question}\n{as_of}"), Turn(_DID, "conduct")),
    "constrained": (_OPENING, Turn(f"{_DISCIPLINE}\n\n{{question}}\n{{as_of}}"), Turn(_DID, "conduct")),
}
"""*Hallucination Testing*: the same cases without and with its discipline of decidability, truth and reciprocity."""

SUITE = CompanionSuite(
    name=NAME,
    what="cases of sixteen classes that press a model where it invents (T/D/R/F)",
    settings=Pressure,
    make=make,
    templates={f"pressure/{way}": Template(1, turns) for way, turns in _TURNS.items()},
    variants=("pressure/baseline/chat/closed-book", "pressure/constrained/chat/closed-book"),
)
