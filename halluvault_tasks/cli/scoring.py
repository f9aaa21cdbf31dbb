"""`halluvault score`: judge stored responses, and explain a verdict."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy import Row, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.oracles import profiles, stages
from halluvault_tasks.oracles.cross_examination import stages as cross_examination
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.extraction import choose
from halluvault_tasks.oracles.isolation import NOT_JUDGED
from halluvault_tasks.oracles.measure.rates import share
from halluvault_tasks.oracles.unjudged import JudgingLane
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, model, response, verdict
from halluvault_tasks.untrusted import visible

score = typer.Typer(no_args_is_help=True, help="Judge stored responses; `examine` alone asks a model.")

NamesOption = Annotated[
    list[str] | None, typer.Option("--model", help="Registry name; may be given several times. Default: all.")
]


ExtractorOption = Annotated[
    str,
    typer.Option(
        "--extractor",
        help=f"Another tool that extracts triples for the published method: {choose.CHOICES}. "
        "Default: HALLUVAULT_EXTRACTOR, else anchored alone.",
    ),
]


def evaluations(session: Session, snapshot: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """(evaluation id, model name) of a benchmark's evaluations.

    Raises:
        UserError: a name without an evaluation; says which there are.
    """
    rows = session.execute(
        select(evaluation.c.id, model.c.name)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.snapshot == snapshot)
        .order_by(model.c.name, evaluation.c.id)
    ).all()
    known = sorted({row.name for row in rows})
    unknown = sorted(set(names) - set(known))
    if unknown or not rows:
        what = f"no responses of {', '.join(map(repr, unknown))}" if unknown else "no model has been asked"
        raise UserError(
            f"{what} for {snapshot}; asked were: {', '.join(known) or 'none'}", "`halluvault query run` asks a model"
        )
    return [(row.id, row.name) for row in rows if not names or row.name in names]


@score.command()
def run(
    model_names: NamesOption = None,
    snapshot: SnapshotOption = "",
    extractor: ExtractorOption = "",
) -> None:
    """Judge every response that has no verdict of this version yet. Scoring twice changes nothing.

    With `--extractor` stored responses also get the published method's verdicts with that extractor, under a profile
    of their own (`paper/corenlp`); existing verdicts stay.

    Example: halluvault score run --snapshot 2026-10 --extractor stanza
    """
    reads = choose.configured(extractor)
    with open_session() as session:
        key = month_of(session, snapshot)
        chosen = evaluations(session, key, model_names or ())
        embed = SentenceBert(settings().embedding_model)  # loaded once for all, and only if needed
        table = Table(
            "model", "evaluation", "delivered", "judged now", "verdicts written", "phrases embedded", "groups",
            "unread", "verdict turns", "text opposes", "held back",
        )  # fmt: skip
        for evaluation_id, name in chosen:
            log.print(f"judging {escape(name)} …", style="dim")
            with heartbeat(f"judging {name}"):
                counts = stages.score(session, evaluation_id, embed=embed, extractor=reads)
            _tell_unread(name, counts.unread)
            _tell_held_back(name, counts.held_back)
            _tell_opposed(name, counts)
            table.add_row(escape(name), evaluation_id, *map(str, counts))
    out.print(table)


def _tell_opposed(name: str, counts: stages.ScoreCounts) -> None:
    if found := share(counts.opposed, counts.verdict_turns):
        out.print(
            f"{escape(name)}: the text opposes the verdict in {counts.opposed} of {counts.verdict_turns} responses, "
            f"{100 * found.value:.1f} % [{100 * found.low:.1f}–{100 * found.high:.1f}]"
        )


def _tell_unread(name: str, unread: int) -> None:
    if unread:
        log.print(
            f"{escape(name)}: {unread} responses could not be read by the extractor; each is an incident and has no "
            "verdict of its profiles",
            style="yellow",
        )


def _tell_held_back(name: str, held_back: int) -> None:
    if held_back:
        log.print(
            f"{escape(name)}: judging fails on {held_back} responses; each is an incident, and review unless it was "
            "judged before",
            style="yellow",
        )


@score.command()
def rescore(
    model_names: NamesOption = None,
    snapshot: SnapshotOption = "",
    profile: Annotated[
        list[str] | None,
        typer.Option("--profile", help="Profile to judge again; may be given several times. Default: all."),
    ] = None,
    extractor: ExtractorOption = "",
    only: Annotated[
        str,
        typer.Option(
            "--only",
            help="Judge only responses with this sub-label (such as no_reasoning), and those without a verdict of the "
            "profile's current version.",
        ),
    ] = "",
    check: Annotated[
        bool, typer.Option("--check", help="Only compare with what is stored; exit status 1 if anything differs.")
    ] = False,
) -> None:
    """Judge stored responses again and replace the verdicts of the current version; no model is asked.

    Use it when phrases, lexicon or an oracle have changed, or when a tool behind an extractor failed unnoticed. The
    same inputs give the same bytes, so on an unchanged installation --check finds no difference. Verdicts of older
    versions stay beside the new ones; so do stored verdicts of a response that the extractor cannot read.

    Example: halluvault score rescore --profile paper/corenlp --extractor corenlp --only no_reasoning
    """
    wanted = list(profile or ())
    reads = choose.configured(extractor) if extractor or not wanted or set(wanted) - set(profiles.CURRENT) else None
    known = profiles.wanted(reads.name if reads else "")
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise UserError(
            f"unknown profile {unknown[0]!r}; choose one of {', '.join(known)}",
            "profiles of another extractor need it: --profile paper/corenlp --extractor corenlp",
        )
    with open_session() as session:
        key = month_of(session, snapshot)
        embed = SentenceBert(settings().embedding_model)
        table = Table(
            "model", "evaluation", "verdicts judged", "missing before", "different", "stored", "unread", "held back"
        )
        different = 0
        for evaluation_id, name in evaluations(session, key, model_names or ()):
            log.print(f"judging {escape(name)} again …", style="dim")
            with heartbeat(f"judging {name} again"):
                counts = stages.rescore(
                    session, evaluation_id, wanted, embed=embed, extractor=reads, only=only, store=not check
                )
            _tell_unread(name, counts.unread)
            _tell_held_back(name, counts.held_back)
            different += counts.different + counts.missing
            table.add_row(escape(name), evaluation_id, *map(str, counts))
    out.print(table)
    if check and different:
        raise typer.Exit(1)


@score.command()
def examine(model_names: NamesOption = None, snapshot: SnapshotOption = "") -> None:
    """Ask the examiner of models.yaml whether texts say what convicts them, and judge by what it upholds.

    Only what is missing is asked, both ways round, and stored beside the verdict; verdicts of `replay/syntax` stay as
    they are. Those of `replay/syntax+NAME` convict by a claim or conclusion only where the examiner answers yes and no.
    It examines no answers of its own family. Where it cannot be reached, responses are pending; run this again.

    Example: halluvault score examine --snapshot 2026-10
    """
    registered = registry()
    with open_session() as session:
        key = month_of(session, snapshot)
        shared = stages.Shared(SentenceBert(settings().embedding_model))
        table = Table(
            "model", "evaluation", "convicted by reasons", "claims", "asked now", "not upheld", "verdicts", "pending"
        )
        strangers: list[UserError] = []
        pending = ""
        for evaluation_id, name in evaluations(session, key, model_names or ()):
            log.print(f"examining {escape(name)} …", style="dim")
            try:
                with heartbeat(f"examining {name}"):
                    counts = cross_examination.examine(
                        session, evaluation_id, registry=registered, shared=shared, silent=pending
                    )
            except cross_examination.NotExamined as error:
                strangers.append(error)
                continue
            pending = counts.why or pending
            table.add_row(escape(name), evaluation_id, *map(str, counts[:-1]))
    out.print(table)
    for one in strangers:
        log.print(one.message, style="yellow", markup=False, soft_wrap=True)
    if pending:
        raise Unavailable(f"the examiner did not answer everything: {pending}", "run this again once it answers")


@score.command()
def explain(
    response_key: Annotated[
        str, typer.Argument(metavar="[RESPONSE]", help="EVALUATION:CASE or EVALUATION:CASE:SAMPLE, as ids.")
    ] = "",
    model_name: Annotated[str, typer.Option("--model", help="In place of RESPONSE, with --case: whose answer.")] = "",
    case_id: Annotated[
        str, typer.Option("--case", help="Of which question: its id, as on the page, or a part of its words.")
    ] = "",
    snapshot: SnapshotOption = "",
) -> None:
    """Print how one response was judged, step by step.

    For `replay/syntax`: each claim with its span, role, status and the statement that decides it, each step, what
    the claims entail, and the row of the decision table (docs/oracles.md). For the papers' method: triples and matches.

    Examples: halluvault score explain --model my-model --case "born in Chicago";
    halluvault score explain 3f0c…:91ab…
    """
    by_name = bool(model_name or case_id)
    if by_name == bool(response_key) or bool(model_name) != bool(case_id):
        raise UserError(
            "one response is to be named, in one way",
            "give --model NAME and --case ID together, or EVALUATION:CASE alone",
        )
    row, verdicts, reasons = _found(response_key or _key_of(model_name, case_id, snapshot))
    out.print(f"[bold]{escape(row.question)}[/]  gold: {row.gold}  ({escape(row.name)}, {row.snapshot})")
    for premise in row.premises:
        out.print(f"  proof: {premise['sentence']}", markup=False)
    if row.status != "delivered":
        out.print(f"not delivered: {row.error}", markup=False)
        return
    said = [turn["content"] for turn in row.transcript or () if turn["role"] == "assistant"]
    if len(said) > 1:
        out.print("\n[bold]Before[/]")
        out.print(said[-2], markup=False)
    out.print("\n[bold]Response[/]")
    out.print(_marked(row.text or "", verdicts[0].detail.get("span", [0, 0]) if verdicts else [0, 0]))
    if not verdicts:
        out.print("not judged yet: `halluvault score run`", markup=False)
        return
    replayed = [each for each in verdicts if each.profile == profiles.HEADLINE and each.sub_label != NOT_JUDGED]
    if replayed:
        _print_replay(max(replayed, key=lambda each: int(each.profile_version)))
    for each in verdicts:
        _print_linked(each.detail)
        _print_examined(each)
    _print_detail(next((each.detail for each in verdicts if "triples" in each.detail), {}))
    out.print(_verdict_table(verdicts))
    for why in reasons:
        out.print(f"Held back: {why}", markup=False)


def _verdict_table(verdicts: Sequence[Row[Any]]) -> Table:
    table = Table("profile", "version", "answer", "right", "edges", "nodes", "verdict", "label", title="Verdicts")
    for each in verdicts:
        table.add_row(
            each.profile,
            each.profile_version,
            f"{each.answer} ({each.detail.get('marker') or each.detail.get('via', '–')})",
            {True: "yes", False: "no", None: "–"}[each.correct],
            _figure(each.edge_similarity),
            _figure(each.node_similarity),
            each.category,
            each.sub_label or "",
        )
    return table


_ASKED = text("""
SELECT r.evaluation_id, r.case_id, c.question
FROM results_v1.responses r JOIN cases c ON c.id = r.case_id
WHERE r.snapshot = :snapshot AND r.model = :model AND r.sample = 1
    AND (r.case_id = :wanted OR strpos(lower(c.question), lower(:wanted)) > 0)
