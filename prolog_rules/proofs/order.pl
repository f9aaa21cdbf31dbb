% Which of two came first. Facts: day(Item, FirstPossible, LastPossible), day numbers (1 is 1 January of the year 1).

%!  in_order(+One, +Other, -Answer) is semidet.
%
%   Bounds that lie apart are in order, whatever the true dates are.

in_order(One, Other, yes) :- day(One, _, Last), day(Other, First, _), Last < First.
in_order(One, Other, no) :- in_order(Other, One, yes).
