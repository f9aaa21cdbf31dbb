% swipl -g run_tests -t halt prolog_rules/tests/verdict_table.plt

:- use_module(library(plunit)).
:- use_module('../verdict_table').

input(Answer, Gold, Seen) :-
    member(Answer, [yes, no, dont_know, refusal, contradictory, unparseable]),
    member(Gold, [yes, no]),
    seen(Seen).

:- begin_tests(verdict_table).

test(every_input_has_one_verdict) :-
    findall(A-G-S, input(A, G, S), Inputs),
    sort(Inputs, Distinct),
    length(Distinct, 36_864),
    forall(input(A, G, S),
           aggregate_all(count, verdict(A, G, S, _, _, _), 1)).

test(no_right_answer_is_convicted_without_an_error_in_it) :-
    forall(( member(A, [yes, no]), seen(S), S = seen(false, false, false, _, _, _, _, _, _), verdict(A, A, S, _, C, _) ),
           memberchk(C, [normal, review])).

test(no_wrong_yes_or_no_is_normal) :-
    forall(( member(A-G, [yes-no, no-yes]), seen(S), verdict(A, G, S, _, C, _) ),
           C \== normal).

test(a_refusal_is_normal_whatever_was_seen) :-
    forall(( member(A, [dont_know, refusal]), member(G, [yes, no]), seen(S), verdict(A, G, S, _, C, _) ),
           C == normal).

test(an_unread_answer_is_never_counted_wrong) :-
    forall(( member(G, [yes, no]), seen(S), verdict(unparseable, G, S, _, C, _) ),
           C == unparseable).

test(the_table_does_not_care_which_answer_is_called_yes) :-
    forall(( input(A, G, S), turned(A, A1), turned(G, G1), turned_seen(S, S1) ),
           ( verdict(A, G, S, R, C, L), verdict(A1, G1, S1, R, C, L) )).

test(knowledge_is_blamed_only_for_a_contradiction_a_reductio_or_a_bare_conclusion) :-
    forall(( input(A, G, S), verdict(A, G, S, Row, C, _), memberchk(C, [error_knowledge, both]) ),
           ( S = seen(true, _, _, _, _, _, _, _, _) ; memberchk(Row, ['W5', 'W6']) )).

test(a_measured_gold_convicts_no_premise_by_reductio_and_changes_nothing_else, [nondet]) :-
    forall(( input(A, G, S), S = seen(K, X, C, U, O, F, H, B, true), verdict(A, G, S, Row, V, L) ),
           ( verdict(A, G, seen(K, X, C, U, O, F, H, B, false), Row1, V1, L1),
             Row \== 'W5',
             ( Row1 == 'W5' -> memberchk(Row, ['W6', 'W7']) ; Row-V-L == Row1-V1-L1 ) )).

test(unverifiable_premises_alone_change_no_right_answer, [nondet]) :-
    forall(( member(A, [yes, no]), seen(S), S = seen(K, X, C, true, O, F, H, B, M) ),
           ( verdict(A, A, S, _, V1, _),
             verdict(A, A, seen(K, X, C, false, O, F, H, B, M), _, V2, _),
             ( V1 == V2 ; V2 == review ) )).

:- end_tests(verdict_table).

turned(yes, no) :- !.
turned(no, yes) :- !.
turned(X, X).

turned_seen(seen(K, X, C, U, O, F, H, B, M), seen(K, X, C, U, O1, F1, H, B, M)) :-
    turned(O, O1),
    turned(F, F1).
