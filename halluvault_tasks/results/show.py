"""The results as tables for a terminal."""

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.results import asked_apart, companions, examined, figures, leaderboard, page_words, read
from halluvault_tasks.results.leaderboard import LeaderboardRow
from halluvault_tasks.results.read import HallucinationRate, ModelRow, PartRow
from halluvault_tasks.untrusted import visible

_WIDE = 6
"""Up to this many models are shown side by side as columns."""


def tables(session: Session, snapshot: str, profile: str = profiles.HEADLINE) -> list[Table]:
    """Rates by model (replay and both readings of the papers, with baselines), what belongs beside them, by part.

    Then the main figures of each companion suite, with what is known of its judge.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a benchmark.
        profile: the profile of the tables by suite and domain.

    Raises:
        UserError: no such benchmark.
    """
    about = read.source(session, snapshot)
    rows = read.models(session, snapshot)
    title = f"HalluVault {about.snapshot}: facts as of {about.as_of}, {about.questions}"
    return [
        _by_model(rows, read.baselines(session, snapshot), title),
        _beside(rows),
        *_examined(session, rows),
        *_unread([row for row in rows if row.profile == profiles.HEADLINE and row.unparseable], read.names(rows)),
        *_asked_apart(session, snapshot, read.names(rows)),
        *(
            _by_part(found, read.names(rows), what, profile)
            for what, found in (
                ("suite", read.suites(session, snapshot, profile)),
                ("domain", read.domains(session, snapshot, profile)),
            )
            if found  # none where companion suites alone were asked
        ),
        *_companions(session, snapshot),
    ]


