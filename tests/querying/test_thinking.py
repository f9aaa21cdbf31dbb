"""Models that think before they answer: seen by asking, given room, or told not to; whatever marks they use."""

import asyncio
import hashlib
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import preflight, servers, stages, thinking, verify
from halluvault_tasks.querying.dialects.presets import presets
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.thoughts import FIELDS, FORMATS, Format
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import evaluation, model_check, response
from tests.querying import support, thinker
from tests.querying.thinker import Model, Style

CASES = 4
MARKED = [form for form in FORMATS if not form.first]


def registry(*urls: str, **model: Any) -> Registry:
    entry = {"name": "thinker", "server": "sim", "dialect": "openai", "base_urls": list(urls), **model}
    server = {"name": "sim", "pool": "sim", "slots": 1, "in_flight": 4, "attempts": 2}
    return Registry.model_validate({"servers": [server], "models": [entry]})


def observed(*urls: str, **model: Any) -> Behaviour:
    found = registry(*urls, **model)
    entry, home = found.models[0], found.servers[0]

    async def ask() -> Behaviour:
        identified = await servers.identify(entry, home)
        preflight.parameters_fit(entry, identified)
        async with servers.Http() as http:
            return await verify.observe(http, entry, home, identified, servers.token_of)

    return asyncio.run(ask())


def seen(model: Model, **entry: Any) -> tuple[Behaviour, list[Any]]:
    with thinker.serving(model) as (url, bodies):
        return observed(url, **entry), bodies


def in_text(form: Format) -> Style:
    return Style(form.start, f"{form.end}\n{form.answer[0]}", after=form.answer[1])


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_thoughts_between_any_marks_are_seen_and_given_room(form: Format) -> None:
    found, _ = seen(Model(in_text(form)))
    assert (found.thinks, found.thinking) == (form.name, {"budget": thinking.BUDGET})
    assert (found.decoding, found.advice) == (verify.GREEDY, "")


@pytest.mark.parametrize("form", MARKED, ids=lambda form: form.name)
def test_a_start_that_stands_in_the_prompt_is_seen_by_the_end_that_comes(form: Format) -> None:
    found, _ = seen(Model(in_text(form)._replace(start="")))
    assert found.thinks == f"{form.name}, start in the prompt"
    assert found.thinking == {"budget": thinking.BUDGET, "in_prompt": True, "format": form.name}


@pytest.mark.parametrize("field", [*FIELDS, "parts"])
@pytest.mark.parametrize("grammar", ["behind", "first", "never"])
def test_thoughts_in_fields_are_seen_and_grammars_tried_behind_them(field: str, grammar: str) -> None:
    found, _ = seen(Model(Style(field=field), grammar=grammar))
    assert (found.thinks, found.thinking) == (field, {"budget": thinking.BUDGET})
    assert found.guided == ("unguided" if grammar == "never" else "guided")


def test_thoughts_that_an_api_keeps_back_are_seen_by_their_count() -> None:
    found, _ = seen(Model(Style(field="hidden")))
    assert found.thinks == thinking.HIDDEN and found.thinking == {"budget": thinking.BUDGET}


def test_a_thought_longer_than_the_first_look_is_waited_for_wherever_its_start_is() -> None:
    for style in (Style("<think>", "</think>"), Style("", "</think>"), Style(field="reasoning_content")):
        found, _ = seen(Model(style, thought="Hmm. " * 1500))
        assert found.thinks and found.thinking["budget"] == thinking.BUDGET


def test_who_does_not_think_is_asked_as_before() -> None:
    found, bodies = seen(Model(thought="", grammar="first"))
    assert (found.thinks, found.parameters) == ("", {})
    assert max(body["max_tokens"] for body in bodies) == 256


def test_who_goes_on_and_on_without_a_mark_gets_one_long_look_and_no_room() -> None:
    found, bodies = seen(Model(thought="", says=lambda prompt: "and on " * 3000))
    assert (found.thinks, found.parameters) == ("", {})
    assert sum(body["max_tokens"] > 256 for body in bodies) == 1


def test_a_thought_that_never_ends_is_refused_with_three_replies_and_the_way_out() -> None:
    for style in (Style("<think>", "</think>"), Style(field="reasoning")):
        with pytest.raises(UserError) as caught:
            seen(Model(style, thought="Hmm, wait. " * 9000))
        assert caught.value.message.count("nothing but a thought, cut off: 'Hmm, wait.") == 3
        assert "thinking: {budget: 16384}" in caught.value.way_out and "\n" not in str(caught.value)


