"""The form: an address and a key, which are checked at once, and then the child and the agent to wrap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import voluptuous as vol
from homeassistant.components.conversation.const import HOME_ASSISTANT_AGENT
from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult, OptionsFlow, OptionsFlowWithReload
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry, entity_registry, selector
from porchlight_shared.http_client import ADDRESS, HttpClient, Notices

from . import CONF_AGENT, CONF_CHILD, CONF_LEAVE_OUT, CONF_SATELLITES, CONF_WITHOUT_RULES, DOMAIN, NOBODY, settings_of

PASSWORD = selector.TextSelector(selector.TextSelectorConfig(type=selector.TextSelectorType.PASSWORD))
ERRORS = {0: "cannot_connect", 401: "invalid_auth", 403: "not_an_assistant", 421: "wrong_host", 429: "too_many"}


class ClockNotices(Notices):
    """Records whether the clocks differ, which the form shows."""

    clock_is_off = False

    def say(self, about: str, line: str) -> None:
        """Keeps the notice instead of logging it."""
        self.clock_is_off = self.clock_is_off or about == "clock"


class Checked:
    """The server's answer about a key."""

    def __init__(self, error: str | None, assistant: str = "", children: dict[str, str] | None = None) -> None:
        self.error, self.assistant, self.children = error, assistant, children or {}

    def unique_id(self, child: str) -> str:
        """The entry's id: an assistant and a child, whatever the key and the address are."""
        return f"{self.assistant}-{child}"


async def check(hass: HomeAssistant, data: Mapping[str, Any]) -> Checked:
    """Checks the key, and asks the server for its assistant and children."""
    settings = settings_of(hass, dict(data))
    if not settings.usable_key:
        return Checked("invalid_auth")
    notices = ClockNotices()

    def ask() -> Checked:
        try:
            answer = HttpClient(settings, notices).call("GET", "", timeout=10.0)
        except ValueError:  # no address at all
            return Checked("cannot_connect")
        listed = (answer.body or {}).get("children")
        if answer.status != 200 or not isinstance(listed, list):
            return Checked(ERRORS.get(answer.status, "not_porchlight"))
        if notices.clock_is_off:
            return Checked("clock")
        children = {str(one["child_id"]): str(one["name"]) for one in listed}
        return Checked(None if children else "no_children", str((answer.body or {}).get("assistant_id", "")), children)

    return await hass.async_add_executor_job(ask)


def places(data: Mapping[str, Any]) -> dict[str, str]:
    """The placeholders in the texts of the form."""
    url = str(data.get(CONF_URL, ""))
    try:
        host = urlsplit(url if "://" in url else f"http://{url}").hostname or url
    except ValueError:
        host = url
    return {"url": url, "host": host}


def connection_form(data: Mapping[str, Any]) -> vol.Schema:
    """The address and the key. A key is never shown again."""
    return vol.Schema({vol.Required(CONF_URL, default=data.get(CONF_URL, ADDRESS)): str, vol.Required(CONF_API_KEY): PASSWORD})


def child_form(hass: HomeAssistant, children: dict[str, str], chosen: Mapping[str, Any]) -> vol.Schema:
    """The child, the agent, and what to do without rules."""
    child = str(chosen.get(CONF_CHILD, next(iter(children))))
    names = [selector.SelectOptionDict(value=number, label=name) for number, name in children.items()]
    own = own_agents(hass)
    agents = selector.EntitySelector(selector.EntitySelectorConfig(domain="conversation", exclude_entities=own))
    # A language model by default, if there is one: Home Assistant's own agent has no prompt for the rules.
    others = [agent for agent in hass.states.async_entity_ids("conversation") if agent not in (*own, HOME_ASSISTANT_AGENT)]
    agent = chosen.get(CONF_AGENT, next(iter(others), HOME_ASSISTANT_AGENT))
    choices = selector.SelectSelector(
        selector.SelectSelectorConfig(options=["talk", "silent"], translation_key="without_rules", mode=selector.SelectSelectorMode.LIST)
    )
    return vol.Schema(
        {
            vol.Required(CONF_CHILD, default=child): selector.SelectSelector(selector.SelectSelectorConfig(options=names)),
            vol.Required(CONF_AGENT, default=agent): agents,
            vol.Required(CONF_WITHOUT_RULES, default=chosen.get(CONF_WITHOUT_RULES, "talk")): choices,
            vol.Required(CONF_LEAVE_OUT, default=chosen.get(CONF_LEAVE_OUT, True)): selector.BooleanSelector(),
        }
    )


