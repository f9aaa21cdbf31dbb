"""Planning and asking, against a real Postgres and simulated servers on loopback."""

import re
import threading
import time

import pytest
from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.http_faults import QUICK, HttpFaults, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.conversation import ChatTurn
from halluvault_tasks.querying.feed import FeedItem, PromptWork
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome, ServerDown
from halluvault_tasks.querying.replies import Reply
from halluvault_tasks.querying.store import Shard, Store
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.storage.tables import evaluation, incident, prompt, prompt_variant, response
from tests.querying import support
from tests.querying.planned import echo, expected, is_case, planned, shard_of, told

CASES = 60


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def test_every_case_gets_exactly_what_the_server_sent(session: Session, case_ids: list[str]) -> None:
    with planned(session, "plain") as (plan, registry, served):
        assert (plan.missing, plan.total, plan.shards) == (CASES, CASES, 1)
        seen: list[LaneProgress] = []
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry, watch=stages.Watch(seen.append))
        asked = served.requests
        again = stages.query_shard(session, plan.evaluation_id, registry=registry)
        [replanned] = stages.plan(session, "2026-10", registry=registry).evaluations
    assert counts[:4] == (CASES, CASES, 0, 0)
    assert told(session, plan.evaluation_id) == expected(session)
    assert seen[-1].done == seen[-1].total == CASES
    assert again == stages.QueryCounts(0, 0, 0, 0, 0.0) and served.requests == asked
    assert replanned == plan._replace(missing=0)


def test_several_samples_are_an_evaluation_of_their_own_each_drawn_anew_and_only_missing_ones_are_asked(
    session: Session, case_ids: list[str]
) -> None:
    def drawn(model: str, prompt: str, seed: int | None) -> str:
        return f"{echo(model, prompt, seed)} {seed}"

    with planned(session, "sampled", drawn) as (one, registry, served):
        warm = registry.at_temperature(0.95)
        [plan] = stages.plan(session, "2026-10", registry=warm, samples=3).evaluations
        assert (plan.missing, plan.total) == (3 * CASES, 3 * CASES)
        [alone] = stages.plan(session, "2026-10", registry=warm).evaluations
        assert len({one.evaluation_id, plan.evaluation_id, alone.evaluation_id}) == 3
        mine = response.c.evaluation_id == plan.evaluation_id

        def stop(now: LaneProgress) -> None:
            if now.done >= CASES:
                raise UserError("stopped")

        with pytest.raises(UserError, match="stopped"):
            stages.query_shard(session, plan.evaluation_id, registry=warm, watch=stages.Watch(stop))
        # And what was lost in between.
        session.execute(delete(response).where(mine, response.c.sample == 2, response.c.case_id < case_ids[9]))
        session.commit()
        there = len(session.execute(select(response.c.case_id).where(mine)).all())
        [again] = stages.plan(session, "2026-10", registry=warm, samples=3).evaluations
        before = served.requests
        counts = stages.query_shard(session, again.evaluation_id, registry=warm)
        assert again.evaluation_id == plan.evaluation_id
        assert again.missing == counts.asked == 3 * CASES - there
        assert served.requests - before == counts.asked
    rows = session.execute(select(response.c.case_id, response.c.sample, response.c.text).where(mine)).all()
    assert {(row.case_id, row.sample): row.text for row in rows} == {
        (case, number): f"{said} {number}" for case, said in expected(session).items() for number in (1, 2, 3)
    }


def test_a_response_carries_reason_counts_and_times(session: Session, case_ids: list[str]) -> None:
    with planned(session, "carrying") as (plan, registry, _served):
        stages.query_shard(session, plan.evaluation_id, registry=registry)
    for row in session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)):
        assert (row.status, row.finish_reason, row.attempts, row.error) == ("delivered", "stop", 1, None)
        assert row.prompt_tokens > 10 and row.generated_tokens > 10
        assert 0 <= row.queue_ms <= row.total_ms and 0 <= row.inference_ms <= row.total_ms


def test_shards_are_disjoint_cover_everything_and_stay_put(session: Session, case_ids: list[str]) -> None:
    with planned(session, "sharded", shard_rows=10) as (plan, registry, _served):
        assert plan.shards == CASES // 10
        done: set[str] = set()
        for shard in range(plan.shards):
            counts = stages.query_shard(
                session, plan.evaluation_id, portion=Portion(shard, plan.shards), registry=registry
            )
            now = set(told(session, plan.evaluation_id))
            assert now - done == {case for case in case_ids if shard_of(case, plan.shards) == shard}
            assert counts.asked == len(now - done)
            done = now
    assert done == set(case_ids)


