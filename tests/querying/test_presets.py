"""Hosted APIs by configuration: each preset against a server that is as its documentation and public reports say."""

import asyncio
import json
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from halluvault_tasks.cli.models import models
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving as simulating
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.querying import servers
from halluvault_tasks.querying.dialects.presets import presets
from halluvault_tasks.querying.registry import Model, Registry, load_models
from halluvault_tasks.querying.replies import Identity, RateLimit, Reply
from halluvault_tasks.settings import settings
from tests.querying.hosted import HOSTS, KEY, Host, serving

HOME = {"name": "s", "pool": "s", "slots": 1, "in_flight": 4, "outage_seconds": 0}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST_KEY", KEY)


def registry(url: str, name: str, **more: Any) -> Registry:
    entry = {
        "name": "m", "dialect": "openai", "server": "s", "base_urls": [url], "served_as": HOSTS[name].name,
        "token_env": "HOST_KEY", "api": {"preset": name}, **more,
    }  # fmt: skip
    return Registry.model_validate({"servers": [HOME], "models": [entry]})


def one_question(found: Registry) -> tuple[Identity, Reply]:
    [entry], [home] = found.models, found.servers

    async def ask() -> tuple[Identity, Reply]:
        identified = await servers.identify(entry, home)
        async with servers.Http() as http:
            [client] = servers.clients(http, entry, home)
            assert await client.healthy()
            return identified.identity, await client.complete("Is the sky blue? Answer yes or no.")

    return asyncio.run(ask())


VERSIONS = {"vllm": "0.33.0", "sglang": "0.5.23", "ollama": "0.40.12", "llama.cpp": "b8681"}


@pytest.mark.parametrize("client", ["bulk", "hub"])
@pytest.mark.parametrize("name", HOSTS)
def test_a_preset_says_all_that_its_api_needs(name: str, client: str) -> None:
    host = HOSTS[name]
    with serving(host) as (url, bodies):
        # gpt-5 and its like take no temperature: `models check` finds that, and a model's entry may say it.
        api: dict[str, Any] = {"preset": name} | ({"omit": ["temperature"]} if "temperature" in host.refuses else {})
        found = registry(url + host.path, name, api=api, client=client)
        assert found.models[0].base_urls == (url,), "the API's path may stand in the URL, too"
        identity, reply = one_question(found)
    assert identity == Identity(host.name, None, VERSIONS.get(name))
    assert (reply.text, reply.finish_reason) == ("Yes.", "stop")
    assert reply.rate == (RateLimit(160_000, 159_000, None) if host.headers else None)
    limit = "max_completion_tokens" if name in ("openai", "azure") else "max_tokens"
    assert bodies[-1][limit] == 512 and ("temperature" in bodies[-1]) == ("omit" not in api)


def test_every_preset_is_tested_and_says_where_it_was_seen() -> None:
    assert set(presets()) == {*HOSTS, "tgi"}
    assert all(each.seen for each in presets().values())


def test_the_preset_of_tgi_is_tgi_in_both_dialects() -> None:
    with simulating([SimulatedModel("echo", answer, blocking=False)]) as url:
        for dialect in ("tgi", "openai"):
            entry = {
                "name": "m",
                "dialect": dialect,
                "server": "s",
                "base_urls": [f"{url}/echo"],
                "api": {"preset": "tgi"},
            }
            identity, reply = one_question(Registry.model_validate({"servers": [HOME], "models": [entry]}))
            assert identity.model_id == "simulated/echo" and reply.text


def test_a_path_a_query_and_a_header_of_ones_own_are_as_good_as_a_preset() -> None:
    own = Host("/openai/deployments/d", "d", None, header="api-key", query={"api-version": "2024-10-21"})
    api = {"path": own.path, "query": dict(own.query), "header": "api-key"}
    with serving(own) as (url, _bodies):
        for path in ("", own.path, f"{own.path}/chat/completions"):
            found = registry(url + path, "openai", served_as="d", api=api)
            assert one_question(found)[1].text == "Yes."
        whole = registry(url + own.path, "openai", served_as="d", api=api | {"path": ""})
        assert whole.models[0].base_urls == (url + own.path,)
        assert one_question(whole)[1].text == "Yes."


@pytest.mark.parametrize(
    "base_url", ["https://h/v1beta/openai/", "https://h/api/v3", "https://h/api/paas/v4", "https://h/inference"]
)
def test_an_api_below_any_path_can_be_said(base_url: str) -> None:
    path = base_url.removeprefix("https://h").rstrip("/")
    for api in ({"path": path}, {"path": ""}):
        entry = Model.model_validate({
            "name": "m",
            "dialect": "openai",
            "server": "s",
            "base_urls": [base_url],
            "api": api,
        })
        assert entry.base_urls[0] + entry.way.path == f"https://h{path}"


