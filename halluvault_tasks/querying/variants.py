"""Which prompt variant an evaluation asks; missing prompts of a known variant are made."""

from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts import store, variants
from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.prompts.ways import Asking, default_ways
from halluvault_tasks.benchmark.suites.template import Template
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying.preflight import Extremes
from halluvault_tasks.storage.tables import prompt, prompt_variant


class ChosenVariant(NamedTuple):
    """A prompt variant of a benchmark."""

    id: str
    chat: bool
    """Whether its prompts are conversations."""


def find(session: Session, snapshot: str, wanted: str) -> ChosenVariant:
    """The prompt variant to ask. Commits what prompts it makes.

    Args:
        session: open session.
        snapshot: exact key of a month with a published part.
        wanted: TEMPLATE, TEMPLATE/FORM, TEMPLATE/FORM/CONTEXT or id; of a version that is no longer made, the id.

    Raises:
        UserError: there is no such benchmark or variant, or no case has such a prompt; says what there is.
    """
    known = part_lookup.months(session, published=True)
    if snapshot not in known:
        raise UserError(
            f"no benchmark for snapshot {snapshot!r}; there are: {', '.join(known) or 'none'}",
            "`halluvault benchmark build` makes one",
        )
    variant = variants.named(wanted)
    if variant is not None:
        store.ensure(session, snapshot, variant)
        found = ChosenVariant(variant.id, variant.form == "chat")
    else:
        form = session.scalar(select(prompt_variant.c.form).where(prompt_variant.c.id == wanted))
        if form is None:
            raise UserError(f"no prompt variant {wanted!r}", variants.ACCEPTED)
        found = ChosenVariant(wanted, form == "chat")
    if not store.count(session, snapshot, found.id):
        raise UserError(
            f"no case of {snapshot} has a prompt in the variant {wanted!r}",
            "ask another variant: out-of-distribution needs cases that depend on something recent, and prompts of an "
            "earlier version's id are no longer made",
        )
    return found


def default(session: Session, snapshot: str, configured: str) -> list[Asking]:
    """How a month is asked if no variant is named: as its published parts say, each way once.

    Args:
        session: open session.
        snapshot: exact key.
        configured: `default_variant` of benchmark.yaml, for suites that have none of their own.
    """
    published = [] if snapshot not in part_lookup.months(session) else part_lookup.of_month(session, snapshot)
    return default_ways((part for part in published if part.published), configured) or [Asking(configured)]


def template(session: Session, variant_id: str) -> Template | None:
    """The template of a variant; None if it is no longer made."""
    name = session.scalar(select(prompt_variant.c.template).where(prompt_variant.c.id == variant_id))
    return TEMPLATES.get(str(name))


_FOR_BASE = "halluvault/plain"


def for_route(variant: str, route: str) -> str:
    """The variant that a default one is for models of a route: a base model takes no conversation, but its plain form.

    Args:
        variant: whole name or id of a default variant.
        route: of the model.

    Returns:
        The name of the plain variant with the same context where this one is a conversation and the route takes none.
    """
    known = variants.named(variant)
    if route == "chat" or known is None or known.form == "plain":
        return variant
    own = variants.named(f"{known.template}/plain/{known.context}")
    return (own or variants.parse(f"{_FOR_BASE}/{known.context}")).name


def extremes(session: Session, snapshot: str, variant_id: str, chat: bool) -> Extremes:
    """The shortest and the longest prompt of a benchmark in one variant."""
    mine = select(prompt.c.case_id, prompt.c.text).where(
        prompt.c.snapshot == snapshot,
        prompt.c.variant_id == variant_id,
        prompt.c.case_id.in_(part_lookup.asked(snapshot)),
    )
    shortest = session.execute(mine.order_by(func.length(prompt.c.text), prompt.c.case_id).limit(1)).one()
    longest = session.execute(mine.order_by(func.length(prompt.c.text).desc(), prompt.c.case_id).limit(1)).one()
    return Extremes(shortest.text, longest.text, longest.case_id, chat)
