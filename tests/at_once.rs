//! E-mails about alerts, at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::family;
use crate::support::test_app::{Persona, TestApp};
use poem::http::Method;
use porchlight::admin::{ChangeEmail, RemoveGuardian, UnlinkChild};
use porchlight::children::ChildId;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{Email, MailIds, Mailer, SmtpMailer, SmtpSettings};
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const SUBJECT: &str = "Something to look at in Porchlight";

/// Ada and Ben share Mia and Leo, who talk with Kitchen. Both watch for secrets of both.
struct World {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    kitchen: String,
    /// The number of sessions so far.
    sessions: AtomicU64,
}

fn settings(change: impl FnOnce(&mut Value)) -> Value {
    let mut settings = family::subscription_off();
    settings["at_once"]["email"] = json!(true);
    change(&mut settings);
    settings
}

impl World {
    async fn new() -> Self {
        Self::of_app(TestApp::new().await).await
    }

    async fn of_app(app: TestApp) -> Self {
        app.named_guardian(ADA, "Ada").await;
        app.named_guardian(BEN, "Ben").await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let leo = app.child("Leo", &[ADA, BEN]).await;
        let kitchen = app.assistant("Kitchen", &[mia, leo]).await;
        let kitchen = kitchen.credential().to_owned();
        let world = Self {
            app,
            mia,
            leo,
            kitchen,
            sessions: 0.into(),
        };
        for email in [ADA, BEN] {
            for child in [mia, leo] {
                let path = format!("/api/child/{child}/watched_phrases");
                let phrases = json!([{"words": "our secret", "side": "either"}]);
                world.of(email).await.put(&path, &phrases).await.ok();
            }
        }
        world
    }

    async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    async fn subscribe(&self, email: &str, change: impl FnOnce(&mut Value)) {
        let by = self.of(email).await;
        by.put("/api/subscription", &settings(change)).await.ok();
    }

    /// A new conversation in which the phrase is said. Returns its id.
    async fn alert(&self, child: ChildId) -> u64 {
        self.alert_at(child, None).await
    }

    async fn alert_at(&self, child: ChildId, said_at: Option<&str>) -> u64 {
        let number = self.sessions.fetch_add(1, Ordering::SeqCst);
        let text = format!("This is our secret canary{number}.");
        let mut message = json!({"message_id": "m", "source": "assistant", "text_content": text});
        if let Some(at) = said_at {
            message["timestamp"] = json!(at);
        }
        let delivery = json!({"child_id": child, "topic": "canarytopic", "messages": [message]});
        let robot = self.app.bearer(&self.kitchen);
        let delivered = robot.deliver(&format!("s{number}"), &delivery).await;
        delivered.json()["session_id"].as_u64().unwrap()
    }

    /// The e-mails about alerts that are sent now.
    async fn told(&self) -> Vec<Email> {
        self.app.inner.notifications.queue_due().await.unwrap();
        let mut emails = self.app.take_emails().await;
        emails.retain(|email| email.subject == SUBJECT);
        emails
    }

    /// Lets time pass, while messages are sent every minute. Returns the minute and the recipient of each.
    async fn told_within(&self, minutes: u64) -> Vec<(u64, String)> {
        let mut told = Vec::new();
        for minute in 0..=minutes {
            if minute > 0 {
                self.app.clock.advance(MINUTE);
            }
            for email in self.told().await {
                told.push((minute, email.to.to_string()));
            }
        }
        told
    }

    async fn delete(&self, email: &str, session: u64) {
        let path = format!("/api/sessions/{session}");
        let by = self.of(email).await;
        by.send(Method::DELETE, &path, &[], None).await.ok();
    }

    fn rows(&self, table: &'static str) -> Vec<Value> {
        let store = &self.app.inner.store;
        let keys = store.keys_below(&Table::new(table).key(), usize::MAX);
        let rows = keys.unwrap().into_iter().map(|key| {
            let payload = store.payload(&key).unwrap().unwrap();
            serde_json::from_slice(&payload.json).unwrap()
        });
        rows.collect()
    }
}

fn recipients(emails: &[Email]) -> Vec<String> {
    let mut all = emails
        .iter()
        .map(|email| email.to.to_string())
        .collect::<Vec<_>>();
    all.sort();
    all
}