def test_an_answer_kept_with_the_thoughts_is_refused_before_a_month_of_silence() -> None:
    """Shared case think-05: content empty, the answer in reasoning_content."""
    with pytest.raises(UserError) as caught:
        seen(Model(Style(field="reasoning_content"), thought="no", says=lambda prompt: ""))
    assert caught.value.message.count("nothing but a thought: 'no'") == 3
    assert "reasoning parser" in caught.value.way_out


@pytest.mark.parametrize("said", ["", " \n", "<|im_end|>", "\u200b", "***"])
def test_who_says_nothing_that_can_be_read_is_refused_in_one_line(said: str) -> None:
    with pytest.raises(UserError, match="answers no open question so that anything can be read") as caught:
        seen(Model(thought="", says=lambda prompt: said))
    assert "\n" not in str(caught.value) and "\u200b" not in str(caught.value)


def test_a_stop_sequence_that_occurs_in_the_thought_is_found_before_the_run() -> None:
    """Shared case think-21."""
    model = Model(Style(field="reasoning_content"))
    with pytest.raises(UserError, match="nothing but a thought") as caught:
        seen(model, sampling={"stop": ["hmm"]})
    assert "remove sampling.stop" in caught.value.way_out and "'hmm'" in caught.value.way_out
    assert seen(model, sampling={"stop": ["XYZ"]})[0].thinks == "reasoning_content"


@pytest.mark.parametrize(
    ("case", "shown"),
    [
        ("think-01-null-at-planning", "nothing but a thought, cut off: 'Yes, at first sight"),
        ("think-05-answer-in-reasoning-field", "nothing but a thought: 'no'"),
        ("think-21-stop-in-thought", "nothing but a thought: 'Perhaps yes at first sight.'"),
    ],
)
def test_a_server_that_always_replies_so_is_refused_before_the_run(shared_data: Path, case: str, shown: str) -> None:
    given = json.loads((shared_data / "servers" / f"{case}.json").read_text())["given"]
    with (
        thinker.answering(lambda body: (given["reply"]["status"], given["reply"]["json"])) as (url, _),
        pytest.raises(UserError) as caught,
    ):
        observed(url, sampling=given.get("sampling", {}))
    assert caught.value.message.count(shown) == 3
    assert ("sampling.stop" in caught.value.way_out) == ("sampling" in given)


@pytest.mark.parametrize(
    ("case", "refused", "found"),
    [
        ("param-1-max-tokens", "max_tokens", {"limit_field": "max_completion_tokens"}),
        ("param-3-temperature", "temperature", {"omit": ["temperature"]}),
        ("param-5-stop", "stop", {"omit": ["stop"]}),
    ],
)
def test_what_a_server_refuses_so_is_done_without(
    shared_data: Path, case: str, refused: str, found: dict[str, Any]
) -> None:
    given = json.loads((shared_data / "servers" / f"{case}.json").read_text())["given"]
    error = given["reply"]["status"], given["reply"]["json"]
    well = Model(thought="")
    with thinker.answering(lambda body: error if refused in body else (200, thinker.completion(well, body))) as (
        url,
        _,
    ):
        behaviour = observed(url, sampling=given.get("sampling", {}))
    assert behaviour.parameters == found
    assert behaviour.decoding == (verify.SAMPLES if refused == "temperature" else verify.GREEDY)


def by_field(name: str, value: object) -> Any:
    return lambda body: body.get(name, "absent") == value


def suffixed(words: str) -> Any:
    return lambda body: body["messages"][-1]["content"].endswith(words)


def kwargs(name: str) -> Any:
    return lambda body: body.get("chat_template_kwargs", {}).get(name) is False


@pytest.mark.parametrize(
    ("off", "found"),
    [
        (kwargs("enable_thinking"), "chat_template_kwargs"),
        (kwargs("thinking"), "chat_template_kwargs"),
        (by_field("reasoning_effort", "none"), "reasoning_effort"),
        (by_field("reasoning_effort", "minimal"), "reasoning_effort"),
        (by_field("thinking", {"type": "disabled"}), "thinking"),
        (by_field("reasoning", {"enabled": False}), "reasoning"),
        (by_field("enable_thinking", False), "enable_thinking"),
        (by_field("prompt_mode", None), "prompt_mode"),
        (by_field("think", False), "think"),
        (suffixed("/no_think"), "/no_think"),
        (suffixed("/nothink"), "/nothink"),
    ],
)
@pytest.mark.parametrize("style", [Style("<think>", "</think>"), Style("", "</think>"), Style(field="reasoning")])
def test_thinking_is_switched_off_in_the_first_way_that_works(off: Any, found: str, style: Style) -> None:
    behaviour, bodies = seen(Model(style, off=off), thinking="off")
    assert behaviour.thinks == "" and "budget" not in behaviour.thinking and not behaviour.advice
    assert found in str(behaviour.thinking)
    assert all(off(body) for body in bodies[-6:]), "and everything else is asked so"


