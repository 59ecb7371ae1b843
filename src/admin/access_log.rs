//! Records the administrator's backups, exports and sign-in links, which the guardians see.

use std::time::Duration;

use tokio::runtime::Handle;

use super::AdminError;
use super::target::OpenStore;
use crate::app::App;
use crate::children::access_log::{AccessLog, Marks};
use crate::children::{ChildId, Children};
use crate::identity::{Caller, GuardianName};
use crate::kernel::host::zones::Zone;

/// How long recording may take without an app.
const PATIENCE: Duration = Duration::from_secs(30);

/// Records a copy of these children's data.
pub(super) async fn record_copy(app: &App, children: &[ChildId]) {
    app.access_log
        .record_administrator(children, Marks::COPIED)
        .await;
}

/// Records a backup that the administrator makes by hand. A damaged store, which may never answer, must not prevent it.
pub(super) async fn record_backup(on: &OpenStore) {
    if let Some(app) = &on.app {
        let all = app.children.all_numbers(&app.store).unwrap_or_default();
        return record_copy(app, &all).await;
    }
    let (here, store, clock) = (Handle::current(), on.store.clone(), on.clock.clone());
    let note = tokio::task::spawn_blocking(move || {
        let children = Children::new(store.clone(), clock.clone());
        let all = children.all_numbers(&store).unwrap_or_default();
        // The zone of the server that isn't running is unknown.
        let access_log = AccessLog::new(store, clock, children, Zone::UTC);
        here.block_on(access_log.record_administrator(&all, Marks::COPIED));
    });
    let _ = tokio::time::timeout(PATIENCE, note).await;
}

/// Records that a sign-in link was made for a guardian.
pub(super) async fn record_link(app: &App, whom: &GuardianName) -> Result<(), AdminError> {
    let guardian = app.identity.guardians.named(&app.store, whom)?;
    let caller = Caller::Guardian(guardian.id);
    let children = app.children.linked_to(&app.store, &caller)?;
    let access_log = &app.access_log;
    access_log
        .record_administrator(&children, Marks::MADE_LINK)
        .await;
    Ok(())
}
