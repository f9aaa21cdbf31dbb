"""Who is of one family: nobody examines his own."""

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.kinship import NamedModel, kinship
from halluvault_tasks.querying.registry import Registry


def registered(**families: str) -> Registry:
    common = {"dialect": "tgi", "server": "gpu", "base_urls": ["http://a:8080"]}
    return Registry.model_validate({
        "servers": [{"name": "gpu", "pool": "gpu", "slots": 1, "in_flight": 1}],
        "models": [{"name": name, "family": family, **common} for name, family in families.items()],
    })


LLAMA = NamedModel("llama-70b", "meta-llama/Llama-3.3-70B-Instruct")


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (NamedModel("llama-70b", "elsewhere"), "the model itself"),
        (NamedModel("my-name", LLAMA.served), "the model itself"),
        (NamedModel("llama-8b-edited", "served-here"), "the family 'llama'"),
        (NamedModel("hermes", "nous/Hermes-2-Llama-3"), "the family 'llama'"),
        (NamedModel("qwen", "Qwen/Qwen3-8B-Instruct"), ""),
    ],
)
def test_a_word_that_names_share_is_a_family_and_what_says_nothing_is_none(other: NamedModel, shared: str) -> None:
    assert kinship(registered(), LLAMA, other) == kinship(registered(), other, LLAMA) == shared


def test_what_the_registry_says_goes_before_names() -> None:
    registry = registered(judge="Llama", hermes="nous")
    assert kinship(registry, NamedModel("judge", "my-deployment"), LLAMA) == "the family 'llama'"
    assert kinship(registry, NamedModel("hermes", "Hermes-2-Llama-3"), LLAMA) == ""


def test_names_that_say_nothing_need_a_word_in_the_registry() -> None:
    with pytest.raises(UserError, match=r"the names of o3 \(o3-mini\) do not say what family it is of"):
        kinship(registered(), LLAMA, NamedModel("o3", "o3-mini"))
    assert kinship(registered(o3="openai"), LLAMA, NamedModel("o3", "o3-mini")) == ""
