% The false member of a pair of texts holds what is not factual. Prints `yes`, or `undecided` without what shows it.
%
% Facts, of numbers: stated(Subject, Property, Value); only_value(Subject, Property): it is the only one;
% apart(Value, Other): these two exclude each other; clash(Property, Other): it takes nothing of the kind of Other;
% contains(Place, Inner); claimed_container(Place, Inner): what the text puts Inner into; untold(Property): the document
% tells nothing of it.

:- initialization(main, main).
:- style_check(-discontiguous).
:- dynamic stated/3, only_value/2, apart/2, clash/2, contains/2, claimed_container/2, untold/1.

hallucinated :- stated(S, P, O), only_value(S, P), apart(O, _).
hallucinated :- stated(_, P, _), clash(P, _).
hallucinated :- stated(_, _, O), contains(_, O), \+ claimed_container(_, O).
hallucinated :- stated(_, _, O), contains(Country, O), claimed_container(Other, O), apart(Country, Other).
hallucinated :- stated(_, P, left_out), untold(P).

main :- ( hallucinated -> writeln(yes) ; writeln(undecided) ).
