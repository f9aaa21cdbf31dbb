from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.wording.articles import definite, indefinite, of_team
from halluvault_tasks.benchmark.wording.descriptions import first_trade, words_of_people
from halluvault_tasks.benchmark.wording.identifying_names import Facts, Namer, fold
from halluvault_tasks.benchmark.wording.lexicon import Lexicon

LEXICON = Lexicon.model_validate({
    "kinds": {
        "human": ["Q5"],
        "country": ["Q6256"],
        "river": ["Q4022"],
        "award": ["Q618779"],
        "organisation": ["Q43229"],
        "musical_group": ["Q215380"],
        "territory": ["Q515"],
        "event": ["Q178561"],
        "person": ["Q5"],
        "invented": ["Q15632617"],
        "region": ["Q35657"],
        "moon": ["Q2537"],
    },
    "nouns": {"Q11424": "film", "Q215380": "musical group", "Q47461344": "written work"},
    "sorts": {"Q2537": "the moon", "Q6256": "the country of"},
    "properties": {},
})
HUMAN, FILM, CITY, RIVER, AWARD, GROUP, BATTLE, INVENTED = 5, 11424, 515, 4022, 618779, 215380, 178561, 15632617


def entity(qid: int, label: str | None, *classes: int, aliases: tuple[str, ...] = (), description: str = "") -> Facts:
    return Facts(qid, label, description or None, aliases, frozenset(classes), frozenset(classes))


def namer(*entities: Facts) -> Namer:
    return Namer({one.qid: one for one in entities}, LEXICON)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_folding_ignores_case(text: str) -> None:
    assert fold(text.upper()) == fold(text.upper().casefold())


@pytest.mark.parametrize(
    ("one", "other"), [("Zürich", "zurich"), ("Łódź", "LODZ"), ("Ærø", "aero"), ("Straße", "STRASSE"), ("A  b", "a b")]
)
def test_names_that_look_alike_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_a_label_alone_identifies() -> None:
    assert namer(entity(1, "Portsmouth", CITY), entity(2, "London", CITY)).named(1).name == "Portsmouth"


def test_a_name_within_a_description_keeps_its_capital_and_a_trade_has_none() -> None:
    others = [entity(n, f"Person {n}", HUMAN, description="British party leader and composer") for n in range(10, 40)]
    names = namer(
        entity(1, "John Smith", HUMAN, description="Labour Party leader"),
        entity(2, "John Smith", HUMAN, description="English Composer"),
        *others,
    )
    assert names.named(1).name == "John Smith, the Labour Party leader,"
    assert names.named(2).name == "John Smith, the English composer,"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Fall of Saigon", "the Fall of Saigon"),
        ("Bombing of Darwin", "the Bombing of Darwin"),
        ("Barcelona May Days", "the Barcelona May Days"),
        ("Dieppe Raid", "the Dieppe Raid"),
        ("Attack on Mers-el-Kébir", "the Attack on Mers-el-Kébir"),
        ("The Fall of Berlin", "The Fall of Berlin"),
        ("Operation of Hope", "Operation of Hope"),
        ("Operation Torch", "Operation Torch"),
        ("D-Day", "D-Day"),
    ],
)
def test_an_event_that_is_called_by_what_happened_takes_the_article(label: str, name: str) -> None:
    assert namer(entity(1, label, BATTLE)).named(1).name == name


STATE = 35657


@pytest.mark.parametrize(
    ("told", "aliases", "name"),
    [
        ("county seat of Monroe County, New York, United States", (), "Rochester, New York,"),
        ("city in Minnesota, United States", (), "Rochester, Minnesota,"),
        ("city on the Genesee", ("Rochester, New York",), "Rochester, New York,"),
    ],
)
def test_a_town_of_a_state_is_told_by_it_as_english_does(told: str, aliases: tuple[str, ...], name: str) -> None:
    states = [
        entity(n, label, STATE)._replace(direct=frozenset({STATE})) for n, label in ((8, "New York"), (9, "Minnesota"))
    ]
    town = entity(1, "Rochester", CITY, aliases=aliases, description=told)
    other = entity(2, "Rochester", CITY, description="village in Lorain County, Ohio")
    assert namer(town, other, *states).named(1).name == name


