"""What pyproject.toml cannot say: config/, dags/ and prolog_rules/ travel in the package, as halluvault_tasks/share."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHARED = ("config", "dags", "prolog_rules")


class WithShare(build_py):
    """Builds the packages, then puts the shared folders beside them; an editable install reads the clone's own."""

    def run(self) -> None:
        """Build."""
        super().run()
        if self.editable_mode:
            return
        share = Path(self.build_lib) / "halluvault_tasks" / "share"
        shutil.rmtree(share, ignore_errors=True)
        for name in SHARED:
            shutil.copytree(name, share / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))


setup(cmdclass={"build_py": WithShare})
