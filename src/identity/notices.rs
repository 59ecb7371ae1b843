//! Letters that tell a guardian of something, and that nobody waits for.

use std::time::Duration;

use super::guardians::{Guardian, Guardians};
use super::{IdentityError, letters};
use crate::identity::GuardianId;
use crate::kernel::mail::{EmailAddress, Letter, Mailer};
use crate::kernel::store::{Store, StoreError};
use crate::kernel::zones::Zone;

/// How long the mail server has to take a letter that nobody waits for.
const IN_THE_BACKGROUND: Duration = Duration::from_secs(60);

/// How long it has while somebody waits.
const PATIENCE: Duration = Duration::from_secs(15);

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
    },
}

/// The façade of these letters. Clones share it.
#[derive(Clone)]
pub struct Notices {
    pub(super) store: Store,
    pub(super) mailer: Mailer,
    pub(super) guardians: Guardians,
    /// In which a letter names times.
    pub(super) time_zone: Zone,
}

impl Notices {
    /// Whether letters are sent.
    pub fn sends_letters(&self) -> bool {
        !matches!(self.mailer, Mailer::Nobody)
    }

    /// Tells a guardian, if their address is proved. Nobody waits for it.
    pub fn tell(&self, whom: &GuardianId, notice: &Notice) {
        let found = self.guardians.find_admitted(&self.store, whom);
        // Without a readable address there is nowhere to write to; the pages tell it, too.
        let Ok(Some(guardian)) = found else { return };
        let letter = match notice {
            Notice::SomebodyInvited { by, children } => {
                letters::somebody_invited(&guardian, by, children)
            }
            Notice::ChildErasure { by, child } => letters::child_erasure(&guardian, by, child),
        };
        self.send(&guardian, letter);
    }

    /// Sends a letter in the background, if the guardian's address is proved.
    pub(super) fn send(&self, to: &Guardian, letter: Letter) {
        if to.proved {
            self.send_for(&to.id, letter);
        }
    }

    /// Sends a letter that a guardian asked for in the background, to an address that may be anybody's.
    pub(super) fn send_for(&self, guardian: &GuardianId, letter: Letter) {
        if !self.sends_letters() {
            return;
        }
        let (mailer, id) = (self.mailer.clone(), guardian.clone());
        tokio::spawn(async move {
            let sent = mailer.send_within(&letter, IN_THE_BACKGROUND).await;
            if let Err(reason) = sent {
                tracing::warn!(guardian = %id, %reason, "a letter was not handed over");
            }
        });
    }

    /// Hands over the letter that invites somebody. `by` is what the guardian who invites is called.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoLetters`], [`IdentityError::LetterNotSent`].
    pub async fn invite(
        &self,
        to: &EmailAddress,
        by: &str,
        link: &str,
    ) -> Result<(), IdentityError> {
        if !self.sends_letters() {
            return Err(IdentityError::NoLetters);
        }
        let letter = letters::invitation(to, by, link);
        let sent = self.mailer.send_within(&letter, PATIENCE).await;
        sent.map_err(|reason| {
            tracing::warn!(%reason, "the letter of an invitation was not handed over");
            IdentityError::LetterNotSent
        })
    }

    /// What a guardian is called in a letter to others.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn name_of(&self, guardian: &GuardianId) -> Result<String, StoreError> {
        let name = self.guardians.name_of(&self.store, guardian)?;
        Ok(name.unwrap_or_else(|| "Another guardian".to_owned()))
    }
}
