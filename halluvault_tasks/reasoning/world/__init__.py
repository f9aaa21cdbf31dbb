"""What a snapshot knows: where things lie, what they are called, which values they have, what people found false.

Read once for a build or a batch (`loading.load_world`) and never changed; `reasoning.licence` decides from it alone.
"""

from dataclasses import dataclass, field

from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.findings import Findings
from halluvault_tasks.reasoning.world.lists import Lists
from halluvault_tasks.reasoning.world.naming import Naming
from halluvault_tasks.reasoning.world.slots import Slots
from halluvault_tasks.reasoning.world.terms import Incumbents


@dataclass(frozen=True, eq=False)
class World:
    """One snapshot as the licence sees it."""

    containment: Containment = field(default_factory=Containment)
    naming: Naming = field(default_factory=Naming)
    slots: Slots = field(default_factory=Slots)
    findings: Findings = field(default_factory=Findings)
    terms: Incumbents = field(default_factory=Incumbents)
    lists: Lists = field(default_factory=Lists)
