"""OpenAI Agents, realtime: the package's own transport, against a service on this machine."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
from conftest import Server, soon

pytest.importorskip("agents.realtime", reason="OpenAI Agents is not installed here.")

import websockets  # noqa: E402
from agents.realtime import RealtimeAgent, RealtimePlaybackTracker, RealtimeRunner  # noqa: E402
from test_openai_agents import OWN_PROMPT, SECOND, Environment, HandOut  # noqa: E402


class Service:
    """A local stand-in for OpenAI's realtime service, to which the package's own transport connects."""

    async def __aenter__(self) -> Service:
        self.got: list[dict[str, Any]] = []
        self.instructions = "You are a helpful assistant."
        self._server = await websockets.serve(self._serve, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{next(iter(self._server.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(self, *_: Any) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, connection: Any) -> None:
        self._connection = connection
        await self.tell(type="session.created", session=self._session())
        async for message in connection:
            event = json.loads(message)
            self.got.append(event)
            if event["type"] == "session.update":
                self.instructions = event["session"].get("instructions", self.instructions)
                await self.tell(type="session.updated", session=self._session())

    def _session(self) -> dict[str, Any]:
        audio = {"output": {"format": {"type": "audio/pcm", "rate": 24000}, "voice": "ash"}}
        return {"type": "realtime", "model": "gpt-realtime", "instructions": self.instructions, "audio": audio}

    async def tell(self, **event: Any) -> None:
        await self._connection.send(json.dumps({"event_id": "e", **event}))


async def test_with_the_packages_own_transport_the_rules_are_read_back_and_an_interruption_is_cut(
    server: Server, hand_out: HandOut, environment: Environment
) -> None:
    server.block("Ghosts")
    environment(server.key())
    plugin, tracker = hand_out("openai-agents", server.url), RealtimePlaybackTracker()
    async with Service() as service:
        session = await RealtimeRunner(RealtimeAgent(name="pirate", instructions=OWN_PROMPT)).run(
            model_config={"url": service.url, "api_key": "none", "playback_tracker": tracker}
        )
        conversation = plugin.watch(session)
        async with session:
            await soon(lambda: '"Ghosts"' in service.instructions, "the rules")
            child = {"id": "q", "type": "message", "role": "user", "status": "completed", "content": [{"type": "input_audio"}]}
            await service.tell(type="conversation.item.added", item=child, previous_item_id=None)
            words = {"item_id": "q", "content_index": 0, "transcript": "Count!", "usage": {"type": "duration", "seconds": 1}}
            await service.tell(type="conversation.item.input_audio_transcription.completed", **words)
            place = {"response_id": "r", "item_id": "a", "output_index": 0, "content_index": 0}
            await service.tell(type="response.created", response={"id": "r", "object": "realtime.response", "status": "in_progress"})
            await service.tell(type="response.output_audio_transcript.delta", delta="one two three four", **place)
            await service.tell(type="response.output_audio.delta", delta=base64.b64encode(SECOND * 4).decode(), **place)
            spoken = [{"type": "output_audio", "transcript": "one two three four"}]
            answer = {"id": "a", "type": "message", "role": "assistant", "status": "completed", "content": spoken}
            await service.tell(type="response.output_item.done", response_id="r", output_index=0, item=answer)
            await service.tell(type="response.done", response={"id": "r", "object": "realtime.response", "status": "completed"})
            await soon(lambda: server.texts() == ["Count!", "one two three four"], "the words")
            tracker.on_play_ms("a", 0, 2000)
            await service.tell(type="input_audio_buffer.speech_started", item_id="next", audio_start_ms=0)
            await soon(lambda: any(one["type"] == "conversation.item.truncate" for one in service.got), "the package's own cut")
            await asyncio.to_thread(server.block, "Pirates")
            await soon(lambda: "Pirates" in service.instructions, "the change")
            await soon(lambda: len(server.receipts()) >= 4, "the receipts")
        assert conversation.rules.instructions in service.instructions

    await soon(lambda: server.texts() == ["Count!", "one two"], "the cut")
    assert server.messages()[1]["interrupted"] is True
    assert server.receipts() == [("set", None), ("in_prompt", None), ("set", None), ("in_prompt", None)]
