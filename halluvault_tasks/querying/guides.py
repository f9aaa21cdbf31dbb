"""How a turn is held to its required form: by a grammar if the server obeys one, else only by a length limit.

The dialects send it (`dialects.words`, `tgi_words`); this module decides what to ask for, from what `verify`
saw the server do.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.template import WORDS
from halluvault_tasks.querying.replies import Grammar
from halluvault_tasks.querying.verify import Behaviour

VERDICT_TOKENS = 8
"""Most new tokens of a verdict in free words; anything longer is not a verdict."""

_GUIDED_TOKENS = 32
"""For a verdict as JSON, which some servers indent."""


class Bound(NamedTuple):
    """What binds a reply to its form."""

    grammar: Grammar | None
    """None: the server obeys none."""
    tokens: int
    """New tokens at most."""


def schema_of(guide: str) -> Mapping[str, Any]:
    """A guide's words where a server takes JSON schemas alone; `reading.verdict_turn` and `conduct` read both."""
    return {
        "type": "object",
        "properties": {guide: {"type": "string", "enum": list(WORDS[guide])}},
        "required": [guide],
        "additionalProperties": False,
    }


def bound(guide: str, behaviour: Behaviour | None, tokens: int | None = None) -> Bound | None:
    """What holds the reply to a turn, or None where it is free.

    What a model thinks before is not counted: the client puts its budget on top.

    Args:
        guide: of the turn (`benchmark.suites.template.Guide`).
        behaviour: what the model was seen to do; None: it was never looked at, and nothing depends on its grammars.
        tokens: `sampling.verdict_tokens` of the model; None: as many as the form needs.
    """
    if guide == "free":
        return None
    if behaviour is not None and behaviour.guided_regex:
        return Bound(Grammar("regex", f"({'|'.join(WORDS[guide])})"), tokens or _GUIDED_TOKENS)
    if behaviour is not None and behaviour.guided_json:
        return Bound(Grammar("json", schema_of(guide), behaviour.json_form), tokens or _GUIDED_TOKENS)
    return Bound(None, tokens or VERDICT_TOKENS)
