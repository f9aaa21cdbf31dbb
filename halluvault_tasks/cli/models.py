"""`halluvault models`: what `models.yaml` says, and whether it is true."""

import asyncio
import json
import os
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import preflight, servers, thinking, verify
from halluvault_tasks.querying.registry import Model, ModelServer, Registry, load_models
from halluvault_tasks.querying.replies import Failure, Reply
from halluvault_tasks.querying.retry_policy import A_MOMENT, patiently
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.querying.ways import WAYS
from halluvault_tasks.settings import settings
from halluvault_tasks.untrusted import visible

_SHOWN = 60
_TEMPLATE = {True: "yes", False: "none", None: "unknown"}

models = typer.Typer(no_args_is_help=True, help="Models under test: list them, check them.")

ModelsOption = Annotated[
    list[str] | None, typer.Option("--model", help="Name from models.yaml; may be given several times. Default: all.")
]
TagOption = Annotated[str, typer.Option("--tag", help="Only models with this tag.")]
VariantOption = Annotated[
    str,
    typer.Option(
        "--variant",
        help="Prompt variant: its id, TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT; missing prompts are made. "
        "Default: default_variant in config/benchmark.yaml.",
    ),
]


def registry() -> Registry:
    """The registry of this installation: HALLUVAULT_MODELS_FILE, else models.yaml of the config directory."""
    return load_models(settings().models_path, os.environ)


@models.command("list")
def list_models(tag: TagOption = "") -> None:
    """List models, their servers and sampling, without asking any server.

    Example: halluvault models list --tag simulated
    """
    found = registry()
    table = Table("model", "dialect", "route", "server", "in flight", "base URLs", "sampling", "tags")
    for entry in found.select(tag=tag):
        home = found.server(entry.server)
        sampling = ", ".join(f"{name}={value}" for name, value in entry.parameters().items())
        cells = [
            entry.name,
            entry.dialect,
            entry.route,
            entry.server,
            str(home.in_flight),
            "\n".join(entry.base_urls),
            sampling,
            ", ".join(entry.tags),
        ]
        table.add_row(*map(escape, cells))
    out.print(table)


@models.command("check")
def check(model: ModelsOption = None, tag: TagOption = "") -> None:
    """Check each model server: identity, limits, behaviour, and one question. Exits with status 2 if any fails.

    Behaviour is tested, not assumed, on every replica, by the route of models.yaml: whether there is a chat template;
    whether the model thinks before it answers, where its thoughts stand, and how it is told not to (`thinking: off`);
    whether an open question gets the same answer three times; whether a grammar is obeyed; what the server refuses by
    name, which is then left out. A model of which nothing can be read is refused, with three of its replies.

    The question goes through huggingface_hub and through the bulk transport; the last column says whether both got the
    same answer, as they should with greedy sampling (a GPU may still differ from batch to batch). A long prompt shows
    whether the server reads all that it is sent. The list of batches of an API with `asking: batch` is asked for, and
    what a batch would be is said.

    Example: halluvault models check --model simulated/careful
    """
    found = registry()
    table = Table("model", "identity", "limits", "asked, and seen to be", "one answer", "both clients")
    problems = []
    for entry in found.select(model or (), tag=tag):
        log.print(f"asking {escape(entry.name)} …", style="dim")
        try:
            cells, told = _checked(found, entry)
        except UserError as error:
            problems.append(error)
            table.add_row(escape(entry.name), "[red]cannot be asked[/]", *[""] * 4)
            continue
        table.add_row(*map(escape, cells))
        for warning in told:
            log.print(warning, style="yellow", markup=False, soft_wrap=True)
    out.print(table)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        for problem in problems:
            log.print(str(problem), style="red", markup=False, soft_wrap=True)
        raise UserError(f"{len(problems)} models cannot be asked", "each is named above, with its way out")


class _Asked(NamedTuple):
    """What a model said when it was asked."""

    behaviour: Behaviour
    answer: Reply
    both: str
    """Whether both clients read the same answer."""
    warning: str
    """What a long prompt showed; empty where nothing is wrong with it."""


