import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.registry import Model, SamplingParameters, load_models
from halluvault_tasks.querying.thinking import Thinking
from halluvault_tasks.settings import REPOSITORY

SOUND = """
servers: [{name: gpu, pool: gpu, slots: 4, in_flight: 96}]
models:
  - name: llama
    dialect: tgi
    server: gpu
    base_urls: ["http://a:8080/", "http://b:8080"]
    sampling: {max_new_tokens: 256, temperature: 0}
    tags: [open]
"""


def test_what_is_shipped_for_production_asks_no_simulated_model_and_says_where_to_add_one() -> None:
    path = REPOSITORY / "config/models.yaml"
    found = load_models(path, {})
    assert found.models == found.servers == ()
    with pytest.raises(UserError) as refused:
        found.select()
    assert f"{path} registers no model" in refused.value.message


def test_the_examples_of_the_shipped_registry_are_sound_once_uncommented(tmp_path: Path) -> None:
    blocks, block = [], []
    for line in (REPOSITORY / "config/models.yaml").read_text(encoding="utf-8").splitlines():
        if line.startswith("# servers:") and line == "# servers:" and block:
            blocks, block = [*blocks, block], []
        if line == "# servers:" or (block and line.startswith(("# models:", "#   "))):
            block.append(line.removeprefix("# "))
    examples = [one for one in [*blocks, block] if any("base_urls: [" in line for line in one)]
    assert len(examples) == 2
    for example in examples:
        assert load_models(_write(tmp_path, "\n".join(example)), {}).models


def test_the_demos_registry_names_four_simulated_models_on_two_servers() -> None:
    found = load_models(REPOSITORY / "config/demo/models.yaml", {"HALLUVAULT_SIM_B_URL": "http://127.0.0.1:9"})
    assert [model.name for model in found.models] == [
        "simulated/careful",
        "simulated/overconfident",
        "simulated/weak-at-time",
        "simulated/refuser",
    ]
    assert {model.server for model in found.models} == {"sim-a", "sim-b"}
    assert found.model("simulated/careful").base_urls == ("http://127.0.0.1:8081/careful",)
    assert found.model("simulated/refuser").base_urls == ("http://127.0.0.1:9/refuser",)
    assert [model.client for model in found.models] == ["bulk", "bulk", "bulk", "hub"], "one is asked by the library"


def test_a_slot_carries_its_part_of_the_budget(tmp_path: Path) -> None:
    found = load_models(_write(tmp_path, SOUND), {})
    assert found.server("gpu").in_flight_per_shard == 24
    assert found.model("llama").base_urls == ("http://a:8080", "http://b:8080")


