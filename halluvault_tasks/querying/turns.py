"""What a prompt is asked next, and what a reply means for it: the same in a lane as in a batch."""

from halluvault_tasks.querying import conversation, guides
from halluvault_tasks.querying.feed import PromptWork
from halluvault_tasks.querying.replica import PromptOutcome
from halluvault_tasks.querying.replies import Client, Reply
from halluvault_tasks.querying.verify import Behaviour


async def ask(client: Client, work: PromptWork, behaviour: Behaviour | None, verdict_tokens: int | None) -> Reply:
    """Send the next turn of a conversation, or the plain prompt.

    Args:
        client: of the model.
        work: the prompt, with the replies to its turns so far.
        behaviour: what the model was seen to do: turns that require a form are sent with a grammar if it obeys one.
        verdict_tokens: new tokens of a turn that requires a form; None: as many as the form needs.

    Raises:
        Failure: no reply came.
    """
    item = work.item
    if not item.turns:
        return await client.complete(item.text, seed=item.seed, patience=work.patience)
    guide = conversation.guide(item.turns, len(work.replies))
    held = guides.bound(guide, behaviour, verdict_tokens)
    messages = conversation.messages(item.turns, work.replies)
    return await client.chat(messages, *(held or ()), seed=item.seed, patience=work.patience)


def words(work: PromptWork) -> str:
    """All that its next turn sends, as one text."""
    if not work.item.turns:
        return work.item.text
    return "\n".join(message["content"] for message in conversation.messages(work.item.turns, work.replies))


def take(work: PromptWork, reply: Reply) -> PromptOutcome | None:
    """What a reply makes of a prompt; None: it is to be asked again, with more room or for its next turn."""
    if reply.cut_in_thought and work.cut is None:
        work.cut = reply
        return None
    work.replies.append(reply)
    if conversation.over(work.item.turns, work.replies):
        return PromptOutcome(work, conversation.total(work.replies), "")
    work.fresh()
    return None
