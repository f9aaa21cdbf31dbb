:- module(replay,
          [ replay_batch/2,             % +ItemsFile, +OutputFile
            answer/3                    % +Response, +Mode, -Answer
          ]).

:- use_module(verdict_table).
:- use_module(library(lists)).

/** <module> Replay a case's reasoning over what a response says

Each response is run through the active rules in three readings (Mode):

  - own: what it says, and the snapshot without the case's evidence. An answer counts only if something that the
    response says took part in it: what the snapshot alone proves is not its reasoning;
  - fill: the case's evidence, each slot as the response fills it (functional slots overridden, others extended);
  - said: what it says and nothing else: by this its own steps are judged.

The items of a batch, all arguments integers or the atoms named here; a relation P, C that is no property is a term
chain([19, 131]), share([57]), order([571]) or inverse([57]):

    rule(symmetric(P)), rule(inverse(Q, P)), rule(transitive(P)), rule(chain([P, ...], C)), rule(then_up(P, Q, C)),
    rule(share(P)), functional(P), asymmetric(P), irreflexive(P)        the snapshot's active rules
    single(P, S)                       S has one value of P, which is not functional
    known(P, S, O, Sid, Standing)      a usable statement; Standing is 1 if it holds without limit of time
    case(R, P, S, O)                   what is asked
    evidence(R, P, S, O)               a premise of the case's proof; (P, S) is its slot
    says(R, P, S, O), denies(R, P, S, O)   premises of the response
    differs(P, V, O)                   licensed: having V as its only value of P rules O out (reasoning/licence)
    apart(R, V, O)                     licensed: having V as its place rules out being in O (reasoning/licence)
    order(R, P, S, O)                  what is asked: the event P of S lies before that of O
    evidence_date(R, P, S, First, Last), says_date(R, P, S, First, Last)     day numbers
    given(R, Mode, Answer)             a replay done elsewhere (temporal cases: prolog_rules/mtl.pl)
    step(R, N, Step)                   entails(Answer), nothing_follows, true or false (arithmetic, done before)
    judged(R, Answer, Gold, KX, CX, U, Shape, Base, Measured)   the rest of what the decision table needs

    ?- [prolog_rules/replay], replay:load_items('items.pl'), replay:answer(1, own, A).
*/

:- dynamic rule/1, functional/1, single/2, asymmetric/1, irreflexive/1, known/5, case/4, evidence/4, says/4,
           denies/4, differs/3, apart/3, order/4, evidence_date/5, says_date/5, given/3, step/3, judged/9.

item(rule/1).
item(functional/1).
item(single/2).
item(asymmetric/1).
item(irreflexive/1).
item(known/5).
item(case/4).
item(evidence/4).
item(says/4).
item(denies/4).
item(differs/3).
item(apart/3).
item(order/4).
item(evidence_date/5).
item(says_date/5).
item(given/3).
item(step/3).
item(judged/9).

%!  answer(+R, +Mode, -Answer) is det.
%
%   yes, no, undetermined or inconsistent.

answer(R, Mode, Answer) :-
    given(R, Mode, Given),
    !,
    Answer = Given.
answer(R, Mode, Answer) :-
    order(R, P, S, O),
    !,
    (   event(R, Mode, P, S, First1, Last1),
        event(R, Mode, P, O, First2, Last2)
    ->  (   Last1 < First2 -> Answer = yes
        ;   Last2 < First1 -> Answer = no
        ;   Answer = undetermined
        )
    ;   Answer = undetermined
    ).
answer(R, Mode, Answer) :-
    case(R, P, S, O),
    (   once(holds(R, Mode, P, S, O)) -> Yes = true ; Yes = false ),
    (   once(denied(R, Mode, P, S, O)) -> No = true ; No = false ),
    summed_up(Yes, No, Answer).

%   The days on which an event may lie: as the response says, else, in `fill`, as the evidence does.
event(R, _, P, S, First, Last) :-
    says_date(R, P, S, First, Last),
    !.
event(R, fill, P, S, First, Last) :-
    evidence_date(R, P, S, First, Last),
    \+ denies(R, P, S, 0).

summed_up(true, true, inconsistent).
summed_up(true, false, yes).
summed_up(false, true, no).
summed_up(false, false, undetermined).

holds(R, Mode, P, S, O) :-
    proved(R, Mode, P, S, O, Used),
    counts(Mode, Used).

denied(R, Mode, P, S, O) :-
    refuted(R, Mode, P, S, O, Used),
    counts(Mode, Used).

counts(own, said).
counts(fill, _).
counts(said, _).

%!  edge(+R, +Mode, ?P, ?S, ?O, -Used, -Standing) is nondet.
%
%   A fact of the reading; Used is `said` if the response says it, else `known`.

edge(R, fill, P, S, O, known, 1) :-
    evidence(R, P, S, O),
    \+ overridden(R, P, S, O).
