"""Which subjects are near each other, so that one's value could be the other's: one object for each idea.

A further nearness is an object in `NEARNESSES`: the relations whose values it exchanges, what makes two subjects near,
and in what their values must be alike. Nothing may use the property itself, nor what follows from it: what is near must
stay so when a statement is hidden. What it draws is measured under its name and version; after any change to it the
version is raised, and it needs a new sheet (semantics.md §1.10).
"""

from dataclasses import dataclass

from halluvault_tasks.reasoning.measuring.asked_part import (
    Aged,
    Apart,
    AskedCondition,
    CalledSo,
    Fitting,
    SubjectsAlike,
    ValuesAlike,
)
from halluvault_tasks.reasoning.measuring.likeness import (
    All,
    Continents,
    Described,
    DescribedNames,
    DistinctiveWords,
    Either,
    Has,
    LabelWords,
    Lands,
    LikenessFeature,
    Neighbours,
    Of,
    OfClass,
    Through,
    WiderArea,
    Years,
)
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation


@dataclass(frozen=True)
class Nearness:
    """One idea of how foils are drawn: the value of a subject that is near.

    Attributes:
        name: unique.
        relations: whose values it exchanges.
        within: two subjects are near only if they have something of each of these in common.
        near: two subjects are near that have some of these in common, the nearer the rarer what they have.
        family: with whose classes it is pooled where one has too few subjects.
        alike: their values must have something of each of these in common.
        without: near subjects have something of each of these, and nothing of it in common.
        agreeing: the same, but what has nothing of one agrees with all.
        reach: near subjects of one subject, the nearest first; those that have it among theirs are added.
        most: most of them that may hold a value for it to be offered (§1.10.2): what many hold, s may hold, too.
        least: offers beside a fact, below which there are none.
        fame: how well known both ends of a fact must be, as a logarithm (`knowledge.fame`): a stratum.
        widest: most other subjects that may hold a value for it to be offered anywhere; 0: any number. What so many
            have, one more may have.
        apart: a value is not offered of a subject that has something of one of these in common with another that holds
            the value: who made one of a series may have made the next.
        lowest: only subjects that nothing is stated to be a kind of are near any, and only such values are offered.
        asked: of what it draws, foils are asked that fulfil each of these, too: what is so near that somebody might
            believe it. That is a part of what was read; the chance that hiding shows is the worse of the whole's and
            this part's.
        version: raised with every change to what it draws.
    """

    name: str
    relations: tuple[Relation, ...]
    near: tuple[LikenessFeature, ...]
    family: str
    within: tuple[LikenessFeature, ...] = ()
    without: tuple[LikenessFeature, ...] = ()
    alike: tuple[LikenessFeature, ...] = ()
    agreeing: tuple[LikenessFeature, ...] = ()
    reach: int = 150
    most: int = 1
    least: int = 60
    fame: float = 0.0
    widest: int = 0
    apart: tuple[LikenessFeature, ...] = ()
    lowest: bool = False
    asked: tuple[AskedCondition, ...] = ()
    version: int = 1

    def conditions(self, relation: Relation) -> tuple[AskedCondition, ...]:
        """What makes the part of a relation's foils that is asked; none: all of them are."""
        return tuple(one for one in self.asked if not one.of or relation.pid in one.of)


