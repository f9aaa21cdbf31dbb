"""Simulated text-generation-inference servers: several models behind one port, each at `/<name>`.

    python -m halluvault_tasks.local.simulator --port 8081 --models careful,overconfident

The base URL of a model is `http://127.0.0.1:8081/careful`. The personas (`local.personas`) look each prompt up at
request time through the role `halluvault_sim` (`HALLUVAULT_SIM_DATABASE_URL`) and keep there which fault they
planted; no reply carries it. Served: POST / (without streaming) and /generate, GET /info /health /ping / /v1/models.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.personas import PERSONAS, Personas
from halluvault_tasks.local.simulator import server
from halluvault_tasks.local.simulator.app import SimulatorApp
from halluvault_tasks.local.simulator.faults import parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.sessions import engine


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; running requests are finished first."""
    parser = argparse.ArgumentParser(prog="python -m halluvault_tasks.local.simulator", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="TCP port")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--models", required=True, help=f"comma-separated, of: {', '.join(PERSONAS)}")
    parser.add_argument("--faults", default="", help="e.g. overloaded=0.1,reset=0.05,seed=7 (default: none)")
    parser.add_argument("--seed", type=int, default=1, help="of the personas' fault plans (default: 1)")
    parser.add_argument("--revision", default="1", help="another revision is another model_sha (default: 1)")
    options = parser.parse_args(arguments)
    try:
        _serve(options.host, options.port, options.models, options.faults, options.seed, options.revision)
    except UserError as error:
        print(f"simulator: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _serve(host: str, port: int, names: str, faults_text: str, seed: int, revision: str) -> None:
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := [name for name in wanted if name not in PERSONAS]:
        raise UserError(f"no persona {unknown[0]!r}; there are: {', '.join(PERSONAS)}", "correct --models")
    if not wanted:
        raise UserError("--models is empty", f"name some of: {', '.join(PERSONAS)}")
    url = settings().sim_database_url
    if not url.startswith("postgresql"):
        raise UserError(
            f"HALLUVAULT_SIM_DATABASE_URL is {url!r}; it must be the results database's URL through halluvault_sim",
            "`make demo KEEP=1` prints one; `halluvault db roles` makes the role",
        )
    processes.require_free(port, "the simulated model server")
    personas = Personas(engine(url), seed)
    faults = parse(faults_text)
    app = SimulatorApp([SimulatedModel(name, personas.answer, revision, faults=faults) for name in wanted])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        server.build(app, port, host).run()


if __name__ == "__main__":
    sys.exit(main())