edge(R, own, P, S, O, known, Standing) :-
    known(P, S, O, _, Standing),
    \+ slot(R, P, S, O),
    \+ overridden(R, P, S, O).
edge(R, Mode, P, S, O, said, 1) :-
    says(R, P, S, O),
    (   Mode == fill -> filled(R, P, S, O) ; true ).

%   The case's own evidence, in any reading of the same fact, is kept from `own`.
slot(R, P, S, _) :-
    evidence(R, P, S, _).
slot(R, P, S, O) :-
    rule(symmetric(P)),
    evidence(R, P, O, S).
slot(R, Q, O, S) :-
    rule(inverse(Q, P)),
    evidence(R, P, S, O).
slot(R, P, S, O) :-
    case(R, P, S, O).
slot(R, Q, O, S) :-
    rule(inverse(Q, P)),
    case(R, P, S, O).

%   Only what speaks about a slot of the evidence fills it.
filled(R, P, S, _) :-
    evidence(R, P, S, _),
    !.
filled(R, P, S, O) :-
    rule(symmetric(P)),
    ( evidence(R, P, O, _) ; evidence(R, P, _, S) ),
    !.
filled(R, Q, S, O) :-
    rule(inverse(Q, P)),
    ( evidence(R, P, O, _) ; evidence(R, P, _, S) ),
    !.
filled(R, Q, S, O) :-
    rule(inverse(P, Q)),
    ( evidence(R, P, O, _) ; evidence(R, P, _, S) ),
    !.

overridden(R, P, S, O) :-
    one_value(P, S),
    says(R, P, S, Other),
    Other =\= O,
    !.
overridden(R, P, S, O) :-
    fact_denied(R, P, S, O),
    !.

one_value(P, _) :-
    functional(P).
one_value(P, S) :-
    single(P, S).

fact_denied(R, P, S, O) :-
    denies(R, P, S, O).
fact_denied(R, P, S, O) :-
    rule(symmetric(P)),
    denies(R, P, O, S).
fact_denied(R, P, S, O) :-
    rule(inverse(Q, P)),
    denies(R, Q, O, S).
fact_denied(R, P, S, O) :-
    rule(inverse(P, Q)),
    denies(R, Q, O, S).

%!  fact(+R, +Mode, +P, ?S, ?O, -Used, -Standing) is nondet.
%
%   A fact in either direction: as it stands, turned round, or read from its other end.

fact(R, Mode, P, S, O, Used, Standing) :-
    edge(R, Mode, P, S, O, Used, Standing).
fact(R, Mode, P, S, O, Used, Standing) :-
    rule(symmetric(P)),
    edge(R, Mode, P, O, S, Used, Standing).
fact(R, Mode, P, S, O, Used, Standing) :-
    rule(inverse(Q, P)),
    edge(R, Mode, Q, O, S, Used, Standing).

%!  proved(+R, +Mode, +P, +S, +O, -Used) is nondet.

proved(R, Mode, P, S, O, Used) :-
    fact(R, Mode, P, S, O, Used, _).
proved(R, Mode, P, S, O, Used) :-
    rule(transitive(P)),
    climbs(R, Mode, P, S, O, Used).
proved(R, Mode, C, S, O, Used) :-
    rule(chain(Steps, C)),
    chain(Steps, R, Mode, S, O, known, Used).
proved(R, Mode, C, S, O, Used) :-
    rule(then_up(P, Q, C)),
    fact(R, Mode, P, S, Middle, Used0, 1),
    (   Middle == O
    ->  Used = Used0
    ;   climbs(R, Mode, Q, Middle, O, Used1),
        either_said(Used0, Used1, Used)
    ).
proved(R, Mode, share([P]), S, O, Used) :-
    rule(share(P)),
    fact(R, Mode, P, S, Shared, Used0, 1),
    fact(R, Mode, P, O, Shared, Used1, 1),
    either_said(Used0, Used1, Used).

chain([], _, _, O, O, Used, Used).
chain([P|Ps], R, Mode, S, O, Used0, Used) :-
    fact(R, Mode, P, S, Middle, Used1, 1),
    either_said(Used0, Used1, Used2),
    chain(Ps, R, Mode, Middle, O, Used2, Used).

either_said(said, _, said) :- !.
either_said(known, Used, Used).

%   Breadth first; a node counts once for each way of having come there.
climbs(R, Mode, P, S, O, Used) :-
    climb([S-known], [S-known], R, Mode, P, O, Used).

climb(Frontier, Seen, R, Mode, P, O, Used) :-
    findall(Next-U,
            ( member(Node-U0, Frontier),
              fact(R, Mode, P, Node, Next, U1, 1),
              either_said(U0, U1, U),
              \+ memberchk(Next-U, Seen)
            ),
            Found0),
    sort(Found0, Found),
    Found = [_|_],
    (   member(O-Used, Found)
    ;   append(Found, Seen, Seen1),
        length(Seen1, Length),
        Length < 2_000,
        climb(Found, Seen1, R, Mode, P, O, Used)
    ).