ORDER BY r.case_id <> :wanted, r.is_current DESC, c.question, r.received_at DESC LIMIT 6
""")


def _key_of(model_name: str, wanted: str, snapshot: str) -> str:
    """EVALUATION:CASE of a model's answer to the question that is meant.

    Raises:
        UserError: it was asked no such question, or several.
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        rows = session.execute(_ASKED, {"snapshot": key, "model": model_name, "wanted": wanted}).all()
    if not rows:
        raise UserError(
            f"{model_name!r} answered no question {wanted!r} in {key}",
            "`halluvault evaluate --model NAME` asks it; ids are on page Cases",
        )
    exact = [row for row in rows if row.case_id == wanted]
    questions = {row.question: row.case_id for row in exact or rows}
    if len(questions) > 1:
        told = "; ".join(f"{case}: {visible(question)}" for question, case in list(questions.items())[:5])
        raise UserError(f"several questions hold {wanted!r}: {told}", "give the id of one: --case ID")
    return f"{rows[0].evaluation_id}:{rows[0].case_id}"


def _found(response_key: str) -> tuple[Row[Any], Sequence[Row[Any]], Sequence[str]]:
    """A response with its case, its verdicts, and why judging it failed, by what was typed."""
    parts = response_key.split(":")
    if not 2 <= len(parts) <= 3 or not all(parts) or (len(parts) == 3 and not parts[2].isdigit()):
        raise UserError(
            f"{response_key!r} names no response; it must be EVALUATION:CASE or EVALUATION:CASE:SAMPLE",
            "take the ids from `halluvault score run` and `halluvault benchmark show`",
        )
    wanted = {"evaluation_id": parts[0], "case_id": parts[1], "sample": int(parts[2]) if len(parts) == 3 else 1}
    with open_session() as session:
        row = session.execute(
            select(
                response, cases.c.question, cases.c.gold, model.c.name, evaluation.c.snapshot, benchmark_case.c.premises
            )
            .join(cases, cases.c.id == response.c.case_id)
            .join(evaluation, evaluation.c.id == response.c.evaluation_id)
            .join(model, model.c.id == evaluation.c.model_id)
            .join(
                benchmark_case,
                (benchmark_case.c.case_id == response.c.case_id) & (benchmark_case.c.snapshot == evaluation.c.snapshot),
            )
            .where(*(response.c[name] == value for name, value in wanted.items()))
        ).one_or_none()
        if row is None:
            raise UserError(f"there is no response {response_key!r}", "`halluvault query run` asks what is missing")
        verdicts = session.execute(
            select(verdict)
            .where(*(verdict.c[name] == value for name, value in wanted.items()))
            .order_by(verdict.c.profile, verdict.c.profile_version)
        ).all()
        held_back = any(each.sub_label == NOT_JUDGED for each in verdicts)
        told = JudgingLane(session, row.snapshot, row.evaluation_id).told(NOT_JUDGED, row) if held_back else ()
    return row, verdicts, told


