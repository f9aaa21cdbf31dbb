"""The two members of a recognition pair: the false one is so by what excludes what it says, the right one by what is
stated, and by its document where it has one."""

from collections.abc import Iterable
from typing import NamedTuple

from halluvault_tasks.prolog.terms import comment, fact
from halluvault_tasks.reasoning.case_proofs.program import Cited, Facts, program
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil


class Falsity(NamedTuple):
    """What shows that a member is false.

    Attributes:
        why: in words.
        facts: the same for a proof.
        foil: the false fact that it says; None where what it says is true, or of another kind.
    """

    why: str
    facts: Facts
    foil: StatementFoil | None = None


def false_member(cited: Iterable[Cited], shown: Falsity) -> str:
    """The program that prints `yes`: the text holds what is not factual.

    Args:
        cited: statements beside it, for readers.
        shown: what shows it, by one of the functions below.
    """
    return program("false_member", [*(statement.comment for statement in cited), comment(shown.why), *shown.facts])


def right_member(task: str, gold: str, cited: Iterable[Cited], support: Facts) -> str:
    """The program that prints the gold answer: the text says what is stated.

    Args:
        task: qa, dialogue or summary.
        gold: what is printed: `no`, or the text itself.
        cited: statements that it rests on.
        support: what it says, by `saying` or `saying_within`.
    """
    stated = [line for statement in cited for line in (statement.comment, statement.fact("stated"))]
    rests = comment("what the member says, and what else it rests on")
    return program("right_member", [fact("task", task), fact("gold", gold), *stated, rests, *support])


def saying(statements: Iterable[Cited], held: Iterable[Cited] = ()) -> Facts:
    """A right member says these statements, of a document that holds those."""
    return (*(statement.fact("says") for statement in statements), *(statement.fact("held") for statement in held))


def saying_within(s: int, p: int, o: int, country: int) -> Facts:
    """A right member says in which country the value of a statement lies."""
    return fact("says_within", s, p, country), fact("contains", country, o)


def excluded(o: int, foil: StatementFoil, note: str = "") -> Falsity:
    """Another value is told of a slot whose only value, `o`, rules it out; `note` says where that one is from."""
    return Falsity(foil.why + note, (*_only(foil.s, foil.relation.pid, o), fact("apart", o, foil.end)), foil)


def of_another_kind(s: int, p: int, o: int, other: int) -> Falsity:
    """A thing of a kind that the property does not take."""
    return Falsity(f"Q{other} is of no kind that P{p} takes", (*_only(s, p, o), fact("clash", p, other)))


def around(s: int, p: int, o: int, container: int) -> Falsity:
    """What contains the value is given where the value itself is asked."""
    return Falsity(f"Q{container} contains Q{o}, which is asked for", _around(s, p, o, container))


def within_another(s: int, p: int, country: int, foil: StatementFoil) -> Falsity:
    """Another country is told of a value than the one in which it lies."""
    facts = fact("claimed_container", foil.end, foil.s), fact("apart", country, foil.end)
    return Falsity(foil.why, (*_around(s, p, foil.s, country), *facts), foil)


def left_out(s: int, p: int) -> Falsity:
    """A true statement of which the document tells nothing."""
    facts = fact("stated", s, p, "left_out"), fact("untold", p)
    return Falsity("it is stated, and the document does not hold it", facts)


def _only(s: int, p: int, o: int) -> Facts:
    return fact("stated", s, p, o), fact("only_value", s, p)


def _around(s: int, p: int, o: int, container: int) -> Facts:
    return fact("stated", s, p, o), fact("contains", container, o)
