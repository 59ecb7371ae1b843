//! Requests to other servers: what each answer means, their order, and that they keep nothing else waiting.

use std::net::SocketAddr;

use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};

use super::receiver::Treatment::{self, *};
use super::receiver::{Received, Receiver};
use super::*;
use crate::kernel::outgoing::post::Post;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A kind whose messages are sent to one server. Their body is what they are about.
struct Requests {
    name: &'static str,
    route: Route,
    address: SocketAddr,
    on_no_answer: NoAnswer,
}

impl Composer for Requests {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: self.name,
            places: Places::OF_EACH,
            gives_up_after: 3 * DAY,
            on_no_answer: self.on_no_answer,
        }
    }

    fn route(&self) -> Route {
        self.route
    }

    fn compose(&self, change: &mut Change, item: Item<()>) -> Result<Option<Composed>, StoreError> {
        let key = NOTE.key().text(&item.about);
        change.put(&key, &Note(0))?;
        let id = HeaderValue::from_str(&item.message_id).unwrap();
        let post = Post {
            url: format!("http://{}/path", self.address).parse().unwrap(),
            headers: vec![(HeaderName::from_static("x-id"), id)],
            body: Bytes::from(item.about.clone()),
        };
        Ok(Some(Composed::from(post).with_outcome(
            move |change, outcome| match outcome {
                Outcome::Sent(_) => change.put(&key, &Note(1)),
                Outcome::NotSent | Outcome::Gone => change.remove(&key).map(drop),
            },
        )))
    }
}

impl Scene {
    fn sends_to(&self, address: SocketAddr) -> Kind<()> {
        self.sends("request", "there", address, NoAnswer::TriedAgain)
    }

    fn sends(
        &self,
        name: &'static str,
        server: &'static str,
        address: SocketAddr,
        on_no_answer: NoAnswer,
    ) -> Kind<()> {
        self.queue.register(Requests {
            name,
            route: Route::InOrder(server),
            address,
            on_no_answer,
        })
    }

    fn sends_independently(&self, name: &'static str, address: SocketAddr) -> Kind<()> {
        self.queue.register(Requests {
            name,
            route: Route::Independent,
            address,
            on_no_answer: NoAnswer::CountsAsSent,
        })
    }

    async fn request(&self, kind: &Kind<()>, about: &str) {
        let (kind, item) = (kind.clone(), Item::new("ada", about, ()));
        let queued = self.store.commit(move |change| kind.put(change, &item));
        queued.await.unwrap();
    }

    async fn deliver(&self) -> Option<u64> {
        let next = self.queue.deliver_due().await.unwrap();
        next.map(|next| next.as_secs())
    }
}

/// An address at which no program listens.
fn closed() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

fn bodies(received: &[Received]) -> Vec<&str> {
    received.iter().map(|it| it.body.as_str()).collect()
}

#[tokio::test]
async fn each_answer_and_each_way_to_lose_it_has_its_outcome() {
    let later = Some(15);
    let cases: [(Treatment, Option<u64>, bool); 29] = [
        (Answers(200), None, true),
        (Answers(202), None, true),
        (Floods(200), None, true),
        (Answers(408), later, false),
        (Answers(425), later, false),
        (Answers(429), later, false),
        (AnswersWith(429, "retry-after: 120"), Some(120), false),
        (AnswersWith(429, "retry-after: 86400"), Some(600), false),
        (AnswersWith(503, "retry-after: 1"), later, false),
        (Answers(500), later, false),
        (Answers(507), later, false),
        (Floods(500), later, false),
        (AnswersWith(301, "location: /elsewhere"), later, false),
        (AnswersWith(302, "location: /elsewhere"), later, false),
        (AnswersWith(307, "location: /elsewhere"), later, false),
        (AnswersWith(308, "location: /elsewhere"), later, false),
        (AnswersPage, later, false),
        (Answers(400), None, false),
        (Answers(401), later, false),
        (Answers(403), later, false),
        (Answers(404), later, false),
        (Floods(413), None, false),
        (Answers(422), None, false),
        (Stalls, later, false),
        (ClosesAtOnce, later, false),
        (ClosesWithinRequest, later, false),
        (ClosesAfterRequest, later, false),
        (ClosesWithinAnswer, later, false),
        (AnswersNonsense, later, false),
    ];
    for (treatment, next, is_sent) in cases {
        let mut receiver = Receiver::open(&[treatment, Answers(200)]).await;
        let scene = Scene::new();
        let request = scene.sends_to(receiver.address);
        scene.request(&request, "hello").await;

        assert_eq!(scene.deliver().await, next, "{treatment:?}");

        assert_eq!(scene.recipients().len(), next.iter().count());
        let note = is_sent.then_some(Note(1));
        assert_eq!(scene.note("hello"), note, "{treatment:?}");
        let sent = receiver.sent.load(std::sync::atomic::Ordering::SeqCst);
        assert!(sent < 20_000_000, "{treatment:?}: {sent} bytes were taken");
        let before = receiver.received();
        assert!(before.len() <= 1, "redirects are not followed");
        if let Some(next) = next {
            scene.pass(next);
            assert_eq!(scene.deliver().await, None);
            assert_eq!(scene.note("hello"), Some(Note(1)));
            let after = receiver.received();
            assert_eq!(bodies(&after), ["hello"]);
            for again in before {
                assert_eq!(again.header("x-id"), after[0].header("x-id"));
            }
        }
    }
}

