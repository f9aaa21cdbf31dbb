import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.extraction import choose


@pytest.mark.parametrize(("name", "expected"), [("stanza", "stanza"), ("corenlp", "corenlp"), ("llm:m", "llm:m")])
def test_an_extractor_bears_the_name_it_was_chosen_by(name: str, expected: str) -> None:
    found = choose.extractor(name, corenlp_url="http://127.0.0.1:9", served=lambda _: lambda prompts, schema: [])
    assert found is not None and found.name == expected


def test_anchored_is_always_read_and_so_adds_nothing() -> None:
    assert choose.extractor("anchored") is None


@pytest.mark.parametrize("name", ["", "openie", "llm:", "llm", "Stanza", "llm:x"])
def test_an_unknown_extractor_is_refused_with_the_choices(name: str) -> None:
    with pytest.raises(UserError, match="anchored, stanza, corenlp or llm:NAME"):
        choose.extractor(name)