#[tokio::test]
async fn each_guardian_is_told_of_the_children_and_kinds_that_they_chose() {
    let world = World::new().await;
    let (mia, leo) = (world.mia, world.leo);
    /// What is changed of Ada's settings, and whether she gets an e-mail about Mia's phrase, and about Leo's.
    type Case = (&'static str, Value, [bool; 2]);
    let cases: [Case; 6] = [
        ("/at_once/email", json!(false), [false, false]),
        ("/at_once/email", json!(true), [true, true]),
        ("/at_once/kinds", json!(["outside_times"]), [false, false]),
        ("/at_once/kinds", json!(["phrase"]), [true, true]),
        ("/at_once/children", json!([leo]), [false, true]),
        ("/at_once/children", json!([]), [false, false]),
    ];

    for (place, value, expected) in cases {
        let (parent, field) = place.rsplit_once('/').unwrap();
        world
            .subscribe(ADA, |settings| {
                settings.pointer_mut(parent).unwrap()[field] = value.clone();
            })
            .await;
        for (child, is_told) in [mia, leo].into_iter().zip(expected) {
            world.app.clock.advance(HOUR);
            world.alert(child).await;

            let told = world.told().await;

            let expected = if is_told {
                vec![ADA.to_owned()]
            } else {
                vec![]
            };
            assert_eq!(recipients(&told), expected, "{place} {value} {child}");
        }
    }
}

#[tokio::test]
async fn talk_outside_the_times_is_told_to_all_who_chose_it() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world
        .subscribe(BEN, |settings| {
            settings["at_once"]["kinds"] = json!(["phrase"]);
        })
        .await;
    let quiet = json!({
        "time_zone": "UTC",
        "quiet_hours": [{"days": ["sat"], "from": "19:00", "to": "23:59"}],
    });
    let path = format!("/api/child/{}/times", world.mia);
    world.of(ADA).await.put(&path, &quiet).await.ok();
    let robot = world.app.bearer(&world.kitchen);
    for minute in 0..8 {
        world.app.clock.advance(MINUTE);
        let id = format!("m{minute}");
        let message = json!({"message_id": id, "source": "child", "text_content": "Hello"});
        let delivery = json!({"child_id": world.mia, "messages": [message]});
        robot.deliver("late", &delivery).await.ok();
    }
    let ended = json!({"child_id": world.mia, "completion": {"duration": 480}});
    robot.deliver("late", &ended).await.ok();
    world.app.inner.alerts.judge().await.unwrap();

    let told = world.told().await;

    assert_eq!(recipients(&told), [ADA]);
    let expected = "Mia and an assistant talked while it was not allowed.";
    for part in [&told[0].text, &told[0].html] {
        assert!(part.contains(expected), "{part}");
    }
}

#[tokio::test]
async fn an_email_names_the_child_and_has_one_link_and_no_word() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world.alert(world.mia).await;
    world.alert(world.mia).await;
    world.alert(world.leo).await;

    let told = world.told().await;

    let [email] = &*told else {
        panic!("{} emails", told.len());
    };
    assert_eq!(email.subject, SUBJECT);
    let mia = "Phrases that you watch for were said in Mia's conversations: 2 alerts.";
    let leo = "A phrase that you watch for was said in Leo's conversation.";
    for part in [&email.text, &email.html] {
        assert!(part.contains(mia) && part.contains(leo), "{part}");
    }
    let link = format!("https://porchlight.example/child/{}/alerts", world.mia);
    for part in [&email.text, &email.html] {
        assert_eq!(part.matches("https://").count(), 1, "{part}");
        assert!(part.contains(&link), "{part}");
        let (_, body) = part.split_once("<body").unwrap_or(("", part));
        assert!(!body.contains('{'), "every place is filled in: {part}");
    }
    // Everything was told.
    assert!(world.told_within(30).await.is_empty());
    assert!(world.rows("told-waiting").is_empty());
}

