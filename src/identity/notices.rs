//! Letters that tell a guardian of something, and that nobody waits for.
//!
//! What other guardians cause goes one at a time, and not again so soon, so that it delays no link and no news of a sign-in. Of
//! news about their own access a guardian gets so many a day: whoever holds a device of theirs fills no inbox with them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::guardians::{Guardian, Guardians};
use super::letters::UnverifiedLetter;
use super::unverified::UnverifiedAddresses;
use super::{IdentityError, letters};
use crate::identity::GuardianId;
use crate::kernel::clock::Clock;
use crate::kernel::limit::{Leniency, Limit, LimitKey, Rate};
use crate::kernel::mail::{EmailAddress, Letter, Mailer};
use crate::kernel::store::{Store, StoreError};
use crate::kernel::zones::Zone;

/// How long the mail server has to take a letter that nobody waits for.
const IN_THE_BACKGROUND: Duration = Duration::from_secs(60);

/// How long it has while somebody waits.
const PATIENCE: Duration = Duration::from_secs(15);

/// The same news to the same guardian.
const THE_SAME: Rate = Rate::new(1, Duration::from_secs(10 * 60));

/// News about one guardian's own access. The pages tell of the same.
const OF_ACCESS: Rate = Rate::new(20, Duration::from_secs(24 * 60 * 60 / 20));

/// How many letters that other guardians cause wait at most. The pages tell of the same.
const MOST_WAITING: usize = 200;

/// What a guardian is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Another guardian invited somebody to see these children.
    SomebodyInvited {
        /// What the guardian who invited is called.
        by: String,
        /// The children's names, as a list in words.
        children: String,
    },
    /// Another guardian asks to erase a child.
    ChildErasure {
        /// What the guardian who asks is called.
        by: String,
        /// The child's name.
        child: String,
        /// How many conversations would be deleted, from when to when, in words.
        conversations: String,
        /// The child's names of the last thirty days, in words.
        names: String,
    },
}

impl Notice {
    /// What it tells, as far as it decides whether it is the same again.
    fn what(&self) -> String {
        match self {
            Self::SomebodyInvited { by, children } => format!("{by} invited to {children}"),
            Self::ChildErasure { by, child, .. } => format!("{by} asked to delete {child}"),
        }
    }
}

/// The façade of these letters. Clones share it.
#[derive(Clone)]
pub struct Notices(Arc<Shared>);

/// What the clones share.
struct Shared {
    store: Store,
    mailer: Mailer,
    guardians: Guardians,
    time_zone: Zone,
    unverified: UnverifiedAddresses,
    told: Limit<Told>,
    told_of_access: Limit<GuardianId>,
    /// One letter that another guardian causes is handed over at a time.
    turn: Semaphore,
    waiting: AtomicUsize,
}

/// Who was told of what.
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
        store: Store,
        clock: Clock,
        mailer: Mailer,
        guardians: Guardians,
        unverified: UnverifiedAddresses,
        (limits, time_zone): (Leniency, Zone),
    ) -> Self {
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

    /// In which a letter names times.
    pub(super) fn time_zone(&self) -> &Zone {
        &self.0.time_zone
    }

    /// Whether letters are sent.
    pub fn sends_letters(&self) -> bool {
        !matches!(self.0.mailer, Mailer::Nobody)
    }

    /// Tells a guardian what another one did, if their address is proved and they were not told just now. Nobody waits for it.
    pub fn tell(&self, whom: &GuardianId, notice: &Notice) {
        let found = self.0.guardians.find_admitted(&self.0.store, whom);
        // Without a readable address there is nowhere to write to; the pages tell it, too.
        let Ok(Some(guardian)) = found else { return };
        if !guardian.proved || !self.sends_letters() {
            return;
        }
        let (whom, what) = (whom.clone(), notice.what());
        if self.0.told.take(Told { whom, what }).is_err() {
            return;
        }
        let letter = match notice {
            Notice::SomebodyInvited { by, children } => {
                letters::somebody_invited(&guardian, by, children)
            }
            Notice::ChildErasure {
                by,
                child,
                conversations,
                names,
            } => letters::child_erasure(&guardian, by, child, conversations, names),
        };
        if self.0.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            self.0.waiting.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(guardian = %guardian.id, "too many letters wait, so one was dropped");
            return;
        }
        let (notices, id) = (self.clone(), guardian.id);
        tokio::spawn(async move {
            let turn = notices.0.turn.acquire().await;
            notices.hand_over(&id, &letter).await;
            drop(turn);
            notices.0.waiting.fetch_sub(1, Ordering::Relaxed);
        });
    }

    async fn hand_over(&self, guardian: &GuardianId, letter: &Letter) {
        let sent = self.0.mailer.send_within(letter, IN_THE_BACKGROUND).await;
        if let Err(reason) = sent {
            tracing::warn!(%guardian, %reason, "a letter was not handed over");
        }
    }

    /// Tells a guardian what happened to their own access, in the background and at once, if their address is proved, and neither
    /// this news, which `what` names, was told just now nor too much else today.
    pub(super) fn tell_of_access(&self, to: &Guardian, what: String, letter: Letter) {
        if !to.proved || !self.sends_letters() {
            return;
        }
        let whom = to.id.clone();
        if self.0.told.take(Told { whom, what }).is_err() {
            return;
        }
        if self.0.told_of_access.take(to.id.clone()).is_err() {
            tracing::warn!(guardian = %to.id, "too much news about their access today, so a letter was dropped");
            return;
        }
        self.send_at_once(&to.id, letter);
    }

    /// Sends a letter that asks a guardian about a change of their own access in the background, at once, if their address is
    /// proved.
    pub(super) fn send(&self, to: &Guardian, letter: Letter) {
        if to.proved {
            self.send_at_once(&to.id, letter);
        }
    }

    /// Sends a letter that a guardian asked for in the background, to an address that may be anybody's.
    pub(super) fn send_for(
        &self,
        guardian: &GuardianId,
        letter: UnverifiedLetter,
    ) -> Result<(), StoreError> {
        if let Some(permit) = self.0.unverified.permit(letter.to())? {
            self.send_at_once(guardian, letter.permitted(permit));
        }
        Ok(())
    }

    fn send_at_once(&self, guardian: &GuardianId, letter: Letter) {
        if !self.sends_letters() {
            return;
        }
        let (notices, id) = (self.clone(), guardian.clone());
        tokio::spawn(async move { notices.hand_over(&id, &letter).await });
    }

    /// Hands over the letter that invites somebody. An address that gets no more letters today gets none, and nobody is told.
    /// Fails with [`IdentityError::NoLetters`], [`IdentityError::LetterNotSent`].
    pub async fn invite(&self, to: &EmailAddress, link: &str) -> Result<(), IdentityError> {
        if !self.sends_letters() {
            return Err(IdentityError::NoLetters);
        }
        let Some(permit) = self.0.unverified.permit(to)? else {
            return Ok(());
        };
        let letter = letters::invitation(to, link).permitted(permit);
        let sent = self.0.mailer.send_within(&letter, PATIENCE).await;
        sent.map_err(|reason| {
            tracing::warn!(%reason, "the letter of an invitation was not handed over");
            IdentityError::LetterNotSent
        })
    }

    /// What a guardian is called in a letter to others.
    pub fn name_of(&self, guardian: &GuardianId) -> Result<String, StoreError> {
        let name = self.0.guardians.name_of(&self.0.store, guardian)?;
        Ok(name.unwrap_or_else(|| "Another guardian".to_owned()))
    }
}
