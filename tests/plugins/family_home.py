"""A family's Home Assistant, the real one with its real form and assist pipeline, and a scripted agent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import BINARY, soon
from homeassistant.components import conversation
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

OWN_PROMPT = "You are a pirate."
AGENT = "conversation.scripted"


class ScriptedAgent(conversation.ConversationEntity):
    """A family's own agent, written like real ones, with a scripted model."""

    _attr_name = "Scripted"
    _attr_unique_id = "scripted"
    entity_id = AGENT
    supported_languages = "*"
    _attr_supports_streaming = True

    def __init__(self, *, drops: bool = False) -> None:
        self.prompts: list[str] = []
        # What the model got with each sentence, beside the prompt.
        self.histories: list[list[str]] = []
        self._drops = drops
        # The tool that the model uses before it answers a sentence.
        self.tools: dict[str, str] = {}
        self.fails_at = ""

    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        extra = None if self._drops else user_input.extra_system_prompt
        await chat_log.async_provide_llm_data(user_input.as_llm_context("scripted"), None, OWN_PROMPT, extra)
        self.prompts.append(chat_log.content[0].content or "")
        self.histories.append([getattr(one, "content", None) or "" for one in chat_log.content[1:]])
        tool = self.tools.get(user_input.text)
        if tool is not None:
            call = llm.ToolInput(tool_name=tool, tool_args={}, external=True)
            chat_log.async_add_assistant_content_without_tools(conversation.AssistantContent(self.entity_id, tool_calls=[call]))
        if user_input.text == self.fails_at:
            raise HomeAssistantError("the model is away")

        async def words() -> AsyncIterator[Any]:
            yield {"role": "assistant"}
            for word in ("Ahoy: ", user_input.text):
                yield {"content": word}

        async for _ in chat_log.async_add_delta_content_stream(self.entity_id, words()):
            pass
        return conversation.async_get_result_from_chat_log(user_input, chat_log)


@pytest.fixture(autouse=True)
def sockets(socket_enabled: None) -> None:
    """Allows connections to the real server on this machine."""


@pytest.fixture
def component(tmp_path: Path, hass: HomeAssistant, enable_custom_integrations: None) -> Iterator[Callable[[str], None]]:
    """Installs the plug-in in Home Assistant's folder."""

    def install(url: str) -> None:
        folder = tmp_path / "config"
        subprocess.run(
            [BINARY, "--json", "assistant", "plugin", "home-assistant", "--output", str(folder), "--public-url", url],
            check=True,
            capture_output=True,
        )
        (folder / "custom_components/__init__.py").touch()
        hass.config.config_dir = str(folder)
        sys.path.insert(0, str(folder))

    def forget() -> None:
        for name in [name for name in sys.modules if name.split(".")[0] == "custom_components"]:
            del sys.modules[name]

    path = list(sys.path)
    forget()
    yield install
    sys.path[:] = path
    forget()


