"""The page's small pictures: every figure drawn is told, whole, in its place and by its own mark."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.results import panels
from halluvault_tasks.results.panels import Axis, MapCell, Mark

HOSTILE = '<script>alert(\'x\')</script>" onmouseover="alert(1)" \u202egnp.exe'
TELEPHONE = 390 - 2 * 16
"""Pixels that a telephone's screen leaves to a picture."""
WIDEST_LETTER = 7.8
"""Of a name on average, in the widest of the fonts that a browser takes for system-ui."""

shares = st.floats(0, 1)
marks = st.tuples(shares, shares, shares).map(sorted).map(lambda ends: Mark(ends[1], ends[0], ends[2]))
PLACES = ["k = 2", "k = 3", "k = 10"]
series = st.dictionaries(
    st.text("abcdefgh/-", min_size=1, max_size=70), st.dictionaries(st.sampled_from(PLACES), marks),
    min_size=1, max_size=panels.SERIES,
)  # fmt: skip


def box(svg: str) -> tuple[float, float]:
    [(width, height)] = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    return float(width), float(height)


def dots(svg: str) -> list[tuple[float, float]]:
    return [
        (float(x), float(y)) for x, y in re.findall(r'class="dot" transform="translate\(([\d.-]+),([\d.-]+)\)"', svg)
    ]


@given(series)
def test_every_figure_is_drawn_once_inside_and_told_with_its_interval(given_: dict[str, dict[str, Mark]]) -> None:
    for svg in map(str, (panels.curves(given_, PLACES, "Shares"), panels.rows(given_, PLACES, "Shares"))):
        width, height = box(svg)
        counted = sum(map(len, given_.values()))
        found = dots(svg)
        assert len(found) == counted + len(given_), "one for each figure and one for each name below"
        assert all(0 <= x <= width and 0 <= y <= height for x, y in found)
        [told] = re.findall("<desc>(.*?)</desc>", svg) if counted else [""]
        for name, of in given_.items():
            for place, mark in of.items():
                ends = f"{100 * mark.value:.1f} % [{100 * (mark.low or 0):.1f}, {100 * (mark.high or 0):.1f}]"
                assert f"{name}, {place}: {ends}" in told


def test_letters_are_as_large_on_a_telephone_as_beside_the_picture() -> None:
    pictures = [
        panels.curves({"m": {"a": Mark(0.5)}}, ["a"], "t"),
        panels.rows({"m": {"a": Mark(0.5)}}, ["a"], "t"),
        panels.grid([MapCell("a", "b", 0.5, "a, b: 50 %")], "t"),
    ]
    for svg in map(str, pictures):
        assert 13 * TELEPHONE / box(svg)[0] > 12, "of letters of 13 units, the page's own are 14"
        assert 'class="panel"' in svg


@given(shares, shares)
def test_what_is_higher_stands_further_right_or_further_up(one: float, other: float) -> None:
    of = {"m": {"a": Mark(one), "b": Mark(other)}}
    (right, _), (right_of_other, _) = dots(str(panels.rows(of, ["a", "b"], "t")))[:2]
    (_, up), (_, up_of_other) = dots(str(panels.curves(of, ["a", "b"], "t")))[:2]
    if one < other:
        assert right <= right_of_other and up >= up_of_other
    assert dots(str(panels.rows(of, ["a", "b"], "t")))[0][1] < dots(str(panels.rows(of, ["a", "b"], "t")))[1][1]


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1)).map(sorted), min_size=1, max_size=5))
def test_differences_stand_about_zero_in_the_middle_and_none_is_cut(ends: list[list[float]]) -> None:
    of = {"": {f"r{number}": Mark(middle, low, high) for number, (low, middle, high) in enumerate(ends)}}
    axis = panels.differences(of)
    assert axis.least == -axis.most
    assert all(axis.least <= end <= axis.most for each in ends for end in each)
    svg = str(panels.rows(of, list(of[""]), "t", axis))
    [zero] = {float(x) for x in re.findall(r'class="zero" x1="([\d.]+)"', svg)}
    for (x, _), (_, middle, _) in zip(dots(svg), ends, strict=True):
        assert (x - zero) * middle >= 0, "what is below zero stands left of it"
    assert "points" in svg and " %" not in svg


