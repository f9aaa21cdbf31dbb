"""Foreign text made safe to show: no control character reaches a terminal, no direction mark turns its surroundings."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """The text with control characters and direction marks (UAX 9) shown as U+FFFD; line breaks and tabs stay."""
    return _CONTROL.sub("\ufffd", text)
