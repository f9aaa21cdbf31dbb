"""Spans of requests: one an attempt, below the task's own, without a word of prompt, answer or server."""

from collections import Counter
from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from halluvault_tasks.querying import tracing
from halluvault_tasks.querying.replies import Failure, Reply
from tests.querying.lanes import Book, Served, broken, plain, reply, run


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(tracing, "_tracer", provider.get_tracer("halluvault"))
    yield exporter
    provider.shutdown()


def test_each_attempt_is_a_span_below_the_tasks_own_and_holds_no_text(spans: InMemorySpanExporter) -> None:
    failed = Counter[str]()

    def fails_once(served: Served, prompt: str) -> Reply | Failure:
        failed[prompt] += 1
        return broken() if prompt == "q7" and failed[prompt] == 1 else reply(f"secret answer to {prompt}")

    task = TracerProvider().get_tracer("airflow").start_span("worker.query")
    with trace.use_span(task):
        run([Served(behaviour=fails_once)], Book(plain(20)), 20)
    found: tuple[ReadableSpan, ...] = spans.get_finished_spans()
    told = Counter((span.attributes or {})["halluvault.case"] for span in found)
    assert told == {f"c{number}": 1 + (number == 7) for number in range(20)}
    context = task.get_span_context()
    for span in found:
        assert span.parent is not None and span.context is not None
        assert (span.parent.span_id, span.context.trace_id) == (context.span_id, context.trace_id)
        assert "secret" not in span.to_json() and "q7" not in span.to_json() and "broken" not in span.to_json()
    [error] = [span for span in found if span.status.status_code is trace.StatusCode.ERROR]
    assert error.status.description == broken().kind.value and (error.attributes or {})["halluvault.attempt"] == 1


def test_without_an_exporter_the_lane_asks_the_same() -> None:
    book = Book(plain(5))
    assert run([Served()], book, 5).done == 5 and len(book.texts()) == 5
