% Run: swipl -g run_tests -t halt prolog_rules/tests/mtl.plt

:- use_module('../mtl').
:- use_module(library(plunit)).

dickens(W, S) :- occurs(W, dickens, [span(1812, 1812, 1870, 1870)], closed, settled, S).
victorian(W, S) :- occurs(W, victorian, [span(1837, 1837, 1901, 1901)], closed, settled, S).
vague(W, S) :- occurs(W, vague, [span(100, 105, 107, 112)], closed, settled, S).
unended(W, S) :- occurs(W, unended, [span(1950, 1950, inf, sup)], closed, settled, S).
moment(W, S) :- occurs(W, moment, [point(100, 111)], closed, settled, S).
term(W, S) :- occurs(W, term, [span(1801, 1801, 1809, 1809)], open(1743, 1826), settled, S).
lasting(W, S) :- occurs(W, lasting, [span(2020, 2020, 2030, 2030)], closed, unsettled(2025, 2024), S).

vague_or_not(W, S) :- vague(W, S1), negation(S1, S2), either(S1, S2, S).
vague_and_not(W, S) :- vague(W, S1), negation(S1, S2), both(S1, S2, S).
caught(W, S) :- moment(W, S1), finally(0, 20, S1, S).
just_caught(W, S) :- moment(W, S1), finally(0, 11, S1, S).
caught_late(W, S) :- moment(W, S1), next(S1, S2), finally(0, 20, S2, S).
spared_late(W, S) :- moment(W, S1), negation(S1, S2), next(S2, S3), globally(0, 20, S3, S).
spared(W, S) :- moment(W, S1), negation(S1, S2), globally(0, 20, S2, S).
lasted(W, S) :- moment(W, S1), globally(0, 1, S1, S).

exact_moment(W, S) :- occurs(W, exact_moment, [point(100, 100)], closed, settled, S).
spread(W, S) :- exact_moment(W, S1), finally(0, 3, S1, S2), globally(0, 3, S2, S).
shrunk(W, S) :- moment(W, S1), finally(0, 3, S1, S2), globally(0, 1, S2, S3), globally(0, 3, S3, S).
scheduled(W, S) :- occurs(W, scheduled, [point(2024, 2027)], closed, unsettled(2025, 2024), S).
scheduled_soon(W, S) :- scheduled(W, S1), finally(0, 10, S1, S).
arrived(W, S) :- occurs(W, arrived, [point(2022, 2025)], closed, unsettled(2025, 2024), S).
arrived_soon(W, S) :- arrived(W, S1), finally(0, 10, S1, S).
overlapping(W, S) :- occurs(W, overlapping, [span(100, 105, 103, 108)], closed, settled, S).
came(W, S) :- overlapping(W, S1), finally(0, 10, S1, S2), negation(S1, S3), either(S1, S3, S4), both(S2, S4, S).
around(W, S) :- occurs(W, around, [span(50, 50, 200, 200)], closed, settled, S).
both_last(W, S) :- around(W, S1), moment(W, S2), both(S1, S2, S3), globally(0, 1, S3, S).
both_spared(W, S) :-
    dickens(W, S1), negation(S1, S2), moment(W, S3), negation(S3, S4), both(S2, S4, S5), globally(0, 20, S5, S).

sets(Goal, C, P) :- call(Goal, bounds, tv(C, P, _, _, _)).

:- begin_tests(mtl).

test(worked_examples, [true(Sets == [[1797-1901], [1807-1851], [1836-1900], [1817-1861], [inf-1836, 1902-sup],
                                     [1837-1870], [1812-1901]])]) :-
    victorian(bounds, V), dickens(bounds, D),
    finally(0, 40, V, F), globally(30, 50, V, G), next(V, N), until(10, 20, D, V, U), negation(V, Not),
    both(V, D, B), either(V, D, E),
    findall(C, ( member(tv(C, P, _, _, _), [F, G, N, U, Not, B, E]), C == P ), Sets).

test(bounds, C/P == [105-107]/[100-112]) :- sets(vague, C, P).
test(missing_end, C/P == [1950-1950]/[1950-sup]) :- sets(unended, C, P).
test(open_term, C/P == [1801-1809]/[1743-1826]) :- sets(term, C, P).
test(as_of, C/P == [2020-2025]/[2020-sup]) :- sets(lasting, C, P).

test(inverted_pair_is_caught, C == [91-100]) :- sets(caught, C, _).
test(the_narrowest_window_catches_it_at_one_point, C == [100-100]) :- sets(just_caught, C, _).
test(inverted_pair_moves_with_next, C == [90-99]) :- sets(caught_late, C, _).
test(inverted_pair_spares_the_dual, P == [inf-90, 101-sup]) :- sets(spared, _, P).
test(inverted_pair_spares_the_dual_of_next, P == [inf-89, 100-sup]) :- sets(spared_late, _, P).
test(a_point_does_not_last, P == []) :- sets(lasted, _, P).

test(a_windows_extent_is_longer_than_the_points, C/P == [97-97]/[97-97]) :- sets(spread, C, P).
test(each_window_shortens_the_extent, P == []) :- sets(shrunk, _, P).
test(a_point_joined_with_a_state_does_not_last, P == []) :- sets(both_last, _, P).
test(a_pair_survives_conjunction, P == [inf-90, 101-1791, 1871-sup]) :- sets(both_spared, _, P).
test(what_may_lie_after_as_of_is_not_caught, C == []) :- sets(scheduled_soon, C, _).
test(what_lies_before_as_of_is_caught, C == [2015-2022]) :- sets(arrived_soon, C, _).

test(completions_end_after_they_start, A/H == yes/completions) :- answer_at(came, 101, 0, 10, A, H).
test(enumeration_says_yes, A/H == yes/completions) :- answer_at(vague_or_not, 103, 0, 0, A, H).
test(enumeration_says_no, A/H == no/completions) :- answer_at(vague_and_not, 103, 0, 0, A, H).
test(enumeration_leaves_open, A/H == undecided/(-)) :- answer_at(vague, 103, 0, 0, A, H).
test(bounds_suffice, A/H == yes/bounds) :- answer_at(vague, 106, 0, 0, A, H).

:- end_tests(mtl).
