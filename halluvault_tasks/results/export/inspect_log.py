"""Evaluations as logs of inspect_ai (format version 2): `inspect view --log-dir FOLDER` shows every answer and verdict.

Written by hand, since inspect_ai is not among our packages: field names are those of `inspect_ai.log.EvalLog`. Every
oracle profile is a scorer whose value is 1 for a hallucination and 0 for none.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.folder import Folder
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import verdict_words

_EVALUATIONS = text("""
SELECT v.evaluation_id, v.model, v.model_id, v.model_sha, v.server_version, v.variant, v.data_through, v.source,
    e.created_at, e.sampling, e.samples,
    (SELECT count(DISTINCT case_id) FROM response r WHERE r.evaluation_id = e.id) AS cases
FROM results_v1._evaluation v JOIN evaluation e ON e.id = v.evaluation_id
WHERE v.snapshot = :snapshot ORDER BY v.evaluation_id
""")
_RATES = text("""
SELECT profile, profile_version, hallucination_rate, rate_low, rate_high, no_rate_reason, accuracy, answered_share,
    proved_rate, proved_low, proved_high, proved_accuracy, proved_delivered, delivered, planned
FROM results_v1._figures WHERE evaluation_id = :evaluation AND scope = 'model' AND is_newest
""")
_SAMPLES = text("""
SELECT r.case_id, r.sample, r.status, r.text, r.transcript, r.error, r.finish_reason, r.prompt_tokens,
    r.generated_tokens, r.total_ms, c.question, c.gold, c.group_id, c.mutation, c.suite, b.domain,
    b.rule_kind, b.licence, b.premises,
    (SELECT jsonb_object_agg(v.profile, jsonb_build_object(
        'version', v.profile_version, 'answer', v.answer, 'category', v.category, 'sub_label', v.sub_label,
        'correct', v.correct, 'detail', CASE WHEN v.profile = :headline THEN v.detail END))
     FROM results_v1.verdicts v JOIN results_v1._set s USING (evaluation_id, profile, profile_version)
     WHERE v.evaluation_id = r.evaluation_id AND v.case_id = r.case_id AND v.sample = r.sample AND s.is_newest)
    AS verdicts
FROM response r
JOIN cases c ON c.id = r.case_id
JOIN benchmark_case b ON b.case_id = r.case_id AND b.snapshot = :snapshot
WHERE r.evaluation_id = :evaluation
ORDER BY r.case_id, r.sample
""")

_HALLUCINATIONS = ("error_knowledge", "error_inference", "both", "unattributed")
_STOPS = {"length": "max_tokens", "eos_token": "stop", "stop_sequence": "stop", "stop": "stop",
          "content_filter": "content_filter", "refusal": "content_filter"}  # fmt: skip


def logs(session: Session, snapshot: str, folder: Folder) -> dict[str, int]:
    """One log per evaluation of a month; returns samples by file."""
    counts = {}
    for row in session.execute(_EVALUATIONS, {"snapshot": snapshot}).mappings().all():
        # `inspect view` lists only files whose names begin with a time.
        when = row["created_at"].strftime("%Y-%m-%dT%H-%M-%S+00-00")
        name = f"{when}_{re.sub(r'[^A-Za-z0-9]+', '-', row['model']).strip('-')}_{row['evaluation_id']}.json"
        log = _log(session, snapshot, row)
        folder.text(name, json.dumps(log, ensure_ascii=False) + "\n")
        counts[name] = len(log["samples"])
    return counts


def _log(session: Session, snapshot: str, row: Any) -> dict[str, Any]:
    taken = list(samples(session, snapshot, row["evaluation_id"], row["model"]))
    rates = session.execute(_RATES, {"evaluation": row["evaluation_id"]}).mappings().all()
    rates = sorted(rates, key=lambda rate: _place(rate["profile"]))
    created = row["created_at"].isoformat()
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": row["evaluation_id"],
            "run_id": row["evaluation_id"],
            "task_id": row["evaluation_id"],
            "created": created,
            "task": f"halluvault-{snapshot}",
            "dataset": {"name": f"HalluVault {snapshot}", "location": row["source"], "samples": row["cases"]},
            "model": row["model"],
            "model_args": {"model_id": row["model_id"], "model_sha": row["model_sha"],
                           "server_version": row["server_version"]},
            "config": {"epochs": row["samples"]},
            "metadata": {"data_through": row["data_through"].isoformat(), "variant": row["variant"]},
        },
        "plan": {"name": "plan", "steps": [], "config": _config(row["sampling"])},
        "results": {
            "total_samples": len(taken),
            "completed_samples": sum("error" not in sample for sample in taken),
            "scores": [_score(rate) for rate in rates],
        },
        "stats": {"started_at": created, "completed_at": created},
        "samples": taken,
    }  # fmt: skip


def _place(profile: str) -> tuple[bool, bool, str]:
    """The headline's profile first, baselines last: `inspect view` shows the first one's figure for the log's."""
    return profile != profiles.HEADLINE, profile == profiles.CONSTANT.constant, profile


