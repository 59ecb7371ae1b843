//! A guardian's download of a child's data, while it is generated.

use tokio::sync::mpsc;
use tokio::task::{self, JoinHandle};

use super::Retention;
use super::copy::{ExportError, Exported};
use crate::children::{ChildAccess, ChildrenError};
use crate::identity::SteppedUp;
use crate::kernel::host::pieces::{IntoPieces, pieces};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::readable;

/// A download in progress.
pub struct Copy {
    /// The child's name.
    pub name: String,
    /// The chunks of the file.
    pub pieces: mpsc::Receiver<Vec<u8>>,
    /// The result, available after the last chunk.
    pub ended: JoinHandle<Result<Exported, ExportError>>,
}

/// Why an export was refused.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// Another download of this guardian is in progress.
    #[error("Another download of yours is still running. Please try again when it is done.")]
    TooMany,
    /// The child was removed.
    #[error(transparent)]
    Children(#[from] ChildrenError),
}

refusals! {
    CopyError from Children {
        TooMany => too_many(DownloadRunning, 10),
    }
}

impl Retention {
    /// Starts exporting a child for one of its guardians. A guardian may have one export in progress.
    pub async fn copy(&self, by: &SteppedUp, access: &ChildAccess) -> Result<Copy, CopyError> {
        let guardian = by.guardian().clone();
        let permit = self.concurrency.take(&guardian).await;
        let permit = permit.ok_or(CopyError::TooMany)?;
        let child = access.child();
        let found = readable(self.dependencies.children.get(&self.store, child))?;
        let name = found.map(|found| found.name).unwrap_or_default();
        let (sender, pieces) = pieces();
        let retention = self.clone();
        let ended = task::spawn_blocking(move || {
            let _permit = permit;
            let mut to = IntoPieces::new(&sender);
            let exported = retention.export(vec![child], Some(&guardian), &mut to, &|_| {});
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
