"""A month that anybody can check: its questions, answers, verdicts and figures, with the program that recomputes them.

`verify.py` lies in the folder, needs Python alone, and shares no code with what computed the figures.
"""

import shutil
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export.folder import Folder
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results.export import verify
from halluvault_tasks.settings import SHARE

_CASES = text("""
SELECT c.id AS case_id, c.question, c.gold, c.suite, c.group_id, c.mutation, b.domain, b.rule_kind, b.licence,
    b.fact #> '{difficulty,features}' AS difficulty, b.premises, b.proof
FROM benchmark_case b JOIN cases c ON c.id = b.case_id WHERE b.snapshot = :snapshot ORDER BY b.suite, c.id
""")
_VERDICTS = text("""
SELECT e.model, v.evaluation_id, v.case_id, v.sample, v.answer, v.correct, v.category, v.sub_label, v.reasoning_faulty
FROM results_v1._set e
JOIN verdict v USING (evaluation_id, profile, profile_version)
JOIN benchmark_case b ON b.snapshot = e.snapshot AND b.case_id = v.case_id
WHERE e.snapshot = :snapshot AND e.profile = :profile AND e.is_newest ORDER BY v.evaluation_id, v.case_id, v.sample
""")
_RESPONSES = text("""
SELECT e.model, r.evaluation_id, r.case_id, r.sample, r.status, r.text, r.explanation
FROM results_v1.responses r JOIN results_v1._evaluation e USING (evaluation_id)
WHERE r.snapshot = :snapshot ORDER BY r.evaluation_id, r.case_id, r.sample
""")
_PUBLISHED = text("""
SELECT e.model, e.variant, r.evaluation_id, r.suite, r.scope, r.key, r.metric, r.value, r.low, r.high, r.n,
    r.no_rate_reason
FROM results_v1._set e
JOIN result r USING (evaluation_id, profile, profile_version)
WHERE e.snapshot = :snapshot AND e.profile = :profile AND e.is_newest
ORDER BY r.evaluation_id, r.suite, r.scope, r.key, r.metric
""")


def files(session: Session, snapshot: str, folder: Folder) -> dict[str, int]:
    """Write them, with the rules that proofs of formulas call; returns rows by file, none where nothing was judged."""
    chosen = {"snapshot": snapshot, "profile": profiles.HEADLINE}
    counts = {
        name: folder.lines(f"{name}.jsonl", map(dict, session.execute(query, chosen).mappings()))
        for name, query in (
            ("cases", _CASES), ("verdicts", _VERDICTS), ("responses", _RESPONSES), ("published", _PUBLISHED),
        )
    }  # fmt: skip
    if not counts["published"]:
        return {}
    shutil.copyfile(verify.__file__, folder.path("verify.py"))
    for rules in sorted((SHARE / "prolog_rules").glob("*.pl")):
        shutil.copyfile(rules, folder.path(f"prolog_rules/{Path(rules).name}"))
    return counts
