//! The composition root: builds all features in dependency order, and what they are given.

mod features;
mod layers;
mod maintenance;
mod services;
mod tables;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::alerts::reviewer::ReviewerSettings;
use crate::assistants::deliveries::Quota;
use crate::assistants::gateway::Budget;
use crate::children::child_notice::Helpline;
use crate::identity::IdentitySettings;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::kernel::store::{Store, StoreError};
use crate::notifications::Servers;
use layers::Layers;

pub use features::FEATURES;
pub use services::Services;
pub use tables::{LEFT_OUT, not_restored, record_kinds};

/// The app's dependencies and settings.
#[derive(Clone)]
pub struct AppSettings {
    pub store: Store,
    pub clock: Clock,
    pub randomness: Randomness,
    /// How e-mails are sent.
    pub mailer: Mailer,
    pub servers: Servers,
    /// The administrator's settings of identity.
    pub identity: IdentitySettings,
    /// How much an assistant's key may store.
    pub assistant_quota: Quota,
    /// How many requests an assistant's key may send through the gateway in a day.
    pub gateway_budget: Budget,
    /// Whether guardians manage children and assistants in the browser.
    pub guardians_manage: bool,
    /// Which model reads along, if any.
    pub reviewer: ReviewerSettings,
    /// The last words of the page for an older child.
    pub helpline: Option<Helpline>,
    /// The scheduled backups, if there are any.
    pub backups: Option<ScheduledBackups>,
}

/// The application: the service of every feature, without HTTP. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Services>);

impl Deref for App {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0
    }
}

/// For tests: changes the services of this clone alone.
impl DerefMut for App {
    fn deref_mut(&mut self) -> &mut Services {
        Arc::make_mut(&mut self.0)
    }
}

impl App {
    /// Builds the app, and finishes what an earlier run left half done.
    pub async fn start(settings: AppSettings) -> Result<Self, StoreError> {
        features::follow(&settings.store);
        let layers = Layers::start(&settings).await?;
        layers.assistants.gateway.finish_interrupted().await;
        let services = Services::new(layers, &settings);
        services.tries.finish_interrupted().await;
        maintenance::backfill(&settings.store)?;
        let app = Self(Arc::new(services));
        app.erase_left_over().await?;
        Ok(app)
    }

    /// Makes `/readyz` fail from now on, so that no more traffic is sent; lets long-polling calls answer, and ends the event streams.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
        self.rules.stop_waiting();
        self.events.stop();
    }

    /// Whether the app may take traffic: the store is writable and the app isn't shutting down.
    pub fn is_ready(&self) -> bool {
        !self.draining.load(Ordering::Acquire) && self.store.is_writable()
    }
}
