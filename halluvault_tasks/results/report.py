"""The month's report: one HTML file that needs nothing else, and shows every foreign text as text."""

import os
from contextlib import suppress
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper, profiles
from halluvault_tasks.results import plots, read, show
from halluvault_tasks.results.stages import CONSTANT_BOTH

_TEMPLATE = Path(__file__).with_name("report.html")

_LEGEND = (
    (profiles.HEADLINE, "replay"),
    (paper.GATED, "answer-gated"),
    (paper.JUDGED, "every answer judged"),
    (CONSTANT_BOTH, "constant “both”"),
)


def html(session: Session, snapshot: str) -> str:
    """The report as HTML text: the same bytes for the same results.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a benchmark.

    Raises:
        UserError: no such benchmark.
    """
    about = read.source(session, snapshot)
    models = read.models(session, snapshot)
    names = read.names(models)
    by_suite = read.suites(session, snapshot, profiles.HEADLINE)
    by_domain = read.domains(session, snapshot, profiles.HEADLINE)
    by_rule = read.rules(session, snapshot, profiles.HEADLINE)
    stacks = [
        (profile, Markup(plots.categories([row for row in models if row.profile == profile], names)))
        for profile in (profiles.HEADLINE, *paper.PROFILES)
        if any(row.profile == profile for row in models)
    ]
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"percent": show.percent, "interval": show.interval}
    # Only our own SVG is marked safe; names inside it are glyph paths.
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8")).render(
        about=about,
        models=models,
        names=names,
        evaluations=[[row for row in models if row.evaluation_id == evaluation] for evaluation in names],
        simulated=any(row.simulated for row in models),
        samples=any(row.decoding == "samples" for row in models),
        profile=profiles.HEADLINE,
        baselines=read.baselines(session, snapshot),
        groups=read.groups(session, snapshot),
        rates=Markup(plots.rates(models, names, _LEGEND)) if models else "",
        suites=Markup(plots.heat(by_suite, names)) if by_suite else "",
        domains=Markup(plots.heat(by_domain, names)) if by_domain else "",
        rules=Markup(plots.heat(by_rule, names)) if by_rule else "",
        stacks=stacks,
        incidents=session
        .execute(
            text("SELECT * FROM incidents WHERE snapshot = :snapshot ORDER BY id DESC LIMIT 20"), {"snapshot": snapshot}
        )
        .mappings()
        .all(),
    )


def write_report(session: Session, snapshot: str, path: Path) -> Path:
    """Write the report, whole or not at all; an older one at the path is replaced.

    Returns:
        The path.

    Raises:
        UserError: no such benchmark; or the file cannot be written there.
    """
    return store(html(session, snapshot), path)


def store(content: str, path: Path) -> Path:
    """Write a text, whole or not at all; returns the path.

    Raises:
        UserError: the file cannot be written there.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(content, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UserError(
            f"cannot write the report to {str(path)!r}: {error.strerror or error}",
            "name a file in a folder you may write to: --to FILE.html",
        ) from error
    return path
