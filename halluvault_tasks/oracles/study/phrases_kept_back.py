"""Wordings of the kept-back part's properties; none is used in the development part."""

from collections.abc import Mapping

from halluvault_tasks.oracles.study.style import Words

WORDS: Mapping[int, Words] = {
    20: Words(
        (
            ("{s} passed away in {o}", "{s} did not pass away in {o}"),
            ("{o} is the place where {s} breathed a last breath", "{o} is not where {s} breathed a last breath"),
            ("death came to {s} in {o}", "death did not come to {s} in {o}"),
            ("{s} spent the final hours of life in {o}", "{s} did not spend the final hours of life in {o}"),
        ),
        "place of death",
    ),
    22: Words(
        (
            ("{o} fathered {s}", "{o} did not father {s}"),
            ("the father of {s} is {o}", "the father of {s} is not {o}"),
            ("on the paternal side, {s} comes straight from {o}", "{s} does not come from {o} on the paternal side"),
            ("the dad of {s} is {o}", "the dad of {s} is not {o}"),
        ),
        "father",
    ),
    25: Words(
        (
            ("{o} gave birth to {s}", "{o} did not give birth to {s}"),
            ("the mother of {s} is {o}", "the mother of {s} is not {o}"),
            ("{s} has {o} for a mother", "{s} does not have {o} for a mother"),
            ("the mum of {s} is {o}", "the mum of {s} is not {o}"),
        ),
        "mother",
    ),
    40: Words(
        (
            ("{o} is one of the offspring of {s}", "{o} is not one of the offspring of {s}"),
            ("{s} brought {o} into the world as a parent", "{s} is no parent to {o}"),
            ("{s} had {o} as a son or daughter", "{s} did not have {o} as a son or daughter"),
        ),
        "son or daughter",
    ),
    57: Words(
        (
            ("{o} directed {s}", "{o} was not the one who directed {s}"),
            ("the director of {s} is {o}", "the director of {s} is not {o}"),
            ("{s} is a picture by the filmmaker {o}", "{s} is not a picture by the filmmaker {o}"),
            ("{o} sat in the director's chair for {s}", "{o} did not sit in the director's chair for {s}"),
        ),
        "director",
    ),
    161: Words(
        (
            ("{o} acted in {s}", "{o} did not act in {s}"),
            ("{s} stars {o}", "{s} does not star {o}"),
            ("{o} can be seen on screen in {s}", "{o} cannot be seen on screen in {s}"),
            ("{o} plays a part in {s}", "{o} does not play a part in {s}"),
        ),
        "actor",
    ),
    50: Words(
        (
            ("{o} wrote {s}", "{o} did not write {s}"),
            ("{s} came from the pen of {o}", "{s} did not come from the pen of {o}"),
        ),
        "writer",
    ),
    144: Words(
        (
            ("{s} was adapted from {o}", "{s} was not adapted from {o}"),
            ("{o} was the source for {s}", "{o} was not the source for {s}"),
        ),
        "source",
    ),
    47: Words(
        (
            ("{s} borders {o}", "{s} does not border {o}"),
            ("{s} and {o} are neighbours", "{s} and {o} are not neighbours"),
            ("{s} lies right next to {o}", "{s} does not lie right next to {o}"),
            ("from {s} one can step straight into {o}", "from {s} one cannot step straight into {o}"),
        ),
        "neighbour",
    ),
    530: Words(
        (
            ("{s} and {o} keep embassies with each other", "{s} and {o} keep no embassies with each other"),
            ("{s} entertains official ties with {o}", "{s} does not entertain official ties with {o}"),
        ),
        "official ties",
    ),
    36: Words(
        (
            ("the capital of {s} is {o}", "the capital of {s} is not {o}"),
            ("{s} is governed from {o}, its capital", "{s} does not have its capital at {o}"),
            ("{o} serves {s} as its capital city", "{o} does not serve {s} as its capital city"),
        ),
        "capital",
    ),
    1376: Words(
        (
            ("{s} is the capital of {o}", "{s} is not the capital of {o}"),
            ("{s} is the seat of government of {o}", "{s} is not the seat of government of {o}"),
        ),
        "capital of",
    ),
    159: Words(
        (
            ("{s} is headquartered in {o}", "{s} is not headquartered in {o}"),
            ("the head office of {s} is in {o}", "the head office of {s} is not in {o}"),
            ("{s} runs its business from {o}", "{s} does not run its business from {o}"),
        ),
        "head office",
    ),
    171: Words(
        (
            ("{s} is classified under {o}", "{s} is not classified under {o}"),
            ("zoologists place {s} within {o}", "zoologists do not place {s} within {o}"),
            ("the parent group of {s} is {o}", "the parent group of {s} is not {o}"),
            ("in the tree of life {s} branches off {o}", "in the tree of life {s} does not branch off {o}"),
        ),
        "parent group",
    ),
    780: Words(
        (
            ("{s} causes {o}", "{s} does not cause {o}"),
            ("people with {s} typically suffer from {o}", "people with {s} do not suffer from {o}"),
            ("a patient with {s} will show {o}", "a patient with {s} will not show {o}"),
            ("{o} is a classic complaint in {s}", "{o} is not a complaint in {s}"),
        ),
        "complaint",
    ),
    569: Words(
        (
            ("{s} came into this world {on}", "{s} did not come into this world {on}"),
            ("the birth of {s} fell {on}", "the birth of {s} did not fall {on}"),
            ("{s}'s life began {on}", "{s}'s life did not begin {on}"),
        ),
        "birth",
    ),
    570: Words(
        (
            ("{s} passed away {on}", "{s} did not pass away {on}"),
            ("the death of {s} fell {on}", "the death of {s} did not fall {on}"),
            ("{s}'s life came to a close {on}", "{s}'s life did not come to a close {on}"),
        ),
        "death",
    ),
    -1569: Words(
        (
            ("{s} came into this world earlier than {o}", "{s} did not come into this world earlier than {o}"),
            ("{s} is older than {o}", "{s} is not older than {o}"),
        ),
        "older than",
    ),
    -1570: Words(
        (("{s} passed away earlier than {o}", "{s} did not pass away earlier than {o}"),), "passed away earlier than"
    ),
    # chains and shared objects, by the negative number that the reviewed rules give them
    -22025: Words(
        (
            ("{o} is a grandmother or grandfather of {s}", "{o} is neither grandmother nor grandfather of {s}"),
            ("{s} is descended from {o} two generations back", "{s} is not descended from {o} two generations back"),
        ),
        "grandmother or grandfather",
    ),
    -22: Words((("{s} and {o} have the same father", "{s} and {o} have different fathers"),), "father in common"),
    -25: Words((("{s} and {o} have the same mother", "{s} and {o} have different mothers"),), "mother in common"),
    -50: Words((("one writer stands behind both {s} and {o}", "no one writer stands behind {s} and {o}"),), "writer"),
    -57: Words(
        (
            ("one and the same director made {s} and {o}", "no one director made both {s} and {o}"),
            ("{s} and {o} were made by the same director", "{s} and {o} were not made by the same director"),
        ),
        "director in common",
    ),
    -144: Words((("one source lies behind {s} and {o}", "no one source lies behind {s} and {o}"),), "source"),
    -780: Words(
        (
            ("there is a complaint that {s} and {o} both bring", "there is no complaint that {s} and {o} both bring"),
            ("{s} and {o} overlap in what patients feel", "{s} and {o} do not overlap in what patients feel"),
        ),
        "complaint in common",
    ),
}  # fmt: skip
