"""Begins a turn."""

import json
from typing import Any

from core.handle.abortHandle import handleAbortMessage
from core.handle.sendAudioHandle import send_stt_message


async def startToChat(conn: Any, text: str) -> None:  # noqa: N802
    if text.startswith("{"):
        conn.current_speaker = json.loads(text)["speaker"]
    if conn.client_is_speaking:
        await handleAbortMessage(conn)
    await send_stt_message(conn, text)
    conn.client_abort = False
    conn.executor.submit(conn.chat, text)