def _write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "models.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ("slots: 4", "slots: 0", ["servers[gpu].slots", "0", "greater than or equal to 1"]),
        ("slots: 4", "slots: four", ["servers[gpu].slots", "'four'", "integer"]),
        ("dialect: tgi", "dialect: vllm", ["models[llama].dialect", "'vllm'", "'tgi'", "'openai'"]),
        ("dialect: tgi", "dialect: tgi\n    served_as: x", ["models[llama]", "served_as", "openai"]),
        ("dialect: tgi", "dialect: tgi\n    route: generate", ["models[llama].route", "'generate'", "'completions'"]),
        ("temperature: 0", "top_k: 3", ["sampling.top_k does not exist on the route chat", "`route: completions`"]),
        (
            "temperature: 0",
            "truncate: 9",
            ["sampling.truncate does not exist on the route chat", "/v1/chat/completions"],
        ),
        ("dialect: tgi", "dialect: tgi\n    token_env: A\n    token_connection: b", ["exclude each other"]),
        ("temperature: 0", "extra: {top_k: 3}", ["sampling.extra belongs to the dialect openai"]),
        ("temperature: 0", "extra: {presence_penalty: 0}", ["sampling.extra", "'presence_penalty' is not free"]),
        ('"http://b:8080"', '"http://a:8080"', ["base_urls", "duplicate URL"]),
        ('"http://a:8080/"', '"http://me:hidden@a:8080"', ["base_urls", "//…@a:8080", "without user, password"]),
        ('"http://a:8080/"', '"http://me:hidden/hidden@hidden@a:8080"', ["base_urls", "//…@a:8080"]),
        ('"http://a:8080/"', '"me:hidden@a:8080"', ["base_urls", "…@a:8080"]),
        ('"http://a:8080/"', '"http://me:hidden?#@a:8080/${NOWHERE}"', ["base_urls", "//…@a:8080", "NOWHERE"]),
        ("server: gpu", "server: cpu", ["models[llama].server", "'cpu'", "gpu"]),
        ('"http://a:8080/"', '"a:8080"', ["models[llama].base_urls", "a:8080", "http(s)://"]),
        ('"http://a:8080/"', '"${NOWHERE}/x"', ["models[llama].base_urls", "NOWHERE"]),
        ("temperature: 0", "temperature: -1", ["sampling.temperature", "-1", "greater than or equal to 0"]),
        ("temperature: 0", "temprature: 1", ["sampling.temprature", "no such key; there are"]),
        ("temperature: 0", "top_p: 1.0", ["sampling.top_p", "1.0", "less than 1"]),
        ("    dialect: tgi\n", "", ["models[llama].dialect", "required"]),
        ("models:", "models: [", ["line", "column"]),
        (SOUND, "- just a list", ["list", "mapping"]),
    ],
)
def test_a_mistake_names_file_entry_value_and_accepted_form(
    tmp_path: Path, before: str, after: str, named: list[str]
) -> None:
    path = _write(tmp_path, SOUND.replace(before, after))
    with pytest.raises(UserError) as caught:
        load_models(path, {})
    for word in [str(path), *named]:
        assert word in caught.value.message
    assert "\n" not in str(caught.value) and "hidden" not in str(caught.value)


@pytest.mark.parametrize("field", ["token_env", "token_connection"])
@pytest.mark.parametrize(
    "key",
    [
        "sk-hidden",
        "sk-proj-hiddenHIDDEN0123456789",
        "hf_hiddenHIDDEN0123456789abcdef",
        "gsk_hiddenHIDDEN0123456789",
        "AKIAHIDDEN0123456789",
        "hidden1x7Qw0zR4tY8uI2oP6",
        "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        "HIDDEN1X7QW0ZR4TY8UI2OP6",
        "Bearer hidden",
        "${hidden}",
        "$hidden",
        "hidden=hidden",
        "123456789012",
        "[hidden]",
        "{hidden: hidden}",
        "hidden-" + "h" * 5000,
    ],
)
def test_a_key_in_place_of_its_name_is_refused_and_not_shown(tmp_path: Path, field: str, key: str) -> None:
    quoted = key if key[0] in "[{" else f'"{key}"'
    text = SOUND.replace("dialect: tgi", f"dialect: tgi\n    {field}: {quoted}")
    if field == "token_connection" and key.startswith(("sk-hidden", "123", "hidden-")):
        return  # a connection may be called so
    with pytest.raises(UserError, match=rf"models\[llama\]\.{field}: ") as caught:
        load_models(_write(tmp_path, text), {})
    assert "hidden" not in str(caught.value).lower() and key not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "HF_TOKEN", "hf_token", "GPU_1_TOKEN", "LLAMA3_70B_KEY", "AZURE_OPENAI_API_KEY_2", "_K"]
)
def test_the_name_of_a_variable_is_taken(tmp_path: Path, name: str) -> None:
    found = load_models(_write(tmp_path, SOUND.replace("dialect: tgi", f"dialect: tgi\n    token_env: {name}")), {})
    assert found.model("llama").token_env == name
    assert name not in repr(found.model("llama")), "where a key may stand by mistake is in no log"


def test_two_models_of_one_name_are_refused(tmp_path: Path) -> None:
    entry = SOUND.split("models:\n")[1]
    with pytest.raises(UserError, match="duplicate model 'llama'"):
        load_models(_write(tmp_path, SOUND + entry), {})


