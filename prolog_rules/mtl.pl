% F[a,b], G[a,b], N, U and not, and, or of a formula, on its certain and its possible times.
:- module(mtl,
          [ occurs/6,                   % +World, +Name, +Rows, +Scope, +Settled, -Value
            negation/2,                 % +Value, -Value
            both/3,                     % +Value, +Value, -Value
            either/3,                   % +Value, +Value, -Value
            next/2,                     % +Value, -Value
            finally/4,                  % +First, +Last, +Value, -Value
            globally/4,                 % +First, +Last, +Value, -Value
            until/5,                    % +First, +Last, +Value, +Value, -Value
            answer_at/6,                % :Goal, +At, +Least, +Greatest, -Answer, -How
            print_answer/4,             % :Goal, +At, +Least, +Greatest
            print_sets/1                % :Goal
          ]).

:- use_module(interval_sets).

/** <module> Metric Temporal Logic on dates that may be uncertain

A formula's meaning is a value `tv(Certain, Possible, Yes, No, Extent)`:

  - Certain: the points where it holds whatever the true dates are;
  - Possible: the points where it holds for some true dates;
  - Yes: pairs L-R with L > R, each saying: whatever the true dates are, it holds throughout some [s,e] with s =< L
    and e >= R. They are worth nothing by themselves, but a window that is wide enough catches one (semantics.md 2.5);
  - No: the same pairs for the formula's negation;
  - Extent: at most so many points lie from the first to the last where it holds, or `sup`. A point event has 1.

Each sub-formula is a predicate of two arguments, World and Value. In the World `bounds` an atom's value comes from
the bounds of its dates. In `world(Low, High, Choices)` one completion of the dates is chosen, on backtracking every
one, the same wherever the atom is mentioned; ends outside [Low,High] are moved to its edges, because the formula
looks no further.

    ?- use_module(mtl), finally(0, 40, tv([1837-1901],[1837-1901],[],[],sup), V).
*/

:- meta_predicate
    answer_at(2, +, +, +, -, -),
    print_answer(2, +, +, +),
    print_sets(2).

%!  occurs(+World, +Name, +Rows, +Scope, +Settled, -Value) is multi.
%
%   An atom's value. Rows are span(S1,S2,E1,E2), start in [S1,S2] and end in [E1,E2] with start =< end, or
%   point(P1,P2), one point in [P1,P2]; unknown ends are `inf` and `sup`. Scope is `closed` (there are no other rows),
%   open(From,To) (there may be others within [From,To]) or exclusive(From,To,Others): so, but not where others held
%   throughout what one holds at a time. Settled is `settled`, or unsettled(LastComplete, LastRecorded): after
%   LastComplete nothing is certain and after LastRecorded everything is possible.

occurs(bounds, _, Rows, Scope, Settled, Value) :-
    rows_value(Rows, Certain0, Possible0, Pairs),
    set_canonical(Certain0, Certain),
    set_canonical(Possible0, Possible),
    extent(Rows, Scope, Settled, Extent),
    widen(Scope, Settled, Certain, Possible, Pairs, Extent, Value).
occurs(world(Low, High, Choices), Name, Rows, Scope, Settled, Value) :-
    chosen(Choices, Name, Rows, Low, High, Intervals),
    set_canonical(Intervals, Set),
    widen(Scope, Settled, Set, Set, [], sup, Value).

rows_value([], [], [], []).
rows_value([Row|T], Certain, [From-To|Possible], Pairs) :-
    row_bounds(Row, Latest, Earliest, From, To),
    (   Latest == sup               % neither certain anywhere nor caught by any window
    ->  Certain = Certain1, Pairs = Pairs1
    ;   Earliest == inf
    ->  Certain = Certain1, Pairs = Pairs1
    ;   Latest =< Earliest
    ->  Certain = [Latest-Earliest|Certain1], Pairs = Pairs1
    ;   Certain = Certain1, Pairs = [Latest-Earliest|Pairs1]
    ),
    rows_value(T, Certain1, Possible, Pairs1).

row_bounds(span(S1, S2, E1, E2), Latest, Earliest, S1, E2) :-
    upper_min(S2, E2, Latest),
    lower_max(E1, S1, Earliest).
row_bounds(point(P1, P2), P2, P1, P1, P2).

extent([point(_, _)], closed, settled, 1) :- !.
extent(_, _, _, sup).

