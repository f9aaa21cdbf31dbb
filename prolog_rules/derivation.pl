% Derivation: what follows from the facts of a snapshot by its active rules, with the evidence of each conclusion.
%
% Three files make a run; the last two are generated per snapshot and shard, and are kept:
%
%   swipl prolog_rules/derivation.pl facts.pl rules.pl
%   ?- rule(Number, Conclusion, Body).                  % what is there
%   ?- rule(7, R, Body), derived(Body, 90, O, Evidence, Note).   % what follows for Q90 by rule 7
%
% facts.pl   p<K>(S, O, Sid)        every usable statement of property K, least statement id of each pair
%            s<K>(S, O, Sid)        those that hold without limit of time at the snapshot's date (several premises)
%            u<K>(S, O, Sid)        the same of P131, P171 and P279, whether or not they may be composed (shared objects)
%            v<K>(S, O, Sid)        K has exactly one value for the named S, counting every rank: O, by statement Sid, not
%                                   hedged, not too young
%            seen(K, S, O)          O was recorded for S besides what p<K> or v<K> say: in some month, at some rank
%            young(K, Sid)          the statement began within the recording lag, or later: it denies no converse
%            alternatives(K, O, v(N, ...), r(Reason, ...))   licensed wrong values for subjects whose true value is O,
%                                   and the code of each one's licence
%            composed(K, S, O)      licensed by rule_typing/composing.py: O lies two or three steps of K above S, safely
%            nested(K, S, O)        the unit S lies in O, and in nothing that neither contains O nor lies in it
%            sex(Sex, O, Sid)       the sex of O is that and nothing else, by its statement (P21)
%            known(K, S, O)         O was recorded for S at some rank; 0: no item (for inverses by sex)
%            alike(A, B)            A and B are linked: the same, different from, replaced (either way round)
%            several(K)             K may be denied of an item only if two or more lie below that (classes, taxa)
%            checked(K, S, O, Id)   people found K(S, O) to be false, by finding Id, and nothing states otherwise
%            named(Q)               Q has a label, so that it can stand in a question
% rules.pl   rule(Number, Relation, Body)   what the rule concludes: a row of table `relation`
%            touched(Number, S)  rule Number is derived anew for the subject S only: its body is only(Number, Body)
%
% All arguments are integers: Q42 is 42, P19 is 19. No label enters. Evidence is the least there is, so that the same
% facts give the same rows, whatever the order of loading.
%
% Nothing here concludes from absence: `\+` only keeps what is already stated, or was ever stated, out of the result.

:- set_prolog_flag(optimise, true).       % of this file and closure.pl: arithmetic is compiled
:- ensure_loaded(closure).

:- dynamic seen/3, young/2, alternatives/4, named/1, composed/3, sex/3, known/3, alike/2, several/1, checked/4,
           rule/3, touched/2, seat/4, nested/3.

%!  derived(+Body, ?S, -O, -Evidence, -Note) is nondet.
%
%   The rule Body concludes about S and O on the Evidence, a list of statements in the order of the argument. Note says
%   what else a row needs: none; via(Item), from which the last step leads: the way to Item is a row like this, or a
%   first step; reason(Code) of the licence of what is false (halluvault_tasks/reasoning/grounds.py); finding(Id, Code).

% --- symmetric: the direction that is missing.
derived(symmetric(P), S, O, [E], none) :-
    call(P, O, S, E),
    S \== O,
    \+ call(P, S, O, _).

% --- inverse: the same statement read from its other end.
derived(inverse(P), S, O, [E], none) :-
    call(P, O, S, E).

% --- inverse, by sex: whose child it is, is the child's father if he is a man. Evidence: the statement, the one of the
%     sex. Nothing where another value is known, or where it is the child of two of that sex.
derived(inverse(P, K, Sex), S, O, [E1, E2], none) :-
    call(P, O, S, E1),
    sex(Sex, O, E2),
    S \== O,
    \+ ( known(K, S, Other), Other \== O ),
    \+ ( call(P, Parent, S, _), Parent \== O, sex(Sex, Parent, _) ).

