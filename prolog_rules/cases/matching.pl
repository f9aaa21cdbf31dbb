% The right ends of pairs, in the order in which their left ends are asked. Prints their names, or `undecided` where one
% has none.
%
% Facts: pair(Left, Right), one for each statement; asked(Left), in that order.

:- initialization(main, main).
:- dynamic pair/2, asked/1.

matched(Rights) :-
    findall(Left, asked(Left), Lefts),
    Lefts = [_|_],
    maplist(pair, Lefts, Rights).

main :- ( matched(Rights) -> atomic_list_concat(Rights, ', ', Answer) ; Answer = undecided ), writeln(Answer).
