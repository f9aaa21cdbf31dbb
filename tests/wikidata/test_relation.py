"""Relations, as they are written and as stored facts name them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.wikidata.relation import Kind, Relation, kind_of, relation_of

PIDS = st.integers(min_value=1, max_value=9_999_999)
RELATIONS = st.one_of(
    PIDS.map(Relation.of),
    PIDS.map(Relation.share),
    PIDS.map(Relation.order),
    PIDS.map(Relation.inverse),
    st.lists(PIDS, min_size=2, max_size=3).map(lambda pids: Relation.chain(*pids)),
)


@given(RELATIONS)
def test_what_is_written_of_a_relation_is_read_as_it(relation):
    assert Relation.parse(str(relation)) == relation
    assert relation_of({"relation": str(relation), "rule": "order:P1", "s": 1}) == relation


@pytest.mark.parametrize(
    "text",
    [
        "", "19", "P019", "p19", "P19/", "share:P57/P19", "order:19", "inverse:P57/P19", "inverse:P22:P40", "chain:P19",
        "P19 ", "P-19",
    ],
)  # fmt: skip
def test_what_is_no_relation_is_refused_with_what_is_like_one(text):
    with pytest.raises(ValueError, match="is no relation like P19, P19/P131, share:P57, order:P571 or inverse:P57"):
        Relation.parse(text)


@pytest.mark.parametrize(
    ("p", "rule", "relation"),
    [
        (19, "inverse:P1:P19", "P19"),
        (571, "order:P571", "order:P571"),
        (577, "years:P577", "P577"),
        (-57, "share:P57", "share:P57"),
        (-1995, "share:P1995", "share:P1995"),
        (-19131, "composite:P19/P131*", "P19/P131"),
        (-397397, "composite:P397/P397", "P397/P397"),
    ],
)
def test_a_month_frozen_with_numbers_stays_readable_and_the_number_is_the_key_for_ids(p, rule, relation):
    read = relation_of({"p": p, "rule": rule, "s": 1, "o": 2})
    assert (str(read), read.key) == (relation, p)


def test_a_fact_about_no_relation_has_none():
    assert relation_of({"formula": "F[1,2] life_Q1", "at": 1900}) is None
    assert relation_of({"p": 0}) is None


@given(PIDS)
def test_a_property_its_order_its_shared_value_and_its_inverse_are_four_relations(pid):
    four = [Relation.of(pid), Relation.order(pid), Relation.share(pid), Relation.inverse(pid)]
    assert [one.kind for one in four] == [Kind.PROPERTY, Kind.ORDER, Kind.SHARE, Kind.INVERSE]
    assert [one.pid for one in four] == [pid, 0, 0, 0]
    assert [one.predicate for one in four] == [pid, *four[1:]]
    assert [kind_of(one.predicate) for one in four] == [one.kind for one in four]


@given(RELATIONS, PIDS, PIDS)
def test_only_an_inverse_is_stated_from_its_other_end(relation, s, o):
    inverse = relation.kind is Kind.INVERSE
    forwards = (Relation.of(relation.properties[0]), o, s) if inverse else (relation, s, o)
    assert relation.forwards(s, o) == forwards
