"""The page's pictures: what can be read of them at all."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.results import drawing
from halluvault_tasks.results.drawing import MonthPoint

RATES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@given(RATES)
def test_no_name_of_a_line_stands_on_another_or_outside_the_picture(rates: list[float]) -> None:
    lines = {
        f"model {number}": [MonthPoint("2026-09", 0.1, 0.05, 0.2), MonthPoint("2026-10", rate, rate, rate)]
        for number, rate in enumerate(rates)
    }
    svg = str(drawing.trend(lines, "Months"))
    height = float(re.findall(r'viewBox="0 0 \d+ (\d+)"', svg)[0])
    named = sorted(float(y) for y in re.findall(r'y="([\d.-]+)" text-anchor="start" class="">model', svg))
    assert len(named) == len(rates)
    assert all(below - above >= 16.9 for above, below in pairwise(named))
    assert named[0] > 0
    assert named[-1] <= height


def test_names_keep_the_order_of_their_rates() -> None:
    lines = {name: [MonthPoint("2026-10", rate, rate, rate)] for name, rate in (("low", 0.30), ("high", 0.31))}
    svg = str(drawing.trend(lines, "Months"))
    places = {name: float(y) for y, name in re.findall(r'y="([\d.]+)" text-anchor="start" class="">(low|high)', svg)}
    assert places["high"] < places["low"]


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_bands_begin_where_the_one_before_ends_and_the_shorter_is_not_drawn(
    high: float, band: float, open_: float
) -> None:
    both = str(drawing.intervals([drawing.Bar("model", high, high, high, band, open_)], "Rates")).split("</svg>")[:2]
    for svg in both:
        lines = re.findall(r'class="(band|open)" x1="(\S+)" x2="(\S+)"', svg)
        found = {kind: (float(a), float(b)) for kind, a, b in lines}
        assert ("band" in found) == (band > high)
        assert ("open" in found) == (open_ > max(band, high))
        assert all(a <= b for a, b in found.values())
        if len(found) == 2:
            assert found["band"][1] == found["open"][0]


def test_rates_are_drawn_once_for_a_wide_screen_and_once_whole_on_a_telephones() -> None:
    bars = [drawing.Bar("a model", 0.97, 0.9, 0.99, 1.0), drawing.Bar("another", None, None, None, None)]
    broad, narrow = str(drawing.intervals(bars, "Rates")).split("</svg>")[:2]
    assert 'class="broad"' in broad and 'class="narrow"' in narrow
    width = float(re.findall(r'viewBox="0 0 (\d+)', narrow)[0])
    assert width <= 360, "at a width of 400 pixels its letters are as large as the page's"
    (name,) = re.findall(r'<text x="0" y="([\d.]+)"[^>]*>a model<', narrow)
    (x, y) = re.findall(r'<circle class="dot" cx="([\d.]+)" cy="([\d.]+)"', narrow)[0]
    assert float(name) < float(y), "names stand above their lines"
    assert 0.85 * width < float(x) < width, "what is high stands at the right"
    assert "no rate" in broad and "no rate" in narrow


def test_a_month_without_a_rate_breaks_the_line_and_its_name_stays_beside_the_picture() -> None:
    at = {month: MonthPoint(month, 0.3, 0.2, 0.4) for month in ("2026-07", "2026-08", "2026-10")}
    line = [*at.values(), drawing.Gap("2026-11", "100.0 % unread")]
    line.insert(2, drawing.Gap("2026-09", "12.0 % unread"))
    svg = str(drawing.trend({"model": line}, "Months"))
    drawn = re.findall(r'<polyline class="line c0" points="([^"]*)"', svg)
    assert [len(points.split()) for points in drawn] == [2, 1]
    assert svg.count('class="dot"') == 3
    for month, why in (("2026-09", "12.0 % unread"), ("2026-11", "100.0 % unread")):
        assert f"<title>model, {month}: no rate, {why}</title>" in svg
    (name,) = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="start" class="">model<', svg)
    assert float(name) > max(float(x) for x in re.findall(r'text x="([\d.]+)"[^>]*class="">–<', svg))


def test_months_stand_as_far_apart_as_they_are_and_the_scale_ends_at_a_round_share() -> None:
    months = ("2025-11", "2026-01", "2026-04")
    svg = str(drawing.trend({"model": [MonthPoint(month, 0.5, 0.4, 0.56) for month in months]}, "Months"))
    first, second, third = (float(x) for x in re.findall(r'class="dot" cx="([\d.]+)"', svg))
    assert abs((third - second) - 1.5 * (second - first)) < 0.3
    assert re.findall(r"(\d+ %)</text>", svg) == ["0 %", "30 %", "60 %"]
    assert re.findall(r">(\d{4}-\d\d)</text>", svg)[0] == "2026-04", "the last one is named"


def test_what_chance_does_not_explain_has_a_ring_and_says_why() -> None:
    line = [MonthPoint("2026-09", 0.1, 0.05, 0.2), MonthPoint("2026-10", 0.5, 0.4, 0.6, "+40.0 points <since>")]
    svg = str(drawing.trend({"model": line}, "Months"))
    assert svg.count('class="ring"') == 1 and "model, 2026-10: 50.0 %, +40.0 points &lt;since&gt;" in svg
