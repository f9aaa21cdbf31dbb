"""What a fault makes of an answer: something in its place, or a part of it."""

from collections.abc import Mapping, Sequence

from halluvault_tasks.local.simulator.model import GenerationResult, SimulatedModel
from halluvault_tasks.local.simulator.protocol import GenerationRequest
from halluvault_tasks.local.simulator.replies import WholeAnswer

CUT = ("drop", "short", "truncated", "hang_after_headers")
"""Faults that strike an answer on its way."""

_PROXY: Mapping[str, WholeAnswer] = {
    "bad_gateway": WholeAnswer(502, b"<html><title>502 Bad Gateway</title></html>", "text/html"),
    "unavailable": WholeAnswer(503, b"upstream connect error or disconnect/reset before headers", "text/plain"),
    "gateway_timeout": WholeAnswer(504, b"<html><title>504 Gateway Timeout</title></html>", "text/html"),
    "html": WholeAnswer(200, b"<!DOCTYPE html><title>Please log in</title>", "text/html; charset=utf-8"),
    "plain": WholeAnswer(422, b"request rejected by policy", "text/plain; charset=utf-8"),
}
_SILENT = ("reset", "stale", "hang")


def instead(model: SimulatedModel, fault: str) -> WholeAnswer | None:
    """What a fault puts in the place of an answer, where it does."""
    if fault in _PROXY:
        answer = _PROXY[fault]
        wait = (("retry-after", str(model.faults.retry_after)),) if answer.status >= 500 else ()
        return answer._replace(headers=wait)
    return WholeAnswer(200, b"", "", (), fault) if fault in _SILENT else None


def of_question(model: SimulatedModel, route: str) -> tuple[str, WholeAnswer | None]:
    """The fault of a GET, and the answer where it stands in the place of one."""
    model.questions += 1
    fault = model.faults.of_question(route, model.questions)
    return fault, instead(model, fault)


def strike(model: SimulatedModel, route: str, requests: Sequence[GenerationRequest]) -> tuple[str, WholeAnswer | None]:
    """The fault of a request that generates, and the answer where it stands in the place of one."""
    fault = model.fault(route, requests[0].asked)
    return fault, instead(model, fault)


def sending(
    model: SimulatedModel, route: str, answer: WholeAnswer, fault: str, several: Sequence[GenerationResult]
) -> WholeAnswer:
    """The answer on its way: whole and kept, or with its fault."""
    if fault == "truncated":
        return answer._replace(body=answer.body[: len(answer.body) * 2 // 3])
    if fault in CUT:
        return answer._replace(fault=fault)
    for one in several:
        model.sent(route, one)
    return answer


def while_generating(fault: str) -> str:
    """The fault of a whole answer: what strikes a stream in its middle fails that."""
    return "generation" if fault == "midstream" else fault