def test_a_town_is_not_told_by_a_state_that_has_two_of_its_name() -> None:
    minnesota = entity(9, "Minnesota", STATE)._replace(direct=frozenset({STATE}))
    towns = [entity(n, "Rochester", CITY, description="city in Minnesota, United States") for n in (1, 2)]
    assert not namer(*towns, minnesota).named(1).name


def test_a_name_is_written_as_english_does_where_it_is_called_so() -> None:
    assert namer(entity(1, "Kōbe", CITY, aliases=("Kobe",))).named(1).name == "Kobe"
    assert namer(entity(1, "Kōchi", CITY)).named(1).name == "Kōchi"


def test_a_ship_of_a_navy_is_not_named_by_its_name_alone() -> None:
    names = Namer({1: entity(1, "HMS Shearwater", 11446), 2: entity(2, "Vasa", 11446)}, LEXICON, {1: 4.0, 2: 4.0})
    assert not names.named(1).name
    assert names.named(2).name == "Vasa"


def test_a_moonlet_of_which_next_to_nothing_is_known_is_not_named() -> None:
    moons = [entity(n, f"Moon {n}", 2537) for n in range(10, 200)]
    few = [entity(1, "Sikorsky", 2537), entity(2, "Nereid", 2537, description="moon of Neptune")]
    everything = {one.qid: one for one in (*moons, *few)}
    names = Namer(everything, LEXICON, {qid: 1.0 if qid < 10 else 3.0 for qid in everything})
    assert not names.named(1).name
    assert names.named(2).name == "the moon Nereid"
    assert names.named(10).name == "the moon Moon 10"


def test_who_is_stated_with_all_of_their_names_is_called_by_two_of_them() -> None:
    dirac = entity(1, "Paul Adrien Maurice Dirac", HUMAN, aliases=("P. A. M. Dirac", "Paul Dirac"))
    peer = entity(2, "Peter Henry Goldsmith, Baron Goldsmith", HUMAN, aliases=("Baron Goldsmith",))
    names = namer(dirac, peer._replace(dead=True))
    assert names.named(1).name == "Paul Dirac"
    assert "Peter" in names.named(2).name


def test_a_name_of_two_words_is_unmistakable_where_no_other_ends_in_it_and_one_word_where_it_is_well_known() -> None:
    towns = [entity(n, f"Town {n}", CITY) for n in range(10, 210)]
    four = [entity(1, "Council Bluffs", CITY), entity(2, "New London", CITY), entity(3, "Claremont", CITY)]
    everything = {
        one.qid: one for one in (*towns, *four, entity(4, "Treaty of New London", BATTLE), entity(5, "Turin", CITY))
    }
    fame = {qid: 9.0 if qid == 5 else 1.0 if qid < 10 else float(qid % 7) for qid in everything}
    names = Namer(everything, LEXICON, fame)
    assert names.unmistakable(1, many_alike=True)
    assert names.unmistakable(5, many_alike=True)
    assert not names.unmistakable(2, many_alike=True)
    assert not names.unmistakable(3, many_alike=True)
    middling = next(qid for qid in range(10, 210) if fame[qid] == 5.0)
    assert names.unmistakable(middling, many_alike=False), "of one country's towns names are seldom shared"
    assert not names.named(3).name, "and little known ones are not named at all"


def test_beside_what_tells_who_is_meant_somebody_is_called_by_the_name_alone() -> None:
    mako = entity(1, "Mako", HUMAN, description="American actor")
    others = [entity(n, f"Person {n}", HUMAN) for n in range(10, 210)]
    everything = {one.qid: one for one in (mako, *others)}
    names = Namer(everything, LEXICON, dict.fromkeys(everything, 1.0))
    assert names.named(1).name == "Mako, the American actor,"
    assert names.beside(1).name == "Mako"


