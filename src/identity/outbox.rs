//! The queue of e-mails with sign-in links.
//!
//! A request for a link writes one small record and is answered. The record contains the address and nothing secret: the token is
//! generated, and its hash committed, when the e-mail is sent to the mail server. An e-mail that cannot be sent is retried with
//! growing pauses for an hour; by then the parent has requested another. Once all of it was sent, the link's thirty minutes
//! start, and other e-mails needn't wait for the mail server to process it. If the server never answers, it counts as sent: the
//! link stays valid, and no other is made.
//!
//! **Known and unknown addresses pass the same steps**: the same record, a link among as many others, a wait as long as the mail
//! server last took, the same final write. Only the e-mail is missing, so nobody has the link's token. Writing and sending an
//! e-mail takes measurable work, so deliveries start at a random moment ([`SCATTER`]). So neither the answer nor the server's
//! load right afterwards reveals whether an address is known.
//!
//! **Strangers don't displace guardians.** E-mails to guardians and to unknown addresses are in separate queues ([`Queue`]), each
//! with a limit of simultaneous deliveries. When the strangers' queue is full, a new e-mail replaces the one that has waited
//! longest.

mod deliveries;
mod limits;
mod state;
mod store;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use deliveries::{Deliveries, Place};

use limits::LinkLimits;
use state::{HandOver, OutboxState};
use waiting::{FIRST_PAUSE, LONGEST_PAUSE, Queue, Waiting};

use super::IdentityError;
use super::accounts::guardians::{Guardian, Guardians};
use super::accounts::unverified::UnverifiedAddresses;
use super::emails;
use super::environment::Environment;
use super::methods::links::link::Link;
use super::methods::links::{Links, STRANGERS_AT_MOST};
use crate::identity::GuardianId;
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::mail::{Email, EmailAddress, MailError, Mailer};
use crate::kernel::origin::Origin;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::Secret;
use crate::kernel::store::{Change, Purpose, Store, StoreError};

pub use store::{KINDS, NOT_RESTORED};

/// The maximum number of e-mails in each queue.
const CAPACITY: usize = 500;

/// Each delivery starts at a random moment within this time of its request. That is several hundred times as long as the work for
/// one e-mail, so a request that follows at once rarely coincides with that work.
const SCATTER: Duration = Duration::from_millis(500);

/// Links to unknown addresses are removed at this interval, and after this many new ones.
const BETWEEN_SWEEPS: (Duration, usize) = (Duration::from_secs(60 * 60), STRANGERS_AT_MOST);

#[derive(Clone)]
pub struct Outbox {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    mailer: Mailer,
    guardians: Guardians,
    links: Links,
    unverified: UnverifiedAddresses,
    limits: Arc<LinkLimits>,
    state: Arc<OutboxState>,
}