_COUNTRY = Has((wd.COUNTRY, wd.CITIZENSHIP, wd.COUNTRY_OF_ORIGIN))
_WITHIN = Has((wd.LOCATED_IN,))
_LANGUAGE_AREA = Either((
    Lands(), All((Through(Lands(), Has((wd.CONTINENT,))), Through(Lands(), Has((wd.OFFICIAL_LANGUAGE,))))),
))  # fmt: skip
"""Its country, and countries of that continent with an official language in common."""
_CONTINENT = Either((Lands(), Through(Lands(), Has((wd.CONTINENT,)))))
_TRADE = Has((wd.OCCUPATION,))
_SEX = Has((wd.SEX,))
_COLLEAGUES = (_TRADE, _COUNTRY, All((_TRADE, _COUNTRY)), Years(30), Described())
"""Of one country, trade and time."""
_CITIZENSHIP = Has((wd.CITIZENSHIP,))
_COMPATRIOTS = (_TRADE, _CITIZENSHIP, All((_TRADE, _CITIZENSHIP)), Years(30), Described())
"""The same, but for what only places have: which country they lie in."""
_LIKE_THINGS = (OfClass(), _COUNTRY, Years(16), All((OfClass(), Years(16))), All((OfClass(), _COUNTRY)))
_LIKE_WORKS = (OfClass(), _COUNTRY, Years(8), All((OfClass(), _COUNTRY, Years(8))))
_PLAYS_IN = Of((wd.CAST_MEMBER,))


def _stated(*properties: int) -> tuple[Relation, ...]:
    return tuple(map(Relation.of, properties))


def _chains(*several: tuple[int, ...]) -> tuple[Relation, ...]:
    return tuple(Relation.chain(*steps) for steps in several)


