//! Exports children's data.

use super::stream::{IntoPieces, Pieces, in_a_thread};
use super::{AdminError, Exported, OnProgress, looked};
use crate::app::App;
use crate::children::ChildId;

/// Sends an export of one child, or of all, in chunks.
pub(super) async fn export(
    app: &App,
    child: Option<ChildId>,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Exported, AdminError> {
    let children = match child {
        Some(child) => vec![app.children.for_administrator(child)?.child()],
        None => app.children.all_numbers(&app.store)?,
    };
    looked::note_copy(app, &children).await;
    let (retention, mut to) = (app.retention.clone(), IntoPieces::new(pieces));
    let written = in_a_thread(progress, move |counter| {
        retention.export(children, None, &mut to, &|done| counter.report(done))
    });
    written
        .await?
        .map_err(|error| AdminError::new(error.to_string()))
}
