% swipl -g run_tests -t halt prolog_rules/tests/replay.plt

:- use_module(library(plunit)).
:- use_module('../replay').

%   A small world. Q1 was born in Q2, which lies in Q3, which lies in Q4; Q5 lies in Q6. Q7 is the father of Q1.
world([ rule(then_up(19, 131, chain([19, 131]))), rule(transitive(131)), rule(inverse(22, 40)), rule(symmetric(47)),
        rule(share(57)), rule(chain([22, 22], chain([22, 25]))), functional(19), functional(22), asymmetric(131), asymmetric(22),
        irreflexive(22),
        known(131, 2, 3, 12, 1), known(131, 3, 4, 13, 1), known(131, 5, 6, 14, 1), known(19, 1, 2, 11, 1),
        known(22, 1, 7, 15, 1), known(40, 7, 1, 16, 1) ]).

born_in_todays(R, [ case(R, chain([19, 131]), 1, 4), evidence(R, 19, 1, 2), evidence(R, 131, 2, 3), evidence(R, 131, 3, 4) ]).

born_in(R, [ case(R, 19, 1, 2), evidence(R, 19, 1, 2), differs(19, 5, 2) ]).

entails(Said, Mode, Answer) :-
    world(World),
    append(World, Said, Items),
    setup_call_cleanup(
        forall(member(Item, Items), assertz(replay:Item)),
        once(answer(1, Mode, Answer)),
        replay:forget).

:- begin_tests(replay).

test(the_evidence_alone_proves_the_gold_answer, Answer == yes) :-
    born_in_todays(1, Case),
    entails(Case, fill, Answer).
test(what_the_response_says_is_completed_by_the_snapshot_but_not_by_the_evidence, Answer == undetermined) :-
    born_in_todays(1, Case),
    entails([says(1, 19, 1, 2)|Case], own, Answer).
test(a_whole_chain_of_ones_own_proves, Answer == yes) :-
    born_in_todays(1, Case),
    entails([says(1, 19, 1, 2), says(1, 131, 2, 3), says(1, 131, 3, 4)|Case], own, Answer).
test(another_route_through_the_snapshot_proves, Answer == yes) :-
    born_in_todays(1, Case),
    entails([says(1, 19, 1, 2), says(1, 131, 2, 4)|Case], own, Answer).
test(what_the_snapshot_alone_proves_is_nobodys_reasoning, Answer == undetermined) :-
    entails([case(1, 131, 5, 6), evidence(1, 131, 2, 3)], own, Answer).
test(a_swapped_value_of_a_functional_slot_overrides_the_evidence, Answer == no) :-
    born_in(1, Case),
    entails([says(1, 19, 1, 5)|Case], fill, Answer).
test(a_swapped_value_that_nothing_parts_from_the_true_one_decides_nothing, Answer == undetermined) :-
    born_in(1, Case),
    entails([says(1, 19, 1, 9)|Case], fill, Answer).
test(a_multi_valued_slot_is_extended, Answer == yes) :-
    entails([case(1, 47, 1, 2), evidence(1, 47, 1, 2), says(1, 47, 1, 3)], fill, Answer).
test(a_denied_premise_is_gone, Answer == undetermined) :-
    born_in_todays(1, Case),
    entails([denies(1, 131, 2, 3)|Case], fill, Answer).
test(two_opposed_claims_are_inconsistent, Answer == inconsistent) :-
    born_in(1, Case),
    entails([says(1, 19, 1, 5), says(1, 19, 1, 2)|Case], said, Answer).
test(a_relation_is_read_from_its_other_end, Answer == yes) :-
    entails([case(1, 40, 7, 1), evidence(1, 22, 1, 7), says(1, 22, 1, 7)], own, Answer).
test(an_inverse_without_a_property_is_read_from_the_property, Answer == yes) :-
    entails([rule(inverse(57, inverse([57]))), case(1, inverse([57]), 7, 1), evidence(1, 57, 1, 7), says(1, 57, 1, 7)],
            own, Answer).
test(an_inverse_is_refuted_by_the_one_value_of_the_other_end, Answer == no) :-
    entails([ rule(inverse(57, inverse([57]))), single(57, 1), differs(57, 8, 7), case(1, inverse([57]), 7, 1),
              evidence(1, 57, 1, 7), says(1, 57, 1, 8) ],
            fill, Answer).
test(the_same_fact_stated_otherwise_in_the_snapshot_is_evidence_too, Answer == undetermined) :-
    entails([case(1, 40, 7, 1), evidence(1, 22, 1, 7), says(1, 22, 7, 8)], own, Answer).
test(a_converse_is_denied, Answer == no) :-
    entails([case(1, 131, 3, 2), evidence(1, 131, 2, 3), says(1, 131, 2, 3)], own, Answer).
test(nothing_has_this_relation_to_itself, Answer == no) :-
    entails([case(1, 22, 1, 1)], said, Answer).
test(a_shared_object_joins_two, Answer == yes) :-
    entails([case(1, share([57]), 1, 2), evidence(1, 57, 1, 3), evidence(1, 57, 2, 3), says(1, 57, 1, 3), says(1, 57, 2, 3)], own, Answer).
test(two_steps_of_one_relation_make_a_grandparent, Answer == yes) :-
    entails([case(1, chain([22, 25]), 1, 8), evidence(1, 22, 1, 7), evidence(1, 22, 7, 8), says(1, 22, 1, 7), says(1, 22, 7, 8)], own, Answer).
test(a_circle_ends, Answer == undetermined) :-
    entails([case(1, 131, 1, 9), says(1, 131, 1, 2), says(1, 131, 2, 1)], own, Answer).
test(the_earlier_event_comes_first, Answer == yes) :-
    entails([order(1, 569, 1, 2), evidence_date(1, 569, 1, 100, 110), evidence_date(1, 569, 2, 120, 130)], fill, Answer).
test(a_moved_date_turns_the_order, Answer == no) :-
    entails([order(1, 569, 1, 2), evidence_date(1, 569, 1, 100, 110), evidence_date(1, 569, 2, 120, 130), says_date(1, 569, 1, 140, 150)], fill, Answer).
test(dates_that_overlap_decide_no_order, Answer == undetermined) :-
    entails([order(1, 569, 1, 2), says_date(1, 569, 1, 100, 125), says_date(1, 569, 2, 120, 130)], own, Answer).

test(a_step_is_false_only_if_the_claims_say_otherwise) :-
    assertz(replay:step(1, 1, entails(yes))),
    assertz(replay:step(1, 2, nothing_follows)),
    replay:steps(1, no, Steps, SX),
    replay:steps(1, undetermined, Open, Never),
    replay:forget,
    Steps == [1-contradicted, 2-contradicted],
    SX == true,
    Open == [1-unverifiable, 2-unverifiable],
    Never == false.

test(a_file_of_items_is_read_and_never_run, [error(domain_error(replay_item, _))]) :-
    tmp_file(items, File),
    setup_call_cleanup(open(File, write, Out), format(Out, ":- halt(3).~n", []), close(Out)),
    replay:load_items(File).

:- end_tests(replay).
