//! Alerts follow their session and their guardian: they are moved and removed with them.

use super::judged;
use super::worrying::{not_worrying_key, not_worrying_of};
use super::{
    Alert, AlertLocation, OWN, SHARED, add, alert_key, alerts_of, edition_key, latest_key,
    next_edition, own_of, place_key, places_of, seen, seen_key, seen_of, watched_of,
};
use crate::children::{ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, StoreError, StoredRow, Table, readable};

/// The number of alerts that one change of an erasure removes.
const ERASED_AT_ONCE: usize = 500;

/// The places of a session's alerts.
fn places(view: &impl Read, session: SessionId) -> Result<Vec<AlertLocation>, StoreError> {
    Ok(view.list_readable(&places_of(session))?.0)
}

/// Moves a session's alerts to a child with the same guardians. Each gets a new number, so that those unseen before are unseen
/// there; those who had seen it are kept with it.
pub(in crate::alerts) fn move_to(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    now: Timestamp,
) -> Result<(), StoreError> {
    judged::move_pending(change, child, session)?;
    let mut moved = places(change, session)?;
    moved.retain(|place| place.child != child);
    moved.sort_by_key(|place| place.alert_id);
    for place in moved {
        let AlertLocation {
            child: from,
            alert_id,
            whose,
            subject,
        } = place;
        let key = alert_key(from, &whose, alert_id, session, subject);
        let alert = change.get_readable::<Alert>(&key)?;
        change.remove(&key)?;
        let Some(mut alert) = alert else { continue };
        let readers = match &whose {
            Some(guardian) => vec![guardian.clone()],
            None => guardians_with_marks(change, from)?,
        };
        for reader in readers {
            if alert_id <= seen(change, from, &reader)? {
                alert.seen_by.insert(reader);
            }
        }
        add(change, child, &whose, subject, alert, &[], now)?;
    }
    change.drop_stale_answers();
    Ok(())
}

fn guardians_with_marks(view: &impl Read, child: ChildId) -> Result<Vec<GuardianId>, StoreError> {
    let below = seen_of(child);
    let keys = view.keys_below(&below, usize::MAX)?;
    let ids = keys
        .iter()
        .filter_map(|key| key.components_below(&below).text());
    Ok(ids.map(|id| GuardianId::from_text(&id)).collect())
}

/// Removes a former guardian's phrases, alerts and seen numbers.
pub(super) fn forget(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    let phrases = watched_of(child).text(guardian.as_str());
    if change.remove(&phrases)? {
        next_edition(change, child)?;
    }
    let whose = Some(guardian.clone());
    while remove_some(change, &alerts_of(child, &whose), OWN)? {}
    change.remove(&seen_key(child, guardian))?;
    change.remove(&latest_key(guardian, child))?;
    change.remove(&not_worrying_key(child, guardian))?;
    for (key, mut alert) in change.readable_rows::<Alert>(&alerts_of(child, &None))? {
        let (dealt_with, not_worrying) = (
            alert.dealt_with.remove(guardian),
            alert.not_worrying.remove(guardian),
        );
        if dealt_with || not_worrying {
            change.put(&key, &alert)?;
        }
    }
    Ok(())
}

/// Removes some of the alerts of a table below this key; returns whether there were any.
fn remove_some(change: &mut Change, below: &Key, table: Table) -> Result<bool, StoreError> {
    change.drop_stale_answers();
    let keys = change.keys_below(below, ERASED_AT_ONCE)?;
    for key in &keys {
        remove_alert(change, key, table)?;
    }
    Ok(!keys.is_empty())
}

/// The session of an alert with this key, and the key of its place.
fn place_of(key: &Key, table: Table) -> Option<(SessionId, Key)> {
    let all = table.key();
    let mut components = key.components_below(&all);
    components.number()?;
    let whose = if table == OWN {
        Some(GuardianId::from_text(&components.text()?))
    } else {
        None
    };
    components.descending_number()?;
    let session = SessionId::new(components.number()?);
    Some((session, place_key(session, &whose, components.fixed()?)))
}

/// Removes an alert and its place. It need not be readable.
fn remove_alert(change: &mut Change, key: &Key, table: Table) -> Result<(), StoreError> {
    if let Some((_, place)) = place_of(key, table) {
        change.remove(&place)?;
    }
    change.remove(key)?;
    Ok(())
}

/// Removes a session's alerts whose places are unreadable. Reads the keys of all alerts.
fn remove_by_keys(change: &mut Change, session: SessionId) -> Result<(), StoreError> {
    for table in [SHARED, OWN] {
        for key in change.keys_below(&table.key(), usize::MAX)? {
            if place_of(&key, table).is_some_and(|(of, _)| of == session) {
                remove_alert(change, &key, table)?;
            }
        }
    }
    Ok(())
}

/// Removes some of a session's alerts; returns whether there were any.
pub(in crate::alerts) fn erase_of_session(
    change: &mut Change,
    session: SessionId,
) -> Result<bool, StoreError> {
    change.drop_stale_answers();
    judged::erase_pending(change, session)?;
    let keys = change.keys_below(&places_of(session), ERASED_AT_ONCE)?;
    for key in &keys {
        match change.get_readable::<AlertLocation>(key)? {
            Some(AlertLocation {
                child,
                alert_id,
                whose,
                subject,
            }) => {
                change.remove(&alert_key(child, &whose, alert_id, session, subject))?;
            }
            None if change.contains(key)? => remove_by_keys(change, session)?,
            // It was removed by its alert's key.
            None => {}
        }
        change.remove(key)?;
    }
    Ok(!keys.is_empty())
}

/// Removes some of what is stored about a child; returns whether there was any.
pub(in crate::alerts) fn erase_batch(
    change: &mut Change,
    child: ChildId,
) -> Result<bool, StoreError> {
    let shared = alerts_of(child, &None);
    let own = own_of(child);
    if remove_some(change, &shared, SHARED)? || remove_some(change, &own, OWN)? {
        return Ok(true);
    }
    for below in [
        watched_of(child),
        edition_key(child),
        seen_of(child),
        not_worrying_of(child),
    ] {
        if change.remove_some_below(&below)? > 0 {
            return Ok(true);
        }
    }
    judged::erase_batch(change, child)
}

/// Removes the child's alerts that arrived before this time. Returns whether there were any.
pub(in crate::alerts) fn remove_before(
    change: &mut Change,
    child: ChildId,
    oldest: Timestamp,
) -> Result<bool, StoreError> {
    let mut is_any = false;
    for (below, table) in [(alerts_of(child, &None), SHARED), (own_of(child), OWN)] {
        for key in change.keys_of(&below, |alert: &Alert| alert.arrived_at < oldest)? {
            remove_alert(change, &key, table)?;
            is_any = true;
        }
    }
    Ok(is_any)
}

/// Whether an alert of the child arrived before this time.
pub(in crate::alerts) fn has_before(
    view: &impl Read,
    child: ChildId,
    oldest: Timestamp,
) -> Result<bool, StoreError> {
    for below in [alerts_of(child, &None), own_of(child)] {
        for row in StoredRow::after(view, &below, None, usize::MAX)? {
            let alert = readable(row.read::<Alert>(view))?.flatten();
            if alert.is_some_and(|alert| alert.arrived_at < oldest) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
