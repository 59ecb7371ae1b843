//! Messages that were replaced after their review.

use super::store;
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::{Delivered, StoredMessage};
use crate::kernel::store::{Change, StoreError};

/// Lets the messages that a delivery gave another text be reviewed, if the child has a consent.
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

/// With which number a message arrived that has another text now, unless it is the beginning of what was there: a sentence that was
/// cut off.
fn arrival_of_new_text(stored: &StoredMessage) -> Option<u64> {
    let StoredMessage::Revision {
        message,
        before,
        arrival,
    } = stored
    else {
        return None;
    };
    let text = message.text_content.as_deref().unwrap_or_default();
    let before = before.as_ref().and_then(|it| it.text_content.as_deref());
    let is_known = before.is_some_and(|before| before.starts_with(text));
    (!is_known).then_some(*arrival)
}