def test_a_path_may_have_any_slashes_and_a_version_be_a_date() -> None:
    for path in ("/api/v3", "api/v3/", "/api/v3/"):
        api = {"path": path, "query": {"api-version": date(2024, 10, 21)}}
        way = registry("http://h", "openai", api=api).models[0].way
        assert (way.path, way.query) == ("/api/v3", {"api-version": "2024-10-21"})


def test_a_model_that_no_list_names_is_asked_under_the_name_it_was_given() -> None:
    for listed in (None, (), ("another",)):
        with serving(Host("/v1", "mine", listed)) as (url, _bodies):
            assert one_question(registry(url, "openai", served_as="mine", api={}))[1].text == "Yes."
            if listed:
                with pytest.raises(UserError, match="no model 'yours' in /v1/models; there are: another"):
                    one_question(registry(url, "openai", served_as="yours", api={}))


def test_without_a_temperature_in_the_request_a_model_is_not_greedy() -> None:
    def entry(**more: Any) -> Model:
        return registry("http://h", "vllm", **more).models[0]

    assert entry().greedy and not entry(api={"omit": ["temperature"]}).greedy
    given = entry(api={"preset": "mistral", "omit": ["seed", "temperature"], "limit_field": "max_new"}).parameters()
    assert given == {
        "max_new_tokens": 512,
        "do_sample": False,
        "limit_field": "max_new",
        "omit": ["seed", "temperature"],
    }
    assert entry(api={}).parameters() == entry().parameters() == {"max_new_tokens": 512, "do_sample": False}


@pytest.mark.parametrize(
    ("api", "said"),
    [
        (
            {"preset": "openia"},
            "no such preset; there are: openai, azure, gemini, openrouter, mistral, groq, ",
        ),
        ({"path": "/v 3"}, "String should match pattern"),
        ({"query": {"api-key": "s3cret"}}, "a key does not belong into a URL"),
        ({"omit": ["model"]}, "'model' cannot be left out"),
        ({"preset": "azure"}, "served_as is missing: an API like azure does not list what it serves"),
        ({"header": "api key"}, "String should match pattern"),
        ({"timeout": 3}, "Extra inputs are not permitted"),
    ],
)
def test_a_mistake_in_api_is_one_line_and_shows_no_key(api: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        registry("http://h", "openai", api=api, served_as="")
    [fault] = caught.value.errors()
    assert said in fault["msg"] and "s3cret" not in fault["msg"]


@pytest.mark.parametrize(("dialect", "api", "said"), [
    ("tgi", {"preset": "vllm"}, "api.preset vllm belongs to the dialect openai"),
    ("tgi", {"path": "/v3"}, "api.path belongs to the dialect openai"),
])  # fmt: skip
def test_what_a_dialect_has_not_is_refused(dialect: str, api: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        registry("http://h", "openai", dialect=dialect, api=api, served_as="")


def test_a_query_or_a_password_in_a_url_is_refused_with_the_way_out(tmp_path: Path) -> None:
    for url in ("https://h/v1?api-version=1", "https://me:hidden@h/v1"):
        file = tmp_path / "models.yaml"
        file.write_text(json.dumps({
            "servers": [HOME],
            "models": [{"name": "m", "dialect": "openai", "server": "s", "base_urls": [url]}],
        }))  # fmt: skip
        with pytest.raises(UserError) as caught:
            load_models(file, {})
        assert "`api: {query: {NAME: VALUE}}`" in str(caught.value) and "token_env" in str(caught.value)
        assert "hidden" not in str(caught.value)


def test_models_check_finds_what_each_api_refuses_and_asks_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        entries = []
        for name, host in HOSTS.items():
            url, _bodies = stack.enter_context(serving(host))
            entries.append(registry(url, name).models[0].model_copy(update={"name": name}))
        file = tmp_path / "models.yaml"
        shown = [entry.model_dump(mode="json", exclude_defaults=True) for entry in entries]
        file.write_text(json.dumps({"servers": [HOME], "models": shown}))
        monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(file))
        settings.cache_clear()
        try:
            done = CliRunner().invoke(models, ["check"])
        finally:
            settings.cache_clear()
    assert done.exception is None, done.output
    said = " ".join(done.output.split())
    for name in ("openai", "azure"):
        assert f"{name}: the server refuses temperature, so it is asked without" in " ".join(done.stderr.split()), said
    assert done.stdout.count("agree") == len(HOSTS) and KEY not in done.output
