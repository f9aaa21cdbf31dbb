"""What comes of an always-right model behind servers of today: `models check` and `evaluate`, row by row.

    .venv/bin/python benchmarks/servers.py --json servers.json
    .venv/bin/python benchmarks/servers.py --rows "think|silent" --sample 0 --variants two-turn

Every row is a manner of the simulated server (`halluvault_tasks.local.simulator.manner`): each format of thoughts in
the text, with its first mark or with that in the prompt; thoughts in fields and in parts; refusals, filters, silence,
replies that end in an error, spent quotas, refused fields, and whole servers by name. The persona `always-right`
answers, so whatever is not read right is our fault or the server's. The month is the demo's; `--sample` questions of it
are asked (48; 0: all, with headline and exit status as for any month) in `drowzee/plain` and in the default of two
turns. `--state` keeps the month; each run asks under names of its own.

Printed are, by row and variant: how many questions were asked, delivered, refused by the API, and read right; the
hallucination rate as `evaluate` prints it; the exit status of `models check` and of `evaluate`; and the first line that
either said beside its tables. A row named `beside …` evaluates its model together with a plain one and shows the plain
one: what stops one lane must not keep the others from being asked. `--json` has all that was printed.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.local import demo, secret_files, tuned_model
from halluvault_tasks.local.personas import phrases
from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.manner import APART, TGI, ServerManner, bundled
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import profiles
from halluvault_tasks.querying.thoughts import FORMATS
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.storage.tables import cases, evaluation, model, response, verdict

PERSONA = "simulated/always-right"
OPEN = "A frame of steel tubes is welded first; then come two wheels, a saddle, pedals, a chain, brakes and a bell."
"""Its answer to a question that has nothing to do with the benchmark."""
VARIANTS = {"one-turn": "drowzee/plain", "two-turn": ""}
"""Name → `--variant`; empty: the default of benchmark.yaml."""
_NOISE = re.compile(r"asking |judging |\s|[┏┃┡│└╭╰]|$|.*(?:━|\d/\d+ .* left )")
"""Of what a command prints: progress and tables."""


class Row(NamedTuple):
    """One way in which the right answer comes.

    Attributes:
        name: as printed.
        manner: of the server.
        entry: fields of the model's entry in models.yaml, beside what every entry has.
        beside: show a plain model that is evaluated together with this one.
    """

    name: str
    manner: ServerManner
    entry: Mapping[str, Any] = {}
    beside: bool = False


def rows() -> Iterator[Row]:
    """All of them, in the order of the table."""
    yield Row("plain", ServerManner())
    yield Row("plain, TGI", TGI, {"dialect": "tgi"})
    for form in FORMATS:
        name = form.name.replace(",", "")
        yield Row(form.name, ServerManner(thought=name))
        if form.answer != ("", ""):
            yield Row(f"{form.name}, answer in marks", ServerManner(thought=name, wrapped=True))
        if not form.first:
            yield Row(f"{form.name}, start in the prompt", ServerManner(thought=name, opened=True))
    yield Row("think, 16,000 characters", bundled()["think-long"])
    yield Row(
        "think, 16,000 characters, start in the prompt", bundled()["think-long"].model_copy(update={"opened": True})
    )
    yield Row("think, every second time", bundled()["think-sometimes"])
    yield Row("think, TGI", bundled()["think-tgi"], {"dialect": "tgi"})
    yield Row("think, grammar from the first token", ServerManner(thought="think", grammar_first=True))
    yield Row("think, no grammars", ServerManner(thought="think", grammars=()))
    yield Row("think, told not to", ServerManner(thought="think", quiet_by=("/no_think",)), {"thinking": "off"})
    marks = {"thinking": {"start": "[[MUSING]]", "end": "[[/MUSING]]"}}
    yield Row("a format that nobody knows", bundled()["think-unknown"])
    yield Row("a format that models.yaml gives", bundled()["think-unknown"], marks)
    for place in APART:
        yield Row(f"thought in {place}", ServerManner(apart=place))
        yield Row(f"thought in {place}, no grammars", ServerManner(apart=place, grammars=()))
    yield Row("content as parts", bundled()["parts"])
    yield Row("one turn in three refused by field", ServerManner(refused=1 / 3))
    yield Row("one turn in three refused with HTTP 400", ServerManner(refused_400=1 / 3))
    yield Row("one turn in three refused by finish_reason", ServerManner(refused_bare=1 / 3))
    yield Row("one turn in three cut in half by a filter", ServerManner(filtered=1 / 3))
    yield Row("one turn in twenty refused with HTTP 400", ServerManner(refused_400=0.05))
    yield Row("silent", bundled()["silent"])
    yield Row("silent, no thought told", ServerManner(silent=1))
    yield Row("one turn in ten fails", ServerManner(failed=0.1))
    yield Row("one turn in ten is aborted", ServerManner(aborted=0.1))
    for spent in ("402", "insufficient_quota", "tomorrow"):
        yield Row(f"spent: {spent}", ServerManner.model_validate({"quota": 40, "spent": spent}))
    yield Row("beside spent: 402", ServerManner(quota=40), beside=True)
    yield Row("beside silent", bundled()["silent"], beside=True)
    yield Row("600 requests a minute", ServerManner(requests_per_minute=600))
    yield Row("max_tokens refused", ServerManner(refuses=("max_tokens",)))
    yield Row("temperature and seed refused", ServerManner(refuses=("temperature", "seed")))
    yield Row("prompts cut", bundled()["cutting"])
    for name in ("openai", "azure", "gemini", "openrouter", "mistral", "vllm", "sglang", "ollama", "llama.cpp"):
        yield Row(f"preset {name}", bundled()[name], {"api": {"preset": name}})
    yield Row("preset tgi", TGI, {"dialect": "tgi", "api": {"preset": "tgi"}})


class Place(NamedTuple):
    """What the rows are run in."""

    session: Session
    snapshot: str
    models_file: Path
    answer: Callable[[str, str, int | None], str]
    run: Callable[[Sequence[str]], tuple[int, str]]
    """The command line: exit status, and all that it printed."""
    sample: int
    run_id: str
    """Names of this run's models begin with it."""