def test_faults_of_every_kind_lose_nothing_and_change_nothing(session: Session, case_ids: list[str]) -> None:
    faults = parse(",".join(f"{kind}=0.04" for kind in QUICK) + ",seed=5")
    with planned(session, "faulty", faults=faults, attempts=20) as (plan, registry, _served):
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert counts.dead == 0 and counts.failed_attempts > 5
    assert told(session, plan.evaluation_id) == expected(session)


def test_a_server_smaller_than_the_budget_is_never_asked_for_more(session: Session, case_ids: list[str]) -> None:
    limits = ServerLimits(max_concurrent_requests=2)
    with planned(session, "small", limits=limits, in_flight=50) as (plan, registry, _served):
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert counts[:4] == (CASES, CASES, 0, 0)


def test_a_poison_prompt_is_dead_lettered_and_stalls_nothing(session: Session, case_ids: list[str]) -> None:
    faults = HttpFaults(poison="Person 7 ")
    with planned(session, "poisoned", faults=faults, attempts=3) as (plan, registry, served):
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
        asked = served.requests
        stages.query_shard(session, plan.evaluation_id, registry=registry)
        assert served.requests == asked
        dead = session.execute(
            select(response).where(response.c.evaluation_id == plan.evaluation_id, response.c.status == "dead")
        ).all()
        assert (counts.delivered, counts.dead) == (CASES - 1, 1)
        assert len(dead) == 1 and dead[0].text is None
        assert "HTTP 424" in dead[0].error and "attempts failed" in dead[0].error
        assert stages.forget_dead(session, plan.evaluation_id) == 1
        served.faults = HttpFaults()
        stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert told(session, plan.evaluation_id) == expected(session)


def test_a_prompt_too_long_is_named_before_the_run_and_dead_lettered_with_the_servers_words(
    session: Session, case_ids: list[str]
) -> None:
    lengths = dict(
        session.execute(text("SELECT case_id, length(text) FROM prompt WHERE snapshot = '2026-10'")).all()  # type: ignore[arg-type]
    )
    with planned(session, "short", limits=ServerLimits(max_input_tokens=50, max_total_tokens=4096)) as (
        plan,
        registry,
        _served,
    ):
        assert "prompts are too long: case " in plan.warning and "takes 50 tokens" in plan.warning
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    dead = [row for row in rows if row.status == "dead"]
    assert 0 < len(dead) == counts.dead < CASES == len(rows)
    assert all(re.search(r"`inputs` must have less than 50 tokens. Given: \d+", row.error) for row in dead)
    assert max(lengths[row.case_id] for row in rows if row.status != "dead") < max(lengths.values())


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (ServerLimits(max_input_tokens=20, max_total_tokens=4096), r"no prompt fits: the shortest has \d+ tokens"),
        (ServerLimits(max_input_tokens=500, max_total_tokens=510), "max_new_tokens is 512, but the server allows 510"),
    ],
)
def test_limits_that_no_prompt_fits_are_named_before_the_run(
    session: Session, case_ids: list[str], limits: ServerLimits, said: str
) -> None:
    with pytest.raises(UserError, match=said), planned(session, "narrow", limits=limits):
        pass


def test_a_dead_server_stops_the_lane_and_buries_no_prompt(session: Session, case_ids: list[str]) -> None:
    with planned(session, "dying", attempts=2, outage_seconds=0) as (plan, registry, served):
        served.faults = parse("generation=1")
        with pytest.raises(ServerDown, match="simulated/dying does not answer"):
            stages.query_shard(session, plan.evaluation_id, registry=registry)
        assert told(session, plan.evaluation_id) == {}
        served.faults = HttpFaults()
        stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert told(session, plan.evaluation_id) == expected(session)


def test_a_server_that_refuses_every_prompt_is_named_with_its_words(session: Session, case_ids: list[str]) -> None:
    with planned(session, "refusing") as (plan, registry, served):
        served.faults = parse("plain=1")
        with pytest.raises(ServerDown, match=r"refuses even a harmless question .*HTTP 422"):
            stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert told(session, plan.evaluation_id) == {}


def test_a_server_without_a_chosen_model_plans_nothing(session: Session, case_ids: list[str]) -> None:
    with serving([SimulatedModel("alone", echo)]) as url:
        raw = support.registry(url, name="simulated/alone").model_dump(mode="json")
        raw["servers"].append({**raw["servers"][0], "name": "other", "pool": "other"})
        registry = Registry.model_validate(raw)
        assert (
            stages.plan(
                session, "2026-10", registry=registry, only=stages.Only(["simulated/alone"], "other")
            ).evaluations
            == []
        )


