"""Run by the Python of an environment that has `openai`: asks a server's OpenAI routes, prints what came back as JSON.

python openai_client.py http://127.0.0.1:8081
"""

import json
import sys

from openai import APIStatusError, OpenAI

MESSAGES = [{"role": "user", "content": "hello"}]


def main(url: str) -> None:
    client = OpenAI(base_url=f"{url}/echo/v1", api_key="none", max_retries=0, timeout=20)
    full = OpenAI(base_url=f"{url}/full/v1", api_key="none", max_retries=0, timeout=20)
    found: dict[str, object] = {"models": [model.id for model in client.models.list()]}
    whole = client.chat.completions.create(model="tgi", messages=MESSAGES, temperature=0)
    found["chat"] = [whole.choices[0].message.content, whole.choices[0].finish_reason, whole.usage.total_tokens]
    chunks = list(
        client.chat.completions.create(
            model="tgi", messages=MESSAGES, temperature=0, stream=True, stream_options={"include_usage": True}
        )
    )
    found["stream"] = "".join(chunk.choices[0].delta.content for chunk in chunks if chunk.choices)
    found["usage"] = chunks[-1].usage.total_tokens
    plain = client.completions.create(model="tgi", prompt=["hello", "world"], temperature=0)
    found["plain"] = sorted([choice.index, choice.text, choice.finish_reason] for choice in plain.choices)
    parts = list(client.completions.create(model="tgi", prompt="hello", temperature=0, stream=True))
    found["parts"] = ["".join(part.choices[0].text for part in parts), parts[-1].choices[0].finish_reason]
    found["errors"] = []
    for asked in (lambda: full.chat.completions.create(model="tgi", messages=MESSAGES),
                  lambda: client.chat.completions.create(model="tgi", messages=MESSAGES, top_p=2)):  # fmt: skip
        try:
            asked()
        except APIStatusError as error:
            found["errors"].append([type(error).__name__, error.status_code, error.body])
    try:
        list(full.chat.completions.create(model="tgi", messages=MESSAGES, stream=True))
    except Exception as error:
        found["errors"].append([type(error).__name__, str(error)])
    sys.stdout.write(json.dumps(found))


main(sys.argv[1])
