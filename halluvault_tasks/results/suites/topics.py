"""Topics of texts by Latent Dirichlet Allocation, as HELMA's figures 2 and 3 have them: ten, seeded."""

from collections.abc import Sequence

TOPICS = 10
LEAST = 50
"""Texts; fewer have no topics worth the name."""

_SEED = 20260101
_WORDS = 3


def of(texts: Sequence[str]) -> list[str]:
    """The topic of each text, named by its likeliest words; the same texts in the same order have the same.

    Returns:
        Empty where there are fewer than `LEAST` texts, or no word that several have.
    """
    if len(texts) < LEAST:
        return []
    # Late: it takes a second to import, which only a month with this suite needs.
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    vectors = CountVectorizer(stop_words="english", min_df=2, max_df=0.5, token_pattern=r"(?u)\b[^\W\d_]{3,}\b")
    try:
        counts = vectors.fit_transform(texts)
    except ValueError:  # no word is left
        return []
    model = LatentDirichletAllocation(TOPICS, random_state=_SEED, learning_method="batch")
    shares = model.fit_transform(counts)
    words = vectors.get_feature_names_out()
    names = [
        f"{number + 1}: {', '.join(words[place] for place in weights.argsort()[::-1][:_WORDS])}"
        for number, weights in enumerate(model.components_)
    ]
    return [names[int(row.argmax())] for row in shares]
