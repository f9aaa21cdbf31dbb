"""Voices of the second kept-back part, since then development; they speak the fourth writer's wordings."""

from halluvault_tasks.oracles.study.phrases_fourth import WORDS
from halluvault_tasks.oracles.study.style import Style

STYLES: tuple[Style, ...] = (
    Style(
        name="assistant",
        voice=0,
        words=WORDS,
        yes=(
            "Yes.",
            "Thanks for the question. The answer is yes.",
            "Yes, and here is the reasoning behind it.",
            "The short answer is **yes**.",
        ),
        no=(
            "No.",
            "Thanks for asking. The answer is no.",
            "No, and I'll explain why.",
            "The short answer is **no**.",
        ),
        dont_know=(
            "I don't know the answer to this question.",
            "I'm sorry, but I'm not certain enough to answer yes or no.",
            "Unfortunately, I don't have enough information to say either way.",
        ),
        refusal=(
            "I'm sorry, but I can't help with this question.",
            "I'd prefer not to answer that.",
            "I'm not able to provide an answer to this request.",
        ),
        restating=(
            "You asked: {q}",
            "Let me take a look at your question: {q}",
        ),
        list_head=(
            "Here is what I know:",
            "These are the relevant details:",
        ),
        bullet="- ",
        table_head=("Subject", "Relation", "Value"),
        joins=("", "Also,", "In addition,", "Furthermore,"),
        asides=(
            "As a side note, {c}.",
            "Incidentally, {c}.",
            "For some extra context, {c}.",
        ),
        doubts=(
            "I have a faint recollection that {c}, but I wouldn't rely on it.",
            "It may be that {c}, though I'm honestly not sure.",
            "I can't say with any confidence whether {c}.",
        ),
        taken_back=(
            "You may sometimes read that {c}, but that is incorrect.",
            "I was about to say that {c}, but that would be wrong.",
            "It would be a mistake to say that {c}.",
        ),
        conclusions=(
            "So it follows that {c}.",
            "This means that {c}.",
            "Putting this together, {c}.",
        ),
        ends_yes=(
            "So the answer to your question is yes.",
            "Overall, then: yes.",
        ),
        ends_no=(
            "So the answer to your question is no.",
            "Overall, then: no.",
        ),
        before=(
            "{a} is an earlier year than {b}.",
            "The year {a} comes before the year {b}.",
        ),
        not_before=(
            "{a} is not an earlier year than {b}.",
            "The year {a} does not come before the year {b}.",
        ),
        inside=(
            "{n} lies within the period from {a} to {b}.",
            "The year {n} is in the range {a} to {b}.",
        ),
        outside=(
            "{n} lies outside the period from {a} to {b}.",
            "The year {n} is not in the range {a} to {b}.",
        ),
        span=(
            "From {a} to {b} is {n} years.",
            "The difference between {a} and {b} is {n} years.",
        ),
    ),
    Style(
        name="factchecker",
        voice=1,
        words=WORDS,
        yes=(
            "Our answer: Yes.",
            "**Verdict: yes.** Here is what the check turned up.",
            "We looked into this, and the answer is yes.",
            "After reviewing the facts, we can answer this with a clear yes.",
        ),
        no=(
            "Our answer: No.",
            "**Verdict: no.** Here is what the check showed.",
            "We looked into this, and the answer is no.",
            "After reviewing the facts, we have to answer this with a clear no.",
        ),
        dont_know=(
            "**Verdict: undetermined.** We do not know whether the answer is yes or no.",
            "The available information does not allow us to reach a verdict.",
            "We were unable to establish the answer either way.",
        ),
        refusal=(
            "We do not issue a verdict on this question.",
            "This is a question that we decline to answer.",
            "We will not be taking a position on this.",
        ),
        restating=(
            "**The question:** {q}",
            "Readers have wanted to know: {q}",
        ),
        list_head=(
            "What we found:",
            "The facts in brief:",
        ),
        bullet="* ",
        table_head=("Who or what", "Point checked", "Finding"),
        joins=(
            "",
            "Moreover,",
            "The record also shows that",
            "It is likewise established that",
        ),
        asides=(
            "For background, {c}.",
            "It is also worth recording that {c}.",
            "On a separate point, {c}.",
        ),
        doubts=(
            "The suggestion that {c} remains unverified.",
            "There are claims that {c}, but we found nothing solid that would confirm them or rule them out.",
            "We could not establish whether {c}.",
        ),
        taken_back=(
            "The claim that {c} is false.",
            "Some posts assert that {c}; that assertion is untrue.",
            "The statement that {c} does not hold up and is wrong.",
        ),
        conclusions=(
            "The evidence therefore shows that {c}.",
            "We conclude that {c}.",
            "On the basis of these facts, {c}.",
        ),
        ends_yes=(
            "Our final verdict on the question is yes.",
            "The question must therefore be answered with yes.",
        ),
        ends_no=(
            "Our final verdict on the question is no.",
            "The question must therefore be answered with no.",
        ),
        before=(
            "On the timeline, {a} precedes {b}.",
            "The year {b} is later than {a}.",
        ),
        not_before=(
            "{a} does not precede {b} on the timeline.",
            "It is not true that {a} was an earlier year than {b}.",
        ),
        inside=(
            "The year {n} belongs to the span that runs from {a} through {b}.",
            "The years {a} to {b}, both included, cover {n}.",
        ),
        outside=(
            "The year {n} does not belong to the span that runs from {a} through {b}.",
            "The years {a} to {b}, both included, do not cover {n}.",
        ),
        span=(
            "Between {a} and {b}, a total of {n} years passed.",
            "The time elapsed from {a} to {b} amounts to {n} years.",
        ),
    ),
    Style(
        name="tutor",
        voice=2,
        words=WORDS,
        yes=(
            "Good question! The answer is yes, and we can work out why.",
            "Yes! Let's see why.",
            "Let's go through it together. First of all, the answer is **yes**.",
            "You can answer this one with *yes*. Let me walk you through it.",
        ),
        no=(
            "Good question! The answer is no, and we can work out why.",
            "No. Let's see why.",
            "Let's go through it together. First of all, the answer is **no**.",
            "You can answer this one with *no*. Let me walk you through it.",
        ),
        dont_know=(
            "That's a good question, but I don't know the answer to it.",
            "To be honest with you, I'm unsure whether this is a yes or a no.",
            "This is one that I can't answer, because I don't know enough about it.",
        ),
        refusal=(
            "This isn't something I'm going to answer for you.",
            "I have to decline this question; let's pick another one.",
            "I'm afraid I won't answer this one.",
        ),
        restating=(
            "Let's begin with what is being asked: {q}",
            "Here is the problem we have to solve: {q}",
        ),
        list_head=(
            "Let's go step by step:",
            "Here is what you need to remember:",
        ),
        bullet="{i}. ",
        table_head=("We look at", "What we ask about it", "What we find"),
        joins=("", "Next,", "We also know that", "Keep in mind, too, that"),
        asides=(
            "By the way, you might like to know that {c}.",
            "A related fact you may find interesting is that {c}.",
            "While we're here, you can also learn that {c}.",
        ),
        doubts=(
            "It could be that {c}; I really don't know, so please don't write it down as a fact.",
            "Perhaps {c}, but treat that as an open question that you would have to look up.",
            "I'm not at all sure whether {c}.",
        ),
        taken_back=(
            "A common slip is to think that {c}; that is a mistake.",
            "You might be tempted to say that {c}, but that's not right.",
            "At first I thought that {c}, but let me correct myself: that is wrong.",
        ),
        conclusions=(
            "From these steps it follows that {c}.",
            "And so we see that {c}.",
            "We can therefore say that {c}.",
        ),
        ends_yes=(
            "And that is how we arrive at the answer yes.",
            "So if this comes up in a test, you should answer yes.",
        ),
        ends_no=(
            "And that is how we arrive at the answer no.",
            "So if this comes up in a test, you should answer no.",
        ),
        before=(
            "Counting forward in time, we reach {a} before we reach {b}.",
            "When we put the years in order, {a} comes first and {b} comes later.",
        ),
        not_before=(
            "Counting forward in time, we do not reach {a} before we reach {b}.",
            "When we put the years in order, {a} does not come earlier than {b}.",
        ),
        inside=(
            "If you start at {a} and count up to {b}, you will find {n} among the years you count.",
            "Notice that {n} is at least {a} and at most {b}.",
        ),
        outside=(
            "If you start at {a} and count up to {b}, you will not find {n} among the years you count.",
            "Notice that {n} is not in the stretch of years from {a} up to {b}.",
        ),
        span=(
            "If we subtract {a} from {b}, we get {n} years.",
            "To get from {a} to {b}, you have to count {n} years forward.",
        ),
    ),
    Style(
        name="report",
        voice=3,
        words=WORDS,
        yes=(
            "**Answer:** Yes.",
            "**Yes** — details below.",
            "**Result:** The question is answered in the affirmative.",
            "**TL;DR:** Yes. The grounds for this are set out below.",
        ),
        no=(
            "**Answer:** No.",
            "**No** — details below.",
            "**Result:** The question is answered in the negative.",
            "**TL;DR:** No. The grounds for this are set out below.",
        ),
        dont_know=(
            "**Answer:** Unknown. I do not have the information needed to decide this.",
            "**Result:** Inconclusive; I do not know the answer.",
            "**Status:** No answer can be given either way with what I know.",
        ),
        refusal=(
            "**Answer:** Declined. I will not respond to this question.",
            "**Status:** I am unable to assist with this request.",
            "**Result:** No response is provided to this question as a matter of policy.",
        ),
        restating=(
            "**Question:** {q}\n\n",
            "**Question under review:** {q}",
        ),
        list_head=(
            "### Key facts\n",
            "**Supporting points:**\n",
        ),
        bullet="• ",
        table_head=("Entity", "Property", "Details"),
        joins=("", "Additionally,", "Further,"),
        asides=(
            "*Note:* {c}.",
            "Additional context: {c}.",
            "**Background:** {c}.",
        ),
        doubts=(
            "*Uncertain:* it is possible that {c}, but I cannot confirm this.",
            "**Low confidence:** it might be that {c}; this needs to be checked.",
            "*Open point:* it is unclear to me whether {c}.",
        ),
        taken_back=(
            "**Correction:** I first assumed that {c}; this is wrong and I withdraw it.",
            "**Misconception:** some sources state that {c}. This is incorrect.",
            "*Rejected as mistaken:* the idea that {c}.",
        ),
        conclusions=(
            "**Conclusion:** {c}.",
            "In summary, {c}.",
            "*Takeaway:* {c}.",
        ),
        ends_yes=(
            "**Final answer:** Yes.",
            "*Overall result:* affirmative, the answer is yes.",
        ),
        ends_no=(
            "**Final answer:** No.",
            "*Overall result:* negative, the answer is no.",
        ),
        before=(
            "**Chronology:** {a} < {b}.",
            "**Order of the years:** first {a}, then {b}.",
        ),
        not_before=(
            "**Chronology:** {a} does not fall before {b}.",
            "**Order of the years:** {a} is not prior to {b}.",
        ),
        inside=(
            "**Range check:** {n} is within {a}–{b}.",
            "**Period:** {a} to {b}, which includes {n}.",
        ),
        outside=(
            "**Range check:** {n} is not within {a}–{b}.",
            "**Period:** {a} to {b}, which does not include {n}.",
        ),
        span=(
            "**Time span:** {a} to {b} = {n} years.",
            "**Interval:** the years {a} and {b} are {n} years apart.",
        ),
    ),
    Style(
        name="texter",
        voice=4,
        words=WORDS,
        yes=(
            "Yep!",
            "yeah, it's a yes.",
            "Yup 👍 definitely a yes.",
            "Easy one, yes!",
        ),
        no=(
            "Nope!",
            "nah, it's a no.",
            "Nope 👎 definitely a no.",
            "Easy one, no!",
        ),
        dont_know=(
            "No idea, sorry!",
            "hmm, idk tbh.",
            "You got me there, I honestly don't know.",
        ),
        refusal=(
            "Sorry, gonna pass on that one.",
            "Can't answer that for you, sorry!",
            "I'd rather not get into that.",
        ),
        restating=(
            "So you wanna know: {q}",
            "Ok, so the question is: {q}",
        ),
        list_head=(
            "Quick rundown:",
            "Here's the deal:",
        ),
        bullet="{i}) ",
        table_head=("what", "thing", "info"),
        joins=("", "And", "Plus,", "Oh, and"),
        asides=(
            "Fun fact for you, {c}!",
            "btw, {c}.",
            "Kinda off topic, but {c}.",
        ),
        doubts=(
            "Maybe {c}, but I'm just guessing here.",
            "Not sure if {c}, don't quote me on it.",
            "I kinda wonder whether {c}, but I've got no clue.",
        ),
        taken_back=(
            "People say {c}, but that's just wrong.",
            "I almost told you that {c}, but nah, that's false.",
            "If anyone tells you that {c}, they've got it wrong.",
        ),
        conclusions=(
            "So yeah, {c}.",
            "Basically, {c}.",
            "All in all, {c}!",
        ),
        ends_yes=(
            "So that's a yes from me!",
            "Long story short, yep.",
        ),
        ends_no=(
            "So that's a no from me!",
            "Long story short, nope.",
        ),
        before=(
            "{a} was before {b}.",
            "And yeah, {b} came after {a}.",
        ),
        not_before=(
            "{a} was not before {b}.",
            "And nope, {b} did not come after {a}.",
        ),
        inside=(
            "{n} is somewhere in {a} to {b}.",
            "{a} to {b} covers {n} too.",
        ),
        outside=(
            "{n} is nowhere in {a} to {b}.",
            "{a} to {b} doesn't cover {n}.",
        ),
        span=(
            "{a} to {b} makes {n} years.",
            "That's {n} years if you go from {a} to {b}.",
        ),
    ),
)
