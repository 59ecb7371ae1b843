"""The child speaks into an answer."""

from typing import Any


async def handleAbortMessage(conn: Any) -> None:  # noqa: N802
    conn.close_after_chat = False
    conn.client_abort = True
    conn.client_is_speaking = False
    conn.waiting.clear()
    conn.played.set()
    conn.sent.append(("stop", None))
