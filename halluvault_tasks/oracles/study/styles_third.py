"""Wordings of the third voices. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from halluvault_tasks.oracles.study.phrases_third import WORDS
from halluvault_tasks.oracles.study.style import Style

STYLES: tuple[Style, ...] = (
    Style(
        name="consultant",
        voice=0,
        words=WORDS,
        yes=(
            "My assessment is that the answer is yes.",
            "Having reviewed the relevant facts, I would answer yes.",
            "Yes. I am comfortable giving a clear answer here.",
            "The question can be answered with a clear yes.",
        ),
        no=(
            "My assessment is that the answer is no.",
            "On the basis of the established facts, I have to answer no.",
            "No. The facts leave little room for another answer.",
            "The question should be answered with a clear no.",
        ),
        dont_know=(
            "I do not have sufficient information to answer this question reliably.",
            "At present I am unable to determine whether the answer is yes or no.",
            "Unfortunately, the answer to this is not known to me, and I would rather say so openly.",
        ),
        refusal=(
            "I would prefer to abstain from answering this question.",
            "I must respectfully decline to give an answer here.",
            "This is not a question on which I am willing to provide an answer.",
        ),
        restating=(
            "You have asked me to consider the following question: {q}",
            "As I understand it, the matter to be clarified is this: {q}",
        ),
        list_head=(
            "The relevant considerations are as follows:",
            "My assessment rests on the following points:",
        ),
        bullet="- ",
        table_head=("Item", "Aspect", "Finding"),
        joins=("", "Furthermore,", "It should also be noted that", "In addition,"),
        asides=(
            "For the sake of completeness, I would mention that {c}.",
            "{c}, although this has no bearing on the matter at hand.",
            "By way of background, {c}.",
        ),
        doubts=(
            "I have not been able to establish whether {c}.",
            "It may be that {c}, but I would not want to rely on that without further verification.",
            "There is some suggestion that {c}; I regard this as unconfirmed and make no claim either way.",
        ),
        taken_back=(
            "My first impression was that {c}, but on closer review that impression proved to be wrong.",
            "The assumption that {c} is incorrect and should be disregarded.",
            "One might be told that {c}; this does not match the facts.",
        ),
        conclusions=(
            "On balance, the appropriate conclusion is that {c}.",
            "Taken together, these considerations establish that {c}.",
            "I am therefore satisfied that {c}.",
        ),
        ends_yes=(
            "In summary, my professional answer is yes.",
            "For these reasons, the question is to be answered in the affirmative.",
        ),
        ends_no=(
            "In summary, my professional answer is no.",
            "For these reasons, the question is to be answered in the negative.",
        ),
        before=(
            "It may be observed that the year {a} is earlier than the year {b}.",
            "Chronologically, {a} precedes {b}.",
        ),
        not_before=(
            "It may be observed that the year {a} is not earlier than the year {b}.",
            "Chronologically, {a} does not precede {b}.",
        ),
        inside=(
            "The year {n} falls within the period from {a} to {b}.",
            "Considering the interval between {a} and {b}, the year {n} is covered by it.",
        ),
        outside=(
            "The year {n} does not fall within the period from {a} to {b}.",
            "Considering the interval between {a} and {b}, the year {n} is not covered by it.",
        ),
        span=(
            "The time elapsed between {a} and {b} amounts to {n} years.",
            "An interval of {n} years separates {a} from {b}.",
        ),
    ),
    Style(
        name="examinee",
        voice=1,
        words=WORDS,
        yes=(
            "Answer: Yes.",
            "The correct response to this question is yes.",
            "Yes. This can be justified from the facts.",
            "I answer this question with 'yes'.",
        ),
        no=(
            "Answer: No.",
            "The correct response to this question is no.",
            "No. A justification can be given from the facts.",
            "I answer this question with 'no'.",
        ),
        dont_know=(
            "Answer: I don't know.",
            "I am not able to work out the answer to this question from what I have learned.",
            "I cannot recall the facts required here, so I must leave the answer undetermined.",
        ),
        refusal=(
            "I choose not to answer this question.",
            "I decline to respond to this item.",
            "No response will be given to this question, as I do not wish to answer it.",
        ),
        restating=("Question to answer: {q}", "The task is to decide the following: {q}"),
        list_head=("Justification:", "The reasoning relies on these facts:"),
        bullet="({i}) ",
        table_head=("Given", "Relation", "Value"),
        joins=("", "Moreover,", "Secondly,", "It is also the case that"),
        asides=(
            "It can be added, without relevance to the argument, that {c}.",
            "Additional remark: {c}.",
            "Although it is not required for the answer, it is true that {c}.",
        ),
        doubts=(
            "I cannot say with certainty whether {c}.",
            "I seem to remember reading that {c}, but I could easily be mistaken, so I do not use it as evidence.",
            "It remains open in my argument whether {c}.",
        ),
        taken_back=(
            "A common error is to think that {c}, which is false.",
            "I originally wrote that {c}; I withdraw this statement, because it is wrong.",
            "It would be a mistake to claim that {c}.",
        ),
        conclusions=(
            "From this it follows that {c}.",
            "Hence it has been shown that {c}.",
            "We can thus deduce that {c}.",
        ),
        ends_yes=(
            "Therefore, the required answer is: yes.",
            "This completes the justification for the answer 'yes'.",
        ),
        ends_no=(
            "Therefore, the required answer is: no.",
            "This completes the justification for the answer 'no'.",
        ),
        before=(
            "On a timeline, {a} has to be placed earlier than {b}.",
            "Comparing the dates, {a} comes before {b}.",
        ),
        not_before=(
            "Comparing the dates, {a} does not come before {b}.",
            "On a timeline, {a} cannot be placed earlier than {b}.",
        ),
        inside=(
            "The year {n} satisfies the condition of being no earlier than {a} and no later than {b}.",
            "If we take the range {a} to {b}, then {n} belongs to it.",
        ),
        outside=(
            "The year {n} fails the condition of lying in the range from {a} to {b}.",
            "If we take the range {a} to {b}, then {n} does not belong to it.",
        ),
        span=(
            "Subtracting {a} from {b} gives a difference of {n} years.",
            "Counting from {a} up to {b}, we obtain {n} years.",
        ),
    ),
    Style(
        name="structured",
        voice=2,
        words=WORDS,
        yes=(
            "**Answer: Yes.**",
            "## Answer\n\n**Yes.**",
            "**Verdict:** ✅ Yes.",
            "**Short answer:** The answer is **yes**.",
        ),
        no=(
            "**Answer: No.**",
            "## Answer\n\n**No.**",
            "**Verdict:** ❌ No.",
            "**Short answer:** The answer is **no**.",
        ),
        dont_know=(
            "**Answer:** Unknown. I don't have the knowledge needed to settle this.",
            "**Status:** Undetermined – I do not know the answer.",
            "**Result:** I'm not certain enough to say either yes or no.",
        ),
        refusal=(
            "**Note:** I won't be answering this question.",
            "**Response:** I'm declining to answer.",
            "**Answer withheld.** I prefer not to take a position on this question.",
        ),
        restating=("**Question asked:** {q}\n\n", "## Question asked\n\n{q}\n\n"),
        list_head=("### Key facts", "**Explanation:**"),
        bullet="* **Point {i}:** ",
        table_head=("**Entity**", "**Property**", "**Detail**"),
        joins=("", "**Also:**", "Next,", "On top of this,"),
        asides=(
            "**Side note:** It is also true that {c}.",
            "**Extra context** (not needed for the answer): {c}.",
            "*Related fact:* {c}.",
        ),
        doubts=(
            "**Uncertain:** Perhaps {c}, but I can't confirm this.",
            "**Open point:** It is not clear to me whether {c}.",
            "**Unverified:** I have a vague idea that {c}, yet I would not count this as a fact.",
        ),
        taken_back=(
            "**Myth:** Some people believe that {c}. **Reality:** This is not true.",
            "**Correction:** The claim that {c} is false.",
            "**Common misconception:** It is wrong to say that {c}.",
        ),
        conclusions=(
            "**Conclusion:** This means that {c}.",
            "**Bottom line:** All of this shows that {c}.",
            "**Key takeaway:** We can say that {c}.",
        ),
        ends_yes=("**Final answer:** Yes.", "**In summary:** the answer is **yes**."),
        ends_no=("**Final answer:** No.", "**In summary:** the answer is **no**."),
        before=(
            "**Timeline:** {a} is before {b}.",
            "**Date check:** {a} < {b}, so the first of these years is the earlier one.",
        ),
        not_before=(
            "**Timeline:** {a} is not before {b}.",
            "**Date check:** it is not true that {a} is an earlier year than {b}.",
        ),
        inside=(
            "**Range check:** {n} lies within {a}–{b}.",
            "**Period:** the span from {a} to {b} includes {n}.",
        ),
        outside=(
            "**Range check:** {n} is outside {a}–{b}.",
            "**Period:** the span from {a} to {b} does not include {n}.",
        ),
        span=(
            "**Duration:** {a} to {b} = {n} years.",
            "**Calculation:** from {a} to {b} there are {n} years.",
        ),
    ),
    Style(
        name="smalltalker",
        voice=3,
        words=WORDS,
        yes=(
            "Yes! That's the answer, and I'm happy to explain it to you.",
            "Great question! The answer is yes.",
            "Sure, let me help you with that! My answer is a definite yes.",
            "Yes, yes indeed! 😊",
        ),
        no=(
            "No, I'm afraid not! Let me tell you a bit more about it.",
            "Thanks for asking! The answer is no.",
            "Hmm, let me help you with this one! My answer is a definite no.",
            "Nope, the answer here is no! 🙂",
        ),
        dont_know=(
            "Oh, that's a tricky one! I'm sorry, but I really don't know the answer.",
            "I wish I could tell you, but I honestly have no idea whether it's yes or no.",
            "Sorry, I'm just a small assistant and I don't know enough about this to answer.",
        ),
        refusal=(
            "I'm sorry, but I can't help you with that question.",
            "I'd rather not answer that one, if that's okay with you!",
            "Sorry, that's something I'm going to skip. Feel free to ask me something else!",
        ),
        restating=(
            "So you would like to know the following: {q}",
            "Let's see, you're asking me this: {q}",
        ),
        list_head=(
            "Here are some things that are good to know:",
            "Let me list what I know for you:",
        ),
        bullet="• ",
        table_head=("What or who", "What about it", "What I found"),
        joins=("", "And", "Another thing is that", "You should also know that"),
        asides=(
            "Fun fact: {c}!",
            "Oh, and just so you know, {c}, but that's a different story.",
            "Here's something extra you might enjoy: {c}.",
        ),
        doubts=(
            "Maybe {c}, but please don't take my word for it, because I'm really not sure!",
            "I was wondering if {c}, but I couldn't tell you.",
            "I might have heard somewhere that {c}, but honestly I have no clue if that's right.",
        ),
        taken_back=(
            "I was about to say that {c}, but oops, that's wrong!",
            "You may hear people say that {c}, but don't believe it, it's simply not right.",
            "Wait, did I think that {c}? Sorry, that was my mistake, and it isn't true.",
        ),
        conclusions=(
            "So, putting it all together, {c}.",
            "So there you have it: {c}!",
            "And that's how we know that {c}.",
        ),
        ends_yes=(
            "So yes, that's my answer! Hope this helps!",
            "All in all, I'd say the answer is a yes! 😊",
        ),
        ends_no=(
            "So no, that's my answer! Hope this helps!",
            "All in all, I'd say the answer is a no! 🙂",
        ),
        before=(
            "As you can see, {a} was earlier than {b}.",
            "The year {a} came along before the year {b} did.",
        ),
        not_before=(
            "As you can see, {a} wasn't earlier than {b}.",
            "The year {a} did not come along before the year {b}.",
        ),
        inside=(
            "If you count from {a} to {b}, you will pass {n} along the way or right at the edge.",
            "The year {n} is one of the years in the stretch that goes from {a} to {b}.",
        ),
        outside=(
            "If you count from {a} to {b}, you will not come across {n}.",
            "The year {n} is not one of the years in the stretch that goes from {a} to {b}.",
        ),
        span=(
            "If you do the math, going from {a} to {b} takes {n} years.",
            "There are {n} years between {a} and {b}, if you count them up.",
        ),
    ),
)
