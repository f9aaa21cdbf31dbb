"""How a turn is held to its required form: by a grammar if the server obeys one, else only by a length limit.

The dialects send it (`dialects.words`, `tgi_words`); this module decides what to ask for, from what `verify`
saw the server do.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from halluvault_tasks.benchmark.suites.template import WORDS
from halluvault_tasks.querying.replies import Grammar
from halluvault_tasks.querying.verify import Behaviour
from halluvault_tasks.wikidata.times import MONTH_NAMES

VERDICT_TOKENS = 8
"""Most new tokens of a verdict in free words; anything longer is not a verdict."""

_GUIDED_TOKENS = 32
"""For a verdict as JSON, which some servers indent."""


class TurnForm(NamedTuple):
    """The form of a reply.

    Attributes:
        pattern: regular expression that fits it whole; of what every engine knows.
        values: all that it may be; empty where they are not counted.
        tokens: new tokens at most, in free words.
        guided_tokens: under a grammar, which some servers fill with blanks.
    """

    pattern: str
    values: tuple[str, ...] = ()
    tokens: int = VERDICT_TOKENS
    guided_tokens: int = _GUIDED_TOKENS


_MONTHS = "|".join(MONTH_NAMES)
_DONT_KNOW = "[Dd]on't know"

FORMS: Mapping[str, TurnForm] = MappingProxyType({
    **{guide: TurnForm(f"({'|'.join(words)})", words) for guide, words in WORDS.items()},
    # Some twelve tokens; names of other scripts take more, as do several names. A brace or a quotation mark ends none:
    # under a schema a small model would go on for ever.
    "name": TurnForm(r'[^\n\r{}"]{1,80}', tokens=24, guided_tokens=48),
    "date": TurnForm(f"((([1-3]?[0-9] )?({_MONTHS}) )?[1-9][0-9]{{0,3}}( BC)?|{_DONT_KNOW})", tokens=16),
    "number": TurnForm(f"([0-9]{{1,9}}|{_DONT_KNOW})"),
    "confidence": TurnForm("(100|[1-9]?[0-9])"),
})
"""Guide → what a turn under it may be answered with."""


class Bound(NamedTuple):
    """What binds a reply to its form."""

    grammar: Grammar | None
    """None: the server obeys none."""
    tokens: int
    """New tokens at most."""


def schema_of(guide: str) -> Mapping[str, Any]:
    """A guide's form where a server takes JSON schemas alone: an object whose one key is the guide.

    `reading` takes the answer out of it (`verdict_turn`, `conduct`).
    """
    form = FORMS[guide]
    value = {"enum": list(form.values)} if form.values else {"pattern": f"^{form.pattern}$"}
    return {
        "type": "object",
        "properties": {guide: {"type": "string", **value}},
        "required": [guide],
        "additionalProperties": False,
    }


def bound(guide: str, behaviour: Behaviour | None, tokens: int | None = None) -> Bound | None:
    """What holds the reply to a turn, or None where it is free.

    What a model thinks before is not counted: the client puts its budget on top.

    Args:
        guide: of the turn (`benchmark.suites.template.Guide`).
        behaviour: what the model was seen to do; None: it was never looked at, and nothing depends on its grammars.
        tokens: `sampling.verdict_tokens` of the model, for forms of a few words; None: as many as the form needs.
    """
    if guide == "free":
        return None
    form = FORMS[guide]
    if form.values and tokens:
        form = form._replace(tokens=tokens, guided_tokens=tokens)
    if behaviour is not None and behaviour.guided_regex:
        return Bound(Grammar("regex", form.pattern), form.guided_tokens)
    if behaviour is not None and behaviour.guided_json:
        return Bound(Grammar("json", schema_of(guide), behaviour.json_form), form.guided_tokens)
    return Bound(None, form.tokens)
