//! The letters that wait to be handed over.
//!
//! Asking for a link writes one small record, the same for every address, and is answered; this is what
//! makes known and unknown addresses alike. The record names the address and nothing secret: the token is
//! made, and its hash committed, when the letter is handed to the mail server. A letter that cannot be
//! handed over stays and is tried again, later and later, for an hour; then the parent has long asked anew.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::guardians::Guardian;
use super::link::{self, Link, LinkState};
use super::{Identity, IdentityError, letter, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::GuardianId;
use crate::kernel::mail::{EmailAddress, MailError, Mailer};
use crate::kernel::origin::Origin;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, StoreError};

/// How many letters wait at most. Unknown addresses leave the queue as fast as it is read, so that only a
/// mail server that is down can fill it.
const CAPACITY: usize = 500;

/// How long a letter is tried.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// The pause before the second try; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(15);

/// The longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// A letter that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Waiting {
    pub email: EmailAddress,
    pub asked_at: Timestamp,
    pub due_at: Timestamp,
    #[serde(default)]
    pub tries: u32,
}

impl Waiting {
    fn new(email: EmailAddress, now: Timestamp) -> Self {
        Self {
            email,
            asked_at: now,
            due_at: now,
            tries: 0,
        }
    }

    /// The letter after a try that failed, or `None` when it is given up.
    fn after_failure(mut self, now: Timestamp) -> Option<Self> {
        let pause = FIRST_PAUSE
            .saturating_mul(1 << self.tries.min(16))
            .min(LONGEST_PAUSE);
        self.tries += 1;
        self.due_at = now.after(pause);
        (self.due_at.since(self.asked_at) < PATIENCE).then_some(self)
    }
}

impl Identity {
    /// Queues a letter with a link to this address, whether or not somebody has it.
    ///
    /// # Errors
    ///
    /// [`IdentityError::TooManyLinks`], and [`IdentityError::OutboxFull`] when as many letters wait as may.
    pub async fn request_link(
        &self,
        email: EmailAddress,
        origin: Option<&Origin>,
    ) -> Result<(), IdentityError> {
        // Before anybody looks whether the address is known.
        self.limits.take_link(&email, origin)?;
        let now = self.clock.now();
        let queued = self.store.commit_for(Purpose::Essential, move |change| {
            if store::is_waiting(change, &email)? {
                return Ok(());
            }
            if store::waiting(change, CAPACITY)?.len() == CAPACITY {
                return Err(IdentityError::OutboxFull);
            }
            Ok(store::put_waiting(change, &Waiting::new(email, now))?)
        });
        queued.await??;
        self.outbox_filled.notify_one();
        Ok(())
    }

    /// Delivers letters as they come, for as long as the process lives.
    pub async fn run_outbox(self) {
        loop {
            let filled = self.outbox_filled.notified();
            let next = match self.deliver_due_letters().await {
                Ok(next) => next,
                Err(error) => {
                    tracing::error!(%error, "the outbox could not be worked on");
                    Some(FIRST_PAUSE)
                }
            };
            let pause = next.unwrap_or(LONGEST_PAUSE);
            // Whichever comes first; a timeout is no failure here.
            let _ = tokio::time::timeout(pause, filled).await;
        }
    }

    /// Delivers every letter that is due; how long until the next one is, if any waits.
    ///
    /// # Errors
    ///
    /// The store's. A mail server's failure is none: the letter waits.
    pub async fn deliver_due_letters(&self) -> Result<Option<Duration>, StoreError> {
        for waiting in store::waiting(&self.store, CAPACITY)? {
            if waiting.due_at <= self.clock.now() {
                match self.deliver(waiting.clone()).await {
                    // One letter that cannot be written is no reason to keep the others.
                    Err(StoreError::Unreadable(cause)) => {
                        tracing::error!(%cause, "a sign-in letter could not be written");
                        self.postpone(waiting).await?;
                    }
                    delivered => delivered?,
                }
            }
        }
        let now = self.clock.now();
        let waiting = store::waiting(&self.store, CAPACITY)?;
        Ok(waiting
            .iter()
            .map(|waiting| waiting.due_at.since(now))
            .min())
    }

