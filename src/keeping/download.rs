//! A guardian's copy of what is kept of a child, while it is made.

use tokio::sync::mpsc;
use tokio::task::{self, JoinHandle};

use super::Keeping;
use super::copy::{ExportError, Exported};
use crate::children::{ChildAccess, ChildrenError};
use crate::identity::SteppedUp;
use crate::kernel::pieces::{IntoPieces, pieces};
use crate::kernel::problem::Refusal;
use crate::kernel::store::StoreError;

/// A guardian's copy on its way.
pub struct Copy {
    /// What the child is called.
    pub name: String,
    /// Its pieces.
    pub pieces: mpsc::Receiver<Vec<u8>>,
    /// How it ended, once there is no further piece.
    pub ended: JoinHandle<Result<Exported, ExportError>>,
}

/// Why a copy wasn't begun.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// Another one of this guardian is on its way.
    #[error("Another download of yours is still running. Please try again when it is done.")]
    TooMany,
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
}

impl From<CopyError> for Refusal {
    fn from(error: CopyError) -> Self {
        match error {
            CopyError::TooMany => Self::too_many(error.to_string(), 10),
            CopyError::Children(error) => error.into(),
        }
    }
}

impl Keeping {
    /// Begins a copy of what is kept of a child, for one of its guardians. One at a time is made for each.
    pub async fn copy(&self, by: &SteppedUp, access: &ChildAccess) -> Result<Copy, CopyError> {
        let guardian = by.guardian().clone();
        let turn = self.turns.take(&guardian).await;
        let turn = turn.ok_or(CopyError::TooMany)?;
        let child = access.child();
        let name = match self.joined.children.get(&self.store, child) {
            Ok(found) => found.name,
            Err(ChildrenError::Store(StoreError::Unreadable(_))) => String::new(),
            Err(error) => return Err(error.into()),
        };
        let (sender, pieces) = pieces();
        let keeping = self.clone();
        let ended = task::spawn_blocking(move || {
            let _turn = turn;
            let mut to = IntoPieces::new(&sender);
            let exported = keeping.export(vec![child], Some(&guardian), &mut to, &|_| {});
            if let Err(error) = &exported {
                tracing::warn!(%child, %error, "a copy ended early");
            }
            exported
        });
        Ok(Copy {
            name,
            pieces,
            ended,
        })
    }
}