def satellite_form(children: dict[str, str], chosen: str) -> vol.Schema:
    """The form that asks which child uses a satellite."""
    names = [selector.SelectOptionDict(value=number, label=name) for number, name in children.items()]
    names.append(selector.SelectOptionDict(value=NOBODY, label="Nobody: nothing said there is kept"))
    return vol.Schema({vol.Required(CONF_CHILD, default=chosen): selector.SelectSelector(selector.SelectSelectorConfig(options=names))})


def satellites_of(hass: HomeAssistant) -> dict[str, str]:
    """The names of the voice satellites, by device."""
    devices, found = device_registry.async_get(hass), dict[str, str]()
    for entity in entity_registry.async_get(hass).entities.values():
        device = devices.async_get(entity.device_id) if entity.domain == "assist_satellite" and entity.device_id else None
        if device is not None:
            found[device.id] = device.name_by_user or device.name or entity.entity_id
    return dict(sorted(found.items(), key=lambda one: one[1]))


class Choices:
    """The settings chosen so far: first those of the entry, then the child of each satellite."""

    def __init__(self, children: dict[str, str], chosen: dict[str, Any], satellites: dict[str, str], before: Mapping[str, Any]) -> None:
        self._children, self._before = children, before
        self.options: dict[str, Any] = {**chosen, CONF_SATELLITES: {}}
        self._left = list(satellites.items())

    def next_form(self, user_input: dict[str, Any] | None) -> dict[str, Any] | None:
        """Stores the answer about a satellite, if there is one, and returns the form of the next; None after the last one."""
        if user_input is not None:
            device, _ = self._left.pop(0)
            self.options[CONF_SATELLITES][device] = user_input[CONF_CHILD]
        if not self._left:
            return None
        device, name = self._left[0]
        chosen = str(self._before.get(CONF_SATELLITES, {}).get(device, self.options[CONF_CHILD]))
        known = chosen if chosen in self._children else NOBODY
        return {
            "step_id": "satellite",
            "data_schema": satellite_form(self._children, known),
            "description_placeholders": {"satellite": name},
        }


def title_of(checked: Checked, chosen: Mapping[str, Any]) -> str:
    """The entry's title, and so its agent's name."""
    return f"Porchlight for {checked.children[chosen[CONF_CHILD]]}"


def is_taken(hass: HomeAssistant, unique_id: str, entry: ConfigEntry) -> bool:
    """Whether another entry has this id."""
    other = hass.config_entries.async_entry_for_domain_unique_id(DOMAIN, unique_id)
    return other is not None and other.entry_id != entry.entry_id


def own_agents(hass: HomeAssistant) -> list[str]:
    """Porchlight's own agents, which can't be wrapped: an agent that calls itself would never answer."""
    return [one.entity_id for one in entity_registry.async_get(hass).entities.values() if one.platform == DOMAIN]


