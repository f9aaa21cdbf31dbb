import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.extraction import choose


@pytest.mark.parametrize("name", ["stanza", "corenlp"])
def test_an_extractor_bears_the_name_it_was_chosen_by(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLUVAULT_CORENLP_URL", "http://127.0.0.1:9")
    found = choose.configured(name)
    assert found is not None and found.name == name


def test_anchored_is_always_read_and_so_adds_nothing() -> None:
    assert choose.configured("anchored") is None


@pytest.mark.parametrize("name", ["openie", "llm:m", "Stanza"])
def test_an_unknown_extractor_is_refused_with_the_choices(name: str) -> None:
    with pytest.raises(UserError, match="anchored, stanza or corenlp"):
        choose.configured(name)
