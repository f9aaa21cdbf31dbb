% Everything reachable over one relation, nearest first. Used by derivation.pl.
%
% A relation is a predicate p<K>(Subject, Object, Statement) with integer arguments, its clauses ordered by
% subject, object, statement.

%!  reached(+Relation, +Shut, +Starts, +Most, -Node, -Origin, -Statement, -Before, -Depth) is nondet.
%
%   Node can be reached from one of Starts (a list step(Start, Origin, _, _), ascending) in Depth >= 1 steps, at most
%   Most (inf: any number), and not in fewer; its last step is Statement, from Before. Every node comes once, cycles end
%   by themselves, no start is reached again, and no node of the list Shut is reached or passed. Among equally near ways
%   the one with the least predecessor is given.

reached(Relation, Shut, Starts, Most, Node, Origin, Statement, Before, Depth) :-
    setup_call_cleanup(
        trie_new(Seen),
        ( forall(member(Node0, Shut), trie_insert(Seen, Node0)),
          forall(member(step(Start, _, _, _), Starts), ignore(trie_insert(Seen, Start))),
          level(Relation, Starts, Seen, 1, Most, Node, Origin, Statement, Before, Depth)
        ),
        trie_destroy(Seen)).

%   The one container, parent, successor of one node: nothing to collect or sort.
level(Relation, [step(From, Origin, _, _)], Seen, Level, Most, Node, Origin, Statement, Before, Depth) :-
    sole_step(Relation, From, To, By),
    !,
    Level =< Most,
    trie_insert(Seen, To),                   % fails for a node that was seen
    (   Node = To,
        Statement = By,
        Before = From,
        Depth = Level
    ;   Deeper is Level + 1,
        level(Relation, [step(To, Origin, By, From)], Seen, Deeper, Most, Node, Origin, Statement, Before, Depth)
    ).
level(Relation, Frontier, Seen, Level, Most, Node, Origin, Statement, Before, Depth) :-
    Level =< Most,
    findall(Step, step(Relation, Frontier, Seen, Step), Steps),
    Steps = [_|_],
    (   member(step(Node, Origin, Statement, Before), Steps),
        Depth = Level
    ;   msort(Steps, Next),
        Deeper is Level + 1,
        level(Relation, Next, Seen, Deeper, Most, Node, Origin, Statement, Before, Depth)
    ).

sole_step(Relation, From, To, By) :-
    call(Relation, From, To, By),
    !,
    \+ ( call(Relation, From, Other, _),
         Other \== To ).

%   A predicate of its own: findall/3 would compile a conjunction anew each time.
step(Relation, Frontier, Seen, step(To, Origin, By, From)) :-
    member(step(From, Origin, _, _), Frontier),
    call(Relation, From, To, By),
    trie_insert(Seen, To).                   % trie entries survive backtracking
