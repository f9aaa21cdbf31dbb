"""A dump's file read from any place in it, and by searches instead of a parser: the same triples, to the last one."""

import bz2
import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pyoxigraph
import pytest
from sqlalchemy import inspect
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import dump, dump_pull, dump_terms, retire, snapshots
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.progress import PullProgress
from halluvault_tasks.local import rdf, sample
from tests.knowledge.store import LABEL, PROP, WD
from tests.knowledge.test_dump import DAY, Killed

NT = pyoxigraph.RdfFormat.N_TRIPLES


@pytest.fixture(scope="module")
def raw() -> bytes:
    return "".join(rdf.n_triples(sample.load(sample.CHECKED))).encode()


def members(pack: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """As Wikidata makes its dumps: parts that were packed each by itself, one after the other."""
    return lambda raw: b"".join(pack(raw[start : start + 700_000]) for start in range(0, len(raw), 700_000))


PACKED = {
    "plain.nt": lambda raw: raw,
    "one.nt.gz": gzip.compress,
    "several.nt.gz": members(gzip.compress),
    "padded.nt.gz": lambda raw: members(gzip.compress)(raw) + bytes(3000),
    "one.nt.bz2": bz2.compress,
    "several.nt.bz2": members(bz2.compress),
}


@pytest.mark.parametrize("name", PACKED)
def test_a_dump_is_read_on_from_any_place_to_the_same_end(name: str, raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[name](raw))
    stream = dump.DumpStream(dump.find(path))
    blocks = [(block, stream.place) for block in stream]
    assert len(blocks) > 2 and "".join(block[1:] for block, _ in blocks).encode() == raw
    for number, (_, place) in enumerate(blocks, start=1):
        rest = dump.DumpStream(dump.find(path), place)
        assert "".join(block[1:] for block in rest) == "".join(block[1:] for block, _ in blocks[number:])
        assert (rest.triples, rest.sha256) == (stream.triples, stream.sha256)
    if "several" in name:
        assert blocks[-1][1].member > 0, "the file is unpacked again from the last member alone"


def test_what_was_read_must_still_be_there_to_be_read_on_from(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "changed.nt.gz"
    path.write_bytes(gzip.compress(raw, 1))
    stream = dump.DumpStream(dump.find(path))
    next(iter(stream))
    for other in (gzip.compress(raw, 2), path.read_bytes()[:1000]):
        path.write_bytes(other)
        with pytest.raises(dump.DumpChanged):
            list(dump.DumpStream(dump.find(path), stream.place))


ODD = r"""# a remark
<http://x/a> <http://x/b> "plain" .
  <http://x/a>   <http://x/b>	"much space"  .  # and a remark
<http://an iri/with spaces {and} braces> <http://x/y> _:blank .
<http://x/\u00e9> <http://x/b> <http://x/\U0001F600> .
<http://x/a> <http://x/b> "\u00e9\U0001F600 \"quoted\" \\ \t tab, \n line"@en-x-Simple .
<http://x/a> <http://x/b> "> <http://x/c> \" . <http://x/a> <http://x/b> <http://x/c> ."^^<http://x/t> .
_:a.b <http://x/b> _:c .

<http://x/a> <http://x/b> "raw 	tab"@EN .
"""


def test_lines_of_any_form_are_what_the_parser_makes_of_them(tmp_path: Path) -> None:
    for text in (ODD, ODD.replace("\n", "\r\n"), ODD.rstrip("\n")):
        path = tmp_path / "odd.nt"
        path.write_bytes(text.encode())
        expected = list(pyoxigraph.parse(input=text.encode(), format=NT, lenient=True))
        stream = dump.DumpStream(dump.find(path))
        lines = "".join(stream)
        assert not stream.plain and stream.triples == len(expected) == lines.count(" .\n")
        assert list(pyoxigraph.parse(input=lines.encode(), format=NT, lenient=True)) == expected


def test_every_plain_line_is_one_that_the_parser_takes(tmp_path: Path) -> None:
    """Lines made by chance from pieces of lines: what passes the expression is what the parser reads, as it stands."""
    pieces = [
        "<http://x/a>",
        "_:b1",
        '"t"',
        '"a\\"b"',
        '"\\uD800"',
        '"\\u00e9"',
        "@en",
        "^^<http://x/t>",
        " ",
        " .",
        "\\",
    ]
    pieces += ['"', "<", ">", "\t", "é", "<a>", "<http://x/ y>", '"\\U00110000"', '"\\U0001F600"', "<http://x/\\u0041>"]
    chance, plain = random.Random(5), 0
    for _ in range(40_000):
        line = "".join(chance.choice(["<http://x/a>", "_:b1", "<a>"])) + " "
        line += chance.choice(["<http://x/b>", "<b>"]) + " " + "".join(chance.choices(pieces, k=chance.randint(1, 3)))
        line += " .\n"
        if dump._PLAIN.fullmatch(line.encode()):
            plain += 1
            (triple,) = pyoxigraph.parse(input=line.encode(), format=NT, lenient=True)
            token = line.split(" ", 2)[2][:-3]
            found = dump_terms.term(token)
            assert found.value == triple.object.value
            if isinstance(triple.object, pyoxigraph.Literal):
                assert (found.datatype, found.language) == (
                    triple.object.datatype.value,
                    triple.object.language or "",
                )
    assert plain > 1000


def pull(session: Session, path: Path, domains: Domains, key: str, **more: object) -> snapshots.SnapshotRow:
    return dump_pull.pull(session, key, path=path, domains=domains, as_of=DAY, **more)


@pytest.mark.parametrize("name", ["one.nt.gz", "several.nt.gz"])
def test_a_reading_killed_in_the_middle_of_the_file_goes_on_there(
    session: Session, small: Domains, raw: bytes, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[name](raw))
    key, other = ("1901-01", "1901-02") if "one" in name else ("1902-01", "1902-02")
    seen: list[str] = []
    whole = pull(session, path, small, key, progress=lambda told: seen.append(told.stage))
    blocks = seen.count("first pass")
    assert blocks == seen.count("second pass") > 2
    for stage in ("first pass", "second pass"):
        told: list[str] = []

        def die(progress: PullProgress, stage: str = stage, told: list[str] = told) -> None:
            told.append(progress.stage)
            if progress.stage == stage and told.count(stage) == 2:
                raise Killed

        with pytest.raises(Killed):
            pull(session, path, small, other, progress=die)
        session.rollback()
    again: list[str] = []
    assert pull(session, path, small, other, progress=lambda told: again.append(told.stage)).content_hash == (
        whole.content_hash
    )
    assert again.count("first pass") == 0 and again.count("second pass") == blocks - 1
    assert not [name for name in inspect(session.connection()).get_table_names() if name.startswith("dump_")]


def test_what_a_killed_reading_kept_goes_with_its_month_and_with_other_questions(
    session: Session, small: Domains, raw: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "kept.nt.gz"
    path.write_bytes(gzip.compress(raw, 1))

    def die(progress: PullProgress) -> None:
        if progress.stage == "seeds":
            raise Killed

    def tables() -> list[str]:
        return [name for name in inspect(session.connection()).get_table_names() if name.startswith("dump_")]

    with pytest.raises(Killed):
        pull(session, path, small, "1903-01", progress=die)
    session.rollback()
    assert tables()
    retire.drop(session, "1903-01")
    assert not tables()
    with pytest.raises(Killed):
        pull(session, path, small, "1903-02", progress=die)
    session.rollback()
    seen: list[str] = []
    other = small.model_copy(update={"common": (576,)})
    pull(session, path, other, "1903-02", progress=lambda told: seen.append(told.stage))
    assert "first pass" in seen, "of other properties nothing was kept"
    path.write_bytes(gzip.compress(raw, 1)[:-100])
    with pytest.raises(UserError, match="cannot be read"):
        pull(session, path, small, "1903-03")
    assert not tables()


def test_a_text_that_looks_like_lines_is_none(session: Session, tmp_path: Path) -> None:
    hostile = f"x> <{WD}Q1> <{PROP}direct/P31> <{WD}Q5> . <{WD}Q66> <{PROP}direct/P31> <{WD}Q5> ."
    lines = [
        f"<{WD}Q1> <{PROP}direct/P31> <{WD}Q5> .\n",
        f'<{WD}Q1> <{LABEL}> "one\\n<{WD}Q77> <{PROP}direct/P31> <{WD}Q5> .\\n"@en .\n',
        f'<{WD}Q1> <{PROP}direct/P19> "{hostile}" .\n',
    ]
    path = tmp_path / "hostile.nt"
    path.write_text("".join(lines), encoding="utf-8")
    domains = Domains.model_validate({
        "common": [],
        "domains": {"people": {"roots": [{"qid": "Q5"}], "properties": ["P19"]}},
    })
    row = pull(session, path, domains, "1904-01")
    noted = snapshots.notes(session, row.snapshot)["complete"]
    assert noted["seeds"] == {"people": 1} and noted["triples"] == 3 and noted["shows_statements"] is False
