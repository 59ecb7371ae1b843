"""The conversation so far, as the model gets it."""

from typing import Any


class Message:
    def __init__(self, role: str, content: str) -> None:
        self.role, self.content = role, content


class Dialogue:
    def __init__(self) -> None:
        self.dialogue: list[Message] = []

    def put(self, message: Message) -> None:
        self.dialogue.append(message)

    def update_system_message(self, content: str) -> None:
        self.dialogue = [Message("system", content), *(one for one in self.dialogue if one.role != "system")]

    def get_llm_dialogue_with_memory(
        self, memory_str: Any = None, voiceprint_config: Any = None, current_speaker: Any = None
    ) -> list[dict[str, str]]:
        return [{"role": one.role, "content": one.content} for one in self.dialogue]
