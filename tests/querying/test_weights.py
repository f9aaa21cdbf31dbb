"""Who a model is where its server names a path alone: the sha256 of the weights, as far as they lie on this machine."""

import asyncio
import hashlib
from pathlib import Path

import pytest

from halluvault_tasks.querying import servers, weights
from halluvault_tasks.querying.registry import Registry
from tests.querying import llamacpp as llama


def test_a_path_on_this_machine_gets_the_weights_sha256_and_other_weights_are_another_model(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"weights" * 1000)
    with llama.serving(lambda _m, _s: "Yes.", name=str(file)) as (url, _bodies):
        found = Registry.model_validate({
            "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 4}],
            "models": [{"name": "small", "server": "sim", "dialect": "openai", "base_urls": [url]}],
        })
        identity = asyncio.run(servers.identify(found.models[0], found.servers[0])).identity
        assert identity.model_id == str(file)
        assert identity.model_sha == hashlib.sha256(b"weights" * 1000).hexdigest()
        file.write_bytes(b"other")
        again = asyncio.run(servers.identify(found.models[0], found.servers[0])).identity
    assert again.model_sha == hashlib.sha256(b"other").hexdigest()


def test_a_directory_is_known_by_its_weight_files_alone(tmp_path: Path) -> None:
    assert weights.sha256_of(str(tmp_path), "http://127.0.0.1:1") is None
    (tmp_path / "model.safetensors").write_bytes(b"a")
    first = weights.sha256_of(str(tmp_path), "http://localhost:1")
    (tmp_path / "README.md").write_text("words")
    assert first is not None and weights.sha256_of(str(tmp_path), "http://[::1]:1") == first
    (tmp_path / "model.safetensors").rename(tmp_path / "model-1.safetensors")
    assert weights.sha256_of(str(tmp_path), "http://127.0.0.1:1") != first


@pytest.mark.parametrize("url", ["http://gpu-1:8000", "http://10.0.0.7:8000", "http://127.0.0.1.example:80"])
def test_a_path_on_another_machine_is_never_looked_for_here(tmp_path: Path, url: str) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"weights")
    assert weights.sha256_of(str(file), url) is None


@pytest.mark.parametrize("name", ["org/model", "gpt-4o", "/no/such/file", "", "/\0"])
def test_a_name_that_leads_to_no_weights_has_no_sha(name: str) -> None:
    assert weights.sha256_of(name, "http://127.0.0.1:1") is None