def test_an_unknown_name_says_which_exist(tmp_path: Path) -> None:
    found = load_models(_write(tmp_path, SOUND), {})
    for call in (lambda: found.model("lama"), lambda: found.select(tag="closed"), lambda: found.select(server="tpu")):
        with pytest.raises(UserError, match=rf"in {tmp_path}/\S+; there are: "):
            call()


def thousand(change: Callable[[list[dict[str, Any]]], object]) -> str:
    """1,000 models on 20 servers, one of them changed."""
    models: list[dict[str, Any]] = [
        {"name": f"m-{n}", "dialect": "tgi", "server": f"s-{n % 20}", "base_urls": [f"http://a:{8000 + n}"]}
        for n in range(1000)
    ]
    change(models)
    servers = [{"name": f"s-{n}", "pool": f"p-{n}", "slots": 1, "in_flight": 8} for n in range(20)]
    return yaml.safe_dump({"servers": servers, "models": models})


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda models: models[617].update(dialect="tgl"), r"models\[m-617\]\.dialect is 'tgl'"),
        (lambda models: models[617].update(base_urls=["a:8000"]), r"models\[m-617\]\.base_urls"),
        (lambda models: models[617].pop("server"), r"models\[m-617\]\.server"),
        (lambda models: models[617].update(server="s-99"), r"models\[m-617\]\.server is 's-99'; accepted: s-"),
        (lambda models: models[617].update(name="m-618"), "duplicate model 'm-618'"),
        (
            lambda models: [one.update(server="s-1") for one in models[:30]],
            "78 models name the server 's-1'; at most 60",
        ),
    ],
)
def test_of_a_thousand_models_the_one_that_is_wrong_is_named_in_a_line(
    tmp_path: Path, change: Callable[[list[dict[str, Any]]], object], named: str
) -> None:
    assert len(load_models(_write(tmp_path, thousand(lambda models: None)), {}).models) == 1000
    with pytest.raises(UserError, match=named) as caught:
        load_models(_write(tmp_path, thousand(change)), {})
    assert len(str(caught.value)) < 500 and "\n" not in str(caught.value)


def test_of_a_thousand_models_those_are_shown_that_look_like_what_was_asked_for(tmp_path: Path) -> None:
    found = load_models(_write(tmp_path, thousand(lambda models: None)), {})
    with pytest.raises(UserError, match=r"no model 'm_617' in .*; there are: m-617, .* and 997 more"):
        found.model("m_617")
    with pytest.raises(UserError, match=r"no model 'llama' in .*; there are: 1000, none like it"):
        found.model("llama")


def thinking(tmp_path: Path, written: str) -> Model:
    text = SOUND.replace("dialect: tgi", f"dialect: openai\n    thinking: {written}")
    return load_models(_write(tmp_path, text), {}).model("llama")


@pytest.mark.parametrize("off", ["off", "'off'", "false", "{off: true}"])
def test_thinking_is_off_also_where_yaml_reads_the_word_as_false(tmp_path: Path, off: str) -> None:
    assert thinking(tmp_path, off).thinking == Thinking(off=True)