def _checked(found: Registry, entry: Model) -> tuple[Sequence[str], Sequence[str]]:
    """A row of the table, and what must be said aloud."""
    home = found.server(entry.server)
    identified = asyncio.run(servers.identify(entry, home))
    preflight.parameters_fit(entry, identified)
    identity, limits = identified.identity, identified.limits
    in_batches = WAYS[entry.asking].check(entry, home, servers.token_of)
    asked = asyncio.run(_asked(entry, home, identified))
    replicas = f"\n{len(entry.base_urls)} replicas" if len(entry.base_urls) > 1 else ""
    row = (
        entry.name,
        f"{entry.api.preset or entry.dialect}: {identity.model_id}\nsha {identity.model_sha or 'unknown'}\n"
        f"server {identity.version or 'unknown'}{replicas}",
        f"{limits.max_concurrent_requests or '?'} requests\n{limits.max_input_tokens or '?'} input tokens\n"
        f"{limits.max_total_tokens or '?'} in all",
        "\n".join([*_seen(entry, asked.behaviour), *in_batches]),
        _shown(asked.answer),
        asked.both,
    )
    return row, [*verify.warnings(entry, asked.behaviour), *filter(None, [asked.warning])]


def _seen(entry: Model, behaviour: Behaviour) -> Sequence[str]:
    """How it is asked, and what it was seen to do, a line each."""
    told = {f"with {name}": value for name, value in behaviour.sends.items()}
    given = behaviour.thinking
    if behaviour.thinks:
        told["thoughts"] = behaviour.thinks
    if "budget" in given:
        told["room for them"] = f"{given['budget']} tokens"
    if switch := given.get("fields") or given.get("suffix"):
        told["told not to think by"] = json.dumps(switch)
    if behaviour.omit:
        told["left out"] = ", ".join(behaviour.omit)
    if behaviour.limit_field:
        told["limit of new tokens"] = behaviour.limit_field
    return [
        f"route {entry.route}",
        f"template: {_TEMPLATE[behaviour.template]}",
        behaviour.decoding,
        *(f"{name}: {value}" for name, value in told.items()),
        behaviour.guided,
    ]


def _shown(answer: Reply) -> str:
    """An answer's beginning, and what came beside it."""
    text = " ".join(visible(answer.refusal or answer.text).split())
    beside = [f"{answer.generated_tokens or 0} tokens", answer.finish_reason]
    if answer.refusal is not None:
        beside.append("refused by the API")
    if answer.thought:
        beside.append(f"behind a thought of {len(answer.thought):,} characters")
    return f"{text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}\n({', '.join(beside)})"


async def _asked(entry: Model, home: ModelServer, found: servers.Identified) -> _Asked:
    """What the model does, its answer to one question, and whether both clients read the same one."""
    async with servers.Http() as http:
        behaviour = await verify.observe(http, entry, home, found, servers.token_of)
        parameters = entry.parameters() | behaviour.parameters

        async def answer(client: str) -> Reply:
            # The library takes a stream that was cut short for whole, so it is asked for none.
            asked = entry.model_copy(update={"client": client, "stream": entry.stream and client == "bulk"})
            replica = servers.clients(http, asked, home, parameters=parameters)[0]
            try:
                return await patiently(partial(replica.complete, thinking.KNOWN), A_MOMENT, Random())
            except Failure as failure:
                raise UserError(
                    f"{entry.base_urls[0]} did not answer one question: {failure.reason}",
                    "read the server's log; `curl` its /health, and its /info or /v1/models",
                ) from failure

        bulk = await answer("bulk")
        warning = await preflight.cuts_prompts(http, entry, home, found, parameters)
        if entry.route not in entry.speaks.of_hub:
            return _Asked(behaviour, bulk, "ours alone", warning)
        library = await answer("hub")
    return _Asked(behaviour, bulk, "agree" if library[:2] == bulk[:2] else "differ", warning)


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(models, name="models")
