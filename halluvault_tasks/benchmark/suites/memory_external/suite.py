"""The suite memory_external: summaries of one document in several wordings (memory consistency, external)."""

from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.memory_external.fact import NAME
from halluvault_tasks.benchmark.suites.memory_external.make import make, unwritten
from halluvault_tasks.benchmark.suites.memory_external.settings import MemoryExternal
from halluvault_tasks.benchmark.suites.template import Template, Turn

_SUMMARY = """\
Summarise the following text in one sentence, with as much of what it says as that holds. Reply with the sentence and \
nothing else.
Text: {question}"""
"""The paper's task (§IV.A.3), in our words."""

SUITE = CompanionSuite(
    name=NAME,
    what="one-sentence summaries of documents in several wordings (memory consistency, external)",
    settings=MemoryExternal,
    make=make,
    templates={"memory/summary": Template(1, (Turn(_SUMMARY),))},
    variants=("memory/summary/chat/closed-book",),
    unwritten=unwritten,
)
