"""Which companion suites suites.yaml switches on: a DAG asks it whenever it is parsed, so nothing else is loaded."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from halluvault_tasks.benchmark.suites.companion_settings import FILE


def switched_on(config_dir: Path) -> Sequence[str]:
    """The suites that are on; none where the file is no YAML. What else is faulty a month's first task says."""
    try:
        sections = yaml.safe_load((config_dir / FILE).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return ()
    named = sections.items() if isinstance(sections, dict) else ()
    return [name for name, section in named if isinstance(section, dict) and section.get("enabled") is True]
