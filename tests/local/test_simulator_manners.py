"""Servers of today, each in its manner: what a client sees of thoughts, refusals, filters, quotas and addresses."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator import manner as manners
from halluvault_tasks.local.simulator import thinking
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.granted import Bucket
from halluvault_tasks.local.simulator.manner import APART, FATES, SWITCHES, ServerManner, bundled, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.tokens import pieces
from halluvault_tasks.querying.thoughts import FIELDS, FORMATS, of_message, split
from tests.local.simulated import Got, ask

ANSWER = "No. The records say otherwise."
CHAT = "/m/v1/chat/completions"
NAMES = [form.name.replace(",", "") for form in FORMATS]


def says(model: str, prompt: str, seed: int | None) -> str:
    return ANSWER


def model_in(manner: ServerManner, name: str = "m", answerer: Any = says) -> SimulatedModel:
    return SimulatedModel(name, answerer, manner=manner, blocking=False, pacing=Pacing(latency_seconds=0.0))


@pytest.fixture(scope="module")
def rack() -> Iterator[str]:
    """One model for each way to think, by name, and each bundled one, on one server."""
    models = [model_in(bundled()[name], name) for name in bundled()]
    for name in NAMES:
        for kind, opened, wrapped in KINDS:
            models.append(model_in(ServerManner(thought=name, opened=opened, wrapped=wrapped), called(name, kind)))
    for apart in APART:
        models += [
            model_in(ServerManner(apart=apart, parts=parts), called(apart, str(parts))) for parts in (False, True)
        ]
    with serving(models) as url:
        yield url


KINDS = (("plain", False, False), ("wrapped", False, True), ("opened", True, False))


def called(name: str, kind: str) -> str:
    return f"{name.replace(' ', '-')}-{kind}"


@contextmanager
def served(manner: ServerManner, api_key: str = "", answerer: Any = says) -> Iterator[str]:
    with serving([model_in(manner, answerer=answerer)], api_key=api_key) as url:
        yield url


def body(text: str = "Was it so?", **fields: object) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": text}], "temperature": 0, **fields}


def first(got: Got) -> dict[str, Any]:
    assert got.status == 200, got.raw
    choice: dict[str, Any] = got["choices"][0]
    return choice


def streamed(got: Got) -> tuple[str, str, str]:
    """Text, thought and finish_reason of a stream, as a client puts its deltas together."""
    *chunks, done = got.events
    assert done == "[DONE]"
    heard = [of_message(chunk["choices"][0]["delta"]) for chunk in chunks if chunk["choices"]]
    ends = [chunk["choices"][0]["finish_reason"] for chunk in chunks if chunk["choices"]]
    assert set(ends[:-1]) <= {None}
    return "".join(each.text or "" for each in heard), "".join(each.thought or "" for each in heard), ends[-1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [kind for kind, _opened, _wrapped in KINDS])
def test_a_thought_in_any_format_stands_before_the_answer(rack: str, name: str, kind: str) -> None:
    path = f"/{called(name, kind)}/v1/chat/completions"
    choice = first(ask(rack, path, body()))
    assert streamed(ask(rack, path, body(stream=True))) == (choice["message"]["content"], "", "stop")
    found = split(choice["message"]["content"])
    assert (found.answer, found.format.replace(",", ""), found.in_prompt) == (ANSWER, name, kind == "opened")
    assert found.thought and {"Yes", "No"} <= set(found.thought.replace(",", " ").replace(".", " ").split())
    assert choice["finish_reason"] == "stop"


@pytest.mark.parametrize("apart", APART)
@pytest.mark.parametrize("parts", ["False", "True"])
def test_a_thought_beside_the_text_stands_where_the_manner_says_whole_and_streamed(
    rack: str, apart: str, parts: str
) -> None:
    path = f"/{called(apart, parts)}/v1/chat/completions"
    got = ask(rack, path, body())
    found = of_message(first(got)["message"])
    assert found.text == ANSWER and found.field == ("" if apart == "hidden" else apart)
    assert streamed(ask(rack, path, body(stream=True))) == (ANSWER, found.thought or "", "stop")
    assert bool(found.thought) is (apart != "hidden")
    usage = got["usage"]
    thought = usage["completion_tokens_details"]["reasoning_tokens"]
    assert thought >= 60 and usage["completion_tokens"] == thought + len(pieces(ANSWER)) + 1


@pytest.mark.parametrize("apart", [*FIELDS, "hidden"])
def test_a_limit_within_the_thought_leaves_no_answer(rack: str, apart: str) -> None:
    choice = first(ask(rack, f"/{called(apart, 'False')}/v1/chat/completions", body(max_tokens=8)))
    assert (choice["message"]["content"], choice["finish_reason"]) == (None, "length")
    cut = first(ask(rack, "/think/v1/chat/completions", body(max_completion_tokens=8)))
    assert cut["message"]["content"].startswith("<think>") and "</think>" not in cut["message"]["content"]


@pytest.mark.parametrize("tokens", [1, 300, 32_000])
def test_a_thought_is_as_long_as_it_is_told_to_be(tokens: int) -> None:
    assert tokens <= len(pieces(thinking.musing("Was it so?", tokens))) < tokens + 20


def test_a_share_of_the_prompts_is_thought_about_and_always_the_same() -> None:
    half = ServerManner(thought="think", thought_share=0.5)
    about = [half.thinks_about(f"prompt {n}") for n in range(400)]
    assert about == [half.thinks_about(f"prompt {n}") for n in range(400)]
    assert 150 < sum(about) < 250


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_that_is_the_models_keeps_it_from_thinking_and_no_other(switch: str) -> None:
    with served(ServerManner(apart="reasoning", quiet_by=(switch,))) as url:
        for name, fields in SWITCHES.items():
            quiet = "reasoning" not in first(ask(url, CHAT, body(**fields)))["message"]
            assert quiet is (name == switch)


def test_a_word_behind_the_prompt_keeps_it_from_thinking_and_is_no_part_of_the_prompt() -> None:
    def echo(model: str, prompt: str, seed: int | None) -> str:
        return prompt

    with served(ServerManner(thought="think", quiet_by=("/no_think",)), answerer=echo) as url:
        said = first(ask(url, CHAT, body("Was it so? /no_think")))["message"]["content"]
        assert said == '[{"role":"user","content":"Was it so?"}]'
        assert "<think>" in first(ask(url, CHAT, body("Was /no_think it so?")))["message"]["content"]
    with served(ServerManner(api="tgi", thought="think", quiet_by=("/no_think",)), answerer=echo) as url:
        raw = ask(url, "/m/generate", {"inputs": "Was it so? /no_think", "parameters": {}})
        assert raw["generated_text"] == "Was it so?"


VERDICT = {"type": "object", "properties": {"verdict": {"enum": ["yes", "no"]}}, "required": ["verdict"]}
ASKED_FOR: dict[str, dict[str, object]] = {
    "json_schema": {"response_format": {"type": "json_schema", "json_schema": {"name": "v", "schema": VERDICT}}},
    "json_object": {"response_format": {"type": "json_object", "schema": VERDICT}},
    "structured_outputs": {"structured_outputs": {"regex": "(yes|no)"}},
    "regex": {"regex": "(yes|no)"},
}


@pytest.mark.parametrize("way", ASKED_FOR)
def test_a_grammar_is_obeyed_behind_the_thought_or_from_the_first_token_or_not_at_all(way: str) -> None:
    def no(model: str, prompt: str, seed: int | None) -> str:
        return "no"

    wanted = "no" if "regex" in str(ASKED_FOR[way]) else '{"verdict":"no"}'
    with served(ServerManner(apart="reasoning", grammars=(way,)), answerer=no) as url:
        message = first(ask(url, CHAT, body(**ASKED_FOR[way])))["message"]
        assert message["content"] == wanted and message["reasoning"]
    with served(ServerManner(apart="reasoning", grammar_first=True), answerer=no) as url:
        message = first(ask(url, CHAT, body(**ASKED_FOR[way])))["message"]
        assert message["content"] == wanted and "reasoning" not in message
    with served(ServerManner(grammars=())) as url:
        assert first(ask(url, CHAT, body(**ASKED_FOR[way])))["message"]["content"] == ANSWER


def test_a_refusal_in_the_message_leaves_no_content_whole_and_streamed() -> None:
    with served(ServerManner(refused=1)) as url:
        choice = first(ask(url, CHAT, body()))
        assert choice["finish_reason"] == "stop" and choice["message"]["content"] is None
        assert of_message(choice["message"]).refusal
        *_, last, _done = ask(url, CHAT, body(stream=True)).events
        assert of_message(last["choices"][0]["delta"]).refusal


@pytest.mark.parametrize(
    ("fate", "text", "finish"),
    [("refused_bare", "", "content_filter"), ("filtered", "No. The re", "content_filter"), ("silent", "", "stop"),
     ("failed", "No. The re", "error"), ("aborted", "No. The re", "abort")],
)  # fmt: skip
def test_a_reply_ends_as_its_fate_says(fate: str, text: str, finish: str) -> None:
    with served(ServerManner.model_validate({fate: 1})) as url:
        choice = first(ask(url, CHAT, body()))
        assert (choice["message"]["content"][: len(text) or None], choice["finish_reason"]) == (text, finish)
        assert len(choice["message"]["content"]) < len(ANSWER)
        assert streamed(ask(url, CHAT, body(stream=True)))[2] == finish


def test_all_tokens_of_a_silent_reply_went_into_the_thought() -> None:
    with served(bundled()["silent"]) as url:
        got = ask(url, CHAT, body())
    assert first(got)["message"]["content"] is None and first(got)["message"]["reasoning_content"]
    usage = got["usage"]
    assert usage["completion_tokens"] == usage["completion_tokens_details"]["reasoning_tokens"] + 1


def test_fates_strike_their_shares_of_the_prompts_and_only_what_failed_is_well_another_time() -> None:
    shares = ServerManner(**dict.fromkeys(FATES, 0.1))
    drawn = [[shares.fate(f"prompt {n}", before) for n in range(2000)] for before in (0, 1)]
    assert all(140 < Counter(drawn[0])[fate] < 260 for fate in FATES)
    lasting = set(FATES) - {"failed", "aborted"}
    assert all(again == once for once, again in zip(*drawn, strict=True) if once in lasting)
    assert sum(again in ("failed", "aborted") for once, again in zip(*drawn, strict=True) if once == "failed") < 120


def test_a_filter_answers_400_with_its_code() -> None:
    with served(ServerManner(refused_400=1)) as url:
        got = ask(url, CHAT, body())
    assert (got.status, got["error"]["code"]) == (400, "content_filter")
    assert got["error"]["innererror"]["code"] == "ResponsibleAIPolicyViolation"


@pytest.mark.parametrize("errors", ["openai", "vllm", "mistral", "gemini", "openrouter"])
def test_a_field_is_refused_by_name_in_every_shape_of_errors(errors: str) -> None:
    with served(ServerManner.model_validate({"refuses": "max_tokens+temperature", "errors": errors})) as url:
        got = ask(url, CHAT, body(max_tokens=5))
        assert got.status == (422 if errors == "mistral" else 400) and b"max_tokens" in got.raw
        assert b"temperature" in ask(url, CHAT, body()).raw
        assert first(ask(url, CHAT, body(temperature=1, max_completion_tokens=50)))["message"]["content"] == ANSWER


@pytest.mark.parametrize(
    ("spent", "status", "code"),
    [("402", 402, "insufficient_credits"), ("insufficient_quota", 429, "insufficient_quota"),
     ("tomorrow", 429, "rate_limit_exceeded")],
)  # fmt: skip
def test_a_quota_ends_after_its_requests_and_for_good(spent: str, status: int, code: str) -> None:
    with served(ServerManner.model_validate({"quota": 2, "spent": spent})) as url:
        got = [ask(url, CHAT, body(f"{n}")) for n in range(4)]
    assert [each.status for each in got] == [200, 200, status, status]
    assert got[-1]["error"]["code"] == code
    assert got[-1].headers["retry-after"] == ("43200" if spent == "tomorrow" else None)


def test_what_is_granted_a_minute_is_told_and_more_is_turned_away_with_a_wait() -> None:
    with served(ServerManner(requests_per_minute=2, tokens_per_minute=10_000)) as url:
        told = ask(url, CHAT, body()).headers
        assert (told["x-ratelimit-limit-requests"], told["x-ratelimit-remaining-requests"]) == ("2", "1")
        assert told["x-ratelimit-limit-tokens"] == "10000" and int(told["x-ratelimit-remaining-tokens"]) < 10_000
        ask(url, CHAT, body())
        got = ask(url, CHAT, body())
    assert (got.status, got["error"]["code"]) == (429, "rate_limit_exceeded")
    assert 20_000 < int(got.headers["retry-after-ms"]) <= 30_000 and got.headers["retry-after"] in ("29", "30")


@given(st.integers(1, 1000), st.lists(st.tuples(st.floats(0, 90), st.floats(0, 500)), max_size=20))
def test_a_bucket_gives_no_more_than_it_held_and_what_came_back(per_minute: int, asked: list[Any]) -> None:
    now = 0.0
    bucket = Bucket(per_minute, lambda: now)
    taken = 0.0
    for seconds, amount in asked:
        now += seconds
        if not bucket.wait(amount) and amount <= per_minute:
            bucket.take(amount)
            taken += amount
        assert taken <= per_minute * (1 + now / 60) + 1e-6
        now += (wait := bucket.wait(amount))
        assert bucket.wait(amount) <= 1e-6 * (1 + wait)


def test_an_address_is_its_path_its_query_and_its_header() -> None:
    manner = ServerManner(path="/openai/v1", query={"api-version": "2024-10-21"}, header="api-key", lists=False)
    with served(manner, api_key="sesame") as url:
        route, version = "/m/openai/v1/chat/completions", "?api-version=2024-10-21"
        assert ask(url, route + version, body(), **{"api-key": "sesame"}).status == 200
        assert ask(url, route + version, body(), key="sesame").status == 401
        assert ask(url, route, body(), **{"api-key": "sesame"}).status == 404
        assert ask(url, CHAT + version, body(), **{"api-key": "sesame"}).status == 404
        assert ask(url, "/m/openai/v1/models" + version, **{"api-key": "sesame"}).status == 404
    with served(ServerManner(), api_key="sesame") as url:
        assert ask(url, CHAT, body(), key="sesame").status == 200
        assert ask(url, "/m/v1/models").status == 401
        assert [each["id"] for each in ask(url, "/m/v1/models", key="sesame")["data"]] == ["simulated/m"]


def test_another_model_than_the_one_that_is_served_is_not_found() -> None:
    with served(ServerManner()) as url:
        got = ask(url, CHAT, body() | {"model": "gpt-7"})
    assert (got.status, got["error"]["code"]) == (404, "model_not_found")


def test_a_prompt_that_is_cut_is_cut_in_its_usage_and_a_reply_may_have_none() -> None:
    with served(ServerManner(context=16)) as url:
        assert ask(url, CHAT, body("word " * 200))["usage"]["prompt_tokens"] == 16
    with served(ServerManner(counts=False)) as url:
        got = ask(url, CHAT, body())
        assert "usage" not in got
        assert all(chunk.get("usage") is None for chunk in ask(url, CHAT, body(stream=True)).events[:-1])


def test_a_prompt_and_its_limit_beyond_the_models_length_are_refused() -> None:
    with served(ServerManner(length=64)) as url:
        got = ask(url, CHAT, body(max_tokens=64))
        assert (got.status, got["error"]["code"]) == (400, "context_length_exceeded")
        assert ask(url, "/m/v1/models")["data"][0]["max_model_len"] == 64


def test_a_stop_sequence_ends_a_thought_and_is_left_out_of_an_answer() -> None:
    with served(ServerManner(apart="reasoning")) as url:
        choice = first(ask(url, CHAT, body(stop="Hmm")))
        assert (choice["message"]["content"], choice["finish_reason"]) == (None, "stop")
    with served(ServerManner()) as url:
        assert first(ask(url, CHAT, body(stop=["say"])))["message"]["content"] == "No. The records "


def test_a_server_like_vllm_completes_counts_tokens_and_tells_its_version() -> None:
    with served(bundled()["vllm"]) as url:
        plain = ask(url, "/m/v1/completions", {"model": "m", "prompt": "Was it so?", "temperature": 0})
        assert (plain["object"], plain["choices"][0]["text"]) == ("text_completion", ANSWER)
        raw = ask(url, "/m/tokenize", {"prompt": "Was it so?"})["count"]
        assert raw == plain["usage"]["prompt_tokens"] < ask(url, "/m/tokenize", body())["count"]
        assert ask(url, "/m/version")["version"] and ask(url, "/m/health").status == 200
        assert ask(url, "/m/info").status == 404


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_manner_says_what_it_is_and_answers_who_asks_as_it_wants(rack: str, name: str) -> None:
    manner = bundled()[name]
    assert manner.about and len(manner.about) < 90
    asked = {key: value for key, value in body().items() if key not in manner.refuses}
    found = ask(rack, f"/{name}{manner.path}/chat/completions", asked)
    said = of_message(first(found)["message"]) if found.status == 200 else None
    assert found.status == 200 or manner.refused_400
    assert said is None or manner.silent or ANSWER in (said.text or "") or said.refusal


def test_a_manner_is_read_by_name_inline_and_from_files(tmp_path: Path) -> None:
    assert parse("think") == bundled()["think"]
    mixed = parse("think, refused=0.05, refuses=seed+stop, thought_tokens=4000, opened=true")
    assert (mixed.thought, mixed.refused, mixed.refuses) == ("think", 0.05, ("seed", "stop"))
    assert (mixed.thought_tokens, mixed.opened) == (4000, True)
    assert parse("spent=402,quota=3").spent == "402"
    for kind, text in (("yaml", "thought: harmony stripped\nquiet_by: [/no_think]\n"),
                       ("json", json.dumps({"thought": "harmony stripped", "quiet_by": ["/no_think"]}))):  # fmt: skip
        (tmp_path / f"m.{kind}").write_text(text)
        assert parse(str(tmp_path / f"m.{kind}")) == ServerManner(thought="harmony stripped", quiet_by=("/no_think",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nope", "--manner has 'nope'; bundled are: think, "),
        ("thnk=1", "--manner 'thnk': no such field; there are: about, api, "),
        ("thought=zzz", "no format of thoughts is called 'zzz'; there are: think, "),
        ("apart=zzz", "cannot be put into 'zzz'"),
        ("thought=think,apart=parts", "exclude each other"),
        ("refused=2", "--manner 'refused': Input should be less than or equal to 1"),
        ("refused=0.6,silent=0.6", "sum to more than 1"),
        ("api=tgi,quota=3", "text-generation-inference has no quota"),
        ("grammars=x", "no way to ask for a grammar is called 'x'"),
        ("quiet_by=x", "nothing is switched off by 'x'"),
        ("spent=403", "'402', 'insufficient_quota' or 'tomorrow'"),
        ("/no/such.yaml", "cannot read /no/such.yaml"),
    ],
)
def test_what_is_no_manner_is_one_line_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        parse(text)
    assert said in str(caught.value) and "\n" not in str(caught.value) and caught.value.way_out


@given(st.text(max_size=40))
def test_any_text_is_a_manner_or_one_line(text: str) -> None:
    try:
        assert isinstance(parse(text), manners.ServerManner)
    except UserError as error:
        assert len(str(error).splitlines()) == 1