    async fn deliver(&self, waiting: Waiting) -> Result<(), StoreError> {
        let Some(guardian) = self.addressee(&waiting.email).await? else {
            return self.drop_letter(waiting.email).await;
        };
        if matches!(self.mailer, Mailer::Nobody) {
            tracing::warn!(
                guardian = %guardian.id,
                "a sign-in link was asked for, but no mail server is configured: \
                 use `porchlight sign-in-link`"
            );
            return self.drop_letter(waiting.email).await;
        }
        let link = self
            .make_link(guardian.id.clone(), waiting.email.clone())
            .await?;
        let url = self.link_url(&link);
        match self
            .mailer
            .send(&letter::sign_in(&guardian, &waiting.email, &url))
            .await
        {
            Ok(()) => {
                tracing::info!(guardian = %guardian.id, "a sign-in letter was handed over");
                self.drop_letter(waiting.email).await
            }
            Err(MailError::Permanent(reason)) => {
                tracing::warn!(guardian = %guardian.id, %reason, "a sign-in letter was refused");
                self.withdraw(link, waiting, None).await
            }
            Err(MailError::Temporary(reason)) => {
                let later = waiting.clone().after_failure(self.clock.now());
                let given_up = later.is_none();
                tracing::warn!(
                    guardian = %guardian.id, %reason, given_up, "a sign-in letter did not get through"
                );
                self.withdraw(link, waiting, later).await
            }
        }
    }

    /// Who gets the letter: a guardian, or whoever asks where anybody may sign up.
    async fn addressee(&self, email: &EmailAddress) -> Result<Option<Guardian>, StoreError> {
        let known = store::guardian_by_email(&self.store, email)?;
        if known.is_some() || !self.settings.open_sign_up {
            return Ok(known);
        }
        let (identity, email) = (self.clone(), email.clone());
        let added = self
            .store
            .commit(move |change| identity.add_guardian(change, &email, None));
        match added.await? {
            Ok(guardian) => Ok(Some(guardian)),
            Err(IdentityError::Store(error)) => Err(error),
            // Added by somebody else in this moment: the next look finds them.
            Err(_) => Ok(None),
        }
    }

    async fn postpone(&self, waiting: Waiting) -> Result<(), StoreError> {
        let (email, later) = (
            waiting.email.clone(),
            waiting.after_failure(self.clock.now()),
        );
        let postponed = self.store.commit(move |change| match later {
            Some(later) => store::put_waiting(change, &later),
            None => store::remove_waiting(change, &email),
        });
        postponed.await?
    }

    async fn drop_letter(&self, email: EmailAddress) -> Result<(), StoreError> {
        self.store
            .commit_for(Purpose::Essential, move |change| {
                store::remove_waiting(change, &email)
            })
            .await?
    }

    /// Takes back a link that reached nobody and keeps the letter for `later`.
    async fn withdraw(
        &self,
        link: Secret,
        waiting: Waiting,
        later: Option<Waiting>,
    ) -> Result<(), StoreError> {
        let hash = link.hash();
        let withdrawn = self.store.commit_for(Purpose::Essential, move |change| {
            if let Some(link) = store::link(change, hash)? {
                store::remove_link(change, hash, &link)?;
            }
            match later {
                Some(later) => store::put_waiting(change, &later),
                None => store::remove_waiting(change, &waiting.email),
            }
        });
        withdrawn.await?
    }

    /// Makes a link; of more than three live ones the oldest ends.
    pub(super) async fn make_link(
        &self,
        guardian: GuardianId,
        email: EmailAddress,
    ) -> Result<Secret, StoreError> {
        let token = Secret::generate(SecretKind::Link, &self.randomness);
        let (hash, now) = (token.hash(), self.clock.now());
        let made = self.store.commit_for(Purpose::Essential, move |change| {
            store::forget_old_links(change, &guardian, now)?;
            replace_oldest(change, &guardian, now)?;
            store::put_link(change, hash, &Link::new(guardian, email, now))
        });
        made.await??;
        Ok(token)
    }

    /// The address that a link's token stands in: in the fragment, which no server and no referrer sees.
    pub(super) fn link_url(&self, token: &Secret) -> String {
        self.public_url()
            .page(&format!("/finish-sign-in#token={}", token.reveal()))
    }

    /// A link for the administrator to pass on: the way in where there is no mail.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`].
    pub async fn link_for(&self, email: &EmailAddress) -> Result<String, IdentityError> {
        let guardian = self.get_guardian(&self.store, email)?;
        let token = self.make_link(guardian.id, guardian.email).await?;
        Ok(self.link_url(&token))
    }
}

/// Makes room for one more live link.
fn replace_oldest(
    change: &mut Change,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut live = store::links(change, guardian)?;
    live.retain(|(_, link)| link.is_live(now));
    let surplus = (live.len() + 1).saturating_sub(link::LIVE_AT_MOST);
    for (hash, mut link) in live.into_iter().take(surplus) {
        link.state = LinkState::Replaced;
        store::put_link(change, hash, &link)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_tried_later_and_later_and_given_up_after_an_hour() {
        let asked = Timestamp::from_micros(0);
        let mut waiting = Waiting::new("ada@example.org".parse().unwrap(), asked);
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
        let waiting = Waiting::new("ada@example.org".parse().unwrap(), asked);
        let failed_after = |seconds| asked.after(Duration::from_secs(seconds));

        assert!(waiting.clone().after_failure(failed_after(3584)).is_some());
        assert!(waiting.after_failure(failed_after(3585)).is_none());
    }
}