def test_somebody_who_is_stated_to_be_a_person_and_an_invented_one_is_not_asked_about() -> None:
    both = frozenset({HUMAN, INVENTED})
    palmer = entity(1, "Harry Palmer", HUMAN, INVENTED)._replace(direct=both)
    names = namer(palmer, entity(2, "Sherlock Holmes", INVENTED))
    assert names.named(1).reason == Hindrance.INVENTED()
    assert names.named(2).name == "Sherlock Holmes"


def test_a_company_that_is_said_to_be_a_work_too_is_no_title() -> None:
    company, work = 43229, 47461344
    assert namer(entity(1, "EMI", company, work)).named(1).name == "EMI"
    assert namer(entity(1, "Emma", work)).named(1).name == "the written work “Emma”"


def test_a_label_that_another_entity_has_as_alias_is_described() -> None:
    names = namer(
        entity(1, "Portsmouth", CITY, description="city in Hampshire"),
        entity(2, "Portsmouth, Virginia", CITY, aliases=("PORTSMOUTH",), description="city in Virginia"),
    )
    assert names.named(1).name == "Portsmouth, Hampshire,"


def test_a_country_is_told_by_what_it_is_and_a_town_that_once_was_one_is_not() -> None:
    names = namer(
        entity(1, "Georgia", 6256, description="country in the Caucasus")._replace(direct=frozenset({6256})),
        entity(2, "Georgia", 11446),
        entity(3, "Florence", CITY, description="city in Italy")._replace(types=frozenset({CITY, 6256})),
        entity(4, "Florence", 11446),
    )
    assert [names.named(qid).name for qid in (1, 3)] == ["the country of Georgia", "Florence, Italy,"]


def test_a_town_is_told_by_what_it_is_alone_of() -> None:
    names = namer(
        entity(1, "Lincoln", CITY, description="city in and state capital of Nebraska, United States"),
        entity(2, "Lincoln", CITY, description="city in England"),
        entity(3, "Albion", CITY, description="French department"),
        entity(4, "Albion", CITY, description="old name of an island"),
        entity(5, "Salem", CITY, description="capital and second largest city of Oregon, United States"),
        entity(6, "Salem", CITY, description="town in Ohio"),
    )
    assert names.named(1).name == "Lincoln, the state capital of Nebraska,"
    assert names.named(3).name == "Albion, a French department,"
    assert names.named(5).name == "Salem, the capital and second largest city of Oregon,"


def test_a_town_that_was_given_an_award_takes_no_article() -> None:
    assert namer(entity(1, "Graz", CITY, AWARD)).named(1).name == "Graz"
    assert namer(entity(2, "Booker Prize", AWARD)).named(2).name == "the Booker Prize"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Houston Rockets", "the Houston Rockets"),
        ("Utah Jazz", "the Utah Jazz"),
        ("Brazil national football team", "the Brazil national football team"),
        ("FC Bayern Munich", "FC Bayern Munich"),
        ("KK Partizan", "KK Partizan"),
        ("Real Madrid", "Real Madrid"),
    ],
)
def test_a_team_called_by_what_its_players_are_takes_the_article(label: str, name: str) -> None:
    assert of_team(label) == name


@pytest.mark.parametrize("label", ["Category:BBC News", "Template:Infobox film", "List of rivers of Austria"])
def test_a_page_of_wikimedia_is_never_named(label: str) -> None:
    assert namer(entity(1, label)).named(1).reason == Hindrance.LABEL_NO_NAME()


def test_somebody_is_not_told_by_what_several_are() -> None:
    names = namer(
        entity(1, "Anna Behlmer", HUMAN, description="American art directors"),
        entity(2, "Anna Behlmer", HUMAN, description="British singer"),
    )
    assert names.named(1).name == ""


