//! The keeper against a scripted authority and a scripted provider.

mod killed;
mod renewing;
pub mod scripted;
mod whereto;

use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;

use super::AcmeSettings;
use super::dns::{DnsProblem, DnsSettings};
use super::folder::HttpsFolder;
use super::keeper::{Keeper, KeeperEnvironment};
use super::problem::CertificateProblem;
use super::status::{Certificate, CertificateStatus, HttpsStatus};
use crate::kernel::host::addresses::{NameFault, NameStatus};
use crate::kernel::host::clock::{Clock, ManualClock, Timestamp};
use crate::kernel::host::https_name::{HttpsName, NamesPerson};
use scripted::{Authority, Fault, Records, problem};

const NAME: &str = "blue-lamp.dedyn.io";
const HOME: Ipv4Addr = Ipv4Addr::new(192, 168, 1, 20);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A home with a name, an authority and a provider.
struct World {
    data: TempDir,
    clock: ManualClock,
    authority: Authority,
    records: Arc<Records>,
    address: Arc<Mutex<Option<Ipv4Addr>>>,
    names_person: Arc<AtomicBool>,
    is_set_up: Arc<AtomicBool>,
    trusts_clock: Arc<AtomicBool>,
    accepts_terms: bool,
    status: NameStatus,
}

impl World {
    /// The authority's certificates are valid for 90 days.
    async fn new() -> Self {
        let start = Timestamp::parse("2026-11-29T12:00:00Z").unwrap();
        let records = Arc::new(Records::default());
        let validity = (start, start.after(90 * DAY));
        Self {
            data: tempfile::tempdir().unwrap(),
            clock: ManualClock::at(start),
            authority: Authority::start(records.txt.clone(), validity).await,
            records,
            address: Arc::new(Mutex::new(Some(HOME))),
            names_person: Arc::default(),
            is_set_up: Arc::new(AtomicBool::new(true)),
            trusts_clock: Arc::new(AtomicBool::new(true)),
            accepts_terms: true,
            status: NameStatus::default(),
        }
    }

    fn folder(&self) -> HttpsFolder {
        HttpsFolder::within(self.data.path())
    }

    /// As after a start of the server.
    fn keeper(&self) -> Keeper {
        let settings = AcmeSettings {
            name: NAME.parse().unwrap(),
            dns: DnsSettings::Hook("/nowhere".into()),
            directory: self.authority.directory().parse().unwrap(),
            accepts_terms: self.accepts_terms,
        };
        let (address, names_person) = (self.address.clone(), self.names_person.clone());
        let (is_set_up, trusts_clock) = (self.is_set_up.clone(), self.trusts_clock.clone());
        let clock = Clock::Manual(self.clock.clone());
        let environment = KeeperEnvironment {
            clock: clock.clone(),
            is_due: Arc::new(move |at| trusts_clock.load(Ordering::SeqCst) && at <= clock.now()),
            address: Arc::new(move || *address.lock().unwrap()),
            is_set_up: Arc::new(move || is_set_up.load(Ordering::SeqCst)),
            names_person: Arc::new(move |_: &HttpsName| {
                if names_person.load(Ordering::SeqCst) {
                    NamesPerson::Yes
                } else {
                    NamesPerson::NotAllCompared
                }
            }),
        };
        let made = Keeper::new(settings, self.folder(), environment, self.status.clone());
        let mut keeper = made.unwrap();
        keeper.provider = Some(self.records.clone());
        keeper.first_poll = Duration::from_millis(1);
        keeper
    }

    async fn run_due(&self) {
        self.keeper().run_once().await.unwrap();
    }

    fn seen(&self) -> HttpsStatus {
        let name = NAME.parse().unwrap();
        let now = Clock::Manual(self.clock.clone()).now();
        HttpsStatus::read(&self.folder(), &name, now).unwrap()
    }

    fn problem(&self) -> Option<CertificateProblem> {
        self.seen().certificate_failure.map(|it| it.problem)
    }

    fn certificate(&self) -> Vec<u8> {
        self.folder()
            .read_certificate()
            .unwrap()
            .unwrap_or_default()
    }

