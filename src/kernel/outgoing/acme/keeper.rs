//! Keeps the address and the certificate of the name up to date.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use super::AcmeSettings;
use super::client::Client;
use super::dns::{DnsProvider, Leads};
use super::folder::{Failure, HttpsFolder, State};
use super::issuing::Issuing;
use super::problem::Problem;
use super::status::{Certificate, LONGEST_WAIT, back_off, usable_certificate};
use crate::kernel::host::addresses::{NameStatus, Usability};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::https_name::HttpsName;

/// The interval of its looks: an address that changed is followed within a minute.
const LOOK: Duration = Duration::from_secs(60);

/// How often the provider is asked where the name leads.
const ASKS: Duration = Duration::from_secs(60 * 60);

/// After a restart, what failed is tried again after this time at the latest, unless there were too many requests.
const AFTER_RESTART: Duration = Duration::from_secs(5 * 60);

/// Before an authority is asked for the outcome of its checks.
const FIRST_POLL: Duration = Duration::from_secs(1);

/// What the keeper needs to know of the machine and the family.
#[derive(Clone)]
pub struct Environment {
    pub clock: Clock,
    /// This machine's address in the home network.
    pub address: Arc<dyn Fn() -> Option<Ipv4Addr> + Send + Sync>,
    /// Whether the server was set up, so that the family's names are known.
    pub is_set_up: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Whether a name contains the name of a person of the family.
    pub names_person: Arc<dyn Fn(&HttpsName) -> bool + Send + Sync>,
}

pub struct Keeper {
    settings: AcmeSettings,
    folder: HttpsFolder,
    environment: Environment,
    status: NameStatus,
    state: State,
    /// The wait between a challenge's publication and the authority's look, if not the provider's own.
    pub(super) wait: Option<Duration>,
    pub(super) first_poll: Duration,
    pub(super) provider: Option<Arc<dyn DnsProvider>>,
}

impl Keeper {
    pub fn new(
        settings: AcmeSettings,
        folder: HttpsFolder,
        environment: Environment,
        status: NameStatus,
    ) -> io::Result<Self> {
        let mut state = folder.state()?;
        if state.name != settings.name.as_str() {
            // Of another name, only what is left to be removed at the provider matters, and that is under the other name.
            state = State {
                name: settings.name.to_string(),
                ..State::default()
            };
        }
        for failure in [&mut state.address_failure, &mut state.certificate_failure] {
            let hurried = failure.iter_mut().filter(|it| !it.problem.is_rate_limit());
            hurried.for_each(|it| it.next_at = it.next_at.min(it.tried_at.after(AFTER_RESTART)));
        }
        if state.reached {
            status.note_reached();
        }
        let keeper = Self {
            settings,
            folder,
            environment,
            status,
            state,
            wait: None,
            first_poll: FIRST_POLL,
            provider: None,
        };
        keeper.tell_status(keeper.certificate()?.as_ref());
        Ok(keeper)
    }

