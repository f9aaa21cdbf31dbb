"""Run by the Python of an environment that has `text-generation`: asks a server, prints what came back as JSON.

python text_generation_client.py http://127.0.0.1:8081
"""

import asyncio
import json
import sys

from text_generation import AsyncClient, Client
from text_generation.errors import OverloadedError, ValidationError


def main(url: str) -> None:
    client, full = Client(f"{url}/echo", timeout=20), Client(f"{url}/full", timeout=20)
    found = {}
    answer = client.generate("hello", max_new_tokens=400)
    found["text"] = answer.generated_text
    found["reason"] = answer.details.finish_reason.value
    found["tokens"] = [answer.details.generated_tokens, len(answer.details.tokens)]
    found["default"] = client.generate("hello").details.generated_tokens
    found["seed"] = client.generate("hello", do_sample=True, seed=7).details.seed
    chunks = list(client.generate_stream("hello", max_new_tokens=400))
    found["stream"] = "".join(chunk.token.text for chunk in chunks if not chunk.token.special)
    found["end"] = [chunks[-1].generated_text, chunks[-1].details.finish_reason.value]
    found["errors"] = []
    for who, prompt in ((full, "hello"), (client, "word " * 1500)):
        try:
            who.generate(prompt)
        except (OverloadedError, ValidationError) as error:
            found["errors"].append([type(error).__name__, str(error)])
    try:
        list(full.generate_stream("hello"))
    except OverloadedError as error:
        found["errors"].append(["stream", str(error)])
    chat = client.chat(messages=[{"role": "user", "content": "hello"}], temperature=0.0, max_tokens=400)
    found["chat"] = [chat.choices[0].message.content, chat.choices[0].finish_reason]

    async def several() -> list[str]:
        asynchronous = AsyncClient(f"{url}/echo", timeout=20)
        answers = await asyncio.gather(*(asynchronous.generate("hello", max_new_tokens=400) for _ in range(8)))
        return [each.generated_text for each in answers]

    found["several"] = asyncio.run(several())
    sys.stdout.write(json.dumps(found))


main(sys.argv[1])