    fn issue_from_now(&self) {
        let now = Clock::Manual(self.clock.clone()).now();
        self.authority.state.lock().unwrap().validity = (now, now.after(90 * DAY));
    }

    fn issued(&self) -> usize {
        self.authority.state.lock().unwrap().issued
    }
}

#[tokio::test]
async fn the_first_certificate_is_there_and_nothing_is_left_at_the_provider() {
    let world = World::new().await;
    assert!(!world.status.is_usable());

    world.run_due().await;

    let seen = world.seen();
    assert_eq!(seen.address, Some(HOME));
    assert_eq!(seen.certificate_failure, None);
    let CertificateStatus::Valid {
        renewed_from,
        is_urgent,
        ..
    } = seen.certificate
    else {
        panic!("{seen:?}");
    };
    assert_eq!(renewed_from.to_string(), "2027-01-28T12:00:00Z");
    assert!(!is_urgent && world.status.is_usable());
    assert!(world.records.txt.lock().unwrap().is_empty());
    assert!(Certificate::read(&world.certificate()).is_some());
    for file in std::fs::read_dir(world.data.path().join("https")).unwrap() {
        let mode = file.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
    let requests = world.authority.server.requests().len();
    world.run_due().await;
    assert_eq!(
        world.authority.server.requests().len(),
        requests,
        "nothing is due"
    );
}

#[tokio::test]
async fn a_certificate_is_renewed_after_two_thirds_of_its_life_with_the_same_account() {
    let world = World::new().await;
    world.run_due().await;
    let first = world.certificate();

    world.clock.advance(60 * DAY - Duration::from_secs(1));
    world.issue_from_now();
    world.run_due().await;
    assert_eq!(world.certificate(), first);

    world.clock.advance(Duration::from_secs(1));
    world.run_due().await;

    assert_ne!(world.certificate(), first);
    assert_eq!(world.authority.state.lock().unwrap().accounts.len(), 1);
}

#[tokio::test]
async fn while_a_renewal_fails_the_old_certificate_stays_and_tries_get_rarer() {
    let world = World::new().await;
    world.run_due().await;
    let first = world.certificate();
    world.clock.advance(61 * DAY);
    world.issue_from_now();
    world.authority.set_faults(|_, path| {
        (path == "/order").then(|| Fault::Reply(problem(429, "rateLimited")))
    });

    world.run_due().await;
    let requests = world.authority.server.requests().len();
    for _ in 0..100 {
        world.clock.advance(Duration::from_secs(60));
        world.run_due().await;
    }

    assert_eq!(
        world.authority.server.requests().len(),
        requests,
        "restarts don't hurry it"
    );
    assert_eq!(world.problem(), Some(CertificateProblem::RateLimited));
    assert_eq!(world.certificate(), first);
    assert!(world.status.is_usable());

    world.clock.advance(DAY);
    world.authority.no_faults();
    world.run_due().await;
    assert_eq!(world.problem(), None);
    assert_ne!(world.certificate(), first);
}

#[tokio::test]
async fn a_wait_that_the_authority_asks_for_is_kept() {
    let world = World::new().await;
    world.authority.set_faults(|_, path| {
        (path == "/order").then(|| {
            let mut reply = problem(429, "rateLimited");
            reply
                .headers
                .push(("retry-after", (2 * DAY).as_secs().to_string()));
            Fault::Reply(reply)
        })
    });

    world.run_due().await;

    let failure = world.seen().certificate_failure.unwrap();
    assert_eq!(failure.next_at.since(failure.tried_at), 2 * DAY);
}

#[tokio::test]
async fn an_account_that_was_deactivated_is_replaced() {
    let world = World::new().await;
    world.run_due().await;
    world.authority.state.lock().unwrap().accounts[0].1 = false;
    world.clock.advance(61 * DAY);
    world.issue_from_now();

    world.run_due().await;
    assert_eq!(world.problem(), Some(CertificateProblem::AccountRefused));
    assert!(matches!(
        world.seen().certificate,
        CertificateStatus::Valid { .. }
    ));
    world.clock.advance(Duration::from_secs(60 * 60));
    world.run_due().await;

    assert_eq!(world.problem(), None);
    assert_eq!(world.issued(), 2);
}

#[tokio::test]
async fn an_authority_that_forgot_the_account_gets_it_again() {
    let world = World::new().await;
    world.run_due().await;
    world.authority.state.lock().unwrap().accounts.clear();
    world.clock.advance(61 * DAY);
    world.issue_from_now();

    world.run_due().await;

    assert_eq!((world.problem(), world.issued()), (None, 2));
}

#[tokio::test]
async fn a_wrong_token_and_a_provider_that_is_away_are_named_and_tried_again() {
    for trouble in [DnsProblem::Token, DnsProblem::Unreachable] {
        let world = World::new().await;
        *world.records.fails.lock().unwrap() = Some(trouble);

        world.run_due().await;
        world.clock.advance(3 * DAY);
        world.run_due().await;

        assert_eq!(world.problem(), Some(CertificateProblem::Dns(trouble)));
        let address = world.seen().address_failure.unwrap();
        assert_eq!(
            (address.problem, address.tries),
            (CertificateProblem::Dns(trouble), 2)
        );
        assert!(!world.status.is_usable());
        *world.records.fails.lock().unwrap() = None;
        world.clock.advance(DAY);
        world.run_due().await;
        assert!(world.status.is_usable(), "{trouble:?}");
        assert!(world.records.txt.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_challenge_that_isnt_seen_ends_the_order_and_is_removed() {
    let world = World::new().await;
    world.authority.state.lock().unwrap().txt = Arc::default();

    world.run_due().await;

    assert_eq!(world.problem(), Some(CertificateProblem::NotSeen));
    assert!(world.folder().order().unwrap().is_none());
    assert!(world.records.txt.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_wait_that_was_written_by_a_clock_ahead_does_not_count() {
    let world = World::new().await;
    let now = Clock::Manual(world.clock.clone()).now();
    world.clock.set(now.after(900 * DAY));
    world
        .authority
        .set_faults(|_, _| Some(Fault::Reply((503, String::new()).into())));
    world.run_due().await;
    assert!(world.problem().is_some());

    world.clock.set(now);
    world.authority.no_faults();
    world.run_due().await;

    assert_eq!((world.problem(), world.issued()), (None, 1));
}

#[tokio::test]
async fn a_name_with_a_persons_name_is_never_sent_to_anybody() {
    let world = World::new().await;
    world.names_person.store(true, Ordering::SeqCst);

    world.run_due().await;

    assert_eq!(world.problem(), Some(CertificateProblem::PersonsName));
    assert_eq!(world.authority.server.requests(), Vec::<String>::new());

    // A child who came later: the name is public already.
    world.names_person.store(false, Ordering::SeqCst);
    world.clock.advance(DAY);
    world.run_due().await;
    world.names_person.store(true, Ordering::SeqCst);
    world.clock.advance(61 * DAY);
    world.issue_from_now();
    world.run_due().await;
    assert_eq!((world.problem(), world.issued()), (None, 2));
}

#[tokio::test]
async fn without_the_terms_nobody_is_asked() {
    let mut world = World::new().await;
    world.accepts_terms = false;

    world.run_due().await;

    assert_eq!(world.problem(), Some(CertificateProblem::Terms));
    assert_eq!(world.authority.server.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn what_answers_as_no_authority_does_is_named_without_its_words() {
    let world = World::new().await;
    let replies: [fn() -> scripted::Reply; 3] = [
        || (200, "<html>s3cret</html>".to_owned()).into(),
        || (503, "s3cret".to_owned()).into(),
        || problem(400, "malformed"),
    ];
    for reply in replies {
        world
            .authority
            .set_faults(move |_, _| Some(Fault::Reply(reply())));
        world.clock.advance(DAY);
        world.run_due().await;
        let said = format!("{:?} {}", world.problem(), world.problem().unwrap());
        assert!(!said.contains("s3cret"), "{said}");
    }
}
