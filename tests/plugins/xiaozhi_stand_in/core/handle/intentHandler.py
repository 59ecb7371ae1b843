"""Sentences that are spoken without calling the model."""

from typing import Any

from core.utils.dialogue import Message


def speak_txt(conn: Any, text: str) -> None:
    conn.say(text)
    conn.dialogue.put(Message("assistant", text))
