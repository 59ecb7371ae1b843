//! A family with a row in every table.

use poem::http::Method;
use porchlight::app::App;
use porchlight::children::ChildId;
use porchlight::identity::Named;
use porchlight::kernel::store::{Change, Key, Read, RecordKind, StoreError, Table};
use serde_json::{Value, json};

use super::operations::{Operation, Target, parts};
use super::requests::ask_to_delete;
use super::test_app::{PUBLIC_URL, Persona, Response, TestApp};

/// A family's ids and credentials.
pub struct Family {
    pub email: String,
    pub child: ChildId,
    pub session: String,
    pub guardian: String,
    pub assistant: String,
    /// The assistant's id.
    pub assistant_id: String,
    /// The server's push key.
    pub push_key: String,
}

impl Family {
    /// Returns the marker text in all of the family's content.
    pub fn canary(&self) -> String {
        canary(&self.email)
    }

    /// What is requested of this family; it has no invitation with this id.
    pub fn target(&self) -> Target {
        let child = self.child.to_string();
        Target::of([&child, &self.session, &self.assistant_id, "inv_none"])
    }

    /// Its caller: the guardian or the assistant.
    pub fn caller<'a>(&self, app: &'a TestApp, operation: &Operation) -> Persona<'a> {
        let credential = if operation.is_by_assistant() {
            &self.assistant
        } else {
            &self.guardian
        };
        app.bearer(credential)
    }

    pub async fn read(&self, app: &TestApp, reading: &Operation) -> Response {
        let caller = self.caller(app, reading);
        caller.get(&reading.at(&self.target())).await
    }

    /// Calls an operation on the family's own data, with a valid body.
    pub async fn call(&self, app: &TestApp, operation: &Operation) -> Response {
        let body = operation.body(&self.child.to_string());
        let body = (!body.is_null()).then(|| body.to_string());
        let (method, path) = (operation.method.clone(), operation.at(&self.target()));
        let own_page = [("origin", PUBLIC_URL)];
        self.caller(app, operation)
            .send(method, &path, &own_page, body)
            .await
    }
}

/// Reinstates everybody that a restored backup suspended.
pub fn everybody() -> Named {
    Named {
        all: true,
        ..Named::default()
    }
}

fn canary(email: &str) -> String {
    format!("canary of {email}").replace('@', " at ")
}

/// A subscription with everything off.
pub fn subscription_off() -> Value {
    json!({
        "time_zone": "UTC",
        "at_once": {
            "email": false,
            "kinds": ["phrase", "outside_times", "reviewer"],
            "urgent_passes": false,
        },
        "weekly": {"enabled": false, "weekday": "sun", "hour": 18},
        "quotes": false,
        "webhook_refused": false,
    })
}

/// A browser's subscription at a push service, with this key of the server.
pub fn push_device(key: &str) -> Value {
    json!({
        "key": key,
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    })
}

/// A subscription with e-mails on.
pub fn subscription() -> Value {
    json!({
        "time_zone": "Europe/Berlin",
        "at_once": {
            "email": true,
            "kinds": ["phrase"],
            "quiet_hours": {"from": "22:00", "to": "07:00"},
            "urgent_passes": false,
        },
        "weekly": {"enabled": true, "weekday": "sun", "hour": 18},
        "quotes": false,
        "webhook_refused": true,
    })
}

