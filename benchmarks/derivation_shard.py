"""One shard of `benchmarks/derivation.py`, in a process of its own as an Airflow task is: figures as JSON on stdout."""

import json
import resource
import sys
from pathlib import Path

from halluvault_tasks.reasoning import stages
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.portion import Portion


def main(url: str, snapshot: str, shard: int, shards: int, scratch: Path) -> None:
    """Derive it and print what it counted, with the CPU seconds of this process and of its engine."""
    with sessions.session(url) as session:
        counts = stages.derive_shard(
            session,
            snapshot,
            portion=Portion(shard, shards),
            prolog_dir=REPOSITORY / "prolog_rules",
            scratch=scratch,
        )
    own, engine = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    figures = {"python_cpu": own.ru_utime + own.ru_stime, "engine_cpu": engine.ru_utime + engine.ru_stime}
    print(json.dumps({**counts._asdict(), **figures}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5]))