def main() -> None:
    """Run the chosen rows, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="", help="regular expression that a row's name must hold")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--sample", type=int, default=48, help="questions of the month; 0: all")
    parser.add_argument("--state", type=Path, help="keep the month here, so that another run need not make it")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    arguments = parser.parse_args()
    chosen = [row for row in rows() if re.search(arguments.rows, row.name)]
    figures = []
    with (
        tempfile.TemporaryDirectory(prefix="halluvault-servers-") as scratch,
        place(arguments.state or Path(scratch) / "state", Path(scratch), arguments.sample) as here,
    ):
        print(_line("", "asked", "there", "refused", "right", "rate", "exit", "said"))
        for number, row in enumerate(chosen):
            for variant in arguments.variants:
                figures.append(figure(here, row, variant, f"{here.run_id}-{number:02}-{variant}"))
                print(shown(figures[-1]), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def place(state: Path, scratch: Path, sample_size: int) -> Iterator[Place]:
    """The demo's month on a Postgres of its own, and the command line set up for it."""
    print("making the month …", file=sys.stderr)
    with tuned_model.month(state) as made:
        url = made.session.get_bind().engine.url
        passwords = secret_files.read(state / "passwords")
        simulator = url.set(username=roles.SIMULATOR, password=passwords[roles.SIMULATOR])
        os.environ |= {
            "HALLUVAULT_DATABASE_URL": url.render_as_string(hide_password=False),
            "HALLUVAULT_CONFIG_DIR": str(demo.CONFIG),
            "HALLUVAULT_MODELS_FILE": str(scratch / "models.yaml"),
            "HALLUVAULT_STATE_DIR": str(scratch),
            "HALLUVAULT_BENCHMARK_SIZE": "demo",
            "COLUMNS": "200",
        }
        from halluvault_tasks import cli  # its consoles take their width from the environment

        for command in ("models", "evaluate"):
            cli.register(command)

        def run(words: Sequence[str]) -> tuple[int, str]:
            done = CliRunner().invoke(cli.app, list(words))
            said = f"{done.exception}\n" if done.exception and not isinstance(done.exception, SystemExit) else ""
            return (2 if said else done.exit_code), said + done.output

        engine = sessions.engine(simulator.render_as_string(hide_password=False))
        answer = Personas(engine).answer
        run_id = f"r{time.time_ns() // 10**9 % 10**6:x}"
        yield Place(made.session, made.snapshot, scratch / "models.yaml", answer, run, sample_size, run_id)
        engine.dispose()


