"""Which months are meant: one, a list, a range, or all of some kind."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import parts
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.wikidata import keys
from halluvault_tasks.wikidata.keys import parse_key

ALL = "all"
_BETWEEN = ".."
_FORMS = "give YYYY-MM, YYYY-MM.N, a list 2026-01,2026-03, a range 2026-01..2026-10, or all"


def months(
    session: Session, wanted: str, there: Sequence[str] | None = None, what: str = "has a published benchmark"
) -> list[str]:
    """Exact snapshot keys, oldest first.

    Args:
        session: open session.
        wanted: empty for the newest published month; one key or several with commas, a range of months with both ends
            in it, or `all`. A month means its highest published revision; what a range or `all` covers are months of
            `there`, of each its highest revision.
        there: exact keys; None means the months that have a published benchmark.
        what: what these have and the others lack, for the message.

    Raises:
        UserError: a key that is none, a month that does not exist, or a range without one.
    """
    if not wanted.strip():
        return [snapshots.find(session).snapshot]
    among = parts.months(session, published=True) if there is None else sorted(there, key=keys.order)
    found: dict[str, None] = {}
    for part in filter(None, (piece.strip() for piece in wanted.split(","))):
        if part == ALL or _BETWEEN in part:
            found |= dict.fromkeys(_span(part, among, what))
        else:
            found[snapshots.find(session, part).snapshot] = None
    if not found:
        raise UserError(f"--snapshots {wanted!r} names no month", _FORMS)
    return sorted(found, key=keys.order)


def _span(part: str, there: Sequence[str], what: str) -> Sequence[str]:
    """The months of a range, of each its highest revision."""
    first, last = "0000-00", "9999-99"
    if part != ALL:
        ends = part.split(_BETWEEN)
        if len(ends) != 2 or any(parse_key(end).revision is not None for end in ends):
            raise UserError(f"{part!r} is no range of months", _FORMS)
        first, last = (parse_key(end).month for end in ends)
        if first > last:
            raise UserError(f"the range {part!r} ends before it begins", f"did you mean {last}..{first}?")
    newest = {parse_key(key).month: key for key in there if first <= parse_key(key).month <= last}
    if not newest:
        raise UserError(f"no month of {part} {what}; there are: {', '.join(there) or 'none'}", _FORMS)
    return list(newest.values())
