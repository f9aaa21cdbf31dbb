% The answer to an open question: a name, a date or a number. Prints it, or `undecided` where nothing shows it; several
% names of a complete list are joined by "; ", in the order of their facts.
%
% Facts: stated(Subject, Property, Value), one for each statement; back(Property, Other), where Other says the same of the
% two ends turned round; inside(Place, Country), which its chain of containment shows; name(Value, Text).
% What is asked, one of: asked(Start, Path), the value at the end of a path of properties, `inside` a step of it;
% asked_all(Subject, Property), every value, and asked_number(Subject, Property), how many; asked_age(Born, Died), days
% as date(Year, Month, Day); asked_holder(Day), with held(Holder, First, Last), days as numbers; asked_first(Items), with
% lies(Item, First, Last).

:- initialization(main, main).
:- dynamic stated/3, back/2, inside/2, name/2, held/3, lies/3.
:- dynamic asked/2, asked_all/2, asked_number/2, asked_age/2, asked_holder/1, asked_first/1.

holds(S, inside, O) :- inside(S, O).
holds(S, P, O) :- stated(S, P, O).
holds(S, P, O) :- back(P, Q), stated(O, Q, S).

follow(At, [], At).
follow(At, [P|Ps], End) :- findall(O, holds(At, P, O), Os), sort(Os, [Next]), follow(Next, Ps, End).

years(date(Y, M, D), date(Y1, M1, D1), Years) :-
    ( (M1 @< M ; M1 == M, D1 @< D) -> Years is Y1 - Y - 1 ; Years is Y1 - Y ).

said(Value, Text) :- ( name(Value, Name) -> Text = Name ; Text = Value ).

answer(Text) :- asked(Start, Path), follow(Start, Path, End), said(End, Text).
answer(Text) :-
    asked_all(S, P), findall(Name, (stated(S, P, O), name(O, Name)), Names), Names = [_|_],
    atomic_list_concat(Names, '; ', Text).
answer(Number) :- asked_number(S, P), findall(O, stated(S, P, O), Os), sort(Os, Each), length(Each, Number), Number > 0.
answer(Years) :- asked_age(Born, Died), years(Born, Died, Years).
answer(Text) :-
    asked_holder(Day), findall(Who, (held(Who, First, Last), First =< Day, Day =< Last), Several), sort(Several, [Who]),
    said(Who, Text).
answer(Text) :-
    asked_first(Items), member(Item, Items), lies(Item, _, Last),
    forall((member(Other, Items), Other \== Item), (lies(Other, First, _), First > Last)), said(Item, Text).

main :- ( answer(Answer) -> true ; Answer = undecided ), writeln(Answer).