/// Creates a family through the API.
pub async fn add(app: &TestApp, email: &str, name: &str) -> Family {
    let guardian = app.guardian(email).await.credential().to_owned();
    let child = app.child(name, &[email]).await;
    let robot = app.assistant(&format!("robot of {email}"), &[child]).await;
    let assistant = robot.credential().to_owned();
    let canary = canary(email);
    let watched = json!([{"words": canary, "side": "either"}]);
    let path = format!("/api/child/{child}/watched_phrases");
    let parent = app.bearer(&guardian);
    parent.put(&path, &watched).await.ok();
    let opened = json!({"child_id": child, "topic": canary, "start_time": "2026-11-20T16:00:00Z"});
    let opened = robot.deliver("s", &opened).await.json();
    let message = |id: &str, text: String| json!({"message_id": id, "text_content": text, "timestamp": "2026-11-20T16:00:01Z"});
    let long = format!("{canary} {}", "la ".repeat(9_000));
    let messages = json!([
        message("m1", canary.clone()),
        message("m2", long),
        message("m3", canary.clone())
    ]);
    robot.deliver_messages("s", &messages).await.ok();
    let completion = json!({"duration": 61.5, "score": 0.8, "mood": "curious", "end_time": "2026-11-20T16:10:00Z"});
    robot.complete("s", &completion).await.ok();
    let second = json!({"child_id": child, "topic": canary, "start_time": "2026-11-21T16:00:00Z"});
    robot.deliver("t", &second).await.ok();
    robot.complete("t", &json!({"duration": 30})).await.ok();
    let of_child = format!("/api/assistant/child/{child}");
    robot
        .put(&format!("{of_child}/report"), &json!({"note": canary}))
        .await
        .ok();
    let next = |id: &str| json!({"activity_id": id, "topic": canary});
    let upcoming = json!([next("b"), next("a"), next("c")]);
    robot
        .put(&format!("{of_child}/activities/upcoming"), &upcoming)
        .await
        .ok();
    let parent = app.bearer(&guardian);
    let feedback = format!("/api/child/{child}/activities/upcoming/a/feedback");
    parent
        .put(&feedback, &json!({"feedback": "up", "reason": canary}))
        .await
        .ok();
    let topics = format!("/api/child/{child}/blocked_topics");
    parent.put(&topics, &json!([canary])).await.ok();
    let context = format!("/api/child/{child}/context");
    parent.put(&context, &json!({"text": canary})).await.ok();
    for (operation, _) in parts() {
        let (id, method) = (child.to_string(), operation.method.clone());
        let path = operation.at(&Target::of([&id, "", "", ""]));
        let body = Some(operation.body(&id).to_string());
        parent.send(method, &path, &[], body).await.ok();
    }
    parent.put("/api/subscription", &subscription()).await.ok();
    let retention = format!("/api/child/{child}/retention");
    parent.put(&retention, &json!({"days": 365})).await.ok();
    let kept = format!("/api/sessions/{}/kept", opened["session_id"]);
    parent.put(&kept, &json!({"kept": true})).await.ok();
    let switched = json!({"on": true});
    let path = format!("/api/child/{child}/reviewer/at_home");
    parent.put(&path, &switched).await.ok();
    let path = format!("/api/child/{child}/not_worrying");
    parent.put(&path, &json!({"items": ["danger"]})).await.ok();
    let hidden = json!({"session_id": opened["session_id"], "message_id": "m3"});
    let path = format!("/api/child/{child}/curious/hidden");
    parent.put(&path, &hidden).await.ok();
    // A pause that is over.
    let pause = json!({"until": "2026-11-20T15:00:00Z"});
    let times = json!({"time_zone": "UTC", "quiet_hours": [], "minutes_a_day": 60, "pause": pause});
    let path = format!("/api/child/{child}/times");
    parent.put(&path, &times).await.ok();
    let rules = robot.get(&format!("{of_child}/rules")).await.json();
    let receipt = json!({"version": rules["version"], "evidence": "in_prompt",
        "at": "2026-11-20T16:00:00Z", "refused": canary});
    let receipts = json!({"child_id": child, "rules": [receipt]});
    robot.deliver("s", &receipts).await.ok();
    for (name, now) in [("erased", false), ("gone", true)] {
        let erased =
            json!({"child_id": child, "topic": canary, "start_time": "2026-11-19T16:00:00Z"});
        let erased = robot.deliver(name, &erased).await.json();
        let path = format!("/api/sessions/{}", erased["session_id"]);
        parent.send(Method::DELETE, &path, &[], None).await.ok();
        if now {
            let path = format!(
                "/api/child/{child}/deleted_sessions/{}",
                erased["session_id"]
            );
            parent.send(Method::DELETE, &path, &[], None).await.ok();
        }
    }
    ask_to_delete(&parent, child, name).await.ok();
    let invite = json!({"children": [child], "email": format!("friend.{email}")});
    parent.post("/api/invitations", &invite).await.ok();
    let elsewhere = json!({"email": format!("elsewhere.{email}")});
    parent.put("/api/auth/address", &elsewhere).await.ok();
    for path in ["/api/auth/recovery_codes", "/api/auth/step_up/email"] {
        parent.send(Method::POST, path, &[], None).await.ok();
    }
    let address = json!({"email": email});
    app.anonymous().post("/api/auth/link", &address).await.ok();
    app.inner
        .identity
        .links
        .link_for(&email.parse().unwrap())
        .await
        .unwrap();
    let household = parent.get("/api/household").await.json();
    let assistant_id = household["assistants"][0]["assistant_id"].as_str();
    let assistant_id = assistant_id.unwrap().to_owned();
    let path = format!("/api/child/{child}/assistants/{assistant_id}/not_in_use");
    parent.put(&path, &json!({"not_in_use": true})).await.ok();
    let push = parent.get("/api/subscription/push").await.json();
    add_try(&app.inner, child, email, &canary).await;
    Family {
        assistant_id,
        push_key: push["key"].as_str().unwrap_or_default().to_owned(),
        email: email.to_owned(),
        child,
        session: opened["session_id"].to_string(),
        guardian,
        assistant,
    }
}

