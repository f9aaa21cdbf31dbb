"""Whose a date or place is where the verb is left out: "Ann was born in 1971 and Bob in 1968"."""

from collections.abc import Collection

from halluvault_tasks.reading.parser import Parse

_VERBS = ("VERB", "AUX")
_WHERE = ("in", "at", "on")
_LOOSE = ("npadvmod", "dep", "nsubj", "nsubjpass", "ROOT", "root")


def owner(parse: Parse, end: int, names: Collection[int], nowhere: Collection[int]) -> int:
    """The name right before a date, place or number, if it stands there for a clause of its own; -1: none does.

    Args:
        parse: of the sentence.
        end: position of the date, place or number.
        names: positions of names, those of dates and numbers not among them.
        nowhere: those of people and things that nobody can be born in.
    """
    before = end - 1
    while before > 0 and parse[before].head == end and parse[before].dep != "appos":
        before -= 1
    if before > 0 and parse[before].pos == "ADP":
        before -= 1
    while before > 0 and parse[before].text == ",":
        before -= 1
    return before if before in names and _instead_of_clause(parse, before, before in nowhere) else -1


def _instead_of_clause(parse: Parse, name: int, nowhere: bool) -> bool:
    """Whether a name is no argument of the verb before it: joined to the verb itself, or to a name before the verb."""
    top = name
    while parse[top].dep in ("appos", "conj") and parse[parse[top].head].pos not in _VERBS and parse[top].head < top:
        top = parse[top].head
    verbs = [index for index in range(name) if parse[index].pos in _VERBS]
    if not verbs:
        return False
    across = top < name and any(top < index for index in verbs)
    joined = parse[top].dep in ("conj", "appos") and parse[parse[top].head].pos in _VERBS
    listed = nowhere and top < name and parse[parse[top].head].lemma in _WHERE  # "in Leeds and Bob in York"
    return across or joined or listed or (parse[top].dep in _LOOSE and top > verbs[-1])
