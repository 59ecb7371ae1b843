"""One toy's connection."""

import asyncio
import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from core.handle.sendAudioHandle import send_tts_message
from core.providers import ears
from core.utils.dialogue import Dialogue, Message
from plugins_func.loadplugins import auto_import_modules

auto_import_modules("plugins_func.functions")

hear = ears.hear


class ConnectionHandler:
    def __init__(self, llm: Any, prompt: str, device_id: str) -> None:
        self.session_id = str(uuid.uuid4())
        self.device_id, self.llm, self.prompt = device_id, llm, prompt
        self.read_config_from_api = self.need_bind = False
        self.client_abort = self.client_is_speaking = self.close_after_chat = self.closed = False
        self.current_speaker: Any = None
        self.intent_type = "function_call"
        self.sentence_id: Any = None
        self.dialogue = Dialogue()
        self.executor = ThreadPoolExecutor(max_workers=5)
        self.loop = asyncio.get_running_loop()
        # What was sent to the toy, and the queued sentences; a test decides when one was played.
        self.sent: list[tuple[str, Any]] = []
        self.waiting: list[str] = []
        self.played = asyncio.Event()
        self.answered = asyncio.Event()

    def _initialize_components(self) -> None:
        self.change_system_prompt(self.prompt)

    def change_system_prompt(self, prompt: str) -> None:
        self.prompt = prompt
        self.dialogue.update_system_message(prompt)

    def chat(self, query: Any, depth: int = 0) -> bool:
        self.sentence_id = uuid.uuid4().hex
        self.dialogue.put(Message("user", query))
        ask = self.llm.response_with_functions if self.intent_type == "function_call" else self.llm.response
        answer = "".join(ask(self.session_id, self.dialogue.get_llm_dialogue_with_memory(None, {}, None)))
        self.dialogue.put(Message("assistant", answer))
        self.say(answer)
        return True

    def say(self, text: str) -> None:
        """Queues an answer's sentences for the toy."""
        self.loop.call_soon_threadsafe(self._queue, re.split(r"(?<=[.!?])\s+", text))

    def _queue(self, sentences: list[str]) -> None:
        self.waiting, self.played = sentences, asyncio.Event()
        self.answered.set()

    async def play(self, sentences: int = 100) -> None:
        """Plays this many sentences; the last one is still being spoken."""
        for _ in range(min(sentences, len(self.waiting))):
            await send_tts_message(self, "sentence_start", self.waiting.pop(0))

    async def play_all(self) -> None:
        await self.play()
        self.played.set()
        await send_tts_message(self, "stop")
        if self.close_after_chat:
            await self.close()

    async def close(self, ws: Any = None) -> None:
        self.closed = True
        self.executor.shutdown(wait=False)
