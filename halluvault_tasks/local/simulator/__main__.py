r"""Simulated text-generation-inference servers: several models behind one port, each at `/<name>`.

    python -m halluvault_tasks.local.simulator --port 8081 --models careful,overconfident

The base URL of a model is `http://127.0.0.1:8081/careful`. The personas (`local.personas`) look each prompt up at
request time through the role `halluvault_sim` (`HALLUVAULT_SIM_DATABASE_URL`) and keep there which fault they
planted; no reply carries it.

For benchmarks, without a database, 50 ms an answer, any model name:

    python -m halluvault_tasks.local.simulator --port 8081 --models bench --synthetic --latency-ms 50 \
        --max-concurrent-requests 512

`--synthetic` texts are `simulator.texts.answer(model_id, prompt, seed)`: who computes it again can check every byte.
A storm: `--faults mix=0.3,poison=0.005,seed=7`. Without `--manner` the server is a text-generation-inference; with it,
another API, a model that thinks, refuses or is silent: `--models careful --manner think,refused=0.05`.
"""

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.personas import knowledge_edits
from halluvault_tasks.local.personas.knowledge_edits import Edited
from halluvault_tasks.local.personas.persona import PERSONAS, Personas
from halluvault_tasks.local.simulator import http_faults, manner, server, texts
from halluvault_tasks.local.simulator.app import SimulatorApp
from halluvault_tasks.local.simulator.engine import SCHEDULINGS, Pacing
from halluvault_tasks.local.simulator.model import Answerer, SimulatedModel
from halluvault_tasks.local.simulator.openai import TEMPLATES
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.record import Record
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.sessions import engine


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT; running requests are finished first."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            _serve(options)
    except UserError as error:
        print(f"simulator: {error}", file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    manners = _listed({name: each.about for name, each in manner.bundled().items()})
    faults = _listed(http_faults.MEANINGS)
    parser = argparse.ArgumentParser(
        prog="python -m halluvault_tasks.local.simulator",
        description=f"{__doc__}\nManners:\n{manners}\n\nFaults, by number or for a share of the requests:\n{faults}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--port", type=int, required=True, help="TCP port")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--models",
        required=True,
        help=f"comma-separated, of: {', '.join(PERSONAS)}; any name with --synthetic. NAME=PERSONA serves one "
        "under another name, so that a model can change behind its name",
    )
    parser.add_argument(
        "--synthetic", action="store_true", help="answer from a pure function of model, prompt and seed; no database"
    )
    parser.add_argument(
        "--answer-tokens", metavar="N[-M]", help="with --synthetic: answers of so many tokens (default: about 20)"
    )
    _add_edits(parser)
    parser.add_argument(
        "--backend",
        choices=("v3", "llamacpp"),
        default="v3",
        help="llamacpp samples and obeys no grammar (default: v3)",
    )
    parser.add_argument("--template", choices=TEMPLATES, default=TEMPLATES[0], help="of chats (default: %(default)s)")
    parser.add_argument(
        "--manner", action="append", default=[], metavar="[MODEL:]WHAT",
        help=f"{(manner.parse.__doc__ or '').split(chr(10) * 2)[1]} Of all models, or of one.",
    )  # fmt: skip
    parser.add_argument("--faults", default="", help=(http_faults.parse.__doc__ or "").split("\n\n")[1])
    parser.add_argument("--seed", type=int, default=1, help="of the personas' fault plans (default: 1)")
    parser.add_argument("--revision", default="1", help="another revision is another model_sha (default: 1)")
    _add_limits(parser)
    parser.add_argument("--api-key-env", metavar="NAME", help="environment variable with the key to ask for")
    parser.add_argument("--record", type=Path, metavar="FILE", help="append every answer sent whole, as JSON lines")
    return parser


def _listed(meanings: Mapping[str, str]) -> str:
    return "\n".join(f"    {name:20}{meaning}" for name, meaning in meanings.items())


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """What the launcher limits, and how fast the model generates."""
    limits, pacing = ServerLimits(), Pacing()
    parser.add_argument(
        "--max-concurrent-requests", type=int, default=limits.max_concurrent_requests, metavar="N",
        help="running and waiting ones; the next gets 429 (default: %(default)s)",
    )  # fmt: skip
    for name, default in (("input", limits.max_input_tokens), ("total", limits.max_total_tokens)):
        parser.add_argument(f"--max-{name}-tokens", type=int, default=default, metavar="N", help="%(default)s")
    parser.add_argument(
        "--scheduling", choices=SCHEDULINGS, default=pacing.scheduling,
        help="when newcomers join a running batch: whenever memory allows, as TGI's v3 router lets them, or when the "
        "batch has ended (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--step-ms", type=float, default=1000 * pacing.step_seconds, metavar="MS",
        help="of one decoding step, a token for every running sequence (default: %(default)g)",
    )  # fmt: skip
    parser.add_argument(
        "--latency-ms", type=float, metavar="MS", help="every answer takes this long instead, however long its text"
    )


