"""Delivers a conversation as an assistant and reads it as a parent, with the client that was generated."""

import json
import os
from datetime import datetime, timezone
from urllib.request import urlopen

import yaml
from porchlight_client import AuthenticatedClient
from porchlight_client.api.assistant import deliver, get_assistant
from porchlight_client.api.identity import list_sign_ins
from porchlight_client.api.activities import list_completed_activities
from porchlight_client.api.transcripts import list_messages, list_sessions
from porchlight_client.models import CompletionRequest, Delivery, MessageRequest, Problem, ProblemCode, SignInVia
from porchlight_client.types import UNSET

api = os.environ["PORCHLIGHT_URL"].rstrip("/") + "/api"
key = json.loads(os.environ["PORCHLIGHT_KEY"])["key"]
token = json.loads(os.environ["PORCHLIGHT_TOKEN"])["identity_token"]
# PyYAML reads YAML 1.1, in which an unquoted `on` is true.
with open("openapi.yaml", encoding="utf-8") as written, urlopen(f"{api}/openapi.json") as answered:
    assert yaml.safe_load(written) == json.load(answered)

robot = AuthenticatedClient(base_url=api, token=key, raise_on_unexpected_status=True)
ada = AuthenticatedClient(base_url=api, token=token, raise_on_unexpected_status=True)
said_at = datetime(2026, 11, 21, 16, 5, 0, 250_000, tzinfo=timezone.utc)
said = [("child", "Why is the moon round?"), ("assistant", "Because it pulls itself together. 🌕")]

(child,) = get_assistant.sync(client=robot).children
messages = [
    MessageRequest(message_id=str(number), timestamp=said_at, source=source, text_content=text)
    for number, (source, text) in enumerate(said)
]
completion = CompletionRequest(duration=61.5, score=0.9)
moon = Delivery(session="moon", child_id=child.child_id, topic="The moon", messages=messages, completion=completion)
session = deliver.sync(client=robot, body=moon)
assert (session.stored, session.unknown) == (2, []), session
assert deliver.sync(client=robot, body=moon).repeated == 2

page = list_sessions.sync(client=ada, child_id=1)
assert [(one.session_id, one.topic, one.ended) for one in page.sessions] == [(session.session_id, "The moon", True)]
read = list_messages.sync(session.session_id, client=ada)
assert [(one.source, one.text_content) for one in read.messages] == said, read
assert all(one.timestamp == said_at for one in read.messages), read
assert read.next_ is UNSET, read
(activity,) = list_completed_activities.sync(1, client=ada)
assert (activity.score, activity.duration) == (0.9, 61.5), activity
(sign_in,) = list_sign_ins.sync(client=ada).items
assert sign_in.via == SignInVia.COMMAND_LINE, sign_in

bad = MessageRequest(message_id="", timestamp=said_at)
(rejected,) = deliver.sync(client=robot, body=Delivery(session="moon", messages=[messages[0], bad])).rejected
assert (rejected.index, rejected.at) == (1, "/messages/1/message_id"), rejected
refused = deliver.sync(client=robot, body=Delivery(session="the moon"))
assert isinstance(refused, Problem) and (refused.code, refused.at) == (ProblemCode.BODY_INVALID, "/session"), refused
print("a generated client delivered and read a conversation")