% --- transitive: two steps or more, at most Most. Evidence: the last step.
derived(transitive(P, Most), S, O, [E], via(Before)) :-
    subject(P, S),
    reached(P, [], [step(S, 0, 0, 0)], Most, O, _, E, Before, Depth),
    Depth > 1.

% --- transitive, where only some pairs are licensed (composed/3): two steps, else three. Evidence: the steps.
derived(composed(P, K), S, O, Least, none) :-
    composed(K, S, O),
    S \== O,
    \+ call(P, S, O, _),
    (   findall(Two, chain([P, P], S, O, Two), Ways),
        Ways = [_|_]
    ->  true
    ;   findall(Three, chain([P, P, P], S, O, Three), Ways),
        Ways = [_|_]
    ),
    msort(Ways, [Least|_]).

% --- transitive, from both ends: S lies in a unit that O is said to have, and that lies in nothing that O does not
%     contain or lie in (nested/3). Evidence: both statements, the least where several units lead there.
derived(from_both_ends(P, Q, K), S, O, Evidence, none) :-
    subject(P, S),
    findall(End-[E1, E2],
            ( call(P, S, Middle, E1), nested(K, Middle, End), call(Q, End, Middle, E2), End \== S ),
            Ways),
    sort(Ways, Sorted),
    least_for_each_key(Sorted, O, Evidence),
    \+ call(P, S, O, _).

% --- composite: a chain of two to four steps. Evidence: its statements, the least where several chains agree.
derived(chain(Steps), S, O, Evidence, none) :-
    Steps = [First|_],
    subject(First, S),
    findall(End-Way, (chain(Steps, S, End, Way), End \== S), Ways),
    sort(Ways, Sorted),
    least_for_each_key(Sorted, O, Evidence).

% --- composite: a step, then one or more of another relation. Evidence: the first step, the last. No way leads through
%     S itself: what lies beyond is no news of it, and no row could hold the way there.
derived(then_up(P, Q), S, O, [E1, E2], via(Before)) :-
    subject(P, S),
    findall(step(Middle, E, 0, 0), call(P, S, Middle, E), Starts),
    reached(Q, [S], Starts, inf, O, E1, E2, Before, _).

% --- composite: two subjects with one object. Evidence: their statements. Each pair once, at the least shared object
%     whose group pairs them.
derived(share(P, Cap), S, O, [E1, E2], none) :-
    setup_call_cleanup(
        retractall(seat(_, _, _, _)),
        ( group(P, Shared, Members),
          pair(P, Shared, Members, Cap, S, E1, O, E2)
        ),
        retractall(seat(_, _, _, _))).

% --- negation.value: a value that S does not have, since it has another and can have one only. Evidence: the true fact.
derived(wrong_value(P, K, Most), S, Wrong, [E], reason(Reason)) :-
    alternatives(K, O, Wrongs, Reasons),
    findall(Subject-By, call(P, Subject, O, By), Subjects0),
    msort(Subjects0, Subjects),
    dealt(Subjects, Wrongs, Most, S, E, Card),
    arg(Card, Wrongs, Wrong),
    Wrong \== S,
    \+ seen(K, S, Wrong),
    arg(Card, Reasons, Reason).

% --- negation.value: the converse of a relation that runs one way. Evidence: the true fact.
derived(converse(P, K, Reason), S, O, [E], reason(Reason)) :-
    call(P, O, S, E),
    S \== O,
    \+ young(K, E),
    named(S),
    named(O),
    \+ call(P, S, O, _),
    \+ seen(K, S, O),
    \+ alike(S, O),
    told_apart(P, K, S, O),
    \+ above(P, S, O).

% --- negation.value: what people found to be false, unless it follows after all by one of Bodies, which conclude K.
derived(checked(K, Bodies, Reason), S, O, [], finding(Id, Reason)) :-
    checked(K, S, O, Id),
    named(S),
    named(O),
    \+ ( member(Body, Bodies), derived(Body, S, O, _, _) ).

% --- any rule, for the subjects alone that a month has touched; the rows of the others are those of the month before.
derived(only(Number, Body), S, O, Evidence, Note) :-
    touched(Number, S),
    derived(Body, S, O, Evidence, Note).

