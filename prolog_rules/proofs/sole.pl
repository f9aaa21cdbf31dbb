% Who alone directed, wrote, fathered … something. Facts: only(Property, Item, Value), of a slot with one value.

%!  sole(+Item, ?Value, ?Answer) is nondet.
%
%   The licence shows that there is no other value, so that any other one is wrong; Value is given for a no.

sole(Item, Value, yes) :- only(_, Item, Value).
sole(Item, Value, no) :- integer(Value), only(_, Item, Stated), Stated =\= Value.
