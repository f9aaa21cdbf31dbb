"""Sequences as server-sent events: their order, their errors, their end."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from halluvault_tasks.local.simulator import replies
from halluvault_tasks.local.simulator.model import Generated, SimulatedModel
from halluvault_tasks.local.simulator.protocol import Request, validate_stream
from halluvault_tasks.local.simulator.wire import Refusal

CUT = ("drop", "short", "truncated", "hang_after_headers")
"""Faults that strike an answer on its way."""


async def sequence(
    model: SimulatedModel,
    route: str,
    request: Request,
    fault: str,
    shown: Callable[[Generated, int], list[bytes]],
    openai_errors: bool,
) -> AsyncGenerator[bytes]:
    """A sequence as events, ended by an error's event where it fails, or before its end by a fault."""
    try:
        validate_stream(request)
        # Closed with us, so that a client that leaves frees its slot at once.
        async with aclosing(model.stream(request, "" if fault == "midstream" else fault)) as steps:
            async for generated, position in steps:
                count = len(generated.draft.tokens)
                stop = count - 1 if fault in ("short", "truncated") else count // 2
                if fault in ("midstream", *CUT) and position >= stop:
                    if fault == "midstream":
                        text = "Request failed during generation: Server error: CUDA error"
                        raise Refusal(424, text, "generation")
                    if fault == "truncated":
                        whole = b"".join(shown(generated, position))
                        yield whole[: len(whole) * 2 // 3]
                    return
                for chunk in shown(generated, position):
                    yield chunk
                if position + 1 == count:
                    model.sent(route, generated)
    except Refusal as refusal:
        if refusal.metric:
            model.metrics.failed(refusal.metric)
        yield replies.refused_event(refusal, openai_errors)


async def with_done(events: AsyncGenerator[bytes], fault: str) -> AsyncGenerator[bytes]:
    """Events with `[DONE]` behind them, as on OpenAI's routes alone; a stream that a fault cut has none."""
    async with aclosing(events):
        async for chunk in events:
            yield chunk
    if fault not in CUT:
        yield b"data: [DONE]\n\n"


async def merged(streams: Sequence[AsyncGenerator[bytes]]) -> AsyncGenerator[bytes]:
    """Events of several sequences as they come."""
    ready: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def pour(events: AsyncGenerator[bytes]) -> None:
        try:
            async with aclosing(events):
                async for chunk in events:
                    ready.put_nowait(chunk)
        finally:
            ready.put_nowait(None)

    tasks = [asyncio.ensure_future(pour(events)) for events in streams]
    left = len(tasks)
    try:
        while left:
            chunk = await ready.get()
            if chunk is None:
                left -= 1
            else:
                yield chunk
    finally:
        for task in tasks:
            task.cancel()
