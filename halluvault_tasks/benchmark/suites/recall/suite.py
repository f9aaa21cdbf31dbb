"""The suite recall: only true facts, so that a yes says nothing and a no is an error."""

from dataclasses import replace

from halluvault_tasks.benchmark.suites.relation import suite as relation
from halluvault_tasks.benchmark.suites.relation.find import find_true

SUITE = replace(relation.SUITE, name="recall", find=find_true, gated=False)
"""With all the wordings of the suite relation: they say which facts of it are left for this suite."""
