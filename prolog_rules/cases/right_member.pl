% The right member of a pair of texts says what is stated, and of a document what that holds. Prints the gold answer, or
% `undecided` without a statement that it says.
%
% Facts: task(qa), task(dialogue) or task(summary); gold(Answer); stated(Subject, Property, Value), the statements that
% are cited; says(Subject, Property, Value), those that the member says; held(Subject, Property, Value), those of its
% document; says_within(Subject, Property, Country): it says in which country the value lies; contains(Country, Place).

:- initialization(main, main).
:- style_check(-discontiguous).
:- dynamic task/1, gold/1, stated/3, says/3, held/3, says_within/3, contains/2.

supported(S, P, O) :- stated(S, P, O), ( task(summary) -> held(S, P, O) ; true ).
within(S, P, Country) :- stated(S, P, O), contains(Country, O).
right :-
    once(( says(_, _, _) ; says_within(_, _, _) )),
    forall(says(S, P, O), supported(S, P, O)),
    forall(says_within(S, P, Country), within(S, P, Country)).

main :- ( right, gold(Answer) -> writeln(Answer) ; writeln(undecided) ).