class PorchlightConfigFlow(ConfigFlow, domain=DOMAIN):
    """Connects a key and a child."""

    VERSION = 1

    def __init__(self) -> None:
        self._data: dict[str, Any] = {}
        self._checked = Checked(None)
        self._choices = Choices({}, {}, {}, {})

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """The child and the agent can be changed later."""
        return PorchlightOptionsFlow()

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The address and the key."""
        errors: dict[str, str] = {}
        if user_input is not None:
            self._data, self._checked = user_input, await check(self.hass, user_input)
            if self._checked.error is None:
                return await self.async_step_child()
            errors["base"] = self._checked.error
        form = connection_form(user_input or {})
        return self.async_show_form(step_id="user", data_schema=form, errors=errors, description_placeholders=places(user_input or {}))

    async def async_step_child(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The child and the agent."""
        if user_input is None:
            form = child_form(self.hass, self._checked.children, {})
            return self.async_show_form(step_id="child", data_schema=form)
        await self.async_set_unique_id(self._checked.unique_id(user_input[CONF_CHILD]))
        self._abort_if_unique_id_configured()
        self._choices = Choices(self._checked.children, user_input, satellites_of(self.hass), {})
        return await self.async_step_satellite()

    async def async_step_satellite(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Which child uses each satellite, or nobody in particular, as with a speaker in the kitchen."""
        form = self._choices.next_form(user_input)
        if form is not None:
            return self.async_show_form(**form)
        options = self._choices.options
        return self.async_create_entry(title=title_of(self._checked, options), data=self._data, options=options)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The key was refused."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """A new key."""
        entry = self._get_reauth_entry()
        data = {**entry.data, **(user_input or {})}
        error, unique_id = await self._check(entry, data) if user_input else (None, "")
        if user_input and error is None:
            return self.async_update_reload_and_abort(entry, data=data, unique_id=unique_id)
        form = vol.Schema({vol.Required(CONF_API_KEY): PASSWORD})
        errors = {"base": error} if error else {}
        return self.async_show_form(step_id="reauth_confirm", data_schema=form, errors=errors, description_placeholders=places(data))

    async def async_step_reconfigure(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Another address, or a key that was rotated."""
        entry = self._get_reconfigure_entry()
        error, unique_id = await self._check(entry, user_input) if user_input else (None, "")
        if user_input and error is None:
            return self.async_update_reload_and_abort(entry, data=user_input, unique_id=unique_id)
        data = user_input or entry.data
        errors = {"base": error} if error else {}
        form = connection_form(data)
        return self.async_show_form(step_id="reconfigure", data_schema=form, errors=errors, description_placeholders=places(data))

    async def _check(self, entry: ConfigEntry, data: Mapping[str, Any]) -> tuple[str | None, str]:
        """What is wrong with a new address or key, and the entry's id with it. The key may be another assistant's: the earlier one was
        revoked, perhaps."""
        checked, child = await check(self.hass, data), str(entry.options[CONF_CHILD])
        unique_id = checked.unique_id(child)
        if checked.error is None and child not in checked.children:
            return "other_child", unique_id
        if checked.error is None and is_taken(self.hass, unique_id, entry):
            return "taken", unique_id
        return checked.error, unique_id


class PorchlightOptionsFlow(OptionsFlowWithReload):
    """Changes the child, the agent, and the child of each satellite."""

    def __init__(self) -> None:
        self._checked = Checked(None)
        self._choices = Choices({}, {}, {}, {})

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The same form as at the beginning."""
        self._checked = await check(self.hass, self.config_entry.data)
        if self._checked.error is not None:
            return self.async_abort(reason="cannot_connect")
        if user_input is not None:
            if is_taken(self.hass, self._checked.unique_id(user_input[CONF_CHILD]), self.config_entry):
                return self.async_abort(reason="already_configured")
            before = self.config_entry.options
            self._choices = Choices(self._checked.children, user_input, satellites_of(self.hass), before)
            return await self.async_step_satellite()
        form = child_form(self.hass, self._checked.children, self.config_entry.options)
        return self.async_show_form(step_id="init", data_schema=form)

    async def async_step_satellite(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The same as at the beginning."""
        form = self._choices.next_form(user_input)
        if form is not None:
            return self.async_show_form(**form)
        entry, options = self.config_entry, self._choices.options
        # The agent is named after the child. The name may have changed alone, which isn't a change of the options.
        title, unique_id = title_of(self._checked, options), self._checked.unique_id(options[CONF_CHILD])
        is_renamed = self.hass.config_entries.async_update_entry(entry, title=title, unique_id=unique_id)
        if is_renamed and options == entry.options:
            self.hass.config_entries.async_schedule_reload(entry.entry_id)
        return self.async_create_entry(data=options)