def _config(sampling: dict[str, Any]) -> dict[str, Any]:
    """Of the sampling parameters, those that inspect knows under the same name."""
    return {
        name: sampling[name] for name in ("temperature", "top_p", "top_k", "seed", "max_tokens") if name in sampling
    }


def _score(rate: Any) -> dict[str, Any]:
    told = (
        "hallucination_rate", "rate_low", "rate_high", "proved_rate", "proved_low", "proved_high", "proved_delivered",
        "accuracy", "proved_accuracy", "answered_share",
    )  # fmt: skip
    return {
        "name": rate["profile"],
        "scorer": rate["profile"],
        "scored_samples": rate["delivered"],
        "unscored_samples": rate["planned"] - rate["delivered"],
        "params": {"version": rate["profile_version"]},
        "metadata": {"no_rate_reason": rate["no_rate_reason"]} if rate["no_rate_reason"] else None,
        "metrics": {name: {"name": name, "value": rate[name]} for name in told if rate[name] is not None},
    }


def _turn(turn: dict[str, Any], model: str) -> dict[str, Any]:
    """A turn of an exchange, as inspect has it."""
    said = {"role": turn["role"], "content": turn["content"]}
    return said | {"source": "generate", "model": model} if turn["role"] == "assistant" else said


def _explanation(verdict: dict[str, Any], premises: list[dict[str, Any]]) -> str:
    """What was claimed, what is so, and where Wikidata says it; of another judge than ours its category."""
    if verdict["detail"] is None:
        return ": ".join(filter(None, (verdict["category"], verdict["sub_label"])))
    words = verdict_words.told(verdict, premises, {})
    return "\n".join([words.summary, *map(str, words.findings)])


def samples(session: Session, snapshot: str, evaluation: str, model: str) -> Iterator[dict[str, Any]]:
    """Every answer of an evaluation with its verdicts, as samples of a log."""
    rows = session.execute(
        _SAMPLES,
        {"snapshot": snapshot, "evaluation": evaluation, "headline": profiles.HEADLINE},
        execution_options={"yield_per": 500},
    )
    for row in rows.mappings():
        answered = {"role": "assistant", "content": row["text"] or "", "source": "generate", "model": model}
        # A plain prompt is not told in full, as ever: what varies between samples is the question.
        before = [_turn(turn, model) for turn in (row["transcript"] or [])[:-1]]
        before = before or [{"role": "user", "content": row["question"]}]
        tokens = {"input_tokens": row["prompt_tokens"] or 0, "output_tokens": row["generated_tokens"] or 0}
        usage = tokens | {"total_tokens": sum(tokens.values())}
        sample: dict[str, Any] = {
            "id": row["case_id"],
            "epoch": row["sample"],
            "input": row["question"],
            "target": row["gold"],
            "messages": [*before, answered],
            "output": {
                "model": model,
                "choices": [{"message": answered, "stop_reason": _STOPS.get(row["finish_reason"] or "", "unknown")}],
                "usage": usage,
                "time": None if row["total_ms"] is None else row["total_ms"] / 1000,
            },
            "scores": {
                profile: {
                    "value": int(verdict["category"] in _HALLUCINATIONS),
                    "answer": verdict["answer"],
                    "explanation": _explanation(verdict, row["premises"]),
                    "metadata": {"version": verdict["version"], "category": verdict["category"]},
                }
                for profile, verdict in sorted((row["verdicts"] or {}).items(), key=lambda one: _place(one[0]))
            },
            "model_usage": {model: usage},
            "total_time": None if row["total_ms"] is None else row["total_ms"] / 1000,
            "metadata": {
                name: row[name] for name in ("suite", "domain", "rule_kind", "licence", "group_id", "mutation")
            },
        }
        if row["status"] == "dead":
            sample["error"] = {"message": row["error"] or "", "traceback": "", "traceback_ansi": ""}
        yield sample
