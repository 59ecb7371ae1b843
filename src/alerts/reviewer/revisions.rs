//! Messages that were replaced after their review.

use super::store;
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::{Delivered, StoredMessage};
use crate::kernel::store::{Change, StoreError};

/// Marks the messages whose text a delivery replaced, so that they are reviewed again. Does nothing without a guardian's consent.
pub fn add_revisions(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    delivered: &Delivered,
) -> Result<(), StoreError> {
    let arrivals = delivered.stored.iter().filter_map(arrival_of_new_text);
    let arrivals = arrivals.collect::<Vec<_>>();
    if arrivals.is_empty() || !store::has_consent(change, child)? {
        return Ok(());
    }
    let mut reviewed = store::reviewed(change, child, session)?;
    for arrival in arrivals {
        reviewed.add_revision(arrival);
    }
    store::put_reviewed(change, child, session, &reviewed)
}

/// The arrival number of a replaced message, if it [says more](crate::conversations::transcripts::Message::says_more_than) than before.
fn arrival_of_new_text(stored: &StoredMessage) -> Option<u64> {
    let StoredMessage::Revision {
        message,
        before,
        arrival,
    } = stored
    else {
        return None;
    };
    let is_new = before
        .as_ref()
        .is_none_or(|before| message.says_more_than(before));
    is_new.then_some(*arrival)
}