def test_a_server_that_comes_back_is_waited_for(session: Session, case_ids: list[str]) -> None:
    with planned(session, "returning", attempts=2) as (plan, registry, served):
        served.faults = parse("incomplete=1")
        failures = threading.Event()

        def mend(now: LaneProgress) -> None:
            if "does not answer" in now.note:
                failures.set()
                served.faults = HttpFaults()

        counts = stages.query_shard(session, plan.evaluation_id, registry=registry, watch=stages.Watch(mend))
    assert failures.is_set() and counts.dead == 0
    assert told(session, plan.evaluation_id) == expected(session)


def test_a_changed_identity_stops_the_lane_before_anything_of_it_is_stored(
    session: Session, case_ids: list[str]
) -> None:
    served: list[SimulatedModel] = []

    def swapped(model: str, prompt: str, seed: int | None) -> str:
        if not is_case(prompt):
            return echo(model, prompt, seed)
        served[0].revision = "2"
        return "from another model"

    with planned(session, "swapped", swapped, outage_seconds=0) as (plan, registry, model):
        served.append(model)
        with pytest.raises(IdentityChanged, match="is now simulated/swapped"):
            stages.query_shard(session, plan.evaluation_id, registry=registry)
        assert told(session, plan.evaluation_id) == {}
        [fresh] = stages.plan(session, "2026-10", registry=registry).evaluations
    assert fresh.evaluation_id != plan.evaluation_id
    row = session.execute(select(incident).where(incident.c.kind == "identity_changed")).one()
    assert row.snapshot == "2026-10" and "simulated/swapped" in row.message and row.way_out


def test_nul_and_lone_surrogates_are_stored_as_replacement_characters(session: Session, case_ids: list[str]) -> None:
    """As a server's JSON escapes bring them; in a reply and in the whole exchange."""
    with planned(session, "nul") as (plan, _registry, _served):
        shard = Shard(plan.evaluation_id, "2026-10", "m", "sim", 0, 1)
        turns = (ChatTurn("user", "a"), ChatTurn("assistant", None), ChatTurn("user", "b"))
        for case, asked in zip(case_ids, ((), turns), strict=False):
            work = PromptWork(FeedItem(case, "", asked))
            work.replies = [Reply("Yes\x00, \ud800 that", "stop", 1, 1, 1, 1, 1)] * 2
            Store(session, shard, 1.0).store([PromptOutcome(work, work.replies[-1], "")])
    assert told(session, plan.evaluation_id) == dict.fromkeys(case_ids[:2], "Yes\ufffd, \ufffd that")
    kept = session.scalars(select(response.c.transcript).where(response.c.evaluation_id == plan.evaluation_id)).all()
    assert [turn["content"] for exchange in kept if exchange for turn in exchange] == [
        "a", "Yes\ufffd, \ufffd that", "b", "Yes\ufffd, \ufffd that",
    ]  # fmt: skip


def test_rows_that_another_run_has_stored_meanwhile_stay_as_they_are(session: Session, case_ids: list[str]) -> None:
    with planned(session, "meanwhile") as (plan, _registry, _served):
        store = Store(session, Shard(plan.evaluation_id, "2026-10", "m", "sim", 0, 1), 1.0)

        def outcome(case: str, said: str) -> PromptOutcome:
            return PromptOutcome(PromptWork(FeedItem(case, "")), Reply(said, "stop", 1, 1, 1, 1, 1), "")

        store.store([outcome(case_ids[0], "first")])
        store.store([outcome(case_ids[0], "second"), outcome(case_ids[1], "second")])
    assert told(session, plan.evaluation_id) == {case_ids[0]: "first", case_ids[1]: "second"}


def test_an_answer_that_postgres_refuses_is_a_dead_letter_and_its_batch_is_stored(
    session: Session, case_ids: list[str]
) -> None:
    """A count beyond its column is what every other refusal of a value is: found out by the server alone."""
    with planned(session, "refused") as (plan, _registry, _served):
        store = Store(session, Shard(plan.evaluation_id, "2026-10", "m", "sim", 0, 1), 1.0)

        def outcome(case: str, tokens: int = 1) -> PromptOutcome:
            return PromptOutcome(PromptWork(FeedItem(case, "")), Reply(f"for {case}", "stop", 1, tokens, 1, 1, 1), "")

        refused = {case_ids[3], case_ids[40]}
        store.store([outcome(case_ids[5])])  # so that the batch meets a row of another run, too
        store.store([outcome(case, 2**40 if case in refused else 1) for case in case_ids[:50]])
    assert told(session, plan.evaluation_id) == {
        case: None if case in refused else f"for {case}" for case in case_ids[:50]
    }
    dead = session.execute(
        select(response).where(response.c.evaluation_id == plan.evaluation_id, response.c.status == "dead")
    ).all()
    assert {row.case_id for row in dead} == refused
    assert all("cannot be stored" in row.error and "out of range" in row.error for row in dead)


