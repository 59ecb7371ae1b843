//! What all services of the household share: who may change something, and recording it in the child's history.

use crate::children::history::{Changed, Entry, History};
use crate::children::{ChildId, Children, ChildrenError};
use crate::identity::{Caller, GuardianId, SignIns};
use crate::kernel::host::clock::Clock;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Change, Purpose, Store, StoreError};

/// The maximum number of children per assistant, and per invitation.
const MOST_CHILDREN: usize = 100;

#[derive(Debug, thiserror::Error)]
pub enum ManagementError {
    /// Only the administrator can do this, on the command line.
    #[error("On this Porchlight, only the administrator can do this.")]
    AdministratorOnly,
    /// An assistant and an invitation need 1 to 100 children.
    #[error("Please choose one child at least, and a hundred at most.")]
    ChildrenOutOfRange,
}

refusals! {
    ManagementError {
        AdministratorOnly => forbidden(AdministratorOnly),
        ChildrenOutOfRange => against_a_rule(ChildrenOutOfRange) at "/children",
    }
}

#[derive(Clone)]
pub struct Management {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) due: DueClock,
    pub(super) children: Children,
    pub(super) history: History,
    pub(super) sign_ins: SignIns,
    /// Whether guardians manage this themselves, or only the administrator does.
    pub(super) guardians_manage: bool,
}

impl Management {
    /// Fails with [`ManagementError::AdministratorOnly`].
    pub(super) fn require(&self) -> Result<(), ManagementError> {
        if self.guardians_manage {
            Ok(())
        } else {
            Err(ManagementError::AdministratorOnly)
        }
    }

    /// Runs a change, if guardians may make any. Answers to requests don't pass through this: they are allowed even after the
    /// administrator has taken over everything else, and on a nearly full disk.
    pub(super) async fn commit<T, E>(
        &self,
        purpose: Purpose,
        change: impl FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<ManagementError> + From<StoreError> + Send + 'static,
    {
        self.require()?;
        self.store.commit_for(purpose, change).await
    }

    /// Records a change in the child's history. Fails if the child isn't the guardian's.
    pub(super) fn record(
        &self,
        change: &mut Change,
        child: ChildId,
        what: Changed,
        by: &GuardianId,
    ) -> Result<(), ChildrenError> {
        let access = self.children.access_in(change, &caller(by), child)?;
        let entry = Entry::new(self.clock.now(), what, Some(by.clone()));
        Ok(self.history.record(change, &access, entry)?)
    }
}

pub(super) fn caller(guardian: &GuardianId) -> Caller {
    Caller::Guardian(guardian.clone())
}

/// Fails with [`ManagementError::ChildrenOutOfRange`].
pub(super) fn require_children(children: &[ChildId]) -> Result<(), ManagementError> {
    if (1..=MOST_CHILDREN).contains(&children.len()) {
        Ok(())
    } else {
        Err(ManagementError::ChildrenOutOfRange)
    }
}
