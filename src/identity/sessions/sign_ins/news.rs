//! Notices of changes to a guardian's access on another device: a new sign-in, new recovery codes. They are shown on the
//! guardian's devices until acknowledged, and sent by e-mail.

use super::sign_in::{SignIn, Via};
use super::validity::SignInStatus;
use super::{SignIns, store};
use crate::identity::SignedIn;
use crate::identity::notices::{AccessChange, AccessNotice};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Purpose, Read, StoreError};

impl SignIns {
    /// The number of the guardian's new sign-ins on other devices. Doesn't count unreadable ones; the list of sign-ins reports
    /// those.
    pub(super) fn count_new(&self, current: &SignIn) -> u64 {
        let Ok(all) = store::of(&self.store, &current.guardian) else {
            return 0;
        };
        let now = self.clock.now();
        let is_new = |other: &SignIn| {
            other.is_unacknowledged_on(current)
                && self.validity.status(other, now) == SignInStatus::Holds
        };
        let new = all.readable.iter().filter(|(_, other)| is_new(other));
        new.count() as u64
    }

    /// Whether to show on this device that recovery codes were made on another one. `false` if that is unreadable; the list of
    /// codes reports it.
    pub(super) fn is_told_of_codes(&self, current: &SignIn) -> bool {
        let told = self.new_codes(&self.store, current);
        told.is_ok_and(|made_at| made_at.is_some())
    }

    /// When the codes were made for which this device shows a notice.
    fn new_codes(
        &self,
        view: &impl Read,
        device: &SignIn,
    ) -> Result<Option<Timestamp>, StoreError> {
        let made = store::codes_made(view, &device.guardian)?;
        let made = made.filter(|made| device.is_told_of_codes(made.by.as_ref(), made.at));
        Ok(made.map(|made| made.at))
    }

    /// Whether to show on the guardian's device that recovery codes were made on another one.
    pub fn has_new_codes(&self, signed_in: &SignedIn) -> Result<bool, StoreError> {
        let device = self.by_id(&self.store, signed_in)?;
        Ok(device.is_some_and(|device| self.is_told_of_codes(&device)))
    }

    /// Whether it is a valid sign-in on a device, not one of the command line.
    pub(super) fn is_on_a_device(&self, sign_in: &SignIn, now: Timestamp) -> bool {
        sign_in.via != Via::CommandLine && self.validity.status(sign_in, now) != SignInStatus::Ended
    }

    /// Dismisses the notices on this device. A new sign-in is acknowledged for all devices if this one
    /// [may](SignIn::may_acknowledge) do so; otherwise its notice is dismissed only here, like that of new codes.
    pub async fn see(&self, signed_in: &SignedIn) -> Result<(), StoreError> {
        let (sign_ins, who, now) = (self.clone(), signed_in.clone(), self.clock.now());
        let seen = self.store.commit_for(Purpose::Essential, move |change| {
            let Some((own_hash, mut own)) = store::cookie_of(change, &who.guardian, &who.sign_in)?
            else {
                return Ok(());
            };
            let before = own.clone();
            let (mut new, mut acknowledged) = (Vec::new(), Vec::new());
            for (hash, other) in store::of(change, &who.guardian)?.readable {
                if other.is_new {
                    new.push((hash, other));
                } else if sign_ins.is_on_a_device(&other, now) {
                    acknowledged.push(other);
                }
            }
            new.retain(|(_, other)| other.id != own.id);
            // The others have ended, or were acknowledged.
            own.dismissed
                .retain(|id| new.iter().any(|(_, other)| other.id == *id));
            for (hash, mut other) in new {
                let is_older = |one: &SignIn| one.is_acknowledged_before(&other);
                if own.may_acknowledge(&other, acknowledged.iter().any(is_older)) {
                    other.is_new = false;
                    store::put(change, hash, &other)?;
                } else if other.is_unacknowledged_on(&own) {
                    own.dismissed.push(other.id);
                }
            }
            if let Some(made_at) = sign_ins.new_codes(change, &own)? {
                own.dismissed_codes = Some(made_at);
            }
            if own != before {
                store::put(change, own_hash, &own)?;
            }
            Ok(())
        });
        seen.await
    }

    /// Notifies the guardian by e-mail of a sign-in that didn't use a link sent by e-mail.
    pub(in crate::identity) fn notify_by_email(
        &self,
        change: &mut Change,
        sign_in: &SignIn,
    ) -> Result<(), StoreError> {
        self.notify(change, AccessNotice::NewSignIn, sign_in, sign_in.started_at)
    }

    /// Notifies the guardian by e-mail that new recovery codes were made.
    pub(in crate::identity) fn notify_of_codes(
        &self,
        change: &mut Change,
        sign_in: &SignIn,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.notify(change, AccessNotice::NewCodes, sign_in, at)
    }

    fn notify(
        &self,
        change: &mut Change,
        notice: AccessNotice,
        sign_in: &SignIn,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let by = SignedIn {
            guardian: sign_in.guardian.clone(),
            sign_in: sign_in.id.clone(),
            by_command_line: sign_in.via == Via::CommandLine,
        };
        let device = sign_in.device.clone();
        self.notices
            .notify_of_access(change, notice, &by, AccessChange { device, at })
    }
}
