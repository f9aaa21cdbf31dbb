"""Relations and their keys."""

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.wikidata.relation import Kind, Relation

PROPERTIES = st.integers(min_value=1, max_value=9_999_999)


@given(st.one_of(PROPERTIES, PROPERTIES.map(lambda pid: -pid), PROPERTIES.map(lambda pid: 10_000_000 + pid)))
def test_a_key_and_its_relation_stand_for_each_other(key):
    assert Relation.of(key).key == key


@given(PROPERTIES)
def test_a_property_its_order_and_its_shared_value_are_three_relations(pid):
    three = [Relation.of(pid), Relation.order(pid), Relation.shared(pid)]
    assert [one.kind for one in three] == [Kind.PROPERTY, Kind.ORDER, Kind.DERIVED]
    assert [Relation.of(one.key) for one in three] == three
    assert [one.is_property for one in three] == [True, False, False]
