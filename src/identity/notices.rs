//! Notices to guardians by e-mail, queued in the change that causes them.
//!
//! A notice is dropped if the same guardian got an equal one in the last ten minutes. Those about a guardian's own access are
//! limited per day, too: somebody holding one of their devices can't flood their inbox. Pages tell what a dropped notice would.

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::accounts::guardians::{Guardian, Guardians};
use super::emails;
use super::environment::Environment;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::limit::{Limit, LimitKey, Rate};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Places, Policy, Queue,
};
use crate::kernel::store::{Change, Read, StoreError};

/// Limits repetitions of the same notice to the same guardian.
const THE_SAME: Rate = Rate::new(1, Duration::from_secs(10 * 60));

/// Limits notices about one guardian's own access: 20 at once, then one every 72 minutes.
const OF_ACCESS: Rate = Rate::new(20, Duration::from_secs(24 * 60 * 60 / 20));

/// How long a notice is retried.
pub const NOTICE_GIVEN_UP_AFTER: Duration = Duration::from_secs(3 * 24 * 60 * 60);

#[derive(Clone)]
pub struct Notices {
    queue: Queue,
    new_sign_in: Kind<AccessChange>,
    new_codes: Kind<AccessChange>,
    sent: Arc<Limit<Sent>>,
    sent_of_access: Arc<Limit<GuardianId>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Sent {
    whom: GuardianId,
    what: String,
}

impl LimitKey for Sent {
    fn group(&self) -> impl std::hash::Hash {
        self.whom.clone()
    }
}

impl Notices {
    pub(super) fn new(environment: &Environment, guardians: &Guardians) -> Self {
        let Environment {
            queue,
            clock,
            limits,
            time_zone,
            ..
        } = environment.clone();
        let register = |what| {
            queue.register(OfAccess {
                what,
                guardians: guardians.clone(),
                time_zone: time_zone.clone(),
            })
        };
        Self {
            new_sign_in: register(AccessNotice::NewSignIn),
            new_codes: register(AccessNotice::NewCodes),
            queue,
            sent: Arc::new(Limit::new(THE_SAME, limits, clock.clone())),
            sent_of_access: Arc::new(Limit::new(OF_ACCESS, limits, clock)),
        }
    }

    /// Queues a notice to a guardian, unless the same (identified by `what`) was just sent. It is composed for
    /// [`Notices::recipient`].
    pub fn notify<T: Serialize + DeserializeOwned>(
        &self,
        change: &mut Change,
        kind: &Kind<T>,
        item: &Item<T>,
        what: String,
    ) -> Result<(), StoreError> {
        let whom = GuardianId::from_text(&item.recipient);
        if !self.queue.sends_email() || self.sent.take_in(change, Sent { whom, what }).is_err() {
            return Ok(());
        }
        kind.put_unless_full(change, item).map(drop)
    }

    /// Queues a notice of what happened to a guardian's own access in this sign-in.
    pub(super) fn notify_of_access(
        &self,
        change: &mut Change,
        notice: AccessNotice,
        by: &SignedIn,
        what: AccessChange,
    ) -> Result<(), StoreError> {
        let kind = match notice {
            AccessNotice::NewSignIn => &self.new_sign_in,
            AccessNotice::NewCodes => &self.new_codes,
        };
        let (guardian, sign_in) = (&by.guardian, by.sign_in.as_str());
        // By sign-in: codes made on another device, perhaps a stranger's, must be reported separately.
        let sent = Sent {
            whom: guardian.clone(),
            what: format!("{} {sign_in}", kind.name()),
        };
        if !self.queue.sends_email() || self.sent.take_in(change, sent).is_err() {
            return Ok(());
        }
        if self
            .sent_of_access
            .take_in(change, guardian.clone())
            .is_err()
        {
            tracing::warn!(%guardian, "too much news about their access today, so an email was dropped");
            return Ok(());
        }
        let item = Item::new(guardian.as_str(), sign_in, what);
        kind.put_unless_full(change, &item).map(drop)
    }

    /// How a notice is treated: it may come twice rather than not at all.
    pub fn policy(name: &'static str) -> Policy {
        Policy {
            name,
            places: Places::OF_EACH,
            gives_up_after: NOTICE_GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::SendOnceMore,
        }
    }

    /// The recipient of notices: a guardian who may sign in and whose address is verified.
    pub fn recipient(
        guardians: &Guardians,
        view: &impl Read,
        id: &GuardianId,
    ) -> Result<Option<Guardian>, StoreError> {
        let found = guardians.find_admitted(view, id)?;
        Ok(found.filter(|guardian| guardian.verified))
    }

    /// The [recipient](Self::recipient) of a queued notice.
    pub fn recipient_of<T>(
        guardians: &Guardians,
        view: &impl Read,
        notice: &Item<T>,
    ) -> Result<Option<Guardian>, StoreError> {
        Self::recipient(guardians, view, &GuardianId::from_text(&notice.recipient))
    }
}

/// The device on which a guardian's access changed, and when. The sign-in may have ended when the e-mail is composed.
#[derive(Serialize, Deserialize)]
pub struct AccessChange {
    pub device: Option<String>,
    pub at: Timestamp,
}

/// What a notice to a guardian about their own access says.
#[derive(Clone, Copy)]
pub(super) enum AccessNotice {
    NewSignIn,
    NewCodes,
}

/// Notices of changes to a guardian's own access.
struct OfAccess {
    what: AccessNotice,
    guardians: Guardians,
    time_zone: Zone,
}

impl Composer for OfAccess {
    type Data = AccessChange;

    fn policy(&self) -> Policy {
        Notices::policy(match self.what {
            AccessNotice::NewSignIn => "new-sign-in",
            AccessNotice::NewCodes => "new-codes",
        })
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Security))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient_of(&self.guardians, change, &item)? else {
            return Ok(None);
        };
        let AccessChange { device, at } = item.data;
        let email = match self.what {
            AccessNotice::NewSignIn => {
                emails::new_sign_in(&guardian, device.as_deref(), &self.time_zone, at)
            }
            AccessNotice::NewCodes => {
                emails::new_codes(&guardian, device.as_deref(), &self.time_zone, at)
            }
        };
        Ok(Some(email.into()))
    }
}
