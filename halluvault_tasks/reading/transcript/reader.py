"""`syntax` and a listing together: what both read is read exactly; what one alone read counts as far as it goes."""

from collections.abc import Mapping, Sequence

from halluvault_tasks.reading.base import Claim, ReaderInput, Reading
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.reading.transcript import listing, material
from halluvault_tasks.reading.transcript.listing import ListingRest
from halluvault_tasks.wikidata.relation import Predicate


class TranscriptReader:
    """Reads claims by dependency parse and by listing, for responses that have one.

    A claim convicts only if it is read exactly or by two readers of which one is `syntax` (semantics.md section 4.2):
    a listing that agrees with the parse takes away the guard `inexact`; alone it keeps it.

    Args:
        syntax: the reader on the snapshot.
        relations: name → property that a listing may name.
        listed_by: `transcript` or `llm:NAME`.
    """

    def __init__(self, syntax: SyntaxReader, relations: Mapping[str, int], listed_by: str = "transcript") -> None:
        self._syntax, self._relations, self._listed_by = syntax, relations, listed_by
        self.name = f"{syntax.name}+{listed_by}"
        self.parsed_by = syntax.parsed_by

    @property
    def relations(self) -> frozenset[Predicate]:
        """What it can read."""
        return self._syntax.relations

    def material(self, given: ReaderInput) -> material.TranscriptMaterial:
        """What a listing of a response may be made of."""
        return material.of(given, self._syntax.finder, self._relations)

    def read(self, batch: list[ReaderInput]) -> list[Reading]:
        """A reading of each response, in their order; one without a listing is read by `syntax` alone."""
        readings = self._syntax.read(batch)
        return [
            reading
            if given.transcript is None
            else reading._replace(claims=together(reading.claims, self.listed(given, reading.claims).claims))
            for given, reading in zip(batch, readings, strict=True)
        ]

    def listed(self, given: ReaderInput, claims: Sequence[Claim]) -> ListingRest:
        """What holds of a response's listing; `claims` are those that `syntax` reads."""
        resolved: dict[int, set[str]] = {}
        for claim in claims:
            resolved.setdefault(claim.sentence, set()).add(claim.subject)
        assert given.transcript is not None
        return listing.read(given.transcript, given.text, self.material(given), resolved, self._listed_by)


def together(claims: Sequence[Claim], listed: Sequence[Claim]) -> tuple[Claim, ...]:
    """What a parse and a listing read: the parse's claims, exact where the listing agrees, and what it alone lists."""
    rest = list(listed)
    made = []
    for claim in claims:
        same = [one for one in rest if _agree(claim, one)]
        if same:
            rest = [one for one in rest if one not in same]
            listed_as = {one.triples[0].p for one in same}
            claim = claim._replace(
                triples=tuple(one for one in claim.triples if one.p in listed_as),
                guards=tuple(one for one in claim.guards if one != "inexact"),
                readers=(*claim.readers, *same[0].readers),
            )
        made.append(claim)
    return (*made, *rest)


def _agree(claim: Claim, listed: Claim) -> bool:
    """Whether a listing states what a clause was parsed to state: the same sentence, ends, relation and polarity."""
    [triple] = listed.triples
    return triple.p != 0 and triple in claim.triples and _said(claim) == _said(listed)


def _said(claim: Claim) -> tuple[object, ...]:
    """What a claim says, but for the relation."""
    return (claim.sentence, claim.negative, claim.days, claim.amount, claim.which, claim.subject, claim.object)
