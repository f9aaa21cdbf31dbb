% The age at which somebody died. Facts: born(Item, Year, Month, Day), died(Item, Year, Month, Day).

%!  aged(+Item, +Age, -Answer) is semidet.
%
%   Full years from the one day to the other, which no calendar and no day more changes; any other number is wrong.

aged(Item, Age, Answer) :-
    born(Item, Y1, M1, D1),
    died(Item, Y2, M2, D2),
    (   M2*100 + D2 < M1*100 + D1
    ->  Full is Y2 - Y1 - 1
    ;   Full is Y2 - Y1
    ),
    (   Age =:= Full
    ->  Answer = yes
    ;   Answer = no
    ).
