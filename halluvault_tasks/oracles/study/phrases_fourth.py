"""Wordings of the fourth group of voices. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    19: Words(
        (
            ("{s}'s place of birth is {o}", "{s}'s place of birth is not {o}"),
            ("{s}'s birthplace is {o}", "{s}'s birthplace is not {o}"),
            ("it was in {o} that {s} came into the world", "it was not in {o} that {s} came into the world"),
            ("{s} is a native of {o}, having been born there", "{s} is no native of {o}, having been born elsewhere"),
            ("the place where {s} was born is {o}", "the place where {s} was born is not {o}"),
        ),
        "place of birth",
    ),
    17: Words(
        (
            ("{s} is in {o}", "{s} is not in {o}"),
            ("the country in which {s} is located is {o}", "the country in which {s} is located is not {o}"),
            ("{o} is the country that is home to {s}", "{o} is not the country that is home to {s}"),
            ("{s} is found within the borders of {o}", "{s} is not found within the borders of {o}"),
        ),
        "country where it is found",
    ),
    26: Words(
        (
            ("{s} and {o} were married to each other", "{s} and {o} were not married to each other"),
            ("{s} was the spouse of {o}", "{s} was not the spouse of {o}"),
            (
                "{s} entered into marriage with {o}",
                "{s} never entered into marriage with {o}",
            ),
            ("{s} and {o} were husband and wife", "{s} and {o} were not husband and wife"),
        ),
        "was married to",
    ),
    27: Words(
        (
            ("{s} had citizenship in {o}", "{s} did not have citizenship in {o}"),
            ("{s} held the citizenship of {o}", "{s} did not hold the citizenship of {o}"),
            ("{s} was, in legal terms, a national of {o}", "{s} was, in legal terms, no national of {o}"),
            ("{o} counted {s} among its citizens", "{o} did not count {s} among its citizens"),
        ),
        "citizen of",
    ),
    30: Words(
        (
            ("{s} is on the continent of {o}", "{s} is not on the continent of {o}"),
            ("{s}'s continent is {o}", "{s}'s continent is not {o}"),
            ("geographically speaking, {s} belongs to {o}", "geographically speaking, {s} does not belong to {o}"),
            ("{o} is the part of the world where {s} is found", "{o} is not the part of the world where {s} is found"),
        ),
        "continent",
    ),
    39: Words(
        (
            ("{s} served as {o}", "{s} never served as {o}"),
            ("{s} held the post of {o}", "{s} did not hold the post of {o}"),
            ("{s}'s career included a term as {o}", "{s}'s career did not include any term as {o}"),
            (
                "{s} is one of the people who have been {o}",
                "{s} cannot be counted among the people who have been {o}",
            ),
        ),
        "office held",
    ),
    61: Words(
        (
            ("{s} was discovered by {o}", "{s} was not discovered by {o}"),
            (
                "the discovery or invention of {s} is the achievement of {o}",
                "the discovery or invention of {s} is not the achievement of {o}",
            ),
            ("{o} was the first to discover or devise {s}", "{o} was not the first to discover or devise {s}"),
            (
                "{o} is the person who discovered or invented {s}",
                "{o} is not the person who discovered or invented {s}",
            ),
            (
                "credit for having found or devised {s} goes to {o}",
                "credit for having found or devised {s} does not go to {o}",
            ),
        ),
        "discovered or invented by",
    ),
    69: Words(
        (
            ("{s} studied at {o}", "{s} did not study at {o}"),
            ("{s} was a student at {o}", "{s} was never a student at {o}"),
            (
                "{o} can claim {s} as one of its alumni",
                "{o} cannot claim {s} as one of its alumni",
            ),
            (
                "{s} received an education at {o}",
                "{s} did not receive an education at {o}",
            ),
        ),
        "where they studied",
    ),
    102: Words(
        (
            ("{s} was one of the members of {o}", "{s} was not one of the members of {o}"),
            ("the political party to which {s} belonged was {o}", "the political party of {s} was not {o}"),
            ("in politics, {s} stood in the ranks of {o}", "in politics, {s} never stood in the ranks of {o}"),
            ("{s}'s party affiliation was with {o}", "{s} had no party affiliation with {o}"),
        ),
        "political party",
    ),
    106: Words(
        (
            ("{s} worked as a {o}", "{s} did not work as a {o}"),
            ("{s} was a {o} by profession", "{s} was not a {o} by profession"),
            ("{s} made a career as a {o}", "{s} never made a career as a {o}"),
            ("the occupation of {s} was that of a {o}", "the occupation of {s} was not that of a {o}"),
        ),
        "occupation",
    ),
    119: Words(
        (
            ("{s} is buried in {o}", "{s} is not buried in {o}"),
            ("the grave of {s} is in {o}", "the grave of {s} is not in {o}"),
            ("{s} was laid to rest in {o}", "{s} was not laid to rest in {o}"),
            ("{o} is the final resting place of {s}", "{o} is not the final resting place of {s}"),
        ),
        "buried in",
    ),
    131: Words(
        (
            ("{s} is located in {o}", "{s} is not located in {o}"),
            ("{s} lies within {o}", "{s} does not lie within {o}"),
            (
                "administratively, {s} comes under {o}",
                "administratively, {s} does not come under {o}",
            ),
            (
                "{o} is the administrative area in which {s} is situated",
                "{o} is not the administrative area in which {s} is situated",
            ),
            (
                "you will find {s} inside the boundaries of {o}",
                "you will not find {s} inside the boundaries of {o}",
            ),
        ),
        "lies in the administrative area",
    ),
    138: Words(
        (
            ("{s} was named after {o}", "{s} was not named after {o}"),
            ("{s} gets its name from {o}", "{s} does not get its name from {o}"),
            ("{s} owes its name to {o}", "{s} does not owe its name to {o}"),
            ("{o} is the source of the name given to {s}", "{o} is not the source of the name given to {s}"),
        ),
        "name comes from",
    ),
    150: Words(
        (
            (
                "{s} includes {o} as one of its administrative divisions",
                "{s} does not include {o} as one of its administrative divisions",
            ),
            (
                "{s} is subdivided into several units, one of which is {o}",
                "{s} is subdivided into several units, but {o} is not one of them",
            ),
            (
                "{o} is among the administrative units that make up {s}",
                "{o} is not among the administrative units that make up {s}",
            ),
            (
                "{o} figures among the administrative parts of {s}",
                "{o} does not figure among the administrative parts of {s}",
            ),
        ),
        "has as an administrative division",
    ),
    155: Words(
        (
            ("{s} came immediately after {o}", "{s} did not come immediately after {o}"),
            ("{s} is the immediate successor of {o}", "{s} is not the immediate successor of {o}"),
            ("{s} has {o} as its direct predecessor", "{s} does not have {o} as its direct predecessor"),
            (
                "the one that came just before {s} is {o}",
                "the one that came just before {s} is not {o}",
            ),
        ),
        "immediately follows",
    ),
    156: Words(
        (
            ("{s} was directly followed by {o}", "{s} was not directly followed by {o}"),
            ("{s}'s immediate successor is {o}", "{s}'s immediate successor is not {o}"),
            ("{s} was succeeded directly by {o}", "{s} was not succeeded directly by {o}"),
            (
                "the next one in line right after {s} is {o}",
                "the next one in line right after {s} is not {o}",
            ),
        ),
        "next in the sequence",
    ),
    166: Words(
        (
            ("{s} was given {o}", "{s} was not given {o}"),
            ("{s} was a recipient of {o}", "{s} was never a recipient of {o}"),
            ("{s} was honored with {o}", "{s} was not honored with {o}"),
            ("{s} is one of the winners of {o}", "{s} is not one of the winners of {o}"),
        ),
        "award received",
    ),
    178: Words(
        (
            ("{o} developed {s}", "{o} did not develop {s}"),
            ("{o} is the developer of {s}", "{o} is not the developer of {s}"),
            ("the development of {s} was carried out by {o}", "the development of {s} was not carried out by {o}"),
            ("{s} is a creation of {o}", "{s} is not a creation of {o}"),
        ),
        "developer",
    ),
    206: Words(
        (
            ("{s} lies on {o}", "{s} does not lie on {o}"),
            ("{s} is situated next to {o}", "{s} is not situated next to {o}"),
            (
                "the waters of {o} lie right next to {s}",
                "the waters of {o} do not lie next to {s}",
            ),
            (
                "{o} is a body of water right beside {s}",
                "{o} is not a body of water beside {s}",
            ),
        ),
        "lies on the water of",
    ),
    276: Words(
        (
            ("the location of {s} is {o}", "the location of {s} is not {o}"),
            ("{o} is the site of {s}", "{o} is not the site of {s}"),
            ("{s} has {o} as its location", "{s} does not have {o} as its location"),
            ("on a map, {s} would be marked at {o}", "on a map, {s} would not be marked at {o}"),
        ),
        "location",
    ),
    279: Words(
        (
            ("{s} is a type of {o}", "{s} is not a type of {o}"),
            ("{s} is classified as a type of {o}", "{s} is not classified as a type of {o}"),
            ("{s} falls into the category of {o}", "{s} does not fall into the category of {o}"),
            (
                "{o} is the broader class to which {s} belongs",
                "{o} is not the broader class to which {s} belongs",
            ),
            ("{s} counts as a form of {o}", "{s} does not count as a form of {o}"),
        ),
        "is a type of",
    ),
    355: Words(
        (
            ("{o} is a subsidiary of {s}", "{o} is not a subsidiary of {s}"),
            ("{s} has {o} as one of its subsidiaries", "{s} does not have {o} as one of its subsidiaries"),
            (
                "{s} is the parent of the company {o}",
                "{s} is not the parent of the company {o}",
            ),
            (
                "among the companies controlled by {s} is {o}",
                "{o} is not among the companies controlled by {s}",
            ),
        ),
        "subsidiary",
    ),
    361: Words(
        (
            ("{s} is a part of {o}", "{s} is not a part of {o}"),
            ("{s} forms one component of {o}", "{s} does not form any component of {o}"),
            ("{s} belongs to the larger whole of {o}", "{s} does not belong to the larger whole of {o}"),
            ("{o} is a larger whole that contains {s}", "{o} is not a larger whole that contains {s}"),
        ),
        "part of",
    ),
    397: Words(
        (
            ("{s} circles {o}", "{s} does not circle {o}"),
            ("{s} revolves around {o}", "{s} does not revolve around {o}"),
            ("{s} follows a path that takes it around {o}", "{s} does not follow a path that takes it around {o}"),
            ("the body that {s} circles is {o}", "the body that {s} circles is not {o}"),
            ("{s} is in orbit around {o}", "{s} is not in orbit around {o}"),
        ),
        "in orbit around",
    ),
    398: Words(
        (
            ("{s} is circled by {o}", "{s} is not circled by {o}"),
            ("{s} has {o} in orbit around it", "{s} does not have {o} in orbit around it"),
            ("one of the bodies that circle {s} is {o}", "{o} is not one of the bodies that circle {s}"),
            (
                "{o} is a body that travels around {s}",
                "{o} is not a body that travels around {s}",
            ),
        ),
        "is circled by",
    ),
    403: Words(
        (
            ("at its mouth, {s} flows into {o}", "at its mouth, {s} does not flow into {o}"),
            ("{s} empties into {o}", "{s} does not empty into {o}"),
            ("the waters of {s} end up in {o}, where the river has its mouth", "the mouth of {s} is not at {o}"),
            ("{s} discharges into {o}", "{s} does not discharge into {o}"),
        ),
        "river mouth",
    ),
    463: Words(
        (
            ("{s} is a member of {o}", "{s} is not a member of {o}"),
            ("{o} has {s} as a member", "{o} does not have {s} as a member"),
            ("{s} belongs to {o}", "{s} does not belong to {o}"),
            ("the membership of {o} includes {s}", "the membership of {o} does not include {s}"),
        ),
        "membership",
    ),
    527: Words(
        (
            ("{s} has {o} as one of its parts", "{s} does not have {o} as one of its parts"),
            ("{o} is included in {s}", "{o} is not included in {s}"),
            (
                "{o} is one of the components that make up {s}",
                "{o} is not one of the components that make up {s}",
            ),
            ("{s} contains {o} as a constituent", "{s} does not contain {o} as a constituent"),
        ),
        "has the part",
    ),
    571: Words(
        (
            ("{s} was established {on}", "{s} was not established {on}"),
            ("{s} came into existence {on}", "{s} did not come into existence {on}"),
            ("it was {on} that {s} was established", "it was not {on} that {s} was established"),
            ("{s} was created {on}", "{s} was not created {on}"),
            ("the existence of {s} began {on}", "the existence of {s} did not begin {on}"),
        ),
        "founded",
    ),
    576: Words(
        (
            ("it was {on} that {s} was dissolved", "it was not {on} that {s} was dissolved"),
            ("{s} went out of existence {on}", "{s} did not go out of existence {on}"),
            ("the dissolution of {s} came {on}", "the dissolution of {s} did not come {on}"),
            ("it was {on} that {s} came to its end", "it was not {on} that {s} came to its end"),
        ),
        "date of dissolution",
    ),
    577: Words(
        (
            ("{s} was released to the public {on}", "{s} was not released to the public {on}"),
            ("{s} came out {on}", "{s} did not come out {on}"),
            (
                "{s} made its first appearance before the public {on}",
                "{s} did not make its first appearance before the public {on}",
            ),
            (
                "it was {on} that the public first got access to {s}",
                "it was not {on} that the public first got access to {s}",
            ),
            ("{s} was first published {on}", "{s} was not first published {on}"),
        ),
        "first published or released",
    ),
    580: Words(
        (
            ("it was {on} that {s} began", "it was not {on} that {s} began"),
            ("{s} started {on}", "{s} did not start {on}"),
            ("{s} had its beginning {on}", "{s} did not have its beginning {on}"),
            ("it was {on} that {s} got under way", "it was not {on} that {s} got under way"),
            ("the start of {s} came {on}", "the start of {s} did not come {on}"),
        ),
        "start",
    ),
    582: Words(
        (
            ("the end of {s} came {on}", "the end of {s} did not come {on}"),
            ("{s} came to an end {on}", "{s} did not come to an end {on}"),
            ("it was {on} that {s} concluded", "it was not {on} that {s} concluded"),
            ("{s} reached its close {on}", "{s} did not reach its close {on}"),
        ),
        "when it ended",
    ),
    749: Words(
        (
            ("the parent company of {s} is {o}", "the parent company of {s} is not {o}"),
            ("{s} has {o} as its parent company", "{s} does not have {o} as its parent company"),
            ("{s} operates as a subsidiary of {o}", "{s} does not operate as a subsidiary of {o}"),
            (
                "{o} is the company to which {s} belongs",
                "{o} is not the company to which {s} belongs",
            ),
        ),
        "parent company",
    ),
    1995: Words(
        (
            (
                "{s} belongs to the medical specialty of {o}",
                "{s} does not belong to the medical specialty of {o}",
            ),
            (
                "{o} is the branch of medicine that deals with {s}",
                "{o} is not the branch of medicine that deals with {s}",
            ),
            (
                "in medicine, {s} is assigned to the field of {o}",
                "in medicine, {s} is not assigned to the field of {o}",
            ),
            (
                "the medical field responsible for {s} is {o}",
                "the medical field responsible for {s} is not {o}",
            ),
        ),
        "medical specialty",
    ),
    3373: Words(
        (
            ("{s} and {o} are siblings", "{s} and {o} are not siblings of each other"),
            ("{s} is {o}'s sibling", "{s} is not {o}'s sibling"),
            ("{s} is a brother or sister of {o}", "{s} is neither a brother nor a sister of {o}"),
            ("{s} has a sibling named {o}", "{s} has no sibling named {o}"),
        ),
        "sibling",
    ),
    -19131: Words(
        (
            (
                "{s} was born in a place that is in {o} today",
                "{s} was not born in a place that is in {o} today",
            ),
            ("{s}'s birthplace lies in what is now {o}", "{s}'s birthplace does not lie in what is now {o}"),
            (
                "{s} came into the world in a place that now belongs to {o}",
                "{s} did not come into the world in a place that now belongs to {o}",
            ),
            (
                "on the map of today, the place where {s} was born is part of {o}",
                "on the map of today, the place where {s} was born is not part of {o}",
            ),
        ),
        "birthplace is in what is now",
    ),
    -61019: Words(
        (
            (
                "{s} was discovered or invented by someone born in {o}",
                "{s} was not discovered or invented by someone born in {o}",
            ),
            (
                "the person who discovered or invented {s} was a native of {o}",
                "the person who discovered or invented {s} was not a native of {o}",
            ),
            (
                "{o} is the birthplace of the discoverer or inventor of {s}",
                "{o} is not the birthplace of the discoverer or inventor of {s}",
            ),
        ),
        "birthplace of its discoverer or inventor",
    ),
    -138019: Words(
        (
            ("{s} is named after someone born in {o}", "{s} is not named after someone born in {o}"),
            (
                "the person whose name {s} bears was born in {o}",
                "the person whose name {s} bears was not born in {o}",
            ),
            (
                "{o} is the birthplace of the person after whom {s} is named",
                "{o} is not the birthplace of the person after whom {s} is named",
            ),
        ),
        "its eponym was born in",
    ),
    -397397: Words(
        (
            ("{s} orbits a body that itself orbits {o}", "{s} does not orbit any body that itself orbits {o}"),
            (
                "the body that {s} revolves around in turn revolves around {o}",
                "the body that {s} revolves around does not in turn revolve around {o}",
            ),
            (
                "{s} circles a body which is itself on a path around {o}",
                "{s} does not circle a body which is itself on a path around {o}",
            ),
        ),
        "orbits a body that orbits",
    ),
    -397: Words(
        (
            ("{s} and {o} orbit the same body", "{s} and {o} do not orbit the same body"),
            (
                "{s} revolves around the same body as {o}",
                "{s} does not revolve around the same body as {o}",
            ),
            (
                "the body that {s} circles is also the one that {o} circles",
                "the body that {s} circles is not the one that {o} circles",
            ),
        ),
        "orbits the same body as",
    ),
    -61: Words(
        (
            (
                "{s} and {o} were discovered or invented by the same person",
                "{s} and {o} were not discovered or invented by the same person",
            ),
            (
                "{s} and {o} share a discoverer or inventor",
                "{s} and {o} do not share a discoverer or inventor",
            ),
            (
                "one and the same person gave us both {s} and {o}, as their discoverer or inventor",
                "there is no single person who is the discoverer or inventor of both {s} and {o}",
            ),
        ),
        "shares a discoverer or inventor with",
    ),
    -69: Words(
        (
            ("{s} and {o} studied at the same school", "{s} and {o} did not study at the same school"),
            (
                "{s} and {o} have a school or university in common",
                "{s} and {o} have no school or university in common",
            ),
            (
                "there is an institution that both {s} and {o} attended as students",
                "there is no institution that both {s} and {o} attended as students",
            ),
        ),
        "went to the same school or university as",
    ),
    -138: Words(
        (
            (
                "{s} and {o} owe their names to the same person or thing",
                "{s} and {o} do not owe their names to the same person or thing",
            ),
            (
                "{s} and {o} are both named after the same person or thing",
                "{s} and {o} are not both named after the same person or thing",
            ),
            (
                "{s} gets its name from the same source as {o}",
                "{s} does not get its name from the same source as {o}",
            ),
        ),
        "name has the same origin as that of",
    ),
    -178: Words(
        (
            ("{s} and {o} were developed by the same company or person", "{s} and {o} had different developers"),
            ("{s} and {o} have a developer in common", "{s} and {o} do not have a developer in common"),
            (
                "whoever made {o} is also behind the development of {s}",
                "whoever made {o} is not behind the development of {s}",
            ),
        ),
        "same developer as",
    ),
    -1995: Words(
        (
            (
                "{s} and {o} belong to the same medical specialty",
                "{s} and {o} do not belong to the same medical specialty",
            ),
            (
                "{s} and {o} are both dealt with by one branch of medicine",
                "{s} and {o} are not both dealt with by one branch of medicine",
            ),
            (
                "{s} has a medical specialty in common with {o}",
                "{s} has no medical specialty in common with {o}",
            ),
        ),
        "shares a medical specialty with",
    ),
    -1571: Words(
        (
            ("{s} was founded earlier than {o}", "{s} was not founded earlier than {o}"),
            ("{s} is older than {o}", "{s} is not older than {o}"),
            (
                "{s} came into existence before {o} did",
                "{s} did not come into existence before {o} did",
            ),
            ("{s} already existed when {o} was established", "{s} did not yet exist when {o} was established"),
        ),
        "is older than",
    ),
    -1577: Words(
        (
            ("{s} was published earlier than {o}", "{s} was not published earlier than {o}"),
            ("{s} came out before {o}", "{s} did not come out before {o}"),
            (
                "the release of {s} preceded that of {o}",
                "the release of {s} did not precede that of {o}",
            ),
        ),
        "appeared earlier than",
    ),
    -1580: Words(
        (
            ("{s} began earlier than {o}", "{s} did not begin earlier than {o}"),
            ("{s} started before {o} did", "{s} did not start before {o} did"),
            (
                "the beginning of {s} predates that of {o}",
                "the beginning of {s} does not predate that of {o}",
            ),
        ),
        "began before",
    ),
}
