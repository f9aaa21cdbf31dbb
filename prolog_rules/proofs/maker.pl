% Two works of one maker. Facts: made(Work, Maker), the one maker that is stated, shown to be the only one.

%!  of_one_maker(+Work, +Other, -Answer) is semidet.
%
%   Each has one maker, so that they share that one or share none.

of_one_maker(Work, Other, yes) :- made(Work, Maker), made(Other, Maker).
of_one_maker(Work, Other, no) :- made(Work, Maker), made(Other, Another), Maker =\= Another.
