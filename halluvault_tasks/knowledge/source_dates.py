"""The date of a source's data: given, stated by the source, or today's."""

from datetime import UTC, date, datetime

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import queries
from halluvault_tasks.knowledge.client import WikidataClient


def stated(client: WikidataClient) -> date | None:
    """The date that the source itself gives for its data; None where it gives none.

    Meant for sources that stand still. A live service states its last change, a moment ago.
    """
    days = sorted(row["d"]["value"][:10] for row in client.select(queries.stated_date()).rows)
    try:
        return date.fromisoformat(days[-1]) if days else None
    except ValueError:
        return None


def given_as(given: str) -> date | None:
    """The date given for a source's data; None if none is given.

    Raises:
        UserError: the text is no date, or one that is still to come.
    """
    try:
        day = date.fromisoformat(given) if given else None
    except ValueError as error:
        raise UserError(f"as_of {given!r} is not a date; it must be YYYY-MM-DD", "for example 2026-11-20") from error
    if day and day > datetime.now(UTC).date():
        raise UserError(f"as_of {day} is still to come: no data are of that day", "give the day that the data go to")
    return day


def settle(client: WikidataClient, given: str, today: date) -> date:
    """The date of the source's data: the one given, else what a local source states, else today.

    Raises:
        UserError: the given text is no date.
    """
    return given_as(given) or (stated(client) if client.local else None) or today
