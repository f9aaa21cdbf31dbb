"""A span for each request to a model, below the current span: in Airflow that of the task, which is below the run's.

Without an exporter, as on the command line, a span costs next to nothing and goes nowhere. It names the case and never
contains its prompt, its answer or a server's message.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace

from halluvault_tasks.querying.feed import PromptWork
from halluvault_tasks.querying.replies import Failure

_tracer = trace.get_tracer("halluvault")


@contextmanager
def request(model: str, work: PromptWork) -> Iterator[None]:
    """Trace one attempt at the next reply of a prompt.

    Args:
        model: its registered name.
        work: the prompt, and what has become of it so far.
    """
    with _tracer.start_as_current_span(
        "prompt",
        kind=trace.SpanKind.CLIENT,
        attributes={
            "halluvault.model": model,
            "halluvault.case": work.item.case_id,
            "halluvault.sample": work.item.sample,
            "halluvault.turn": len(work.replies) + 1,
            "halluvault.attempt": work.attempts,
        },
        # An exception's message holds what the server said.
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield
        except Exception as error:
            kind = error.kind.value if isinstance(error, Failure) else type(error).__name__
            span.set_status(trace.StatusCode.ERROR, kind)
            raise