def board(session: Session, snapshot: str, models: Sequence[str] = ()) -> Table:
    """The leaderboard, or of it these models alone.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a benchmark.
        models: names in models.yaml; none: all.

    Raises:
        UserError: no such benchmark.
    """
    about = read.source(session, snapshot)
    rows = [row for row in leaderboard.of_month(session, snapshot) if not models or row.model in models]
    table = Table(
        title=escape(f"Leaderboard {about.snapshot}: facts as of {about.as_of}, {about.questions}"),
        caption=_board_caption(rows), title_justify="left", caption_justify="left",
    )  # fmt: skip
    table.add_column("place")
    table.add_column("model", overflow="fold")
    for heading in ("index", "answered", "accuracy", "hallucination rate"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        rate = HallucinationRate(row.hallucination_rate, row.rate_low, row.rate_high, None, row.no_rate_reason)
        table.add_row(
            row.place, escape(visible(row.model)), _index(row), percent(row.answered_share), percent(row.accuracy),
            interval(rate),
        )  # fmt: skip
    return table


def of_models(session: Session, snapshot: str, models: Sequence[str]) -> list[Table]:
    """Of the leaderboard these models alone, and what became of their unread responses.

    Raises:
        UserError: no such benchmark.
    """
    rows = [row for row in read.models(session, snapshot) if row.model in models]
    unread = [row for row in rows if row.profile == profiles.HEADLINE and row.unparseable]
    return [board(session, snapshot, models), *_unread(unread, read.names(rows))]


def _index(row: LeaderboardRow) -> str:
    if row.index is None:
        return "–"
    ends = "" if row.index_low is None else f" [{row.index_low:.2f}, {row.index_high:.2f}]"
    return f"{row.index:.2f}{ends}"


def _board_caption(rows: Sequence[LeaderboardRow]) -> str:
    told = [
        f"Index: right 1, wrong or unread −{figures.WRONG_COSTS:g}, don't know 0.",
        "A shared place (2–4): these can't be told apart.",
    ]
    if any(row.judge_precision is not None for row in rows):
        row = next(row for row in rows if row.judge_precision is not None)
        told.append(
            f"On labelled answers of real models {percent(row.judge_precision)} of what the judge convicts are "
            f"hallucinations, and it convicts {percent(row.judge_recall)} of them."
        )
    if simulated := sorted({row.model for row in rows if row.simulated}):
        told.append(f"Simulated servers (planted faults, not model output): {', '.join(simulated)}.")
    if any(row.hallucination_rate is None for row in rows):
        told.append(page_words.NO_RATE)
    return " ".join(told)


def compared(rows: Sequence[leaderboard.PairRow]) -> Table:
    """Every two models of a month, in words."""
    table = Table(title="Two models on the questions that both answered, headline", title_justify="left")
    table.add_column("finding", overflow="fold")
    for heading in ("difference", "p adjusted", "shared"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        ends = ", ".join(map(page_words.points, (row.difference_low, row.difference_high)))
        difference = f"{page_words.points(row.difference)} [{ends}]"
        table.add_row(
            escape(page_words.compared(row._asdict())), difference, page_words.p_value(row.p_adjusted), str(row.shared)
        )
    return table


def rule_table(session: Session, snapshot: str, profile: str = profiles.HEADLINE) -> Table:
    """Rates by rule kind or temporal operator."""
    names = read.names(read.models(session, snapshot))
    return _by_part(read.rules(session, snapshot, profile), names, "rule", profile)


def percent(value: float | None) -> str:
    """A share as per cent with one decimal; a dash for none."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(rate: HallucinationRate) -> str:
    """A rate with its interval: "12.3 % [10.1, 14.9]"; without one, why: "–: 100.0 % unread"."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return page_words.dash(rate.why_none)
    return f"{percent(rate.rate)} [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def proved(rate: HallucinationRate) -> str:
    """The rate of the proved part, with its interval and size: "11.9 % [9.4, 14.9] of 1234"; a dash for none."""
    part = rate.proved
    if part is None:
        return "–"
    return page_words.proved({**{f"proved_{name}": value for name, value in part._asdict().items()},
                              "no_rate_reason": rate.why_none})  # fmt: skip


def told(rate: HallucinationRate, beside: str = "") -> str:
    """A rate with its interval, what else belongs to it, and below it its proved part's; without one, why."""
    return interval(rate) + beside + ("" if rate.rate is None else f"\nproved {proved(rate)}")


def below(count: int | None, delivered: int) -> str:
    """A line below a rate: what the API refused to answer; empty if nothing."""
    told = page_words.refused(count, delivered)
    return f"\n{told}" if told else ""


def band(rate: HallucinationRate) -> str:
    """What unread responses leave open: "12.3–14.0 %"."""
    if rate.rate is None or rate.band_high is None:
        return "–"
    return f"{100 * rate.rate:.1f}–{100 * rate.band_high:.1f} %"


def _short(rate: HallucinationRate) -> str:
    """A rate with its interval in whole per cent: "12 [10–15]", below it the proved part; without one, why."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return page_words.dash(rate.why_none)
    return f"{_whole(rate.rate, rate.low, rate.high)}\n{_short_proved(rate)}"


def _short_proved(rate: HallucinationRate) -> str:
    part = rate.proved
    if part is None or part.rate is None or part.low is None or part.high is None:
        return "proved –"
    return f"proved {_whole(part.rate, part.low, part.high)}"


def _whole(rate: float, low: float, high: float) -> str:
    return f"{100 * rate:.0f} [{100 * low:.0f}–{100 * high:.0f}]"


def _by_model(rows: Sequence[ModelRow], baselines: Sequence[read.BaselineRow], title: str) -> Table:
    table = Table(title=escape(title), caption=_caption(rows), title_justify="left", caption_justify="left")
    table.add_column("model", overflow="fold")
    for heading in ("delivered", "answered", "accuracy", "said yes"):
        table.add_column(heading, justify="right")
    headings = [one.heading.replace(", ", ",\n") for one in profiles.SHOWN]
    for heading in (f"hallucination rate\n{headings[0]}", *headings[1:], "constant\n“both”"):
        table.add_column(heading, justify="right")
    names = read.names(rows)
    for evaluation, name in names.items():
        found = {row.profile: row for row in rows if row.evaluation_id == evaluation}
        first = next(iter(found.values()))
        refused = below(found.get(profiles.HEADLINE, first).api_refused, first.delivered)
        cells = [
            told(found[key].rate, refused if key == profiles.HEADLINE else "") if key in found else "–"
            for key in profiles.CURRENT
        ]
        part = first.rate.proved
        constant = found.get(profiles.CONSTANT.constant)
        table.add_row(
            escape(visible(name)),
            f"{first.delivered}/{first.planned}",
            percent(first.answered_share),
            percent(first.accuracy) + (f"\nproved {percent(part.accuracy)}" if part else ""),
            percent(first.yes_rate),
            *cells,
            percent(constant.rate.rate if constant else None),
        )
    table.add_section()
    for strategy in sorted({row.strategy for row in baselines}):
        found_baselines = {row.profile: row for row in baselines if row.strategy == strategy}
        first_baseline = next(iter(found_baselines.values()))
        table.add_row(
            f"({strategy})",
            "",
            percent(first_baseline.answered_share),
            percent(first_baseline.accuracy),
            percent(first_baseline.yes_rate),
            *(
                percent(found_baselines[key].hallucination_rate) if key in found_baselines else "–"
                for key in profiles.CURRENT
            ),
            percent(first_baseline.answered_share),
            style="dim",
        )
    return table


def _beside(rows: Sequence[ModelRow]) -> Table:
    """What semantics.md §4.4 requires beside a headline; accuracy, yes-rate and baselines are in the first table."""
    table = Table(
        title="Beside the rates",
        caption="Band: the rate, and the rate with every unread or reviewed answer. Unread: no verdict could be read. "
        "Macro: mean over domain × rule.",
        title_justify="left",
        caption_justify="left",
    )
    table.add_column("model", overflow="fold")
    table.add_column("profile")
    for heading in ("band", "unread", "rate among\nanswered", "macro-\naverage"):
        table.add_column(heading, justify="right")
    for answer in ("right", "wrong"):
        for reasoning in ("sound", "faulty"):
            table.add_column(f"{answer},\n{reasoning}", justify="right")
    names = read.names(rows)
    for row in rows:
        if row.profile in profiles.CURRENT or cross_examination.examiner_of(row.profile):
            counts = (row.right_sound, row.right_faulty, row.wrong_sound, row.wrong_faulty)
            table.add_row(
                escape(visible(names[row.evaluation_id])),
                escape(row.profile),
                band(row.rate),
                percent(row.unread_share),
                percent(row.rate_among_answered),
                percent(row.macro_rate),
                *map(str, counts),
            )
    return table


def _examined(session: Session, rows: Sequence[ModelRow]) -> list[Table]:
    """Rates of cross-examined profiles, each with what is known of its examiner; no table where there are none."""
    mine = [row for row in rows if cross_examination.examiner_of(row.profile)]
    if not mine:
        return []
    found = {profile: examined.trust(session, profile) for profile in sorted({row.profile for row in mine})}
    table = Table(
        title="Cross-examined: what convicts by its reasons does so only if the examiner finds that the text says it",
        caption="; ".join(one.words for one in found.values() if one), title_justify="left", caption_justify="left",
    )  # fmt: skip
    table.add_column("model", overflow="fold")
    table.add_column("profile")
    for heading in ("hallucination rate", "examiner's\nsensitivity", "examiner's\nspecificity"):
        table.add_column(heading, justify="right")
    names = read.names(rows)
    for row in mine:
        of = found[row.profile]
        shares = (of.sensitivity, of.specificity) if of and of.is_measured else (None, None)
        cells = (percent(one.value if one else None) for one in shares)
        table.add_row(escape(visible(names[row.evaluation_id])), escape(row.profile), told(row.rate), *cells)
    return [table]


def _unread(rows: Sequence[ModelRow], names: dict[str, str]) -> list[Table]:
    """What became of responses in which no verdict could be read; no table where there are none."""
    if not rows:
        return []
    table = Table(
        title=f"Unread responses, {profiles.HEADLINE}", title_justify="left", caption_justify="left",
        caption="Shares of those delivered. They count as no hallucination; the band says how far the rate could go.",
    )  # fmt: skip
    table.add_column("model", overflow="fold")
    parts = {row.evaluation_id: page_words.unread_parts(row._asdict()) for row in rows}
    for heading in ("unread", *(what for _, what in parts[rows[0].evaluation_id])):
        table.add_column(heading, justify="right")
    for row in rows:
        counts = (row.unparseable, *(count for count, _ in parts[row.evaluation_id]))
        table.add_row(escape(visible(names[row.evaluation_id])), *(percent(one / row.delivered) for one in counts))
    return [table]


def _asked_apart(session: Session, snapshot: str, names: dict[str, str]) -> list[Table]:
    """Verdict turns compared with the texts before them, if there are any."""
    turns = asked_apart.verdict_turns(session, snapshot)
    if not turns:
        return []
    table = Table(title="Verdicts asked for in a turn of their own", title_justify="left")
    for heading in ("model", "verdict turns", "the text opposes the verdict", "share"):
        table.add_column(heading, justify="left" if heading == "model" else "right")
    for turn in turns:
        name = escape(names.get(turn.evaluation_id, turn.model))
        table.add_row(name, str(turn.turns), str(turn.opposed), percent(turn.share))
    return [table]


def _companions(session: Session, snapshot: str) -> list[Table]:
    """Main figures of the companion suites, where a month has any."""
    tables = []
    for one in companions.of(session, snapshot):
        headings, rows = one.main()
        if not rows:
            continue
        title = f"Suite {one.suite}, {one.profile}: {one.trust}"
        table = Table(title=escape(title), title_justify="left")
        table.add_column("model", overflow="fold")
        table.add_column("asked", overflow="fold")
        for heading in headings:
            table.add_column(escape(visible(heading)), justify="right", overflow="fold")
        for row in rows:
            table.add_row(escape(visible(row.model)), escape(visible(row.way)), *map(companions.figure, row.cells))
        tables.append(table)
    return tables


def _caption(rows: Sequence[ModelRow]) -> str:
    parts = [
        "Rates of delivered responses, 95 % intervals clustered by fact; a model's own refusals count as normal.",
        "Proved: the same on the questions alone whose every No is proved, not taken from a list or measured.",
    ]
    if simulated := sorted({row.model for row in rows if row.simulated}):
        parts.append(f"Simulated servers (planted faults, not model output): {', '.join(simulated)}.")
    if any(row.decoding == "samples" for row in rows):
        parts.append("(samples): answers drawn at random, not the likeliest ones.")
    if any(row.rate.rate is None for row in rows):
        parts.append(page_words.NO_RATE)
    return " ".join(parts)


def _by_part(rows: Sequence[PartRow], names: dict[str, str], what: str, profile: str) -> Table:
    table = Table(title=f"Hallucination rate by {what} in %, {profile}", title_justify="left")
    table.add_column(what)
    table.caption, table.caption_justify = "Below each rate that of its proved part.", "left"
    # Where a month has a suite beside the headline alone, only that suite's rows name the model.
    shown = {row.evaluation_id: names.get(row.evaluation_id, row.model) for row in rows}
    if len(shown) <= _WIDE:
        for name in shown.values():
            table.add_column(escape(visible(name)), justify="right", overflow="fold")
        for key in sorted({row.key for row in rows}):
            cells = {row.evaluation_id: _short(row.rate) for row in rows if row.key == key}
            table.add_row(escape(visible(key)), *(cells.get(evaluation, "–") for evaluation in shown))
        return table
    table.add_column("model", overflow="fold")
    table.add_column("delivered", justify="right")
    table.add_column("hallucination rate", justify="right")
    for row in rows:
        table.add_row(
            escape(visible(row.key)), escape(visible(shown[row.evaluation_id])), str(row.delivered), _short(row.rate)
        )
    return table