#[tokio::test]
async fn without_the_switch_no_word_leaves_and_none_is_queued() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world.alert(world.mia).await;
    for table in ["queue", "told-waiting", "told-last"] {
        let rows = world.rows(table);
        assert!(table == "told-last" || rows.len() == 1, "{table}: {rows:?}");
        assert!(is_wordless(&json!(rows).to_string()), "{table}: {rows:?}");
    }

    let told = world.told().await;
    let email = &told[0];
    let unsubscribe = email.unsubscribe.clone().unwrap();
    for part in [&email.text, &email.html, &email.subject, &unsubscribe] {
        assert!(is_wordless(part), "{part}");
    }

    // With the switch it has them.
    world
        .subscribe(ADA, |settings| settings["quotes"] = json!(true))
        .await;
    world.app.clock.advance(HOUR);
    world.alert(world.mia).await;
    assert!(is_wordless(&json!(world.rows("queue")).to_string()));
    let told = world.told().await;
    for part in [&told[0].text, &told[0].html] {
        assert!(
            part.contains("“our secret”: This is our secret canary1."),
            "{part}"
        );
    }
    assert!(is_wordless(&told[0].subject));
}

#[tokio::test]
async fn an_email_quotes_the_words_that_rang_whatever_replaced_them() {
    let world = World::new().await;
    world
        .subscribe(ADA, |settings| settings["quotes"] = json!(true))
        .await;
    world.alert(world.mia).await;
    for (revision, text) in [(1, "Our secret recipe needs salt."), (2, "Good night.")] {
        let delivery = json!({"child_id": world.mia, "messages": [
            {"message_id": "m", "source": "assistant", "text_content": text, "revision": revision}]});
        let robot = world.app.bearer(&world.kitchen);
        robot.deliver("s0", &delivery).await.ok();
    }

    let told = world.told().await;

    let quote = "“our secret”: This is our secret canary0.";
    assert!(told[0].text.contains(quote), "{}", told[0].text);
}

fn is_wordless(text: &str) -> bool {
    !text.contains("canary") && !text.contains("secret")
}

#[tokio::test]
async fn ten_thousand_alerts_in_an_hour_make_six_messages() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    let (mut sent, mut most_rows) = (Vec::new(), 0);
    for minute in 0..60 {
        // In batches, as an assistant delivers them.
        for _ in 0..4 {
            world.alert(world.mia).await;
        }
        world.many_alerts(163).await;
        sent.extend(world.told().await.iter().map(|_| minute));
        let rows = ["queue", "told-waiting", "told-last"].map(|table| world.rows(table).len());
        most_rows = most_rows.max(rows.into_iter().sum());
        world.app.clock.advance(MINUTE);
    }

    assert_eq!(sent, [0, 10, 20, 30, 40, 50]);
    assert!(most_rows <= 3, "{most_rows}");
    let own = Table::new("alert-own").key();
    let alerts = world.app.inner.store.keys_below(&own, usize::MAX).unwrap();
    assert!(alerts.len() >= 10_000, "{}", alerts.len());
    // The rest comes afterwards, as one.
    assert_eq!(world.told_within(60).await, [(0, ADA.to_owned())]);
}

impl World {
    /// Alerts about many phrases, each in a message of its own.
    async fn many_alerts(&self, count: usize) {
        let robot = self.app.bearer(&self.kitchen);
        let number = self.sessions.fetch_add(1, Ordering::SeqCst);
        let message =
            json!({"message_id": "m", "source": "assistant", "text_content": "our secret"});
        let delivery = json!({"child_id": self.mia, "messages": [message]});
        let (robot, delivery) = (&robot, &delivery);
        let deliveries = (0..count).map(async |index| {
            let session = format!("many-{number}-{index}");
            robot.deliver(&session, delivery).await.ok();
        });
        futures_util::future::join_all(deliveries).await;
    }
}

#[tokio::test]
async fn what_waits_during_quiet_hours_comes_afterwards_as_one_message() {
    let world = World::new().await;
    // It is 20:00.
    world
        .subscribe(ADA, |settings| {
            settings["at_once"]["quiet_hours"] = json!({"from": "22:00", "to": "07:00"});
        })
        .await;
    world.app.clock.advance(2 * HOUR);
    for child in [world.mia, world.mia, world.leo] {
        world.alert(child).await;
        world.app.clock.advance(HOUR);
    }

    // It is 01:00.
    let told = world.told_within(8 * 60).await;

    assert_eq!(told, [(6 * 60, ADA.to_owned())]);
}

