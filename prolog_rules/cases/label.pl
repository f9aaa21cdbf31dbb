% An answer that nothing derives: a label that somebody gave, or the document that a summary is compared with.
%
% Fact: label(Answer).

:- initialization(main, main).
:- dynamic label/1.

main :- ( label(Answer) -> writeln(Answer) ; writeln(undecided) ).