def test_a_ruler_is_not_called_by_a_trade() -> None:
    names = namer(
        entity(1, "Ludwig I of Bavaria", HUMAN)._replace(trade="poet"), entity(2, "Ludwig I of Bavaria", HUMAN)
    )
    assert names.named(1).name == ""


def test_a_description_does_not_tell_somebody_from_a_namesake_of_whom_nothing_is_known() -> None:
    known = entity(1, "John Ford", HUMAN, description="American film director")
    assert namer(known, entity(2, "John Ford", HUMAN)).named(1).name == ""
    other = entity(2, "John Ford", HUMAN, description="English dramatist")
    assert namer(known, other).named(1).name == "John Ford, the American film director,"


def test_an_ambiguous_label_without_a_fit_description_is_not_usable() -> None:
    names = namer(entity(1, "Mercury", 634), entity(2, "mercury", 11344))
    assert names.named(1).name == ""
    assert names.named(1).reason == Hindrance.AMBIGUOUS_NAME()


def test_equal_descriptions_do_not_tell_two_entities_apart() -> None:
    names = namer(
        entity(1, "Springfield", CITY, description="city in the United States"),
        entity(2, "Springfield", CITY, description="City in the United States"),
    )
    assert not names.named(1).name
    assert not names.named(2).name


def test_the_parenthesis_of_a_label_never_reaches_a_question() -> None:
    assert namer(entity(1, "Western Front (World War II)", 1)).named(1).name == ""


def test_an_unlabelled_entity_is_not_usable() -> None:
    assert namer(entity(1, None, CITY)).named(1).reason == Hindrance.NO_LABEL()
    assert namer(entity(1, "  ", CITY)).named(1).reason == Hindrance.NO_LABEL()


def test_a_title_stands_in_quotes_behind_its_noun() -> None:
    names = namer(entity(1, "Titanic", FILM), entity(2, "Titanic", 11446, description="British ship"))
    assert names.named(1).name == "the film “Titanic”"
    assert names.named(2).name == "Titanic, the British ship,"


def test_the_name_of_a_group_is_no_title_and_stands_without_quotes_where_it_can() -> None:
    names = namer(entity(1, "Pink Floyd", GROUP), entity(2, "AC/DC", GROUP))
    assert names.named(1).name == "the musical group Pink Floyd"
    assert names.named(2).name == "the musical group “AC/DC”"


def test_two_films_of_one_title_are_told_apart_by_year() -> None:
    names = namer(
        entity(1, "Solaris", FILM, description="1972 film by Andrei Tarkovsky"),
        entity(2, "Solaris", FILM, description="2002 film by Steven Soderbergh"),
    )
    assert names.named(1).name == "the 1972 film “Solaris”"


def test_two_films_of_one_title_and_year_are_told_apart_by_description() -> None:
    names = namer(
        entity(1, "Valentin", FILM, description="2002 film directed by Alejandro Agresti"),
        entity(2, "Valentin", FILM, description="2002 film directed by Juan Luis Iborra"),
    )
    assert names.named(1).reason == Hindrance.AMBIGUOUS_NAME()


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("1975 film by Steven Spielberg", "Steven Spielberg's film “Jaws”"),
        ("1984 film by Joel Coen, Ethan Coen", "the 1984 film “Jaws”"),
        ("1985 British drama film directed by James Ivory, based on a novel", "James Ivory's film “Jaws”"),
        ("2016 superhero film produced by Marvel Studios", "the 2016 film “Jaws”"),
        ("2003 film by The Wachowskis", "the 2003 film “Jaws”"),
        ("1975 film", "the 1975 film “Jaws”"),
    ],
)
def test_a_work_is_told_by_its_maker_where_its_year_is_asked_about(told: str, name: str) -> None:
    assert namer(entity(1, "Jaws", FILM, description=told)).undated(1).name == name


