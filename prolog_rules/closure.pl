% Everything reachable over one relation, nearest first. Used by derivation.pl.
%
% A relation is a predicate p<K>(Subject, Object, Statement) with integer arguments, its clauses ordered by
% subject, object, statement.

%!  reached(+Relation, +Starts, +Most, -Node, -Origin, -Statement, -Before, -Depth) is nondet.
%
%   Node can be reached from one of Starts (a list Start-Origin, ascending) in Depth >= 1 steps, at most Most (inf: any
%   number), and not in fewer; its last step is Statement, from Before. Every node comes once, cycles end by
%   themselves, no start is reached again. Among equally near ways the one with the least predecessor is given.

reached(Relation, Starts, Most, Node, Origin, Statement, Before, Depth) :-
    setup_call_cleanup(
        trie_new(Seen),
        ( forall(member(Start-_, Starts), ignore(trie_insert(Seen, Start))),
          level(Relation, Starts, Seen, 1, Most, Node, Origin, Statement, Before, Depth)
        ),
        trie_destroy(Seen)).

level(Relation, Frontier, Seen, Level, Most, Node, Origin, Statement, Before, Depth) :-
    Level =< Most,
    findall(Step, step(Relation, Frontier, Seen, Step), Steps),
    Steps = [_|_],
    (   member(step(Node, Origin, Statement, Before), Steps),
        Depth = Level
    ;   next(Steps, Next),
        Deeper is Level + 1,
        level(Relation, Next, Seen, Deeper, Most, Node, Origin, Statement, Before, Depth)
    ).

%   A predicate of its own: findall/3 would compile a conjunction anew each time.
step(Relation, Frontier, Seen, step(To, From0, By, From)) :-
    member(From-From0, Frontier),
    call(Relation, From, To, By),
    trie_insert(Seen, To).                   % fails for a node that was seen: trie entries survive backtracking

next([step(To, From0, _, _)], [To-From0]) :-     % the one container, parent, successor: nothing to sort
    !.
next(Steps, Next) :-
    findall(To-From0, member(step(To, From0, _, _), Steps), Reached),
    msort(Reached, Next).