def test_a_server_that_refuses_a_field_is_tried_with_the_next() -> None:
    model = Model(off=by_field("reasoning_effort", "none"), refuses=["chat_template_kwargs"])
    behaviour, _ = seen(model, thinking="off")
    assert behaviour.thinking == {"fields": {"reasoning_effort": "none"}}


@pytest.mark.parametrize("off", ["/be quick", {"quick": True}])
def test_models_yaml_may_say_itself_how_thinking_is_switched_off(off: Any) -> None:
    quick = lambda body: body.get("quick") or body["messages"][-1]["content"].endswith("/be quick")  # noqa: E731
    behaviour, _ = seen(Model(off=quick), thinking={"off": off})
    assert behaviour.thinking == ({"suffix": off} if isinstance(off, str) else {"fields": off})


def test_who_thinks_whatever_it_is_told_is_refused_with_what_was_tried() -> None:
    with pytest.raises(UserError, match="thinks all the same; tried: chat_template_kwargs; ") as caught:
        seen(Model(refuses=["enable_thinking"]), thinking="off")
    assert "enable_thinking (HTTP 400: enable_thinking is not taken here)" in caught.value.message
    assert "leave `thinking` out" in caught.value.way_out and "\n" not in str(caught.value)


def test_off_for_who_does_not_think_changes_nothing() -> None:
    assert seen(Model(thought=""), thinking="off")[0].parameters == {}


def test_a_budget_of_models_yaml_is_on_top_of_every_limit() -> None:
    behaviour, bodies = seen(Model(), thinking={"budget": 9000})
    assert behaviour.thinking == {"budget": 9000}
    limits = {body["max_tokens"] for body in bodies}
    assert limits - {1} == {9256, 9048}, "1: only the prompt's tokens are counted"


def test_a_budget_above_the_context_is_refused_in_one_line() -> None:
    with pytest.raises(UserError, match=r"thinking\.budget is 9000 .* 8192 tokens in all") as caught:
        seen(Model(total=8192), thinking={"budget": 9000})
    assert "\n" not in str(caught.value)


def test_a_limit_that_leaves_no_room_for_any_prompt_is_refused(session: Session, month: str) -> None:
    with (
        thinker.serving(Model(thought="", total=4096)) as (url, _),
        pytest.raises(UserError, match="max_new_tokens is 4096, but the server allows 4096 tokens in all"),
    ):
        stages.plan(session, month, registry=registry(url, sampling={"max_new_tokens": 4096}))


