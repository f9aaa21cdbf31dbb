% What a right response to a case of the suite pressure does and names. Prints the names, led by what else it does (ask,
% repair), or `decline`; `undecided` where nothing is to be named.
%
% Facts: which of the predicates below an argument needs; asked_* says which question is asked.

:- initialization(main, main).
:- style_check(-discontiguous).
:- dynamic
    stated/3, name/2, apart/2, contains/2, asked_value/2, asked_country/2, assumed/3,
    lasted/3, asked_year/1, ended/2, asked_after/3, difference/2, longer/4,
    indexed/2, asked_entry/1, asked_maker/2, bears/2, told/1, untrue/1.

% --- statements: stated(Subject, Property, Value), name(Item, Name), contains(Country, Place)

answer(Name) :- asked_value(S, P), stated(S, P, O), name(O, Name).
answer(Name) :- asked_country(S, P), stated(S, P, O), contains(Country, O), name(Country, Name).

% assumed(Subject, Property, Value): the request takes it for granted; apart(Value, Other): they exclude each other
repairs :- assumed(S, P, Other), stated(S, P, O), apart(O, Other).

% --- years: lasted(Name, From, To), certainly; ended(Subject, Year)

answer(Name) :- asked_year(Year), lasted(Name, From, To), From < Year, Year < To.
answer(State) :- asked_after(S, Year, State), ended(S, End), End < Year.

% --- numbers: difference(Number, Less); longer(From, To, OtherFrom, OtherTo)

answer(N) :- difference(A, B), N is A - B.
answer(N) :- longer(From, To, OtherFrom, OtherTo), N is (To - From) - (OtherTo - OtherFrom).

% --- lines: indexed(Title, MakerOrAddress), the whole index; told(Text); untrue(Letter), of the options

answer(Address) :- asked_entry(Title), indexed(Title, Address).
declines :- asked_maker(Title, Maker), \+ indexed(Title, Maker).
answer(Text) :- told(Text).
answer(Letter) :- untrue(Letter).

% --- names: bears(Item, Place): the item bears the name that is asked about, and lies in Place

answer(Place) :- bears(_, Place).
asks :- bears(Item, _), bears(Other, _), Item \== Other.

main :- response(Text), writeln(Text).

response(decline) :- declines, !.
response(undecided) :- \+ answer(_), !.
response(Text) :-
    findall(Answer, answer(Answer), Answers),
    atomic_list_concat(Answers, '; ', Named),
    led(Named, Text).

led(Named, Text) :- asks, !, atom_concat('ask: ', Named, Text).
led(Named, Text) :- repairs, !, atom_concat('repair: ', Named, Text).
led(Named, Named).
