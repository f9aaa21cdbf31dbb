"""Kinds of prompt: a template, a form and a context. Names are spelt the same everywhere; ids are content hashes."""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator

from halluvault_tasks.benchmark.cases.hashes import content_id
from halluvault_tasks.benchmark.prompts.templates import TEMPLATES

Form = Literal["plain", "chat"]

FORMS: tuple[Form, ...] = ("plain", "chat")
"""One text; or a conversation, for servers that apply the model's own chat template."""

OUT_OF_DISTRIBUTION = "out-of-distribution"
"""The one context that not every case has: recent events are told first, so a case must depend on one."""

CONTEXTS: Mapping[str, int] = {"closed-book": 1, "with-evidence": 1, OUT_OF_DISTRIBUTION: 2}
"""What a model is given beside the question → version of how it is given.

out-of-distribution 2: the events come from the case's own part alone, and how many and how recent is no setting.
"""


class Variant(NamedTuple):
    """One kind of prompt."""

    template: str
    form: Form
    context: str

    @property
    def version(self) -> int:
        """Counts the changes of its template and of its context."""
        return TEMPLATES[self.template].version + CONTEXTS[self.context] - 1

    @property
    def id(self) -> str:
        """Id of template, version, form and context."""
        return content_id(self.template, self.version, self.form, self.context)

    @property
    def name(self) -> str:
        """TEMPLATE/FORM/CONTEXT, as people write it."""
        return f"{self.template}/{self.form}/{self.context}"


def _known() -> tuple[Variant, ...]:
    """Plain before chat and closed-book first: the order in which an incomplete name is resolved."""
    every = [Variant(template, form, context) for form in FORMS for context in CONTEXTS for template in TEMPLATES]
    return tuple(one for one in every if one.form == "chat" or _one_turn(one))


def _one_turn(variant: Variant) -> bool:
    turns = len(TEMPLATES[variant.template].turns) + (variant.context == OUT_OF_DISTRIBUTION)
    return turns == 1


KNOWN = _known()
"""Every variant that prompts can be made in."""


def named(wanted: str) -> Variant | None:
    """The variant of a name, or None.

    Args:
        wanted: id, TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT; what is left out means plain before chat and
            closed-book before other contexts.
    """
    for one in KNOWN:
        if wanted in (one.id, one.template, f"{one.template}/{one.form}", one.name):
            return one
    return None


def parse(wanted: object) -> Variant:
    """The variant of a name.

    Raises:
        ValueError: there is no such variant; says how they are named.
    """
    found = named(wanted) if isinstance(wanted, str) else wanted if isinstance(wanted, Variant) else None
    if found is None:
        raise ValueError(f"no prompt variant {wanted!r}; {ACCEPTED}")
    return found


ACCEPTED = (
    "give TEMPLATE, TEMPLATE/FORM or TEMPLATE/FORM/CONTEXT: a template is "
    f"{', '.join(TEMPLATES)}; a form {' or '.join(FORMS)}, and what has two turns is chat only; a context "
    f"{', '.join(CONTEXTS)}"
)
"""How variants are named, for messages."""

NamedVariant = Annotated[Variant, BeforeValidator(parse)]
"""A variant in a configuration file, written as its name."""
