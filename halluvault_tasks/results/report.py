"""The month's report: one self-contained HTML file that shows all foreign text as text."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks import private, untrusted
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import caveats, companions, page_words, read, show
from halluvault_tasks.results.companions import Companion
from halluvault_tasks.results.items import stored

FORMATS = ("html", "md")

_LEGEND = (
    *((one.name, one.heading) for one in profiles.SHOWN),
    (profiles.CONSTANT.constant, "constant “both”"),
)


def html(session: Session, snapshot: str) -> str:
    """The report as HTML text: the same bytes for the same results.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a benchmark.

    Raises:
        UserError: no such benchmark.
    """
    from halluvault_tasks.results import plots  # late: matplotlib takes a second to import

    models = read.models(session, snapshot)
    names = read.names(models)
    beside = companions.of(session, snapshot)
    by_suite = read.suites(session, snapshot, profiles.HEADLINE)
    by_domain = read.domains(session, snapshot, profiles.HEADLINE)
    by_rule = read.rules(session, snapshot, profiles.HEADLINE)
    by_difficulty = read.difficulties(session, snapshot, profiles.HEADLINE)
    stacks = [
        (profile, Markup(plots.categories([row for row in models if row.profile == profile], names)))
        for profile in profiles.CURRENT
        if any(row.profile == profile for row in models)
    ]
    # Only our own SVG is marked safe; names inside it are glyph paths.
    return (
        _environment(escaped=True)
        .from_string(_template("html"))
        .render(
            **_shared(session, snapshot, models, beside),
            pictures=_pictures(beside),
            evaluations=[[row for row in models if row.evaluation_id == evaluation] for evaluation in names],
            samples=any(row.decoding == "samples" for row in models),
            baselines=read.baselines(session, snapshot),
            groups=read.groups(session, snapshot),
            rates=Markup(plots.rates(models, names, _LEGEND)) if models else "",
            suites=Markup(plots.heat(by_suite, names)) if by_suite else "",
            domains=Markup(plots.heat(by_domain, names)) if by_domain else "",
            rules=Markup(plots.heat(by_rule, names)) if by_rule else "",
            difficulties=Markup(plots.heat(by_difficulty, names)) if by_difficulty else "",
            stacks=stacks,
            strata=stored.curve(session, snapshot),
            incidents=session
            .execute(
                text("SELECT * FROM results_v1.incidents WHERE snapshot = :snapshot ORDER BY id DESC LIMIT 20"),
                {"snapshot": snapshot},
            )
            .mappings()
            .all(),
        )
    )


def markdown(session: Session, snapshot: str) -> str:
    """The report in short, as Markdown for a pull request; foreign text shows as text there, too.

    Raises:
        UserError: no such benchmark.
    """
    models = read.models(session, snapshot)
    return (
        _environment(escaped=False)
        .from_string(_template("md"))
        .render(**_shared(session, snapshot, models, companions.of(session, snapshot)))
    )


def _pictures(beside: Sequence[Companion]) -> dict[str, Markup]:
    """Profile → right against stated confidence, of a suite that asks for one."""
    from halluvault_tasks.results import plots

    found = {}
    for one in beside:
        bins = [
            plots.ConfidenceBin(line.model, stated["value"], right["value"], right["low"], right["high"])
            for line in one.lines
            if line.scope == "confidence"
            for right, stated in [(line.figures.get("open_answers_right"), line.figures.get("open_stated"))]
            if right is not None and stated is not None and right["value"] is not None
        ]
        if bins:
            found[one.profile] = Markup(plots.confidence(bins))
    return found


def _shared(
    session: Session, snapshot: str, models: Sequence[read.ModelRow], beside: Sequence[Companion]
) -> dict[str, Any]:
    return {
        "about": read.source(session, snapshot),
        "models": models,
        "names": read.names(models),
        "simulated": sorted({row.model for row in models if row.simulated}),
        "profile": profiles.HEADLINE,
        "no_rate": page_words.NO_RATE if any(row.rate.rate is None for row in models) else "",
        "caveats": caveats.of(session, snapshot),
        "companions": [(one, *one.main()) for one in beside],
    }


def _template(kind: str) -> str:
    return Path(__file__).with_name(f"report.{kind}").read_text(encoding="utf-8")


def _environment(*, escaped: bool) -> Environment:
    environment = Environment(
        autoescape=escaped,
        undefined=StrictUndefined,
        finalize=untrusted.shown,
        trim_blocks=not escaped,
        lstrip_blocks=not escaped,
    )
    environment.filters |= {
        "percent": show.percent, "share": companions.figure, "interval": show.interval, "proved": show.proved,
        "points": page_words.points, "p_value": page_words.p_value, "expected": page_words.expected,
        "said": page_words.said, "md": page_words.markdown, "refused": page_words.refused, "unread": page_words.unread,
    }  # fmt: skip
    return environment


def write_report(session: Session, snapshot: str, path: Path, kind: str = "html") -> Path:
    """Write the report, completely or not at all; an older one at the path is replaced.

    Returns:
        The path.

    Raises:
        UserError: no such benchmark; or the file cannot be written there.
    """
    if kind not in FORMATS:
        raise UserError(f"format {kind!r} is unknown; the formats are {', '.join(FORMATS)}", "--format md")
    return store((html if kind == "html" else markdown)(session, snapshot), path)


def store(content: str, path: Path) -> Path:
    """Write a text, completely or not at all; returns the path.

    Raises:
        UserError: the file cannot be written there.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        private.folder(path.parent)
        private.write_text(draft, content)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UserError(
            f"cannot write the report to {str(path)!r}: {error.strerror or error}",
            "name a file in a folder you may write to: --to FILE.html",
        ) from error
    return path
