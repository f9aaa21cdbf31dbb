"""Whose a date or place is where a verb is left out, and so not who is named before: "… in 1971 and Bob in 1968"."""

from collections.abc import Collection

from halluvault_tasks.reading import english
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.rules import rule

_VERBS = ("VERB", "AUX")
_WHERE = ("in", "at", "on")
_BESIDE = english.RELATION | {"like", "unlike", "near", "against"}
_LOOSE = ("npadvmod", "dep", "nsubj", "nsubjpass", "ROOT", "root")


@rule(
    "claims.owner", "Ann Lee was born in 1971 and [Bob Fox|human] in 1968.", "Ann Lee was born in 1971.", otherwise=-1
)
def owner(parse: Parse, end: int, names: Collection[int], nowhere: Collection[int], ends: Collection[int]) -> int:
    """The name right before a date, place or number, if it stands there for a clause of its own; -1: none does.

    Args:
        parse: of the sentence.
        end: position of the date, place or number.
        names: positions of names, those of dates and numbers not among them; somebody's "brother" is taken for one.
        nowhere: those of people and things that nobody can be born in.
        ends: positions of dates, places and numbers, which may stand in a row: "Bob in 1968 in York".
    """
    before = end
    while before > 0:
        before = _before(parse, before)
        owned = (
            end in ends
            and parse[before].pos == "NOUN"
            and any(word.dep == "poss" and word.head == before for word in parse)
        )
        if (before in names or owned) and _instead_of_clause(parse, before, before in nowhere or owned):
            return before
        if before not in ends:
            break
    return -1


def _before(parse: Parse, end: int) -> int:
    """The word before a date or place with what belongs to it: its preposition, a comma, a "not"."""
    before = end - 1
    while before > 0 and parse[before].head == end and parse[before].dep != "appos":
        before -= 1
    if before > 0 and parse[before].pos == "ADP":
        before -= 1
    while before > 0 and (parse[before].text == "," or parse[before].dep == "neg"):
        before -= 1
    return before


def _instead_of_clause(parse: Parse, name: int, nowhere: bool) -> bool:
    """Whether a name is no argument of the verb before it: joined to the verb itself, or to a name before the verb."""
    top = name
    while parse[top].dep in ("appos", "conj") and parse[parse[top].head].pos not in _VERBS and parse[top].head < top:
        top = parse[top].head
    governor = parse[parse[name].head] if parse[name].dep == "pobj" else parse[name]
    if governor.text.casefold() in _BESIDE or parse[governor.head].text.casefold() in ("that", "those"):
        return True  # "after Bob in 1968", "that of Bob in 1968"
    verbs = [index for index in range(name) if parse[index].pos in _VERBS]
    if not verbs:
        return False
    across = top < name and any(top < index for index in verbs)
    joined = parse[top].dep in ("conj", "appos") and parse[parse[top].head].pos in _VERBS
    listed = nowhere and top < name and parse[parse[top].head].lemma in _WHERE  # "in Leeds and Bob in York"
    return across or joined or listed or (parse[top].dep in _LOOSE and top > verbs[-1])
