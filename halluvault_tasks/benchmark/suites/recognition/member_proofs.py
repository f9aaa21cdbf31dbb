"""Proofs of the members of a recognition pair: Prolog that prints the gold answer by what the snapshot shows.

The false member is so by what excludes what it says; the right one by the statements that say it, and by the document
that holds them where it is a summary. Without such a fact either prints `undecided`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from halluvault_tasks.benchmark.suites.recognition.swaps import Swap, triple
from halluvault_tasks.prolog import terms

_FALSE = """\
:- initialization(main, main).
:- discontiguous stated/3, only_value/2, apart/2, contains/2, claimed_container/2, clash/2, untold/1.
:- dynamic stated/3, only_value/2, apart/2, contains/2, claimed_container/2, clash/2, untold/1.

hallucinated :- stated(S, P, O), only_value(S, P), apart(O, _).
hallucinated :- stated(_, P, _), clash(P, _).
hallucinated :- stated(_, _, O), contains(_, O), \\+ claimed_container(_, O).
hallucinated :- stated(_, _, O), contains(Country, O), claimed_container(Other, O), apart(Country, Other).
hallucinated :- stated(_, P, left_out), untold(P).

main :- ( hallucinated -> writeln(yes) ; writeln(undecided) ).
"""

_RIGHT = """\
:- initialization(main, main).
:- discontiguous stated/3, held/3, contains/2, says/3, says_within/3.
:- dynamic stated/3, held/3, contains/2, says/3, says_within/3.

% What it says is stated; what a summary says, its document holds, too.
supported(S, P, O) :- stated(S, P, O), ( task(summary) -> held(S, P, O) ; true ).
within(S, P, Country) :- stated(S, P, O), contains(Country, O).
right :-
    once(( says(_, _, _) ; says_within(_, _, _) )),
    forall(says(S, P, O), supported(S, P, O)),
    forall(says_within(S, P, Country), within(S, P, Country)).

main :- ( right -> writeln({gold}) ; writeln(undecided) ).
"""


def member(one: Swap, which: Literal["right", "false"]) -> str:
    """Of a member of a pair: its gold answer, `no` or `yes`."""
    if which == "right":
        return _right(one, "no")
    cited = [_cited(premise) for premise in one.premises]
    return "\n".join([_FALSE, *cited, terms.comment(one.why), *one.facts, ""])


def mended(one: Swap) -> str:
    """Of the pair's false member, to be corrected: the text of the right one."""
    return _right(one, one.right)


def _right(one: Swap, gold: str) -> str:
    lines = [_RIGHT.replace("{gold}", terms.atom(gold)), f"task({one.task})."]
    for premise in one.premises:
        lines += [_cited(premise), f"stated({triple(premise)})."]
    return "\n".join([*lines, terms.comment("what the member says, and what else it rests on"), *one.support, ""])


def _cited(premise: Mapping[str, Any]) -> str:
    return terms.comment(f"statement {premise['guid']}: {premise['sentence']}")
