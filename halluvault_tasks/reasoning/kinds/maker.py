"""Two works of one maker, each the only one of its work: two films of one director.

"Share at least one" can be false only where both slots have one value (semantics.md §3.1). Nobody would ask it of two
works that nothing joins (§3.7), so pairs are drawn in squares: two works of one maker and two of another, each of the
one's with one of the other's of a time and with cast in common (`foils.two_makers`).
"""

from collections.abc import Iterator
from itertools import islice

from halluvault_tasks.prolog.terms import number
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.kinds.drawing import Counted, Drawing, DrawingKind
