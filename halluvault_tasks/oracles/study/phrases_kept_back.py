"""Wordings of five voices kept back. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    20: Words(
        forms=(
            ("the death of {s} happened in {o}", "the death of {s} did not happen in {o}"),
            ("{s} passed away in {o}", "{s} did not pass away in {o}"),
            (
                "{o} was the place where the life of {s} ended",
                "{o} was not the place where the life of {s} ended",
            ),
            (
                "the place of death of {s} is {o}",
                "the place of death of {s} is not {o}",
            ),
            ("it was in {o} that {s} died", "it was not in {o} that {s} died"),
            (
                "{s} spent the final moments of life in {o}",
                "{s} did not spend the final moments of life in {o}",
            ),
        ),
        row="place of death",
    ),
    22: Words(
        forms=(
            ("{o} is {s}'s father", "{o} is not {s}'s father"),
            ("{s} was fathered by {o}", "{s} was never fathered by {o}"),
            ("{s} had {o} for a father", "{s} did not have {o} for a father"),
            ("the male parent of {s} is {o}", "the male parent of {s} is not {o}"),
            ("{o} is {s}'s dad", "{o} isn't {s}'s dad"),
            ("it was {o} who fathered {s}", "{o} was never {s}'s father"),
        ),
        row="father",
    ),
    25: Words(
        forms=(
            ("{o} is {s}'s mother", "{o} is not {s}'s mother"),
            (
                "the one who gave birth to {s} was {o}",
                "the one who gave birth to {s} was not {o}",
            ),
            ("the woman who bore {s} was {o}", "the woman who bore {s} was not {o}"),
            ("{s}'s mother was {o}", "{s}'s mother was someone different from {o}"),
            ("{o} is {s}'s mom", "{o} isn't {s}'s mom"),
            (
                "{o} brought {s} into the world as the mother",
                "{o} never brought {s} into the world",
            ),
        ),
        row="is a child of the mother",
    ),
    36: Words(
        forms=(
            (
                "the capital of {s} is {o}",
                "the capital of {s} is not {o} and never was",
            ),
            (
                "{s} has had {o} as its capital city",
                "{s} has never had {o} as its capital city",
            ),
            ("{s} made {o} its capital city", "{s} never made {o} its capital city"),
            ("{o} holds capital status in {s}", "{o} holds no capital status in {s}"),
            (
                "the city that {s} chose as its capital is {o}",
                "the city that {s} chose as its capital is not {o}",
            ),
        ),
        row="capital city",
    ),
    40: Words(
        forms=(
            ("{o} is one of {s}'s children", "{o} is not one of {s}'s children"),
            ("{s} is a parent of {o}", "{s} is no parent of {o}"),
            (
                "among the offspring of {s} is {o}",
                "{o} cannot be counted among the offspring of {s}",
            ),
            (
                "one of the parents of {o} is {s}",
                "neither of the parents of {o} is {s}",
            ),
            (
                "{s} has a son or daughter called {o}",
                "{s} never had a son or daughter called {o}",
            ),
        ),
        row="is a parent of",
    ),
    47: Words(
        forms=(
            ("{s} shares a border with {o}", "{s} does not share a border with {o}"),
            (
                "{s} and {o} are neighbors with a common frontier",
                "{s} and {o} have no common frontier",
            ),
            (
                "a shared boundary runs between {s} and {o}",
                "no shared boundary runs between {s} and {o}",
            ),
            (
                "the territory of {s} directly adjoins that of {o}",
                "the territory of {s} does not adjoin that of {o}",
            ),
            (
                "{s} and {o} touch each other on the map",
                "{s} and {o} do not touch each other on the map",
            ),
        ),
        row="borders on",
    ),
    50: Words(
        forms=(
            ("it was {o} who wrote {s}", "it was not {o} who wrote {s}"),
            ("{s}'s author is {o}", "{s}'s author is not {o}"),
            ("{s} is from the pen of {o}", "{s} is not from the pen of {o}"),
            (
                "the authorship of {s} belongs to {o}",
                "the authorship of {s} does not belong to {o}",
            ),
            ("it is {o} who penned {s}", "it is not {o} who penned {s}"),
        ),
        row="written by",
    ),
    57: Words(
        forms=(
            ("it was {o} who directed {s}", "it was not {o} who directed {s}"),
            ("{o} is the director of {s}", "{o} is not the director of {s}"),
            (
                "{s} was filmed under the direction of {o}",
                "{s} was not filmed under the direction of {o}",
            ),
            (
                "the directing credit for {s} goes to {o}",
                "the directing credit for {s} does not go to {o}",
            ),
            (
                "{o} was the filmmaker at the helm of {s}",
                "{o} was not the filmmaker at the helm of {s}",
            ),
            ("{s} is a film by {o}", "{s} isn't a film by {o}"),
        ),
        row="director",
    ),
    144: Words(
        forms=(
            ("the basis for {s} is {o}", "the basis for {s} is not {o}"),
            ("{s} was made as an adaptation of {o}", "{s} was not made as an adaptation of {o}"),
            (
                "{o} served as the source material for {s}",
                "{o} did not serve as the source material for {s}",
            ),
            (
                "the earlier work behind {s} is {o}",
                "the earlier work behind {s} is not {o}",
            ),
            ("{s} gets its story from {o}", "{s} does not get its story from {o}"),
        ),
        row="adapted from",
    ),
    159: Words(
        forms=(
            (
                "{s} has its headquarters in {o}",
                "{s} does not have and never had its headquarters in {o}",
            ),
            ("{s} is headquartered in {o}", "{s} is not headquartered in {o}"),
            (
                "the head office of {s} is located in {o}",
                "the head office of {s} was never located in {o}",
            ),
            (
                "{o} is home to the main office of {s}",
                "{o} is not home to the main office of {s}",
            ),
            ("{s} is run from its base in {o}", "it is not from {o} that {s} is run"),
        ),
        row="headquarters location",
    ),
    161: Words(
        forms=(
            ("{o} is part of the cast of {s}", "{o} is not part of the cast of {s}"),
            (
                "{s} features {o} as one of its performers",
                "{s} does not feature {o} as one of its performers",
            ),
            ("{o} has an acting role in {s}", "{o} never acted in {s}"),
            (
                "the cast list of {s} includes {o}",
                "the cast list of {s} does not include {o}",
            ),
            (
                "you can spot {o} among the actors in {s}",
                "you will not spot {o} among the actors in {s}",
            ),
            ("{o} plays a character in {s}", "{o} plays no character in {s}"),
        ),
        row="cast member",
    ),
    171: Words(
        forms=(
            ("{s} falls directly under {o}", "{s} does not fall directly under {o}"),
            ("{s}'s parent taxon is {o}", "{s}'s parent taxon is not {o}"),
            (
                "{s} is placed immediately below {o} in the biological classification",
                "{s} is not placed immediately below {o} in the biological classification",
            ),
            (
                "{o} is the next higher taxon above {s}",
                "{o} isn't the next higher taxon above {s}",
            ),
            (
                "one step up from {s} in the tree of life you reach {o}",
                "one step up from {s} in the tree of life you do not reach {o}",
            ),
        ),
        row="directly below the taxon",
    ),
    530: Words(
        forms=(
            (
                "{s} and {o} have diplomatic relations with each other",
                "{s} and {o} have no diplomatic relations with each other",
            ),
            (
                "{s} maintains diplomatic ties with {o}",
                "{s} does not maintain diplomatic ties with {o}",
            ),
            (
                "formal relations exist between the governments of {s} and {o}",
                "no formal relations exist between the governments of {s} and {o}",
            ),
            (
                "diplomatic relations have been established between {s} and {o}",
                "diplomatic relations were never established between {s} and {o}",
            ),
            (
                "{s} is a diplomatic partner of {o}",
                "{s} is not a diplomatic partner of {o}",
            ),
        ),
        row="maintains diplomatic relations with",
    ),
    569: Words(
        forms=(
            ("{s}'s birth took place {on}", "{s} was not born {on}"),
            (
                "the birth of {s} occurred {on}",
                "the birth of {s} did not occur {on}",
            ),
            ("{s} entered the world {on}", "{s} did not enter the world {on}"),
            (
                "the birth date of {s} falls {on}",
                "the birth date of {s} does not fall {on}",
            ),
            ("{s}'s life began {on}", "{s}'s life did not begin {on}"),
            ("it was {on} that {s} came into the world", "it was not {on} that {s} came into the world"),
        ),
        row="date of birth",
    ),
    570: Words(
        forms=(
            ("{s}'s death happened {on}", "{s} did not die {on}"),
            ("{s}'s passing took place {on}", "{s}'s passing did not take place {on}"),
            (
                "{s}'s life came to an end {on}",
                "{s}'s life did not come to an end {on}",
            ),
            (
                "the death of {s} occurred {on}",
                "it is not the case that the death of {s} occurred {on}",
            ),
            ("it was {on} that {s} passed away", "it was not {on} that {s} passed away"),
            ("death came to {s} {on}", "death did not come to {s} {on}"),
        ),
        row="died on",
    ),
    780: Words(
        forms=(
            ("{o} is among the symptoms of {s}", "{o} is not among the symptoms of {s}"),
            (
                "{s} causes {o} in those who suffer from it",
                "{s} does not cause {o} in those who suffer from it",
            ),
            (
                "the clinical picture of {s} includes {o}",
                "the clinical picture of {s} does not include {o}",
            ),
            (
                "{s} has {o} among its symptoms",
                "{s} does not have {o} among its symptoms",
            ),
            (
                "people who fall ill with {s} get {o} from it",
                "people who fall ill with {s} never get {o} from it",
            ),
        ),
        row="presents with",
    ),
    1376: Words(
        forms=(
            (
                "{s} is the capital of {o}",
                "{s} is not and never was the capital of {o}",
            ),
            (
                "{s} has served as the capital city of {o}",
                "{s} never served as the capital city of {o}",
            ),
            ("{o} has had its capital at {s}", "{o} has never had its capital at {s}"),
            (
                "{s} holds the rank of capital in {o}",
                "{s} does not hold the rank of capital in {o}",
            ),
            (
                "{s} is where {o} has its capital",
                "{s} is not where {o} has its capital",
            ),
        ),
        row="is the capital of",
    ),
    -22025: Words(
        forms=(
            ("{s} is {o}'s grandchild", "{s} is not a grandchild of {o}"),
            ("{o} is {s}'s grandparent", "{o} is no grandparent of {s}"),
            (
                "one of the parents of {s} was a child of {o}",
                "neither of the parents of {s} was a child of {o}",
            ),
            (
                "two generations up from {s} in the direct line stands {o}",
                "two generations up from {s} in the direct line, {o} does not appear",
            ),
        ),
        row="grandparent",
    ),
    -22: Words(
        forms=(
            ("{s} and {o} share a father", "{s} and {o} have different fathers"),
            (
                "{s}'s father is also {o}'s father",
                "{s}'s father is not {o}'s father",
            ),
            (
                "the same man fathered both {s} and {o}",
                "no single man fathered both {s} and {o}",
            ),
            ("{s} has the same dad as {o}", "{s} does not have the same dad as {o}"),
        ),
        row="same father as",
    ),
    -25: Words(
        forms=(
            ("{s} and {o} share a mother", "{s} and {o} do not share a mother"),
            (
                "the mother of {s} is also the mother of {o}",
                "the mother of {s} is not the mother of {o}",
            ),
            (
                "one woman gave birth to both {s} and {o}",
                "no woman gave birth to both {s} and {o}",
            ),
            ("{s} has the same mom as {o}", "{s} has a different mom from {o}"),
        ),
        row="shares a mother with",
    ),
    -50: Words(
        forms=(
            (
                "{s} and {o} share an author",
                "{s} and {o} do not have an author in common",
            ),
            (
                "the same writer produced both {s} and {o}",
                "no writer produced both {s} and {o}",
            ),
            ("{s} shares an author with {o}", "{s} shares no author with {o}"),
            (
                "{s} was written by the same person as {o}",
                "{s} was not written by the same person as {o}",
            ),
        ),
        row="has an author in common with",
    ),
    -57: Words(
        forms=(
            (
                "{s} and {o} share a director",
                "{s} and {o} do not share a director",
            ),
            (
                "the same filmmaker made both {s} and {o}",
                "no filmmaker made both {s} and {o}",
            ),
            ("{s} shares a director with {o}", "{s} does not share a director with {o}"),
            (
                "{s} was directed by the same person as {o}",
                "{s} was not directed by the same person as {o}",
            ),
        ),
        row="same director as",
    ),
    -144: Words(
        forms=(
            (
                "{s} and {o} are based on the same source",
                "{s} and {o} are not based on the same source",
            ),
            (
                "{s} and {o} go back to a common source",
                "{s} and {o} do not go back to a common source",
            ),
            (
                "{s} draws on the same source work as {o}",
                "{s} does not draw on the same source work as {o}",
            ),
            (
                "one and the same original was adapted as {s} and as {o}",
                "{s} and {o} adapt different originals",
            ),
        ),
        row="based on the same work as",
    ),
    -780: Words(
        forms=(
            (
                "{s} and {o} have one or more symptoms in common",
                "{s} and {o} do not have any symptoms in common",
            ),
            ("{s} shares a symptom with {o}", "{s} does not share a symptom with {o}"),
            (
                "there is a symptom found in both {s} and {o}",
                "there is no symptom found in both {s} and {o}",
            ),
            (
                "the signs of illness seen with {s} overlap with those of {o}",
                "the signs of illness seen with {s} do not overlap with those of {o}",
            ),
        ),
        row="shared symptom with",
    ),
    -1569: Words(
        forms=(
            ("{s}'s birth came before that of {o}", "{s} was not born before {o}"),
            (
                "the birth of {s} came earlier than that of {o}",
                "the birth of {s} came no earlier than that of {o}",
            ),
            ("{o} was born later than {s}", "{o} was not born later than {s}"),
            ("{s} was older than {o}", "{s} isn't older than {o}"),
        ),
        row="born earlier than",
    ),
    -1570: Words(
        forms=(
            ("{s} died before {o} did", "{s} did not die before {o}"),
            ("{o} outlived {s}", "{o} did not outlive {s}"),
            (
                "the death of {s} preceded that of {o}",
                "the death of {s} did not precede that of {o}",
            ),
            (
                "{s} was already dead when {o} died",
                "{s} was not yet dead when {o} died",
            ),
        ),
        row="died earlier than",
    ),
}
