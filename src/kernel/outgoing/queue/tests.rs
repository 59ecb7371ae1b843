mod message_id;
mod places;
#[allow(dead_code, reason = "the tests of the binary use all of it")]
mod receiver;
mod requests;
mod waited_for;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::delivery::{ToSend, Tried};
use super::*;
use crate::kernel::host::clock::ManualClock;
use crate::kernel::outgoing::mail::{Email, MailIds, SmtpMailer, SmtpSettings};
use crate::kernel::store::{Read, Record, Table};

const NOTE: Table = Table::new("note");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Note(u32);

impl Record for Note {}

/// A kind of messages with a fixed list of recipients. Each try records a note, and then its outcome.
#[derive(Clone)]
struct TestKind {
    policy: Policy,
    recipients: Arc<Mutex<BTreeMap<String, Lane>>>,
}

impl TestKind {
    fn lane_of(&self, recipient: &str) -> Option<Lane> {
        self.recipients.lock().unwrap().get(recipient).copied()
    }

    fn know(&self, recipient: &str, lane: Lane) {
        let mut recipients = self.recipients.lock().unwrap();
        recipients.insert(recipient.to_owned(), lane);
    }
}

impl Composer for TestKind {
    type Data = String;

    fn policy(&self) -> Policy {
        self.policy
    }

    fn lane(&self, _: &mut Change, item: &Item<String>) -> Result<Option<Lane>, StoreError> {
        Ok(self.lane_of(&item.recipient))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<String>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some(_) = self.lane_of(&item.recipient) else {
            return Ok(None);
        };
        let key = NOTE.key().text(&item.recipient);
        change.put(&key, &Note(0))?;
        let email = Email {
            to: format!("{}@example.org", item.recipient).parse().unwrap(),
            subject: item.data,
            text: String::new(),
            html: String::new(),
            is_urgent: false,
            message_id: None,
            unsubscribe: None,
        };
        Ok(Some(Composed {
            message: Message::Email(email),
            on_outcome: Some(Box::new(move |change, outcome| match outcome {
                Outcome::Sent(_) => change.put(&key, &Note(1)),
                Outcome::NotSent | Outcome::Gone => change.remove(&key).map(drop),
            })),
            report: None,
        }))
    }
}

const LETTERS: Policy = Policy {
    name: "letter",
    places: Places::Shared(3),
    gives_up_after: Duration::from_secs(60 * 60),
    on_no_answer: NoAnswer::CountsAsSent,
};

struct Scene {
    queue: Queue,
    letter: Kind<String>,
    store: Store,
    clock: ManualClock,
    test_kind: TestKind,
    sent: Arc<Mutex<Vec<Email>>>,
    _data: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let sent = Arc::default();
        let mailer = Mailer::Memory(Arc::clone(&sent));
        Self::with(mailer, sent)
    }

    /// With a mail server whose port is closed.
    fn failing() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        Self::with_server(port)
    }

    fn with_server(port: u16) -> Self {
        let settings = SmtpSettings::parse(&format!("smtp://127.0.0.1:{port}")).unwrap();
        let from = "hello@porchlight.example".parse().unwrap();
        let ids = MailIds {
            sent_at: 0,
            serial: 1,
        };
        let server = SmtpMailer::new(settings, from, Arc::new(move || ids)).unwrap();
        Self::with(Mailer::Smtp(Arc::new(server)), Arc::default())
    }

    fn with(mailer: Mailer, sent: Arc<Mutex<Vec<Email>>>) -> Self {
        Self::with_patience(Duration::from_millis(500), mailer, sent)
    }

    /// Waits this long for the answer to a request.
    fn patient(head_within: Duration) -> Self {
        let sent = Arc::default();
        let mailer = Mailer::Memory(Arc::clone(&sent));
        Self::with_patience(head_within, mailer, sent)
    }

    fn with_patience(head_within: Duration, mailer: Mailer, sent: Arc<Mutex<Vec<Email>>>) -> Self {
        let data = tempfile::TempDir::new().unwrap();
        let store = Store::open(data.path()).unwrap();
        let clock = ManualClock::at(Timestamp::from_micros(0));
        let test_kind = TestKind {
            policy: LETTERS,
            recipients: Arc::default(),
        };
        let manual = Clock::Manual(clock.clone());
        let client = PostClient::default().with_head_within(head_within);
        let rng = Randomness::repeatable();
        let queue = Queue::with_client(store.clone(), manual, rng, mailer, client);
        let letter = queue.register(test_kind.clone());
        Self {
            queue,
            letter,
            store,
            clock,
            test_kind,
            sent,
            _data: data,
        }
    }

    async fn put(&self, recipient: &str, subject: &str) -> Result<(), QueueError> {
        let item = Item::new(recipient, "", subject.to_owned());
        let letter = self.letter.clone();
        let queued = self.store.commit(move |change| letter.put(change, &item));
        queued.await
    }

    fn queued(&self) -> Vec<(String, Queued)> {
        let every = store::every(&self.store).unwrap();
        every
            .into_iter()
            .map(|(id, queued)| (id.recipient, queued))
            .collect()
    }

    fn recipients(&self) -> Vec<String> {
        self.queued().into_iter().map(|(name, _)| name).collect()
    }

    fn note(&self, recipient: &str) -> Option<Note> {
        self.store.get(&NOTE.key().text(recipient)).unwrap()
    }

    fn subjects(&self) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        sent.iter().map(|email| email.subject.clone()).collect()
    }

    fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

