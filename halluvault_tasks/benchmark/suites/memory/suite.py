"""The suite memory: pairs one by one and in sets (memory consistency, internal)."""

from halluvault_tasks.benchmark.suites.companion_suite import CompanionSuite
from halluvault_tasks.benchmark.suites.memory.fact import NAME
from halluvault_tasks.benchmark.suites.memory.make import make
from halluvault_tasks.benchmark.suites.memory.settings import Memory
from halluvault_tasks.benchmark.suites.template import Template, Turn

SUITE = CompanionSuite(
    name=NAME,
    what="pairs that a model knows singly, matched in sets (memory consistency, internal)",
    settings=Memory,
    make=make,
    templates={"memory/match": Template(1, (Turn("{question}\n{as_of}"),))},
    variants=("memory/match/chat/closed-book",),
)
