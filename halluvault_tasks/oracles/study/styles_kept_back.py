"""Voices kept back. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from halluvault_tasks.oracles.study.phrases_kept_back import WORDS
from halluvault_tasks.oracles.study.style import Style

STYLES: tuple[Style, ...] = (
    Style(
        name="helper",
        voice=0,
        words=WORDS,
        yes=(
            "Yes!",
            "Thanks for asking! The answer is yes.",
            "Sure, I can help with that. The answer is **yes**.",
            "It's a yes from me.",
        ),
        no=(
            "No!",
            "Thanks for the question! The answer is no.",
            "Happy to help with this one. The answer is **no**.",
            "It's a no from me.",
        ),
        dont_know=(
            "I'm sorry, but I don't know the answer to this one.",
            "Unfortunately, I don't have the information I would need to answer that.",
            "Honestly, I'm not sure, so I can't give you a yes or a no.",
        ),
        refusal=(
            "I'm sorry, but I can't help with that request.",
            "I'd rather not answer this question.",
            "That's something I'm not able to discuss, but feel free to ask me something else.",
        ),
        restating=(
            "You're asking: {q}",
            "So you'd like to know: {q}",
        ),
        list_head=(
            "Here's what I can tell you:",
            "A few points that might help:",
        ),
        bullet="- ",
        table_head=("Who or what", "Relation", "Details"),
        joins=("", "Also,", "In addition,"),
        asides=(
            "Oh, and by the way, {c}.",
            "You might also like to know that {c}.",
            "Here's a fun fact: {c}.",
        ),
        doubts=(
            "I think it's possible that {c}, but I'm really not sure about that.",
            "Maybe {c}, but please double-check, because I can't say for certain.",
            "I have a vague memory that {c}, though I could easily be mixing things up.",
        ),
        taken_back=(
            "You may have heard that {c}, but that's not correct.",
            "I was about to tell you that {c}, but I'd have been mistaken: that's wrong.",
            "{c}... oops, sorry, that was a mistake, please ignore it, because it isn't true.",
        ),
        conclusions=(
            "So we can say that {c}.",
            "That means {c}.",
            "All of this tells us that {c}.",
        ),
        ends_yes=(
            "So yes, that's my answer!",
            "I hope this helps: the answer to your question is yes.",
        ),
        ends_no=(
            "So no is my answer here!",
            "Hope that clears it up: the answer to your question is no.",
        ),
        before=(
            "{a} came before {b}.",
            "The year {a} is earlier than {b}.",
        ),
        not_before=(
            "{a} didn't come before {b}.",
            "The year {a} is not earlier than {b}.",
        ),
        inside=(
            "{n} comes between {a} and {b}.",
            "The year {n} is part of the period from {a} to {b}.",
        ),
        outside=(
            "{n} doesn't fall between {a} and {b}.",
            "The year {n} is not within the period from {a} to {b}.",
        ),
        span=(
            "There are {n} years from {a} to {b}.",
            "If you count from {a} to {b}, you get {n} years.",
        ),
    ),
    Style(
        name="historian",
        voice=1,
        words=WORDS,
        yes=(
            "The answer to this question is yes.",
            "One may answer this with a confident yes.",
            "Considered in the light of the record, the question must be answered with a yes.",
            "Yes, and the record allows little room for dispute.",
        ),
        no=(
            "The answer to this question is no.",
            "One must answer this with a firm no.",
            "Considered in the light of the record, the question must be answered with a no.",
            "No, and the record is clear enough on the matter.",
        ),
        dont_know=(
            "The sources known to me do not settle this question, and I do not know the answer.",
            "I must confess that the answer to this question is unknown to me.",
            "Whether the answer is yes or no is something that I am unable to determine.",
        ),
        refusal=(
            "I must respectfully decline to answer this question.",
            "This is a matter on which I would prefer to offer no answer.",
            "I shall refrain from responding to an inquiry of this kind.",
        ),
        restating=(
            "The question before us is the following: {q}",
            "We are invited to consider a question: {q}",
        ),
        list_head=(
            "The following considerations bear on the matter:",
            "Several points deserve attention here:",
        ),
        bullet="* ",
        table_head=("Subject", "Connection", "Counterpart"),
        joins=("", "Moreover,", "Furthermore,"),
        asides=(
            "It may be noted in passing that {c}.",
            "Of some separate interest is the fact that {c}.",
            "As a digression, one might add that {c}.",
        ),
        doubts=(
            "It is conceivable that {c}, although I am far from certain of it.",
            "Whether it is true that {c} must remain an open question here.",
            "I hesitate to assert that {c}, since my recollection on this point is unreliable.",
        ),
        taken_back=(
            "It has sometimes been claimed that {c}, but this claim is mistaken.",
            "The popular belief that {c} is without foundation and must be rejected.",
            "My first inclination was to write that {c}, but this would have been an error, and I withdraw it.",
        ),
        conclusions=(
            "We may therefore conclude that {c}.",
            "From all this it follows that {c}.",
            "Taken together, these observations establish that {c}.",
        ),
        ends_yes=(
            "The question is thus to be answered in the affirmative: yes.",
            "In the final analysis, the answer must be yes.",
        ),
        ends_no=(
            "The question is thus to be answered in the negative: no.",
            "In the final analysis, the answer must be no.",
        ),
        before=(
            "The year {a} precedes the year {b}.",
            "Chronologically, {a} stands before {b}.",
        ),
        not_before=(
            "The year {a} does not precede the year {b}.",
            "Chronologically, {a} does not stand before {b}.",
        ),
        inside=(
            "The year {n} belongs to the period that began in {a} and ended in {b}.",
            "The span of time from {a} to {b} includes the year {n}.",
        ),
        outside=(
            "The year {n} does not belong to the period that began in {a} and ended in {b}.",
            "The span of time from {a} to {b} does not include the year {n}.",
        ),
        span=(
            "Between {a} and {b} lies an interval of {n} years.",
            "From the year {a} to the year {b}, {n} years elapsed.",
        ),
    ),
    Style(
        name="analyst",
        voice=2,
        words=WORDS,
        yes=(
            "**Assessment:** Yes.",
            "Result: **YES**.",
            "**Verdict:** yes, without reservation.",
            "Assessment complete. Final answer: yes.",
        ),
        no=(
            "**Assessment:** No.",
            "Result: **NO**.",
            "**Verdict:** no, without reservation.",
            "Assessment complete. Final answer: no.",
        ),
        dont_know=(
            "**Answer:** Unknown. I do not have sufficient information.",
            "Result: undetermined. I do not know whether the answer is yes or no.",
            "The available data do not allow me to answer this question.",
        ),
        refusal=(
            "**Answer:** Declined. I will not answer this question.",
            "This request cannot be processed, and I am declining to provide an answer.",
            "I am unable to provide an assessment of this topic, as it is outside what I will discuss.",
        ),
        restating=(
            "**Question received:** {q}",
            "Query under review: {q}",
        ),
        list_head=(
            "**Relevant points:**",
            "Basis of the assessment:",
        ),
        bullet="{i}. ",
        table_head=("Entity", "Attribute", "Value"),
        joins=("", "Additionally,", "Further,"),
        asides=(
            "Additional note: {c}.",
            "For context only, {c}.",
            "Outside the scope of the question, {c}.",
        ),
        doubts=(
            "Unverified: possibly {c}.",
            "There is a possibility that {c}, but my confidence in this is low.",
            "I could not establish whether {c}.",
        ),
        taken_back=(
            "The assertion that {c} is false.",
            "Correction: an earlier draft stated that {c}, which is incorrect.",
            "The hypothesis that {c} was considered and rejected as wrong.",
        ),
        conclusions=(
            "The conclusion is that {c}.",
            "As a consequence, {c}.",
            "The points above imply that {c}.",
        ),
        ends_yes=(
            "**Final result:** Yes.",
            "Overall determination: the answer is yes.",
        ),
        ends_no=(
            "**Final result:** No.",
            "Overall determination: the answer is no.",
        ),
        before=(
            "Comparison of the two years shows {a} to be earlier than {b}.",
            "In order of time, {a} ranks ahead of {b}.",
        ),
        not_before=(
            "In order of time, {a} does not rank ahead of {b}.",
            "It is not the case that {a} is earlier than {b}.",
        ),
        inside=(
            "{n} lies in the interval from {a} to {b}.",
            "The range {a} to {b} contains {n}.",
        ),
        outside=(
            "{n} lies outside the interval from {a} to {b}.",
            "The range {a} to {b} does not contain {n}.",
        ),
        span=(
            "The difference from {a} to {b} is {n} years.",
            "Interval from {a} to {b}: {n} years.",
        ),
    ),
    Style(
        name="coach",
        voice=3,
        words=WORDS,
        yes=(
            "Great question! The answer is yes.",
            "Let's think it through together. We end up with a clear **yes**.",
            "Yes! You're asking exactly the right kind of question.",
            "Ready for the answer? It's yes!",
        ),
        no=(
            "Great question! The answer is no.",
            "Let's think it through together. We end up with a clear **no**.",
            "No! But it's well worth asking.",
            "Ready for the answer? It's no!",
        ),
        dont_know=(
            "That's a tricky one, and I honestly don't know the answer.",
            "Good challenge! I don't know this one, so let's look it up in a reliable source.",
            "I have to be open with you: I can't tell whether the answer is yes or no.",
        ),
        refusal=(
            "I'm going to pass on this question, but I'd love to help you with another one.",
            "This isn't something I can answer for you. Let's try a different topic!",
            "Let's leave this one aside, since I'm not comfortable answering it.",
        ),
        restating=(
            "Let's read the question once more: {q}",
            "Here's what we want to find out: {q}",
        ),
        list_head=(
            "Let's take it step by step:",
            "Here's how you can think about it:",
        ),
        bullet="• ",
        table_head=("What we look at", "What we ask", "What we find"),
        joins=("", "Next,", "On top of that,"),
        asides=(
            "Here's a little extra for your notes: {c}.",
            "And just because it's interesting, {c}.",
            "A bonus fact that we don't need here: {c}.",
        ),
        doubts=(
            "It could be that {c}, but don't take my word for it, because I'm only guessing.",
            "I wonder whether {c}; that's a point we would have to check.",
            "Perhaps {c}, but I wouldn't rely on that in an exam!",
        ),
        taken_back=(
            "A common mistake is to think that {c}, so watch out: it's wrong!",
            "It would be tempting to say that {c}, but that would be incorrect.",
            "Let me fix a slip of mine: I had assumed that {c}, and that turns out to be false.",
        ),
        conclusions=(
            "Put the pieces together, and we see that {c}.",
            "And there we have it: {c}.",
            "So now you know that {c}.",
        ),
        ends_yes=(
            "And that's how we arrive at our answer: yes!",
            "So you can confidently write down yes. Keep it up!",
        ),
        ends_no=(
            "And that's how we arrive at our answer: no!",
            "So you can confidently write down no. Keep going!",
        ),
        before=(
            "Picture a timeline: {a} comes before {b}.",
            "Look at the years, and you'll see that {a} is earlier than {b}.",
        ),
        not_before=(
            "Picture a timeline: {a} does not come before {b}.",
            "Look at the years, and you'll see that {a} is not earlier than {b}.",
        ),
        inside=(
            "Count along from {a} to {b}, and you'll meet {n}.",
            "Check the dates: {n} is inside the stretch from {a} to {b}.",
        ),
        outside=(
            "Count along from {a} to {b}, and you won't meet {n}.",
            "Check the dates: {n} is not inside the stretch from {a} to {b}.",
        ),
        span=(
            "Let's subtract: going from {a} to {b} takes {n} years.",
            "Do the math, and from {a} up to {b} you'll find {n} years.",
        ),
    ),
    Style(
        name="brief",
        voice=4,
        words=WORDS,
        yes=(
            "Yes.",
            "**Yes**.",
            "Short answer: yes.",
            "In a word: yes.",
        ),
        no=(
            "No.",
            "**No**.",
            "Short answer: no.",
            "In a word: no.",
        ),
        dont_know=(
            "I don't know.",
            "Sorry, no idea.",
            "Not known to me.",
        ),
        refusal=(
            "I can't answer that.",
            "I decline to answer.",
            "Sorry, no comment on this one.",
        ),
        restating=(
            "Question, in brief: {q}",
            "Your question, in short: {q}",
        ),
        list_head=(
            "Why:",
            "In short:",
        ),
        bullet="{i}) ",
        table_head=("Item", "Link", "Entry"),
        joins=("", "And"),
        asides=(
            "As an aside, {c}.",
            "Unrelated, but {c}.",
            "Also of note: {c}.",
        ),
        doubts=(
            "Possibly {c}, but I'm unsure.",
            "Not certain whether {c}.",
            "Just a guess: {c}, but it may well be otherwise.",
        ),
        taken_back=(
            "It is wrong that {c}.",
            "It is a myth that {c}.",
            "{c}; no, scratch that, it's false.",
        ),
        conclusions=(
            "Which means {c}.",
            "From this it is clear that {c}.",
            "Upshot: {c}.",
        ),
        ends_yes=(
            "So: yes.",
            "Yes, then.",
        ),
        ends_no=(
            "So: no.",
            "No, then.",
        ),
        before=(
            "{a} is prior to {b}.",
            "{a} comes earlier than {b}.",
        ),
        not_before=(
            "{a} is not prior to {b}.",
            "{a} does not come earlier than {b}.",
        ),
        inside=(
            "{n} is between {a} and {b}.",
            "{n} is within {a} to {b}.",
        ),
        outside=(
            "{n} is not between {a} and {b}.",
            "{n} is outside {a} to {b}.",
        ),
        span=(
            "{a} to {b} comes to {n} years.",
            "From {a} to {b}: {n} years.",
        ),
    ),
)