def _add_edits(parser: argparse.ArgumentParser) -> None:
    given = Edited("", ())
    parser.add_argument(
        "--edits", type=Path, metavar="FILE",
        help="serve the one persona of --models as if edited with these requests of `halluvault results edits`",
    )  # fmt: skip
    parser.add_argument("--edited-as", metavar="NAME", help="its name then (default: that of --models with -edited)")
    parser.add_argument(
        "--edit-success", type=_share, default=given.success, metavar="SHARE",
        help="of the edits, those that take (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--collapse", type=_share, default=given.collapse, metavar="SHARE",
        help=f"of its replies, meaningless beyond {knowledge_edits.COLLAPSE} edits (default: %(default)s)",
    )  # fmt: skip


def _share(written: str) -> float:
    share = float(written)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{written} is no share; accepted: 0 to 1")
    return share


def _serve(options: argparse.Namespace) -> None:
    names = [name.strip() for name in options.models.split(",") if name.strip()]
    if not names:
        raise UserError("--models is empty", f"name some of: {', '.join(PERSONAS)}")
    edited = _edited(names, options) or _renamed(names)
    names = list(edited) if options.edits else [name.partition("=")[0] for name in names]
    answerer = _answerer([edited[name].base if name in edited else name for name in names], options, edited)
    key = os.environ.get(options.api_key_env, "") if options.api_key_env else ""
    if options.api_key_env and not key:
        raise UserError(f"--api-key-env names {options.api_key_env!r}, which is not set", "set it, or leave it out")
    processes.require_free(options.port, "the simulated model server")
    pacing = Pacing(
        step_seconds=options.step_ms / 1000,
        latency_seconds=None if options.latency_ms is None else options.latency_ms / 1000,
        scheduling=options.scheduling,
    )
    limits = ServerLimits(
        max_concurrent_requests=options.max_concurrent_requests,
        max_input_tokens=options.max_input_tokens,
        max_total_tokens=options.max_total_tokens,
    )
    if options.backend == "llamacpp":
        limits = llamacpp(limits)
    record = Record(options.record) if options.record else None
    manners = _manners(options.manner, names)
    models = [
        SimulatedModel(
            name,
            answerer,
            options.revision,
            limits,
            pacing,
            http_faults.parse(options.faults),
            blocking=not options.synthetic,
            record=record,
            template=options.template,
            manner=manners.get(name, manners.get("", manner.TGI)),
        )
        for name in names
    ]
    server.build(SimulatorApp(models, key), options.port, options.host).run()


def _manners(given: Sequence[str], names: Sequence[str]) -> dict[str, manner.ServerManner]:
    """Model → its manner; of all that have none of their own under an empty name."""
    found = {}
    for text in given:
        name, colon, what = text.partition(":")
        its = bool(colon) and name in names
        found[name if its else ""] = manner.parse(what if its else text)
    return found


def _edited(names: Sequence[str], options: argparse.Namespace) -> dict[str, Edited]:
    if options.edits is None:
        if options.edited_as:
            raise UserError(f"--edited-as is {options.edited_as!r} without --edits", "give the file with --edits")
        return {}
    if options.synthetic or len(names) > 1:
        raise UserError(
            f"--edits takes one persona, not {', '.join(names)}{' with --synthetic' * options.synthetic}",
            "serve each edited model from a process of its own",
        )
    name = options.edited_as or f"{names[0]}-edited"
    if name in PERSONAS:
        raise UserError(f"--edited-as is {name!r}, the name of a persona that was not edited", "give another name")
    return {name: Edited(names[0], knowledge_edits.read(options.edits), options.edit_success, options.collapse)}


def _renamed(names: Sequence[str]) -> dict[str, Edited]:
    """Personas under other names, as `NAME=PERSONA`: nothing of them is edited."""
    found = {}
    for name, equals, persona in (name.partition("=") for name in names):
        if equals and name in PERSONAS:
            raise UserError(f"--models {name}={persona}: {name!r} is a persona's own name", "give another name")
        if equals:
            found[name] = Edited(persona, (), collapse=0.0)
    return found


def _answerer(names: Sequence[str], options: argparse.Namespace, edited: Mapping[str, Edited]) -> Answerer:
    if options.answer_tokens:
        least, _, most = options.answer_tokens.partition("-")
        if not options.synthetic or not least.isdigit() or not (most or least).isdigit() or int(least) < 2:
            raise UserError(
                f"--answer-tokens is {options.answer_tokens!r}; accepted: N or N-M from 2 on, with --synthetic",
                "for instance --synthetic --answer-tokens 10-310",
            )
        return texts.of_length(int(least), int(most or least))
    if options.synthetic:
        return texts.answer
    if unknown := [name for name in names if name not in PERSONAS]:
        raise UserError(f"no persona {unknown[0]!r}; there are: {', '.join(PERSONAS)}", "correct --models")
    url = settings().require_sim_database()
    return Personas(engine(url), options.seed, edited=edited).answer


if __name__ == "__main__":
    sys.exit(main())
