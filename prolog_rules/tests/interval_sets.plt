% Run: swipl -g run_tests -t halt prolog_rules/tests/interval_sets.plt

:- use_module('../interval_sets').
:- use_module(library(plunit)).

:- begin_tests(interval_sets).

test(canonical_sorts_joins_and_drops_empty, S == [1-5, 9-9, 20-sup]) :-
    set_canonical([20-sup, 4-5, 9-9, 7-6, 1-2, 3-3], S).
test(canonical_joins_everything_under_an_open_begin, S == [inf-8]) :-
    set_canonical([5-8, inf-3, 4-4], S).
test(canonical_of_nothing, S == []) :-
    set_canonical([], S).

test(union_of_neighbours_is_one, S == [1-6]) :-
    set_union([1-3], [4-6], S).
test(union_keeps_a_gap, S == [1-3, 5-6]) :-
    set_union([5-6], [1-3], S).
test(union_swallows, S == [inf-sup]) :-
    set_union([inf-0, 10-sup], [1-9], S).

test(intersection, S == [2-3, 5-5]) :-
    set_intersection([1-3, 5-9], [2-5], S).
test(intersection_of_open_ends, S == [0-4]) :-
    set_intersection([inf-4], [0-sup], S).
test(intersection_of_strangers, S == []) :-
    set_intersection([1-2], [3-4], S).

test(complement_of_nothing, S == [inf-sup]) :-
    set_complement([], S).
test(complement_of_everything, S == []) :-
    set_complement([inf-sup], S).
test(complement_twice, S == [inf-0, 3-4, 9-sup]) :-
    set_complement([inf-0, 3-4, 9-sup], Z),
    set_complement(Z, S).

test(shift, S == [inf-3, 5-6]) :-
    set_shift([inf-4, 6-7], -1, S).

test(dilate, S == [1797-1901]) :-
    set_dilate([1837-1901], 0, 40, S).
test(dilate_joins, S == [0-10]) :-
    set_dilate([4-4, 10-10], 0, 5, S0), set_canonical([0-0|S0], S1), set_intersection(S1, [0-10], S).

test(erode, S == [1807-1851]) :-
    set_erode([1837-1901], 30, 50, S).
test(erode_drops_what_is_too_short, S == []) :-
    set_erode([1-3], 0, 3, S).
test(erode_needs_one_maximal_interval, S == [0-2]) :-
    set_erode([0-4], 0, 2, S).

test(until, S == [1817-1861]) :-
    set_until([1812-1870], [1837-1901], 10, 20, S).
test(until_zero_is_psi_itself, S == [3-4]) :-
    set_until([], [3-4], 0, 0, S).
test(until_one_needs_no_phi, S == [2-3]) :-
    set_until([], [3-4], 1, 1, S).
test(until_two_needs_phi_between, S == [1-1]) :-
    set_until([2-2], [3-9], 2, 2, S).
test(until_where_they_never_meet, S == []) :-
    set_until([1-3], [9-9], 2, 20, S).
test(until_with_open_ends, S == [inf-7]) :-
    set_until([inf-sup], [9-9], 2, 100_000_000, S0), set_intersection(S0, [inf-7], S1), set_union(S1, [inf-0], S).

test(contains) :-
    set_contains([inf-3, 7-sup], 7).
test(contains_not, [fail]) :-
    set_contains([inf-3, 7-sup], 5).

test(a_million_intervals, N == 1_000_000) :-
    numlist(1, 1_000_000, L),
    findall(A-A, ( member(X, L), A is 3*X ), S),
    set_complement(S, C),
    set_complement(C, S1),
    S1 == S,
    length(S1, N).

:- end_tests(interval_sets).