def figure(here: Place, row: Row, variant: str, name: str) -> dict[str, Any]:
    """What one row comes to in one variant, its model under this name."""

    def always_right(_model: str, prompt: str, seed: int | None) -> str:
        said = here.answer(PERSONA, prompt, seed)
        if said not in (phrases.ACKNOWLEDGED, phrases.NOTHING_KNOWN):
            return said
        # What every model is asked before a month is.
        return "Yes." if "yes or no" in prompt else OPEN

    served = {name: row.manner} | ({f"{name}-plain": ServerManner()} if row.beside else {})
    models = [SimulatedModel(one, always_right, manner=each, pacing=Pacing(latency_seconds=0.0))
              for one, each in served.items()]  # fmt: skip
    asked = f"{name}-plain" if row.beside else name
    began = time.perf_counter()
    with serving(models) as base:
        here.models_file.write_text(yaml.safe_dump(_registry(base, list(served), row)))
        check, told = here.run(["models", "check", "--model", name])
        words = ["evaluate", "--snapshot", here.snapshot, "--variant", VARIANTS[variant]]
        words += [word for one in served for word in ("--model", one)]
        status, said = here.run([*words, "--sample", str(here.sample)] if here.sample else words)
    found = _counted(here, asked)
    lines = [line.strip() for line in (told + said).splitlines() if not _NOISE.match(line)]
    return {
        "row": row.name,
        "variant": variant,
        "check": check,
        "exit": status,
        **found,
        "rate": _rate(said, asked),
        "seconds": round(time.perf_counter() - began, 1),
        "said": list(dict.fromkeys(lines)),
        "checked": told,
        "printed": said,
    }


def _registry(base: str, names: Sequence[str], row: Row) -> dict[str, Any]:
    """models.yaml of a row: each model on a server of its own, which is not waited for."""
    home = {"slots": 1, "in_flight": 8, "attempts": 3, "deadline_seconds": 60, "outage_seconds": 5}
    entries = []
    for number, name in enumerate(names):
        entry: dict[str, Any] = {"name": name, "dialect": "openai", "server": name, "base_urls": [f"{base}/{name}"]}
        own = row.entry if number == 0 else {}
        if own.get("dialect", "openai") == "openai":
            entry["served_as"] = f"simulated/{name}"
        entries.append({**entry, **own})
    return {"servers": [{"name": name, "pool": name, **home} for name in names], "models": entries}


def _counted(here: Place, name: str) -> dict[str, int]:
    """Questions of a model's evaluation, by what became of them."""
    session = here.session
    session.rollback()  # what the command has written since
    mine = select(evaluation.c.id).join(model, model.c.id == evaluation.c.model_id).where(model.c.name == name)
    there = response.c.status == "delivered"
    asked, delivered, refused = session.execute(
        select(func.count(), func.count().filter(there), func.count().filter(there, response.c.refusal.is_not(None)))
        .where(response.c.evaluation_id.in_(mine))
    ).one()  # fmt: skip
    right = session.scalar(
        select(func.count())
        .select_from(verdict)
        .join(cases, cases.c.id == verdict.c.case_id)
        .where(
            verdict.c.evaluation_id.in_(mine),
            verdict.c.profile == profiles.HEADLINE,
            verdict.c.answer == cases.c.gold,
        )
    )
    return {"asked": asked, "there": delivered, "refused": refused, "right": right or 0}


def _rate(printed: str, name: str) -> str:
    """A model's cell under `hallucination rate`, as `evaluate` prints it; empty where it prints none."""
    headers: list[list[str]] = []
    for line in printed.splitlines():
        cells = [cell.strip() for cell in re.split("[┃│]", line)[1:-1]]
        if line.startswith("┃"):
            headers.append(cells)
        elif line.startswith("┏"):
            headers = []
        elif cells and cells[0] == name and headers:
            titles = [" ".join(parts) for parts in zip(*headers, strict=True)]
            found = [cell for title, cell in zip(titles, cells, strict=True) if "hallucination rate" in title]
            if found:
                return found[0]
    return ""


def shown(found: Mapping[str, Any]) -> str:
    """A line of the table."""
    said = next(iter(found["said"]), "")
    status = f"{found['check']}/{found['exit']}"
    name = f"{found['row']} ({found['variant']})"
    return _line(
        name, found["asked"], found["there"], found["refused"], found["right"], found["rate"], status, said[:150]
    )


def _line(name: str, *cells: object) -> str:
    asked, there, refused, right, rate, status, said = cells
    return f"{name:58}{asked:>6}{there:>6}{refused:>8}{right:>6}{rate:>23}{status:>6}  {said}"


if __name__ == "__main__":
    main()
