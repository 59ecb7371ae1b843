use std::sync::Mutex;

use super::*;
use crate::identity::methods::links::LinkSignInError;
use crate::identity::methods::links::link::{LinkError, Owner};
use crate::identity::{Device, GuardianNameError, Identity, IdentitySettings};
use crate::kernel::host::clock::{Clock, ManualClock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::{Email, Mailer};
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Read, Table};

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
        let store = Store::open(data.path()).unwrap();
        let clock = ManualClock::at(Timestamp::from_micros(0));
        let emails = Arc::<Mutex<Vec<Email>>>::default();
        let mailer = Mailer::Memory(Arc::clone(&emails));
        let identity = start(&store, &clock, mailer, open_sign_up).await;
        let added = {
            let identity = identity.clone();
            store.commit(move |change| identity.guardians.add(change, &address(ADA), None))
        };
        added.await.unwrap();
        Self {
            identity,
            store,
            clock,
            emails,
            _data: data,
        }
    }

    async fn ask(&self, email: &str, is_home: bool) -> Result<(), LinkRequestError> {
        let origin = origin(is_home);
        let asked = self
            .identity
            .link_requests
            .request(address(email), None, Some(&origin));
        asked.await
    }

    /// Requests a link, and takes its token out of the e-mail.
    async fn token(&self, email: &str, is_home: bool) -> String {
        self.ask(email, is_home).await.unwrap();
        self.deliver_due().await;
        let emails = self.emails.lock().unwrap();
        let text = &emails.last().unwrap().text;
        let start = text.find("lnk_").unwrap();
        text[start..][.."lnk_".len() + 43].to_owned()
    }

    async fn deliver_due(&self) {
        self.identity.environment.queue.deliver_due().await.unwrap();
    }

    async fn forget_strangers(&self, most: usize) {
        let now = Clock::Manual(self.clock.clone()).now();
        let forgotten = self.store.commit(move |change| {
            crate::identity::methods::links::store::forget_strangers(change, most, now)
        });
        forgotten.await.unwrap();
    }

    fn queued(&self) -> usize {
        let queue = Table::new("queue").key();
        self.store.keys_below(&queue, usize::MAX).unwrap().len()
    }
}

async fn start(store: &Store, clock: &ManualClock, mailer: Mailer, open_sign_up: bool) -> Identity {
    let mut settings = IdentitySettings::usual("https://porchlight.example".parse().unwrap());
    settings.limits = crate::kernel::http::limit::LimitMode::Off;
    settings.open_sign_up = open_sign_up;
    let (clock, randomness) = (Clock::Manual(clock.clone()), Randomness::repeatable());
    let due = DueClock::start(store, &clock, true).unwrap();
    let queue = Queue::new(store.clone(), clock.clone(), randomness.clone(), mailer);
    let identity = Identity::start(store.clone(), clock, due, randomness, queue, settings);
    identity.await.unwrap()
}

#[tokio::test]
async fn a_request_is_written_alike_for_known_and_unknown_addresses() {
    let scene = Scene::new(false).await;
    let mut written = Vec::new();
    for email in [ADA, EVE] {
        scene.store.record_writes();
        scene.ask(email, false).await.unwrap();
        scene.ask(email, true).await.unwrap();
        written.push(scene.store.recorded_writes());
    }

    assert_eq!(written[0], [vec!["queue"], vec!["queue"]]);
    assert_eq!(written[0], written[1]);
    scene.deliver_due().await;
    let emails = scene.emails.lock().unwrap();
    assert_eq!(emails.len(), 1);
    assert_eq!(emails[0].to, address(ADA));
}

#[tokio::test]
async fn an_owner_has_few_links_to_read_however_often_they_are_asked_for() {
    let scene = Scene::new(true).await;

    for _ in 0..20 {
        for email in [ADA, EVE] {
            scene.ask(email, false).await.unwrap();
        }
        scene.deliver_due().await;
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

    scene.forget_strangers(3).await;

    let kept = (0..10).filter(|number| {
        let owner = Owner::Address(address(&format!("{number}@example.org")));
        scene.identity.links.count(&owner) > 0
    });
    assert_eq!(kept.collect::<Vec<_>>(), [7, 8, 9]);
}

#[tokio::test]
async fn strangers_take_no_place_of_a_guardians() {
    for open_sign_up in [false, true] {
        let scene = Scene::new(open_sign_up).await;
        for number in 0..520 {
            let email = format!("{number}@example.org");
            scene.ask(&email, false).await.unwrap();
        }

        scene.ask(ADA, false).await.unwrap();

        assert!(scene.queued() <= 500);
        scene.deliver_due().await;
        let emails = scene.emails.lock().unwrap();
        assert!(emails.iter().any(|email| email.to == address(ADA)));
        assert_eq!(emails.len() > 1, open_sign_up);
    }
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
            .sign_in(
                &scene.identity.sign_ins,
                address(ADA),
                token,
                Device::default(),
            )
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
        .sign_in(&closed.sign_ins, address(EVE), &token, Device::default())
        .await;

    assert!(matches!(
        refused,
        Err(LinkSignInError::Link(LinkError::Unknown))
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
    scene.identity.links.forget_strangers().await.unwrap();
    assert_eq!(kept(), 1, "it can say why it no longer works");
    scene.clock.advance(day);
    scene.identity.links.forget_strangers().await.unwrap();

    assert_eq!(kept(), 0);
}

#[tokio::test]
async fn an_email_that_is_queued_when_access_is_ended_is_not_sent() {
    let scene = Scene::new(false).await;
    scene.ask(ADA, true).await.unwrap();
    let (identity, ada) = (scene.identity.clone(), address(ADA));

    let ended = scene.store.commit(move |change| {
        let id = identity.guardians.get(change, &ada)?.id;
        Ok::<_, GuardianNameError>(identity.end(change, &id)?)
    });
    ended.await.unwrap().unwrap();

    assert_eq!(scene.queued(), 0);
}
