//! Keeps the address and the certificate of the name up to date.

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::AcmeSettings;
use super::back_off::LONGEST_WAIT;
use super::client::Client;
use super::dns::{DnsProvider, PointsTo};
use super::folder::{Failure, HttpsFolder, State};
use super::issuing::Issuing;
use super::problem::CertificateProblem;
use super::status::{Certificate, usable_certificate};
use crate::kernel::host::addresses::{NameStatus, Usability};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::https_name::{HttpsName, NamesPerson};

/// How often it checks what is due: an address that changed is followed within a minute.
const INTERVAL: Duration = Duration::from_secs(60);

/// How often the provider is asked where the name leads.
const ASKS: Duration = Duration::from_secs(60 * 60);

/// How often it is asked within a day after the name led elsewhere.
const ASKS_IF_CONTESTED: Duration = Duration::from_secs(5 * 60);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// After a restart, what failed is tried again after this time at the latest, unless there were too many requests.
const AFTER_RESTART: Duration = Duration::from_secs(5 * 60);

/// Before an authority is asked for the outcome of its checks.
const FIRST_POLL: Duration = Duration::from_secs(1);

/// What the keeper needs to know of the machine and the family.
#[derive(Clone)]
pub struct KeeperEnvironment {
    pub clock: Clock,
    /// Whether a time has come, by a clock that can be trusted.
    pub is_due: Arc<dyn Fn(Timestamp) -> bool + Send + Sync>,
    /// This machine's address in the home network.
    pub address: Arc<dyn Fn() -> Option<Ipv4Addr> + Send + Sync>,
    /// Whether the server was set up, so that the family's names are known.
    pub is_set_up: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Whether a name contains the name of a person of the family.
    pub names_person: Arc<dyn Fn(&HttpsName) -> NamesPerson + Send + Sync>,
}

/// How an order ended, and how long the authority asked to wait.
type OrderEnd = (Result<(), CertificateProblem>, Option<Duration>);

pub struct Keeper {
    settings: AcmeSettings,
    folder: HttpsFolder,
    environment: KeeperEnvironment,
    status: NameStatus,
    state: State,
    /// What is on the disk.
    saved: State,
    /// The order in progress, if any: it can take many minutes, in which the address is still kept up to date. It is aborted with
    /// the keeper.
    order: JoinSet<OrderEnd>,
    /// The wait between a challenge's publication and the authority's look, if not the provider's own.
    pub(super) wait: Option<Duration>,
    pub(super) first_poll: Duration,
    pub(super) provider: Option<Arc<dyn DnsProvider>>,
}

impl Keeper {
    pub fn new(
        settings: AcmeSettings,
        folder: HttpsFolder,
        environment: KeeperEnvironment,
        status: NameStatus,
    ) -> io::Result<Self> {
        let mut state = folder.state()?;
        let saved = state.clone();
        if state.name != settings.name.as_str() {
            // What is left to be removed at the provider is under the other name.
            folder.save_challenges(&[])?;
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
            saved,
            order: JoinSet::new(),
            wait: None,
            first_poll: FIRST_POLL,
            provider: None,
        };
        keeper.update_status(keeper.certificate()?.as_ref());
        Ok(keeper)
    }

    /// Never returns.
    pub async fn run(mut self) {
        loop {
            if let Err(error) = self.run_due().await {
                tracing::warn!(error = %error.kind(), "the folder `https` cannot be read or written");
            }
            tokio::select! {
                () = tokio::time::sleep(INTERVAL) => {}
                Some(ended) = self.order.join_next() => self.note_end(ended),
            }
        }
    }

    /// Does what is due, and waits for the order, if any.
    #[cfg(test)]
    pub(super) async fn run_once(&mut self) -> io::Result<()> {
        self.run_due().await?;
        if let Some(ended) = self.order.join_next().await {
            self.note_end(ended);
            self.run_due().await?;
        }
        Ok(())
    }

    /// Does what is due. An order is only begun.
    pub(super) async fn run_due(&mut self) -> io::Result<()> {
        self.state.reached = self.status.was_reached();
        let certificate = self.certificate()?;
        self.state.waits_for_setup = certificate.is_none() && !(self.environment.is_set_up)();
        if self.address_is_due() {
            let (provider, client) = self.provider();
            self.update_address(&*provider, &client).await;
        }
        // An address of the home network is no part of the authority's proof, so a failure doesn't matter here.
        if self.order.is_empty() && self.certificate_is_due(certificate.as_ref()) {
            self.begin_order(certificate.is_none());
        }
        if self.state != self.saved {
            self.folder.save_state(&self.state)?;
            self.saved = self.state.clone();
        }
        self.update_status(certificate.as_ref());
        Ok(())
    }

    /// Made only if something is due: reading the root certificates takes time and memory.
    fn provider(&self) -> (Arc<dyn DnsProvider>, Client) {
        let client = Client::default();
        let own = || self.settings.dns.provider(&self.settings.name, &client);
        (self.provider.clone().unwrap_or_else(own), client)
    }

    /// The certificate in the folder, if it is for this name.
    fn certificate(&self) -> io::Result<Option<Certificate>> {
        usable_certificate(&self.folder, &self.settings.name)
    }

