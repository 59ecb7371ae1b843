//! E-mails that notify a guardian, sent in the background.
//!
//! Those caused by other guardians are sent one at a time, with a pause before the same one is repeated, so that they delay no
//! link and no notice of a sign-in. Those about a guardian's own access are limited per day: somebody holding one of their
//! devices can't flood their inbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::accounts::guardians::{Guardian, Guardians};
use super::accounts::unverified::UnverifiedAddresses;
use super::emails::UnverifiedEmail;
use super::environment::Environment;
use super::{IdentityError, emails};
use crate::identity::GuardianId;
use crate::kernel::limit::{Limit, LimitKey, Rate};
use crate::kernel::mail::{Email, EmailAddress, Mailer};
use crate::kernel::store::{Store, StoreError};
use crate::kernel::zones::Zone;

/// How long the mail server has to accept an e-mail in the background.
const IN_THE_BACKGROUND: Duration = Duration::from_secs(60);

/// How long it has while a person waits.
const PATIENCE: Duration = Duration::from_secs(15);

/// Limits repetitions of the same notice to the same guardian.
const THE_SAME: Rate = Rate::new(1, Duration::from_secs(10 * 60));

/// Limits notices about one guardian's own access. The pages show the same.
const OF_ACCESS: Rate = Rate::new(20, Duration::from_secs(24 * 60 * 60 / 20));

/// The maximum number of queued e-mails caused by other guardians. The pages show the same.
const MOST_WAITING: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Another guardian invited somebody to see these children.
    SomebodyInvited {
        /// The inviting guardian's name.
        by: String,
        /// The children's names, as a list in words.
        children: String,
    },
    /// Another guardian requested the deletion of a child.
    ChildErasure {
        /// The requesting guardian's name.
        by: String,
        /// The child's name.
        child: String,
        /// How many conversations would be deleted and from which days, in words.
        conversations: String,
        /// The child's names of the last thirty days, in words.
        names: String,
    },
}

impl Notice {
    /// Identifies equal notices.
    fn what(&self) -> String {
        match self {
            Self::SomebodyInvited { by, children } => format!("{by} invited to {children}"),
            Self::ChildErasure { by, child, .. } => format!("{by} asked to delete {child}"),
        }
    }
}

#[derive(Clone)]
pub struct Notices(Arc<Shared>);

struct Shared {
    store: Store,
    mailer: Mailer,
    guardians: Guardians,
    time_zone: Zone,
    unverified: UnverifiedAddresses,
    told: Limit<Told>,
    told_of_access: Limit<GuardianId>,
    /// Limits e-mails caused by other guardians to one at a time.
    turn: Semaphore,
    waiting: AtomicUsize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Told {
    whom: GuardianId,
    what: String,
}

impl LimitKey for Told {
    fn group(&self) -> impl std::hash::Hash {
        self.whom.clone()
    }
}

impl Notices {
    pub(super) fn new(
        environment: &Environment,
        guardians: Guardians,
        unverified: UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            mailer,
            limits,
            time_zone,
            ..
        } = environment.clone();
        Self(Arc::new(Shared {
            store,
            mailer,
            guardians,
            time_zone,
            unverified,
            told: Limit::new(THE_SAME, limits, clock.clone()),
            told_of_access: Limit::new(OF_ACCESS, limits, clock),
            turn: Semaphore::new(1),
            waiting: AtomicUsize::new(0),
        }))
    }

    /// The time zone of times in e-mails.
    pub(super) fn time_zone(&self) -> &Zone {
        &self.0.time_zone
    }

    pub fn sends_email(&self) -> bool {
        !matches!(self.0.mailer, Mailer::Nobody)
    }

