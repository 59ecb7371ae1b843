//! Reads the alerts that a guardian sees.

use super::{Alert, SHARED, Whose, alerts_of, places_of};
use crate::children::{ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::store::{
    Components, Cursor, NotACursor, Read, StoreError, StoredRow, readable_or_counted,
};

/// The marker of the page before the alert with this number.
pub(in crate::alerts) fn marker_of(id: u64) -> Option<String> {
    let all = SHARED.key();
    let place = all.clone().descending_number(id).cursor_below(&all);
    place.map(|place| place.to_text())
}

/// Parses [`marker_of`].
pub(in crate::alerts) fn number_at(marker: &str) -> Result<u64, NotACursor> {
    let place = Cursor::parse(marker)?;
    let number = Components::at(&place).descending_number();
    number.ok_or(NotACursor)
}

/// Some of the alerts that a guardian sees.
#[derive(Default)]
pub(in crate::alerts) struct AlertBatch {
    /// Newest first.
    pub(in crate::alerts) alerts: Vec<Alert>,
    pub(in crate::alerts) has_more: bool,
    pub(in crate::alerts) unreadable: u64,
}

/// The alerts that a guardian sees before the number `before`, newest first, at most `limit`.
pub(in crate::alerts) fn alerts_before(
    view: &impl Read,
    child: ChildId,
    reader: &GuardianId,
    before: Option<u64>,
    limit: usize,
) -> Result<AlertBatch, StoreError> {
    let mut batch = AlertBatch::default();
    // The number from which on both lists were read.
    let mut read_from = 0;
    for whose in [None, Some(reader.clone())] {
        let below = alerts_of(child, &whose);
        // The cursor is behind all keys with this number.
        let after = before.and_then(|id| {
            let behind = below.clone().descending_number(id).fixed(&[u8::MAX; 24]);
            behind.cursor_below(&below)
        });
        let rows = StoredRow::after(view, &below, after.as_ref(), limit)?;
        if rows.len() == limit {
            let last = rows.last().map(StoredRow::key);
            let last = last.and_then(|key| key.components_below(&below).descending_number());
            read_from = read_from.max(last.unwrap_or(0));
            batch.has_more = true;
        }
        for row in rows {
            let alert = readable_or_counted(row.read::<Alert>(view), &mut batch.unreadable)?;
            batch.alerts.extend(alert.flatten());
        }
    }
    batch.alerts.retain(|alert| alert.alert_id >= read_from);
    batch
        .alerts
        .sort_by_key(|alert| std::cmp::Reverse(alert.alert_id));
    if batch.alerts.len() > limit {
        batch.alerts.truncate(limit);
        batch.has_more = true;
    }
    Ok(batch)
}

/// The alerts of all of a child's guardians, newest first.
pub(in crate::alerts) fn shared_alerts(
    view: &impl Read,
    child: ChildId,
) -> Result<(Vec<Alert>, u64), StoreError> {
    view.list_readable(&alerts_of(child, &None))
}

/// The alerts of this guardian alone, newest first.
pub(in crate::alerts) fn own_alerts(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(Vec<Alert>, u64), StoreError> {
    view.list_readable(&alerts_of(child, &Some(guardian.clone())))
}

/// 0 without one.
pub(super) fn newest_of(
    view: &impl Read,
    child: ChildId,
    whose: &Whose,
) -> Result<u64, StoreError> {
    let below = alerts_of(child, whose);
    let keys = view.keys_below(&below, 1)?;
    let newest = keys
        .first()
        .and_then(|key| key.components_below(&below).descending_number());
    Ok(newest.unwrap_or(0))
}

/// The number of the newest alert that the guardian sees; 0 without one.
pub(in crate::alerts) fn newest(
    view: &impl Read,
    child: ChildId,
    reader: &GuardianId,
) -> Result<u64, StoreError> {
    let own = newest_of(view, child, &Some(reader.clone()))?;
    Ok(own.max(newest_of(view, child, &None)?))
}

/// Whether there is an alert of the guardian's, or of all guardians, about this session.
pub(in crate::alerts) fn has_alert_in(
    view: &impl Read,
    guardian: &GuardianId,
    session: SessionId,
) -> Result<bool, StoreError> {
    let below = places_of(session);
    let keys = view.keys_below(&below, usize::MAX)?;
    let mut whose = keys.iter().map(|key| key.components_below(&below).text());
    Ok(whose.any(|whose| whose.is_none_or(|whose| whose.is_empty() || whose == guardian.as_str())))
}
