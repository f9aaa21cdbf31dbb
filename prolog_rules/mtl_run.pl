:- module(mtl_run,
          [ run_program/2               % +ProgramFile, +OutputFile
          ]).

:- set_prolog_flag(optimise, true).     % of this file and those below: arithmetic is compiled
:- use_module(mtl).

/** <module> Answer many queries at once

What a saved program does for one query, for a file of them, by the same operators. Sub-formulas are numbered steps,
each shared by all queries that have it, so that a formula costs a term to read instead of a clause to compile:

    steps(3).                                            % so many follow, operands before what is built from them
    occurs('dickens', [span(1812,1812,1870,1870)], closed, settled).
    occurs('victorian_era', [span(1837,1837,1901,1901)], closed, settled).
    until(10,20,1,2).                                    % step 3: of steps 1 and 2
    query(3,1820).                                       % at 1820
    query(3).                                            % its sets alone
*/

%!  run_program(+ProgramFile, +OutputFile) is det.
%
%   Answer the queries of a program in order, one line each: the answer, how it was found, the certain and the possible
%   set, tab between; the sets as JSON, the possible one empty where it is the certain one.

run_program(ProgramFile, OutputFile) :-
    setup_call_cleanup(
        open(ProgramFile, read, In, [encoding(utf8), newline(posix)]),
        setup_call_cleanup(
            open(OutputFile, write, Out, [encoding(utf8), newline(posix)]),
            run_terms(In, Out),
            close(Out)),
        close(In)).

run_terms(In, Out) :-
    read(In, steps(Count)),
    functor(Steps, steps, Count),
    functor(Values, values, Count),
    run_steps(1, Count, In, Steps, Values),
    read(In, First),
    answer_queries(First, In, Out, Steps, Values).

run_steps(N, Count, In, Steps, Values) :-
    (   N =< Count
    ->  read(In, Step),
        setarg(N, Steps, Step),
        step_value(Step, known(Values), Value),
        setarg(N, Values, Value),
        Next is N+1,
        run_steps(Next, Count, In, Steps, Values)
    ;   true
    ).

answer_queries(end_of_file, _, _, _, _) :- !.
answer_queries(Query, In, Out, Steps, Values) :-
    answer_query(Query, Out, Steps, Values),
    read(In, Next),
    answer_queries(Next, In, Out, Steps, Values).

answer_query(query(N), Out, _, Values) :-
    arg(N, Values, tv(C, P, _, _, _)),
    put_line(Out, (-), (-), C, P).
answer_query(query(N, At), Out, Steps, Values) :-
    arg(N, Values, Value),
    (   mtl:value_at(Value, At, Known)
    ->  Answer = Known, How = bounds
    ;   horizon(N, Steps, Least, Greatest),
        answer_at(mtl_run:step(N, Steps), At, Least, Greatest, Answer, How)
    ),
    Value = tv(C, P, _, _, _),
    put_line(Out, Answer, How, C, P).

%   step_value(+Step, +Operands, -Value) is multi: on backtracking in another completion of the dates, where those are
%   what the operands' values come from.

step_value(occurs(Name, Rows, Scope, Settled), Operands, Value) :-
    world(Operands, World),
    occurs(World, Name, Rows, Scope, Settled, Value).
step_value(negation(X), Operands, Value) :-
    operand(Operands, X, V),
    negation(V, Value).
step_value(both(X, Y), Operands, Value) :-
    operand(Operands, X, V),
    operand(Operands, Y, W),
    both(V, W, Value).
step_value(either(X, Y), Operands, Value) :-
    operand(Operands, X, V),
    operand(Operands, Y, W),
    either(V, W, Value).
step_value(next(X), Operands, Value) :-
    operand(Operands, X, V),
    next(V, Value).
step_value(finally(First, Last, X), Operands, Value) :-
    operand(Operands, X, V),
    finally(First, Last, V, Value).
step_value(globally(First, Last, X), Operands, Value) :-
    operand(Operands, X, V),
    globally(First, Last, V, Value).
step_value(until(First, Last, X, Y), Operands, Value) :-
    operand(Operands, X, V),
    operand(Operands, Y, W),
    until(First, Last, V, W, Value).

operand(known(Values), N, Value) :-
    arg(N, Values, Value).
operand(anew(Steps, World), N, Value) :-
    step(N, Steps, World, Value).

world(known(_), bounds).
world(anew(_, World), World).

step(N, Steps, World, Value) :-
    arg(N, Steps, Step),
    step_value(Step, anew(Steps, World), Value).

%   horizon(+Number, +Steps, -Least, -Greatest): offsets from t of the points at which a formula looks at its events.

horizon(N, Steps, Least, Greatest) :-
    arg(N, Steps, Step),
    looks(Step, Steps, Least, Greatest).

looks(occurs(_, _, _, _), _, 0, 0).
looks(negation(X), Steps, Least, Greatest) :-
    horizon(X, Steps, Least, Greatest).
looks(next(X), Steps, Least, Greatest) :-
    looks(finally(1, 1, X), Steps, Least, Greatest).
looks(both(X, Y), Steps, Least, Greatest) :-
    horizon(X, Steps, A, B),
    horizon(Y, Steps, C, D),
    Least is min(A, C),
    Greatest is max(B, D).
looks(either(X, Y), Steps, Least, Greatest) :-
    looks(both(X, Y), Steps, Least, Greatest).
looks(finally(First, Last, X), Steps, Least, Greatest) :-
    horizon(X, Steps, A, B),
    Least is A+First,
    Greatest is B+Last.
looks(globally(First, Last, X), Steps, Least, Greatest) :-
    looks(finally(First, Last, X), Steps, Least, Greatest).
looks(until(First, Last, X, Y), Steps, Least, Greatest) :-    % left of it from t+1 to t+Last-1
    horizon(X, Steps, A, B),
    horizon(Y, Steps, C, D),
    Least is min(A+1, C+First),
    Greatest is max(B+Last-1, D+Last).

put_line(Out, Answer, How, C, P) :-
    write(Out, Answer),
    put_char(Out, '\t'),
    write(Out, How),
    put_char(Out, '\t'),
    put_set(C, Out),
    put_char(Out, '\t'),
    (   P == C
    ->  true
    ;   put_set(P, Out)
    ),
    nl(Out).

put_set(Set, Out) :-
    lists(Set, Lists),
    write_term(Out, Lists, [quoted(true), spacing(next_argument)]).

lists([], []).
lists([A-B|T], [[C, D]|Lists]) :-
    ( A == inf -> C = "inf" ; C = A ),
    ( B == sup -> D = "sup" ; D = B ),
    lists(T, Lists).
