"""Wordings of the development part's properties; none is used in the kept-back part."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    19: Words(
        (
            ("{o} is where {s} was born", "{o} is not where {s} was born"),
            ("{s} came into the world in {o}", "{s} did not come into the world in {o}"),
            ("{s} is a native of {o}", "{s} is not a native of {o}"),
            ("{s} first saw the light of day in {o}", "{s} did not first see the light of day in {o}"),
        ),
        "birthplace",
    ),
    131: Words(
        (
            ("{s} is located in {o}", "{s} is not located in {o}"),
            ("{s} lies inside {o}", "{s} does not lie inside {o}"),
            ("{s} belongs to {o}", "{s} does not belong to {o}"),
            ("{o} contains {s}", "{o} does not contain {s}"),
        ),
        "is located in",
    ),
    17: Words(
        (
            ("{s} is in {o}", "{s} is not in {o}"),
            ("the country of {s} is {o}", "the country of {s} is not {o}"),
            ("{s} sits on the soil of {o}", "{s} does not sit on the soil of {o}"),
        ),
        "country",
    ),
    279: Words(
        (
            ("{s} is a type of {o}", "{s} is not a type of {o}"),
            ("{s} counts as a form of {o}", "{s} does not count as a form of {o}"),
            ("{s} is one sort of {o}", "{s} is not one sort of {o}"),
            ("{o} is the wider category that {s} falls into", "{o} is not a category that {s} falls into"),
        ),
        "type of",
    ),
    106: Words(
        (
            ("{s} made a living as a {o}", "{s} did not make a living as a {o}"),
            ("by profession {s} was a {o}", "by profession {s} was not a {o}"),
        ),
        "profession",
    ),
    39: Words(
        (
            ("{s} served as {o}", "{s} did not serve as {o}"),
            ("{s} occupied the post of {o}", "{s} did not occupy the post of {o}"),
            ("{o} was one of the posts of {s}", "{o} was not one of the posts of {s}"),
        ),
        "post",
    ),
    69: Words(
        (
            ("{s} attended {o}", "{s} did not attend {o}"),
            ("{s} took a degree at {o}", "{s} did not take a degree at {o}"),
            ("{o} is an alma mater of {s}", "{o} is not an alma mater of {s}"),
        ),
        "alma mater",
    ),
    361: Words(
        (
            ("{s} forms a component of {o}", "{s} does not form a component of {o}"),
            ("{s} makes up one part of the whole that is {o}", "{s} is no part of the whole that is {o}"),
        ),
        "component of",
    ),
    527: Words(
        (
            ("{o} is one of the parts of {s}", "{o} is not one of the parts of {s}"),
            ("{s} comprises {o}", "{s} does not comprise {o}"),
        ),
        "comprises",
    ),
    397: Words(
        (
            ("{s} revolves around {o}", "{s} does not revolve around {o}"),
            ("{s} circles {o}", "{s} does not circle {o}"),
            ("{o} is the body at the centre of the path of {s}", "{o} is not at the centre of the path of {s}"),
        ),
        "revolves around",
    ),
    398: Words(
        (
            ("{o} revolves around {s}", "{o} does not revolve around {s}"),
            ("{s} is circled by {o}", "{s} is not circled by {o}"),
        ),
        "is circled by",
    ),
    403: Words(
        (
            ("{s} empties into {o}", "{s} does not empty into {o}"),
            ("{s} drains into {o}", "{s} does not drain into {o}"),
            ("{s} ends at {o}", "{s} does not end at {o}"),
        ),
        "mouth",
    ),
    138: Words(
        (
            ("{s} bears the name of {o}", "{s} does not bear the name of {o}"),
            ("{o} gave {s} its name", "{o} did not give {s} its name"),
        ),
        "namesake",
    ),
    166: Words(
        (
            ("{s} won {o}", "{s} did not win {o}"),
            ("{o} went to {s}", "{o} did not go to {s}"),
            ("{s} is a laureate of {o}", "{s} is not a laureate of {o}"),
        ),
        "honour",
    ),
    276: Words(
        (
            ("{s} can be found at {o}", "{s} cannot be found at {o}"),
            ("{o} is the site of {s}", "{o} is not the site of {s}"),
        ),
        "site",
    ),
    61: Words(
        (
            ("{o} found or devised {s}", "{o} neither found nor devised {s}"),
            ("we owe {s} to {o}", "we do not owe {s} to {o}"),
        ),
        "discoverer or inventor",
    ),
    463: Words(
        (
            ("{s} joined {o}", "{s} did not join {o}"),
            ("among those belonging to {o} is {s}", "{s} is not among those belonging to {o}"),
        ),
        "belongs to",
    ),
    102: Words(
        (
            ("{s} stood for {o}", "{s} did not stand for {o}"),
            ("the party of {s} was {o}", "the party of {s} was not {o}"),
        ),
        "party",
    ),
    119: Words(
        (
            ("{s} lies buried in {o}", "{s} does not lie buried in {o}"),
            ("the grave of {s} is at {o}", "the grave of {s} is not at {o}"),
        ),
        "grave",
    ),
    178: Words(
        (
            ("{o} is the maker of {s}", "{o} is not the maker of {s}"),
            ("{s} is a product of {o}", "{s} is not a product of {o}"),
        ),
        "maker",
    ),
    206: Words(
        (
            ("{s} stands on the shore of {o}", "{s} does not stand on the shore of {o}"),
            ("{o} washes {s}", "{o} does not wash {s}"),
        ),
        "water it stands on",
    ),
    155: Words(
        (
            ("{o} is the one right before {s}", "{o} is not the one right before {s}"),
            ("{s} is the sequel to {o}", "{s} is not the sequel to {o}"),
        ),
        "predecessor",
    ),
    156: Words(
        (
            ("{o} is the one right after {s}", "{o} is not the one right after {s}"),
            ("next after {s} is {o}", "next after {s} is not {o}"),
        ),
        "successor",
    ),
    26: Words(
        (
            ("{s} and {o} were husband and wife", "{s} and {o} were not husband and wife"),
            ("{s} wed {o}", "{s} did not wed {o}"),
        ),
        "husband or wife",
    ),
    27: Words((("{s} was a national of {o}", "{s} was not a national of {o}"),), "nationality"),
    3373: Words(
        (
            ("{s} and {o} grew up as brothers or sisters", "{s} and {o} did not grow up as brothers or sisters"),
            ("{s} and {o} have the same parents", "{s} and {o} do not have the same parents"),
        ),
        "brother or sister",
    ),
    30: Words(
        (
            ("the continent of {s} is {o}", "the continent of {s} is not {o}"),
            ("on the map {s} is found on {o}", "on the map {s} is not found on {o}"),
        ),
        "continent",
    ),
    1995: Words(
        (
            ("{s} is treated by specialists in {o}", "{s} is not treated by specialists in {o}"),
            ("{o} is the branch of medicine that deals with {s}", "{o} is not the branch of medicine for {s}"),
        ),
        "branch of medicine",
    ),
    150: Words((("{o} is a subdivision of {s}", "{o} is not a subdivision of {s}"),), "subdivision"),
    749: Words(
        (
            ("{o} stands above {s} as its parent company", "{o} does not stand above {s} as its parent company"),
            ("{s} answers to {o}", "{s} does not answer to {o}"),
        ),
        "parent company",
    ),
    355: Words((("{o} is a subsidiary of {s}", "{o} is not a subsidiary of {s}"),), "subsidiary"),
    571: Words(
        (
            ("{s} was set up {on}", "{s} was not set up {on}"),
            ("{s} came into being {on}", "{s} did not come into being {on}"),
            ("{s} dates back to its creation {on}", "{s} does not date back to a creation {on}"),
        ),
        "set up",
    ),
    576: Words(
        (
            ("{s} was wound up {on}", "{s} was not wound up {on}"),
            ("{s} came to its end {on}", "{s} did not come to its end {on}"),
        ),
        "wound up",
    ),
    577: Words(
        (
            ("{s} came out {on}", "{s} did not come out {on}"),
            ("{s} had its premiere {on}", "{s} did not have its premiere {on}"),
        ),
        "premiere",
    ),
    580: Words(
        (
            ("{s} started {on}", "{s} did not start {on}"),
            ("{s} got under way {on}", "{s} did not get under way {on}"),
        ),
        "start",
    ),
    582: Words(
        (
            ("{s} was over {on}", "{s} was not over {on}"),
            ("{s} finished {on}", "{s} did not finish {on}"),
        ),
        "finish",
    ),
    -1571: Words((("{s} goes back further than {o}", "{s} does not go back further than {o}"),), "goes back further"),
    -1577: Words((("{s} came out sooner than {o}", "{s} did not come out sooner than {o}"),), "came out sooner"),
    -1580: Words((("{s} started sooner than {o}", "{s} did not start sooner than {o}"),), "started sooner"),
    # chains and shared objects, by the negative number that the reviewed rules give them
    -19131: Words(
        (("{s} was born somewhere in {o}", "{s} was not born anywhere in {o}"),), "born somewhere in"
    ),
    -61019: Words(
        (("whoever found {s} came from {o}", "whoever found {s} did not come from {o}"),), "finder came from"
    ),
    -138019: Words(
        (("the namesake of {s} came from {o}", "the namesake of {s} did not come from {o}"),), "namesake came from"
    ),
    -397397: Words(
        (("{s} is carried around {o} by the body it circles", "{s} is not carried around {o} by any body"),),
        "carried around",
    ),
    -61: Words(
        (("{s} and {o} go back to one and the same person", "{s} and {o} do not go back to the same person"),), "finder"
    ),
    -69: Words((("{s} and {o} went to one and the same school", "{s} and {o} went to no school together"),), "school"),
    -138: Words((("{s} and {o} honour one and the same namesake", "{s} and {o} have no one namesake"),), "namesake"),
    -178: Words((("{s} and {o} come from one and the same maker", "{s} and {o} do not come from one maker"),), "maker"),
    -397: Words((("{s} and {o} circle one and the same body", "{s} and {o} do not circle the same body"),), "centre"),
    -1995: Words(
        (("{s} and {o} belong to one branch of medicine", "{s} and {o} belong to no common branch of medicine"),),
        "branch of medicine",
    ),
}  # fmt: skip