%!  refuted(+R, +Mode, +P, +S, +O, -Used) is nondet.
%
%   p(S, O) is false: it is denied, or licence rules it out on the facts of the reading.

refuted(R, _, P, S, O, said) :-
    fact_denied(R, P, S, O).
refuted(_, _, P, S, S, said) :-
    irreflexive(P).
refuted(R, Mode, P, S, O, Used) :-
    asymmetric(P),
    S \== O,
    (   rule(transitive(P))
    ->  climbs(R, Mode, P, O, S, Used),
        \+ climbs(R, Mode, P, S, O, _)
    ;   fact(R, Mode, P, O, S, Used, _),
        \+ fact(R, Mode, P, S, O, _, _)
    ).
refuted(R, Mode, P, S, O, Used) :-
    one_value(P, S),
    fact(R, Mode, P, S, Value, Used, _),
    differs(P, Value, O).
refuted(R, Mode, inverse([P]), S, O, Used) :-
    rule(inverse(P, inverse([P]))),
    one_value(P, O),
    fact(R, Mode, P, O, Value, Used, _),
    differs(P, Value, S).
refuted(R, Mode, C, S, O, Used) :-
    rule(then_up(P, _, C)),
    functional(P),
    fact(R, Mode, P, S, Value, Used, _),
    apart(R, Value, O),
    \+ proved(R, Mode, C, S, O, _).

refuted(R, Mode, share([P]), S, O, Used) :-
    rule(share(P)),
    one_value(P, S),
    one_value(P, O),
    fact(R, Mode, P, S, Value, Used0, 1),
    fact(R, Mode, P, O, Other, Used1, 1),
    differs(P, Value, Other),
    either_said(Used0, Used1, Used).

%!  steps(+R, +Said, -Steps, -SX) is det.
%
%   Each step of a response as N-Status, and whether any is false.

steps(R, Said, Steps, SX) :-
    findall(N-Status, ( step(R, N, Step), status(Step, Said, Status) ), Steps),
    (   memberchk(_-contradicted, Steps) -> SX = true ; SX = false ).

status(true, _, supported) :- !.
status(false, _, contradicted) :- !.
status(entails(Answer), Answer, supported) :- !.
status(entails(yes), no, contradicted) :- !.
status(entails(no), yes, contradicted) :- !.
status(nothing_follows, Said, contradicted) :-
    memberchk(Said, [yes, no]),
    !.
status(_, _, unverifiable).

%!  replay_batch(+ItemsFile, +OutputFile) is det.
%
%   One line a response: R, own, fill, said, SX, row, category, label, steps (`N:Status,...`), tabs between.

replay_batch(ItemsFile, OutputFile) :-
    setup_call_cleanup(
        load_items(ItemsFile),
        setup_call_cleanup(
            open(OutputFile, write, Out, [encoding(utf8), newline(posix)]),
            forall(judged(R, Answer, Gold, KX, CX, U, Shape, Base, Measured),
                   put_verdict(Out, R, Answer, Gold, KX, CX, U, Shape, Base, Measured)),
            close(Out)),
        forget).

put_verdict(Out, R, Answer, Gold, KX, CX, U, Shape, Base, Measured) :-
    answer(R, own, Own),
    answer(R, fill, Fill),
    answer(R, said, Said),
    steps(R, Said, Steps, SX0),
    (   CX == true, Answer \== Gold, Own \== Gold -> SX = true ; SX = SX0 ),  % its conclusion refutes a wrong answer
    verdict(Answer, Gold, seen(KX, SX, CX, U, Own, Fill, Shape, Base, Measured), Row, Category, Label),
    findall(One, ( member(N-Status, Steps), format(atom(One), "~d:~a", [N, Status]) ), Ones),
    atomic_list_concat(Ones, ',', Told),
    format(Out, "~d\t~a\t~a\t~a\t~a\t~a\t~a\t~a\t~a~n", [R, Own, Fill, Said, SX, Row, Category, Label, Told]).

%   Terms that are no item stop the batch: nothing of a file is ever run.
load_items(File) :-
    forget,
    setup_call_cleanup(
        open(File, read, In, [encoding(utf8)]),
        load_terms(In),
        close(In)).

load_terms(In) :-
    repeat,
    read(In, Term),
    (   Term == end_of_file
    ->  !
    ;   functor(Term, Name, Arity),
        (   item(Name/Arity)
        ->  assertz(Term)
        ;   domain_error(replay_item, Name/Arity)
        ),
        fail
    ).

forget :-
    forall(item(Name/Arity), ( functor(Head, Name, Arity), retractall(Head) )).