def test_series_differ_by_mark_and_not_by_colour_alone() -> None:
    of = {f"m{number}": {"a": Mark(0.5)} for number in range(panels.SERIES)}
    shapes = re.findall(r'<g class="(c\d)"><title>m\d, a.*? d="(.*?)"', str(panels.rows(of, ["a"], "t")))
    assert len({shape for _, shape in shapes}) == len({colour for colour, _ in shapes}) == panels.SERIES


def test_marks_of_one_place_do_not_hide_each_other() -> None:
    of = {f"m{number}": {"a": Mark(0.5, 0.4, 0.6), "b": Mark(0.5, 0.4, 0.6)} for number in range(panels.SERIES)}
    across = sorted(x for x, y in dots(str(panels.curves(of, ["a", "b"], "t"))) if x > 20)
    assert all(right - left >= 5 for left, right in pairwise(across))
    down = sorted(y for x, y in dots(str(panels.rows(of, ["a"], "t"))) if x > 20)
    assert all(below - above >= 8 for above, below in pairwise(down))


def test_names_and_titles_are_text_whatever_they_hold() -> None:
    of = {HOSTILE: {HOSTILE: Mark(0.5, 0.4, 0.6)}}
    pictures = [
        panels.curves(of, [HOSTILE], HOSTILE, {HOSTILE: of[HOSTILE]}),
        panels.rows(of, [HOSTILE], HOSTILE, beside={HOSTILE: 0.5}),
        panels.grid([MapCell(HOSTILE, HOSTILE, 0.5, HOSTILE)], HOSTILE),
    ]
    for svg in map(str, pictures):
        assert "&lt;script&gt;" in svg and "<script" not in svg and "\u202e" not in svg
        assert not re.search(r"<[^>]+onmouseover", re.sub(r'="[^"]*"', "", svg))


@given(st.integers(1, 26), st.integers(1, 26), st.integers(1, 6))
def test_names_of_a_map_do_not_run_into_each_other(row: int, column: int, columns: int) -> None:
    cells = [MapCell("r" * row, f"{number}{'c' * column}", 0.5, "told") for number in range(columns)]
    svg = str(panels.grid(cells, "t"))
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(middle|end)" class="faint">(.*?)</text>', svg)
    assert len(found) == columns
    heads = []
    for x, y, anchor, name in found:
        begin = float(x) - 7 * len(name) / (2 if anchor == "middle" else 1)
        heads.append((begin, begin + 7 * len(name), y))
    assert all(end <= box(svg)[0] + 1 for _, end, _ in heads), "a name of a column is cut"
    for (_, end, y), (begin, _, beside) in pairwise(heads):
        assert y != beside or end <= begin + 1
    for x, _, name in re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="end" class="">(r+)</text>', svg):
        assert float(x) >= WIDEST_LETTER * len(name) - WIDEST_LETTER, "a name that stands beside its row is whole"


def test_a_line_to_compare_with_is_named_and_told() -> None:
    svg = str(panels.curves({"m": {"a": Mark(0.2)}}, ["a", "b"], "t", {"by lot": {"a": Mark(0.5), "b": Mark(0.8)}}))
    assert "by lot, b: 80.0 %" in svg and ">by lot</text>" in svg
    assert re.search(r'class="beside b0" points="[\d., ]+"', svg)
    svg = str(panels.rows({"m": {"a": Mark(0.2)}}, ["a"], "t", beside={"chance": 0.5}))
    assert "chance: 50.0 %" in svg and ">chance</text>" in svg


def test_a_place_on_an_axis_is_a_share_or_a_signed_number_of_points() -> None:
    assert [Axis().told(at) for at in (0.0, 0.25, 1.0)] == ["0 %", "25 %", "100 %"]
    assert [Axis(-0.4, 0.4, points=True).told(at) for at in (-0.2, 0.0, 0.05)] == ["-20", "0", "+5"]
