"""What a server does is seen, not believed: template, greedy, grammars; by the route that is used, on every replica."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator import conversation, texts
from halluvault_tasks.local.simulator.http_faults import parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import servers, stages, verify
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.thinking import room
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import evaluation, model_check, response
from tests.querying import support

CASES = 6
LLAMACPP = llamacpp(ServerLimits())
ROOM = room(ServerLimits().max_total_tokens, 512)

Answerer = Callable[[str, str, int | None], str]


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def long(model: str, prompt: str, seed: int | None) -> str:
    return texts.of_length(100, 120)(model, prompt, seed)


def registry(*urls: str, **model: Any) -> Registry:
    entry = {"name": "seen", "server": "sim", "dialect": "tgi", "base_urls": list(urls), **model}
    server = {"name": "sim", "pool": "sim", "slots": 1, "in_flight": 4}
    return Registry.model_validate({"servers": [server], "models": [entry]})


def observed(found: Registry) -> Behaviour:
    entry, home = found.models[0], found.servers[0]

    async def ask() -> Behaviour:
        identified = await servers.identify(entry, home)
        async with servers.Http() as http:
            return await verify.observe(http, entry, home, identified, servers.token_of)

    return asyncio.run(ask())


@contextmanager
def served(answerer: Answerer = long, **model: Any) -> Iterator[tuple[str, SimulatedModel]]:
    one = SimulatedModel("seen", answerer, blocking=False, **model)
    with serving([one]) as url:
        yield f"{url}/seen", one


def test_a_server_that_fails_twice_in_a_row_at_any_moment_is_seen_as_it_is() -> None:
    """It may go away and come back in the middle: two are as often as a grammar is asked for."""
    with served() as (url, one):
        undisturbed = observed(registry(url))
        asked = one.requests
        assert undisturbed.guided_regex and undisturbed.guided_json
        for first in range(1, asked):
            before = one.requests
            one.faults = parse(f"generation=#{before + first}-{before + first + 1}")
            assert observed(registry(url)) == undisturbed, f"requests {first} and {first + 1} failed"


@pytest.mark.parametrize("route", ["chat", "completions"])
@pytest.mark.parametrize("dialect", ["tgi", "openai"])
def test_a_server_that_is_greedy_by_silence_is_sent_nothing_for_it(dialect: str, route: str) -> None:
    with served() as (url, _one):
        found = observed(registry(url, dialect=dialect, route=route))
    assert (found.template, found.decoding, found.sends) == (True, verify.GREEDY, {})
    # TGI's /v1/completions cannot take a grammar.
    assert found.guided == ("unguided" if (dialect, route) == ("openai", "completions") else "guided")


@pytest.mark.parametrize("route", ["chat", "completions"])
@pytest.mark.parametrize("dialect", ["tgi", "openai"])
@pytest.mark.parametrize("stream", [False, True])
def test_thoughts_are_seen_by_every_route(dialect: str, route: str, stream: bool) -> None:
    def thinks(model: str, prompt: str, seed: int | None) -> str:
        return f"<think>{long(model, prompt, None)}</think>\nYes."

    if stream and (dialect, route) == ("openai", "completions"):
        return  # which does not stream
    with served(thinks) as (url, _one):
        found = observed(registry(url, dialect=dialect, route=route, stream=stream))
    assert (found.thinks, found.thinking, found.decoding) == ("think", {"budget": ROOM}, verify.GREEDY)


@pytest.mark.parametrize(
    ("dialect", "route", "sends"),
    [
        ("tgi", "completions", {"top_k": 1}),
        ("tgi", "chat", {"top_p": 0.0001}),
        ("openai", "chat", {"top_p": 0.0001}),
        ("openai", "completions", {"top_p": 0.0001}),
    ],
)
def test_tgis_cpu_backend_is_made_greedy_and_found_unguided(dialect: str, route: str, sends: dict[str, Any]) -> None:
    with served(limits=LLAMACPP) as (url, _one):
        found = observed(registry(url, dialect=dialect, route=route))
    assert (found.decoding, found.sends, found.guided) == (verify.GREEDY, sends, "unguided")


def drawn(after: int) -> Answerer:
    """A model whose texts differ from so many tokens on, whatever it is asked to do."""
    asked = iter(range(10**6))

    def answer(model: str, prompt: str, seed: int | None) -> str:
        words = long(model, prompt, None).split()
        return " ".join([*words[:after], *long(model, f"{prompt} {next(asked)}", None).split()])

    return answer


def test_texts_that_differ_late_are_not_bitwise_repeatable_and_early_are_samples() -> None:
    with served(drawn(after=30)) as (url, _one):
        found = observed(registry(url))
        assert found.decoding == verify.NOT_BITWISE
        [said] = verify.warnings(registry(url).models[0], found)
        assert "not bitwise repeatable" in said and "alike in their first 16 tokens" in said
    with served(drawn(after=5)) as (url, _one), pytest.raises(UserError) as caught:
        observed(registry(url))
    assert (
        "the registry says greedy, but" in caught.value.message and "different within 16 tokens" in caught.value.message
    )
    assert "`sampling: {do_sample: true}`" in caught.value.way_out


def test_answers_too_short_to_tell_are_unknown_and_said() -> None:
    with served(lambda model, prompt, seed: "Yes.") as (url, _one):
        found = observed(registry(url))
    assert found.decoding == verify.UNKNOWN
    [said] = verify.warnings(registry("http://x").models[0], found)
    assert "it could not be determined whether it is greedy" in said


def test_tgis_cpu_backend_is_made_greedy_also_where_its_answers_are_too_short_to_tell() -> None:
    with served(lambda model, prompt, seed: "Yes.", limits=LLAMACPP) as (url, _one):
        found = observed(registry(url, route="completions"))
    assert (found.decoding, found.sends) == (verify.UNKNOWN, {"top_k": 1})


def test_the_worst_replica_decides() -> None:
    with served() as (one, _), served(drawn(after=30)) as (two, _other):
        assert observed(registry(one, two)).decoding == verify.NOT_BITWISE


def test_what_keeps_one_replica_greedy_is_never_sent_to_one_that_is_greedy_by_silence() -> None:
    with (
        served() as (gpu, _),
        served(limits=LLAMACPP) as (cpu, _other),
        pytest.raises(UserError, match="need different parameters to be greedy") as caught,
    ):
        observed(registry(gpu, cpu))
    assert cpu in caught.value.message and "its own entry" in caught.value.way_out


def test_a_server_without_a_template_is_refused_on_the_route_chat_with_the_way_out(
    session: Session, case_ids: list[str]
) -> None:
    with served(template="none") as (url, one):
        for dialect in ("tgi", "openai"):
            with pytest.raises(UserError, match=r"route is chat, but .* has no chat template .*not found") as caught:
                stages.plan(session, "2026-10", registry=registry(url, dialect=dialect))
            assert "`route: completions`" in caught.value.way_out
        assert one.requests == 0, "nothing was asked by it"
        session.rollback()
        assert session.scalar(select(func.count()).select_from(evaluation)) == 0
        [plan] = stages.plan(session, "2026-10", registry=registry(url, route="completions")).evaluations
    assert plan.warning == ""
    row = session.execute(select(evaluation).where(evaluation.c.id == plan.evaluation_id)).one()
    assert (row.route, row.template, row.decoding) == ("completions", False, verify.GREEDY)


def test_stop_sequences_are_held_against_what_the_server_takes(session: Session, case_ids: list[str]) -> None:
    with served(limits=LLAMACPP) as (url, _one), pytest.raises(UserError) as caught:
        stages.plan(session, "2026-10", registry=registry(url, sampling={"stop": ["."]}))
    assert "sampling.stop has 1 sequences, but the server takes 0" in caught.value.message


def test_a_model_is_looked_at_once_and_what_was_seen_goes_with_every_evaluation(
    session: Session, case_ids: list[str]
) -> None:
    with served(limits=LLAMACPP) as (url, one):
        found = registry(url, name="once")
        [plan] = stages.plan(session, "2026-10", registry=found).evaluations
        asked = one.requests
        assert asked > 5
        assert stages.plan(session, "2026-10", registry=found).evaluations == [plan]
        [other] = stages.plan(
            session, "2026-10", registry=registry(url, name="once", sampling={"max_new_tokens": 9})
        ).evaluations
        assert one.requests == asked, "nothing else is looked for at another length"
        stages.query_shard(session, plan.evaluation_id, registry=found)
        prompts = set(told(session, plan.evaluation_id))
        stages.plan(session, "2026-10", registry=registry(url, name="once", route="completions"))
        assert one.requests > asked + CASES, "another route is looked at"
    row = session.execute(select(evaluation).where(evaluation.c.id == plan.evaluation_id)).one()
    assert row.sampling == {"max_new_tokens": 512, "do_sample": False, "top_p": 0.0001}
    assert (row.route, row.template, row.decoding) == ("chat", True, verify.GREEDY) and other.evaluation_id != row.id
    assert len(prompts) == CASES, "greedily, by what makes it so"
    checks = session.execute(select(model_check).where(model_check.c.model_id == row.model_id)).all()
    assert {(each.route, json.dumps(each.sends)) for each in checks} == {
        ("chat", '{"top_p": 0.0001}'), ("completions", '{"top_k": 1}'),
    }  # fmt: skip


def told(session: Session, evaluation_id: str) -> list[str | None]:
    rows = session.execute(
        select(response.c.case_id, response.c.text).where(response.c.evaluation_id == evaluation_id)
    ).all()
    expected = {
        row.case_id: long("simulated/seen", conversation.key(row.text), None)
        for row in session.execute(support.prompts())
    }
    assert {row.case_id: row.text for row in rows} == expected
    return [row.text for row in rows]


def test_a_model_that_the_registry_lets_sample_goes_on_and_says_so(session: Session, case_ids: list[str]) -> None:
    with served(drawn(after=0)) as (url, _one):
        [plan] = stages.plan(
            session, "2026-10", registry=registry(url, name="samples", sampling={"do_sample": True})
        ).evaluations
    row = session.execute(select(evaluation).where(evaluation.c.id == plan.evaluation_id)).one()
    assert (row.decoding, row.sampling["do_sample"]) == (verify.SAMPLES, True)


def test_an_evaluation_of_before_keeps_its_id_and_its_route(session: Session, case_ids: list[str]) -> None:
    with served() as (url, _one):
        by_chat, raw = (registry(url, name="old", route=route) for route in ("chat", "completions"))
        [first] = stages.plan(session, "2026-10", registry=raw).evaluations
        # As one of before the routes were recorded, under a key of then.
        session.execute(update(evaluation).where(evaluation.c.id == first.evaluation_id).values(id="of-before"))
        session.commit()
        [again] = stages.plan(session, "2026-10", registry=raw).evaluations
        [other] = stages.plan(session, "2026-10", registry=by_chat).evaluations
        assert again.evaluation_id == "of-before" != other.evaluation_id
        session.execute(update(evaluation).where(evaluation.c.id == "of-before").values(route=None))
        session.execute(update(evaluation).where(evaluation.c.id == other.evaluation_id).values(snapshot="2026-10"))
        session.commit()
        assert stages.plan(session, "2026-10", registry=raw).evaluations[0].evaluation_id == "of-before"
        # Asked to its end by the route that it was begun with, whatever models.yaml says meanwhile.
        counts = stages.query_shard(session, "of-before", registry=by_chat)
        assert counts.delivered == CASES
    rows = session.execute(select(response).where(response.c.evaluation_id == "of-before")).all()
    assert {row.finish_reason for row in rows} == {"eos_token"}, "as /generate says it, and /v1 does not"


def test_a_server_that_fails_now_and_then_is_looked_at_all_the_same() -> None:
    with served(faults=parse("unavailable=0.2,generation=0.1,seed=4")) as (url, _one):
        assert observed(registry(url)).decoding == verify.GREEDY
