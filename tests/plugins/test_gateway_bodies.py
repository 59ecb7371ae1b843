"""What the gateway sends to a model, read by the parsers of others: pydantic, Node's JSON, and a chat template of llama.cpp's.

`.ci/plugins` has the bodies written by `gateway::body::tests::schemas::bodies_are_written_for_other_parsers`, with the names in the
schemas of model servers.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed here.")
jinja2 = pytest.importorskip("jinja2", reason="Jinja is not installed here.")

SECRET = re.compile(r"secret \d+ text")

# ChatML, as in llama.cpp's models/templates and its built-in `chatml`.
TEMPLATE = (
    "{%- for message in messages -%}{{- '<|im_start|>' + message.role + '\n' -}}"
    "{%- if message.content is string -%}{{- message.content -}}"
    "{%- elif message.content is iterable -%}"
    "{%- for part in message.content -%}{%- if part is string -%}{{- part -}}"
    "{%- elif part.text -%}{{- part.text -}}{%- endif -%}{%- endfor -%}"
    "{%- endif -%}{{- '<|im_end|>\n' -}}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\n' -}}{%- endif -%}"
)


class Message(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    role: str
    content: str | list[str | dict[str, Any]] | None = None


class Request(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    messages: list[Message]


@pytest.fixture(scope="module")
def bodies() -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in Path(os.environ["GATEWAY_BODIES"]).read_text().splitlines()]
    assert len(lines) == 400
    return lines


def texts(value: object) -> set[str]:
    return set(SECRET.findall(json.dumps(value)))


def check(body: dict[str, Any], messages: list[Any]) -> None:
    """The messages as a parser read them are those that are kept, with the rules in the first system message."""
    kept = body["messages"]
    added = len(messages) - len(kept)
    assert added == (0 if any(message["role"] == "System" for message in kept) else 1)
    system = next(message for message in messages if message["role"] == "system")
    assert json.dumps(body["rules"])[1:-1] in json.dumps(system["content"])
    for own, message in zip(kept, messages[added:], strict=True):
        role = "Tool" if message["role"] == "function" else message["role"].capitalize()
        assert role == own["role"]
        assert texts(message.get("content")) <= texts(own["text"])


def test_pydantic_reads_what_is_kept(bodies: list[dict[str, Any]]) -> None:
    for body in bodies:
        request = Request.model_validate_json(body["sent"])
        check(body, [message.model_dump() for message in request.messages])
        assert texts(request.model_dump()) <= texts(body["kept"])


def test_nodes_parser_reads_what_is_kept(bodies: list[dict[str, Any]]) -> None:
    node = os.environ.get("NODE", "node")
    script = "const lines = require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean);"
    script += "for (const line of lines) console.log(JSON.stringify(JSON.parse(JSON.parse(line))));"
    sent = "\n".join(json.dumps(body["sent"]) for body in bodies)
    try:
        read = subprocess.run([node, "-e", script], input=sent, text=True, check=True, capture_output=True).stdout
    except FileNotFoundError:
        pytest.skip("Node.js is not here.")
    for body, line in zip(bodies, read.splitlines(), strict=True):
        request = json.loads(line)
        check(body, request["messages"])
        assert texts(request) <= texts(body["kept"])


def test_a_rendered_prompt_has_the_rules_and_nothing_that_is_not_kept(bodies: list[dict[str, Any]]) -> None:
    template = jinja2.Environment(autoescape=False).from_string(TEMPLATE)  # noqa: S701
    for body in bodies:
        prompt = template.render(**{"add_generation_prompt": True, **json.loads(body["sent"])})
        assert body["rules"] in prompt
        assert texts(prompt) <= texts(body["kept"])
        assert prompt.endswith("<|im_start|>assistant\n")
