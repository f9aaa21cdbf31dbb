"""A part of open questions."""

from collections.abc import Collection

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.open.open_suite import OpenConfig
from halluvault_tasks.benchmark.suites.suite import Made
from halluvault_tasks.benchmark.wording.generations import Ask


def make(material: Material, config: OpenConfig, asked: Collection[str], ask: Ask | None) -> Made:
    """Its part of a month (`Suite.make`)."""
    raise PartRefused(f"no open question can be asked about {material.snapshot}", "take open out of `suites`")
