"""Sequences as server-sent events: their order, their errors, their end."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from halluvault_tasks.local.simulator.fault_answers import CUT
from halluvault_tasks.local.simulator.model import GenerationResult, SimulatedModel
from halluvault_tasks.local.simulator.protocol import GenerationRequest
from halluvault_tasks.local.simulator.wire import RequestRefusal


async def sequence(
    model: SimulatedModel,
    route: str,
    request: GenerationRequest,
    fault: str,
    shown: Callable[[GenerationResult, int], list[bytes]],
    refused: Callable[[RequestRefusal], bytes],
) -> AsyncGenerator[bytes]:
    """A sequence as events, ended by an error's event where it fails, or before its end by a fault."""
    try:
        # Closed with us, so that a client that leaves frees its slot at once.
        async with aclosing(model.stream(request, "" if fault == "midstream" else fault)) as steps:
            async for generated, position in steps:
                count = len(generated.draft.tokens)
                stop = count - 1 if fault in ("short", "truncated") else count // 2
                if fault in ("midstream", *CUT) and position >= stop:
                    if fault == "midstream":
                        text = "Request failed during generation: Server error: CUDA error"
                        raise RequestRefusal(424, text, "generation")
                    if fault == "truncated":
                        whole = b"".join(shown(generated, position))
                        yield whole[: len(whole) * 2 // 3]
                    return
                for chunk in shown(generated, position):
                    yield chunk
                if position + 1 == count:
                    model.sent(route, generated)
    except RequestRefusal as refusal:
        yield refused(refusal)


async def with_done(several: Sequence[AsyncGenerator[bytes]], fault: str) -> AsyncGenerator[bytes]:
    """Sequences one after the other and `[DONE]` behind them, as on OpenAI's routes alone; not where a fault cut."""
    for events in several:
        async with aclosing(events):
            async for chunk in events:
                yield chunk
    if fault not in CUT:
        yield b"data: [DONE]\n\n"