% --- helpers

%   A class above a single other one is often the same in other words.
told_apart(P, K, S, O) :-
    (   several(K)
    ->  call(P, Other, S, _),
        Other \== O
    ;   true
    ),
    !.

%   P(S, ...) leads up to O in some steps: then both directions are claimed, and neither is denied.
above(P, S, O) :-
    reached(P, [], [step(S, 0, 0, 0)], inf, O, _, _, _, _),
    !.

subject(P, S) :-
    integer(S),
    !,
    once(call(P, S, _, _)).
subject(P, S) :-
    findall(One, call(P, One, _, _), All),
    sort(All, Subjects),
    member(S, Subjects).

object(P, O) :-
    findall(One, call(P, _, One, _), All),
    sort(All, Objects),
    member(O, Objects).

chain([P], S, O, [E]) :-
    call(P, S, O, E).
chain([P, Q|Rest], S, O, [E|Es]) :-
    call(P, S, Middle, E),
    chain([Q|Rest], Middle, O, Es).

least_for_each_key(Sorted, Key, Value) :-
    group_pairs_by_key(Sorted, Groups),
    member(Key-[Value|_], Groups).

%   The subjects of P that share an object, as a list Member-Statement in ascending order; by ascending object.
group(P, Shared, Members) :-
    object(P, Shared),
    findall(Member-E, call(P, Member, Shared, E), Members0),
    Members0 = [_, _|_],
    msort(Members0, Members).

%   All pairs of a small group. In a large one every member meets Cap others, those that follow it in a circle: as
%   true as all of them, the same for every member, and nothing random.
pair(P, Shared, Members, Cap, A, EA, B, EB) :-
    length(Members, Count),
    maplist(with_earlier(P, Shared), Members, Informed),
    Reach is Cap // 2,
    (   Count =< Cap + 1
    ->  append(_, [m(A, EA, EarlierA)|Rest], Informed),
        member(m(B, EB, EarlierB), Rest)
    ;   take_seats(P, Shared, Members, Count),
        Circle =.. [circle|Informed],
        between(1, Count, I),
        arg(I, Circle, One),
        between(1, Reach, Offset),
        J is (I + Offset - 1) mod Count + 1,
        arg(J, Circle, Other),
        in_order(One, Other, m(A, EA, EarlierA), m(B, EB, EarlierB))
    ),
    \+ paired(EarlierA, EarlierB, A, B, Reach).

in_order(One, Other, One, Other) :-
    arg(1, One, A),
    arg(1, Other, B),
    A < B,
    !.
in_order(One, Other, Other, One).

with_earlier(P, Shared, Member-E, m(Member, E, Earlier)) :-
    findall(Object, ( call(P, Member, Object, _), Object < Shared ), Earlier).

%   A member of a large group that has later objects too leaves its place there, for `paired` to look up.
take_seats(P, Shared, Members, Count) :-
    forall(( nth1(Place, Members, Member-_),
             \+ \+ ( call(P, Member, Later, _), Later > Shared )
           ),
           assertz(seat(Member, Shared, Place, Count))).

%   An earlier group has paired A and B.
paired([X|Xs], [Y|Ys], A, B, Reach) :-
    member(Object, [X|Xs]),
    memberchk(Object, [Y|Ys]),
    (   seat(A, Object, I, Count)
    ->  seat(B, Object, J, Count),
        Apart is abs(I - J),
        min(Apart, Count - Apart) =< Reach
    ;   true
    ),
    !.

%   Deal the wrong values out like cards, Most to each subject, so that none is used much more often than another. Card
%   is a value's place among Wrongs.
dealt(Subjects, Wrongs, Most, S, E, Card) :-
    functor(Wrongs, _, Count),
    Hand is min(Most, Count),
    nth0(Place, Subjects, S-E),
    between(1, Hand, Nth),
    Card is (Place * Hand + Nth - 1) mod Count + 1.

% --- running

