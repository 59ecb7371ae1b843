"""The gateway of a real server, for its clients' tests: keys, transcripts, and what the upstream got."""

from __future__ import annotations

import contextlib
import json
import urllib.request
from typing import Any

from conftest import Server, until
from upstream import Upstream

OWN_PROMPT = "You are a pirate."
QUESTIONS = ("Why is the sea salty?", "Do fish drink it?", "Do whales?")
ANSWERS = ("Rivers carry salt into it.", "Yes, they do. 🐟", "They get water from what they eat.")
THREE_TURNS = (
    ("child", QUESTIONS[0]),
    ("assistant", ANSWERS[0]),
    ("child", QUESTIONS[1]),
    ("assistant", ANSWERS[1]),
    ("child", QUESTIONS[2]),
    ("assistant", ANSWERS[2], "generated"),
)


class Gateway:
    """A server with keys for its gateway."""

    def __init__(self, server: Server, upstream: Upstream) -> None:
        self.server = server
        self.upstream = upstream
        self._plugin_keys: dict[int, str] = {}
        for child in (1, 2):
            server.block("Ghosts", child=child)

    def key(self, upstream: str, *children: int) -> str:
        """Adds a key for children, by default the first one, with the scripted server as "openai" or "ollama"."""
        url = [f"{self.upstream.url}/v1"] if upstream == "openai" else [self.upstream.url, "--ollama"]
        self.server.run("upstream", "add", upstream, "--url", *url)
        chosen = [part for child in children or (1,) for part in ("--child", str(child))]
        added = self.server.run("--json", "assistant", "add", "tablet", *chosen, "--upstream", upstream)
        return str(json.loads(added)["key"])

    def options(self, *children: int) -> dict[str, Any]:
        """The arguments of OpenAI's clients."""
        return self.with_key(self.key("openai", *children))

    def with_key(self, key: str) -> dict[str, Any]:
        return {"base_url": f"{self.server.url}/gateway/v1", "api_key": key, "max_retries": 0}

    def rules(self, child: int) -> str:
        # A gateway's key is not accepted by the assistants' API, so this needs a plug-in's key.
        if child not in self._plugin_keys:
            self._plugin_keys[child] = self.server.key(f"plug-in {child}", child)
        request = urllib.request.Request(  # noqa: S310
            f"{self.server.url}/api/assistant/child/{child}/rules",
            headers={"Authorization": f"Bearer {self._plugin_keys[child]}"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return str(json.load(answer)["instructions"])

    def transcript(self, child: int = 1) -> list[tuple[str, ...]]:
        """The speaker, the text as far as it was heard, and the marks of what was said and of the apps' own requests."""
        messages = self.server.messages(child)
        return [_row(one) for one in messages if one.get("kind") in (None, "background")]

    def shows(self, *expected: tuple[str, ...], child: int = 1) -> None:
        """Checks the transcript, the prompts that the upstream got, and the receipts of the rules."""
        with contextlib.suppress(AssertionError):
            until(lambda: self.transcript(child) == list(expected), seconds=10)
        assert self.transcript(child) == list(expected)
        rules, prompts = self.rules(child), self.upstream.prompts
        assert '"Ghosts"' in rules
        assert prompts and all(prompt.endswith(rules) for prompt in prompts)
        receipts = self.server.receipts(child)
        assert receipts and set(receipts) == {("added", None)}


def _row(message: dict[str, Any]) -> tuple[str, ...]:
    text = message["text_content"]
    if message.get("event_type") == "tool_call":
        text = f"[tool: {text.split()[0]}]"
    if "heard" in message:
        text = text.encode("utf-16-le")[: 2 * message["heard"]].decode("utf-16-le")
    marks = [mark for mark in ("interrupted", "generated") if message.get(mark)]
    return (message["source"], text, *marks, *filter(None, [message.get("kind")]))