#[tokio::test]
async fn a_message_is_composed_when_it_is_sent_and_removed_with_what_became_of_it() {
    let scene = Scene::new();
    scene.put("ada", "Hello").await.unwrap();
    scene.test_kind.know("ada", Lane::Security);
    scene.store.record_writes();

    assert_eq!(scene.queue.deliver_due().await.unwrap(), None);

    assert_eq!(scene.subjects(), ["Hello"]);
    assert_eq!(scene.note("ada"), Some(Note(1)));
    let writes = scene.store.recorded_writes();
    assert_eq!(writes, [vec!["note"], vec!["note", "queue"]]);
}

#[tokio::test]
async fn a_message_that_fails_is_tried_later_and_later_and_given_up_in_time() {
    let scene = Scene::failing();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();
    let mut pauses = Vec::new();

    while let Some(next) = scene.queue.deliver_due().await.unwrap() {
        assert_eq!(scene.note("ada"), None, "it isn't sent");
        pauses.push(next.as_secs());
        scene.clock.advance(next);
    }

    assert_eq!(pauses, [15, 30, 60, 120, 240, 480, 600, 600, 600, 600]);
    assert!(scene.recipients().is_empty());
}

#[tokio::test]
async fn what_could_not_be_sent_while_the_server_did_not_run_is_dropped() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();

    scene.pass(60 * 60);
    scene.queue.deliver_due().await.unwrap();

    assert!(scene.recipients().is_empty() && scene.subjects().is_empty());
}

#[tokio::test]
async fn a_message_queued_under_a_clock_that_ran_ahead_is_sent_once_the_clock_is_right() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);
    scene.pass(365 * 24 * 60 * 60);
    scene.put("ada", "Hello").await.unwrap();
    scene.clock.set(Timestamp::from_micros(0));

    scene.queue.deliver_due().await.unwrap();

    assert_eq!(scene.subjects(), ["Hello"]);
}

#[tokio::test]
async fn an_equal_message_takes_the_place_of_the_queued_one_and_its_message_id() {
    let scene = Scene::failing();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "First").await.unwrap();
    scene.queue.deliver_due().await.unwrap();
    let before = scene.queued().remove(0).1;

    scene.pass(5);
    scene.put("ada", "Second").await.unwrap();

    let (_, after) = scene.queued().remove(0);
    assert_eq!(after.data, serde_json::json!("Second"));
    assert_eq!(
        (after.queued_at, after.due_at, after.tries, after.message_id),
        (before.queued_at, before.due_at, 1, before.message_id)
    );
}