%!  derive(+RowsFile, +GroupsFile, +ManifestFile) is det.
%
%   Write every conclusion of every rule as a line `rule relation s o {evidence} via reason finding` and every whole
%   group of a share rule as a line `rule o {members} {statements}` (tabs, COPY's text format, NULL is empty), and tell
%   the manifest what was written: `begin Rule`, `rows Rule Count Groups` ..., at the very end `end Total`. A manifest
%   without its last line means that the rows are not all there, however the process ended.
derive(RowsFile, GroupsFile, ManifestFile) :-
    setup_call_cleanup(
        open(ManifestFile, write, Manifest, [encoding(octet)]),
        setup_call_cleanup(
            open(GroupsFile, write, Groups, [encoding(octet), buffer(full)]),
            setup_call_cleanup(
                open(RowsFile, write, Rows, [encoding(octet), buffer(full)]),
                ( set_stream(Rows, buffer_size(1048576)),
                  findall(Number, rule(Number, _, _), Numbers),
                  foldl(derive_rule(Rows, Groups, Manifest), Numbers, 0, Total),
                  flush_output(Rows),
                  flush_output(Groups),
                  report(Manifest, 'end ~d~n', [Total])
                ),
                close(Rows)),
            close(Groups)),
        close(Manifest)).

derive_rule(Rows, Groups, Manifest, Number, Before, After) :-
    rule(Number, Relation, Body),
    report(Manifest, 'begin ~d~n', [Number]),
    format(atom(Prefix), '~d\t~d', [Number, Relation]),
    aggregate_all(count,
                  ( derived(Body, S, O, Evidence, Note),
                    put_row(Note, Evidence, Rows, Prefix, S, O)
                  ),
                  Count),
    whole_groups(Body, Number, Groups, GroupCount),
    report(Manifest, 'rows ~d ~d ~d~n', [Number, Count, GroupCount]),
    After is Before + Count.

put_row(none, [E], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d}\t\t\t~n', [Prefix, S, O, E]).
put_row(none, [E1, E2], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d,~d}\t\t\t~n', [Prefix, S, O, E1, E2]).
put_row(none, [E1, E2, E3], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d,~d,~d}\t\t\t~n', [Prefix, S, O, E1, E2, E3]).
put_row(none, Evidence, Rows, Prefix, S, O) :-
    !,
    atomic_list_concat(Evidence, ',', Written),
    format(Rows, '~a\t~d\t~d\t{~a}\t\t\t~n', [Prefix, S, O, Written]).
put_row(via(Item), [E], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d}\t~d\t\t~n', [Prefix, S, O, E, Item]).
put_row(via(Item), [E1, E2], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d,~d}\t~d\t\t~n', [Prefix, S, O, E1, E2, Item]).
put_row(reason(Code), [E], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{~d}\t\t~d\t~n', [Prefix, S, O, E, Code]).
put_row(finding(Id, Code), [], Rows, Prefix, S, O) :-
    !,
    format(Rows, '~a\t~d\t~d\t{}\t\t~d\t~d~n', [Prefix, S, O, Code, Id]).
%   A row that cannot be written must not be lost without a word: the manifest would count without it.
put_row(Note, Evidence, _, Prefix, S, O) :-
    domain_error(row_of_derived_fact, row(Prefix, S, O, Evidence, Note)).

whole_groups(share(P, _), Number, Groups, Count) :-
    !,
    aggregate_all(count,
                  ( group(P, Shared, Members),
                    pairs_keys_values(Members, Subjects, Statements),
                    atomic_list_concat(Subjects, ',', Left),
                    atomic_list_concat(Statements, ',', Right),
                    format(Groups, '~d\t~d\t{~a}\t{~a}~n', [Number, Shared, Left, Right])
                  ),
                  Count).
whole_groups(_, _, _, 0).

report(Manifest, Format, Arguments) :-
    format(Manifest, Format, Arguments),
    flush_output(Manifest).

%!  load_facts(+File) is det.
%
%   Read a generated file of facts, four times faster than consult/1 (no clause there needs compiling with care).
load_facts(File) :-
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        load_terms(In),
        close(In)).

load_terms(In) :-
    repeat,
    read(In, Term),
    (   Term == end_of_file
    ->  !
    ;   Term = (:- dynamic Predicates)
    ->  dynamic(Predicates),
        fail
    ;   assertz(Term),
        fail
    ).
