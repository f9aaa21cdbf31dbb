"""Wordings of the kept-back voices. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    20: Words(
        forms=(
            ("{o} is where {s} died", "{o} is not where {s} died"),
            (
                "the death of {s} took place in {o}",
                "it is not true that the death of {s} took place in {o}",
            ),
            (
                "{o} is the place where {s} passed away",
                "{o} is not the place where {s} passed away",
            ),
            (
                "{s}'s life came to an end in {o}",
                "it was not in {o} that {s}'s life came to an end",
            ),
            ("{s}'s place of death is {o}", "{s}'s place of death is not {o}"),
            (
                "{s} drew a final breath in {o}",
                "{o} is not where {s} drew a final breath",
            ),
        ),
        row="place of death",
    ),
    22: Words(
        forms=(
            ("{s}'s father was {o}", "{s}'s father was not {o}"),
            (
                "the man who fathered {s} was {o}",
                "{o} was not the man who fathered {s}",
            ),
            ("{s} was sired by {o}", "{s} was not sired by {o}"),
            ("{s} had {o} as a father", "{s} did not have {o} as a father"),
            ("the father of {s} is {o}", "the father of {s} is not {o}"),
            ("{o} was {s}'s dad", "{o} was never {s}'s dad"),
        ),
        row="father",
    ),
    25: Words(
        forms=(
            ("the mother of {s} was {o}", "the mother of {s} was not {o}"),
            (
                "it was {o} who gave birth to {s}",
                "it was not {o} who gave birth to {s}",
            ),
            (
                "{s} had {o} for a mother",
                "it is not the case that {s} had {o} for a mother",
            ),
            ("{o} is the woman who bore {s}", "{o} is not the woman who bore {s}"),
            ("{s}'s mother is {o}", "{s}'s mother is not {o}"),
            ("{o} was {s}'s mom", "{o} was not {s}'s mom"),
        ),
        row="mother",
    ),
    36: Words(
        forms=(
            (
                "{o} has served as the capital of {s}",
                "{o} has never served as the capital of {s}",
            ),
            (
                "{s} has had {o} as its capital",
                "{s} has at no time had {o} as its capital",
            ),
            (
                "the cities that have been capital of {s} include {o}",
                "the cities that have been capital of {s} do not include {o}",
            ),
            (
                "{o} has held the status of capital city in {s}",
                "{o} has never held the status of capital city in {s}",
            ),
            ("{s} made {o} its capital", "{s} never made {o} its capital"),
        ),
        row="capital (present or past)",
    ),
    40: Words(
        forms=(
            ("{o} is one of the children of {s}", "{o} is not one of the children of {s}"),
            ("{s} is one of the parents of {o}", "{s} is not one of the parents of {o}"),
            (
                "{o} is the son or daughter of {s}",
                "{o} is neither a son nor a daughter of {s}",
            ),
            (
                "the children of {s} include {o}",
                "the children of {s} do not include {o}",
            ),
            ("{o} is one of {s}'s kids", "{o} is not one of {s}'s kids"),
        ),
        row="parent of",
    ),
    47: Words(
        forms=(
            ("{s} and {o} share a border", "{s} and {o} do not share a border"),
            ("{s} borders {o}", "{s} does not border {o}"),
            (
                "there is a common border between {s} and {o}",
                "there is no common border between {s} and {o}",
            ),
            (
                "{o} is an immediate neighbour of {s}",
                "{o} is not an immediate neighbour of {s}",
            ),
            (
                "{s} and {o} meet at a common frontier",
                "{s} and {o} do not meet at a common frontier",
            ),
        ),
        row="shares a border with",
    ),
    50: Words(
        forms=(
            ("{o} wrote {s}", "{o} did not write {s}"),
            ("{o} is the author of {s}", "{o} is not the author of {s}"),
            ("{s} came from the pen of {o}", "{s} did not come from the pen of {o}"),
            (
                "{s} is a work authored by {o}",
                "{s} cannot be counted among the works authored by {o}",
            ),
            ("{o} penned {s}", "{o} never penned {s}"),
        ),
        row="author",
    ),
    57: Words(
        forms=(
            ("{s} had {o} as its director", "{s} did not have {o} as its director"),
            ("{o} was the director of {s}", "{o} was not the director of {s}"),
            (
                "{o} sat in the director's chair for {s}",
                "{o} never sat in the director's chair for {s}",
            ),
            (
                "{s} was made under the direction of {o}",
                "{s} was not made under the direction of {o}",
            ),
            ("the film {s} was helmed by {o}", "the film {s} was not helmed by {o}"),
            ("{o} is the one who directed {s}", "{o} is not the one who directed {s}"),
        ),
        row="directed by",
    ),
    144: Words(
        forms=(
            ("{s} has {o} as its basis", "{s} does not have {o} as its basis"),
            ("{s} was adapted from {o}", "{s} was never adapted from {o}"),
            (
                "{o} provided the source material for {s}",
                "{o} did not provide the source material for {s}",
            ),
            ("{s} is an adaptation of {o}", "{s} is no adaptation of {o}"),
            ("{s} takes its story from {o}", "{s} does not take its story from {o}"),
        ),
        row="source work",
    ),
    159: Words(
        forms=(
            (
                "{s} has had headquarters in {o}",
                "{s} has never had headquarters in {o}",
            ),
            (
                "{s} is or was headquartered in {o}",
                "{s} neither is nor was headquartered in {o}",
            ),
            (
                "{o} has been home to the head office of {s}",
                "{o} has never been home to the head office of {s}",
            ),
            (
                "the headquarters of {s} are or were located in {o}",
                "the headquarters of {s} are not, and were not, located in {o}",
            ),
            (
                "{s} has had its main office in {o}",
                "{s} has at no time had its main office in {o}",
            ),
        ),
        row="has or had its headquarters in",
    ),
    161: Words(
        forms=(
            ("{o} is a member of the cast of {s}", "{o} is not a member of the cast of {s}"),
            ("{o} acted in {s}", "{o} did not act in {s}"),
            (
                "{s} features {o} as one of its actors",
                "{s} does not feature {o} as one of its actors",
            ),
            (
                "{o} was among the performers on screen in {s}",
                "{o} cannot be counted among the performers on screen in {s}",
            ),
            ("the cast of {s} includes {o}", "the cast of {s} does not include {o}"),
            (
                "you can see {o} acting in {s}",
                "you cannot see {o} acting in {s}",
            ),
        ),
        row="cast member",
    ),
    171: Words(
        forms=(
            (
                "{s} has {o} as its parent taxon",
                "{s} does not have {o} as its parent taxon",
            ),
            ("the parent taxon of {s} is {o}", "the parent taxon of {s} is not {o}"),
            (
                "{s} sits directly under {o} in the biological classification",
                "{s} does not sit directly under {o} in the biological classification",
            ),
            (
                "the next higher taxon above {s} is {o}",
                "{o} is not the next higher taxon above {s}",
            ),
            (
                "one level up from {s} in the taxonomy is {o}",
                "{o} is not one level up from {s} in the taxonomy",
            ),
        ),
        row="parent taxon",
    ),
    530: Words(
        forms=(
            (
                "{s} and {o} have diplomatic relations",
                "{s} and {o} have no diplomatic relations",
            ),
            (
                "{s} maintains diplomatic relations with {o}",
                "{s} does not maintain diplomatic relations with {o}",
            ),
            (
                "there are official diplomatic ties between {s} and {o}",
                "there are no official diplomatic ties between {s} and {o}",
            ),
            (
                "diplomatic relations exist between {s} and {o}",
                "diplomatic relations do not exist between {s} and {o}",
            ),
            (
                "{s} and {o} keep up formal state-to-state relations",
                "{s} and {o} do not keep up formal state-to-state relations",
            ),
        ),
        row="diplomatic relations with",
    ),
    569: Words(
        forms=(
            ("the birth of {s} was {on}", "the birth of {s} was not {on}"),
            (
                "the birth of {s} took place {on}",
                "the birth of {s} did not take place {on}",
            ),
            ("{s} came into the world {on}", "{s} did not come into the world {on}"),
            ("it was {on} that {s} was born", "it was not {on} that {s} was born"),
            (
                "{s}'s birth occurred {on}",
                "{s}'s birth did not occur {on}",
            ),
            ("{s}'s life started {on}", "{s}'s life did not start {on}"),
        ),
        row="born",
    ),
    570: Words(
        forms=(
            ("the death of {s} came {on}", "the death of {s} did not come {on}"),
            ("{s} passed away {on}", "{s} did not pass away {on}"),
            ("the life of {s} ended {on}", "the life of {s} did not end {on}"),
            ("it was {on} that {s} died", "it was not {on} that {s} died"),
            (
                "{s}'s death occurred {on}",
                "it is not the case that {s}'s death occurred {on}",
            ),
            ("{s} left this world {on}", "{s} did not leave this world {on}"),
        ),
        row="date of death",
    ),
    780: Words(
        forms=(
            ("{o} is a symptom of {s}", "{o} is not a symptom of {s}"),
            ("{s} can present with {o}", "{s} does not present with {o}"),
            (
                "one of the signs by which {s} shows itself is {o}",
                "{o} is not one of the signs by which {s} shows itself",
            ),
            (
                "the symptoms of {s} include {o}",
                "{o} cannot be counted among the symptoms of {s}",
            ),
            (
                "people with {s} can get {o} from it",
                "people with {s} do not get {o} from it",
            ),
        ),
        row="symptom",
    ),
    1376: Words(
        forms=(
            (
                "{s} is or was the capital of {o}",
                "{s} neither is nor was the capital of {o}",
            ),
            (
                "{s} has been the capital city of {o}",
                "{s} has never been the capital city of {o}",
            ),
            (
                "the role of capital of {o} has been filled by {s}",
                "the role of capital of {o} has at no time been filled by {s}",
            ),
            (
                "among the cities that have been capital of {o} is {s}",
                "{s} is not among the cities that have been capital of {o}",
            ),
            (
                "{o} has had {s} for its capital",
                "{o} has never had {s} for its capital",
            ),
        ),
        row="capital of (now or formerly)",
    ),
    -22025: Words(
        forms=(
            ("{o} is a grandparent of {s}", "{o} is not a grandparent of {s}"),
            ("{s} is a grandchild of {o}", "{s} is no grandchild of {o}"),
            (
                "{o} is the parent of one of {s}'s parents",
                "{o} is not the parent of either of {s}'s parents",
            ),
            (
                "one of {s}'s grandparents is {o}",
                "{o} cannot be counted among {s}'s grandparents",
            ),
        ),
        row="grandparent",
    ),
    -22: Words(
        forms=(
            (
                "{s} and {o} have the same father",
                "{s} and {o} do not have the same father",
            ),
            (
                "the father of {s} is also the father of {o}",
                "the father of {s} is not the father of {o}",
            ),
            (
                "one and the same man fathered both {s} and {o}",
                "it was not the same man who fathered {s} and {o}",
            ),
            ("{s} and {o} had the same dad", "{s} and {o} never had the same dad"),
        ),
        row="same father as",
    ),
    -25: Words(
        forms=(
            ("{s} and {o} have the same mother", "{s} and {o} have different mothers"),
            ("{s} shares a mother with {o}", "{s} does not share a mother with {o}"),
            (
                "one and the same woman gave birth to both {s} and {o}",
                "it was not the same woman who gave birth to {s} and {o}",
            ),
            (
                "the mother of {s} was also {o}'s mother",
                "the mother of {s} was not {o}'s mother",
            ),
        ),
        row="shares a mother with",
    ),
    -50: Words(
        forms=(
            (
                "{s} and {o} have an author in common",
                "{s} and {o} have no author in common",
            ),
            (
                "{s} shares at least one author with {o}",
                "{s} does not share an author with {o}",
            ),
            (
                "at least one person had a hand in writing both {s} and {o}",
                "no person had a hand in writing both {s} and {o}",
            ),
            (
                "someone who wrote {s} also wrote {o}",
                "no one who wrote {s} also wrote {o}",
            ),
        ),
        row="author in common with",
    ),
    -57: Words(
        forms=(
            (
                "{s} and {o} have a director in common",
                "{s} and {o} do not have a director in common",
            ),
            (
                "{s} shares at least one director with {o}",
                "{s} shares no director with {o}",
            ),
            (
                "at least one filmmaker helmed both {s} and {o}",
                "there is no filmmaker who helmed both {s} and {o}",
            ),
            (
                "someone who directed {s} also directed {o}",
                "no one who directed {s} also directed {o}",
            ),
        ),
        row="shares a director with",
    ),
    -144: Words(
        forms=(
            (
                "{s} and {o} are based on the same work",
                "{s} and {o} are not based on the same work",
            ),
            (
                "{s} and {o} go back to a common source work",
                "{s} and {o} do not go back to a common source work",
            ),
            (
                "at least one work was adapted into both {s} and {o}",
                "no work was adapted into both {s} and {o}",
            ),
            (
                "{s} shares its source material with {o}",
                "{s} does not share its source material with {o}",
            ),
        ),
        row="based on the same work as",
    ),
    -780: Words(
        forms=(
            (
                "{s} and {o} have at least one symptom in common",
                "{s} and {o} have no symptom in common",
            ),
            (
                "there is a symptom that occurs in both {s} and {o}",
                "there is no symptom that occurs in both {s} and {o}",
            ),
            (
                "{s} shares at least one symptom with {o}",
                "{s} does not share a single symptom with {o}",
            ),
            (
                "at least one of the symptoms of {s} also occurs in {o}",
                "not one of the symptoms of {s} occurs in {o}",
            ),
        ),
        row="has a symptom in common with",
    ),
    -1569: Words(
        forms=(
            ("{s} was born earlier than {o}", "{s} was not born earlier than {o}"),
            (
                "the birth of {s} came before that of {o}",
                "the birth of {s} did not come before that of {o}",
            ),
            (
                "{s} came into the world before {o} did",
                "{s} did not come into the world before {o} did",
            ),
            (
                "{s} was born before {o}",
                "it is not the case that {s} was born before {o}",
            ),
        ),
        row="born earlier than",
    ),
    -1570: Words(
        forms=(
            ("{s} died earlier than {o}", "{s} did not die earlier than {o}"),
            ("{s} passed away before {o} did", "{s} did not pass away before {o} did"),
            (
                "the death of {s} came before that of {o}",
                "the death of {s} did not come before that of {o}",
            ),
            ("{s} died before {o}", "it is not true that {s} died before {o}"),
        ),
        row="died before",
    ),
}
