"""Sends messages to the toy."""

from typing import Any


async def send_tts_message(conn: Any, state: str, text: Any = None) -> None:
    if state == "stop":
        await conn.played.wait()
        conn.client_is_speaking = False
    conn.sent.append((state, text))


async def send_stt_message(conn: Any, text: str) -> None:
    conn.client_is_speaking = True
    await send_tts_message(conn, "start")
