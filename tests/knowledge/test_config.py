import csv
import re
from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import bundled
from halluvault_tasks.knowledge.config import DOMAINS, load_domains
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata import properties as wd

FILE = REPOSITORY / "config" / "domains.yaml"

GOOD = """\
common: [P17]
domains:
  culture:
    roots:
      - {qid: Q11424, modes: [instance]}
    properties: [P57]
"""


def load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "domains.yaml"
    path.write_text(text)
    return load_domains(path)


def test_the_nine_domains_are_there_and_a_persons_work_comes_before_the_person() -> None:
    domains = load_domains(FILE)
    assert set(domains.domains) == set(DOMAINS)
    assert list(domains.domains)[-1] == "people"


def test_seeds_are_asked_for_chains_and_links_too() -> None:
    domains = load_domains(FILE)
    for name in domains.domains:
        assert set(domains.asked_of_values()) <= set(domains.asked_of_seeds(name))


def test_every_property_of_the_configuration_has_bundled_metadata() -> None:
    wanted = {*load_domains(FILE).all_properties(), *wd.TIME_QUALIFIERS, *wd.HEDGES}
    assert sorted(wanted - set(bundled.properties())) == []


def test_comments_name_the_ids_as_wikidata_does(shared_data: Path) -> None:
    known: dict[str, str] = {}
    for name in ("qid-labels.tsv", "properties.tsv"):
        with (shared_data / name).open(encoding="utf-8") as lines:
            known |= {row[0]: row[1] for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}
    commented = re.findall(r"- (?:\{qid: )?([QP]\d+).*?# (.+)", FILE.read_text())
    assert len(commented) > 100
    assert [(i, label, known[i]) for i, label in commented if i in known and known[i] != label.strip()] == []


def test_a_good_file_loads(tmp_path: Path) -> None:
    domains = load(tmp_path, GOOD)
    assert domains.domains["culture"].roots[0].qid == 11424


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "words"),
    [
        ("Q11424", "11424", 5, "roots[0].qid", "11424 is not an item like Q5"),
        ("P57", "P0", 6, "properties[0]", "'P0' is not a property like P131"),
        ("[instance]", "[instances]", 5, "modes[0]", "'instance', 'subclass' or 'occupation'"),
        ("culture", "cooking", 3, "cooking", "natural_science"),
        ("roots", "rooots", 4, "rooots", "no such key; there are roots"),
        ("modes: [instance]", "depth: 99", 5, "depth", "less than or equal to 8"),
        ("common: [P17]\n", "", 1, "common", "Field required"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, field: str, words: str
) -> None:
    with pytest.raises(UserError) as caught:
        load(tmp_path, GOOD.replace(old, new))
    assert f"line {line}: " in caught.value.message
    assert field in caught.value.message and words in caught.value.message


def test_what_is_no_yaml_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="line 4, column 1, is not YAML"):
        load(tmp_path, "common: [P17]\ndomains:\n  culture:\n\troots: []\n")


def test_a_missing_or_empty_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        load_domains(tmp_path / "nowhere.yaml")
    with pytest.raises(UserError, match="the file"):
        load(tmp_path, "")


def test_an_unknown_domain_is_named_with_those_that_exist() -> None:
    with pytest.raises(UserError, match=r"'cooking' is not in domains\.yaml, which has culture, "):
        load_domains(FILE).require("cooking")
