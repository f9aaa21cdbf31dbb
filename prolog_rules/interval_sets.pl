% F, G, N, U and the boolean operators on sets of intervals (mtl.pl has them on certain and possible sets).
:- module(interval_sets,
          [ set_canonical/2,            % +Intervals, -Set
            set_union/3,                % +Set, +Set, -Set
            set_intersection/3,         % +Set, +Set, -Set
            set_complement/2,           % +Set, -Set
            set_shift/3,                % +Set, +Distance, -Set
            set_dilate/4,               % +Set, +First, +Last, -Set
            set_erode/4,                % +Set, +First, +Last, -Set
            set_until/5,                % +SetPhi, +SetPsi, +First, +Last, -Set
            set_contains/2,             % +Set, +Point
            lower_max/3, upper_min/3, not_after/2
          ]).

/** <module> Sets of integers as lists of closed intervals

A set is a list of `A-B` pairs, ascending, disjoint and not adjacent ([1-3,4-5] is written [1-5]), so that equal sets
are equal terms. `A` is an integer or `inf` (no beginning), `B` an integer or `sup` (no end). The operations follow
semantics.md 2.4; each is linear in the number of intervals and independent of their length.

    ?- set_dilate([1837-1901], 0, 40, S).       % F[0,40]
    S = [1797-1901].
*/

%!  set_canonical(+Intervals, -Set) is det.
%
%   Any list of `A-B` pairs, in any order, overlapping or empty (A > B), as the set of their points.

set_canonical(Intervals, Set) :-
    keyed(Intervals, Keyed),
    keysort(Keyed, Sorted),
    values(Sorted, Ascending),
    merge_touching(Ascending, Set).

keyed([], []).
keyed([A-B|T], Keyed) :-
    (   not_after(A, B)
    ->  ( A == inf -> Key is -inf ; Key = A ),
        Keyed = [Key-(A-B)|Rest]
    ;   Keyed = Rest
    ),
    keyed(T, Rest).

values([], []).
values([_-V|T], [V|Vs]) :-
    values(T, Vs).

%   merge_touching(+Ascending, -Set): join intervals that overlap or are adjacent; begins are ascending already.

merge_touching([], []).
merge_touching([A-B|T], Set) :-
    merge_touching(T, A, B, Set).

merge_touching([C-D|T], A, B, Set) :-
    touches(B, C),
    !,
    upper_max(B, D, E),
    merge_touching(T, A, E, Set).
merge_touching(T, A, B, [A-B|Set]) :-
    merge_touching(T, Set).

%!  set_union(+X, +Y, -Z) is det.

set_union([], Y, Y) :- !.
set_union(X, [], X) :- !.
set_union([A-B|X], [C-D|Y], Z) :-
    (   lower_before(A, C)
    ->  absorb(X, [C-D|Y], A, B, Z)
    ;   absorb([A-B|X], Y, C, D, Z)
    ).

absorb([C-D|X], Y, A, B, Z) :-
    touches(B, C),
    !,
    upper_max(B, D, E),
    absorb(X, Y, A, E, Z).
absorb(X, [C-D|Y], A, B, Z) :-
    touches(B, C),
    !,
    upper_max(B, D, E),
    absorb(X, Y, A, E, Z).
absorb(X, Y, A, B, [A-B|Z]) :-
    set_union(X, Y, Z).

%!  set_intersection(+X, +Y, -Z) is det.

set_intersection([], _, []) :- !.
set_intersection(_, [], []) :- !.
set_intersection([A-B|X], [C-D|Y], Z) :-
    lower_max(A, C, E),
    upper_min(B, D, F),
    (   not_after(E, F)
    ->  Z = [E-F|Rest]
    ;   Z = Rest
    ),
    (   upper_before(B, D)
    ->  set_intersection(X, [C-D|Y], Rest)
    ;   set_intersection([A-B|X], Y, Rest)
    ).

%!  set_complement(+X, -Z) is det.

set_complement(X, Z) :-
    gaps(X, inf, Z).

gaps([], From, [From-sup]).
gaps([A-B|T], From, Z) :-
    (   A == inf
    ->  Z = Rest
    ;   Before is A-1,
        Z = [From-Before|Rest]
    ),
    (   B == sup
    ->  Rest = []
    ;   After is B+1,
        gaps(T, After, Rest)
    ).

%!  set_shift(+X, +Distance, -Z) is det.
%
%   Every point moved by Distance, later when it is positive.

set_shift([], _, []).
set_shift([A-B|T], D, [C-E|Z]) :-
    end_plus(A, D, C),
    end_plus(B, D, E),
    set_shift(T, D, Z).

