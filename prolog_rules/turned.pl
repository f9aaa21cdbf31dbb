% A question that is the opposite of what a program decides (its negation, its antonym, or the converse of a relation
% that runs one way): the answer that main/0 prints is turned round. Stands in a proof in place of the line that starts
% it, `:- initialization(main, main).`

:- initialization(asked, main).

asked :-
    with_output_to(string(Base), main),
    normalize_space(atom(Answer), Base),
    turned(Answer, Turned),
    writeln(Turned).

turned(yes, no).
turned(no, yes).
