% The year of what happens once. Facts: year(Item, FirstPossible, LastPossible), from the one date that is stated.

%!  in_year(+Item, +Year, -Answer) is semidet.
%
%   There is one date, so that a year in which it cannot lie is wrong.

in_year(Item, Year, yes) :- year(Item, Year, Year).
in_year(Item, Year, no) :- year(Item, First, Last), ( Year < First ; Year > Last ).