%!  set_dilate(+X, +First, +Last, -Z) is det.
%
%   F[First,Last]: the points t with t+d in X for some d in [First,Last]; each [s,e] becomes [s-Last,e-First].

set_dilate(X, First, Last, Z) :-
    stretch(X, First, Last, Y),
    merge_touching(Y, Z).

stretch([], _, _, []).
stretch([A-B|T], First, Last, [C-D|Z]) :-
    end_plus(A, -Last, C),
    end_plus(B, -First, D),
    stretch(T, First, Last, Z).

%!  set_erode(+X, +First, +Last, -Z) is det.
%
%   G[First,Last]: the points t with t+d in X for every d in [First,Last]; each maximal [s,e] becomes
%   [s-First,e-Last] where that is not empty.

set_erode([], _, _, []).
set_erode([A-B|T], First, Last, Z) :-
    end_plus(A, -First, C),
    end_plus(B, -Last, D),
    (   not_after(C, D)
    ->  Z = [C-D|Rest]
    ;   Z = Rest
    ),
    set_erode(T, First, Last, Rest).

%!  set_until(+Phi, +Psi, +First, +Last, -Z) is det.
%
%   Phi U[First,Last] Psi with strict bounds: t such that for some d in [First,Last], t+d is in Psi and every k with
%   t < k < t+d is in Phi. For d = 0 and d = 1 no k lies between. For d >= 2 all of t+1..t+d-1 lie in one maximal
%   [l,r] of Phi, so that t+d lies in [l+1,r+1], and the meetings of those with Psi are swept once.

set_until(Phi, Psi, First, Last, Z) :-
    (   First =:= 0 -> Z0 = Psi ; Z0 = [] ),
    (   First =< 1, Last >= 1 -> set_shift(Psi, -1, Z1) ; Z1 = [] ),
    (   Last >= 2
    ->  Least is max(First, 2),
        witnesses(Phi, Psi, Least, Last, Found),
        merge_touching(Found, Z2)
    ;   Z2 = []
    ),
    set_union(Z0, Z1, Z01),
    set_union(Z01, Z2, Z).

witnesses([], _, _, _, []) :- !.
witnesses(_, [], _, _, []) :- !.
witnesses([L-R|Phi], [X-Y|Psi], Least, Last, Z) :-
    end_plus(L, 1, L1),
    end_plus(R, 1, R1),
    lower_max(X, L1, From),
    upper_min(Y, R1, To),
    (   not_after(From, To),
        end_plus(From, -Last, C0),
        end_plus(L, -1, C1),
        lower_max(C0, C1, C),
        end_plus(To, -Least, D),
        not_after(C, D)
    ->  Z = [C-D|Rest]
    ;   Z = Rest
    ),
    (   upper_before(R1, Y)
    ->  witnesses(Phi, [X-Y|Psi], Least, Last, Rest)
    ;   witnesses([L-R|Phi], Psi, Least, Last, Rest)
    ).

%!  set_contains(+Set, +Point) is semidet.

set_contains([A-B|T], Point) :-
    (   not_after(Point, B)
    ->  not_after(A, Point)
    ;   set_contains(T, Point)
    ).

% Ends. A begin is an integer or `inf`, an end an integer or `sup`; the two are never confused.

%!  not_after(+Begin, +End) is semidet.

not_after(A, B) :-
    (   A == inf
    ->  true
    ;   B == sup
    ->  true
    ;   A =< B
    ).

touches(B, C) :-                        % an end and a later begin, with no integer between them
    (   B == sup
    ->  true
    ;   C == inf
    ->  true
    ;   C =< B+1
    ).

lower_before(A, C) :-                   % either of two equal begins
    (   A == inf
    ->  true
    ;   C \== inf,
        A =< C
    ).

upper_before(B, D) :-                   % either of two equal ends: nothing after one meets what ends at the other
    (   D == sup
    ->  true
    ;   B \== sup,
        B =< D
    ).

%!  lower_max(+Begin1, +Begin2, -Begin) is det.

lower_max(inf, C, C) :- !.
lower_max(A, inf, A) :- !.
lower_max(A, C, E) :-
    E is max(A, C).

upper_max(sup, _, sup) :- !.
upper_max(_, sup, sup) :- !.
upper_max(B, D, E) :-
    E is max(B, D).

%!  upper_min(+End1, +End2, -End) is det.

upper_min(sup, D, D) :- !.
upper_min(B, sup, B) :- !.
upper_min(B, D, E) :-
    E is min(B, D).

end_plus(inf, _, inf) :- !.
end_plus(sup, _, sup) :- !.
end_plus(A, D, B) :-
    B is A+D.
