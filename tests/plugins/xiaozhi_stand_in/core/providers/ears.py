"""Speech recognition: it imports the functions by their names, as xiaozhi's does."""

from typing import Any

from core.handle.receiveAudioHandle import startToChat
from core.handle.reportHandle import enqueue_asr_report


async def hear(conn: Any, text: str) -> None:
    enqueue_asr_report(conn, text, [])
    await startToChat(conn, text)
