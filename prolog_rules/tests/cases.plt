% swipl -g run_tests -t halt prolog_rules/tests/cases.plt

:- use_module(library(plunit)).

rules(Name) :- atom_concat('../cases/', Name, File), load_files(Name:File, []).

:- rules(false_member), rules(right_member), rules(matching), rules(label), rules(response).

%!  printed(+Rules, +Facts, -Text) is det.
%
%   What a case's program of these rules and facts prints.

printed(Rules, Facts, Text) :-
    setup_call_cleanup(
        forall(member(Fact, Facts), assertz(Rules:Fact)),
        with_output_to(string(Line), Rules:main),
        forall(member(Fact, Facts), retract(Rules:Fact))),
    string_concat(Text, "\n", Line).

%!  needs(+Rules, +Facts) is semidet.
%
%   Without any one of these facts the program decides nothing.

needs(Rules, Facts) :-
    forall(select(_, Facts, Rest), printed(Rules, Rest, "undecided")).

:- begin_tests(false_member).

test(another_value_of_a_slot_with_one, true(T == "yes")) :-
    Facts = [stated(1, 19, 2), only_value(1, 19), apart(2, 3)],
    printed(false_member, Facts, T),
    needs(false_member, Facts).
test(a_thing_of_another_kind, true(T == "yes")) :-
    Facts = [stated(1, 19, 2), clash(19, 3)],
    printed(false_member, Facts, T),
    needs(false_member, Facts).
test(a_container_where_the_place_is_asked, true(T == "yes")) :-
    Facts = [stated(1, 19, 2), contains(4, 2)],
    printed(false_member, Facts, T),
    needs(false_member, Facts).
test(another_country, true(T == "yes")) :-
    printed(false_member, [stated(1, 19, 2), contains(4, 2), claimed_container(5, 2), apart(4, 5)], T).
test(another_country_is_wrong_only_if_they_are_apart, true(T == "undecided")) :-
    printed(false_member, [stated(1, 19, 2), contains(4, 2), claimed_container(5, 2)], T).
test(what_the_document_leaves_out, true(T == "yes")) :-
    Facts = [stated(1, 20, left_out), untold(20)],
    printed(false_member, Facts, T),
    needs(false_member, Facts).

:- end_tests(false_member).

:- begin_tests(right_member).

test(it_says_what_is_stated, true(T == "no")) :-
    Facts = [gold(no), stated(1, 19, 2), says(1, 19, 2)],
    printed(right_member, [task(qa)|Facts], T),
    needs(right_member, Facts).
test(of_a_document_it_says_what_that_holds, true(T == "no")) :-
    printed(right_member, [task(summary), gold(no), stated(1, 19, 2), says(1, 19, 2), held(1, 19, 2)], T),
    printed(right_member, [task(summary), gold(no), stated(1, 19, 2), says(1, 19, 2)], "undecided").
test(the_country_of_a_value_is_said, true(T == "no")) :-
    Facts = [gold(no), stated(1, 19, 2), says_within(1, 19, 4), contains(4, 2)],
    printed(right_member, Facts, T),
    needs(right_member, Facts).
test(one_statement_more_than_is_stated, true(T == "undecided")) :-
    printed(right_member, [gold(no), stated(1, 19, 2), says(1, 19, 2), says(1, 20, 2)], T).

:- end_tests(right_member).

:- begin_tests(matching).

test(right_ends_in_the_order_that_is_asked, true(T == "b, a")) :-
    printed(matching, [pair('A', a), pair('B', b), asked('B'), asked('A')], T).
test(an_end_without_a_pair, true(T == "undecided")) :-
    printed(matching, [pair('A', a), asked('A'), asked('B')], T).

:- end_tests(matching).

:- begin_tests(label).

test(it_prints_what_it_is_given, true(T == "ask: it's % 'x'")) :-
    printed(label, [label('ask: it\'s % \'x\'')], T).

:- end_tests(label).

:- begin_tests(response).

test(values_in_the_order_in_which_they_are_asked, true(T == "Ulm; Rome")) :-
    printed(response, [stated(1, 20, 3), name(3, 'Rome'), name(2, 'Ulm'), stated(1, 19, 2), asked_value(1, 19),
                       asked_value(1, 20)], T).
test(the_country_of_a_value, true(T == "Germany")) :-
    Facts = [stated(1, 19, 2), contains(4, 2), name(4, 'Germany'), asked_country(1, 19)],
    printed(response, Facts, T),
    needs(response, Facts).
test(who_lasted_throughout_a_year, true(T == "b")) :-
    printed(response, [lasted(a, 1800, 1850), lasted(b, 1801, 1900), asked_year(1850)], T).
test(what_it_was_after_its_end, true(T == "dead")) :-
    printed(response, [ended(1, 1900), asked_after(1, 1901, dead)], T),
    printed(response, [ended(1, 1900), asked_after(1, 1900, dead)], "undecided").
test(numbers_apart, true(T-U == "12"-"20")) :-
    printed(response, [difference(79, 67)], T),
    printed(response, [longer(1800, 1850, 1900, 1930)], U).
test(an_address_of_the_index, true(T == "Q1")) :-
    printed(response, [indexed(a, 'Q1'), asked_entry(a)], T).
test(a_title_that_is_not_in_the_index_is_declined, true(T == "decline")) :-
    printed(response, [indexed(a, m), indexed(b, n), asked_maker(a, n)], T).
test(what_was_told_and_what_is_untrue, true(T-U == "May"-"c")) :-
    printed(response, [told('May')], T),
    printed(response, [untrue(c)], U).
test(of_namesakes_each_is_named_and_one_alone_is_no_reason_to_ask, true(T-U == "ask: X; Y"-"X")) :-
    printed(response, [bears(1, 'X'), bears(2, 'Y')], T),
    printed(response, [bears(1, 'X')], U).
test(what_is_taken_for_granted_is_repaired_if_it_is_excluded, true(T-U == "repair: Ulm"-"Ulm")) :-
    Value = [stated(1, 19, 2), name(2, 'Ulm'), asked_value(1, 19)],
    printed(response, [apart(2, 3), assumed(1, 19, 3)|Value], T),
    printed(response, [assumed(1, 19, 3)|Value], U).

:- end_tests(response).
