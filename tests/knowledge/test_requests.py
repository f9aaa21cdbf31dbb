"""Requests of a pull: cut into parts they ask the same, and each has its one SPARQL."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.knowledge import queries, requests


@given(st.lists(st.integers(1, 99), min_size=2, max_size=40), st.integers(1, 12))
def test_parts_of_a_request_ask_the_same_about_all_its_ids_in_order(ids: list[int], size: int) -> None:
    whole = requests.SubjectTimes(ids, (569, 570))
    for parts in (whole.batches(size), whole.halves()):
        assert list(chain.from_iterable(part.ids for part in parts)) == ids
        assert all(part.ids and part.properties == (569, 570) for part in parts)
    assert all(len(part.ids) <= size for part in whole.batches(size))


def test_ids_are_named_as_people_know_them() -> None:
    assert requests.EntityTerms([5]).named() == ("Q5",)
    assert requests.PropertyTerms([31]).named() == ("P31",)
    assert requests.MembersBySitelinks(range(10, 12), "instance", 5).named() == ("sitelinks = 10", "sitelinks = 11")
    assert requests.StatementQualifiers(["Q5-A"]).named() == ("Q5-A",)


def test_no_two_kinds_of_request_are_one_query() -> None:
    asked: list[requests.ServiceRequest] = [
        requests.KnownItems([5]),
        requests.PropertyTerms([5]),
        requests.PropertyConstraints([5]),
        requests.Subclasses([5]),
        requests.ClassMembers([5], "instance", 3),
        requests.MembersBySitelinks([5], "instance", 5),
        requests.MembersWithoutSitelinks([5], "instance"),
        requests.ListedItems([5]),
        requests.SubjectStatements([5], [31]),
        requests.SubjectTimes([5], [31]),
        requests.SubjectQuantities([5], [31]),
        requests.StatementQualifiers(["Q5-A"]),
        requests.EntityTerms([5]),
    ]
    assert len({queries.render(request).text for request in asked}) == len(asked)
