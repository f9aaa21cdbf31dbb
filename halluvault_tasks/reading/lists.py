"""spaCy's own lists of English words, read at first use.

To import spaCy takes seconds and brings torch; who needs no more than a profile's name, as all of results does, is
spared that.
"""

from functools import cache


@cache
def stop_words() -> frozenset[str]:
    """Words that mean nothing by themselves, folded."""
    from spacy.lang.en.stop_words import STOP_WORDS

    return frozenset(STOP_WORDS)


@cache
def abbreviations() -> frozenset[str]:
    """Words that end with a stop of their own, so that cutting and tokens agree; casefolded."""
    from spacy.lang.en.tokenizer_exceptions import TOKENIZER_EXCEPTIONS

    return frozenset(form.casefold() for form in TOKENIZER_EXCEPTIONS if form.endswith(".")) - {"i."}