/// Adds a try with an answer that its guardian has judged. It would take a model.
async fn add_try(app: &App, child: ChildId, email: &str, canary: &str) {
    let guardian = app
        .identity
        .guardians
        .get(&app.store, &email.parse().unwrap());
    let guardian = guardian.unwrap().id;
    let now = "2026-11-21T19:00:00Z";
    let outcome = json!({"n": 1, "kind": "own_topic", "expect": "avoid", "checked": ["recites"], "found": [],
        "by": "nobody"});
    let one = json!({"id": 1, "by": guardian, "at": now, "ended_at": now, "state": "finished",
        "assistant": "asi_nobody", "assistant_name": "Kitchen", "language": "en", "model": "m",
        "host": "127.0.0.1:9", "private": true, "app_settings": false, "rules": 99, "own_topics": 1,
        "own_topics_asked": 1, "requests": 2, "done": 2, "outcomes": [outcome],
        "check_words": {"beginning": true, "middle": true, "end": true, "history_bytes": 0}});
    let answered = json!({"n": 1, "question_id": "own-1", "why": "why", "topic": canary, "follows": false,
        "question": canary, "answer": canary});
    let of_child = |table| Table::new(table).key().number(child.number());
    let of_guardian = |table| of_child(table).text(guardian.as_str());
    let rows = [
        (of_child("try").descending_number(1), one),
        (of_child("try-answer").number(1).number(1), answered),
        (
            of_guardian("try-verdict").number(1).number(1),
            json!({"ok": true}),
        ),
        (of_guardian("try-hidden").number(2), json!({})),
    ];
    let written = app.store.commit(move |change| {
        for (key, row) in rows {
            change.put_json(&key, 1, row.to_string().as_bytes())?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
}

/// Fills the tables that no API call writes: those of the program itself, of providers, and of interrupted erasures.
pub async fn fill_other_tables(app: &App, family: &Family) {
    app.identity.remember_public_url().await.unwrap();
    let guardian = app
        .identity
        .guardians
        .get(&app.store, &family.email.parse().unwrap());
    let guardian = guardian.unwrap().id;
    let (hash, subject) = ([guardian.as_str().as_bytes()[7]; 32], guardian.to_string());
    let hash_text = base64_of(&hash);
    let now = "2026-11-21T20:00:00Z";
    let account = json!({"issuer": "https://idp.example", "subject": subject});
    let mut bound = account.clone();
    bound["guardian"] = json!(guardian);
    bound["bound_at"] = json!(now);
    let flow = json!({"state": "s", "nonce": "n", "verifier": "v", "started_at": now});
    let by_time = Table::new("provider-flow-by-time")
        .key()
        .signed(1_795_291_200_000_000);
    // As after a link request for an unknown address, before the e-mail is sent.
    let stranger = "nobody@example.org";
    let link_to = Table::new("link-to").key().text(stranger);
    let request = json!({"email": stranger, "from_home": false});
    let waiting = json!({"queued_at": now, "due_at": now, "message_id": "00", "data": request});
    let counts = json!({"children": 1, "keys": 0, "invitations": 0});
    let made =
        json!({"daily": {"days": [{"day": 20_778, "counts": counts}]}, "invitations_in_all": 0});
    let upstream = json!({
        "name": "Home",
        "url": "http://127.0.0.1:11434",
        "key": "sk-home",
        "models": ["llama3"],
        "form": "ollama",
        "added_at": now,
    });
    let chosen = json!({"upstream": "Home", "when_not_kept": "closed", "chosen_at": now});
    let of_child = |table| Table::new(table).key().number(family.child.number());
    let session = family.session.parse().unwrap();
    let [tracker, of_session, partial] = of_gateway(session, &canary(&family.email), now);
    let prompt = json!({"assistant": "asi_nobody", "prompt": {"dialect": "open_ai", "model": "m", "fields": [],
        "system": [canary(&family.email)]}});
    let text = of_child("gateway-text").number(0).text("asi_nobody");
    let judged = json!({"confirming": {"seconds": 0}});
    let of_deleted = |table| Table::new(table).key().number(900).descending(0);
    let deletion = json!({
        "sessions": 1,
        "messages": 2,
        "reason": "guardian",
        "asked_at": now,
        "began_at": now,
        "guardians": [guardian],
    });
    let figures = json!({"model": "reader", "host": "127.0.0.1:9", "at": now, "concerns": [],
        "weeks": 12, "false_alarms_in_weeks": 1});
    let consent = json!({"by": guardian, "at": now, "model": "reader", "host": "127.0.0.1:9",
        "url": "http://127.0.0.1:9/v1", "server_added_at": now, "agreement": {}, "since": now,
        "sign_out_count": 0});
    let keys = push_device(&family.push_key);
    let device = json!({"endpoint": keys["endpoint"],
        "keys": {"p256dh": keys["p256dh"], "auth": keys["auth"]}});
    let of_sign_in = |table| {
        let of_guardian = Table::new(table).key().text(guardian.as_str());
        of_guardian.text("sgn_nobody")
    };
    let rows = [
        (
            of_sign_in("push-device"),
            json!({"device": device, "key": keys["key"], "since": now}),
        ),
        (of_sign_in("push-device-ended"), json!(now)),
        (
            Table::new("reviewer-figures")
                .key()
                .text("reader")
                .text("127.0.0.1:9"),
            figures,
        ),
        (of_child("reviewer-consent"), consent),
        (
            of_child("reviewer-queue").number(session),
            json!({"failures": 1}),
        ),
        (
            of_child("reviewer-reviewed").number(session),
            json!({"arrivals": 1}),
        ),
        (
            of_child("reviewer-spent"),
            json!({"day": 20_778, "tokens": 1}),
        ),
        (
            of_child("reviewer-not-reviewed"),
            json!({"by_day": {"20778": 1}}),
        ),
        (of_deleted("child-deletion"), deletion),
        (of_deleted("child-deletion-pending"), json!({})),
        (
            of_deleted("child-deletion-sessions").number(0),
            json!([900]),
        ),
        (of_child("alert-assistant").text("asi_nobody"), judged),
        (Table::new("alert-running").key(), json!({"seen_at": now})),
        (of_child("child-named-by"), json!(guardian)),
        (
            of_child("look").text("").text("2026-11-20"),
            json!({"read": true}),
        ),
        (of_child("rules-pause-log").signed(0), json!({"from": now})),
        (of_child("gateway-tracker").text("asi_nobody"), tracker),
        (of_child("gateway-session").number(session), of_session),
        (of_child("gateway-prompt").number(session), prompt),
        (
            of_child("gateway-partial").number(session).number(0),
            partial,
        ),
        (text.fixed(&[0; 8]), json!(now)),
        (
            Table::new("gateway-budget").key().text("asi_nobody"),
            json!({"days": [{"day": 20_778, "counts": {"requests": 1}}]}),
        ),
        (Table::new("gateway-upstreams").key().text("home"), upstream),
        (Table::new("gateway-keys").key().text("asi_nobody"), chosen),
        (Table::new("made-today").key().text(guardian.as_str()), made),
        (
            Table::new("told-last")
                .key()
                .text("alerts-email")
                .text("gdn_nobody"),
            json!(now),
        ),
        (
            Table::new("told-waiting")
                .key()
                .text("alerts-email")
                .text("gdn_nobody"),
            json!({"from": 1, "since": now}),
        ),
        (
            Table::new("message-arrivals")
                .key()
                .text("email")
                .text("gdn_nobody"),
            json!({"refused": {"since": now, "why": "The mailbox is full."}}),
        ),
        (
            Table::new("weekly-sent").key().text(guardian.as_str()),
            json!("2026-11-15"),
        ),
        (
            Table::new("kept-off").key().text("gdn_nobody"),
            json!({"since": now}),
        ),
        (
            link_to.signed(1_795_291_200_000_000).fixed(&hash),
            json!(hash_text),
        ),
        (
            Table::new("queue")
                .key()
                .text("sign-in-link")
                .text(stranger)
                .text(""),
            waiting,
        ),
        (Table::new("provider-flow").key().fixed(&hash), flow),
        (by_time.fixed(&hash), json!(hash_text)),
        (
            Table::new("provider-account")
                .key()
                .text("https://idp.example")
                .text(&subject),
            bound,
        ),
        (
            Table::new("provider-account-of")
                .key()
                .text(&subject)
                .text("https://idp.example"),
            account,
        ),
        (
            Table::new("backfill").key().text("old"),
            json!({"after": null, "rows": 1, "done": true}),
        ),
        (Table::new("session-open").key().number(900), json!(900)),
        (
            Table::new("session-moved").key().number(900).number(900),
            json!(900),
        ),
        (
            Table::new("key-kept")
                .key()
                .number(900)
                .text("ast")
                .text(guardian.as_str()),
            json!({"left": "gdn_nobody", "at": now}),
        ),
        (Table::new("erasure").key().number(900), json!(900)),
        (
            Table::new("session-erasing").key().number(900).number(900),
            json!(900),
        ),
        (Table::new("compaction").key().number(1), json!(1)),
        (Table::new("compaction-at-night").key().number(1), json!(1)),
        (
            Table::new("clock").key(),
            json!({"seen_at": now, "waits_seconds": 0}),
        ),
        (
            Table::new("child-former-names").key().number(900),
            json!([{"name": "Mimi", "until": now}]),
        ),
        (Table::new("backup-home").key(), json!("0a1b2c3d")),
        (
            Table::new("backup-state").key(),
            json!({"succeeded_at": now}),
        ),
    ];
    let written = app.store.commit(move |change| {
        for (key, row) in rows {
            change.put_json(&key, 1, row.to_string().as_bytes())?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
}

/// What the gateway remembers of a key and child, of one session, and of an unfinished answer.
fn of_gateway(session: u64, text: &str, now: &str) -> [Value; 3] {
    let entry = json!({
        "number": 0,
        "kind": "Assistant",
        "hash": 1,
        "start": 1,
        "exact": 1,
        "length": 2,
        "stored": {"id": 0, "at": now, "revision": 1, "generated": true},
        "state": {"Cut": {"by_client": true}},
        "is_older": true,
    });
    let (place, turn) = (json!({"Session": 0}), 0);
    let counters = json!({"sessions": 1, "background": 1, "messages": 2, "turns": 1, "entries": 2});
    let conversations = json!({
        "background": [{"id": 0, "at": now, "words": entry, "answer": entry}],
        "turns": [{"id": turn, "at": now, "place": place, "after": 0, "is_first_turn": true}],
        "counters": counters,
        "sends_history": true,
        "first_turns": 0,
    });
    let tracker = json!({
        "run": "00",
        "tracker": conversations,
        "sessions": [[place, session], [{"Background": 0}, session]],
        "adopted": [[0, "gateway-00-b0"]],
        "background": [[0, "gateway-00-b0"]],
        "waiting": [{"name": "gateway-00-b1", "client_id": 1, "at": now}],
        "reasoning": {"days": [{"day": 20_778, "counts": 1}]},
    });
    let of_session = json!({"session": {
        "number": 0,
        "entries": [entry],
        "seen": now,
        "id": 1,
        "separators": {"user": 1, "safety_identifier": 2, "prompt_cache_key": 3},
        "has_only_first_turns": true,
    }});
    let partial = json!({
        "assistant": "asi_nobody",
        "turn": turn,
        "text": text,
        "reasoning": text,
        "at": now,
    });
    [tracker, of_session, partial]
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns all kinds of records.
pub fn record_kinds() -> Vec<RecordKind> {
    porchlight::admin::verify::record_kinds()
}

/// Returns the key and the JSON of a table's first row.
pub fn first_row(view: &impl Read, kind: &RecordKind) -> Option<(Key, Vec<u8>)> {
    let all = Table::new(kind.name()).key();
    let key = view.keys_below(&all, 1).unwrap().pop()?;
    let payload = view.payload(&key).unwrap()?;
    Some((key, payload.json.to_vec()))
}

/// Overwrites a key with any bytes.
pub async fn damage(app: &App, key: Key, value: Vec<u8>) {
    let damaged = app.store.commit(move |change: &mut Change| {
        change.put_damaged(&key, value);
        Ok::<_, StoreError>(())
    });
    damaged.await.unwrap();
}

/// Returns JSON pointers to all leaves of a value.
pub fn leaves(value: &Value) -> Vec<String> {
    let below = |at: String, inner: &Value| -> Vec<String> {
        leaves(inner)
            .into_iter()
            .map(|rest| format!("{at}{rest}"))
            .collect()
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => fields
            .iter()
            .flat_map(|(name, inner)| below(format!("/{name}"), inner))
            .collect(),
        Value::Array(items) if !items.is_empty() => items
            .iter()
            .enumerate()
            .flat_map(|(place, inner)| below(format!("/{place}"), inner))
            .collect(),
        _ => vec![String::new()],
    }
}