def test_a_maker_with_two_works_of_one_title_does_not_tell_them_apart() -> None:
    told = ("1934 film by Alfred Hitchcock", "1956 film by Alfred Hitchcock")
    names = namer(*(entity(n, "The Man Who Knew Too Much", FILM, description=one) for n, one in enumerate(told, 1)))
    assert names.undated(1).reason == Hindrance.AMBIGUOUS_NAME()


def test_a_title_that_all_aliases_speak_against_is_no_name() -> None:
    aliases = ("Dunkirk 70mm", "Dunkirk: The IMAX 2D Experience", "Dunkirk (film)")
    renamed = namer(entity(1, "Escapade", FILM, aliases=aliases, description="2017 film by Christopher Nolan"))
    assert renamed.named(1).reason == renamed.undated(1).reason == Hindrance.LABEL_NO_NAME()
    assert namer(entity(1, "Dunkirk", FILM, aliases=aliases)).named(1).name == "the film “Dunkirk”"


def test_a_class_in_the_plural_a_title_in_a_name_and_an_abbreviation_in_a_description_are_not_asked_about() -> None:
    names = namer(
        entity(1, "brain diseases", 12136),
        entity(2, "Charles, Prince of Wales", HUMAN),
        entity(3, "Ann Lee", HUMAN, aliases=("Ann",), description="U.S. American politician"),
        entity(4, "Ann Lee", HUMAN),
    )
    assert [bool(names.named(qid).name) for qid in (1, 2, 3)] == [False] * 3


def test_a_description_is_a_noun_in_small_letters_and_a_place_may_be_one_of_several() -> None:
    told = ("centre-left, socialist party", "Film actor, singer", "city in Ontario", "a film actor and singer")
    kinds = (43229, HUMAN, CITY, HUMAN)
    names = namer(
        *(entity(n, f"Name {n}", kind, description=one) for n, (kind, one) in enumerate(zip(kinds, told, strict=True))),
        *(entity(10 + n, f"Name {n}", 11446) for n in range(3)),
    )
    said = [names.named(n).name for n in range(3)]
    assert said == ["", "Name 1, the film actor,", "Name 2, Ontario,"]


@pytest.mark.parametrize(
    ("kind", "description", "name"),
    [
        (HUMAN, "German composer and orchestra director", "Name 1, the German composer,"),
        (HUMAN, "German theatre and film composer and producer", "Name 1, the German theatre and film composer,"),
        (HUMAN, "Academy Award-winning German composer", "Name 1, the German composer,"),
        (HUMAN, "German prominent composer", "Name 1, the German composer,"),
        (HUMAN, "Haitian-born, American composer and conductor", "Name 1, the American composer,"),
        (HUMAN, "US composer", "Name 1, the American composer,"),
        (HUMAN, "Ann Lee's son", "Name 1, Ann Lee's son,"),
        (CITY, "capital city in Prussia", "Name 1, Prussia,"),
        (CITY, "capital city of the German federated state of Hesse", "Name 1, the capital city of Hesse,"),
        (CITY, "city in the German state of Hesse", "Name 1, Hesse,"),
        (CITY, "city in northern Marin County in California", "Name 1, in Marin County,"),
        (CITY, "most populous city in Hesse", "Name 1, the most populous city in Hesse,"),
        (CITY, "village in Prussia", "Name 1, a village in Prussia,"),
        (HUMAN, "English composer and lead guitarist of the Beatles", "Name 1, the English composer,"),
        (HUMAN, "composer from the United States", "Name 1, the composer,"),
        (HUMAN, "King of Prussia and Elector of Brandenburg", ""),
        (HUMAN, "American general, 12th President of the United States", ""),
        (CITY, "city and port", "Name 1, a city and port,"),
        (CITY, "name in Ontario", "Name 1, Ontario,"),
        (CITY, "federal name of Ontario", ""),
    ],
)  # fmt: skip
def test_a_description_says_one_trade_of_a_person_and_nothing_that_the_name_has_said(
    kind: int, description: str, name: str
) -> None:
    others = [entity(10 + n, f"Other {n}", HUMAN, description=f"{sort} composer") for n, sort in enumerate("abc")]
    several = namer(entity(1, "Name 1", kind, description=description), entity(2, "Name 1", 11446), *others)
    assert several.named(1).name == name


