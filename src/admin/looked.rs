//! Records what the administrator does with children's data, which their guardians see.

use super::AdminError;
use crate::app::App;
use crate::children::{ChildId, Children};
use crate::identity::{Caller, GuardianName};
use crate::kernel::clock::Clock;
use crate::kernel::store::Store;
use crate::kernel::zones::Zone;
use crate::looks::{Looks, Marks};

/// Records a copy of these children's data.
pub(super) async fn note_copy(app: &App, children: &[ChildId]) {
    app.looks.note_administrator(children, Marks::COPIED).await;
}

/// Records a backup that the administrator makes by hand. A damaged store must not prevent it.
pub(super) async fn note_backup(looks: &Looks, children: &Children, store: &Store) {
    let all = children.all_numbers(store).unwrap_or_default();
    looks.note_administrator(&all, Marks::COPIED).await;
}

/// Like [`note_backup`], without an app. The day is in UTC.
pub(super) async fn note_backup_of(store: &Store, clock: &Clock) {
    let children = Children::new(store.clone(), clock.clone());
    let looks = Looks::new(store.clone(), clock.clone(), children.clone(), Zone::UTC);
    note_backup(&looks, &children, store).await;
}

/// Records that a sign-in link was made for a guardian.
pub(super) async fn note_link(app: &App, whom: &GuardianName) -> Result<(), AdminError> {
    let guardian = app.identity.guardians.named(&app.store, whom)?;
    let caller = Caller::Guardian(guardian.id);
    let children = app.children.numbers_of(&app.store, &caller)?;
    let looks = &app.looks;
    looks.note_administrator(&children, Marks::MADE_LINK).await;
    Ok(())
}