widen(Scope, Settled, Certain, Possible, Pairs, Extent, tv(C, P, Pairs1, [], Extent1)) :-
    (   Scope = open(From, To)
    ->  set_union(Possible, [From-To], P1),
        Extent0 = sup
    ;   Scope = exclusive(From, To, Others)
    ->  set_union(Possible, [From-To], Anywhere),
        taken(Others, Taken),
        set_complement(Taken, Free),
        set_intersection(Anywhere, Free, Else),
        set_union(Else, Certain, P1),
        Extent0 = sup
    ;   P1 = Possible,
        Extent0 = Extent
    ),
    (   Settled = unsettled(Complete, Recorded)
    ->  After is Recorded+1,
        set_intersection(Certain, [inf-Complete], C),
        set_union(P1, [After-sup], P),
        cut_pairs(Pairs, Complete, Pairs1),
        Extent1 = sup
    ;   C = Certain, P = P1, Pairs1 = Pairs, Extent1 = Extent0
    ).

%   taken(+Rows, -Set): where the terms of others leave no room (semantics.md 2.3). A term keeps its first and its last
%   point, in which another may have followed or gone before; of what is given year by year a year is taken if the years
%   beside it are given, too.

taken(Rows, Set) :-
    terms_and_points(Rows, Terms, Points),
    set_canonical(Terms, Held),
    set_canonical(Points, Given),
    set_erode(Given, -1, 1, Between),
    set_union(Held, Between, Set).

terms_and_points([], [], []).
terms_and_points([Row|T], Terms, Points) :-
    row_bounds(Row, Latest, Earliest, _, _),
    (   Row = point(P, P)
    ->  Points = [P-P|Points1], Terms = Terms1
    ;   Row = span(_, _, _, _), Latest \== sup, Earliest \== inf, Latest < Earliest
    ->  First is Latest+1, Last is Earliest-1,
        Terms = [First-Last|Terms1], Points = Points1
    ;   Terms = Terms1, Points = Points1
    ),
    terms_and_points(T, Terms1, Points1).

cut_pairs([], _, []).
cut_pairs([L-R|T], Complete, Pairs) :-
    (   L =< Complete               % else the row may begin only after what is complete
    ->  R1 is min(R, Complete),
        Pairs = [L-R1|Rest]
    ;   Pairs = Rest
    ),
    cut_pairs(T, Complete, Rest).

%   chosen(?Choices, +Name, +Rows, +Low, +High, -Intervals): Choices is a list with an open tail, filled as atoms are met.

chosen(Choices, Name, Rows, Low, High, Intervals) :-
    (   var(Choices)
    ->  Choices = [Name-Intervals|_],
        complete_rows(Rows, Low, High, Intervals)
    ;   Choices = [Name-Intervals|_]
    ->  true
    ;   Choices = [_|Others],
        chosen(Others, Name, Rows, Low, High, Intervals)
    ).

complete_rows([], _, _, []).
complete_rows([Row|T], Low, High, [S-E|Intervals]) :-
    complete_row(Row, Low, High, S, E),
    complete_rows(T, Low, High, Intervals).

complete_row(span(S1, S2, E1, E2), Low, High, S, E) :-
    row_bounds(span(S1, S2, E1, E2), S2t, E1t, _, _),
    clamp(S1, Low, High, A),
    clamp(S2t, Low, High, B),
    clamp(E1t, Low, High, C),
    clamp(E2, Low, High, D),
    between(A, B, S),
    From is max(C, S),
    between(From, D, E).
complete_row(point(P1, P2), Low, High, P, P) :-
    clamp(P1, Low, High, A),
    clamp(P2, Low, High, B),
    between(A, B, P).

clamp(X, Low, High, Y) :-
    (   X == inf
    ->  Y = Low
    ;   X == sup
    ->  Y = High
    ;   Y is max(Low, min(High, X))
    ).

%!  negation(+Value, -Value) is det.

negation(tv(C, P, Yes, No, _), tv(C1, P1, No, Yes, sup)) :-
    set_complement(P, C1),
    set_complement(C, P1).

%!  both(+Value, +Value, -Value) is det.

both(tv(C1, P1, _, N1, R1), tv(C2, P2, _, N2, R2), tv(C, P, [], N, R)) :-
    set_intersection(C1, C2, C),
    set_intersection(P1, P2, P),
    pairs_union(N1, N2, N),
    upper_min(R1, R2, R).

%!  either(+Value, +Value, -Value) is det.

either(tv(C1, P1, Y1, _, _), tv(C2, P2, Y2, _, _), tv(C, P, Y, [], sup)) :-
    set_union(C1, C2, C),
    set_union(P1, P2, P),
    pairs_union(Y1, Y2, Y).

pairs_union(X, Y, Z) :-
    append(X, Y, XY),
    sort(XY, Z).

%!  next(+Value, -Value) is det.

next(tv(C, P, Y, N, R), tv(C1, P1, Y1, N1, R)) :-
    set_shift(C, -1, C1),
    set_shift(P, -1, P1),
    set_shift(Y, -1, Y1),
    set_shift(N, -1, N1).

