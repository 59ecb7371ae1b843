use super::*;
use crate::identity::methods::links::link::{LinkError, Owner};
use crate::identity::{Identity, IdentitySettings};
use crate::kernel::clock::{Clock, ManualClock, Timestamp};
use crate::kernel::due::DueClock;
use crate::kernel::mail::Email;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::Store;
use std::sync::{Arc, Mutex};

const ADA: &str = "ada@example.org";
const EVE: &str = "eve@example.org";

fn address(text: &str) -> EmailAddress {
    text.parse().unwrap()
}

/// A network where a guardian was signed in, or another one.
fn origin(is_home: bool) -> Origin {
    Origin {
        network: "192.0.2.0/24".parse().unwrap(),
        is_home,
    }
}

/// An identity without limits, with the guardian Ada, whose e-mails are kept in memory.
struct Scene {
    identity: Identity,
    store: Store,
    clock: ManualClock,
    emails: Arc<Mutex<Vec<Email>>>,
    _data: tempfile::TempDir,
}

impl Scene {
    async fn new(open_sign_up: bool) -> Self {
        let data = tempfile::TempDir::new().unwrap();
        let store = Store::open(data.path(), false).unwrap();
        let clock = ManualClock::at(Timestamp::from_micros(0));
        let emails = Arc::<Mutex<Vec<Email>>>::default();
        let mailer = Mailer::Memory(Arc::clone(&emails));
        let identity = start(&store, &clock, mailer, open_sign_up).await;
        let added = {
            let identity = identity.clone();
            store.commit(move |change| identity.guardians.add(change, &address(ADA), None))
        };
        added.await.unwrap().unwrap();
        Self {
            identity,
            store,
            clock,
            emails,
            _data: data,
        }
    }

    async fn ask(&self, email: &str, is_home: bool) -> Result<(), IdentityError> {
        let origin = origin(is_home);
        let asked = self
            .identity
            .outbox
            .request_link(address(email), Some(&origin));
        asked.await
    }

    /// Requests a link, and takes its token out of the e-mail.
    async fn token(&self, email: &str, is_home: bool) -> String {
        self.ask(email, is_home).await.unwrap();
        self.identity.outbox.deliver_due().await.unwrap();
        let emails = self.emails.lock().unwrap();
        let text = &emails.last().unwrap().text;
        let start = text.find("lnk_").unwrap();
        text[start..][.."lnk_".len() + 43].to_owned()
    }

    fn waiting(&self, queue: Queue) -> usize {
        store::count(&self.store, queue, usize::MAX).unwrap()
    }
}

async fn start(store: &Store, clock: &ManualClock, mailer: Mailer, open_sign_up: bool) -> Identity {
    let mut settings = IdentitySettings::usual("https://porchlight.example".parse().unwrap());
    settings.limits = crate::kernel::limit::LimitMode::Off;
    settings.open_sign_up = open_sign_up;
    let (clock, randomness) = (Clock::Manual(clock.clone()), Randomness::repeatable());
    let due = DueClock::start(store, &clock, true).unwrap();
    let identity = Identity::start(store.clone(), clock, due, randomness, mailer, settings);
    identity.await.unwrap()
}

#[test]
fn an_email_is_tried_later_and_later_and_given_up_after_an_hour() {
    let asked = Timestamp::from_micros(0);
    let mut waiting = Waiting::new(address(ADA), false, asked);
    let mut pauses = Vec::new();

    while let Some(later) = waiting.clone().after_failure(waiting.due_at) {
        pauses.push(later.due_at.since(waiting.due_at).as_secs());
        waiting = later;
    }

    assert_eq!(pauses, [15, 30, 60, 120, 240, 480, 600, 600, 600, 600]);
}

#[test]
fn a_try_that_would_come_an_hour_after_it_was_asked_for_is_not_made() {
    let asked = Timestamp::from_micros(0);
    let waiting = Waiting::new(address(ADA), false, asked);
    let failed_after = |seconds| asked.after(Duration::from_secs(seconds));

    assert!(waiting.clone().after_failure(failed_after(3584)).is_some());
    assert!(waiting.after_failure(failed_after(3585)).is_none());
}