    fn update_status(&self, certificate: Option<&Certificate>) {
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
        let is_contested =
            self.state.leads_elsewhere || is_within(DAY, self.state.elsewhere_at, now);
        let interval = if is_contested {
            ASKS_IF_CONTESTED
        } else {
            ASKS
        };
        let is_asked = is_within(interval, self.state.asked_at, now);
        let is_current = own.is_some() && self.state.address == own;
        match &self.state.address_failure {
            Some(failure) if failure.problem == CertificateProblem::NoAddress && own.is_some() => {
                true
            }
            Some(failure) => is_due(failure, now),
            None => !(is_current && is_asked),
        }
    }

    async fn update_address(&mut self, provider: &dyn DnsProvider, client: &Client) {
        let now = self.environment.clock.now();
        let outcome = self.point_here(provider).await;
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

    async fn point_here(&mut self, provider: &dyn DnsProvider) -> Result<(), CertificateProblem> {
        let own = (self.environment.address)().ok_or(CertificateProblem::NoAddress)?;
        let is_new = self.state.address != Some(own);
        if is_new {
            // This may be another network, whose router filters the name.
            self.status.forget_reached();
            self.state.reached = false;
        } else {
            match provider.points_to().await? {
                PointsTo::Address(address) if address == own => {
                    self.state.leads_elsewhere = false;
                    return Ok(());
                }
                // It is set again in case that somebody changed it.
                PointsTo::Unknown => self.state.leads_elsewhere = false,
                PointsTo::Address(_) | PointsTo::Elsewhere => {
                    if !self.state.leads_elsewhere {
                        tracing::warn!("the name for https leads elsewhere; it is led here again");
                    }
                    // Until the provider says that it leads here: what changed it may change it again.
                    self.state.leads_elsewhere = true;
                    self.state.elsewhere_at = Some(self.environment.clock.now());
                }
            }
        }
        provider.set_address(own, self.state.address).await?;
        self.state.address = Some(own);
        if is_new {
            tracing::info!("the name for https leads to this machine's address");
        }
        Ok(())
    }

    fn certificate_is_due(&self, certificate: Option<&Certificate>) -> bool {
        let now = self.environment.clock.now();
        if self.state.waits_for_setup || is_within(DAY, self.state.issued_at, now) {
            return false;
        }
        // While the clock is behind, a certificate seems to be none yet, and it is no reason to get another. While it can't be
        // trusted, it may be months ahead.
        if certificate.is_some_and(|it| !(self.environment.is_due)(it.renewed_from())) {
            return false;
        }
        let failure = self.state.certificate_failure.as_ref();
        failure.is_none_or(|failure| is_due(failure, now))
    }

    fn begin_order(&mut self, is_first: bool) {
        if let Err(problem) = self.check_order(is_first) {
            return self.record_failure(problem, None);
        }
        let (provider, client) = self.provider();
        let failure = self.state.certificate_failure.as_ref();
        let tries = failure.map_or(0, |it| it.tries);
        let wait = self.wait.unwrap_or_else(|| provider.propagation_time());
        let issuing = Issuing {
            settings: self.settings.clone(),
            folder: self.folder.clone(),
            clock: self.environment.clock.clone(),
            provider,
            client: client.clone(),
            // Name servers that were too slow get more time.
            wait: wait * (tries + 1).min(4),
            first_poll: self.first_poll,
        };
        self.order
            .spawn(async move { (issuing.run().await, client.take_retry_after()) });
    }

    fn check_order(&mut self, is_first: bool) -> Result<(), CertificateProblem> {
        if !self.settings.accepts_terms {
            return Err(CertificateProblem::Terms);
        }
        if is_first {
            let names = (self.environment.names_person)(&self.settings.name);
            if names == NamesPerson::Yes {
                return Err(CertificateProblem::PersonsName);
            }
            self.state.names_not_compared = names == NamesPerson::NotAllCompared;
        }
        Ok(())
    }

    fn note_end(&mut self, ended: Result<OrderEnd, JoinError>) {
        // It panicked.
        let (outcome, retry_after) = ended.unwrap_or((Err(CertificateProblem::Refused), None));
        match outcome {
            Ok(()) => {
                self.state.certificate_failure = None;
                self.state.issued_at = Some(self.environment.clock.now());
                tracing::info!("there is a new certificate for https");
            }
            Err(problem) => self.record_failure(problem, retry_after),
        }
    }

    fn record_failure(&mut self, problem: CertificateProblem, retry_after: Option<Duration>) {
        let now = self.environment.clock.now();
        let failure = self.state.certificate_failure.take();
        let failed = next_failure(failure, problem, now, retry_after);
        if failed.tries == 1 {
            tracing::warn!(problem = %failed.problem, "there is no new certificate for https");
        }
        self.state.certificate_failure = Some(failed);
    }
}

/// Whether something happened within this time. A later time is from before the clock was set back.
fn is_within(duration: Duration, at: Option<Timestamp>, now: Timestamp) -> bool {
    at.is_some_and(|at| at <= now && now < at.after(duration))
}

/// Whether it may be tried again. A wait that is longer than any of ours was written while the clock was ahead.
fn is_due(failure: &Failure, now: Timestamp) -> bool {
    now >= failure.next_at || failure.tried_at > now || failure.next_at.since(now) > LONGEST_WAIT
}

fn next_failure(
    before: Option<Failure>,
    problem: CertificateProblem,
    now: Timestamp,
    retry_after: Option<Duration>,
) -> Failure {
    let same = before.filter(|before| before.problem == problem);
    let tries = same.as_ref().map_or(0, |it| it.tries).saturating_add(1);
    let wait = problem.back_off().wait(tries, retry_after);
    Failure {
        since: same.map_or(now, |it| it.since),
        tried_at: now,
        next_at: now.after(wait),
        tries,
        problem,
    }
}
