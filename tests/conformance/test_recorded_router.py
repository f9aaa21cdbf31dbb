"""The simulated server answers request by request as TGI's own router was recorded to answer.

What is compared: status, the names of the headers and the values of those that no clock, length or text decides, and
the body: errors by their words and paths without the place, the value and the kind of number that serde names beside
them and without counts of prompt tokens; answers by shape (keys, types, nulls); of a stream what ends it. The texts are
others, for another tokeniser cuts and another model writes them.
"""

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from halluvault_tasks.local.simulator.http_faults import HttpFaults, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.server import serving

SAYS = "Yes. Ada Lovelace was born in London on 10 December 1815, as the daughter of Lord Byron."
SMALL = ServerLimits(max_concurrent_requests=4, max_input_tokens=128, max_total_tokens=192)

_STAND_IN = "the recorded v3 router had a stand-in for its shard, which "
_UNUSED = "no client of ours asks for it, so ours ignores it"
_UNSERVED = "no client of ours asks it, so ours has none"
_FOR_BOTH = {
    "generate/body an array": "ours takes no list for a struct",
    "stream/best_of 2": _UNUSED,
    "chat/top_logprobs": _UNUSED,
    "chat/tools required": _UNUSED,
    "chat/tools by name": _UNUSED,
    "invocations/generate": _UNSERVED,
    "vertex/generate": _UNSERVED,
    "get/ping": _UNSERVED,
    "get/metrics": _UNSERVED,
    "get/docs": _UNSERVED,
}
WANTED = {
    "v3": {
        **_FOR_BOTH,
        "generate/decoder_input_details": _UNUSED,
        "generate/temperature 0.5": _STAND_IN + "never tells the seed it drew with; a real one does",
        "generate/top_k 1": _STAND_IN + "never tells the seed it drew with; a real one does",
        "generate/top_p 0.9": _STAND_IN + "never tells the seed it drew with; a real one does",
        "generate/grammar bad regex": _STAND_IN + "compiles no grammar; ours fails over it as a real one does",
    },
    "llamacpp": _FOR_BOTH,
    "v3-faults": {
        "shard killed/generate": "ours has no shard that could refuse connections; the same status says out of memory",
        "shard killed/stream": "as shard killed/generate",
    },
}
"""Differences that are meant to be: file → request → why."""

OURS = {"x-compute-type": "simulated"}
"""Headers by which a simulated server may be told from a real one."""
_BY_CLOCK_OR_TEXT = re.compile(
    r"date|content-length|x-(compute-(time|characters)|.*-time|time-.*|.*-tokens)|time-per-token"
)


class Reply(NamedTuple):
    """A reply as it is compared."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: object


@pytest.fixture(scope="session")
def tgi(shared_data: Path) -> Path:
    return shared_data / "tgi"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    def says(model: str, prompt: str, seed: int | None) -> str:
        return SAYS

    models = [
        SimulatedModel("v3", says, revision=None, limits=SMALL, blocking=False),
        SimulatedModel("llamacpp", says, revision=None, limits=llamacpp(SMALL), blocking=False),
        SimulatedModel("full", says, revision=None, limits=SMALL._replace(max_concurrent_requests=0), blocking=False),
        SimulatedModel("oom", says, revision=None, limits=SMALL, faults=HttpFaults(poison="POISON"), blocking=False),
        SimulatedModel("ill", says, revision=None, faults=parse("unhealthy=1,generation=1"), blocking=False),
    ]
    with serving(models) as base:
        yield base


def asked(url: str, model: str, line: dict[str, Any]) -> Reply:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
    headers = line.get("request_headers", {"content-type": "application/json"})
    body = line["request"]
    if line["method"] in ("GET", "HEAD", "OPTIONS"):
        body = None
    connection.putrequest(line["method"], f"/{model}{line['path']}")
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else b""
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.putheader("content-length", str(len(data)))
    connection.endheaders(data)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return compared(answer.status, [(name.lower(), value) for name, value in answer.getheaders()], text)


def compared(status: int, headers: list[tuple[str, str]], body: str) -> Reply:
    shown = tuple(
        sorted(
            (name, "" if _BY_CLOCK_OR_TEXT.fullmatch(name) or name in OURS else value)
            for name, value in headers
            if name not in ("connection", "transfer-encoding")
        )
    )
    return Reply(status, shown, of_body(status, body))


def of_body(status: int, body: str) -> object:
    body = without_details(body)
    # What counts prompt tokens depends on the tokeniser.
    body = re.sub(r"Given: \d+( `inputs` tokens|\")", r"Given: some\1", body)
    if body.startswith("data:"):
        events = [block.removeprefix("data: ") for block in body.split("\n\n") if block]
        shapes = [each if each == "[DONE]" else shape(json.loads(each)) for each in events]
        # How many tokens there are is the text's business; what comes last, and what behind it, is the router's.
        return [each for each in shapes if each == "[DONE]" or "error" in each or not _goes_on(each)]
    try:
        parsed = json.loads(body)
    except ValueError:
        return body if status >= 400 else bool(body)
    return parsed if status >= 400 else shape(parsed)


def without_details(said: str) -> str:
    said = re.sub(r" at line \d+ column \d+$", "", said)
    said = re.sub(r"(parse the request body as JSON: )[\w.]+: ", r"\1", said)
    said = re.sub(r"(invalid (?:type|value): [a-z ]+) (?:`[^`]*`|\"[^\"]*\")", r"\1", said)
    return re.sub(r"expected (?:[uif](?:32|64)|usize)$", "expected a number", said)


def _goes_on(event: dict[str, Any]) -> bool:
    """Whether an event is of a token that is not the last."""
    if "choices" in event:
        return bool(event["choices"]) and event["choices"][0]["finish_reason"] in ("NoneType", False)
    return event["generated_text"] == "NoneType"


def shape(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: value[key] if "error" in value else shape(each, key) for key, each in value.items()}
    if isinstance(value, list):
        found = [shape(each) for each in value]
        return found[:1] + found[-1:] if found else []
    if isinstance(value, str):
        return value if name in ("object", "role") else "text" if name != "finish_reason" else bool(value)
    return type(value).__name__ if name != "logprob" else "number"


def differences(folder: Path, url: str, file: str, model: str = "", kind: str = "") -> dict[str, tuple[object, object]]:
    """What is answered otherwise: request → the recorded reply and ours."""
    found = {}
    for line in (folder / "recorded-router" / f"{file}.jsonl").read_text().splitlines():
        each = json.loads(line)
        if not each["name"].startswith(kind):
            continue
        theirs = compared(each["reply"]["status"], each["reply"]["headers"], each["reply"]["body"])
        ours = asked(url, model or file, each)
        for left, right in zip(theirs, ours, strict=True):
            if left != right:
                found[each["name"]] = (left, right)
    return found


@pytest.mark.parametrize("file", ["v3", "llamacpp"])
def test_every_request_is_answered_as_by_the_recorded_router_but_for_the_wanted_differences(
    url: str, tgi: Path, file: str
) -> None:
    found = differences(tgi, url, file)
    assert set(found) == set(WANTED[file]), {name: found.get(name) for name in set(found) ^ set(WANTED[file])}


def test_overload_out_of_memory_and_ill_health_are_told_as_by_the_recorded_router(url: str, tgi: Path) -> None:
    models = {"overloaded": "full", "out of memory": "oom", "shard killed": "ill"}
    found = {
        name: pair
        for kind, model in models.items()
        for name, pair in differences(tgi, url, "v3-faults", model, kind).items()
    }
    assert set(found) == set(WANTED["v3-faults"]), found