def test_a_description_is_not_cut_to_a_word_that_mostly_stands_before_a_noun() -> None:
    """A "Canadian character, film and television actor" is no character, although Hamlet may be one."""
    trades = [f"trade{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(120)]
    told = [
        *trades * 3,
        "fictional character",
        "American character actor",
        "British character actor",
        *["stage actor"] * 3,
    ]
    others = [entity(100 + n, f"Other {n}", HUMAN, description=one) for n, one in enumerate(told)]
    cut = entity(1, "Ann Lee", HUMAN, description="Canadian character, film and television actor")
    kept = entity(2, "Bob Lee", HUMAN, description="Canadian stage actor, film and television director")
    rivals = [entity(3, "Ann Lee", 11446), entity(4, "Bob Lee", 11446)]
    names = namer(cut, kept, *rivals, *others)
    assert names.named(1).name == "Ann Lee, the Canadian character, film and television actor,"
    assert names.named(2).name == "Bob Lee, the Canadian stage actor,"


def test_a_firm_is_one_thing_and_who_is_told_by_a_title_is_not_named() -> None:
    """ "Nelson Mandela, President of South Africa, died in 2013": he had long ceased to be."""
    king = entity(2, "Edward VII", HUMAN, description="King of the United Kingdom")
    russian = entity(5, "Nicholas II of Russia", HUMAN, description="emperor of Russia")
    names = namer(
        *(entity(1, "PopCap Games", 43229), king, entity(3, "Edward VII", 11446)),
        *(russian, entity(6, "Nicholas II of Russia", 11446)),
    )
    assert (names.named(1).name, names.named(1).plural) == ("PopCap Games", False)
    allies = namer(entity(4, "Allies of the First World War", 43229))
    assert allies.named(4).name == "the Allies of the First World War"
    assert (names.named(2).name, names.named(2).reason) == ("", Hindrance.TITLE_IN_DESCRIPTION())
    assert names.named(5).name == "", "Nicholas II of Russia, the emperor of Russia"


def test_a_common_name_stands_with_its_description_although_nobody_else_here_bears_it() -> None:
    common = (f"{first} {last}" for first, last in product(("Brian", "Mick", "Keith"), ("Jones", "Smith", "Adams")))
    told = "British rock musician, singer (1942-1969)"
    people = [entity(10 * n, name, HUMAN, description=told) for n, name in enumerate(common, 1)]
    people += [entity(1000 + n, f"Given{n} Family{n}", HUMAN) for n in range(20)]
    fame = {one.qid: 1.5 if one.qid < 1000 else 1.0 + one.qid % 2 * 2 for one in people}
    names = Namer({one.qid: one for one in people}, LEXICON, fame)
    assert names.named(10).name == "Brian Jones, the British rock musician,"
    assert names.named(1005).name == "Given5 Family5"


@pytest.mark.parametrize(
    ("fame", "father", "son"),
    [
        ((3.0, 2.9), "Al Overton, the sound engineer,", "Al Overton Jr., the boom operator,"),
        ((5.0, 2.9), "Al Overton", "Al Overton Jr., the boom operator,"),
    ],
)
def test_a_name_that_is_told_from_another_by_jr_alone_stands_with_its_description_unless_far_better_known(
    fame: tuple[float, float], father: str, son: str
) -> None:
    people = [
        entity(1, "Al Overton", HUMAN, description="sound engineer"),
        entity(2, "Al Overton Jr.", HUMAN, description="boom operator"),
        entity(3, "Ed Begley Jr.", HUMAN, description="American actor"),
    ]
    names = Namer({one.qid: one for one in people}, LEXICON, dict(enumerate(fame, 1)))
    assert (names.named(1).name, names.named(2).name) == (father, son)
    assert names.named(3).name == "Ed Begley Jr."


@pytest.mark.parametrize(
    ("label", "with_article"),
    [
        ("Netherlands", "the Netherlands"),
        ("United States of America", "the United States of America"),
        ("Soviet Union", "the Soviet Union"),
        ("Kingdom of Denmark", "the Kingdom of Denmark"),
        ("Battle of the Somme", "the Battle of the Somme"),
        ("World War II", "World War II"),
        ("Vietnam War", "the Vietnam War"),
        ("Thirty Years' War", "the Thirty Years' War"),
        ("Operation Barbarossa", "Operation Barbarossa"),
        ("University of Oxford", "the University of Oxford"),
        ("Harvard University", "Harvard University"),
        ("Royal Society", "the Royal Society"),
        ("Nile", "Nile"),
        ("Mississippi River", "the Mississippi River"),
        ("Mediterranean Sea", "the Mediterranean Sea"),
        ("Lake Michigan", "Lake Michigan"),
        ("Roman Empire", "the Roman Empire"),
        ("1948 Summer Olympics", "the 1948 Summer Olympics"),
        ("Louvre Museum", "the Louvre Museum"),
        ("World Bank", "the World Bank"),
        ("Republican Party", "the Republican Party"),
        ("Solar System", "the Solar System"),
        ("ETH Zurich", "ETH Zurich"),
        ("The Beatles", "The Beatles"),
        ("The Bahamas", "the Bahamas"),
        ("New York City", "New York City"),
        ("Google", "Google"),
        ("Invasion of Normandy", "the Invasion of Normandy"),
        ("Gallipoli campaign", "the Gallipoli campaign"),
        ("Western Front", "the Western Front"),
        ("Fermat's Last Theorem", "Fermat's Last Theorem"),
        ("Commonwealth of Nations", "the Commonwealth of Nations"),
        ("Qing dynasty", "the Qing dynasty"),
        ("French Revolution", "the French Revolution"),
        ("Museum of Modern Art", "the Museum of Modern Art"),
        ("National Gallery", "the National Gallery"),
        ("Crusades", "the Crusades"),
        ("Americas", "the Americas"),
        ("1958 French presidential election", "the 1958 French presidential election"),
    ],
)
def test_proper_names_take_the_article_that_english_gives_them(label: str, with_article: str) -> None:
    assert definite(label) == with_article


def test_rivers_and_awards_take_the_article() -> None:
    names = namer(entity(1, "Danube", RIVER), entity(2, "Copley Medal", AWARD), entity(3, "Nobel Peace Prize", AWARD))
    assert [names.named(qid).name for qid in (1, 2, 3)] == ["the Danube", "the Copley Medal", "the Nobel Peace Prize"]


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("actor", "an actor"),
        ("writer", "a writer"),
        ("university teacher", "a university teacher"),
        ("engineer", "an engineer"),
        ("European politician", "a European politician"),
        ("hour", "an hour"),
        ("FBI agent", "an FBI agent"),
        ("guitar", "a guitar"),
        ("integer", "an integer"),
        ("heavy metal music", "heavy metal music"),
        ("neurodegeneration", "neurodegeneration"),
        ("mathematics", "mathematics"),
        ("software", "software"),
        ("film director", "a film director"),
        ("unicorn", "a unicorn"),
        ("umbrella", "an umbrella"),
        ("economist", "an economist"),
        ("one-man band", "a one-man band"),
        ("search engine", "a search engine"),
        ("equivalence relation", "an equivalence relation"),
        ("astronomer", "an astronomer"),
        ("string instrument", "a string instrument"),
        ("death metal", "death metal"),
        ("vector space", "a vector space"),
        ("real number", "a real number"),
        ("musical instrument", "a musical instrument"),
        ("judge", "a judge"),
        ("priest", "a priest"),
        ("librarian", "a librarian"),
        ("novelist", "a novelist"),
        ("violin", "a violin"),
        ("neighborhood of Manhattan in New York City", "a neighborhood of Manhattan in New York City"),
        ("town in the Netherlands", "a town in the Netherlands"),
        ("prince", "a prince"),
        ("trombone", "a trombone"),
    ],
)
def test_common_nouns_take_their_article(noun: str, expected: str) -> None:
    assert indefinite(noun) == expected


