% swipl -g run_tests -t halt prolog_rules/tests/proofs.plt

:- use_module(library(plunit)).
:- include('../proofs/age').
:- include('../proofs/amount').
:- include('../proofs/country').
:- include('../proofs/maker').
:- include('../proofs/order').
:- include('../proofs/sole').
:- include('../proofs/year').

%   Q1 was born on 7 February 1812 and died on 9 June 1870; Q2 directed Q3 and Q8, Q5 Q9; Q4 is the 79th element; Q7 lies
%   in Q30.
born(1, 1812, 2, 7).
born(5, 1900, 6, 10).
died(1, 1870, 6, 9).
died(5, 1960, 6, 9).
year(1, 1812, 1812).
year(6, 1899, 1900).
only(57, 3, 2).
amount(4, 79).
country(7, 30).
made(3, 2).
made(8, 2).
made(9, 5).
day(1, 661400, 661402).
day(5, 661600, 661602).
day(6, 661402, 661500).

:- begin_tests(proofs).

test(a_date_lies_in_its_year, all(Answer == [yes])) :-
    in_year(1, 1812, Answer).
test(and_in_no_other, all(Answer == [no])) :-
    in_year(1, 1811, Answer).
test(a_date_that_may_lie_in_two_years_is_certain_of_neither, all(Answer == [])) :-
    in_year(6, 1900, Answer).
test(but_lies_in_no_third, all(Answer == [no])) :-
    in_year(6, 1901, Answer).
test(an_age_is_in_full_years, all(Answer == [yes])) :-
    aged(1, 58, Answer).
test(the_day_before_a_birthday_does_not_count_it, all(Answer == [yes])) :-
    aged(5, 59, Answer).
test(any_other_age_is_wrong, all(Answer == [no])) :-
    aged(5, 60, Answer).
test(nothing_is_said_of_whose_dates_are_unknown, fail) :-
    aged(2, 60, _).
test(a_number_is_the_stated_one, all(Answer == [yes])) :-
    amounts_to(4, 79, Answer).
test(and_no_other, all(Answer == [no])) :-
    amounts_to(4, 80, Answer).
test(who_alone_directed_something_is_found_by_it, all(Who == [2])) :-
    sole(3, Who, yes).
test(and_nobody_else_did, all(Answer == [no])) :-
    sole(3, 5, Answer).
test(a_settlement_lies_in_its_country, all(Answer == [yes])) :-
    in_country(7, 30, Answer).
test(and_in_no_other, all(Answer == [no])) :-
    in_country(7, 31, Answer).
test(two_films_of_one_director_share_it, all(Answer == [yes])) :-
    of_one_maker(3, 8, Answer).
test(two_films_of_two_directors_share_none, all(Answer == [no])) :-
    of_one_maker(8, 9, Answer).
test(nothing_is_said_of_a_film_without_one, fail) :-
    of_one_maker(8, 10, _).
test(bounds_that_lie_apart_are_in_order, all(Answer == [yes])) :-
    in_order(1, 5, Answer).
test(and_not_the_other_way_round, all(Answer == [no])) :-
    in_order(5, 1, Answer).
test(bounds_that_meet_are_in_no_order, fail) :-
    in_order(1, 6, _).

:- end_tests(proofs).
