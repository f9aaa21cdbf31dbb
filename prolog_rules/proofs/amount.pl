% A number that a thing has exactly one of. Facts: amount(Item, Number).

%!  amounts_to(+Item, +Number, -Answer) is semidet.
%
%   There is exactly one number, so that any other one is wrong.

amounts_to(Item, Number, yes) :- amount(Item, Number).
amounts_to(Item, Number, no) :- amount(Item, Stated), Stated =\= Number.