%!  finally(+First, +Last, +Value, -Value) is det.
%
%   F[First,Last] of a value; on its interval sets it is set_dilate/4.

finally(First, Last, tv(C, P, Y, _, R), tv(C2, P1, Y1, [], R1)) :-
    set_dilate(C, First, Last, C1),
    set_dilate(P, First, Last, P1),
    catch_pairs(Y, First, Last, Caught, Y1),
    set_canonical(Caught, C0),
    set_union(C0, C1, C2),
    (   R == sup -> R1 = sup ; R1 is R+Last-First ).

%!  globally(+First, +Last, +Value, -Value) is det.
%
%   The dual of finally: a pair for the negation, once caught, is where it cannot hold throughout the window.

globally(First, Last, tv(C, P, _, N, R), tv(C1, P2, [], N1, R1)) :-
    set_erode(C, First, Last, C1),
    catch_pairs(N, First, Last, Caught, N1),
    (   R == sup
    ->  R1 = sup,
        set_erode(P, First, Last, P1)
    ;   R > Last-First
    ->  R1 is R-Last+First,
        set_erode(P, First, Last, P1)
    ;   R1 = 0,
        P1 = []
    ),
    (   Caught == []
    ->  P2 = P1
    ;   set_canonical(Caught, Never),
        set_complement(Never, Else),
        set_intersection(P1, Else, P2)
    ).

%   catch_pairs(+Pairs, +First, +Last, -Caught, -Rest): [s,e] becomes [s-Last,e-First], now perhaps with s =< e for sure.

catch_pairs([], _, _, [], []).
catch_pairs([L-R|T], First, Last, Caught, Rest) :-
    L1 is L-Last,
    R1 is R-First,
    (   L1 =< R1
    ->  Caught = [L1-R1|Caught1], Rest = Rest1
    ;   Caught = Caught1, Rest = [L1-R1|Rest1]
    ),
    catch_pairs(T, First, Last, Caught1, Rest1).

%!  until(+First, +Last, +Value, +Value, -Value) is det.

until(First, Last, tv(C1, P1, _, _, _), tv(C2, P2, _, _, _), tv(C, P, [], [], sup)) :-
    set_until(C1, C2, First, Last, C),
    set_until(P1, P2, First, Last, P).

%!  answer_at(:Goal, +At, +Least, +Greatest, -Answer, -How) is det.
%
%   Answer is yes, no or undecided at the point At; How is `bounds`, `completions` or `-`. Goal is a sub-formula's
%   predicate; Least and Greatest are its horizon, the offsets from At of the points that it looks at. What the bounds
%   leave open is settled by going through the completions of the dates, if they are at most 10,000.

answer_at(Goal, At, Least, Greatest, Answer, How) :-
    once(call(Goal, bounds, Value)),
    (   value_at(Value, At, Known)
    ->  Answer = Known, How = bounds
    ;   Low is At+Least-1,
        High is At+Greatest+1,
        by_completions(Goal, At, Low, High, 10_000, Answer),
        (   Answer == undecided -> How = (-) ; How = completions )
    ).

value_at(tv(C, P, _, _, _), At, Answer) :-
    (   set_contains(C, At)
    ->  Answer = yes
    ;   \+ set_contains(P, At)
    ->  Answer = no
    ).

by_completions(Goal, At, Low, High, Limit, Answer) :-
    State = seen(0, none),
    (   call(Goal, world(Low, High, _), Value),
        (   value_at(Value, At, This) -> true ; This = undecided ),
        arg(1, State, N0),
        N is N0+1,
        nb_setarg(1, State, N),
        arg(2, State, Before),
        (   ( This == undecided ; N > Limit ; Before \== none, Before \== This )
        ->  nb_setarg(2, State, undecided)
        ;   nb_setarg(2, State, This),
            fail
        )
    ->  true
    ;   true
    ),
    arg(2, State, Seen),
    (   Seen == none -> Answer = undecided ; Answer = Seen ).

%!  print_answer(:Goal, +At, +Least, +Greatest) is det.
%
%   The answer on standard output, the two sets on standard error.

print_answer(Goal, At, Least, Greatest) :-
    answer_at(Goal, At, Least, Greatest, Answer, _),
    format("~w~n", [Answer]),
    once(call(Goal, bounds, tv(C, P, _, _, _))),
    format(user_error, "certain  ~w~npossible ~w~n", [C, P]).

%!  print_sets(:Goal) is det.

print_sets(Goal) :-
    once(call(Goal, bounds, tv(C, P, _, _, _))),
    format("certain  ~w~npossible ~w~n", [C, P]).