#[tokio::test]
async fn nothing_is_told_of_what_one_deleted_or_switched_off_oneself() {
    let world = World::new().await;
    let quiet = |settings: &mut Value| {
        settings["at_once"]["quiet_hours"] = json!({"from": "19:00", "to": "21:00"});
    };
    // A conversation that she deleted herself.
    world.subscribe(ADA, quiet).await;
    let session = world.alert(world.mia).await;
    world.delete(ADA, session).await;
    assert!(world.told_within(70).await.is_empty());

    // A switch.
    world
        .subscribe(ADA, |settings| {
            settings["at_once"]["quiet_hours"] = json!({"from": "21:00", "to": "23:00"});
        })
        .await;
    world.alert(world.mia).await;
    world
        .subscribe(ADA, |settings| settings["at_once"]["email"] = json!(false))
        .await;
    assert!(world.told_within(120).await.is_empty());
    assert!(world.rows("told-waiting").is_empty());

    // Access to the child.
    world
        .subscribe(ADA, |settings| {
            settings["at_once"]["quiet_hours"] = json!({"from": "23:00", "to": "23:59"});
        })
        .await;
    world.app.clock.advance(15 * MINUTE);
    world.alert(world.mia).await;
    let unlinked = world.app.run_admin(UnlinkChild {
        child: world.mia,
        email: ADA.parse().unwrap(),
    });
    unlinked.await.0.unwrap();
    assert!(world.told_within(120).await.is_empty());
}

#[tokio::test]
async fn a_guardian_keeps_no_alert_from_another_by_deleting_the_conversation() {
    let world = World::new().await;
    world
        .subscribe(ADA, |settings| settings["quotes"] = json!(true))
        .await;
    let session = world.alert(world.mia).await;
    world.delete(BEN, session).await;

    let told = world.told().await;

    assert_eq!(recipients(&told), [ADA]);
    for part in [&told[0].text, &told[0].html] {
        assert!(
            part.contains("Mia's conversation") && !part.contains("canary"),
            "{part}"
        );
    }
}

#[tokio::test]
async fn what_is_older_than_a_day_on_arrival_is_never_told_at_once() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;

    world
        .alert_at(world.mia, Some("2026-11-20T19:59:00Z"))
        .await;
    assert!(world.told().await.is_empty());
    world
        .alert_at(world.mia, Some("2026-11-20T20:01:00Z"))
        .await;
    assert_eq!(recipients(&world.told().await), [ADA]);
}

/// A mail server that can be unreachable, and the e-mails that it accepted.
struct MailServer {
    port: u16,
    is_up: Arc<AtomicBool>,
    emails: Arc<Mutex<Vec<String>>>,
}

impl MailServer {
    async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_up, emails) = (
            Arc::<AtomicBool>::default(),
            Arc::<Mutex<Vec<String>>>::default(),
        );
        let (answers, taken) = (is_up.clone(), emails.clone());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if answers.load(Ordering::SeqCst) {
                    tokio::spawn(take(stream, taken.clone()));
                }
            }
        });
        Self {
            port,
            is_up,
            emails,
        }
    }

    fn mailer(&self) -> Mailer {
        let settings = SmtpSettings::parse(&format!("smtp://127.0.0.1:{}", self.port)).unwrap();
        let mail_ids = MailIds {
            sent_at: 1_767_225_600,
            serial: 0xfeed,
        };
        let from = "hello@porchlight.example".parse().unwrap();
        let mailer = SmtpMailer::new(settings, from, Arc::new(move || mail_ids)).unwrap();
        Mailer::Smtp(Arc::new(mailer))
    }

    fn take_emails(&self) -> Vec<String> {
        std::mem::take(&mut self.emails.lock().unwrap())
    }
}

async fn take(stream: TcpStream, emails: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let (mut email, mut in_email) = (String::new(), false);
    let mut answer = "220 ready\r\n";
    loop {
        stream.write_all(answer.as_bytes()).await.ok()?;
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        answer = match (line.trim_end(), in_email) {
            ("DATA", false) => {
                in_email = true;
                "354 go on\r\n"
            }
            (".", true) => {
                in_email = false;
                emails.lock().unwrap().push(std::mem::take(&mut email));
                "250 fine\r\n"
            }
            (_, true) => {
                email += &line;
                ""
            }
            (_, false) => "250 fine\r\n",
        };
    }
}