def test_naming_does_not_depend_on_the_order_of_entities() -> None:
    entities = [entity(n, f"Place {n % 3}", CITY, description=f"city number {n}") for n in range(1, 12)]
    forward, backward = namer(*entities), namer(*reversed(entities))
    assert [forward.named(n) for n in range(1, 12)] == [backward.named(n) for n in range(1, 12)]


def test_what_stands_before_a_noun_is_no_trade_though_parts_of_descriptions_end_in_it() -> None:
    told = [f"{country} stage and film actor" for country in ("American", "English", "French", "Welsh")]
    told += [
        "Irish stage actor",
        "Irish film actor",
        "American singer and actor",
        "Dutch singer and actor",
        "Swiss singer",
    ]
    found = words_of_people(told)
    assert {"actor", "singer"} <= found.nouns
    assert not found.nouns & {"stage", "film"}
    assert first_trade("American stage and film actor and director", found.nouns) == "American stage and film actor"


def test_somebody_without_a_description_is_called_by_a_trade_that_tells_from_namesakes() -> None:
    born, other = (
        entity(qid, "Max Emil Born", HUMAN)._replace(trade=trade) for qid, trade in ((1, "physicist"), (2, "singer"))
    )
    named = namer(born, other).named(1)
    assert (named.name, named.told_by) == ("the physicist Max Emil Born", 106)
    assert namer(born, other._replace(trade="physicist")).named(1).name == ""
    assert namer(born, other._replace(trade="")).named(1).name == ""