def test_found_room_leaves_a_small_context_half_of_itself() -> None:
    behaviour, bodies = seen(Model(total=4096))
    assert behaviour.thinking == {"budget": (4096 - 512) // 2}
    assert max(body["max_tokens"] for body in bodies) < 4096


@pytest.mark.parametrize(
    ("style", "marks"),
    [
        (Style("<ponder>", "</ponder>"), 'start: "<ponder>", end: "</ponder>"'),
        (Style("<ponder>\n", "\n</ponder>\n<reply>", after="</reply>"), 'start: "<ponder>", end: "</ponder>"'),
        (Style("[MUSE]", "[/MUSE]\n"), 'start: "[MUSE]", end: "[/MUSE]"'),
        (Style("", "\n<|now|>\n"), 'end: "<|now|>"'),
        (Style("Pondering\n", "\nMy reply\n"), 'start: "Pondering", end: "My reply"'),
        (Style("", "\n\n"), 'start: "…", end: "…"'),
    ],
)
def test_a_format_that_nobody_knows_is_shown_with_the_marks_that_recur(style: Style, marks: str) -> None:
    behaviour, _ = seen(Model(style))
    assert f"thinking: {{{marks}}}" in behaviour.advice and "Well, no?" in behaviour.advice
    [said] = verify.warnings(registry("http://x").models[0], behaviour)
    assert said == f"thinker: {behaviour.advice}"


def test_what_was_advised_is_then_seen_and_given_room() -> None:
    behaviour, _ = seen(Model(Style("<ponder>", "</ponder>")), thinking={"start": "<ponder>", "end": "</ponder>"})
    assert behaviour.thinks and not behaviour.advice
    assert behaviour.thinking == {"start": "<ponder>", "end": "</ponder>", "budget": thinking.BUDGET}


@pytest.mark.parametrize(
    "said",
    [
        "Yes.",
        "Yes, he was.\n\nIn Landport, a part of it.",
        "**Yes.**",
        "[Yes]",
        "<p>Yes</p>",
        "No.",
        "I sing.\nI sing.",
    ],
)
def test_who_answers_first_or_wrongly_gets_no_advice(said: str) -> None:
    model = Model(thought="", says=lambda prompt: said if "yes or no" in prompt else thinker.SENTENCE)
    assert seen(model)[0].advice == ""


@pytest.mark.parametrize(
    ("refuses", "omit", "limit", "decoding"),
    [
        (["max_tokens"], (), "max_completion_tokens", verify.GREEDY),
        (["seed"], ("seed",), "", verify.GREEDY),
        (["temperature"], ("temperature",), "", verify.SAMPLES),
        (["max_tokens", "temperature", "seed", "stop", "top_p"], ("temperature", "seed", "stop", "top_p"),
         "max_completion_tokens", verify.SAMPLES),
    ],
)  # fmt: skip
def test_what_a_server_refuses_by_name_is_left_out_and_said(
    refuses: list[str], omit: tuple[str, ...], limit: str, decoding: str
) -> None:
    sampling = {"stop": ["XYZ"], "top_p": 0.5} if "stop" in refuses else {}
    behaviour, _ = seen(Model(thought="", refuses=refuses), sampling=sampling)
    assert set(behaviour.omit) == set(omit) and behaviour.limit_field == limit and behaviour.decoding == decoding
    said = " ".join(verify.warnings(registry("http://x").models[0], behaviour))
    assert all(name in said for name in omit) and ("samples" in said) == ("temperature" in omit)


@pytest.mark.parametrize("preset", [name for name, api in presets().items() if "openai" in api.dialects])
def test_an_api_of_any_preset_is_asked_with_what_was_found_on_top_of_it(preset: str) -> None:
    api = presets()[preset]
    entry = {"api": {"preset": preset}, "served_as": "thinker"}
    found, bodies = seen(Model(Style(field="reasoning"), refuses=["top_p"]), sampling={"top_p": 0.5}, **entry)
    assert found.thinks == "reasoning" and found.thinking["budget"] == thinking.BUDGET
    assert set(found.omit) == {*api.omit, "top_p"} and found.limit_field in ("", api.limit_field)
    assert all(api.limit_field in body and not set(api.omit) & set(body) for body in bodies)


def test_a_limit_that_models_yaml_calls_otherwise_is_called_as_the_server_takes_it() -> None:
    found, _ = seen(Model(thought="", refuses=["max_completion_tokens"]), api={"limit_field": "max_completion_tokens"})
    assert found.parameters == {"limit_field": "max_tokens"}


def test_a_field_that_it_cannot_be_asked_without_is_refused_in_one_line() -> None:
    for refuses in (["messages"], ["max_tokens", "max_completion_tokens"]):
        with pytest.raises(UserError, match="is not taken here"):
            seen(Model(refuses=refuses))


def test_a_server_with_a_limit_of_its_own_on_new_tokens_is_asked_as_before() -> None:
    """It refuses the long look by the same name as a server that knows no max_tokens."""
    rambles = Model(thought="", most=1000, says=lambda prompt: "and on " * 3000)
    behaviour, bodies = seen(rambles)
    assert behaviour.parameters == {} and bodies[-1].get("max_tokens")


def test_replicas_that_show_thoughts_differently_are_refused() -> None:
    with (
        thinker.serving(Model(Style("", "</think>"))) as (one, _),
        thinker.serving(Model(Style(field="reasoning"))) as (two, _other),
        pytest.raises(UserError, match="must be asked differently") as caught,
    ):
        observed(one, two)
    assert "own entry" in caught.value.way_out


def test_a_replica_that_did_not_happen_to_think_is_asked_with_the_same_room() -> None:
    with thinker.serving(Model()) as (one, _), thinker.serving(Model(thought="")) as (two, _other):
        assert observed(two, one).thinking == {"budget": thinking.BUDGET}


def cut(*models: Model) -> str:
    async def ask(urls: list[str]) -> str:
        found = registry(*urls)
        entry, home = found.models[0], found.servers[0]
        identified = await servers.identify(entry, home)
        async with servers.Http() as http:
            return await preflight.cuts_prompts(http, entry, home, identified, entry.parameters())

    with ExitStack() as stack:
        return asyncio.run(ask([stack.enter_context(thinker.serving(model))[0] for model in models]))


def test_a_server_that_cuts_a_long_prompt_is_named_once() -> None:
    said = cut(Model(), Model(counts=2048))
    assert said.count("counted 2048 tokens in 3008 words") == 1 and "num_ctx" in said
    assert cut(Model()) == "" == cut(Model(refuses=["messages"]))


@pytest.fixture(scope="module")
def month(database_url: str) -> str:
    with sessions.session(database_url) as session:
        support.build(session, "2026-10", CASES)
    return "2026-10"


def planned(session: Session, found: Registry, **more: Any) -> Any:
    [plan] = stages.plan(session, "2026-10", registry=found, **more).evaluations
    return session.execute(select(evaluation).where(evaluation.c.id == plan.evaluation_id)).one()


def test_how_it_thinks_is_asked_once_and_identifies_the_evaluation(session: Session, month: str) -> None:
    plain = {"max_new_tokens": 512, "do_sample": False}
    quiet = by_field("reasoning_effort", "none")
    with thinker.serving(Model(Style("", "</think>"), off=quiet)) as (url, bodies):
        row = planned(session, registry(url, name="thinks"))
        room = {"budget": thinking.BUDGET, "in_prompt": True, "format": "think"}
        assert row.sampling == plain | {"thinking": room}
        asked = len(bodies)
        assert planned(session, registry(url, name="thinks")).id == row.id and len(bodies) == asked
        off = planned(session, registry(url, name="thinks", thinking="off"))
        assert off.sampling == plain | {"thinking": {"fields": {"reasoning_effort": "none"}}}
        assert len(bodies) > asked and off.id != row.id, "and it was asked anew"
        assert planned(session, registry(url, name="thinks")).sampling == row.sampling
    seen_ = session.execute(select(model_check.c.thinks, model_check.c.thinking)).all()
    assert ("think, start in the prompt", room) in [tuple(each) for each in seen_]


def test_who_does_not_think_keeps_the_key_of_before(session: Session, month: str) -> None:
    with thinker.serving(Model(thought="")) as (url, _):
        row = planned(session, registry(url, name="quick"))
        assert row.sampling == {"max_new_tokens": 512, "do_sample": False}
        key = [row.snapshot, row.model_id, row.variant_id, "chat", row.sampling]
        canonical = json.dumps(key, sort_keys=True, separators=(",", ":"))
        assert row.id == hashlib.sha256(canonical.encode()).hexdigest()[:16]
        assert planned(session, registry(url, name="quick", thinking="off")).id == row.id, "nothing is switched off"


def test_what_is_left_out_identifies_the_evaluation(session: Session, month: str) -> None:
    with thinker.serving(Model(thought="", refuses=["temperature", "max_tokens"])) as (url, _):
        row = planned(session, registry(url, name="hosted"))
    assert row.decoding == verify.SAMPLES
    assert row.sampling == {
        "max_new_tokens": 512, "do_sample": False, "omit": ["temperature"], "limit_field": "max_completion_tokens",
    }  # fmt: skip


@pytest.mark.parametrize(("grammar", "tokens"), [("behind", 32), ("never", 8)])
def test_the_verdict_turn_has_the_room_and_its_answer_is_read(
    session: Session, month: str, grammar: str, tokens: int
) -> None:
    says = lambda prompt: "yes" if prompt.startswith("What is your answer") else "Yes. So it was, as all know."  # noqa: E731
    with thinker.serving(Model(Style("", "</think>"), grammar=grammar, says=says)) as (url, bodies):
        found = registry(url, name=f"two-turn-{grammar}")
        [plan] = stages.plan(session, month, registry=found, variant="halluvault/two-turn").evaluations
        before = len(bodies)
        assert stages.query_shard(session, plan.evaluation_id, registry=found).delivered == CASES
        turns = [body for body in bodies[before:] if len(body["messages"]) == 3]
    assert {body["max_tokens"] for body in turns} == {thinking.BUDGET + tokens} and len(turns) == CASES
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    assert {row.text for row in rows} == {"yes"}
    assert all("Let me think again" in row.thought for row in rows)
    assert "think again" not in str([row.transcript for row in rows]), "none goes back into the conversation"


def test_the_documentation_counts_the_formats_and_the_ways() -> None:
    told = (REPOSITORY / "docs/querying.md").read_text(encoding="utf-8")
    assert f"between the marks of {len(FORMATS)} formats" in told
    assert (len(thinking.WAYS), "Thirteen ways are tried" in told) == (13, True)