#[tokio::test]
async fn after_a_night_without_network_one_message_comes_with_the_headers_to_unsubscribe() {
    let mail = MailServer::open().await;
    let app = TestApp::with_mailer(mail.mailer(), LimitMode::Off).await;
    let world = World::of_app(app).await;
    world.subscribe(ADA, |_| ()).await;
    for minute in 0..8 * 60 {
        if minute % 30 == 0 {
            world.alert(world.mia).await;
        }
        world.app.clock.advance(MINUTE);
        world.told().await;
    }
    assert!(mail.take_emails().is_empty());

    mail.is_up.store(true, Ordering::SeqCst);
    // At the latest after the longest pause between two tries.
    assert!(world.told_within(11).await.is_empty());

    let emails = mail.take_emails();
    let [email] = &*emails else {
        panic!("{} emails", emails.len());
    };
    for line in [
        "Subject: Something to look at in Porchlight\r\n",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
        "List-Unsubscribe: <https://porchlight.example/unsubscribe/alerts.gdn_",
    ] {
        assert_eq!(email.matches(line).count(), 1, "{line}: {email}");
    }
    assert!(is_wordless(email), "{email}");
    assert!(email.contains("16 alerts"), "{email}");
    world.told_within(30).await;
    assert!(mail.take_emails().is_empty(), "once");
}

#[tokio::test]
async fn a_sign_in_link_is_sent_beside_alerts_and_has_no_link_to_unsubscribe() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world.subscribe(BEN, |_| ()).await;
    world.many_alerts(500).await;

    let body = json!({"email": ADA});
    let anonymous = world.app.anonymous();
    anonymous.post("/api/auth/link", &body).await.ok();

    let emails = world.app.take_emails().await;
    let link = emails
        .iter()
        .position(|email| email.text.contains("#token=lnk_"));
    assert!(link.is_some());
    let all = emails.iter().map(|email| email.unsubscribe.is_some());
    // A security e-mail has no link to unsubscribe.
    assert_eq!(all.filter(|has_link| !has_link).count(), 1);
    assert!(emails[link.unwrap()].unsubscribe.is_none());
}

#[tokio::test]
async fn a_backlog_of_more_than_a_day_becomes_one_message_and_is_given_up_after_three_days() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    // The server was off: nothing is handed over for 30 hours.
    for _ in 0..30 {
        world.alert(world.mia).await;
        world.app.clock.advance(HOUR);
    }
    let told = world.told().await;
    assert_eq!(recipients(&told), [ADA]);
    assert!(told[0].text.contains("30 alerts"), "{}", told[0].text);
    assert!(world.told_within(30).await.is_empty());

    world.alert(world.mia).await;
    world.app.clock.advance(73 * HOUR);
    assert!(world.told_within(30).await.is_empty());
    assert!(world.rows("told-waiting").is_empty());
}