impl Outbox {
    pub(super) fn new(
        environment: &Environment,
        guardians: Guardians,
        links: Links,
        unverified: UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            randomness,
            mailer,
            limits,
            ..
        } = environment.clone();
        Self {
            limits: Arc::new(LinkLimits::new(limits, &clock)),
            state: Arc::new(OutboxState::new(&mailer)),
            store,
            clock,
            randomness,
            mailer,
            guardians,
            links,
            unverified,
        }
    }

    pub fn sends_email(&self) -> bool {
        !matches!(self.mailer, Mailer::Nobody)
    }

    /// Queues an e-mail with a link to this address, whether or not a guardian has it, unless many were sent to it lately. Fails with
    /// [`IdentityError::TooManyLinks`], and with [`IdentityError::OutboxFull`] if the guardians' queue is full.
    pub async fn request_link(
        &self,
        email: EmailAddress,
        origin: Option<&Origin>,
    ) -> Result<(), IdentityError> {
        // Before looking the address up, so that the limit is the same for unknown addresses.
        if !self.limits.take_link(&email, origin)? {
            return Ok(());
        }
        let from_home = origin.is_some_and(|origin| origin.is_home);
        let waiting = Waiting::new(email, from_home, self.clock.now());
        let guardians = self.guardians.clone();
        let queued = self.store.commit_for(Purpose::Essential, move |change| {
            let queue = if guardians.have(change, &waiting.email)? {
                Queue::Guardians
            } else {
                Queue::Strangers
            };
            put_in(queue, change, waiting)
        });
        queued.await??;
        self.state.filled.notify_one();
        Ok(())
    }

    /// Removes all e-mails queued for this address.
    pub(super) fn forget(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<(), StoreError> {
        store::forget(change, email)
    }

    /// Delivers queued e-mails until the process ends.
    pub async fn run(self) {
        let mut deliveries = Deliveries::scattered_over(SCATTER, self.randomness.clone());
        let mut swept_at = None;
        loop {
            let filled = self.state.filled.notified();
            let now = self.clock.now();
            let (time, links) = BETWEEN_SWEEPS;
            let is_due = |at| now.since(at) >= time;
            if swept_at.is_none_or(is_due) || self.state.unswept.load(Ordering::Relaxed) >= links {
                swept_at = Some(now);
                self.state.unswept.store(0, Ordering::Relaxed);
                self.links.forget_strangers(STRANGERS_AT_MOST).await;
            }
            let pause = match self.begin_deliveries(&mut deliveries) {
                Ok(next) => next.map_or(LONGEST_PAUSE, |next| next.min(LONGEST_PAUSE)),
                Err(error) => {
                    tracing::error!(%error, "the outbox could not be read");
                    FIRST_PAUSE
                }
            };
            tokio::select! {
                () = filled => {}
                () = tokio::time::sleep(pause) => {}
                Some(delivered) = deliveries.next() => if let Err(error) = delivered {
                    tracing::error!(%error, "the outbox could not be worked on");
                    tokio::time::sleep(FIRST_PAUSE).await;
                },
            }
        }
    }

    /// Delivers every e-mail that is due. Returns the time until the next one is due. Failures of the mail server aren't errors:
    /// the e-mail stays queued.
    pub async fn deliver_due(&self) -> Result<Option<Duration>, StoreError> {
        let mut deliveries = Deliveries::at_once(self.randomness.clone());
        loop {
            let next = self.begin_deliveries(&mut deliveries)?;
            match deliveries.next().await {
                Some(delivered) => delivered?,
                None => return Ok(next),
            }
        }
    }

    /// Starts delivering the e-mails that are due, those that have waited longest first. Returns the time until the next of the
    /// others is due.
    fn begin_deliveries(
        &self,
        deliveries: &mut Deliveries,
    ) -> Result<Option<Duration>, StoreError> {
        let now = self.clock.now();
        let mut next = None;
        for queue in [Queue::Guardians, Queue::Strangers] {
            let mut waiting = store::waiting(&self.store, queue)?;
            waiting.retain(|waiting| !deliveries.include(queue, &waiting.email));
            waiting.sort_by_key(|waiting| waiting.due_at);
            for waiting in waiting {
                let until = waiting.due_at.since(now);
                // A time further ahead than any pause was stored while the clock was wrong.
                if !until.is_zero() && until <= LONGEST_PAUSE {
                    next = Some(next.map_or(until, |next: Duration| next.min(until)));
                } else {
                    let email = waiting.email.key();
                    let outbox = self.clone();
                    deliveries.begin(queue, email, move |place| {
                        outbox.deliver(queue, waiting, place)
                    });
                }
            }
        }
        Ok(next)
    }

    /// Tries to deliver one e-mail. One that cannot be written stays queued and doesn't block others.
    async fn deliver(
        self,
        queue: Queue,
        waiting: Waiting,
        mut place: Place,
    ) -> Result<(), StoreError> {
        let delivered = self.try_to_deliver(queue, waiting.clone(), &mut place);
        match delivered.await {
            Err(StoreError::Unreadable(cause)) => {
                tracing::error!(%cause, "a sign-in email could not be written");
                let later = waiting.clone().after_failure(self.clock.now());
                self.end_delivery(queue, waiting, Fate::None, later).await
            }
            delivered => delivered,
        }
    }

    /// Writes the same records for known and unknown addresses.
    async fn try_to_deliver(
        &self,
        queue: Queue,
        waiting: Waiting,
        place: &mut Place,
    ) -> Result<(), StoreError> {
        let guardian = self.guardians.find_by_email(&self.store, &waiting.email)?;
        if !self.sends_email() {
            if let Some(guardian) = guardian {
                tracing::warn!(
                    guardian = %guardian.id,
                    "a sign-in link was asked for, but no mail server is configured: \
                     use `porchlight sign-in-link`"
                );
            }
            return self.end_delivery(queue, waiting, Fate::None, None).await;
        }
        let id = guardian.as_ref().map(|guardian| guardian.id.clone());
        let link = Link::new(id, waiting.email.clone(), self.clock.now());
        let email = waiting.email.clone();
        let made = self
            .links
            .make(link.asked_from_home(waiting.from_home), move |change| {
                Ok(store::waiting_for(change, queue, &email)?.is_some())
            });
        let Some(link) = made.await? else {
            // The guardian was signed out everywhere, removed or got another address since the e-mail was read.
            return Ok(());
        };
        if guardian.is_none() {
            self.state.unswept.fetch_add(1, Ordering::Relaxed);
        }
        let mail = self.mail(guardian.as_ref(), &waiting.email, &self.links.url(&link))?;
        let Some(mail) = mail else {
            return self.pretend_to_deliver(queue, waiting, link, place).await;
        };
        let begun = Instant::now();
        let mut sent = None;
        let outcome = self.mailer.hand_over(&mail, || {
            place.wait_for_answer();
            sent = Some((self.clock.now(), begun.elapsed()));
        });
        let outcome = outcome.await;
        let took = begun.elapsed();
        let sending = sent.map_or(took, |(_, sending)| sending);
        self.state.note(HandOver {
            sending,
            waiting: took.saturating_sub(sending),
            failed: matches!(outcome, Err(MailError::Temporary(_))),
        });
        let id = guardian.map(|guardian| guardian.id);
        let id = id.as_ref().map_or("none yet", GuardianId::as_str);
        match outcome {
            Ok(outcome) => {
                tracing::info!(guardian = id, ?outcome, "a sign-in email was handed over");
                let at = sent.map_or_else(|| self.clock.now(), |(at, _)| at);
                let fate = Fate::Sent(link, at);
                self.end_delivery(queue, waiting, fate, None).await
            }
            Err(MailError::Permanent(reason)) => {
                tracing::warn!(guardian = id, %reason, "a sign-in email was refused");
                let fate = Fate::Refused(link);
                self.end_delivery(queue, waiting, fate, None).await
            }
            Err(MailError::Temporary(reason)) => {
                let later = waiting.clone().after_failure(self.clock.now());
                let given_up = later.is_none();
                tracing::warn!(
                    guardian = id, %reason, given_up, "a sign-in email did not get through"
                );
                let fate = Fate::Refused(link);
                self.end_delivery(queue, waiting, fate, later).await
            }
        }
    }

    /// Returns the e-mail with a link, if the address gets one.
    fn mail(
        &self,
        guardian: Option<&Guardian>,
        to: &EmailAddress,
        link: &str,
    ) -> Result<Option<Email>, StoreError> {
        if let Some(guardian) = guardian {
            return Ok(Some(emails::sign_in(guardian, link)));
        }
        if !self.guardians.open_sign_up {
            return Ok(None);
        }
        let permit = self.unverified.permit(to)?;
        Ok(permit.map(|permit| emails::sign_up(to, link).permitted(permit)))
    }

    /// Waits as long as the last e-mail took, and fails if that failed.
    async fn pretend_to_deliver(
        &self,
        queue: Queue,
        waiting: Waiting,
        link: Secret,
        place: &mut Place,
    ) -> Result<(), StoreError> {
        let last = self.state.last();
        tokio::time::sleep(last.sending).await;
        place.wait_for_answer();
        let at = self.clock.now();
        tokio::time::sleep(last.waiting).await;
        if last.failed {
            let later = waiting.clone().after_failure(self.clock.now());
            let fate = Fate::Refused(link);
            self.end_delivery(queue, waiting, fate, later).await
        } else {
            let fate = Fate::Sent(link, at);
            self.end_delivery(queue, waiting, fate, None).await
        }
    }

    /// Starts the thirty minutes of a link that was sent, or removes one that was not delivered. Keeps the e-mail for `later`, or
    /// removes it.
    async fn end_delivery(
        &self,
        queue: Queue,
        waiting: Waiting,
        fate: Fate,
        later: Option<Waiting>,
    ) -> Result<(), StoreError> {
        let links = self.links.clone();
        let ended = self.store.commit_for(Purpose::Essential, move |change| {
            match fate {
                Fate::None => {}
                Fate::Sent(link, at) => links.begin_life(change, link.hash(), at)?,
                Fate::Refused(link) => links.take_back(change, link.hash())?,
            }
            match later {
                Some(_) if store::waiting_for(change, queue, &waiting.email)?.is_none() => Ok(()),
                Some(later) => store::put(change, queue, &later),
                None => store::remove(change, queue, &waiting.email),
            }
        });
        ended.await?
    }
}

/// What happened to the link in an e-mail.
enum Fate {
    /// No link was made.
    None,
    /// The e-mail was completely sent at this moment.
    Sent(Secret, Timestamp),
    /// The e-mail was not delivered.
    Refused(Secret),
}

/// Queues an e-mail, with the same work whether or not a guardian has the address.
fn put_in(queue: Queue, change: &mut Change, waiting: Waiting) -> Result<(), IdentityError> {
    let to_guardians = store::count(change, Queue::Guardians, CAPACITY)?;
    let to_strangers = store::count(change, Queue::Strangers, CAPACITY)?;
    let kept = store::waiting_for(change, queue, &waiting.email)?;
    if kept.is_none() && to_guardians >= CAPACITY {
        return Err(IdentityError::OutboxFull);
    }
    if to_strangers >= CAPACITY {
        store::remove_longest(change, Queue::Strangers)?;
    }
    let waiting = match kept {
        Some(kept) => Waiting {
            from_home: kept.from_home || waiting.from_home,
            ..kept
        },
        None => waiting,
    };
    Ok(store::put(change, queue, &waiting)?)
}

#[cfg(test)]
mod tests;