def _marked(text: str, span: Sequence[int]) -> str:
    """The response with the deciding span in reverse; everything else as plain text."""
    start, end = span
    return f"{escape(text[:start])}[reverse]{escape(text[start:end])}[/]{escape(text[end:])}" if end else escape(text)


def _readings(claim: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Relation and ends of what a claim may mean; of what is no property an older version kept a number alone."""
    for p, s, o in claim["readings"]:
        if p:
            yield p if isinstance(p, str) else f"P{p}", s, o


def _print_replay(verdict_row: Any) -> None:
    """Claims, steps, replays and row of one verdict of the profile `replay/syntax`."""
    detail = verdict_row.detail
    table = Table("characters", "claim", "role", "status", "statement", "because", title="Claims", show_lines=True)
    for claim in detail["claims"]:
        denied, guards = "NOT " if claim["denied"] else "", claim.get("guards", [])
        around = f" ({', '.join(guards).replace('_', ' ')})" if guards else ""
        readings = " or ".join(f"{p}(Q{s}, Q{o})" if o else f"{p}(Q{s})" for p, s, o in _readings(claim))
        table.add_row(
            "–".join(map(str, claim["span"])),
            escape(f"{denied}{claim['subject']} … {claim['object']}{around}\n{readings or 'words not understood'}"),
            claim["role"],
            claim["status"],
            str(claim["statement"] or "–"),
            escape(claim["why"]),
        )
    out.print(table)
    if detail["steps"]:
        table = Table("characters", "step", "says", "status", title="Steps")
        for step in detail["steps"]:
            table.add_row(
                "–".join(map(str, step["span"])), escape(step["text"]), step["says"].replace("_", " "), step["status"]
            )
        out.print(table)
    replays, raised = detail["replays"], [name.replace("_", " ") for name, on in detail["flags"].items() if on]
    turned = " (answers flipped: the wording denies the base proposition)" if detail["opposed"] else ""
    out.print(f"Base proposition: answered {detail['answer']}, gold {detail['gold']}{turned}", markup=False)
    out.print(
        f"Its claims with the snapshot entail: {replays['own']}; the proof filled in with them: {replays['fill']}; "
        f"its claims alone: {replays['said']}",
        markup=False,
    )
    out.print(f"Seen: {', '.join(raised) or 'nothing wrong'}", markup=False)
    label = f" · {verdict_row.sub_label.replace('_', ' ')}" if verdict_row.sub_label else ""
    out.print(f"Row {detail['row']} → {verdict_row.category.replace('_', ' ')}{label}\n", markup=False)


def _print_examined(verdict_row: Any) -> None:
    """What a cross-examiner was asked about the text, and what it answered."""
    if not (asked := verdict_row.detail.get("examined")):
        return
    table = Table("asked", "answered", "asked", "answered", "upheld", title=f"Asked for {verdict_row.profile}")
    for one in asked:
        cells = (one[name] for name in ("says", "says_reply", "otherwise", "otherwise_reply"))
        table.add_row(*map(escape, cells), "yes" if one["upheld"] else "no")
    out.print(table)


def _print_linked(detail: Mapping[str, Any]) -> None:
    """What an answer to an open question was read as, by which rule, and what its explanation says that is false."""
    if "via" not in detail:
        return
    read = detail["read"]
    shown = ", ".join(f"Q{qid}" for qid in read) if isinstance(read, list) else read
    sure = "" if detail["confidence"] is None else f"; sure to {detail['confidence']:g} of 100"
    out.print(f"Said: {detail['said']}\nRead as {shown or 'nothing'}: {detail['via']}{sure}", markup=False)
    if reasoning := detail.get("reasoning"):
        statuses = ", ".join(f"{count} {status}" for status, count in reasoning["statuses"].items())
        out.print(f"Claims of the explanation: {statuses or 'none'}", markup=False)
        for text in reasoning["contradicted"]:
            out.print(f"  contradicted: {text}", markup=False)


def _print_detail(detail: dict[str, Any]) -> None:
    if "triples" not in detail:
        return
    for title, key in (("Triples found in it", "triples"), ("Triples of the proof", "gold")):
        table = Table("subject", "relation", "object", title=f"{title} ({detail['extractor']})")
        for triple in detail[key]:
            table.add_row(*map(escape, triple))
        out.print(table)
    table = Table("taken for", "of the proof", "cosine", title=f"Matches (cosine ≥ {detail['synonymous']})")
    for match in (*detail["edge_matches"], *detail["node_matches"]):
        table.add_row(escape(match[0]), escape(match[1]), f"{match[2]:.4f}")
    out.print(table)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(score, name="score")