/// The tables written, by commit, when a link to this address is requested twice and the e-mail is then delivered.
async fn writes(scene: &Scene, email: &str) -> Vec<Vec<String>> {
    scene.store.record_writes();
    scene.ask(email, false).await.unwrap();
    scene.ask(email, false).await.unwrap();
    scene.identity.outbox.deliver_due().await.unwrap();
    scene.store.recorded_writes()
}

#[tokio::test]
async fn known_and_unknown_addresses_pass_the_same_steps() {
    for failed in [false, true] {
        let scene = Scene::new(false).await;
        let last = HandOver {
            sending: Duration::ZERO,
            waiting: Duration::ZERO,
            failed,
        };

        scene.identity.outbox.state.note(last);
        let unknown = writes(&scene, EVE).await;
        let known = if failed {
            writes(&failing(&scene).await, ADA).await
        } else {
            writes(&scene, ADA).await
        };

        // The queued e-mail, twice; the link; the end of the delivery, which starts the link's life or, on failure, removes it.
        let expected = |queue: &'static str, links: &'static str| {
            let with_link = vec!["link", links];
            let end = vec!["link", links, queue];
            [vec![queue], vec![queue], with_link, end]
        };
        assert_eq!(known, expected("outbox", "link-of"), "{failed}");
        let of_strangers = expected("outbox-strangers", "link-to");
        assert_eq!(unknown, of_strangers, "{failed}");
        let waits = usize::from(failed);
        assert_eq!(
            scene.waiting(Queue::Strangers),
            waits,
            "as a known one does"
        );
        assert_eq!(scene.waiting(Queue::Guardians), waits);
    }
}

/// The same scene with a mail server whose port is closed.
async fn failing(scene: &Scene) -> Scene {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let url = format!("smtp://127.0.0.1:{port}");
    let settings = crate::kernel::mail::SmtpSettings::parse(&url).unwrap();
    let mail_ids = crate::kernel::mail::MailIds {
        sent_at: 0,
        serial: 1,
    };
    let from = address("hello@porchlight.example");
    let server =
        crate::kernel::mail::SmtpMailer::new(settings, from, Arc::new(move || mail_ids)).unwrap();
    let mailer = Mailer::Smtp(Arc::new(server));
    Scene {
        identity: start(&scene.store, &scene.clock, mailer, false).await,
        store: scene.store.clone(),
        clock: scene.clock.clone(),
        emails: Arc::default(),
        _data: tempfile::TempDir::new().unwrap(),
    }
}

#[tokio::test]
async fn known_and_unknown_addresses_have_as_few_links_to_read_however_often_they_are_asked_for() {
    let scene = Scene::new(false).await;

    for _ in 0..20 {
        for email in [ADA, EVE] {
            scene.ask(email, false).await.unwrap();
        }
        scene.identity.outbox.deliver_due().await.unwrap();
        scene.clock.advance(Duration::from_secs(60));
    }

    let ada = scene.identity.guardians.get(&scene.store, &address(ADA));
    let owners = [
        Owner::Guardian(ada.unwrap().id),
        Owner::Address(address(EVE)),
    ];
    let kept = owners.map(|owner| scene.identity.links.count(&owner));
    assert_eq!(
        kept,
        [7, 7],
        "three that work, three that ended, and the one that just did"
    );
}

#[tokio::test]
async fn of_strangers_links_the_newest_are_kept() {
    let scene = Scene::new(true).await;
    for number in 0..10 {
        scene.clock.advance(Duration::from_secs(1));
        scene.token(&format!("{number}@example.org"), false).await;
    }

    scene.identity.links.forget_strangers(3).await;

    let kept = (0..10).filter(|number| {
        let owner = Owner::Address(address(&format!("{number}@example.org")));
        scene.identity.links.count(&owner) > 0
    });
    assert_eq!(kept.collect::<Vec<_>>(), [7, 8, 9]);
}

#[tokio::test]
async fn strangers_take_no_place_of_a_guardians() {
    let scene = Scene::new(false).await;
    for number in 0..CAPACITY + 20 {
        scene.clock.advance(Duration::from_secs(1));
        let email = format!("{number}@example.org");
        scene.ask(&email, false).await.unwrap();
    }
    assert_eq!(scene.waiting(Queue::Strangers), CAPACITY);

    scene.ask(ADA, false).await.unwrap();

    assert_eq!(scene.waiting(Queue::Guardians), 1);
    let oldest = store::waiting(&scene.store, Queue::Strangers).unwrap();
    let oldest = oldest.iter().map(|waiting| waiting.asked_at).min().unwrap();
    let first_kept = Duration::from_secs(22);
    assert_eq!(oldest, Timestamp::from_micros(0).after(first_kept));
    scene.identity.outbox.deliver_due().await.unwrap();
    let emails = scene.emails.lock().unwrap();
    assert_eq!(emails.len(), 1);
    assert_eq!(emails[0].to, address(ADA));
}

