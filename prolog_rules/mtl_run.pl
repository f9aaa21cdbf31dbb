:- module(mtl_run,
          [ run_program/2               % +ProgramFile, +OutputFile
          ]).

:- use_module(mtl).
:- use_module(library(modules)).

/** <module> Answer many queries of generated rules at once

What one saved program does for one query, for a file of them, with sub-formulas shared between queries.
*/

%!  run_program(+ProgramFile, +OutputFile) is det.
%
%   Load the clauses of a generated program into a module of its own, answer its `query(Goal)` and
%   `query(Goal, At, Least, Greatest)` terms in order, one line each (answer, how, certain, possible; tab between, the
%   sets as JSON), and forget the clauses. Sub-formulas come operands first and each is computed once: its value in the
%   World `bounds` is kept as a clause before its rule. Directives in the file are not run.

run_program(ProgramFile, OutputFile) :-
    in_temporary_module(
        Module,
        add_import_module(Module, mtl, start),
        mtl_run:run_files(ProgramFile, OutputFile, Module)).

run_files(ProgramFile, OutputFile, Module) :-
    setup_call_cleanup(
        open(ProgramFile, read, In, [encoding(utf8), newline(posix)]),
        setup_call_cleanup(
            open(OutputFile, write, Out, [encoding(utf8), newline(posix)]),
            run_terms(In, Out, Module),
            close(Out)),
        close(In)).

run_terms(In, Out, Module) :-
    repeat,
        read_term(In, Term, []),
        run_term(Term, Out, Module),
        Term == end_of_file,
    !.

run_term(end_of_file, _, _) :- !.
run_term((:- _), _, _) :- !.
run_term(query(Goal), Out, Module) :- !,
    once(call(Module:Goal, bounds, tv(C, P, _, _, _))),
    put_line(Out, (-), (-), C, P).
run_term(query(Goal, At, Least, Greatest), Out, Module) :- !,
    answer_at(Module:Goal, At, Least, Greatest, Answer, How),
    once(call(Module:Goal, bounds, tv(C, P, _, _, _))),
    put_line(Out, Answer, How, C, P).
run_term((Head :- Body), _, Module) :-
    copy_term(Head-Body, Known-Once),
    arg(1, Known, bounds),
    once(Module:Once),
    assertz(Module:(Known :- !)),
    assertz(Module:(Head :- Body)).

put_line(Out, Answer, How, C, P) :-
    format(Out, "~w\t~w\t", [Answer, How]),
    put_set(C, Out),
    put_char(Out, '\t'),
    put_set(P, Out),
    nl(Out).

put_set([], Out) :- write(Out, '[]').
put_set([I|T], Out) :-
    put_char(Out, '['),
    put_interval(I, Out),
    put_intervals(T, Out),
    put_char(Out, ']').

put_intervals([], _).
put_intervals([I|T], Out) :-
    put_char(Out, ','),
    put_interval(I, Out),
    put_intervals(T, Out).

put_interval(A-B, Out) :-
    put_char(Out, '['),
    put_end(A, Out),
    put_char(Out, ','),
    put_end(B, Out),
    put_char(Out, ']').

put_end(inf, Out) :- !, write(Out, '"inf"').
put_end(sup, Out) :- !, write(Out, '"sup"').
put_end(N, Out) :- format(Out, "~d", [N]).