def test_a_thing_stands_after_its_sort_where_nothing_of_that_sort_bears_the_name() -> None:
    moon = 2537
    assert namer(entity(1, "Miranda", moon), entity(2, "Miranda", HUMAN)).named(1).name == "the moon Miranda"
    assert namer(entity(1, "Miranda", moon), entity(2, "Miranda", moon)).named(1).name == ""


def test_a_film_without_a_year_stands_after_its_only_director() -> None:
    film = entity(1, "Solaris", FILM)._replace(director="Andrei Tarkovsky")
    named = Namer({1: film}, LEXICON.model_copy(update={"kinds": {**LEXICON.kinds, "film": (FILM,)}}), {1: 1.0}).named(
        1
    )
    assert (named.name, named.told_by) == ("Andrei Tarkovsky's film “Solaris”", 57)


def test_a_title_in_a_name_is_kept_where_it_is_for_good() -> None:
    prince, peer = "Charles, Prince of Wales", "William Thomson, 1st Baron Kelvin"
    assert namer(entity(1, prince, HUMAN)).named(1).reason == Hindrance.TITLE_IN_NAME()
    assert namer(entity(1, prince, HUMAN)._replace(dead=True)).named(1).name == f"{prince},"
    assert namer(entity(1, peer, HUMAN)).named(1).name == f"{peer},"
    assert namer(entity(1, "Martin Luther King, Jr.", HUMAN)).named(1).name == "Martin Luther King Jr."


def test_what_two_common_nouns_share_with_a_song_does_not_blur_them() -> None:
    assert namer(entity(1, "pain"), entity(2, "Pain", GROUP)).named(1).name == "pain"


def test_a_group_that_is_named_in_the_plural_takes_its_verb_so() -> None:
    named = namer(entity(1, "The Beatles", GROUP)).named(1)
    assert (named.name, named.plural) == ("the Beatles", True)
    assert namer(entity(1, "Arctic Monkeys", GROUP)).named(1).name == "the musical group Arctic Monkeys"
