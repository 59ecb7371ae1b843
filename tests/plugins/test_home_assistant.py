"""Home Assistant: the real one with its real form and assist pipeline, a scripted agent, and the real server."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("homeassistant", reason="Home Assistant is not installed here.")

from conftest import A_LONG_OUTAGE, BINARY, Server, free_port, kill_once_written, soon, warnings_of  # noqa: E402
from homeassistant.components import conversation  # noqa: E402
from homeassistant.config_entries import SOURCE_USER, ConfigEntry  # noqa: E402
from homeassistant.core import HomeAssistant  # noqa: E402
from homeassistant.exceptions import HomeAssistantError  # noqa: E402
from homeassistant.helpers import llm  # noqa: E402
from homeassistant.helpers.chat_session import async_get_chat_session  # noqa: E402
from homeassistant.setup import async_setup_component  # noqa: E402
from pytest_homeassistant_custom_component.common import MockConfigEntry  # noqa: E402

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
        if user_input.text == self.fails_at:
            raise HomeAssistantError("the model is away")
        tool = self.tools.get(user_input.text)
        if tool is not None:
            call = llm.ToolInput(tool_name=tool, tool_args={}, external=True)
            chat_log.async_add_assistant_content_without_tools(conversation.AssistantContent(self.entity_id, tool_calls=[call]))

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

    async def form(self, url: str, key: str) -> Any:
        begun = await self.hass.config_entries.flow.async_init("porchlight", context={"source": SOURCE_USER})
        return await self.hass.config_entries.flow.async_configure(begun["flow_id"], {"url": url, "api_key": key})

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
        from homeassistant.helpers import entity_registry

        own = entity_registry.async_entries_for_config_entry(entity_registry.async_get(self.hass), entry.entry_id)
        engine = next(one.entity_id for one in own if one.domain == "conversation")
        wanted = {
            "name": entry.title,
            "language": "en",
            "conversation_engine": engine,
            "conversation_language": "en",
            "prefer_local_intents": True,
        }
        empty = {"stt_engine": None, "stt_language": None, "tts_engine": None, "tts_language": None, "tts_voice": None}
        none = {"wake_word_entity": None, "wake_word_id": None}
        await self._client.send_json_auto_id({"type": "assist_pipeline/pipeline/create", **wanted, **empty, **none})
        return str((await self._client.receive_json())["result"]["id"])

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

    async def say(self, pipeline: str, text: str, conversation_id: str = "talk", device: str | None = None) -> str:
        """One turn through the WebSocket, like the app."""
        run = {"type": "assist_pipeline/run", "start_stage": "intent", "end_stage": "intent", "input": {"text": text}}
        at = {"device_id": device} if device else {}
        await self._client.send_json_auto_id({**run, "pipeline": pipeline, "conversation_id": conversation_id, **at})
        answer = ""
        while True:
            message = await self._client.receive_json()
            event = message.get("event") or {}
            assert event.get("type") != "error", event
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
        for entry in one.entries:
            assert await hass.config_entries.async_unload(entry.entry_id)


async def test_the_rules_are_in_every_prompt_and_all_is_delivered_once_although_the_server_dies(home: Any, server: Server) -> None:
    server.block("dragons")
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())

    assert await family.say(pipeline, "one") == "Ahoy: one"
    assert await family.say(pipeline, "two") == "Ahoy: two"
    server.block("sharks")
    watcher = family.entries[0].runtime_data.rules_of(1)
    await soon(lambda: "sharks" in watcher.now().instructions, "the new rules")
    await family.say(pipeline, "three")
    server.stop(kill=True)
    await family.say(pipeline, "four")
    server.start()
    await family.say(pipeline, "five")

    assert all("dragons" in prompt for prompt in family.agent.prompts[:2])
    assert all("sharks" in prompt and "dragons" not in prompt for prompt in family.agent.prompts[2:])
    assert all(OWN_PROMPT in prompt for prompt in family.agent.prompts)
    expected = [text for word in ("one", "two", "three", "four", "five") for text in (word, f"Ahoy: {word}")]
    await soon(lambda: server.texts() == expected, "what was said")
    assert server.receipts() == [("in_prompt", None), ("in_prompt", None)]


async def test_two_children_in_one_conversation_have_their_own_transcripts(home: Any, server: Server) -> None:
    family = await home(server.url)
    key = server.key("robot", 1, 2)
    mia, ben = await family.connect(server.url, key, 1), await family.connect(server.url, key, 2)

    for pipeline, word in ((mia, "Mia 1"), (ben, "Ben 1"), (mia, "Mia 2"), (ben, "Ben 2")):
        await family.say(pipeline, word)

    await soon(lambda: server.texts(1) == ["Mia 1", "Ahoy: Mia 1", "Mia 2", "Ahoy: Mia 2"], "Mia's words")
    await soon(lambda: server.texts(2) == ["Ben 1", "Ahoy: Ben 1", "Ben 2", "Ahoy: Ben 2"], "Ben's words")


async def test_what_home_assistant_answers_itself_is_kept_once_for_the_child_whose_pipeline_it_is(home: Any, server: Server) -> None:
    family = await home(server.url)
    key = server.key("robot", 1, 2)
    mia = await family.connect(server.url, key, 1, leave_out=False)
    ben = await family.connect(server.url, key, 2, leave_out=False)
    trigger = {"platform": "conversation", "command": ["open sesame"]}
    done = {"trigger": trigger, "action": [{"set_conversation_response": "It is open"}]}
    assert await async_setup_component(family.hass, "automation", {"automation": done})
    await family.hass.async_block_till_done()

    await family.say(mia, "tell me of ships")
    assert await family.say(ben, "open sesame") == "It is open"
    assert await family.say(mia, "tell me of the sea") == "Ahoy: tell me of the sea"

    await soon(lambda: server.texts(2) == ["open sesame", "It is open"], "Ben's words")
    await soon(
        lambda: server.texts(1) == ["tell me of ships", "Ahoy: tell me of ships", "tell me of the sea", "Ahoy: tell me of the sea"],
        "Mia's words",
    )


async def test_home_commands_are_left_out_unless_the_user_wants_them(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    trigger = {"platform": "conversation", "command": ["lights off"]}
    done = {"trigger": trigger, "action": [{"set_conversation_response": "Done"}]}
    assert await async_setup_component(family.hass, "automation", {"automation": done})
    await family.hass.async_block_till_done()

    assert await family.say(pipeline, "lights off") == "Done"
    await family.say(pipeline, "tell me of ships")

    await soon(lambda: server.texts() == ["tell me of ships", "Ahoy: tell me of ships"], "the words")


async def test_home_commands_that_a_model_carries_out_are_left_out_and_nothing_else(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    family.agent.tools = {"dim it": "HassLightSet", "dim all": "assist__HassLightSet", "what day is it": "GetDateTime"}

    for text in ("dim it", "tell me of ships", "dim all", "what day is it"):
        assert await family.say(pipeline, text) == f"Ahoy: {text}"
    family.agent.fails_at = "tell me of storms"
    await family.say(pipeline, "tell me of storms")

    kept = ["tell me of ships", "Ahoy: tell me of ships", "what day is it", "Ahoy: what day is it", "tell me of storms"]
    await soon(lambda: server.texts()[: len(kept)] == kept, "the words")


async def test_home_commands_that_a_model_carries_out_are_kept_if_the_user_wants_them(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key(), leave_out=False)
    family.agent.tools = {"dim it": "HassLightSet"}

    await family.say(pipeline, "dim it")

    await soon(lambda: server.texts() == ["dim it", "Ahoy: dim it"], "the words")


async def test_each_satellite_has_its_child_or_nobody(home: Any, server: Server) -> None:
    server.block("dragons", child=2)
    family = await home(server.url)
    bedroom, kitchen = family.add_satellite("Bedroom"), family.add_satellite("Kitchen")
    pipeline = await family.connect(server.url, server.key("robot", 1, 2), 1, Bedroom="2", Kitchen="0")
    porchlight = family.entries[0].runtime_data
    await soon(lambda: all(porchlight.rules_of(child).now().version for child in (0, 1, 2)), "the rules")

    await family.say(pipeline, "typed", "app")
    await family.say(pipeline, "said in bed", "bed", bedroom)
    await family.say(pipeline, "said at dinner", "table", kitchen)

    await soon(lambda: server.texts(1) == ["typed", "Ahoy: typed"], "Mia's words")
    await soon(lambda: server.texts(2) == ["said in bed", "Ahoy: said in bed"], "Ben's words")
    assert ["dragons" in prompt for prompt in family.agent.prompts] == [False, True, True]


async def test_the_words_with_which_home_assistant_begins_are_kept(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    with (
        async_get_chat_session(family.hass, "opened") as session,
        conversation.async_get_chat_log(family.hass, session) as chat_log,
    ):
        opening = conversation.AssistantContent(agent_id="assist_satellite.kitchen", content="Did you brush your teeth?")
        chat_log.async_add_assistant_content_without_tools(opening)

    await family.say(pipeline, "yes", "opened")

    await soon(lambda: server.texts() == ["Did you brush your teeth?", "yes", "Ahoy: yes"], "the words")


async def test_when_talking_is_not_allowed_the_agent_is_not_asked(home: Any, server: Server) -> None:
    server.pause()
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())

    goodbye = await family.say(pipeline, "tell me of ships")

    assert goodbye == family.entries[0].runtime_data.rules_of(1).now().goodbye
    assert family.agent.prompts == []
    await soon(lambda: server.texts() == ["tell me of ships", goodbye], "the goodbye")


async def test_entities_show_whether_talking_is_allowed_and_the_minutes_left(
    home: Any, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from homeassistant.helpers import device_registry, entity_registry

    family, key = await home(server.url), server.key()
    await family.form(server.url, key)  # which imports the plug-in
    monkeypatch.setattr(sys.modules["custom_components.porchlight.shared"], "HOLD", 1)
    await family.connect(server.url, key)
    await family.shows(talking="on", paused="off", minutes=None)

    server.limit(60)
    await family.shows(talking="on", paused="off", minutes="60")
    conversation, now = family.entries[0].runtime_data.conversation("earlier", 1, wait=0.0), time.time()
    conversation.heard("1", False, "Hello?", now - 630)
    conversation.heard("2", True, "Hi!", now)
    await family.shows(minutes="50")
    server.limit(60, paused=True)
    await family.shows(talking="off", paused="on", minutes="50")
    server.limit(10)
    await family.shows(talking="off", paused="off", minutes="0")
    server.limit(None)
    await family.shows(talking="on", paused="off", minutes="unavailable")

    entry = family.entries[0]
    own = entity_registry.async_entries_for_config_entry(entity_registry.async_get(family.hass), entry.entry_id)
    devices = device_registry.async_entries_for_config_entry(device_registry.async_get(family.hass), entry.entry_id)
    assert [(one.name, one.configuration_url) for one in devices] == [("Porchlight for Mia", server.url)]
    assert {one.device_id for one in own} == {devices[0].id}
    assert sorted(one.unique_id for one in own) == [
        entry.entry_id,
        *(f"{entry.entry_id}-{name}" for name in ("minutes_left", "paused", "talking_allowed")),
    ]
    minutes = family.hass.states.get("sensor.porchlight_for_mia_minutes_left")
    named = {one: family.hass.states.get(f"{one}").name for one in family.hass.states.async_entity_ids("binary_sensor")}
    assert sorted(named.values()) == ["Porchlight for Mia Paused", "Porchlight for Mia Talking allowed"]
    assert (minutes.name, minutes.attributes["unit_of_measurement"]) == ("Porchlight for Mia Minutes left", "min")


async def test_entities_are_unavailable_while_the_server_is_and_after_a_start_without_it(home: Any, server: Server) -> None:
    server.limit(60, paused=True)
    family = await home(server.url)
    await family.connect(server.url, server.key())
    await family.shows(talking="off", paused="on", minutes="60")

    server.stop(kill=True)
    await family.shows(talking="unavailable", paused="unavailable", minutes="unavailable")
    server.start()
    await family.shows(talking="off", paused="on", minutes="60")

    server.stop()
    entry = family.entries[0]
    assert await family.hass.config_entries.async_reload(entry.entry_id)
    await family.shows(talking="unavailable", paused="unavailable")
    server.start()
    await family.shows(talking="off", paused="on", minutes="60")


async def test_an_agent_that_drops_the_rules_is_not_reported_as_following_them(home: Any, server: Server) -> None:
    family = await home(server.url, drops=True)
    pipeline = await family.connect(server.url, server.key())

    await family.say(pipeline, "tell me of ships")

    await soon(lambda: server.receipts() == [("fetched", "the wrapped agent's prompt does not hold the rules")], "the receipt")


@pytest.mark.parametrize("choice", ["talk", "silent"])
async def test_rules_that_were_never_fetched_leave_what_the_user_chose(home: Any, server: Server, choice: str) -> None:
    family = await home(server.url)
    key = server.key()
    shown = await family.form(server.url, key)
    server.stop()
    chosen = {"child": "1", "agent": AGENT, "without_rules": choice}
    done = await family.hass.config_entries.flow.async_configure(shown["flow_id"], chosen)
    await family.hass.async_block_till_done()
    family.entries.append(done["result"])

    answer = await family.say(await family.pipeline(done["result"]), "tell me of ships")

    if choice == "talk":
        assert answer == "Ahoy: tell me of ships" and "off limits" in family.agent.prompts[0]
    else:
        assert "ask a grown-up" in answer and family.agent.prompts == []


async def test_the_form_says_what_to_do(home: Any, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    family = await home(server.url)
    key = server.key()

    async def error(url: str, key: str) -> Any:
        shown = await family.form(url, key)
        return shown.get("errors", {}).get("base")

    assert await error(server.url, "ast_wrong") == "invalid_auth"
    assert await error(f"http://127.0.0.1:{free_port()}", key) == "cannot_connect"
    server.run("assistant", "revoke", "robot")
    assert await error(server.url, key) == "invalid_auth"
    real = time.time
    shared: Any = sys.modules["custom_components.porchlight.shared"]
    monkeypatch.setattr(shared.time, "time", lambda: real() + 3600)
    assert await error(server.url, server.key("other")) == "clock"


async def test_a_key_that_is_refused_later_is_asked_for_again(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    server.run("assistant", "rotate", "robot")
    await family.say(pipeline, "tell me of ships")

    flows = family.hass.config_entries.flow
    await soon(lambda: any(one["context"]["source"] == "reauth" for one in flows.async_progress()), "the form")
    await family.hass.async_block_till_done()


async def test_an_entry_that_is_given_another_child_takes_its_name(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key("robot", 1, 2), 1)
    entry = family.entries[0]

    options = family.hass.config_entries.options
    shown = await options.async_init(entry.entry_id)
    done = await options.async_configure(shown["flow_id"], {"child": "2", "agent": AGENT, "without_rules": "talk"})
    await family.hass.async_block_till_done()
    await family.say(pipeline, "tell me of ships")

    assert done["type"] == "create_entry"
    assert entry.title == "Porchlight for Ben"
    await soon(lambda: server.texts(2) == ["tell me of ships", "Ahoy: tell me of ships"], "Ben's words")
    assert server.texts(1) == []


async def test_when_home_assistant_stops_the_last_words_are_on_the_disk(home: Any, server: Server) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    server.stop()
    await family.say(pipeline, "tell me of ships")

    family.hass.bus.async_fire("homeassistant_stop")
    await family.hass.async_block_till_done()

    assert family.entries[0].runtime_data.queue.count() >= 2
    server.start()


async def test_without_the_server_the_talk_goes_on_and_one_line_says_so(
    home: Any, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    family = await home(server.url)
    pipeline = await family.connect(server.url, server.key())
    caplog.clear()
    server.stop(kill=True)

    for number in range(5):
        await family.say(pipeline, f"secret {number}")

    await soon(lambda: warnings_of(caplog), "the line")
    assert ["cannot be reached" in line for line in warnings_of(caplog)] == [True]
    assert not any(record.exc_info for record in caplog.records if record.levelno >= logging.WARNING)


async def test_a_thousand_messages_survive_a_kill_of_home_assistants_process(home: Any, server: Server, tmp_path: Path) -> None:
    family = await home(server.url)
    key = server.key()
    server.stop()
    folder = tmp_path / "config/.storage/porchlight"
    kill_once_written(
        f"""
        import pathlib, sys, time
        sys.path.insert(0, {str(Path(__file__).parents[2] / "src/assistant/plugins")!r})
        from porchlight_shared.conversation import Porchlight
        from porchlight_shared.http_client import Settings
        porchlight = Porchlight(Settings(url={server.url!r}, key={key!r}, child=1, folder=pathlib.Path({str(folder)!r})))
        talk = porchlight.conversation("outage", 1, wait=0.0)
        for number, text in enumerate({A_LONG_OUTAGE!r}):
            talk.heard(str(number), bool(number % 2), text)
        while porchlight.queue.count() < 1000:
            time.sleep(0.05)
        print("written", flush=True)
        time.sleep(60)
        """
    )
    server.start()
    await family.connect(server.url, key)

    await soon(lambda: server.texts() == A_LONG_OUTAGE, "what was said")
