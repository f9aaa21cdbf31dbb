% The decision table of verdicts. Its only other writing is in tests/oracles/test_verdict_table.py.
:- module(verdict_table,
          [ verdict/6,                  % +Answer, +Gold, +Seen, -Row, -Category, -Label
            seen/1                      % ?Seen
          ]).

/** <module> What is to be said of a response: the decision table of the profile `replay`

One predicate, first match, total over its inputs (docs/oracles.md prints the table). Absence of evidence never
convicts: only a licensed contradiction, a false step, an opposed conclusion or a wrong answer does.

Answer and Gold are about the base proposition: for a negated question both were turned round before.

Seen is seen(KX, SX, CX, U, Own, Fill, Shape, Base, Measured):

  - KX: a premise is contradicted; SX: a step is false; CX: the text's conclusion opposes the answer; U: some premise
    is unverifiable. Each `true` or `false`.
  - Own: what the response's premises prove, with the snapshot less the case's evidence; Fill: what the case's evidence
    proves with each slot as the response fills it. Each `yes`, `no`, `undetermined` or `inconsistent`.
  - Shape: `direct` (the response gives no premise, and the case's proof has one), `bare` (no premise, several in the
    proof) or `argued`.
  - Base: `true` if the same model answered the group's original rightly.
  - Measured: `true` if the gold answer rests on a foil that was measured, not shown, to be false: then a premise is no
    more refuted by what would follow from it than the gold answer is proved.

    ?- use_module(verdict_table).
    ?- verdict(no, yes, seen(false,false,false,false,yes,yes,argued,false,false), Row, Category, Label).
*/

%!  verdict(+Answer, +Gold, +Seen, -Row, -Category, -Label) is det.

verdict(Answer, Gold, Seen, Row, Category, Label) :-
    once(row(Row, Answer, Gold, Seen, Category, Label)).

% --- no yes or no to judge

row('0a', Answer, _, _, normal, abstained) :-
    memberchk(Answer, [dont_know, refusal]).
row('0b', unparseable, _, _, unparseable, none).
row('0c', contradictory, _, seen(true, _, _, _, _, _, _, _, _), both, self_contradictory).
row('0c', contradictory, _, _, error_inference, self_contradictory).

% --- oracle or gold at fault: nothing is wrong with the premises, and yet they prove the opposite of the gold answer

row('1', _, Gold, seen(false, false, _, false, Own, _, _, _, _), review, alarm) :-
    opposite(Gold, Own).

% --- right answers

row('R1', A, A, seen(true, SX, CX, _, _, Fill, _, _, _), both, contradictory) :-
    (   SX == true
    ;   CX == true
    ;   opposite(A, Fill)
    ;   Fill == inconsistent
    ).
row('R2', A, A, seen(true, _, _, _, _, _, _, _, _), error_knowledge, answer_unaffected).
row('R3', A, A, seen(false, _, true, _, _, _, _, _, _), error_inference, contradictory).
row('R3', A, A, seen(false, true, false, _, _, _, _, _, _), error_inference, false_step).
row('R4', A, A, seen(_, _, _, _, A, _, _, _, _), normal, sound).
row('R4', A, A, _, normal, unverified).

% --- wrong answers

row('W1', _, Gold, seen(true, SX, _, _, _, Fill, _, _, _), both, none) :-
    (   SX == true
    ;   Fill == Gold
    ;   Fill == inconsistent
    ).
row('W2', A, _, seen(true, _, _, _, _, A, _, _, _), error_knowledge, explained).
row('W2', _, _, seen(true, _, _, _, _, _, _, _, _), error_knowledge, unproven).
row('W3', _, _, seen(_, true, _, _, _, _, _, _, _), error_inference, false_step).
row('W4', _, Gold, seen(_, _, _, _, Gold, _, _, true, _), error_inference, polarity).
row('W4', _, Gold, seen(_, _, _, _, Gold, _, _, _, _), error_inference, proved).
row('W5', A, _, seen(_, _, _, true, _, A, _, _, false), error_knowledge, by_reductio).
row('W6', _, _, seen(_, _, _, _, _, _, direct, _, _), error_knowledge, conclusion).
row('W7', _, _, _, unattributed, none).

opposite(yes, no).
opposite(no, yes).

%!  seen(?Seen) is nondet.
%
%   Every combination of what may have been seen: 3,072 of them, 36,864 with six answers and two gold answers.

seen(seen(KX, SX, CX, U, Own, Fill, Shape, Base, Measured)) :-
    maplist(flag, [KX, SX, CX, U]),
    maplist(replayed, [Own, Fill]),
    member(Shape, [direct, bare, argued]),
    maplist(flag, [Base, Measured]).

flag(false).
flag(true).

replayed(yes).
replayed(no).
replayed(undetermined).
replayed(inconsistent).
