//! Exports children's data.

use serde::{Deserialize, Serialize};

use super::operation::{Operation, Reports, in_a_thread};
use super::{AdminError, access_log};
use crate::app::App;
use crate::children::ChildId;
use crate::kernel::host::pieces::IntoPieces;
use crate::retention::copy::Exported;

/// Answers with a file.
#[derive(Clone, Serialize, Deserialize)]
pub struct Export {
    /// `None` for all.
    pub child: Option<ChildId>,
}

impl Operation for Export {
    type Answer = Exported;

    async fn run(self, app: &App, reports: &Reports) -> Result<Exported, AdminError> {
        let children = match self.child {
            Some(child) => vec![app.children.for_administrator(child)?.child()],
            None => app.children.all_numbers(&app.store)?,
        };
        access_log::record_copy(app, &children).await;
        let (retention, reports) = (app.retention.clone(), reports.clone());
        let written = in_a_thread(move || {
            let mut to = IntoPieces::new(&reports.pieces);
            retention.export(children, None, &mut to, &|done| reports.count(done))
        });
        let written = written.await?;
        written.map_err(AdminError::new)
    }
}