def test_thinking_takes_a_budget_marks_and_a_way_to_switch_it_off(tmp_path: Path) -> None:
    for auto in ("auto", "", "{}"):
        model = thinking(tmp_path, auto)
        assert model.thinking == Thinking() and model.parameters() == model.sampling.parameters()
    given = thinking(tmp_path, "{budget: 9000, start: <a>, end: </a>}").parameters()["thinking"]
    assert given == {"budget": 9000, "start": "<a>", "end": "</a>"}
    assert thinking(tmp_path, "{off: /quiet}").thinking == Thinking(off="/quiet")
    assert thinking(tmp_path, "{off: {effort: 0}, end: </a>}").thinking == Thinking(off={"effort": 0}, end="</a>")


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("on", ["thinking", "auto, off or {budget: N", "leave it at auto"]),
        ("never", ["'never'", "auto, off or {budget: N"]),
        ("4096", ["4096", "{budget: N"]),
        ("{budget: 0}", ["thinking.budget", "greater than or equal to 1"]),
        ("{budget: much}", ["thinking.budget", "'much'", "integer"]),
        ("{start: <a>}", ["thinking.start needs thinking.end"]),
        ("{off: true, budget: 3}", ["exclude each other"]),
        ("{off: {model: x}}", ["thinking.off", "'model' is not free"]),
        ("{bugdet: 3}", ["thinking.bugdet", "no such key; there are budget, start, end, off"]),
        ("off\n    route: completions", ["thinking: off needs the route chat"]),
    ],
)
def test_a_mistake_in_thinking_names_what_it_takes(tmp_path: Path, written: str, named: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        thinking(tmp_path, written)
    for word in named:
        assert word in caught.value.message
    assert "\n" not in str(caught.value)


def test_two_spellings_of_greedy_are_one_evaluation() -> None:
    assert SamplingParameters(temperature=0.0).parameters() == SamplingParameters().parameters() == {
        "max_new_tokens": 512,
        "do_sample": False,
    }  # fmt: skip


def test_the_openai_dialect_leaves_v1_out_and_refuses_what_it_has_no_word_for(tmp_path: Path) -> None:
    text = SOUND.replace("dialect: tgi", "dialect: openai").replace("http://a:8080/", "http://a:8080/v1/")
    assert load_models(_write(tmp_path, text), {}).model("llama").base_urls == ("http://a:8080", "http://b:8080")
    for field in ("top_k: 3", "typical_p: 0.5", "repetition_penalty: 1.1", "truncate: 9"):
        with pytest.raises(UserError, match=f"sampling.{field.split(':')[0]} does not exist in the dialect openai"):
            load_models(_write(tmp_path, text.replace("temperature: 0", field)), {})
    with pytest.raises(UserError, match="stream needs the route chat"):
        load_models(_write(tmp_path, text + "    route: completions\n    stream: true\n"), {})


def test_a_password_in_a_url_is_refused_without_being_shown(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        load_models(_write(tmp_path, SOUND.replace("http://a:8080/", "http://me:hidden@a:8080")), {})
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("file", ["README.md", "docs/querying.md", "config/models.yaml"])
def test_every_example_that_is_shown_is_a_sound_registry(tmp_path: Path, file: str) -> None:
    text = (REPOSITORY / file).read_text()
    if file.endswith(".yaml"):
        commented = [line.removeprefix("#").removeprefix(" ") for line in text.splitlines() if line.startswith("#")]
        blocks = ["\n".join(commented[max(n for n, line in enumerate(commented) if line == "servers:") :])]
    else:
        blocks = [textwrap.dedent(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    found = [load_models(_write(tmp_path, block), {}) for block in blocks if "servers:" in block]
    assert found and {model.route for registry in found for model in registry.models} == {"chat", "completions"}


EXAMINED = SOUND + "examiner: {model: llama, model_id: meta/Llama-3-8B}\n"


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (EXAMINED.replace("{model: llama,", "{model: lama,"), r"examiner\.model is 'lama'; accepted: llama"),
        (
            EXAMINED.replace("temperature: 0", "temperature: 0.7"),
            "must be asked by the route chat and take the likeliest",
        ),
        (EXAMINED.replace("dialect: tgi", "dialect: tgi\n    route: completions"), "must be asked by the route chat"),
        (EXAMINED.replace("model_id: meta/Llama-3-8B", "sha: 1"), "examiner"),
    ],
)
def test_an_examiner_is_a_registered_model_that_answers_greedily_and_is_pinned(
    tmp_path: Path, written: str, says: str
) -> None:
    assert load_models(_write(tmp_path, SOUND), {}).examiner is None, "off by default"
    with pytest.raises(UserError, match=says):
        load_models(_write(tmp_path, written), {})


def test_an_examiner_is_asked_a_month_only_if_it_is_named(tmp_path: Path) -> None:
    found = load_models(_write(tmp_path, EXAMINED), {})
    assert [one.name for one in found.select()] == ["llama"], "listed as any other"
    assert found.select(left_out=found.examiner_alone) == ()
    assert [one.name for one in found.select(["llama"], left_out=found.examiner_alone)] == ["llama"]
