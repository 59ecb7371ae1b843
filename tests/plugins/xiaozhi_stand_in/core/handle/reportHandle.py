"""Reports each sentence to the console's server; in a server-only installation it returns at once."""

from typing import Any


def enqueue_asr_report(conn: Any, text: str, opus_data: Any) -> None:
    if not conn.read_config_from_api:
        return
