"""What text-generation-inference's router refuses, and in which words: pure functions.

Source: the behaviour of TGI 3.3's router (research notes beside the project, §1). The order of the checks is part
of the protocol: body as JSON, body as a request, admission, scalars, `inputs`, lengths, grammar.
"""

from typing import NamedTuple

from halluvault_tasks.local.simulator.engine import RESERVED_NEW_TOKENS
from halluvault_tasks.local.simulator.generation import Fate
from halluvault_tasks.local.simulator.shapes import GenerateParameters
from halluvault_tasks.local.simulator.wire import RequestRefusal

_TINY_TOP_P = 0.01


class ServerLimits(NamedTuple):
    """What a server was started with; shown by `/info` but for the last one."""

    max_concurrent_requests: int = 128
    max_best_of: int = 2
    max_stop_sequences: int = 4
    max_input_tokens: int = 4095
    max_total_tokens: int = 4096
    max_client_batch_size: int = 4
    llamacpp: bool = False
    """Whether it is TGI's CPU backend: it samples unless `top_k` or `top_p` leave one token, and obeys no grammar."""


def llamacpp(limits: ServerLimits) -> ServerLimits:
    """The same server with TGI's CPU backend, which allows neither `best_of` nor stop sequences."""
    return limits._replace(max_best_of=0, max_stop_sequences=0, llamacpp=True)


class GenerationRequest(NamedTuple):
    """One sequence to generate: what is templated and tokenised, and its parameters."""

    inputs: str
    parameters: GenerateParameters
    prompt: str = ""
    """What the model was asked, where that is not `inputs`: a conversation in canonical JSON."""
    quiet: bool = False
    """It was told not to think."""
    fate: Fate | None = None
    """None: it is generated to its end."""

    @property
    def asked(self) -> str:
        """What the model was asked."""
        return self.prompt or self.inputs

    @property
    def sampling(self) -> bool:
        """Whether tokens are drawn at random: asked for, or implied by a sampling parameter."""
        p = self.parameters
        return p.do_sample or not p.temperature is p.top_k is p.top_p is p.typical_p is None

    @property
    def one_token_left(self) -> bool:
        """Whether what is drawn from is the likeliest token alone."""
        return self.parameters.top_k == 1 or (self.parameters.top_p or 1.0) < _TINY_TOP_P


def validate(request: GenerationRequest, limits: ServerLimits) -> None:
    """The scalar checks, in the router's order.

    Raises:
        Refusal: 422 `validation`.
    """
    p = request.parameters
    _refuse_if(p.temperature is not None and p.temperature <= 0, "`temperature` must be strictly positive")
    _refuse_if(
        p.repetition_penalty is not None and p.repetition_penalty <= 0,
        "`repetition_penalty` must be strictly positive",
    )
    _refuse_if(
        p.frequency_penalty is not None and not -2 <= p.frequency_penalty <= 2,
        "`frequency_penalty` must be >= -2.0 and <= 2.0",
    )
    _refuse_if(p.top_p is not None and not 0 < p.top_p < 1, "`top_p` must be > 0.0 and < 1.0")
    _refuse_if(p.typical_p is not None and not 0 < p.typical_p < 1, "`typical_p` must be > 0.0 and < 1.0")
    _refuse_if(p.top_k is not None and p.top_k <= 0, "`top_k` must be strictly positive")
    _refuse_if(p.max_new_tokens == 0, "`max_new_tokens` must be strictly positive")
    stops = len(p.stop)
    _refuse_if(
        stops > limits.max_stop_sequences,
        f"`stop` supports up to {limits.max_stop_sequences} stop sequences. Given: {stops}",
    )
    _refuse_if(not request.inputs, "`inputs` cannot be empty")
    _refuse_if(
        p.truncate is not None and not 0 < p.truncate <= limits.max_input_tokens,
        f"`truncate` must be strictly positive and less than {limits.max_input_tokens}. Given: {p.truncate}",
    )


def validate_length(request: GenerationRequest, input_tokens: int, limits: ServerLimits) -> int:
    """The checks that need the prompt's length in tokens; returns how many new tokens may be generated.

    Raises:
        Refusal: 422 `validation`.
    """
    asked = request.parameters.max_new_tokens
    new = max(0, limits.max_total_tokens - input_tokens) if asked is None else asked
    _refuse_if(
        input_tokens + min(new, RESERVED_NEW_TOKENS) > limits.max_total_tokens,
        f"`inputs` tokens + `max_new_tokens` must be <= {limits.max_total_tokens}. "
        f"Given: {input_tokens} `inputs` tokens and {min(new, RESERVED_NEW_TOKENS)} `max_new_tokens`",
    )
    _refuse_if(
        input_tokens > limits.max_input_tokens,
        f"`inputs` must have less than {limits.max_input_tokens} tokens. Given: {input_tokens}",
    )
    return new


def _refuse_if(wrong: bool, message: str) -> None:
    if wrong:
        raise invalid(message)


def invalid(message: str) -> RequestRefusal:
    """The refusal of a request that the router finds invalid."""
    return RequestRefusal(422, f"Input validation error: {message}", "validation")
