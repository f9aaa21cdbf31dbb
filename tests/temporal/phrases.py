"""The usual phrase of each kind of atom, for tests that need no lexicon."""

from halluvault_tasks.temporal.kinds import KINDS
from halluvault_tasks.temporal.verbalise import Phrase

_STANDARD = {
    "life": ("was alive", "Was", "alive"),
    "run": ("was in progress", "Was", "in progress"),
    "existence": ("existed", "Did", "exist"),
    "position": ("was {o}", "Was", "{o}"),
    "taking": ("took office", "Did", "take office"),
    "marriage": ("was married to {o}", "Was", "married to {o}"),
    "event": ("took place", "Did", "take place"),
    "publication": ("was first published", "Was", "first published"),
    "birth": ("was born", "Was", "born"),
    "death": ("died", "Did", "die"),
    "founding": ("was founded", "Was", "founded"),
    "award": ("received {o}", "Did", "receive {o}"),
}


def standard_phrase(kind: str, subject: str, obj: str = "") -> Phrase:
    """The usual phrase of a kind, in the singular.

    Args:
        kind: of `temporal_fact.atoms`.
        subject: name with article where it needs one.
        obj: name of the object for position, marriage and award.
    """
    predicate, auxiliary, base = (part.replace("{o}", obj) for part in _STANDARD[kind])
    of = KINDS[kind]
    return Phrase(subject, predicate, auxiliary, base, not of.lasts, fills=of.lasts and bool(of.seated_by))
