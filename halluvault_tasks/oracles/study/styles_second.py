"""Voices of the second set. Written without a look at lexicon, aliases or any oracle's phrase lists."""

from halluvault_tasks.oracles.study.phrases_second import WORDS
from halluvault_tasks.oracles.study.style import Style

STYLES: tuple[Style, ...] = (
    Style(
        name="concise",
        voice=0,
        words=WORDS,
        yes=("Yes.", "**Yes.**", "Answer: yes.", "Yes, it is a clear yes."),
        no=("No.", "**No.**", "Answer: no.", "No, it is a clear no."),
        dont_know=(
            "I don't know.",
            "Unknown to me.",
            "I lack the information to say either way.",
            "I'm not able to determine the answer.",
        ),
        refusal=(
            "I won't answer this.",
            "I decline to respond to this.",
            "Sorry, I can't help with that request.",
        ),
        restating=("Your question: {q}", "Asked: {q}"),
        list_head=("Key points:", "Facts:", "Reasons:"),
        bullet="- ",
        table_head=("Subject", "Property", "Value"),
        joins=("", "", "Also,", "And"),
        asides=(
            "Side note: {c}.",
            "Also, though unrelated, {c}.",
            "For reference, {c}.",
        ),
        doubts=(
            "Possibly {c}; unverified.",
            "Maybe {c}, but I'm unsure.",
            "It might be that {c}; I can't confirm it.",
        ),
        taken_back=(
            "The claim that {c} is untrue.",
            'Correction: I take back the statement that "{c}"; it is wrong.',
            "Some say that {c}; that is incorrect.",
        ),
        conclusions=("So {c}.", "Hence, {c}.", "Result: {c}."),
        ends_yes=("So: yes.", "Final answer: yes.", "In short, yes."),
        ends_no=("So: no.", "Final answer: no.", "In short, no."),
        before=("{a} is before {b}.", "{a} precedes {b}.", "{a} < {b}."),
        not_before=("{a} is not before {b}.", "{a} does not precede {b}."),
        inside=("{n} is within {a}–{b}.", "{n} falls between {a} and {b}."),
        outside=(
            "{n} is not within {a}–{b}.",
            "{n} does not fall between {a} and {b}.",
        ),
        span=("{a} to {b} is {n} years.", "{b} minus {a} is {n} years."),
    ),
    Style(
        name="explainer",
        voice=1,
        words=WORDS,
        yes=(
            "The answer is **yes**. Let me walk through the reasoning step by step.",
            "Yes. Here is how I arrive at that answer.",
            "### Answer\n\n**Yes**, and here is why.",
            "Let's work through this carefully. In short, the answer to the question is yes.",
        ),
        no=(
            "The answer is **no**. Let me walk through the reasoning step by step.",
            "No. Here is how I arrive at that answer.",
            "### Answer\n\n**No**, and here is why.",
            "Let's work through this carefully. In short, the answer to the question is no.",
        ),
        dont_know=(
            "I have thought this through, but I do not know the answer.",
            "To answer this, I would need facts that I don't have, so I can't say yes or no.",
            "After considering the question, I am unable to tell whether the answer is yes or no.",
        ),
        refusal=(
            "I'm going to refrain from answering this question.",
            "I understand what you are asking, but this is a question I choose not to answer.",
            "I'm sorry, but I am not willing to give an answer here.",
        ),
        restating=(
            "First, let's restate the question: {q}",
            "We are asked the following: {q}",
            "Let's begin with what needs to be determined: {q}",
        ),
        list_head=(
            "Let's go through the relevant facts one at a time:",
            "Here is the reasoning, step by step:",
        ),
        bullet="{i}. ",
        table_head=("What we look at", "What we ask about it", "What we find"),
        joins=("", "Next,", "In addition,", "We also know that", "Furthermore,"),
        asides=(
            "As an additional detail that does not affect the answer, {c}.",
            "It may be interesting to know that {c}, although this plays no role in the reasoning.",
            "Before moving on, I will mention in passing that {c}.",
        ),
        doubts=(
            "I have a faint recollection that {c}, but I am not certain enough to rely on it.",
            "It is conceivable that {c}, although I cannot say whether this is really so.",
            "One open point is whether {c}; I am unable to settle this.",
        ),
        taken_back=(
            "At first glance one might assume that {c}, but this assumption is wrong.",
            "Earlier I was working on the basis that {c}; on closer inspection, that was a mistake, and I withdraw it.",
            "A common error at this step is to believe that {c}. That belief is false.",
        ),
        conclusions=(
            "Putting these steps together, we can conclude that {c}.",
            "It follows from the above that {c}.",
            "Therefore, {c}.",
        ),
        ends_yes=(
            "Having gone through all the steps, we see that the answer is yes.",
            "**Conclusion:** Yes.",
            "This means the question has to be answered with yes.",
        ),
        ends_no=(
            "Having gone through all the steps, we see that the answer is no.",
            "**Conclusion:** No.",
            "This means the question has to be answered with no.",
        ),
        before=(
            "Comparing the two years, we see that {a} is earlier than {b}.",
            "If we put the dates in order, {a} comes first and {b} comes after it.",
        ),
        not_before=(
            "Comparing the two years, we see that {a} is not earlier than {b}.",
            "If we put the dates in order, {a} does not come ahead of {b}.",
        ),
        inside=(
            "Checking the range, we find that {n} lies within the period from {a} to {b}.",
            "The period runs from {a} to {b}, and the year {n} is part of it.",
        ),
        outside=(
            "Checking the range, we find that {n} does not lie within the period from {a} to {b}.",
            "The period runs from {a} to {b}, and the year {n} is not part of it.",
        ),
        span=(
            "Counting from {a} to {b}, we get {n} years.",
            "If we subtract {a} from {b}, we obtain a difference of {n} years.",
        ),
    ),
    Style(
        name="encyclopedia",
        voice=2,
        words=WORDS,
        yes=(
            "The question can be answered in the affirmative.",
            "According to the established facts, the answer is yes.",
            "An affirmative answer, that is, yes, is supported by the historical and scientific record.",
        ),
        no=(
            "The question must be answered in the negative.",
            "According to the established facts, the answer is no.",
            "A negative answer, that is, no, is supported by the historical and scientific record.",
        ),
        dont_know=(
            "No reliable information on this matter is available to this assistant, and the answer remains unknown.",
            "Whether this is the case is not known to the author of this response.",
            "The available knowledge does not permit an answer to this question in either direction.",
        ),
        refusal=(
            "An answer to this question cannot be provided here, as a matter of policy.",
            "This response abstains from taking any position on the question.",
            "No answer will be offered to this question.",
        ),
        restating=(
            "The subject under consideration is expressed by the question: {q}",
            'The question at issue reads as follows: "{q}"',
        ),
        list_head=(
            "The following facts are relevant:",
            "The main facts can be summarised as follows:",
        ),
        bullet="* ",
        table_head=("Entity", "Attribute", "Entry"),
        joins=(
            "",
            "Moreover,",
            "In the same context,",
            "According to standard references,",
        ),
        asides=(
            "It is also on record that {c}.",
            "Separately from the matter discussed here, {c}.",
            "Among other documented facts, {c}.",
        ),
        doubts=(
            "Whether {c} remains uncertain.",
            "It has been suggested that {c}, but there is insufficient evidence to accept or reject this.",
            "There are unconfirmed reports that {c}, which cannot be verified here.",
        ),
        taken_back=(
            "The belief that {c} is a misconception and has been refuted.",
            "Although it is occasionally stated that {c}, this statement is erroneous.",
            "The assertion that {c} does not correspond to the facts.",
        ),
        conclusions=(
            "On the basis of this evidence, {c}.",
            "Consequently, it is established that {c}.",
            "Taken together, these facts show that {c}.",
        ),
        ends_yes=(
            "The question is thus resolved in the affirmative.",
            "In summary, the correct answer to the question is yes.",
            "Overall, the record yields a positive answer: yes.",
        ),
        ends_no=(
            "The question is thus resolved in the negative.",
            "In summary, the correct answer to the question is no.",
            "Overall, the record yields a negative answer: no.",
        ),
        before=(
            "Chronologically, the year {a} precedes the year {b}.",
            "The year {b} is later than the year {a}.",
        ),
        not_before=(
            "Chronologically, the year {a} does not precede the year {b}.",
            "The year {b} is not later than the year {a}.",
        ),
        inside=(
            "The year {n} belongs to the interval that extends from {a} to {b}.",
            "The interval between {a} and {b}, both years included, encompasses the year {n}.",
        ),
        outside=(
            "The year {n} does not belong to the interval that extends from {a} to {b}.",
            "The interval between {a} and {b}, both years included, does not encompass the year {n}.",
        ),
        span=(
            "The interval from {a} to {b} amounts to {n} years.",
            "A period of {n} years separates {a} from {b}.",
        ),
    ),
    Style(
        name="friend",
        voice=3,
        words=WORDS,
        yes=(
            "Yep, the answer is yes!",
            "Great question! It's a yes from me 😊",
            "Oh, I know this one: yes!",
            "Yes indeed! Happy to tell you a bit more.",
        ),
        no=(
            "Nope, the answer is no!",
            "Great question! It's a no from me 😊",
            "Oh, I know this one: no!",
            "No, I'm afraid it's a no! Happy to tell you a bit more.",
        ),
        dont_know=(
            "Hmm, you've got me there, I honestly have no idea!",
            "Good one, but I really don't know the answer to that, sorry!",
            "I wish I could tell you, but I just don't know this one.",
        ),
        refusal=(
            "Sorry, friend, I'd rather not answer that one.",
            "I'm going to pass on this question, hope you don't mind!",
            "That's one I'd prefer to stay out of, so I won't be giving you an answer.",
        ),
        restating=(
            "So you're wondering: {q}",
            "Let me make sure I've got you right. You'd like to know: {q}",
        ),
        list_head=("Here's what I can tell you:", "Here's the scoop:"),
        bullet="• ",
        table_head=("Who or what", "What about it", "Here's the thing"),
        joins=("", "And guess what,", "Oh, and", "Plus,", "You see,"),
        asides=(
            "Fun fact: {c}!",
            "By the way, {c}.",
            "Oh, and just because I like trivia: {c}.",
        ),
        doubts=(
            "Who knows, perhaps {c}, but please don't quote me on that, it's just a guess!",
            "Could it be that {c}? I'm really not sure.",
            "My memory is fuzzy here, so I can't promise that {c}.",
        ),
        taken_back=(
            "I was about to tell you that {c}, but oops, that's just not right!",
            "You might hear people say that {c}, but don't believe them, it's a myth!",
            "Wait, did I think that {c}? My bad, that's wrong!",
        ),
        conclusions=(
            "So there you have it: {c}!",
            "Long story short, {c}.",
            "All of this tells us that {c}, pretty neat!",
        ),
        ends_yes=(
            "So yeah, it's a yes!",
            "Anyway, the answer's a yes. Let me know if you're curious about anything else!",
            "All in all, that's definitely a yes!",
        ),
        ends_no=(
            "So nope, it's a no!",
            "Anyway, the answer's a no. Let me know if you're curious about anything else!",
            "All in all, that's definitely a no!",
        ),
        before=(
            "And {a} came before {b}, of course.",
            "You get to {a} first, and only later to {b}.",
        ),
        not_before=(
            "But {a} didn't come before {b}, you know.",
            "You don't get to {a} earlier than to {b}.",
        ),
        inside=(
            "And {n} is right there in the stretch from {a} through {b}.",
            "If you start at {a} and go through to {b}, you'll come across {n} on the way.",
        ),
        outside=(
            "But {n} isn't anywhere in the stretch from {a} through {b}.",
            "If you start at {a} and go through to {b}, you won't come across {n} at all.",
        ),
        span=(
            "That's {n} years, going from {a} to {b}.",
            "Between {a} and {b} there are {n} years, if you do the math.",
        ),
    ),
)
