"""What helps whoever looks for a fault. It has no word, name, key or address, so it can be shown to anybody."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry
from porchlight_shared.http_client import USER_AGENT

from . import CONF_AGENT, CONF_LEAVE_OUT, CONF_SATELLITES, CONF_WITHOUT_RULES, NOBODY, PorchlightEntry
from .entity import watcher_of


async def async_get_config_entry_diagnostics(hass: HomeAssistant, entry: PorchlightEntry) -> dict[str, Any]:
    """The settings and the state of an entry."""
    porchlight, status, options = entry.runtime_data, watcher_of(entry).status(), entry.options
    queue = porchlight.queue
    agent = entity_registry.async_get(hass).async_get(options[CONF_AGENT])
    satellites = list(options.get(CONF_SATELLITES, {}).values())
    return {
        "plugin": USER_AGENT,
        "https": urlsplit(entry.data[CONF_URL]).scheme == "https",
        "wrapped_agent": agent.platform if agent is not None else None,
        "without_rules": options.get(CONF_WITHOUT_RULES),
        "leave_out_commands": options.get(CONF_LEAVE_OUT),
        "satellites": len(satellites),
        "satellites_of_nobody": satellites.count(NOBODY),
        "server_answers": status.answers,
        "rules_fetched": status.rules.version is not None,
        "undelivered": await hass.async_add_executor_job(queue.count) if queue is not None else None,
        "problems": porchlight.notices.standing,
    }