def test_a_stored_prompt_that_cannot_be_read_is_a_dead_letter_and_the_others_are_asked(
    session: Session, case_ids: list[str]
) -> None:
    texts = [*['[{"role": "user", "content": "Was it?"}]'] * 3, '[{"role": "wizard", "content": "?"}]', "[[", "{}"]
    variant = {"id": support.CHAT, "template": "halluvault", "version": 0, "form": "chat", "context": "closed-book"}
    session.execute(insert(prompt_variant).values(variant))
    session.execute(
        insert(prompt),
        [
            {"snapshot": "2026-10", "variant_id": support.CHAT, "case_id": case, "text": text, "sha256": ""}
            for case, text in zip(case_ids, texts, strict=False)
        ],
    )
    session.commit()
    with planned(session, "unreadable") as (_plan, registry, _served):
        [plan] = stages.plan(session, "2026-10", registry=registry, variant=support.CHAT).evaluations
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    session.execute(delete(prompt).where(prompt.c.variant_id == support.CHAT))
    session.commit()
    assert counts[:3] == (6, 3, 3)
    dead = session.scalars(
        select(response.c.error).where(response.c.evaluation_id == plan.evaluation_id, response.c.status == "dead")
    ).all()
    assert all("the stored prompt cannot be read" in error for error in dead)


def test_a_lane_that_is_stopped_frees_its_places_on_the_server(session: Session, case_ids: list[str]) -> None:
    held = threading.Event()

    def hang(model: str, prompt: str, seed: int | None) -> str:
        if is_case(prompt):
            held.wait(60)
        return echo(model, prompt, seed)

    limits = ServerLimits(max_concurrent_requests=8)
    with planned(session, "freed", hang, limits=limits) as (plan, registry, served):

        def stop(now: LaneProgress) -> None:
            if now.in_flight == 8:
                raise KeyError("stopped from outside")

        with pytest.raises(KeyError):
            stages.query_shard(session, plan.evaluation_id, registry=registry, watch=stages.Watch(stop))
        # Nothing has been answered, and the server has noticed by itself: all eight places are free again.
        until = time.monotonic() + 20
        while served._permits < 8 and time.monotonic() < until:
            held.wait(0.02)
        assert served._permits == 8
        held.set()


def test_another_sampling_is_another_evaluation(session: Session, case_ids: list[str]) -> None:
    with planned(session, "sampled") as (plan, registry, _served):
        raw = registry.model_dump(mode="json")
        raw["models"][0]["sampling"]["max_new_tokens"] = 7
        [other] = stages.plan(session, "2026-10", registry=Registry.model_validate(raw)).evaluations
    assert other.evaluation_id != plan.evaluation_id
    row = session.execute(select(evaluation).where(evaluation.c.id == other.evaluation_id)).one()
    assert row.sampling == {"max_new_tokens": 7, "do_sample": False}


def test_what_is_unknown_or_dead_is_named_before_anything_is_asked(session: Session, case_ids: list[str]) -> None:
    registry = support.registry("http://127.0.0.1:1", outage_seconds=0)
    with pytest.raises(UserError, match="no benchmark for snapshot '2026-11'; there are: 2026-10"):
        stages.plan(session, "2026-11", registry=registry)
    with pytest.raises(UserError, match=r"no model 'nobody' in models\.yaml; there are: simulated/echo"):
        stages.plan(session, "2026-10", registry=registry, only=stages.Only(["nobody"]))
    with pytest.raises(
        UserError, match=r"simulated/echo: no model server of the dialect tgi at http://127.0.0.1:1/echo"
    ):
        stages.plan(session, "2026-10", registry=registry)
    with pytest.raises(UserError, match=r"no prompt variant 'x'"):
        stages.plan(session, "2026-10", registry=registry, variant="x")
    with pytest.raises(UserError, match="no evaluation 'e'"):
        stages.query_shard(session, "e", registry=registry)


def test_replicas_that_differ_are_refused(session: Session, case_ids: list[str]) -> None:
    with serving([SimulatedModel("one", echo), SimulatedModel("two", echo)]) as url:
        raw = support.registry(url, name="simulated/one").model_dump(mode="json")
        raw["models"][0]["base_urls"].append(f"{url}/two")
        registry = Registry.model_validate(raw)
        with pytest.raises(UserError, match="replicas must serve the same model"):
            stages.plan(session, "2026-10", registry=registry)