#[tokio::test]
async fn strangers_who_ask_again_and_again_do_not_end_the_link_that_was_asked_for_at_home() {
    let scene = Scene::new(false).await;
    let at_home = scene.token(ADA, true).await;
    let mut elsewhere = Vec::new();

    for _ in 0..10 {
        scene.clock.advance(Duration::from_secs(1));
        elsewhere.push(scene.token(ADA, false).await);
    }

    let [first, .., last] = &elsewhere[..] else {
        unreachable!("it was asked ten times");
    };
    let mut signed_in = Vec::new();
    for token in [&at_home, first, last] {
        let outcome = scene
            .identity
            .links
            .sign_in(&scene.identity.sign_ins, address(ADA), token, None)
            .await;
        signed_in.push(outcome.is_ok());
    }
    assert_eq!(signed_in, [true, false, true]);
}

#[tokio::test]
async fn a_strangers_link_ends_when_nobody_may_sign_up_any_more() {
    let scene = Scene::new(true).await;
    let token = scene.token(EVE, false).await;

    let closed = start(&scene.store, &scene.clock, Mailer::Nobody, false).await;
    let refused = closed
        .links
        .sign_in(&closed.sign_ins, address(EVE), &token, None)
        .await;

    assert!(matches!(
        refused,
        Err(IdentityError::Link(LinkError::Unknown))
    ));
    assert_eq!(closed.guardians.list(&scene.store).unwrap().0.len(), 1);
}

#[tokio::test]
async fn strangers_links_are_forgotten_though_they_never_ask_again() {
    let scene = Scene::new(true).await;
    scene.token(EVE, false).await;
    let day = Duration::from_secs(24 * 60 * 60);
    let kept = || {
        let owner = Owner::Address(address(EVE));
        scene.identity.links.count(&owner)
    };

    scene.clock.advance(day);
    scene
        .identity
        .links
        .forget_strangers(STRANGERS_AT_MOST)
        .await;
    assert_eq!(kept(), 1, "it can say why it no longer works");
    scene.clock.advance(day);
    scene
        .identity
        .links
        .forget_strangers(STRANGERS_AT_MOST)
        .await;

    assert_eq!(kept(), 0);
}

#[tokio::test]
async fn an_email_asked_for_under_a_clock_that_ran_ahead_is_sent_once_the_clock_is_right() {
    let scene = Scene::new(false).await;
    scene.clock.advance(Duration::from_secs(365 * 24 * 60 * 60));
    scene.ask(ADA, true).await.unwrap();
    scene.clock.set(Timestamp::from_micros(0));

    scene.identity.outbox.deliver_due().await.unwrap();

    assert_eq!(scene.emails.lock().unwrap().len(), 1);
    assert_eq!(scene.waiting(Queue::Guardians), 0);
}

#[tokio::test]
async fn an_email_on_its_way_when_access_is_ended_brings_no_link_and_waits_no_more() {
    let scene = Scene::new(false).await;
    scene.ask(ADA, true).await.unwrap();
    let queue = Queue::Guardians;
    let on_its_way = store::waiting(&scene.store, queue).unwrap().remove(0);
    let (identity, ada) = (scene.identity.clone(), address(ADA));
    let ended = scene.store.commit(move |change| {
        let id = identity.guardians.get(change, &ada)?.id;
        Ok::<_, IdentityError>(identity.access.end(change, &id)?)
    });
    ended.await.unwrap().unwrap();

    let delivered =
        scene
            .identity
            .outbox
            .clone()
            .deliver(queue, on_its_way.clone(), Deliveries::a_place());
    delivered.await.unwrap();
    let again = Some(on_its_way.clone());
    let ended = scene
        .identity
        .outbox
        .end_delivery(queue, on_its_way, Fate::None, again);
    ended.await.unwrap();

    assert!(scene.emails.lock().unwrap().is_empty());
    assert_eq!(scene.waiting(queue), 0);
}