    /// Never returns.
    pub async fn run(mut self) {
        loop {
            if let Err(error) = self.look().await {
                tracing::warn!(error = %error.kind(), "the folder `https` cannot be read or written");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Does what is due.
    pub(super) async fn look(&mut self) -> io::Result<()> {
        let before = self.state.clone();
        self.state.reached = self.status.was_reached();
        let mut certificate = self.certificate()?;
        self.state.waits_for_setup = certificate.is_none() && !(self.environment.is_set_up)();
        // Reading the root certificates takes time and memory, so it is done only if something is due.
        if self.address_is_due() || self.certificate_is_due(certificate.as_ref()) {
            let client = Client::default();
            let provider = match &self.provider {
                Some(provider) => Arc::clone(provider),
                None => self.settings.dns.provider(&self.settings.name, &client),
            };
            if self.address_is_due() {
                self.update_address(&*provider, &client).await;
            }
            // An address of the home network is no part of the authority's proof, so a failure doesn't matter here.
            if self.certificate_is_due(certificate.as_ref()) {
                self.update_certificate(&*provider, &client, certificate.is_none())
                    .await;
                certificate = self.certificate()?;
            }
        }
        if self.state != before {
            self.folder.keep_state(&self.state)?;
        }
        self.tell_status(certificate.as_ref());
        Ok(())
    }

    /// The certificate in the folder, if it is for this name.
    fn certificate(&self) -> io::Result<Option<Certificate>> {
        usable_certificate(&self.folder, &self.settings.name)
    }

    fn tell_status(&self, certificate: Option<&Certificate>) {
        let now = self.environment.clock.now();
        self.status.set(Usability {
            certificate_is_valid: certificate.is_some_and(|it| it.from <= now && now < it.until),
            leads_here: !self.state.leads_elsewhere
                && self.state.address.is_some()
                && self.state.address == (self.environment.address)(),
        });
    }

    fn address_is_due(&self) -> bool {
        let own = (self.environment.address)();
        let now = self.environment.clock.now();
        let is_asked = self.state.asked_at.is_some_and(|at| {
            // A later time is from before the clock was set back.
            at <= now && now < at.after(ASKS)
        });
        let is_current = own.is_some() && self.state.address == own;
        match &self.state.address_failure {
            Some(failure) if failure.problem == Problem::NoAddress && own.is_some() => true,
            Some(failure) => is_due(failure, now),
            None => !(is_current && is_asked),
        }
    }

    async fn update_address(&mut self, provider: &dyn DnsProvider, client: &Client) {
        let now = self.environment.clock.now();
        let outcome = self.lead_here(provider).await;
        let failure = self.state.address_failure.take();
        match outcome {
            Ok(()) => {
                self.state.asked_at = Some(now);
                if failure.is_some() {
                    tracing::info!("the name for https leads to this machine again");
                }
            }
            Err(problem) => {
                let failed = next_failure(failure, problem, now, client.take_retry_after());
                if failed.tries == 1 {
                    tracing::warn!(problem = %failed.problem, "the name for https could not be led to this machine");
                }
                self.state.address_failure = Some(failed);
            }
        }
    }

    async fn lead_here(&mut self, provider: &dyn DnsProvider) -> Result<(), Problem> {
        let own = (self.environment.address)().ok_or(Problem::NoAddress)?;
        if self.state.address == Some(own) {
            match provider.leads().await? {
                Leads::To(address) if address == own => {
                    self.state.leads_elsewhere = false;
                    return Ok(());
                }
                Leads::Unknown => return Ok(()),
                Leads::To(_) | Leads::Elsewhere => {
                    self.state.leads_elsewhere = true;
                    tracing::warn!("the name for https led elsewhere; it is led here again");
                }
            }
        }
        provider.set_address(own, self.state.address).await?;
        self.state.address = Some(own);
        self.state.leads_elsewhere = false;
        tracing::info!("the name for https leads to this machine's address");
        Ok(())
    }

    fn certificate_is_due(&self, certificate: Option<&Certificate>) -> bool {
        let now = self.environment.clock.now();
        if self.state.waits_for_setup {
            return false;
        }
        // While the clock is behind, a certificate seems to be none yet, and it is no reason to get another.
        if certificate.is_some_and(|it| now < it.renewed_from()) {
            return false;
        }
        let failure = self.state.certificate_failure.as_ref();
        failure.is_none_or(|failure| is_due(failure, now))
    }

    async fn update_certificate(
        &mut self,
        provider: &dyn DnsProvider,
        client: &Client,
        is_first: bool,
    ) {
        let now = self.environment.clock.now();
        let outcome = self.issue(provider, client, is_first).await;
        let failure = self.state.certificate_failure.take();
        match outcome {
            Ok(()) => tracing::info!("there is a new certificate for https"),
            Err(problem) => {
                let failed = next_failure(failure, problem, now, client.take_retry_after());
                if failed.tries == 1 {
                    tracing::warn!(problem = %failed.problem, "there is no new certificate for https");
                }
                self.state.certificate_failure = Some(failed);
            }
        }
    }

    async fn issue(
        &mut self,
        provider: &dyn DnsProvider,
        client: &Client,
        is_first: bool,
    ) -> Result<(), Problem> {
        if !self.settings.accepts_terms {
            return Err(Problem::Terms);
        }
        if is_first && (self.environment.names_person)(&self.settings.name) {
            return Err(Problem::PersonsName);
        }
        let tries = self
            .state
            .certificate_failure
            .as_ref()
            .map_or(0, |it| it.tries);
        let wait = self.wait.unwrap_or_else(|| provider.spreads_within());
        let issuing = Issuing {
            settings: &self.settings,
            folder: &self.folder,
            provider,
            client,
            // Name servers that were too slow get more time.
            wait: wait * (tries + 1).min(4),
            first_poll: self.first_poll,
        };
        issuing.run(&mut self.state).await
    }
}

/// Whether it may be tried again. A wait that is longer than any of ours was written while the clock was ahead.
fn is_due(failure: &Failure, now: Timestamp) -> bool {
    now >= failure.next_at || failure.tried_at > now || failure.next_at.since(now) > LONGEST_WAIT
}

fn next_failure(
    before: Option<Failure>,
    problem: Problem,
    now: Timestamp,
    asked: Option<Duration>,
) -> Failure {
    let same = before.filter(|before| before.problem == problem);
    let tries = same.as_ref().map_or(0, |it| it.tries).saturating_add(1);
    let wait = back_off(
        tries,
        problem.reached_nobody(),
        problem.is_rate_limit(),
        asked,
    );
    Failure {
        since: same.map_or(now, |it| it.since),
        tried_at: now,
        next_at: now.after(wait),
        tries,
        problem,
    }
}