NEARNESSES: tuple[Nearness, ...] = (
    Nearness(
        "another film of that director or year",
        _stated(wd.CAST_MEMBER),
        (Has((wd.DIRECTOR,)), _COUNTRY, OfClass(), All((OfClass(), _COUNTRY, Years(6))), Years(6)),
        "works",
        within=(Years(16),),
        agreeing=(_SEX,),
        reach=40,
        least=100,
        asked=(
            SubjectsAlike(_COUNTRY, if_known=True),
            Fitting(_COUNTRY),
            CalledSo(("act(?:or|ress)", "comedian")),
            Aged(4, 95),
        ),
    ),
    Nearness(
        "another work of that time and country",
        _stated(wd.DIRECTOR, wd.COMPOSER, wd.AUTHOR),
        (OfClass(), _COUNTRY, Years(8), All((OfClass(), _COUNTRY, Years(8)))),
        "works",
        within=(Years(20),),
        agreeing=(_COUNTRY,),
        reach=300,
        most=2,
        least=80,
        asked=(
            ValuesAlike(DescribedNames(), if_known=True, of=(wd.DIRECTOR,)),
            ValuesAlike(_TRADE, if_known=True, of=(wd.DIRECTOR,)),
            SubjectsAlike(_COUNTRY, if_known=True, of=(wd.DIRECTOR,)),
            CalledSo(("compos",), of=(wd.COMPOSER,)),
            Aged(16, 80, of=(wd.DIRECTOR, wd.COMPOSER)),
        ),
    ),
    Nearness(
        "a writer of that time and country who wrote with none of its own",
        _stated(wd.SCREENWRITER),
        (OfClass(), _COUNTRY, Years(8), All((OfClass(), _COUNTRY, Years(8)))),
        "works",
        within=(Years(20),),
        agreeing=(_COUNTRY,),
        reach=300,
        most=2,
        least=80,
        apart=(Has((wd.SCREENWRITER,)),),
        asked=(ValuesAlike(_TRADE, if_known=True), Fitting(_COUNTRY), Aged(16, 80)),
        version=2,
    ),
    Nearness(
        "music of that time or label",
        _stated(wd.PERFORMER),
        (OfClass(), Years(8), All((OfClass(), Years(8))), Has((wd.RECORD_LABEL,))),
        "works",
        within=(OfClass(),),
        agreeing=(OfClass(),),
        reach=600,
        most=2,
    ),
    Nearness(
        "the label of a colleague",
        _stated(wd.RECORD_LABEL),
        (*_COLLEAGUES, All((OfClass(), Years(10)))),
        "works",
        reach=200,
        most=2,
    ),
    Nearness(
        "the husband or wife of a colleague",
        _stated(wd.SPOUSE),
        (*_COLLEAGUES, _PLAYS_IN),
        "people",
        within=(_SEX, _TRADE, Years(20)),
        agreeing=(_SEX, Years(40)),
        reach=30,
        least=15,
    ),
    Nearness(
        "a town of a colleague",
        _stated(wd.BIRTHPLACE, wd.RESIDENCE),
        _COLLEAGUES,
        "people",
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=400,
        most=3,
        least=80,
    ),
    Nearness(
        "where a colleague died or is buried",
        _stated(wd.DEATHPLACE, wd.BURIAL_PLACE),
        _COLLEAGUES,
        "people",
        alike=(_CONTINENT,),
        agreeing=(OfClass(),),
        reach=400,
        most=3,
        asked=(
            SubjectsAlike(_CITIZENSHIP, if_known=True, of=(wd.DEATHPLACE,)),
            SubjectsAlike(_TRADE, if_known=True, of=(wd.DEATHPLACE,)),
            SubjectsAlike(Years(60), if_known=True, of=(wd.DEATHPLACE,)),
            Fitting(Continents(), of=(wd.DEATHPLACE,)),
        ),
    ),
    Nearness(
        "a school of a colleague",
        _stated(wd.EDUCATED_AT),
        _COLLEAGUES,
        "people",
        within=(Years(100),),
        alike=(OfClass(),),
        agreeing=(_CONTINENT,),
        reach=400,
        most=2,
        asked=(ValuesAlike(_CONTINENT), Fitting(WiderArea()), SubjectsAlike(_TRADE, if_known=True), Aged(-30, 2000)),
    ),
    Nearness(
        "a town that few colleagues come from",
        _stated(wd.BIRTHPLACE),
        _COLLEAGUES,
        "people",
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=400,
        most=2,
        least=100,
    ),
    Nearness(
        "an employer of a colleague",
        _stated(wd.EMPLOYER),
        _COLLEAGUES,
        "people",
        within=(Years(240),),
        alike=(OfClass(),),
        agreeing=(_CONTINENT,),
        reach=400,
        most=2,
    ),
    Nearness(
        "a group or award of a colleague",
        _stated(wd.PARTY, wd.MEMBER_OF, wd.AWARD),
        _COLLEAGUES,
        "people",
        within=(_TRADE, Years(60)),
        alike=(OfClass(),),
        reach=400,
        most=2,
        least=120,
    ),
    Nearness(
        "what a colleague died of",
        _stated(wd.CAUSE_OF_DEATH),
        _COLLEAGUES,
        "people",
        within=(Years(60),),
        reach=300,
        most=3,
    ),
    Nearness(
        "the holder of a like office",
        _stated(wd.HELD_BY, wd.HEAD_OF_STATE, wd.HEAD_OF_GOVERNMENT, wd.CHIEF_EXECUTIVE),
        (_COUNTRY, OfClass(), Has((wd.SUBCLASS_OF, wd.CONTINENT)), Described(), LabelWords()),
        "people",
        agreeing=(_SEX, _COUNTRY, Years(60)),
        reach=150,
        least=250,
    ),
    Nearness(
        "another town of that country",
        _stated(wd.CAPITAL_OF),
        (_COUNTRY, _WITHIN, OfClass(), All((_COUNTRY, OfClass()))),
        "places",
        alike=(Lands(),),
        agreeing=(OfClass(),),
        reach=400,
        least=10,
        asked=(ValuesAlike(Neighbours()),),
    ),
    Nearness(
        "the capital of another region of that country",
        _stated(wd.CAPITAL),
        (_COUNTRY, _WITHIN, OfClass(), All((_COUNTRY, OfClass()))),
        "places",
        alike=(Lands(),),
        agreeing=(OfClass(),),
        reach=400,
        least=25,
        asked=(SubjectsAlike(Neighbours()),),
    ),
    Nearness(
        "a sister city of a like town",
        _stated(wd.TWIN_TOWN),
        (_COUNTRY, _WITHIN, All((OfClass(), _COUNTRY)), Has((wd.CONTINENT,)), OfClass()),
        "towns",
        agreeing=(OfClass(),),
        reach=300,
        least=100,
        fame=4.3,
        asked=(Apart(Lands()),),
        version=2,
    ),
    Nearness(
        "a seat of a like organisation",
        _stated(wd.HEADQUARTERS),
        (_COUNTRY, OfClass(), All((_COUNTRY, OfClass())), Years(30), _WITHIN),
        "places",
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=600,
        most=2,
        least=60,
    ),
    Nearness(
        "where a like group was formed",
        _stated(wd.FORMED_IN),
        (_COUNTRY, OfClass(), Described()),
        "places",
        agreeing=(_LANGUAGE_AREA,),
        reach=400,
        most=2,
        least=80,
    ),
    Nearness(
        "the maker of a like thing",
        _stated(wd.CREATOR),
        (OfClass(), _COUNTRY, Years(30), Described()),
        "works",
        agreeing=(OfClass(), _COUNTRY),
        reach=300,
        most=2,
        asked=(SubjectsAlike(Years(24)),),
    ),
    Nearness(
        "a neighbour of that country or region",
        _stated(wd.BORDER, wd.WATERS),
        (_COUNTRY, _WITHIN, All((OfClass(), _COUNTRY)), All((OfClass(), Has((wd.CONTINENT,))))),
        "places",
        agreeing=(OfClass(), Lands()),
        reach=300,
        least=100,
    ),
    Nearness(
        "a thing of that class and time",
        _stated(wd.DEVELOPER, wd.FOUNDER),
        _LIKE_THINGS,
        "things",
        within=(OfClass(),),
        agreeing=(OfClass(),),
        reach=400,
        most=2,
        apart=(DistinctiveWords(),),
        asked=(SubjectsAlike(Years(24)),),
        version=2,
    ),
    Nearness(
        "the maker of another product",
        _stated(wd.MANUFACTURER),
        (*_LIKE_THINGS, Described()),
        "things",
        within=(OfClass(),),
        agreeing=(OfClass(),),
        reach=600,
        most=3,
        least=34,
    ),
    Nearness(
        "a like thing, named or found by somebody else",
        _stated(wd.DISCOVERER, wd.NAMED_AFTER),
        (OfClass(), Years(40), Has((wd.PARENT_BODY, wd.LOCATED_IN, wd.COUNTRY))),
        "things",
        within=(OfClass(),),
        reach=400,
        least=50,
    ),
    Nearness(
        "a member of a group of that kind",
        _stated(wd.HAS_PART, wd.PART_OF),
        (All((OfClass(), Years(10))), All((OfClass(), _COUNTRY)), OfClass(), Described()),
        "things",
        within=(OfClass(),),
        alike=(OfClass(),),
        reach=300,
        least=100,
        asked=(
            SubjectsAlike(_COUNTRY, of=(wd.HAS_PART,)),
            ValuesAlike(DescribedNames(), if_known=True, of=(wd.HAS_PART,)),
            ValuesAlike(_SEX, if_known=True, of=(wd.HAS_PART,)),
        ),
    ),
    Nearness(
        "a neighbouring taxon",
        _stated(wd.PARENT_TAXON),
        (Has((wd.TAXON_RANK,)), OfClass()),
        "things",
        agreeing=(Has((wd.TAXON_RANK,)),),
        reach=300,
    ),
    Nearness(
        "where the maker of another work was born or died",
        _chains((wd.DIRECTOR, wd.BIRTHPLACE), (wd.COMPOSER, wd.BIRTHPLACE), (wd.DIRECTOR, wd.DEATHPLACE)),
        _LIKE_WORKS,
        "chains of works",
        within=(Years(20),),
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=300,
        most=3,
        least=80,
    ),
    Nearness(
        "a school of the maker of another work",
        _chains((wd.DIRECTOR, wd.EDUCATED_AT), (wd.COMPOSER, wd.EDUCATED_AT)),
        _LIKE_WORKS,
        "chains of works",
        within=(Years(20),),
        alike=(OfClass(),),
        agreeing=(_CONTINENT,),
        reach=300,
        most=3,
        least=80,
    ),
    Nearness(
        "whom the maker of another work was married to",
        _chains((wd.DIRECTOR, wd.SPOUSE), (wd.CAST_MEMBER, wd.SPOUSE)),
        _LIKE_WORKS,
        "chains of works",
        within=(Years(20),),
        agreeing=(_SEX, Years(40)),
        reach=300,
        most=3,
        least=80,
    ),
    Nearness(
        "where the maker of like music comes from",
        _chains((wd.PERFORMER, wd.FORMED_IN), (wd.PERFORMER, wd.BIRTHPLACE)),
        (OfClass(), Years(8), All((OfClass(), Years(8))), Has((wd.RECORD_LABEL,))),
        "chains of works",
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=600,
        most=3,
    ),
    Nearness(
        "where the maker of a like thing is at home",
        _chains((wd.DEVELOPER, wd.HEADQUARTERS)),
        (OfClass(), Years(16), All((OfClass(), Years(16)))),
        "chains of things",
        within=(OfClass(),),
        agreeing=(OfClass(),),
        reach=400,
        most=6,
    ),
    Nearness(
        "the country of a like organisation",
        _chains((wd.HEADQUARTERS, wd.COUNTRY)),
        (OfClass(), Years(30), Described(), All((OfClass(), Years(30)))),
        "chains of places",
        alike=(Has((wd.CONTINENT,)),),
        reach=400,
        most=12,
    ),
    Nearness(
        "where a colleague studied",
        _chains((wd.EDUCATED_AT, wd.HEADQUARTERS), (wd.EDUCATED_AT, wd.HEADQUARTERS, wd.COUNTRY)),
        _COMPATRIOTS,
        "chains of people",
        within=(Years(100),),
        alike=(_LANGUAGE_AREA,),
        agreeing=(OfClass(),),
        reach=400,
        most=4,
    ),
    Nearness(
        "the capital of a neighbour's neighbour",
        _chains((wd.BORDER, wd.CAPITAL)),
        (Has((wd.CONTINENT,)), Has((wd.OFFICIAL_LANGUAGE,)), _COUNTRY, All((OfClass(), Has((wd.CONTINENT,))))),
        "chains of places",
        alike=(Through(Lands(), Has((wd.CONTINENT,))),),
        agreeing=(OfClass(),),
        reach=60,
        most=3,
        least=30,
    ),
    Nearness(
        "medicine for a like disease or symptom",
        _chains((wd.TREATS, wd.SYMPTOM), (wd.SYMPTOM, wd.TREATED_BY)),
        (Has((wd.SPECIALTY,)), Has((wd.SUBCLASS_OF,)), OfClass()),
        "chains of medicine",
        agreeing=(OfClass(),),
        reach=200,
        least=100,
    ),
    Nearness(
        "medicine of that specialty or class",
        _stated(wd.TREATS),
        (Has((wd.SPECIALTY,)), Has((wd.SUBCLASS_OF,)), OfClass()),
        "medicine",
        alike=(OfClass(),),
        reach=200,
        least=100,
    ),
    # Within a specialty one drug in thirty was used against the other disease as well, above all what treats many; so
    # was a painkiller outside of its own. Of what few have heard of nobody could tell.
    Nearness(
        "medicine of that class for another specialty",
        _stated(wd.TREATED_BY),
        (Has((wd.SUBCLASS_OF,)), OfClass()),
        "medicine",
        without=(Has((wd.SPECIALTY,)),),
        alike=(OfClass(),),
        reach=200,
        least=40,
        fame=3.9,
        widest=3,
        apart=(Has((wd.SPECIALTY,)), Has((wd.SYMPTOM,))),
        lowest=True,
        version=3,
    ),
)
"""Every nearness."""

BY_NAME = {nearness.name: nearness for nearness in NEARNESSES}


def of_relation(relation: Relation) -> Nearness | None:
    """The first by which values of a relation are exchanged; None: there is none."""
    return next((nearness for nearness in NEARNESSES if relation in nearness.relations), None)
