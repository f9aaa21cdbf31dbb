"""`halluvault models`: what `models.yaml` says, and whether it is true."""

import asyncio
import os
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import hub
from halluvault_tasks.querying.registry import Model, Registry, load_models
from halluvault_tasks.querying.servers import identify
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
        help="Prompt variant: its id or template. Default: halluvault where the benchmark has it, else the one that "
        "it has (size demo: drowzee).",
    ),
]


def registry() -> Registry:
    """The registry of this installation: HALLUVAULT_MODELS_FILE, else models.yaml of the config directory."""
    return load_models(settings().models_file or settings().config_dir / "models.yaml", os.environ)


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

    Example: halluvault models check --model simulated/careful
    """
    found = registry()
    chosen = found.select(model or (), tag=tag)
    table = Table("model", "identity", "limits", "one answer")
    problems = []
    for entry in chosen:
        log.print(f"asking {escape(entry.name)} …", style="dim")
        try:
            table.add_row(*map(escape, _checked(found, entry)))
        except UserError as error:
            problems.append(error)
            table.add_row(escape(entry.name), "[red]does not answer[/]", "", "")
    out.print(table)
    if problems:
        raise UserError("; ".join(error.message for error in problems), problems[0].way_out)


def _checked(found: Registry, entry: Model) -> tuple[str, str, str, str]:
    home = found.server(entry.server)
    info = asyncio.run(identify(entry, home))
    token = os.environ.get(entry.token_env, "") if entry.token_env else ""
    answer = hub.ask(entry.base_urls[0], _QUESTION, entry.sampling.parameters(), home.timeout_seconds, token)
    shown = " ".join(answer.text.split())
    return (
        entry.name,
        f"{info.model_id}\nsha {info.model_sha or 'unknown'}\nserver {info.version or 'unknown'}",
        f"{info.max_concurrent_requests or '?'} requests\n{info.max_input_tokens or '?'} input tokens\n"
        f"{info.max_total_tokens or '?'} in all",
        f"{shown[:_SHOWN]}{'…' if len(shown) > _SHOWN else ''}\n({answer.generated_tokens} tokens, "
        f"{answer.finish_reason})",
    )


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(models, name="models")
