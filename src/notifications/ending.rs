//! Ends e-mails by a link in one of them.

use super::unsubscribe::{UnsubscribeToken, Which};
use super::{Notifications, immediate_email, pending, store};
use crate::identity::GuardianId;
use crate::kernel::store::{Change, Purpose, Read, StoreError};

impl Notifications {
    /// Ends the e-mails that the token names, if it is valid and they aren't ended. The caller learns neither.
    pub async fn unsubscribe(&self, token: UnsubscribeToken) -> Result<(), StoreError> {
        let unsubscribing = self.unsubscribing.clone();
        let Some((guardian, which)) = unsubscribing.check(&self.store, &token)? else {
            return Ok(());
        };
        if !is_on(&self.store, &guardian, which)? {
            return Ok(());
        }
        let email = self.kinds.alerts_email.clone();
        let ended = self.store.commit_for(Purpose::Essential, move |change| {
            if unsubscribing.check(change, &token)?.is_none() {
                return Ok(());
            }
            end(change, &guardian, which)?;
            match which {
                Which::AtOnce => email.forget(change, guardian.as_str()),
                Which::Weekly => Ok(()),
            }
        });
        ended.await
    }
}

fn is_on(view: &impl Read, guardian: &GuardianId, which: Which) -> Result<bool, StoreError> {
    let subscription = store::readable(view, guardian)?;
    Ok(subscription.is_some_and(|subscription| match which {
        Which::AtOnce => subscription.at_once.email,
        Which::Weekly => subscription.weekly.enabled,
    }))
}

fn end(change: &mut Change, guardian: &GuardianId, which: Which) -> Result<(), StoreError> {
    let Some(mut subscription) = store::readable(change, guardian)? else {
        return Ok(());
    };
    match which {
        Which::AtOnce => {
            subscription.at_once.email = false;
            pending::remove(change, immediate_email::CHANNEL.name, guardian)?;
        }
        Which::Weekly => subscription.weekly.enabled = false,
    }
    store::put(change, guardian, &subscription)
}
