"""Who was asked what: the joins behind responses and verdicts, and how a simulated model is told from a real one."""

from sqlalchemy import Join, Table

from halluvault_tasks.storage.tables import cases, evaluation, model

SIMULATED = "simulated/"
"""What the model id begins with that a simulated server reports, whatever its name in models.yaml."""


def asked(of: Table) -> Join:
    """Table `response` or `verdict` with the evaluation, the model and the question of each row."""
    return (
        of
        .join(evaluation, evaluation.c.id == of.c.evaluation_id)
        .join(model, model.c.id == evaluation.c.model_id)
        .join(cases, cases.c.id == of.c.case_id)
    )


def simulated(served: str) -> bool:
    """Whether a server that reports this model id is simulated: column `simulated` of the views says the same."""
    return served.startswith(SIMULATED)
