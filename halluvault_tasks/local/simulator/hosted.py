"""A hosted API, or a server like vLLM, in its manner: OpenAI's chat route and what stands around it.

What such APIs share is here; in what they differ is the `ServerManner` of the model.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict

from halluvault_tasks.local.simulator import api_errors, conversation, fault_answers, openai
from halluvault_tasks.local.simulator.fault_answers import CUT, while_generating
from halluvault_tasks.local.simulator.hosted_replies import (
    FATES,
    HostedRequest,
    ReplyForm,
    chat,
    chunks,
    completion,
    whole,
)
from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import GenerationRequest
from halluvault_tasks.local.simulator.replies import EventStream, Headers, WholeAnswer, as_json, event
from halluvault_tasks.local.simulator.shapes import (
    ChatRequest,
    CompletionRequest,
    ConversationMessage,
    GrammarType,
    Shape,
)
from halluvault_tasks.local.simulator.streams import sequence, with_done
from halluvault_tasks.local.simulator.tokens import identity, pieces
from halluvault_tasks.local.simulator.wire import Incoming, RequestRefusal, decode

_CHAT, _COMPLETIONS, _MODELS, _TOKENIZE = "/chat/completions", "/completions", "/models", "/tokenize"


_Post = Callable[[SimulatedModel, Incoming], Awaitable[WholeAnswer | EventStream]]


class _Raw(Shape):
    """A request, whatever it holds."""

    model_config = ConfigDict(extra="allow")


def _all_of(stop: object) -> object:
    return (stop,) if isinstance(stop, str) else tuple(stop) if isinstance(stop, list) else stop


class _ChatRequest(ChatRequest):
    """TGI's request, but for one stop sequence that is no list, and the grammar, which `_grammar` reads."""

    stop: Annotated[tuple[str, ...] | None, BeforeValidator(_all_of)] = None
    response_format: Any = None


class _TokenizeRequest(Shape):
    """vLLM's, a text or a conversation, or llama.cpp's, its `content`."""

    messages: tuple[ConversationMessage, ...] = ()
    prompt: str = ""
    content: str = ""


