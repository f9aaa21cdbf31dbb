"""What this project reads and judges with, as the measures take it. The one module here that knows how it is done."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import stages
from halluvault_tasks.oracles.measure import labelled
from halluvault_tasks.oracles.measure.claims import Read, bare_name, iso, normalised
from halluvault_tasks.oracles.measure.labelled import LabelledClaim, LabelledSentence
from halluvault_tasks.oracles.measure.responses import TextVerdict
from halluvault_tasks.oracles.measure.texts import SetText
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.querying import thoughts
from halluvault_tasks.reading import snapshot as reading
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Claim, ReaderInput
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.predicates import Predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.storage.tables import benchmark_case, cases
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Kind, kind_of

_COUNTRY = "country"
_OF_COUNTRIES = frozenset(f"P{pid}" for pid in (wd.CITIZENSHIP, wd.COUNTRY, wd.COUNTRY_OF_ORIGIN))


def answers(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What each text answers to its question."""
    reader = AnswerReader(spacy_parser())
    given = [ReaderInput(thoughts.blanked(text), question) for text, question in pairs]
    return [one.answer.kind for one in reader.read(given)]


def claims(config_dir: Path) -> Read:
    """The reader of claims, on the names of each line alone.

    Args:
        config_dir: directory of lexicon.yaml and predicates.yaml.
    """
    book, _, file = reading.wordings(config_dir)
    demonyms = predicates.demonyms(file)
    names = {qid: name for name, qid in predicates.countries(file).items()}

    def read(line: LabelledSentence) -> Iterable[LabelledClaim]:
        known = _known(line, file)
        qids = {one.qid: one.label for one in known.values()}
        topic = known[bare_name(line.topic)].qid if line.topic else 0
        reader = SyntaxReader(Names(known.values()), book, demonyms, spacy_parser())
        (found,) = reader.read([ReaderInput(line.text, "", topic, frozenset([topic] if topic else []))])
        for claim in found.claims:
            if said := _said(claim, qids, names):
                yield said

    return read


def labelled_sentences(files: Sequence[Path], config_dir: Path) -> list[LabelledSentence]:
    """Labelled lines, in which a country that a label calls by its demonym ("American") has its name.

    Raises:
        UserError: as `labelled.read`.
    """
    file = predicates.load(config_dir / "predicates.yaml")
    names = {qid: name for name, qid in predicates.countries(file).items()}
    meant = {one.casefold(): names[qids[0]] for one, qids in predicates.demonyms(file).items() if len(qids) == 1}

    def called(claim: LabelledClaim) -> LabelledClaim:
        country = meant.get(claim.o.casefold()) if _OF_COUNTRIES.intersection(claim.p.split(",")) else None
        return claim.model_copy(update={"o": country or claim.o, "alt": [called(one) for one in claim.alt]})

    return [
        line.model_copy(
            update={
                "names": [name for name in line.names if name.casefold() not in meant],
                **{kind: [called(one) for one in getattr(line, kind)] for kind in ("claims", "also_fine")},
            }
        )
        for line in labelled.read(files, LabelledSentence)
    ]


def _known(line: LabelledSentence, file: Predicates) -> dict[str, EntityName]:
    """The line's names as entities of the kinds that their properties ask for; dates and numbers are no names."""
    kinds: dict[str, set[str]] = {bare_name(name): set() for name in (line.topic, *line.names) if name}
    if line.topic:
        kinds[bare_name(line.topic)].add("human")
    labelled = [*line.claims, *line.also_fine, *(alt for claim in line.claims for alt in claim.alt)]
    for claim in labelled:
        for name, side in ((claim.s, "subject"), (claim.o, "object")):
            if not iso(bare_name(name)):
                kinds.setdefault(bare_name(name), set()).update(_demanded(claim, side, file))
    countries = predicates.countries(file)
    meant = {normalised(name): qid for name, qid in countries.items()}
    known = {name: EntityName(qid, name, (), frozenset([_COUNTRY, "place"])) for name, qid in countries.items()}
    return known | {
        name: EntityName(meant.get(normalised(name), number), name, (), frozenset(several))
        for number, (name, several) in enumerate(sorted(kinds.items()), 10**9)
    }


def _demanded(claim: LabelledClaim, side: str, file: Predicates) -> set[str]:
    """The kinds that a property's end must have; of several the first, the likeliest."""
    found: set[str] = set()
    for p in claim.p.split(","):
        stated = file.properties.get(int(p.strip().lstrip("P") or 0))
        found.update((stated.subject if side == "subject" else stated.object)[:1] if stated else ())
    return found | ({"place"} if _COUNTRY in found else set())


def _said(claim: Claim, qids: Mapping[int, str], countries: Mapping[int, str]) -> LabelledClaim | None:
    triples = [one for one in claim.triples if one.p and kind_of(one.p) is Kind.PROPERTY]
    if not triples or claim.which:
        return None
    first = triples[0]
    properties = ",".join(dict.fromkeys(f"P{one.p}" for one in triples))
    other = countries.get(first.o) or qids.get(first.o, claim.object)
    return LabelledClaim(p=properties, s=qids.get(first.s, claim.subject), o=other, neg=claim.negative)


def judged(said: Sequence[SetText], scorer: Scorer) -> list[TextVerdict]:
    """Each text with the verdict of the one profile that a scorer judges by."""
    rows = stages.judge([one.unstored(number) for number, one in enumerate(said)], scorer)
    found = {row["sample"]: (row["category"], row["answer"], str(row["detail"].get("row", ""))) for row in rows}
    return [TextVerdict(one, *found.get(number, ())) for number, one in enumerate(said)]


def echoes(session: Session, snapshot: str) -> list[SetText]:
    """Of each yes/no case of a benchmark the right answer that lists its proof word for word."""
    rows = session.execute(
        select(cases.c.id, cases.c.question, cases.c.gold, benchmark_case.c.premises)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(benchmark_case.c.snapshot == snapshot, cases.c.gold.in_(("yes", "no")))
        .order_by(cases.c.id)
    )
    return [
        SetText(case, question, _echo(gold, premises), None, True, False, number)
        for number, (case, question, gold, premises) in enumerate(rows, 1)
    ]


def _echo(gold: str, premises: Sequence[Mapping[str, Any]]) -> str:
    lines = (f"{number}. {one['sentence']}" for number, one in enumerate(premises, 1))
    return "\n".join([f"{gold.capitalize()}.", *lines])