#[tokio::test]
async fn a_request_whose_answer_never_comes_is_treated_as_its_kind_says() {
    for (on_no_answer, requests) in [
        (NoAnswer::CountsAsSent, 1),
        (NoAnswer::SendOnceMore, 2),
        (NoAnswer::TriedAgain, 4),
    ] {
        let mut receiver = Receiver::open(&[ClosesAfterRequest]).await;
        let scene = Scene::new();
        let request = scene.sends("request", "there", receiver.address, on_no_answer);
        scene.request(&request, "hello").await;

        while let Some(next) = scene.deliver().await {
            scene.pass(next);
        }

        assert_eq!(receiver.received().len(), requests);
        assert_eq!(scene.note("hello"), Some(Note(1)));
    }
}

#[tokio::test]
async fn a_server_that_stalls_keeps_neither_emails_nor_another_server_waiting() {
    let mut stalled = Receiver::open(&[Stalls]).await;
    let mut willing = Receiver::open(&[Answers(200)]).await;
    let scene = Scene::patient(Duration::from_secs(600));
    let request = scene.sends_to(stalled.address);
    let other = scene.sends(
        "other",
        "elsewhere",
        willing.address,
        NoAnswer::CountsAsSent,
    );
    for number in 0..20 {
        scene.request(&request, &number.to_string()).await;
    }
    let worker = tokio::spawn(scene.queue.clone().run());
    assert_eq!(stalled.next().await.body, "0");

    for number in 0..5 {
        scene.request(&other, &number.to_string()).await;
    }
    scene.test_kind.know("ada", Lane::Security);
    scene.test_kind.know("bob", Lane::Ordinary);
    for name in ["ada", "bob"] {
        scene.put(name, "Hello").await.unwrap();
    }
    let patience = Duration::from_secs(15);
    let waited_for = scene.letter.send_now("ada", "", patience).await;

    assert_eq!(waited_for, Ok(()));
    for number in 0..5 {
        assert_eq!(willing.next().await.body, number.to_string());
    }
    while scene.subjects().len() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(stalled.received().is_empty(), "one connection at a time");
    worker.abort();
}

#[tokio::test]
async fn an_independent_request_waits_for_no_other() {
    let mut stalled = Receiver::open(&[Stalls]).await;
    let mut willing = Receiver::open(&[Answers(503), Answers(200)]).await;
    let scene = Scene::patient(Duration::from_secs(600));
    let slow = scene.sends_independently("slow", stalled.address);
    let other = scene.sends_independently("other", willing.address);
    for number in 0..5 {
        scene.request(&slow, &number.to_string()).await;
    }
    let worker = tokio::spawn(scene.queue.clone().run());
    for _ in 0..5 {
        stalled.next().await;
    }

    scene.request(&other, "refused").await;
    assert_eq!(willing.next().await.body, "refused");
    scene.request(&other, "taken").await;

    assert_eq!(willing.next().await.body, "taken");
    worker.abort();
}

