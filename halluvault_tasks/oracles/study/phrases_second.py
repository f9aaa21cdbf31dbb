"""Wordings of the second set of voices. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    19: Words(
        forms=(
            ("the place where {s} was born is {o}", "the place where {s} was born is not {o}"),
            ("the birthplace of {s} is {o}", "the birthplace of {s} is not {o}"),
            ("it was in {o} that {s} was born", "it was not in {o} that {s} was born"),
            ("{o} is the place where {s} came into the world", "{o} is not the place where {s} came into the world"),
            ("{s} first saw the light of day in {o}", "{s} did not first see the light of day in {o}"),
        ),
        row="place of birth",
    ),
    17: Words(
        forms=(
            ("{s} is in the country of {o}", "{s} is not in the country of {o}"),
            (
                "the country where {s} took place or is located is {o}",
                "the country where {s} took place or is located is not {o}",
            ),
            ("{o} is the country where {s} is situated", "{o} is not the country where {s} is situated"),
            ("{s} has its place within the borders of {o}", "{s} does not have its place within the borders of {o}"),
        ),
        row="country",
    ),
    26: Words(
        forms=(
            ("{s} and {o} were married to each other", "{s} and {o} were not married to each other"),
            ("{s} got married to {o}", "{s} never got married to {o}"),
            ("{o} was a spouse of {s}", "{o} was not a spouse of {s}"),
            ("{s} tied the knot with {o}", "{s} never tied the knot with {o}"),
        ),
        row="was married to",
    ),
    27: Words(
        forms=(
            ("{s} was one of the citizens of {o}", "{s} was not one of the citizens of {o}"),
            ("{s} held the citizenship of {o}", "{s} did not hold the citizenship of {o}"),
            ("{o} was a country of which {s} was a national", "{o} was not a country of which {s} was a national"),
            ("{s} belonged to {o} in terms of nationality", "{s} did not belong to {o} in terms of nationality"),
        ),
        row="citizenship",
    ),
    30: Words(
        forms=(
            ("{s} is on the continent of {o}", "{s} is not on the continent of {o}"),
            ("the continent on which {s} lies is {o}", "the continent on which {s} lies is not {o}"),
            (
                "{s} belongs geographically to the landmass known as {o}",
                "{s} does not belong geographically to the landmass known as {o}",
            ),
            ("{o} is the continent where you find {s}", "{o} is not the continent where you find {s}"),
        ),
        row="continent",
    ),
    39: Words(
        forms=(
            ("{s} served as {o}", "{s} never served as {o}"),
            ("{s} held office as {o}", "{s} did not hold office as {o}"),
            ("the position of {o} was once held by {s}", "the position of {o} was never held by {s}"),
            ("{s} was at one point {o}", "{s} was at no point {o}"),
        ),
        row="office held",
    ),
    61: Words(
        forms=(
            ("{o} discovered or invented {s}", "{o} did not discover or invent {s}"),
            (
                "the discovery or invention of {s} is the achievement of {o}",
                "the discovery or invention of {s} is not the achievement of {o}",
            ),
            (
                "credit for first finding or creating {s} belongs to {o}",
                "credit for first finding or creating {s} does not belong to {o}",
            ),
            ("it was {o} who first found or devised {s}", "it was not {o} who first found or devised {s}"),
            (
                "{o} is the one we have to thank for discovering or inventing {s}",
                "{o} is not the one we have to thank for discovering or inventing {s}",
            ),
        ),
        row="discovered or invented by",
    ),
    69: Words(
        forms=(
            ("{s} studied at {o}", "{s} did not study at {o}"),
            ("{s} was a student at {o}", "{s} was never a student at {o}"),
            ("{o} counts {s} among its former students", "{o} does not count {s} among its former students"),
            ("{s} received an education at {o}", "{s} did not receive any education at {o}"),
        ),
        row="studied at",
    ),
    102: Words(
        forms=(
            ("politically, {s} was a member of {o}", "politically, {s} was not a member of {o}"),
            ("the political party of {s} was {o}", "the political party of {s} was not {o}"),
            ("in party politics, {s} was affiliated with {o}", "in party politics, {s} was not affiliated with {o}"),
            ("{o} was the political home of {s}", "{o} was never the political home of {s}"),
        ),
        row="political party",
    ),
    106: Words(
        forms=(
            ("{s} worked as a {o}", "{s} did not work as a {o}"),
            ("the occupation of {s} was that of {o}", "the occupation of {s} was not that of {o}"),
            ("{s} practised the profession of {o}", "{s} never practised the profession of {o}"),
            ("{s} was a {o} by trade", "{s} was not a {o} by trade"),
        ),
        row="occupation",
    ),
    119: Words(
        forms=(
            ("{s} is buried in {o}", "{s} is not buried in {o}"),
            ("the burial place of {s} is {o}", "the burial place of {s} is not {o}"),
            ("the grave of {s} is to be found in {o}", "the grave of {s} is not to be found in {o}"),
            ("{s} was laid to rest in {o}", "{s} was not laid to rest in {o}"),
        ),
        row="buried in",
    ),
    131: Words(
        forms=(
            ("{s} lies in {o}", "{s} does not lie in {o}"),
            ("{s} is located within {o}", "{s} is not located within {o}"),
            (
                "{o} is the administrative unit that contains {s}",
                "{o} is not the administrative unit that contains {s}",
            ),
            ("administratively, {s} belongs to {o}", "administratively, {s} does not belong to {o}"),
            ("{o} is where you would have to go to find {s}", "{o} is not where you would have to go to find {s}"),
        ),
        row="administrative location",
    ),
    138: Words(
        forms=(
            ("{s} was named after {o}", "{s} was not named after {o}"),
            ("{s} got its name from {o}", "{s} did not get its name from {o}"),
            ("the name of {s} goes back to {o}", "the name of {s} does not go back to {o}"),
            ("{o} is the source of the name {s}", "{o} is not the source of the name {s}"),
        ),
        row="named after",
    ),
    150: Words(
        forms=(
            ("{o} is an administrative subdivision of {s}", "{o} is not an administrative subdivision of {s}"),
            ("one of the administrative parts of {s} is {o}", "{o} is not one of the administrative parts of {s}"),
            (
                "the administrative units into which {s} is divided include {o}",
                "the administrative units into which {s} is divided do not include {o}",
            ),
            (
                "{s} counts {o} as one of the territories it is split into for administration",
                "{s} does not count {o} as one of the territories it is split into for administration",
            ),
        ),
        row="has administrative division",
    ),
    155: Words(
        forms=(
            ("{s} follows directly after {o}", "{s} does not follow directly after {o}"),
            ("{s} is the immediate successor to {o}", "{s} is not the immediate successor to {o}"),
            ("the direct predecessor of {s} was {o}", "the direct predecessor of {s} was not {o}"),
            ("{s} came right after {o}", "{s} did not come right after {o}"),
        ),
        row="predecessor",
    ),
    156: Words(
        forms=(
            ("{s} was directly followed by {o}", "{s} was not directly followed by {o}"),
            ("the next one after {s} was {o}", "the next one after {s} was not {o}"),
            ("{s} is the direct forerunner of {o}", "{s} is not the direct forerunner of {o}"),
            ("{s} had {o} as its immediate successor", "{s} did not have {o} as its immediate successor"),
        ),
        row="successor",
    ),
    166: Words(
        forms=(
            ("{s} was a recipient of {o}", "{s} was not a recipient of {o}"),
            ("{o} went to {s}", "{o} never went to {s}"),
            (
                "{s} is among those who have been honoured with {o}",
                "{s} is not among those who have been honoured with {o}",
            ),
            ("{s} won {o}", "{s} never won {o}"),
        ),
        row="award received",
    ),
    178: Words(
        forms=(
            ("{o} developed {s}", "{o} did not develop {s}"),
            ("the developer of {s} is {o}", "the developer of {s} is not {o}"),
            ("{o} carried out the development of {s}", "{o} did not carry out the development of {s}"),
            ("{s} is a creation of {o}", "{s} is not a creation of {o}"),
        ),
        row="developer",
    ),
    206: Words(
        forms=(
            ("{s} lies next to {o}", "{s} does not lie next to {o}"),
            ("{s} is found on the shores or banks of {o}", "{s} is not found on the shores or banks of {o}"),
            ("{o} is a body of water that adjoins {s}", "{o} is not a body of water that adjoins {s}"),
            ("{s} sits right beside {o}", "{s} does not sit right beside {o}"),
        ),
        row="lies on (body of water)",
    ),
    276: Words(
        forms=(
            ("the location of {s} is {o}", "the location of {s} is not {o}"),
            ("{s} has {o} as its location", "{s} does not have {o} as its location"),
            ("{o} is the site of {s}", "{o} is not the site of {s}"),
            ("{o} is where {s} belongs on the map", "{o} is not where {s} belongs on the map"),
        ),
        row="location",
    ),
    279: Words(
        forms=(
            ("{s} is one kind of {o}", "{s} is not a kind of {o}"),
            ("{s} is classified as a type of {o}", "{s} is not classified as a type of {o}"),
            ("{s} falls under the broader category of {o}", "{s} does not fall under the broader category of {o}"),
            ("the class of things called {o} includes {s}", "the class of things called {o} does not include {s}"),
            ("{s} counts as one sort of {o}", "{s} cannot be counted as any sort of {o}"),
        ),
        row="is a type of",
    ),
    355: Words(
        forms=(
            ("{o} is a subsidiary of {s}", "{o} is not a subsidiary of {s}"),
            ("{s} has {o} as a subsidiary", "{s} does not have {o} as a subsidiary"),
            ("one of the subsidiary companies of {s} is {o}", "{o} is not one of the subsidiary companies of {s}"),
            ("the corporate parent of {o} is {s}", "the corporate parent of {o} is not {s}"),
        ),
        row="subsidiary",
    ),
    361: Words(
        forms=(
            ("{s} is a part of {o}", "{s} is not a part of {o}"),
            ("{s} forms a part of {o}", "{s} does not form a part of {o}"),
            ("{s} is one of the components that make up {o}", "{s} is not one of the components that make up {o}"),
            ("{s} is included in {o}", "{s} is not included in {o}"),
        ),
        row="part of",
    ),
    397: Words(
        forms=(
            ("{s} travels in an orbit around {o}", "{s} does not travel in an orbit around {o}"),
            ("{s} is in orbit around {o}", "{s} is not in orbit around {o}"),
            ("{s} revolves around {o}", "{s} does not revolve around {o}"),
            ("the body that {s} circles is {o}", "the body that {s} circles is not {o}"),
            ("{s} makes its way around {o} in space, again and again", "{s} never makes its way around {o} in space"),
        ),
        row="in orbit around",
    ),
    398: Words(
        forms=(
            ("{s} is a body that {o} orbits", "{s} is not a body that {o} orbits"),
            ("{o} moves in an orbit around {s}", "{o} does not move in an orbit around {s}"),
            (
                "among the bodies revolving around {s} is {o}",
                "{o} cannot be counted among the bodies revolving around {s}",
            ),
            ("{s} has {o} circling it", "{s} does not have {o} circling it"),
        ),
        row="orbited by",
    ),
    403: Words(
        forms=(
            ("{s} flows out into {o}", "{s} does not flow out into {o}"),
            ("{s} empties into {o}", "{s} does not empty into {o}"),
            ("{s} has its mouth at {o}", "{s} does not have its mouth at {o}"),
            ("{s} ends its journey by joining {o}", "{s} does not end its journey by joining {o}"),
        ),
        row="flows out into",
    ),
    463: Words(
        forms=(
            ("{s} is a member of {o}", "{s} is not a member of {o}"),
            ("{s} holds membership in {o}", "{s} does not hold membership in {o}"),
            ("the members of {o} include {s}", "the members of {o} do not include {s}"),
            ("{s} belongs to the ranks of {o}", "{s} does not belong to the ranks of {o}"),
        ),
        row="member of",
    ),
    527: Words(
        forms=(
            ("{s} has {o} as one of its parts", "{s} does not have {o} as one of its parts"),
            ("{s} contains {o} as a component", "{s} does not contain {o} as a component"),
            ("{o} is one of the constituents of {s}", "{o} is not one of the constituents of {s}"),
            ("{s} includes {o} as a piece of the whole", "{s} does not include {o} as a piece of the whole"),
        ),
        row="has part",
    ),
    571: Words(
        forms=(
            ("{s} was established {on}", "{s} was not established {on}"),
            ("{s} came into being {on}", "{s} did not come into being {on}"),
            ("the establishment of {s} took place {on}", "the establishment of {s} did not take place {on}"),
            ("it was {on} that {s} came into existence", "it was not {on} that {s} came into existence"),
            ("{s} got its start {on}", "{s} did not get its start {on}"),
        ),
        row="established",
    ),
    576: Words(
        forms=(
            ("it was {on} that {s} was dissolved", "it was not {on} that {s} was dissolved"),
            ("{s} went out of existence {on}", "{s} did not go out of existence {on}"),
            ("the dissolution of {s} occurred {on}", "the dissolution of {s} did not occur {on}"),
            ("{s} came to its formal end {on}", "{s} did not come to its formal end {on}"),
        ),
        row="date of dissolution",
    ),
    577: Words(
        forms=(
            ("{s} was released to the public {on}", "{s} was not released to the public {on}"),
            ("{s} was first published or released {on}", "{s} was not first published or released {on}"),
            ("the publication or release of {s} took place {on}", "the publication or release of {s} was not {on}"),
            ("it was {on} that {s} first reached the public", "it was not {on} that {s} first reached the public"),
            ("{s} came out {on}", "{s} did not come out {on}"),
        ),
        row="release or publication date",
    ),
    580: Words(
        forms=(
            ("{s} had its beginning {on}", "{s} did not have its beginning {on}"),
            ("{s} started {on}", "{s} did not start {on}"),
            ("the beginning of {s} falls {on}", "the beginning of {s} does not fall {on}"),
            ("it was {on} that {s} got under way", "it was not {on} that {s} got under way"),
            ("{s} kicked off {on}", "{s} did not kick off {on}"),
        ),
        row="start",
    ),
    582: Words(
        forms=(
            ("{s} came to an end {on}", "{s} did not come to an end {on}"),
            ("the end of {s} came {on}", "the end of {s} did not come {on}"),
            ("it was {on} that {s} drew to a close", "it was not {on} that {s} drew to a close"),
            ("{s} finished {on}", "{s} did not finish {on}"),
        ),
        row="ended",
    ),
    749: Words(
        forms=(
            ("the parent company of {s} is {o}", "the parent company of {s} is not {o}"),
            ("{s} has {o} as its parent company", "{s} does not have {o} as its parent company"),
            ("{s} is one of the subsidiaries owned by {o}", "{s} is not one of the subsidiaries owned by {o}"),
            ("{s} is owned by {o} as its corporate parent", "{s} is not owned by {o} as its corporate parent"),
        ),
        row="parent company",
    ),
    1995: Words(
        forms=(
            ("{s} falls within the specialty of {o}", "{s} does not fall within the specialty of {o}"),
            (
                "the medical specialty responsible for {s} is {o}",
                "the medical specialty responsible for {s} is not {o}",
            ),
            (
                "{s} is among the conditions dealt with in {o} as a branch of medicine",
                "{s} is not among the conditions dealt with in {o} as a branch of medicine",
            ),
            ("{s} is a matter for doctors working in {o}", "{s} is not a matter for doctors working in {o}"),
        ),
        row="medical specialty",
    ),
    3373: Words(
        forms=(
            ("{s} and {o} are siblings of each other", "{s} and {o} are not siblings of each other"),
            ("{s} is one of the siblings of {o}", "{s} is not one of the siblings of {o}"),
            ("{s} has {o} as a brother or sister", "{s} does not have {o} as a brother or sister"),
            ("{o} is a brother or sister of {s}", "{o} is no brother or sister of {s}"),
        ),
        row="sibling of",
    ),
    -19131: Words(
        forms=(
            ("{s} was born in what is now {o}", "{s} was not born in what is now {o}"),
            (
                "the birthplace of {s} lies in what is today {o}",
                "the birthplace of {s} does not lie in what is today {o}",
            ),
            (
                "{s} came into the world within the present-day borders of {o}",
                "{s} did not come into the world within the present-day borders of {o}",
            ),
        ),
        row="present-day country of birth",
    ),
    -61019: Words(
        forms=(
            (
                "{s} was discovered or invented by someone born in {o}",
                "{s} was not discovered or invented by someone born in {o}",
            ),
            (
                "the discoverer or inventor of {s} was born in {o}",
                "the discoverer or inventor of {s} was not born in {o}",
            ),
            (
                "the person who first found or devised {s} came into the world in {o}",
                "the person who first found or devised {s} did not come into the world in {o}",
            ),
        ),
        row="birthplace of its discoverer or inventor",
    ),
    -138019: Words(
        forms=(
            ("{s} is named after someone born in {o}", "{s} is not named after someone born in {o}"),
            (
                "the person after whom {s} is named was born in {o}",
                "the person after whom {s} is named was not born in {o}",
            ),
            (
                "{s} bears the name of a person who came into the world in {o}",
                "{s} does not bear the name of a person who came into the world in {o}",
            ),
        ),
        row="birthplace of the person it is named after",
    ),
    -397397: Words(
        forms=(
            ("{s} orbits a body that itself orbits {o}", "{s} does not orbit a body that itself orbits {o}"),
            (
                "the body orbited by {s} is itself in orbit around {o}",
                "the body orbited by {s} is not itself in orbit around {o}",
            ),
            (
                "{s} circles a body which in turn revolves around {o}",
                "there is no body revolving around {o} that is in turn circled by {s}",
            ),
        ),
        row="orbits a body that orbits",
    ),
    -397: Words(
        forms=(
            ("{s} and {o} orbit the same body", "{s} and {o} do not orbit the same body"),
            ("{s} is in orbit around the same body as {o}", "{s} is not in orbit around the same body as {o}"),
            (
                "the body that {s} circles is also the one that {o} circles",
                "the body that {s} circles is not the one that {o} circles",
            ),
        ),
        row="orbits the same body as",
    ),
    -61: Words(
        forms=(
            (
                "{s} and {o} have a discoverer or inventor in common",
                "{s} and {o} have no discoverer or inventor in common",
            ),
            (
                "the same person discovered or invented both {s} and {o}",
                "it is not true that the same person discovered or invented both {s} and {o}",
            ),
            (
                "{s} was first found or devised by someone who also first found or devised {o}",
                "{s} was not first found or devised by anyone who also first found or devised {o}",
            ),
        ),
        row="shares a discoverer or inventor with",
    ),
    -69: Words(
        forms=(
            ("{s} and {o} studied at the same institution", "{s} and {o} did not study at the same institution"),
            (
                "{s} was a student at a school or university that {o} also attended",
                "{s} was not a student at any school or university that {o} also attended",
            ),
            ("{s} and {o} share an alma mater", "{s} and {o} do not share an alma mater"),
        ),
        row="shares a place of study with",
    ),
    -138: Words(
        forms=(
            (
                "{s} and {o} are named after the same person or thing",
                "{s} and {o} are not named after the same person or thing",
            ),
            ("{s} shares its eponym with {o}", "{s} does not share its eponym with {o}"),
            (
                "both {s} and {o} take their name from one and the same source",
                "it is not true that both {s} and {o} take their name from one and the same source",
            ),
        ),
        row="named after the same person or thing as",
    ),
    -178: Words(
        forms=(
            ("{s} and {o} have a developer in common", "{s} and {o} have no developer in common"),
            ("the developer of {s} also developed {o}", "the developer of {s} did not also develop {o}"),
            (
                "one and the same maker was behind the development of both {s} and {o}",
                "no single maker was behind the development of both {s} and {o}",
            ),
        ),
        row="shares a developer with",
    ),
    -1995: Words(
        forms=(
            ("{s} and {o} share a medical specialty", "{s} and {o} do not share a medical specialty"),
            (
                "{s} falls within the same medical specialty as {o}",
                "{s} does not fall within the same medical specialty as {o}",
            ),
            (
                "the same branch of medicine deals with both {s} and {o}",
                "no single branch of medicine deals with both {s} and {o}",
            ),
        ),
        row="same medical specialty as",
    ),
    -1571: Words(
        forms=(
            ("{s} was established earlier than {o}", "{s} was not established earlier than {o}"),
            ("{s} came into being before {o} did", "{s} did not come into being before {o} did"),
            ("{s} is older than {o}", "{s} is not older than {o}"),
        ),
        row="established before",
    ),
    -1577: Words(
        forms=(
            ("{s} was published earlier than {o}", "{s} was not published earlier than {o}"),
            ("the release of {s} preceded that of {o}", "the release of {s} did not precede that of {o}"),
            ("{s} came out before {o} did", "{s} did not come out before {o} did"),
        ),
        row="published before",
    ),
    -1580: Words(
        forms=(
            ("{s} began earlier than {o}", "{s} did not begin earlier than {o}"),
            ("the start of {s} came before that of {o}", "the start of {s} did not come before that of {o}"),
            ("{s} got under way before {o} did", "{s} did not get under way before {o} did"),
        ),
        row="began before",
    ),
}
