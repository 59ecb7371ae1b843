//! Texts that came after their message's review.

use super::store;
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::{Delivered, StoredMessage, TextsOf};
use crate::kernel::store::{Change, StoreError};

/// Lets the texts that replaced others in a delivery wait for a review. Does nothing if the child has no guardian's consent and the
/// session was never reviewed.
pub fn add_revisions(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    delivered: &Delivered,
) -> Result<(), StoreError> {
    let texts = delivered.stored.iter().filter_map(new_text);
    let texts = texts.collect::<Vec<_>>();
    if texts.is_empty()
        || !store::has_consent(change, child)? && !store::has_reviewed(change, child, session)?
    {
        return Ok(());
    }
    let mut reviewed = store::reviewed(change, child, session)?;
    for (text, goes_on) in texts {
        reviewed.add_waiting(text, goes_on);
    }
    store::put_reviewed(change, child, session, &reviewed)
}

/// The present text of a replaced message, if it [says more](crate::conversations::transcripts::Message::says_more_than) than before,
/// and whether it stands in the place of the one before, which went on.
fn new_text(stored: &StoredMessage) -> Option<(TextsOf, bool)> {
    let StoredMessage::Revision {
        message,
        before,
        arrival,
    } = stored
    else {
        return None;
    };
    message.text_content.as_ref()?;
    let is_new = before
        .as_ref()
        .is_none_or(|before| message.says_more_than(before));
    let to = message.count_texts();
    let goes_on = before
        .as_ref()
        .is_none_or(|before| before.count_texts() == to);
    let texts = TextsOf {
        arrival: *arrival,
        from: to - 1,
        to,
    };
    is_new.then_some((texts, goes_on))
}