    /// Notifies a guardian in the background of what another one did, if their address is verified and they weren't just notified
    /// of the same.
    pub fn tell(&self, whom: &GuardianId, notice: &Notice) {
        let found = self.0.guardians.find_admitted(&self.0.store, whom);
        // Without a readable address no e-mail can be sent; the pages show the same.
        let Ok(Some(guardian)) = found else { return };
        if !guardian.verified || !self.sends_email() {
            return;
        }
        let (whom, what) = (whom.clone(), notice.what());
        if self.0.told.take(Told { whom, what }).is_err() {
            return;
        }
        let mail = match notice {
            Notice::SomebodyInvited { by, children } => {
                emails::somebody_invited(&guardian, by, children)
            }
            Notice::ChildErasure {
                by,
                child,
                conversations,
                names,
            } => emails::child_erasure(&guardian, by, child, conversations, names),
        };
        if self.0.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.0.waiting.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(guardian = %guardian.id, "too many emails wait, so one was dropped");
            return;
        }
        let (notices, id) = (self.clone(), guardian.id);
        tokio::spawn(async move {
            let turn = notices.0.turn.acquire().await;
            notices.hand_over(&id, &mail).await;
            drop(turn);
            notices.0.waiting.fetch_sub(1, Ordering::Relaxed);
        });
    }

    async fn hand_over(&self, guardian: &GuardianId, mail: &Email) {
        let sent = self.0.mailer.send_within(mail, IN_THE_BACKGROUND).await;
        if let Err(reason) = sent {
            tracing::warn!(%guardian, %reason, "an email was not handed over");
        }
    }

    /// Notifies a guardian in the background of what happened to their own access, if their address is verified, the same notice
    /// (named by `what`) wasn't just sent, and their daily limit isn't reached.
    pub(super) fn tell_of_access(&self, to: &Guardian, what: String, mail: Email) {
        if !to.verified || !self.sends_email() {
            return;
        }
        let whom = to.id.clone();
        if self.0.told.take(Told { whom, what }).is_err() {
            return;
        }
        if self.0.told_of_access.take(to.id.clone()).is_err() {
            tracing::warn!(guardian = %to.id, "too much news about their access today, so an email was dropped");
            return;
        }
        self.send_at_once(&to.id, mail);
    }

    /// Sends a guardian in the background an e-mail about a change of their own access, if their address is verified.
    pub(super) fn send(&self, to: &Guardian, mail: Email) {
        if to.verified {
            self.send_at_once(&to.id, mail);
        }
    }

    /// Sends in the background an e-mail that a guardian requested, to an address that may be anybody's.
    pub(super) fn send_for(
        &self,
        guardian: &GuardianId,
        mail: UnverifiedEmail,
    ) -> Result<(), StoreError> {
        if let Some(permit) = self.0.unverified.permit(mail.to())? {
            self.send_at_once(guardian, mail.permitted(permit));
        }
        Ok(())
    }

    fn send_at_once(&self, guardian: &GuardianId, mail: Email) {
        if !self.sends_email() {
            return;
        }
        let (notices, id) = (self.clone(), guardian.clone());
        tokio::spawn(async move { notices.hand_over(&id, &mail).await });
    }

    /// Sends an invitation. If the address has reached its daily limit, returns without sending it, so that nothing is revealed.
    /// Fails with [`IdentityError::NoEmail`], [`IdentityError::EmailNotSent`].
    pub async fn invite(&self, to: &EmailAddress, link: &str) -> Result<(), IdentityError> {
        if !self.sends_email() {
            return Err(IdentityError::NoEmail);
        }
        let Some(permit) = self.0.unverified.permit(to)? else {
            return Ok(());
        };
        let mail = emails::invitation(to, link).permitted(permit);
        let sent = self.0.mailer.send_within(&mail, PATIENCE).await;
        sent.map_err(|reason| {
            tracing::warn!(%reason, "the email of an invitation was not handed over");
            IdentityError::EmailNotSent
        })
    }

    /// A guardian's name in e-mails to others.
    pub fn name_of(&self, guardian: &GuardianId) -> Result<String, StoreError> {
        let name = self.0.guardians.name_of(&self.0.store, guardian)?;
        Ok(name.unwrap_or_else(|| "Another guardian".to_owned()))
    }
}
