//! What an operation runs on.

use std::time::Duration;

use super::AdminError;
use crate::alerts::reviewer::ReviewerSettings;
use crate::app::{App, AppSettings};
use crate::assistants::deliveries::Quota;
use crate::assistants::gateway::Budget;
use crate::identity::{self, IdentitySettings};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::store::{Store, StoreError, readable};
use crate::notifications::Servers;

/// What an operation runs on: the app of a server, or what a command makes of a store that it opened.
pub trait Target: Sized + Send + Sync + 'static {
    /// How long a command that runs it itself waits for progress.
    const PROGRESS_TIMEOUT: Duration;

    fn of(app: &App) -> Self;

    /// `public_url` was given to the command; `tells_url` says whether the answer contains it.
    fn open(
        store: &Store,
        public_url: Option<PublicUrl>,
        tells_url: bool,
    ) -> impl Future<Output = Result<Self, AdminError>> + Send;
}

/// A store, which may be damaged, and the app if a server runs.
pub struct OpenStore {
    pub store: Store,
    pub clock: Clock,
    pub app: Option<App>,
}

impl Target for OpenStore {
    /// The largest single step, reading a long transcript, takes seconds; sled hung on damaged files in 2 of 125 attempts.
    const PROGRESS_TIMEOUT: Duration = Duration::from_secs(120);

    fn of(app: &App) -> Self {
        Self {
            store: app.store.clone(),
            clock: app.clock.clone(),
            app: Some(app.clone()),
        }
    }

    async fn open(store: &Store, _: Option<PublicUrl>, _: bool) -> Result<Self, AdminError> {
        Ok(Self {
            store: store.clone(),
            clock: Clock::System,
            app: None,
        })
    }
}

impl Target for App {
    const PROGRESS_TIMEOUT: Duration = Duration::MAX;

    fn of(app: &App) -> Self {
        app.clone()
    }

    async fn open(
        store: &Store,
        public_url: Option<PublicUrl>,
        tells_url: bool,
    ) -> Result<Self, AdminError> {
        let public_url = match public_url {
            Some(given) => given,
            None => match readable(identity::remembered_public_url(store))? {
                Some(remembered) => remembered.unwrap_or_default(),
                None if !tells_url => PublicUrl::default(),
                None => {
                    return Err(AdminError::new(
                        "The address of the pages cannot be read from the store. Please say it: --public-url URL",
                    ));
                }
            },
        };
        let app = App::start(AppSettings {
            store: store.clone(),
            clock: Clock::System,
            randomness: Randomness::System,
            mailer: Mailer::Nobody,
            servers: Servers::default(),
            // The usual time zone, too: the server's settings are unknown here.
            identity: IdentitySettings::usual(public_url),
            assistant_quota: Quota::default(),
            gateway_budget: Budget::default(),
            reviewer: ReviewerSettings::default(),
            guardians_manage: false,
            helpline: None,
            backups: None,
        });
        let app = app.await?;
        // Erasures wait for disk space, unreadable data stays; neither prevents the command.
        match readable(app.run_maintenance(|_| {}).await) {
            Err(StoreError::Full) => {}
            other => _ = other?,
        }
        Ok(app)
    }
}