#[tokio::test]
async fn unsubscribing_works_signed_out_twice_at_once_and_reveals_nothing() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world.subscribe(BEN, |_| ()).await;
    world.alert(world.mia).await;
    let told = world.told().await;
    let link = |email: &str| {
        let email = told.iter().find(|it| it.to.to_string() == email).unwrap();
        let link = email.unsubscribe.clone().unwrap();
        link.strip_prefix("https://porchlight.example")
            .unwrap()
            .to_owned()
    };
    let (ada, ben) = (link(ADA), link(BEN));
    assert!(!ada.contains("ada@") && !ada.contains("example"));
    let anonymous = world.app.anonymous();
    let is_on = async |email: &str| {
        let settings = world.of(email).await.get("/api/subscription").await.json();
        settings["settings"]["at_once"]["email"].as_bool().unwrap()
    };

    // A program that checks e-mails opens links.
    for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
        anonymous.send(method, &ada, &[], None).await;
    }
    let page = anonymous.get(&ada).await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(
        page.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    assert!(page.body.contains("<form method=\"post\">") && !page.body.contains("<script"));
    assert!(is_on(ADA).await);

    // In a race, and as another site's form.
    let headers = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("origin", "https://mail.example"),
    ];
    let one_click = || Some("List-Unsubscribe=One-Click".to_owned());
    let posts = (0..4).map(|_| anonymous.send(Method::POST, &ada, &headers, one_click()));
    let first = futures_util::future::join_all(posts).await;
    let expected = &first[0];
    assert_eq!(expected.status, 200);
    assert!(!expected.body.contains("ada"), "{}", expected.body);
    assert!(!is_on(ADA).await && is_on(BEN).await);

    let removed = world.app.run_admin(RemoveGuardian {
        email: BEN.parse().unwrap(),
    });
    removed.await.0.unwrap();
    let mangled = format!("{}x", &ada[..ada.len() - 1]);
    for path in [
        &ada,
        &ben,
        &mangled,
        "/unsubscribe/x",
        "/unsubscribe/weekly.gdn_1.AAAA",
    ] {
        let answer = anonymous.send(Method::POST, path, &[], one_click()).await;
        assert_eq!(
            (answer.status, &answer.body),
            (expected.status, &expected.body),
            "{path}"
        );
    }

    // What waited is gone, too.
    world.app.clock.advance(HOUR);
    world.alert(world.mia).await;
    assert!(world.told().await.is_empty());
}

#[tokio::test]
async fn a_link_of_a_former_address_ends_nothing() {
    let world = World::new().await;
    world.subscribe(ADA, |_| ()).await;
    world.alert(world.mia).await;
    let told = world.told().await;
    let link = told[0].unsubscribe.clone().unwrap();
    let path = link.strip_prefix("https://porchlight.example").unwrap();
    let changed = world.app.run_admin(ChangeEmail {
        from: ADA.parse().unwrap(),
        to: "ada@example.net".parse().unwrap(),
    });
    changed.await.0.unwrap();

    let answer = world
        .app
        .anonymous()
        .send(Method::POST, path, &[], None)
        .await;

    assert_eq!(answer.status, 200);
    let settings = world.of("ada@example.net").await;
    let settings = settings.get("/api/subscription").await.json();
    assert_eq!(settings["settings"]["at_once"]["email"], true);
}

#[tokio::test]
async fn a_restored_backup_tells_nobody() {
    let world = World::new().await;
    world
        .subscribe(ADA, |settings| {
            settings["at_once"]["quiet_hours"] = json!({"from": "19:00", "to": "21:00"});
        })
        .await;
    world.alert(world.mia).await;
    assert_eq!(world.rows("told-waiting").len(), 1);
    let folder = tempfile::tempdir().unwrap();
    let (file, restored) = (folder.path().join("backup"), folder.path().join("restored"));
    world.app.back_up(&file).await;
    let everybody = crate::support::family::everybody();
    crate::support::test_app::restore(&file, &restored, everybody).unwrap();

    let copy = TestApp::in_folder(&restored).await;

    for table in ["told-waiting", "told-last", "weekly-sent", "queue"] {
        let keys = copy.inner.store.keys_below(&Table::new(table).key(), 1);
        assert!(keys.unwrap().is_empty(), "{table}");
    }
    copy.clock.advance(2 * HOUR);
    copy.inner.notifications.queue_due().await.unwrap();
    assert!(copy.take_emails().await.is_empty());
    // What was chosen is back, and the guardian is asked.
    let ada = copy.stepped_up(ADA).await;
    let read = ada.get("/api/subscription").await.json();
    assert_eq!(read["settings"]["at_once"]["email"], true);
    assert_eq!(read["restored"]["quotes"], false);
    ada.put("/api/subscription", &read["settings"]).await.ok();
    let read = ada.get("/api/subscription").await.json();
    assert_eq!(read.get("restored"), None);
    // Links in e-mails from before keep working.
    let key = copy
        .inner
        .store
        .keys_below(&Table::new("unsubscribe-key").key(), 1);
    assert_eq!(key.unwrap().len(), 1);
}

#[tokio::test]
async fn a_server_without_a_mail_server_queues_nothing() {
    let app = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let world = World::of_app(app).await;
    world.subscribe(ADA, |_| ()).await;

    world.alert(world.mia).await;

    assert!(world.rows("told-waiting").is_empty() && world.rows("queue").is_empty());
}
