% The country of a settlement. Facts: country(Settlement, Country), the one that is stated, a sovereign state of today.

%!  in_country(+Settlement, +Country, -Answer) is semidet.
%
%   A settlement lies in one country, so that another one is wrong.

in_country(Settlement, Country, yes) :- country(Settlement, Country).
in_country(Settlement, Country, no) :- country(Settlement, Other), Other =\= Country.
