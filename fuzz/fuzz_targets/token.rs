//! Only issued credentials are accepted.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use porchlight::identity::{Identity, IdentitySettings, KeyKind};
use porchlight::kernel::host::clock::{Clock, ManualClock, Timestamp};
use porchlight::kernel::outgoing::mail::{EmailAddress, Mailer};
use porchlight::kernel::host::randomness::Randomness;
use porchlight::kernel::host::secret::{Secret, SecretKind};
use porchlight::kernel::outgoing::queue::Queue;
use porchlight::kernel::store::Store;
use porchlight::kernel::store::due::DueClock;

/// A signed-in guardian and an assistant. Clock and randomness are fixed, so each run has the same credentials.
struct Fixture {
    identity: Identity,
    credentials: [String; 2],
    _runtime: tokio::runtime::Runtime,
    _data: tempfile::TempDir,
}

impl Fixture {
    fn build() -> Self {
        let data = tempfile::TempDir::new().expect("a folder");
        let store = Store::open(data.path()).expect("an empty store");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let evening = Timestamp::parse("2026-11-21T20:00:00Z").expect("a moment");
        let url = "https://porchlight.example".parse().expect("an address");
        let (identity, credentials) = runtime.block_on(async {
            let (clock, randomness) = (
                Clock::Manual(ManualClock::at(evening)),
                Randomness::repeatable(),
            );
            let identity = Identity::start(
                store.clone(),
                clock.clone(),
                DueClock::start(&store, &clock, true).expect("a readable store"),
                randomness.clone(),
                Queue::new(store.clone(), clock, randomness, Mailer::Nobody),
                IdentitySettings::usual(url),
            );
            let identity = identity.await.expect("identity");
            let email = "ada@example.org"
                .parse::<EmailAddress>()
                .expect("an address");
            let (guardians, assistants) = (identity.guardians.clone(), identity.assistants.clone());
            let added = email.clone();
            let guardian = store.commit(move |change| guardians.add(change, &added, None));
            guardian.await.expect("somebody new");
            let kind = KeyKind::AssistantApi;
            let added = store.commit(move |change| assistants.add(change, "robot", None, kind));
            let (_, key) = added.await.expect("a new name");
            let key = key.reveal().to_owned();
            let issued = identity.sign_ins.token_for(&email.into()).await;
            let issued = issued.expect("a token");
            (identity, [issued.identity_token, key])
        });
        Self {
            identity,
            credentials,
            _runtime: runtime,
            _data: data,
        }
    }
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(Fixture::build);

fuzz_target!(|text: &str| {
    let kinds = [
        SecretKind::Link,
        SecretKind::Refresh,
        SecretKind::AssistantKey,
        SecretKind::ProviderFlow,
    ];
    let read = kinds.map(|kind| Secret::parse(kind, text));
    assert!(
        read.iter().flatten().count() <= 1,
        "{text:?} is of two kinds"
    );
    for secret in read.iter().flatten() {
        assert_eq!(secret.reveal(), text);
    }
    let Identity {
        sign_ins,
        assistants,
        ..
    } = &FIXTURE.identity;
    let is_token = sign_ins.verify(text).expect("the store is whole").is_some();
    let is_key = assistants
        .verify(text)
        .expect("the store is whole")
        .is_some();
    let handed_out = FIXTURE
        .credentials
        .iter()
        .any(|credential| credential == text);
    assert_eq!(is_token || is_key, handed_out, "{text:?}");
});