#[tokio::test]
async fn a_full_queue_drops_what_reaches_nobody_then_the_oldest_strangers_and_nothing_else() {
    let scene = Scene::new();
    for name in ["eve", "mallory"] {
        scene.put(name, "").await.unwrap();
        scene.pass(1);
    }
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "").await.unwrap();

    scene.put("bob", "").await.unwrap();
    assert_eq!(
        scene.recipients(),
        ["ada", "bob"],
        "nobody knows the others"
    );

    scene.pass(1);
    scene.test_kind.know("bob", Lane::Strangers);
    scene.test_kind.know("cleo", Lane::Strangers);
    scene.put("cleo", "").await.unwrap();
    scene.test_kind.know("dan", Lane::Ordinary);
    scene.put("dan", "").await.unwrap();
    assert_eq!(scene.recipients(), ["ada", "cleo", "dan"]);

    scene.test_kind.know("cleo", Lane::Security);
    let refused = scene.put("eve", "").await;
    assert!(matches!(refused, Err(QueueError::Full)));
    scene.put("dan", "again").await.unwrap();
    assert_eq!(scene.recipients(), ["ada", "cleo", "dan"]);
}

#[tokio::test]
async fn a_message_removed_before_or_while_it_is_sent_is_not_queued_again() {
    let scene = Scene::failing();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();
    let forget = || {
        let letter = scene.letter.clone();
        scene
            .store
            .commit(move |change| letter.forget(change, "ada"))
    };
    let id = store::every(&scene.store).unwrap().remove(0).0;

    forget().await.unwrap();
    let claim = scene.queue.claim(id.clone()).unwrap();
    scene
        .queue
        .clone()
        .deliver(claim, Lane::Security)
        .await
        .unwrap();
    assert_eq!(scene.note("ada"), None, "it is not composed");

    scene.put("ada", "Hello").await.unwrap();
    let ToSend::Message(composed) = scene.queue.compose(&id).await.unwrap() else {
        panic!("it is queued");
    };
    forget().await.unwrap();
    let tried = Tried::Failed("A reason.".into());
    scene
        .queue
        .record(id, composed.1.on_outcome, None, tried)
        .await
        .unwrap();

    assert_eq!(scene.note("ada"), None);
    assert!(scene.recipients().is_empty());
}

#[tokio::test]
async fn a_message_is_sent_by_one_task_at_a_time() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();
    let id = store::every(&scene.store).unwrap().remove(0).0;

    let claim = scene.queue.claim(id.clone()).unwrap();
    scene.queue.deliver_due().await.unwrap();
    assert!(scene.subjects().is_empty());
    assert!(scene.queue.claim(id).is_none());
    drop(claim);
    scene.queue.deliver_due().await.unwrap();

    assert_eq!(scene.subjects(), ["Hello"]);
}

#[tokio::test(start_paused = true)]
async fn the_worker_is_woken_by_the_change_that_queues() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);
    let worker = tokio::spawn(scene.queue.clone().run());
    tokio::task::yield_now().await;

    scene.put("ada", "Hello").await.unwrap();
    while scene.subjects().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    worker.abort();
}

#[tokio::test]
async fn a_message_of_an_unknown_kind_and_one_of_unreadable_data_keep_nobody_waiting() {
    let scene = Scene::new();
    for name in ["ada", "bob"] {
        scene.test_kind.know(name, Lane::Security);
    }
    scene.put("bob", "Hello").await.unwrap();
    let written = scene.store.commit(|change| {
        let queued = Queued {
            queued_at: Timestamp::from_micros(0),
            due_at: Timestamp::from_micros(0),
            tries: 0,
            message_id: String::new(),
            unanswered_tries: 0,
            deferred: false,
            data: serde_json::json!(7),
        };
        for kind in ["letter", "telegram"] {
            store::put(change, &Id::new(kind, "ada", ""), &queued)?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();

    let next = scene.queue.deliver_due().await.unwrap();

    assert_eq!(next, Some(FIRST_PAUSE));
    assert_eq!(scene.subjects(), ["Hello"]);
    assert_eq!(scene.recipients(), ["ada"], "the letter is tried again");
}
