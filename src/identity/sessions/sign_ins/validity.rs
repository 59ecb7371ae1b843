//! Whether sign-ins are valid.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use super::sign_in::{Lifetime, SignIn, SignInStatus};
use super::store;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::store::{Read, StoreError};

/// How many sign-ins' last uses are kept in memory.
const LAST_USES: usize = 4096;

/// Judges sign-ins. It owns no queue, so composers of messages may own it. Clones share the last uses.
#[derive(Clone)]
pub struct SignInValidity {
    clock: Clock,
    lifetime: Lifetime,
    /// When sign-ins were last used; stored hourly.
    last_uses: Arc<Cache<SignInId, Timestamp>>,
}

impl SignInValidity {
    pub(super) fn new(clock: &Clock, lifetime: Lifetime) -> Self {
        Self {
            clock: clock.clone(),
            lifetime,
            last_uses: Arc::new(Cache::new(LAST_USES)),
        }
    }

    pub(super) fn lifetime(&self) -> Duration {
        self.lifetime.total
    }

    pub(super) fn note_use(&self, sign_in: &SignIn, now: Timestamp) {
        self.last_uses.insert(sign_in.id.clone(), now);
    }

    pub(super) fn last_use(&self, sign_in: &SignIn) -> Timestamp {
        let known = self.last_uses.get(&sign_in.id);
        known.map_or(sign_in.used_at, |used| used.max(sign_in.used_at))
    }

    pub(super) fn status(&self, sign_in: &SignIn, now: Timestamp) -> SignInStatus {
        match sign_in.status(now, self.lifetime) {
            SignInStatus::Ended => {
                let used_at = self.last_use(sign_in);
                let sign_in = sign_in.clone();
                SignIn { used_at, ..sign_in }.status(now, self.lifetime)
            }
            status => status,
        }
    }

    /// Whether the guardian has a valid sign-in with this id.
    pub fn holds(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        id: &SignInId,
    ) -> Result<bool, StoreError> {
        let sign_in = store::by_id(view, guardian, id)?;
        let now = self.clock.now();
        Ok(sign_in.is_some_and(|sign_in| self.status(&sign_in, now) == SignInStatus::Holds))
    }
}
