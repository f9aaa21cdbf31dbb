"""Which of the chosen models can be asked now, and what keeps the others from it.

Every check is made of every model, all at once; a model that fails one is left out of the next, with the reason, and
keeps no other from being asked.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import evaluations, preflight, servers, verify
from halluvault_tasks.querying.outage import until_it_answers
from halluvault_tasks.querying.preflight import Extremes
from halluvault_tasks.querying.registry import Model, Registry
from halluvault_tasks.querying.servers import Identified, TokenOf
from halluvault_tasks.querying.verify import Behaviour

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class LeftOut(NamedTuple):
    """A model that cannot be asked now."""

    model: str
    """Registry name."""
    server: str
    """Registry name."""
    why: UserError
    """`Unavailable` where it may pass by itself."""


class ReadyModel(NamedTuple):
    """A model that can be asked."""

    entry: Model
    found: Identified
    behaviour: Behaviour
    too_long: str
    """A warning that names the longest prompt, where it is too long; else empty."""

    @property
    def warnings(self) -> list[str]:
        """What is known to go wrong, with some prompts or with how it is asked."""
        return [*verify.warnings(self.entry, self.behaviour), *filter(None, [self.too_long])]


def of_models(
    session: Session,
    chosen: Sequence[Model],
    registry: Registry,
    extremes: Extremes,
    token: TokenOf,
) -> tuple[list[ReadyModel], list[LeftOut]]:
    """Ask every server who it is and, once for each identity, what it does. Commits.

    Args:
        session: keeps what the models were seen to do.
        chosen: models to ask.
        registry: where their servers are.
        extremes: the prompts that they are to be asked.
        token: where API keys come from.

    Returns:
        Those that can be asked and those that cannot, each in the order of `chosen`.
    """
    place = {entry.name: number for number, entry in enumerate(chosen)}
    roll = _Roll(chosen)
    roll.check(partial(preflight.variant_fits, chat=extremes.chat))
    found = roll.keep(asyncio.run(servers.identify_all(roll.left, registry, token)))
    roll.check(lambda entry: preflight.parameters_fit(entry, found[entry.name]))

    async def lengths(http: servers.Http, entry: Model) -> str:
        home = registry.server(entry.server)
        return await preflight.lengths_fit(http, entry, home, found[entry.name], extremes, token)

    too_long = roll.keep(asyncio.run(_of_each(roll.left, lengths)))
    behaviours = roll.keep(_behaviours(session, roll.left, registry, found, token))
    ready = [ReadyModel(entry, found[entry.name], behaviours[entry.name], too_long[entry.name]) for entry in roll.left]
    return ready, sorted(roll.out, key=lambda out: place[out.model])


class _Roll:
    """The models that have passed every check so far, and those that have not."""

    def __init__(self, chosen: Sequence[Model]) -> None:
        self.left = list(chosen)
        self.out: list[LeftOut] = []

    def check(self, step: Callable[[Model], object]) -> None:
        """Leave out whom a check refuses with a `UserError`."""
        for entry in list(self.left):
            try:
                step(entry)
            except UserError as error:
                self._leave_out(entry, error)

    def keep(self, outcomes: Mapping[str, _T | UserError]) -> dict[str, _T]:
        """What a check found, by registry name; whom it found at fault is left out."""
        kept: dict[str, _T] = {}
        for entry in list(self.left):
            outcome = outcomes[entry.name]
            if isinstance(outcome, UserError):
                self._leave_out(entry, outcome)
            else:
                kept[entry.name] = outcome
        return kept

    def _leave_out(self, entry: Model, why: UserError) -> None:
        self.left.remove(entry)
        self.out.append(LeftOut(entry.name, entry.server, why))


async def _of_each(
    entries: Sequence[Model], ask: Callable[[servers.Http, Model], Awaitable[_T]]
) -> dict[str, _T | UserError]:
    """What is found of each model, or its `UserError`, by registry name."""

    async def one(http: servers.Http, entry: Model) -> _T | UserError:
        try:
            return await ask(http, entry)
        except UserError as error:
            return error

    async with servers.Http() as http:
        found = await asyncio.gather(*(one(http, entry) for entry in entries))
    return {entry.name: outcome for entry, outcome in zip(entries, found, strict=True)}


def _behaviours(
    session: Session,
    entries: Sequence[Model],
    registry: Registry,
    found: Mapping[str, Identified],
    token: TokenOf,
) -> dict[str, Behaviour | UserError]:
    """What each model does, by registry name: as it was seen before, else asked now and kept with its row."""
    keys = {entry.name: evaluations.model_key(entry, found[entry.name].identity) for entry in entries}
    known: dict[str, Behaviour | UserError] = {
        entry.name: seen for entry in entries if (seen := evaluations.seen_before(session, entry, keys[entry.name]))
    }
    new = [entry for entry in entries if entry.name not in known]
    session.commit()  # servers may take minutes, in which no transaction stands open

    async def patient(http: servers.Http, entry: Model) -> Behaviour:
        home = registry.server(entry.server)
        ask = partial(verify.observe, http, entry, home, found[entry.name], token)
        return await until_it_answers(ask, f"{entry.name} at {', '.join(entry.base_urls)}", home.outage_seconds)

    seen_now = asyncio.run(_of_each(new, patient)) if new else {}
    for entry in new:
        if isinstance(behaviour := seen_now[entry.name], Behaviour):
            evaluations.model_row(session, entry, found[entry.name].identity)
            evaluations.keep_seen(session, entry, keys[entry.name], behaviour)
            _log.info("%s: %s, %s (%s)", entry.name, behaviour.decoding, behaviour.guided, behaviour.seen)
    return known | seen_now
