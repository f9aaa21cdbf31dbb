"""`halluvault models`: what `models.yaml` says, and whether it is true."""

import asyncio
import os
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import hub, servers
from halluvault_tasks.querying.registry import Model, Registry, Server, load_models
from halluvault_tasks.querying.replies import Failure, Reply
from halluvault_tasks.settings import settings

_QUESTION = "Was Charles Dickens born in Portsmouth? Answer yes or no."
_SHOWN = 60

models = typer.Typer(no_args_is_help=True, help="Models under test: list them, check them.")

ModelsOption = Annotated[
    list[str] | None, typer.Option("--model", help="Name from models.yaml; may be given several times. Default: all.")
]
TagOption = Annotated[str, typer.Option("--tag", help="Only models with this tag.")]
VariantOption = Annotated[
    str,
    typer.Option(
        "--variant",
        help="Prompt variant: its id, TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT. Default: halluvault where the "
        "benchmark has it, else the one that it has (size demo: drowzee).",
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
    table = Table("model", "dialect", "server", "in flight", "base URLs", "sampling", "tags")
    for entry in found.select(tag=tag):
        home = found.server(entry.server)
        sampling = ", ".join(f"{name}={value}" for name, value in entry.sampling.parameters().items())
        cells = [
            entry.name,
            entry.dialect,
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
    """Ask each model server who it is, what it allows, and one question. Exit status 2 if any fails.

    The question goes through huggingface_hub and through the bulk transport; the last column says whether both brought
    the same answer, which greedy sampling should (a GPU may still differ from batch to batch).

    Example: halluvault models check --model simulated/careful
    """
    found = registry()
    table = Table("model", "identity", "limits", "one answer", "both clients")
    problems = []
    for entry in found.select(model or (), tag=tag):
        log.print(f"asking {escape(entry.name)} …", style="dim")
        try:
            table.add_row(*map(escape, _checked(found, entry)))
        except UserError as error:
            problems.append(error)
            table.add_row(escape(entry.name), "[red]does not answer[/]", "", "", "")
    out.print(table)
    if problems:
        raise UserError("; ".join(error.message for error in problems), problems[0].way_out)


def _checked(found: Registry, entry: Model) -> tuple[str, str, str, str, str]:
    home = found.server(entry.server)
    identified = asyncio.run(servers.identify(entry, home))
    identity, limits = identified.identity, identified.limits
    bulk = asyncio.run(_through_the_bulk_transport(entry, home))
    if entry.route == "completions":  # a route that the library does not speak
        answer, both = hub.HubAnswer(bulk.text, bulk.finish_reason, bulk.generated_tokens or 0), "ours alone"
    else:
        answer = hub.ask(entry, home, _QUESTION, entry.served_as or identity.model_id, servers.token_of(entry))
        both = "agree" if (bulk.text, bulk.finish_reason) == answer[:2] else "differ"
    shown = " ".join(answer.text.split())
    replicas = f"\n{len(entry.base_urls)} replicas" if len(entry.base_urls) > 1 else ""
    return (
        entry.name,
        f"{entry.dialect}: {identity.model_id}\nsha {identity.model_sha or 'unknown'}\n"
        f"server {identity.version or 'unknown'}{replicas}",
        f"{limits.max_concurrent_requests or '?'} requests\n{limits.max_input_tokens or '?'} input tokens\n"
        f"{limits.max_total_tokens or '?'} in all",
        f"{shown[:_SHOWN]}{'…' if len(shown) > _SHOWN else ''}\n({answer.generated_tokens} tokens, "
        f"{answer.finish_reason})",
        both,
    )


async def _through_the_bulk_transport(entry: Model, home: Server) -> Reply:
    async with servers.http() as http:
        try:
            return await servers.clients(http, entry, home)[0].complete(_QUESTION)
        except Failure as failure:
            raise UserError(
                f"{entry.base_urls[0]} did not answer one question: {failure.reason}", "read the server's log"
            ) from failure


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(models, name="models")