class Home:
    """A family's Home Assistant."""

    def __init__(self, hass: HomeAssistant, client: Any, agent: ScriptedAgent) -> None:
        self.hass, self.agent, self._client = hass, agent, client
        self.entries: list[ConfigEntry] = []
        # What reached the voice of the last answer while it still arrived.
        self.streamed: list[str] = []

    async def form(self, url: str, key: str) -> Any:
        begun = await self.hass.config_entries.flow.async_init("porchlight", context={"source": SOURCE_USER})
        return await self.hass.config_entries.flow.async_configure(begun["flow_id"], {"url": url, "api_key": key})

    async def answers_itself(self, command: str, answer: str) -> None:
        """Adds an automation, so that Home Assistant answers a command without its agent."""
        trigger = {"platform": "conversation", "command": [command]}
        done = {"trigger": trigger, "action": [{"set_conversation_response": answer}]}
        assert await async_setup_component(self.hass, "automation", {"automation": done})
        await self.hass.async_block_till_done()

    async def connect(
        self, url: str, key: str, child: int = 1, without_rules: str = "talk", leave_out: bool = True, **satellites: str
    ) -> str:
        """Fills in the form. Returns the pipeline."""
        shown = await self.form(url, key)
        assert shown["step_id"] == "child", shown
        assert shown["data_schema"]({})["agent"] == AGENT, "a model is offered before Home Assistant's own agent"
        chosen = {"child": str(child), "agent": AGENT, "without_rules": without_rules, "leave_out_commands": leave_out}
        done = await self.hass.config_entries.flow.async_configure(shown["flow_id"], chosen)
        for name, who in sorted(satellites.items()):
            assert (done["step_id"], done["description_placeholders"]) == ("satellite", {"satellite": name})
            done = await self.hass.config_entries.flow.async_configure(shown["flow_id"], {"child": who})
        assert done["type"] == "create_entry", done
        await self.hass.async_block_till_done()
        entry: ConfigEntry = done["result"]
        self.entries.append(entry)
        return await self.pipeline(entry)

    async def pipeline(self, entry: ConfigEntry) -> str:
        """Adds the pipeline of an entry's agent."""
        from homeassistant.helpers import entity_registry

        own = entity_registry.async_entries_for_config_entry(entity_registry.async_get(self.hass), entry.entry_id)
        return await self.pipeline_of(next(one.entity_id for one in own if one.domain == "conversation"))

    async def pipeline_of(self, engine: str) -> str:
        wanted = {
            "name": engine,
            "language": "en",
            "conversation_engine": engine,
            "conversation_language": "en",
            "prefer_local_intents": True,
        }
        empty = {"stt_engine": None, "stt_language": None, "tts_engine": None, "tts_language": None, "tts_voice": None}
        none = {"wake_word_entity": None, "wake_word_id": None}
        await self._client.send_json_auto_id({"type": "assist_pipeline/pipeline/create", **wanted, **empty, **none})
        return str((await self._client.receive_json())["result"]["id"])

    async def change(self, entry: ConfigEntry, child: str) -> Any:
        """Chooses another child for an entry."""
        options = self.hass.config_entries.options
        shown = await options.async_init(entry.entry_id)
        done = await options.async_configure(shown["flow_id"], {"child": child, "agent": AGENT, "without_rules": "talk"})
        await self.hass.async_block_till_done()
        return done

    async def reconfigure(self, entry: ConfigEntry, url: str, key: str) -> Any:
        """Enters another address and key for an entry."""
        flows = self.hass.config_entries.flow
        begun = await flows.async_init("porchlight", context={"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id})
        done = await flows.async_configure(begun["flow_id"], {"url": url, "api_key": key})
        await self.hass.async_block_till_done()
        return done

    async def close(self) -> None:
        for entry in self.entries:
            assert await self.hass.config_entries.async_unload(entry.entry_id)
        await self.hang_up()

    async def hang_up(self) -> None:
        """Closes the app's WebSocket."""
        await self._client.close()

    def add_satellite(self, name: str) -> str:
        """Adds a voice satellite. Returns its device."""
        from homeassistant.helpers import device_registry, entity_registry

        entry = MockConfigEntry(domain="test")
        entry.add_to_hass(self.hass)
        device = device_registry.async_get(self.hass).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", name)}, name=name
        )
        entity_registry.async_get(self.hass).async_get_or_create("assist_satellite", "test", name, device_id=device.id)
        return str(device.id)

    def state(self, entity: str) -> str | None:
        """The state of one of the entry's entities, by its domain and the end of its id."""
        domain, name = entity.split(".")
        state = self.hass.states.get(f"{domain}.porchlight_for_mia_{name}")
        return state.state if state is not None else None

    async def shows(self, **states: str | None) -> None:
        """Waits until the entities have these states."""
        names = {"talking": "binary_sensor.talking_allowed", "paused": "binary_sensor.paused", "minutes": "sensor.minutes_left"}
        await soon(lambda: {one: self.state(names[one]) for one in states} == states, f"{states}")

    def begin(self, text: str, conversation_id: str) -> None:
        """Home Assistant says something first."""
        with (
            async_get_chat_session(self.hass, conversation_id) as session,
            conversation.async_get_chat_log(self.hass, session) as chat_log,
        ):
            opening = conversation.AssistantContent(agent_id="assist_satellite.kitchen", content=text)
            chat_log.async_add_assistant_content_without_tools(opening)

    async def say(self, pipeline: str, text: str, conversation_id: str = "talk", device: str | None = None) -> str:
        """One turn through the WebSocket, like the app."""
        run = {"type": "assist_pipeline/run", "start_stage": "intent", "end_stage": "intent", "input": {"text": text}}
        at = {"device_id": device} if device else {}
        await self._client.send_json_auto_id({**run, "pipeline": pipeline, "conversation_id": conversation_id, **at})
        answer = ""
        self.streamed = []
        while True:
            message = await self._client.receive_json()
            event = message.get("event") or {}
            assert event.get("type") != "error", event
            if event.get("type") == "intent-progress" and event["data"].get("chat_log_delta", {}).get("content"):
                self.streamed.append(event["data"]["chat_log_delta"]["content"])
            if event.get("type") == "intent-end":
                answer = event["data"]["intent_output"]["response"]["speech"]["plain"]["speech"]
            if event.get("type") == "run-end":
                return str(answer)


@pytest.fixture
async def home(hass: HomeAssistant, component: Any, hass_ws_client: Any) -> AsyncIterator[Callable[..., Any]]:
    made: list[Home] = []

    async def begin(url: str, *, drops: bool = False) -> Home:
        component(url)
        for part in ("homeassistant", "conversation", "assist_pipeline"):
            assert await async_setup_component(hass, part, {})
        agent = ScriptedAgent(drops=drops)
        await hass.data[conversation.DATA_COMPONENT].async_add_entities([agent])
        made.append(Home(hass, await hass_ws_client(hass), agent))
        return made[-1]

    yield begin
    for one in made:
        await one.close()