#[tokio::test]
async fn after_a_night_without_network_each_message_arrives_once_and_in_order() {
    let address = closed();
    let scene = Scene::new();
    let request = scene.sends_to(address);
    let mut expected = Vec::new();
    for minute in 0..8 * 60 {
        if minute % 20 == 0 {
            let name = format!("{minute:03}");
            scene.request(&request, &name).await;
            expected.push(name);
        }
        scene.deliver().await;
        scene.pass(60);
    }
    assert_eq!(scene.queued().len(), expected.len());

    let mut receiver = Receiver::at(address, &[Answers(200)]).await;
    while let Some(next) = scene.deliver().await {
        scene.pass(next);
    }

    assert_eq!(bodies(&receiver.received()), expected);
    assert!(scene.recipients().is_empty());
}

#[tokio::test]
async fn a_message_that_its_server_never_takes_delays_the_others_by_minutes_and_is_given_up() {
    let treat = |_: usize, request: Option<&Received>| match request {
        Some(request) if request.body == "first" => Answers(500),
        _ => Answers(200),
    };
    let mut receiver = Receiver::treating("127.0.0.1:0".parse().unwrap(), treat).await;
    let scene = Scene::new();
    let request = scene.sends_to(receiver.address);
    scene.request(&request, "first").await;
    scene.pass(1);
    scene.request(&request, "second").await;

    let mut waited = 0;
    while scene.note("second").is_none() {
        let next = scene.deliver().await.unwrap();
        waited += next;
        scene.pass(next);
    }

    assert!(waited <= 30 * 60, "{waited} s");
    let received = receiver.received();
    assert_eq!(received.last().unwrap().body, "second");
    assert_eq!(received.len(), 7, "the first six times");
    scene.request(&request, "third").await;
    scene.deliver().await;
    assert_eq!(scene.note("third"), Some(Note(1)), "nor later ones");
    scene.clock.advance(3 * DAY);
    assert_eq!(scene.deliver().await, None);
    assert!(scene.recipients().is_empty());
}

#[tokio::test]
async fn without_a_mail_server_requests_are_sent() {
    let mut receiver = Receiver::open(&[Answers(200)]).await;
    let scene = Scene::with(Mailer::Nobody, Arc::default());
    let request = scene.sends_to(receiver.address);
    scene.request(&request, "hello").await;

    assert_eq!(scene.deliver().await, None);

    let received = receiver.received();
    let head = &received[0].head;
    assert!(head.starts_with("POST /path HTTP/1.1\r\n"), "{head}");
    let content_type = received[0].header("content-type");
    assert_eq!(content_type, Some("application/json"));
    assert_eq!(received[0].header("x-id").map(str::len), Some(32));
}

#[tokio::test]
async fn whether_a_message_arrived_is_reported_with_the_reason() {
    let treatments = [Answers(403), ClosesAfterRequest, Answers(200)];
    let receiver = Receiver::open(&treatments).await;
    let scene = Scene::new();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let kind = scene.queue.register(Reporting {
        requests: Requests {
            name: "reported",
            route: Route::InOrder("there"),
            address: receiver.address,
            on_no_answer: NoAnswer::TriedAgain,
        },
        reported: Arc::clone(&reported),
    });
    scene.request(&kind, "hello").await;

    while let Some(next) = scene.deliver().await {
        scene.pass(next);
    }

    let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
    let refused = "The server does not allow it (status 403).".to_owned();
    let silent = "The server got all of it and did not answer.".to_owned();
    assert_eq!(
        *reported.lock().unwrap(),
        [
            Arrival::NotTaken(at(0), refused),
            Arrival::NotTaken(at(15), silent),
            Arrival::Taken(at(45))
        ]
    );
}

struct Reporting {
    requests: Requests,
    reported: Arc<Mutex<Vec<Arrival>>>,
}

impl Composer for Reporting {
    type Data = ();

    fn policy(&self) -> Policy {
        Composer::policy(&self.requests)
    }

    fn route(&self) -> Route {
        Composer::route(&self.requests)
    }

    fn lane(&self, change: &mut Change, item: &Item<()>) -> Result<Option<Lane>, StoreError> {
        Composer::lane(&self.requests, change, item)
    }

    fn compose(&self, change: &mut Change, item: Item<()>) -> Result<Option<Composed>, StoreError> {
        let reported = Arc::clone(&self.reported);
        let composed = Composer::compose(&self.requests, change, item)?;
        Ok(composed.map(|composed| {
            composed.reported_to(move |_, arrival| {
                reported.lock().unwrap().push(arrival);
                Ok(())
            })
        }))
    }
}
