"""Wordings of the third set of voices. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    19: Words(
        forms=(
            (
                "{s}'s place of birth is recorded as {o}",
                "{s}'s place of birth is not {o}",
            ),
            ("it was in {o} that {s} was born", "it was not in {o} that {s} was born"),
            (
                "{s} is a native of {o}, having been born there",
                "{s} is not a native of {o} and was not born there",
            ),
            (
                "{o} is where the life of {s} began",
                "{o} is not where the life of {s} began",
            ),
            (
                "{s} came into the world in {o}",
                "{s} did not come into the world in {o}",
            ),
        ),
        row="place of birth",
    ),
    17: Words(
        forms=(
            (
                "the country in which {s} is situated is {o}",
                "the country in which {s} is situated is not {o}",
            ),
            (
                "{s} is to be found within the borders of {o}",
                "{s} is not to be found within the borders of {o}",
            ),
            ("{s} has {o} as its country", "{s} does not have {o} as its country"),
            (
                "{o} is the country where you'd place {s} on a map",
                "{o} isn't the country where you'd place {s} on a map",
            ),
        ),
        row="located in the country",
    ),
    26: Words(
        forms=(
            ("{s} and {o} were a married couple", "{s} and {o} were never a married couple"),
            ("{s} and {o} were spouses", "{s} and {o} were not spouses"),
            (
                "{s} had {o} as a marriage partner",
                "{s} did not have {o} as a marriage partner",
            ),
            ("{s} tied the knot with {o}", "{s} never tied the knot with {o}"),
        ),
        row="married to",
    ),
    27: Words(
        forms=(
            ("{s} held citizenship of {o}", "{s} did not hold citizenship of {o}"),
            ("{s} was a national of {o}", "{s} was not a national of {o}"),
            (
                "{o} was the country of which {s} was a citizen",
                "{o} was not a country of which {s} was a citizen",
            ),
            (
                "{s} counted as one of the citizens of {o}",
                "{s} was never one of the citizens of {o}",
            ),
        ),
        row="citizenship",
    ),
    30: Words(
        forms=(
            (
                "{s} is located on the continent of {o}",
                "{s} is not located on the continent of {o}",
            ),
            (
                "the continent on which {s} lies is {o}",
                "the continent on which {s} lies is not {o}",
            ),
            (
                "geographically speaking, {s} is part of {o}",
                "geographically speaking, {s} is no part of {o}",
            ),
            (
                "if you look at a globe, you'll see {s} in {o}",
                "if you look at a globe, you will not see {s} in {o}",
            ),
        ),
        row="continent",
    ),
    39: Words(
        forms=(
            ("the office of {o} was held by {s}", "the office of {o} was never held by {s}"),
            (
                "among the posts {s} occupied was that of {o}",
                "the post of {o} was not among those {s} occupied",
            ),
            ("{s} served as {o}", "{s} did not serve as {o}"),
            (
                "{s} had the job of {o} at one point",
                "{s} did not have the job of {o} at any point",
            ),
        ),
        row="held office as",
    ),
    61: Words(
        forms=(
            (
                "the discovery or invention of {s} was the work of {o}",
                "{s} was not discovered or invented by {o}",
            ),
            (
                "{s} owes its discovery or invention to {o}",
                "{s} does not owe its discovery or invention to {o}",
            ),
            (
                "it was {o} who first found or devised {s}",
                "it was not {o} who first found or devised {s}",
            ),
            (
                "the discoverer or inventor of {s} was {o}",
                "the discoverer or inventor of {s} was not {o}",
            ),
            (
                "{o} is the one who discovered or invented {s}",
                "{o} isn't the one who discovered or invented {s}",
            ),
        ),
        row="discovered or invented by",
    ),
    69: Words(
        forms=(
            (
                "{s} received an education at {o}",
                "{s} did not receive any education at {o}",
            ),
            (
                "{o} counts {s} among its former students",
                "{o} cannot count {s} among its former students",
            ),
            ("{s} pursued studies at {o}", "{s} never pursued any studies at {o}"),
            ("{s} attended {o} as a student", "{s} did not attend {o} as a student"),
        ),
        row="studied at",
    ),
    102: Words(
        forms=(
            (
                "{s} was affiliated with {o} as a party member",
                "{s} was not affiliated with {o} as a party member",
            ),
            (
                "the political party of {s} was {o}",
                "the political party of {s} was not {o}",
            ),
            (
                "{s} belonged to {o}, a political party",
                "{s} did not belong to {o}, a political party",
            ),
            (
                "in politics, {s} was a member of {o}",
                "in politics, {s} was never a member of {o}",
            ),
        ),
        row="party membership",
    ),
    106: Words(
        forms=(
            (
                "{s} was active professionally as a {o}",
                "{s} was not active professionally as a {o}",
            ),
            (
                "the profession of {s} was that of a {o}",
                "the profession of {s} was not that of a {o}",
            ),
            ("{s} worked as a {o}", "{s} never worked as a {o}"),
            ("{s} was a {o} by trade", "{s} was not a {o} by trade"),
        ),
        row="occupation",
    ),
    119: Words(
        forms=(
            ("{s} was laid to rest in {o}", "{s} was not laid to rest in {o}"),
            ("the grave of {s} is in {o}", "the grave of {s} is not in {o}"),
            ("{o} is the burial place of {s}", "{o} is not the burial place of {s}"),
            (
                "{s}'s remains lie buried in {o}",
                "{s}'s remains do not lie buried in {o}",
            ),
        ),
        row="burial place",
    ),
    131: Words(
        forms=(
            ("{s} is located within {o}", "{s} is not located within {o}"),
            (
                "{s} falls within the administrative boundaries of {o}",
                "{s} does not fall within the boundaries of {o}",
            ),
            (
                "in administrative terms, {s} belongs to {o}",
                "in administrative terms, {s} does not belong to {o}",
            ),
            (
                "{o} is the administrative unit containing {s}",
                "{o} is not an administrative unit containing {s}",
            ),
            ("you'll find {s} in {o}", "you will not find {s} in {o}"),
        ),
        row="administrative location",
    ),
    138: Words(
        forms=(
            ("{s} owes its name to {o}", "{s} does not owe its name to {o}"),
            ("{s} is named for {o}", "{s} is not named for {o}"),
            (
                "the name of {s} refers back to {o}",
                "the name of {s} does not refer back to {o}",
            ),
            ("{o} is who or what {s} was named after", "{o} isn't who or what {s} was named after"),
        ),
        row="named after",
    ),
    150: Words(
        forms=(
            (
                "{s} includes {o} among its administrative subdivisions",
                "{s} does not include {o} among its administrative subdivisions",
            ),
            (
                "{o} is one of the administrative units that make up {s}",
                "{o} is not one of the administrative units that make up {s}",
            ),
            (
                "{s} is divided into units of which {o} is one",
                "{s} is divided into units, but {o} is not one of them",
            ),
            (
                "for the purposes of local government, {o} comes under {s}",
                "for the purposes of local government, {o} does not come under {s}",
            ),
        ),
        row="has the administrative division",
    ),
    155: Words(
        forms=(
            (
                "{s} is the direct successor to {o}",
                "{s} is not the direct successor to {o}",
            ),
            (
                "the immediate predecessor of {s} was {o}",
                "the immediate predecessor of {s} was not {o}",
            ),
            (
                "{s} follows immediately after {o}",
                "{s} does not follow immediately after {o}",
            ),
            (
                "{s} is the very next one after {o}",
                "{s} isn't the very next one after {o}",
            ),
        ),
        row="immediate predecessor",
    ),
    156: Words(
        forms=(
            (
                "{s} was immediately succeeded by {o}",
                "{s} was not immediately succeeded by {o}",
            ),
            ("{s} directly precedes {o}", "{s} does not directly precede {o}"),
            (
                "the direct follow-up to {s} is {o}",
                "the direct follow-up to {s} is not {o}",
            ),
            ("right after {s} came {o}", "it was not {o} that came right after {s}"),
        ),
        row="immediately followed by",
    ),
    166: Words(
        forms=(
            ("{s} was honoured with {o}", "{s} was not honoured with {o}"),
            (
                "{s} is among the recipients of {o}",
                "{s} cannot be counted among the recipients of {o}",
            ),
            (
                "the distinctions conferred on {s} include {o}",
                "the distinctions conferred on {s} do not include {o}",
            ),
            ("{s} won {o}", "{s} never won {o}"),
        ),
        row="award received",
    ),
    178: Words(
        forms=(
            (
                "responsibility for developing {s} lay with {o}",
                "responsibility for developing {s} did not lie with {o}",
            ),
            ("the developer of {s} is {o}", "the developer of {s} is not {o}"),
            ("{s} was created and built by {o}", "{s} was not created or built by {o}"),
            ("{o} developed {s}", "{o} did not develop {s}"),
        ),
        row="developer",
    ),
    206: Words(
        forms=(
            (
                "{s} is situated on or beside {o}",
                "{s} is not situated on or beside {o}",
            ),
            (
                "{s} borders directly on the waters of {o}",
                "{s} does not border on the waters of {o}",
            ),
            (
                "{o} is a body of water adjacent to {s}",
                "{o} is not a body of water adjacent to {s}",
            ),
            ("{s} lies right by {o}", "{s} does not lie by {o} at all"),
        ),
        row="lies next to the water",
    ),
    276: Words(
        forms=(
            ("the location of {s} is {o}", "the location of {s} is not {o}"),
            (
                "the place at which {s} is or was located is {o}",
                "{s} is not and was never located at {o}",
            ),
            ("{s} has its location at {o}", "{s} does not have its location at {o}"),
            (
                "the place you'd pin {s} to on a map is {o}",
                "the place you'd pin {s} to on a map is not {o}",
            ),
        ),
        row="location",
    ),
    279: Words(
        forms=(
            (
                "{s} is classified as a type of {o}",
                "{s} is not classified as a type of {o}",
            ),
            (
                "{s} falls under the broader category of {o}",
                "{s} does not fall under the broader category of {o}",
            ),
            (
                "the term {s} denotes a particular form of {o}",
                "the term {s} does not denote any form of {o}",
            ),
            (
                "{o} is the general class that includes {s}",
                "{o} is not a general class that includes {s}",
            ),
            ("{s} is basically one kind of {o}", "{s} is not really a kind of {o}"),
        ),
        row="is a type of",
    ),
    355: Words(
        forms=(
            ("{s} owns {o} as a subsidiary", "{s} does not own {o} as a subsidiary"),
            (
                "{s} is the parent company of {o}",
                "{s} is not the parent company of {o}",
            ),
            (
                "the subsidiaries of {s} include {o}",
                "the subsidiaries of {s} do not include {o}",
            ),
            (
                "{o} is one of the companies {s} controls as parent",
                "{o} is not one of the companies {s} controls as parent",
            ),
        ),
        row="has the subsidiary",
    ),
    361: Words(
        forms=(
            ("{s} forms part of {o}", "{s} does not form part of {o}"),
            ("{s} is one component of {o}", "{s} is not a component of {o}"),
            (
                "{s} belongs to the larger whole that is {o}",
                "{s} does not belong to the larger whole that is {o}",
            ),
            (
                "{o} is the bigger thing that {s} is a part of",
                "{o} isn't something that {s} is a part of",
            ),
        ),
        row="part of",
    ),
    397: Words(
        forms=(
            ("{s} is in orbit around {o}", "{s} is not in orbit around {o}"),
            (
                "the body around which {s} revolves is {o}",
                "the body around which {s} revolves is not {o}",
            ),
            (
                "{s} follows an orbit that has {o} at its centre",
                "{s} does not follow an orbit with {o} at its centre",
            ),
            ("the orbit of {s} goes around {o}", "the orbit of {s} does not go around {o}"),
            ("{s} goes round and round {o}", "{s} does not go around {o}"),
        ),
        row="in orbit around",
    ),
    398: Words(
        forms=(
            ("{s} is what {o} orbits", "{s} is not what {o} orbits"),
            (
                "the bodies that revolve around {s} include {o}",
                "the bodies that revolve around {s} do not include {o}",
            ),
            (
                "{s} has {o} in orbit around it",
                "{s} does not have {o} in orbit around it",
            ),
            ("{o} is the one circling around {s}", "{o} is not circling around {s}"),
        ),
        row="orbited by",
    ),
    403: Words(
        forms=(
            (
                "{s} discharges its waters into {o}",
                "{s} does not discharge its waters into {o}",
            ),
            ("the mouth of {s} is at {o}", "the mouth of {s} is not at {o}"),
            ("{s} pours into {o}", "{s} does not pour into {o}"),
            ("{s} ends up emptying into {o}", "{s} never ends up emptying into {o}"),
        ),
        row="discharges into",
    ),
    463: Words(
        forms=(
            ("{s} holds membership in {o}", "{s} does not hold membership in {o}"),
            (
                "{o} has {s} as one of its members",
                "{o} does not have {s} as one of its members",
            ),
            ("{s} is a member of {o}", "{s} is not a member of {o}"),
            ("{s} belongs to {o}", "{s} does not belong to {o}"),
        ),
        row="member of",
    ),
    527: Words(
        forms=(
            (
                "{s} comprises {o} as one of its parts",
                "{s} does not comprise {o} as one of its parts",
            ),
            (
                "among the components of {s} is {o}",
                "{o} is not among the components of {s}",
            ),
            (
                "{s} contains {o} as a constituent",
                "{s} does not contain {o} as a constituent",
            ),
            (
                "{o} is one of the pieces that {s} is made up of",
                "{o} isn't one of the pieces that {s} is made up of",
            ),
        ),
        row="has as a part",
    ),
    571: Words(
        forms=(
            (
                "the establishment of {s} took place {on}",
                "the establishment of {s} did not take place {on}",
            ),
            ("{s} came into existence {on}", "{s} did not come into existence {on}"),
            (
                "it was {on} that {s} was founded",
                "it was not {on} that {s} was founded",
            ),
            ("{s} had its beginnings {on}", "{s} did not have its beginnings {on}"),
            ("{s} was first created {on}", "{s} was not created {on}"),
        ),
        row="date of establishment",
    ),
    576: Words(
        forms=(
            (
                "the formal dissolution of {s} occurred {on}",
                "the formal dissolution of {s} did not occur {on}",
            ),
            ("it was {on} that {s} ceased to exist", "it was not {on} that {s} ceased to exist"),
            ("{s} was formally dissolved {on}", "{s} was not formally dissolved {on}"),
            ("{s} stopped existing {on}", "{s} did not stop existing {on}"),
        ),
        row="dissolved",
    ),
    577: Words(
        forms=(
            (
                "{s} was first made available to the public {on}",
                "{s} was not first made available to the public {on}",
            ),
            (
                "the publication or release of {s} occurred {on}",
                "{s} was not published or released {on}",
            ),
            ("{s} first appeared {on}", "{s} did not first appear {on}"),
            (
                "the original release of {s} took place {on}",
                "the original release of {s} did not take place {on}",
            ),
            ("{s} came out {on}", "{s} did not come out {on}"),
        ),
        row="publication date",
    ),
    580: Words(
        forms=(
            ("{s} commenced {on}", "{s} did not commence {on}"),
            (
                "the beginning of {s} came {on}",
                "the beginning of {s} did not come {on}",
            ),
            ("it was {on} that {s} started", "it was not {on} that {s} started"),
            ("{s} got under way {on}", "{s} did not get under way {on}"),
            ("{s} kicked off {on}", "{s} did not kick off {on}"),
        ),
        row="start date",
    ),
    582: Words(
        forms=(
            ("{s} concluded {on}", "{s} did not conclude {on}"),
            ("the end of {s} came {on}", "the end of {s} did not come {on}"),
            (
                "it was {on} that {s} drew to a close",
                "it was not {on} that {s} drew to a close",
            ),
            ("{s} came to an end {on}", "{s} did not come to an end {on}"),
        ),
        row="end date",
    ),
    749: Words(
        forms=(
            (
                "{s} operates as a subsidiary of {o}",
                "{s} does not operate as a subsidiary of {o}",
            ),
            (
                "the parent company of {s} is {o}",
                "the parent company of {s} is not {o}",
            ),
            (
                "{s} has {o} for its corporate parent",
                "{s} does not have {o} for its corporate parent",
            ),
            (
                "{o} is the company that {s} belongs to",
                "{o} isn't the company that {s} belongs to",
            ),
        ),
        row="parent company",
    ),
    1995: Words(
        forms=(
            (
                "{s} comes within the medical specialty of {o}",
                "{s} does not come within the medical specialty of {o}",
            ),
            (
                "the branch of medicine concerned with {s} is {o}",
                "the branch of medicine concerned with {s} is not {o}",
            ),
            (
                "in medicine, {s} is assigned to the field of {o}",
                "in medicine, {s} is not assigned to the field of {o}",
            ),
            (
                "if you had {s}, {o} would be the medical field to turn to",
                "if you had {s}, {o} would not be the medical field to turn to",
            ),
        ),
        row="medical specialty",
    ),
    3373: Words(
        forms=(
            ("{s} and {o} are siblings of one another", "{s} and {o} are not siblings of one another"),
            (
                "{s} is a brother or sister of {o}",
                "{s} is neither a brother nor a sister of {o}",
            ),
            ("{s} has {o} as a sibling", "{s} does not have {o} as a sibling"),
            (
                "{s} and {o} are children of the same parents",
                "{s} and {o} are not children of the same parents",
            ),
        ),
        row="sibling of",
    ),
    -19131: Words(
        forms=(
            (
                "the birthplace of {s} lies within the present-day territory of {o}",
                "the birthplace of {s} does not lie within the present-day territory of {o}",
            ),
            ("{s} was born in what is now {o}", "{s} was not born in what is now {o}"),
            (
                "the place where {s} first saw the light of day is part of modern {o}",
                "the place where {s} first saw the light of day is not part of modern {o}",
            ),
            (
                "the spot where {s} was born is in {o} on today's map",
                "the spot where {s} was born is not in {o} on today's map",
            ),
        ),
        row="born in present-day",
    ),
    -61019: Words(
        forms=(
            (
                "{s} was discovered or invented by someone who was born in {o}",
                "{s} was not discovered or invented by someone who was born in {o}",
            ),
            (
                "the person who discovered or invented {s} was a native of {o}",
                "the person who discovered or invented {s} was not a native of {o}",
            ),
            (
                "the discoverer or inventor of {s} had {o} as a birthplace",
                "the discoverer or inventor of {s} did not have {o} as a birthplace",
            ),
            (
                "whoever first found or devised {s} came into the world in {o}",
                "whoever first found or devised {s} did not come into the world in {o}",
            ),
        ),
        row="birthplace of its discoverer or inventor",
    ),
    -138019: Words(
        forms=(
            (
                "the person after whom {s} is named was born in {o}",
                "the person after whom {s} is named was not born in {o}",
            ),
            (
                "{s} bears the name of a person born in {o}",
                "{s} does not bear the name of a person born in {o}",
            ),
            (
                "the namesake of {s} was someone whose birthplace was {o}",
                "the namesake of {s} was not someone whose birthplace was {o}",
            ),
            (
                "the person who gave {s} its name came into the world in {o}",
                "the person who gave {s} its name did not come into the world in {o}",
            ),
        ),
        row="birthplace of the person it is named after",
    ),
    -397397: Words(
        forms=(
            (
                "{s} orbits a body that in turn orbits {o}",
                "{s} does not orbit a body that in turn orbits {o}",
            ),
            (
                "the body around which {s} revolves is itself in orbit around {o}",
                "the body around which {s} revolves is not itself in orbit around {o}",
            ),
            (
                "{s} is a satellite of something which itself circles {o}",
                "{s} is not a satellite of anything which itself circles {o}",
            ),
            (
                "the thing that {s} goes around goes around {o} in its turn",
                "the thing that {s} goes around does not go around {o} in its turn",
            ),
        ),
        row="orbits a body that orbits",
    ),
    -397: Words(
        forms=(
            (
                "{s} and {o} orbit the same body",
                "{s} and {o} do not orbit the same body",
            ),
            (
                "{s} revolves around the very body that {o} revolves around",
                "{s} does not revolve around the body that {o} revolves around",
            ),
            (
                "one and the same body is circled by {s} and {o}",
                "{s} and {o} travel around different bodies",
            ),
            (
                "{s} goes around the same thing as {o}",
                "{s} does not go around the same thing as {o}",
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
                "{s} was discovered or invented by the same person as {o}",
                "{s} was not discovered or invented by the same person as {o}",
            ),
            (
                "one and the same person discovered or invented both {s} and {o}",
                "it is not the same person who discovered or invented {s} and {o}",
            ),
            (
                "the one who first found or devised {s} also first found or devised {o}",
                "the one who first found or devised {s} did not first find or devise {o}",
            ),
        ),
        row="discovered or invented by the same person as",
    ),
    -69: Words(
        forms=(
            (
                "{s} and {o} share an alma mater, having studied at the same school or university",
                "{s} and {o} do not share an alma mater and never studied at the same school or university",
            ),
            (
                "there is a school or university at which both {s} and {o} studied",
                "there is no school or university at which both {s} and {o} studied",
            ),
            (
                "{s} was educated at a school or university that {o} attended as well",
                "{s} was not educated at any school or university that {o} attended",
            ),
            (
                "{s} went to the same school or university as {o}",
                "{s} did not go to the same school or university as {o}",
            ),
        ),
        row="studied at the same place as",
    ),
    -138: Words(
        forms=(
            (
                "{s} and {o} are named after the same thing or person",
                "{s} and {o} are not named after the same thing or person",
            ),
            (
                "{s} shares the origin of its name with {o}",
                "{s} does not share the origin of its name with {o}",
            ),
            (
                "{s} and {o} have a common namesake",
                "{s} and {o} have no common namesake",
            ),
            (
                "whoever or whatever gave {s} its name also gave {o} its name",
                "whoever or whatever gave {s} its name did not give {o} its name",
            ),
        ),
        row="has the same namesake as",
    ),
    -178: Words(
        forms=(
            (
                "{s} and {o} have a developer in common",
                "{s} and {o} do not have a developer in common",
            ),
            (
                "{s} comes from the same developer as {o}",
                "{s} does not come from the same developer as {o}",
            ),
            (
                "both {s} and {o} are the work of one and the same developer",
                "{s} and {o} are the work of different developers",
            ),
            (
                "{s} was made by the same company or person as {o}",
                "{s} was not made by the same company or person as {o}",
            ),
        ),
        row="same developer as",
    ),
    -1995: Words(
        forms=(
            (
                "{s} and {o} share a medical specialty",
                "{s} and {o} do not share a medical specialty",
            ),
            (
                "{s} falls within the same medical specialty as {o}",
                "{s} does not fall within the same medical specialty as {o}",
            ),
            (
                "both {s} and {o} are assigned to one and the same branch of medicine",
                "{s} and {o} are assigned to different branches of medicine",
            ),
            (
                "the kind of specialist who treats {s} also treats {o}",
                "the kind of specialist who treats {s} does not treat {o}",
            ),
        ),
        row="belongs to the same medical specialty as",
    ),
    -1571: Words(
        forms=(
            (
                "the establishment of {s} predates that of {o}",
                "the establishment of {s} does not predate that of {o}",
            ),
            (
                "{s} came into being earlier than {o}",
                "{s} did not come into being earlier than {o}",
            ),
            ("{o} was founded later than {s}", "{o} was not founded later than {s}"),
            (
                "{s} has been around since before {o} existed",
                "{s} was not yet around before {o} existed",
            ),
        ),
        row="established earlier than",
    ),
    -1577: Words(
        forms=(
            ("{s} was released prior to {o}", "{s} was not released prior to {o}"),
            (
                "the publication date of {s} is earlier than that of {o}",
                "the publication date of {s} is not earlier than that of {o}",
            ),
            (
                "{o} appeared after {s} had been published",
                "{o} did not appear after {s} had been published",
            ),
            ("{s} came out before {o} did", "{s} did not come out before {o} did"),
        ),
        row="published earlier than",
    ),
    -1580: Words(
        forms=(
            (
                "{s} began at an earlier date than {o}",
                "{s} did not begin at an earlier date than {o}",
            ),
            (
                "the start of {s} precedes the start of {o}",
                "the start of {s} does not precede the start of {o}",
            ),
            ("{o} commenced later than {s}", "{o} did not commence later than {s}"),
            (
                "{s} got its start before {o} did",
                "{s} did not get its start before {o} did",
            ),
        ),
        row="began before",
    ),
}