async def respond(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    """Answer one request.

    Args:
        model: whose API this is.
        asked: its body is at most one byte longer than is accepted.
    """
    try:
        return await _routed(model, asked)
    except RequestRefusal as refusal:
        return api_errors.told(refusal, model.manner.errors)


async def _routed(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    manner, route = model.manner, asked.route
    if step := model.desk.step(asked.method, route):
        _check_access(manner, asked)
        return await model.desk.respond(step, asked, lambda line: respond(model, line._replace(query=manner.query)))
    if asked.method in ("GET", "HEAD"):
        return _page(model, asked)
    posts: dict[str, _Post] = {manner.path + _CHAT: _chat}
    if manner.completes:
        posts |= {manner.path + _COMPLETIONS: _completed, _TOKENIZE: _tokenized}
    if asked.method != "POST" or route not in posts:
        raise api_errors.no_such_route()
    _check_access(manner, asked)
    return await posts[route](model, asked)


def _check_access(manner: ServerManner, asked: Incoming) -> None:
    if any(asked.query.get(name) != value for name, value in manner.query.items()):
        raise api_errors.no_such_route()
    if not asked.has_key:
        raise api_errors.no_key()


def _page(model: SimulatedModel, asked: Incoming) -> WholeAnswer:
    manner = model.manner
    _fault, instead = fault_answers.of_question(model, asked.route)
    if instead is not None:
        return instead
    if asked.route in manner.pages:
        return as_json(200, manner.pages[asked.route])
    if asked.route != manner.path + _MODELS or not manner.lists:
        raise api_errors.no_such_route()
    _check_access(manner, asked)
    entry: dict[str, Any] = {"id": model.model_id, "object": "model", "created": 0, "owned_by": "simulated"}
    if manner.length:
        entry["max_model_len"] = manner.length
    return as_json(200, {"object": "list", "data": [entry]})


async def _tokenized(_model: SimulatedModel, asked: Incoming) -> WholeAnswer:
    fields = decode(asked.body, asked.content_type, _TokenizeRequest)
    text = fields.prompt or fields.content
    if fields.messages:
        text = openai.template([message.model_dump() for message in fields.messages])
    found = [identity(piece) for piece in pieces(text)]
    return as_json(200, {"count": len(found), "tokens": found})


async def _chat(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    raw = _checked(model, asked)
    fields = decode(asked.body, asked.content_type, _ChatRequest)
    messages = [message.model_dump() for message in fields.messages]
    inputs = openai.template(messages, model.template)
    parameters = fields.parameters(grammar=_grammar(model.manner, raw))
    wanted, most = len(pieces(inputs)) + (parameters.max_new_tokens or 0), model.limits.max_total_tokens
    if wanted > most:
        raise api_errors.too_long(most, wanted)
    prompt = conversation.key(conversation.canonical(messages))
    fated = FATES[model.manner.fate(prompt, model.account.before(prompt))]
    quiet = not fated.thinks or model.manner.is_told_not_to_think(raw)
    request = GenerationRequest(inputs, parameters, conversation.canonical(messages), quiet, fated.fate)
    usage = fields.stream_options is not None and fields.stream_options.include_usage
    return await _answered(model, asked.route, HostedRequest(request, fields.stream, usage, fated), chat)


async def _completed(model: SimulatedModel, asked: Incoming) -> WholeAnswer | EventStream:
    _checked(model, asked)
    fields = decode(asked.body, asked.content_type, CompletionRequest)
    request = openai.read_completion(fields, model.limits).requests[0]._replace(quiet=True)
    return await _answered(model, asked.route, HostedRequest(request, fields.stream, False, FATES[""]), completion)


def _checked(model: SimulatedModel, asked: Incoming) -> Mapping[str, Any]:
    """Every field of a request, if this API takes them all.

    Raises:
        ApiError: it refuses one by name, or has no such model.
    """
    raw = decode(asked.body, asked.content_type, _Raw).model_extra or {}
    if raw.get("model") not in (None, "", model.model_id, model.name):
        raise api_errors.no_such_model(str(raw["model"]))
    for name in model.manner.refuses:
        if name in raw and not (name == "temperature" and raw[name] == 1):
            raise api_errors.refused_field(name)
    return raw


def _grammar(manner: ServerManner, raw: Mapping[str, Any]) -> GrammarType | None:
    """The grammar that a request asks for in a way that this server obeys."""
    form, structured = (raw.get(name) for name in ("response_format", "structured_outputs"))
    form = form if isinstance(form, dict) else {}
    of_json = {"json_schema": ("json_schema", form.get("json_schema")), "json_object": ("json", form.get("schema"))}
    asked = {
        str(form.get("type")): of_json.get(str(form.get("type"))),
        "structured_outputs": ("regex", structured.get("regex")) if isinstance(structured, dict) else None,
        "regex": ("regex", raw.get("regex")),
    }
    for way in manner.grammars:
        kind, value = asked.get(way) or ("", None)
        if value is not None:
            body = as_json(200, {"type": kind, "value": value}).body
            return decode(body, "application/json", GrammarType)
    return None


async def _answered(
    model: SimulatedModel, route: str, asked: HostedRequest, form: ReplyForm
) -> WholeAnswer | EventStream:
    headers = _granted(model, asked.request)
    if asked.fated.is_error:
        raise api_errors.filtered()
    fault, instead = fault_answers.strike(model, route, [asked.request])
    if instead is not None:
        return instead
    if asked.stream:
        events = sequence(
            model, route, asked.request, fault, chunks(model, asked, form),
            lambda refusal: event(api_errors.body_of(refusal, model.manner.errors)),
        )  # fmt: skip
        return EventStream(headers, with_done([events], fault), fault if fault in CUT else "")
    generated = await model.generate(asked.request, while_generating(fault))
    model.account.spend(len(generated.draft.tokens))
    answer = as_json(200, whole(model, asked, form, generated), headers)
    return fault_answers.sending(model, route, answer, fault, [generated])


def _granted(model: SimulatedModel, request: GenerationRequest) -> Headers:
    """Count a request; returns the headers that tell what is left.

    Raises:
        ApiError: it is beyond the quota, or too fast.
    """
    if not model.account.has_quota():
        raise api_errors.SPENT[model.manner.spent]()
    if wait := model.account.take(len(pieces(request.inputs))):
        raise api_errors.too_fast(model.account.headers(), wait)
    return model.account.headers()
