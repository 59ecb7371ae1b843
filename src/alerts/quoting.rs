//! The alerts that a message to a guardian tells of, and its quotes.

use super::seen::is_not_worrying;
use super::{Alert, store};
use crate::children::{ChildAccess, ChildId};
use crate::conversations::transcripts::{Transcripts, existing};
use crate::identity::GuardianId;
use crate::kernel::store::{Read, StoreError, readable};

/// The maximum length of a quote, in characters.
const LONGEST_QUOTE: usize = 200;

/// The number of characters before the phrase in a quote of a longer message.
const BEFORE: usize = 60;

/// What was said, with the guardian's phrase.
#[derive(Clone)]
pub struct Quote {
    pub phrase: String,
    /// One line.
    pub text: String,
}

impl std::fmt::Debug for Quote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Quote(…)")
    }
}

/// The alerts from this number on that a guardian sees, has not dealt with and doesn't find not worrying, newest first, of the
/// newest `limit`; and whether there are more.
pub fn alerts_from(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
    from: u64,
    limit: usize,
) -> Result<(Vec<Alert>, bool), StoreError> {
    let part = store::alerts_before(view, child, guardian, None, limit)?;
    let is_all_later = part.alerts.iter().all(|alert| alert.alert_id >= from);
    let is_more = part.has_more && is_all_later;
    let concerns = store::not_worrying(view, child, guardian)?;
    let mut alerts = part.alerts;
    alerts.retain(|alert| {
        alert.alert_id >= from
            && !alert.dealt_with.contains(guardian)
            && !is_not_worrying(alert, guardian, &concerns)
    });
    Ok((alerts, is_more))
}

/// The words of an alert about a phrase; `None` if it has no words, the conversation is deleted, or no text that is
/// kept has the phrase.
pub fn quote(
    view: &impl Read,
    transcripts: &Transcripts,
    access: &ChildAccess,
    alert: &Alert,
) -> Result<Option<Quote>, StoreError> {
    let (Some(phrase), Some(session), Some(id)) =
        (&alert.phrase, alert.session_id, &alert.message_id)
    else {
        return Ok(None);
    };
    let around = existing(transcripts.read_around(view, access, session, id));
    let Some((around, _)) = readable(around)?.flatten() else {
        return Ok(None);
    };
    let Some(message) = around.into_iter().find(|near| near.message_id == *id) else {
        return Ok(None);
    };
    let quoted = alert.first_text(&message).and_then(|(index, ranges)| {
        let text = message.texts().nth(index)?;
        Some(Quote {
            phrase: phrase.words.clone(),
            text: excerpt(text, ranges.first()?[0]),
        })
    });
    Ok(quoted)
}

/// A line with the text around this place, given in UTF-16 units.
fn excerpt(text: &str, place: usize) -> String {
    let mut units = 0;
    let before = text.chars().take_while(|character| {
        units += character.len_utf16();
        units <= place
    });
    let first = before.count().saturating_sub(BEFORE);
    let length = text.chars().count();
    let first = if length <= LONGEST_QUOTE { 0 } else { first };
    let part = text.chars().skip(first).take(LONGEST_QUOTE);
    let part = part.collect::<String>();
    let words = part.split_whitespace().collect::<Vec<_>>().join(" ");
    let (start, end) = (first > 0, length > first + LONGEST_QUOTE);
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{words}{}", mark(start), mark(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_a_line_around_the_phrase() {
        assert_eq!(excerpt("This is\nour  secret.", 8), "This is our secret.");
        let long = format!("{} 🌙 our secret {}", "a".repeat(300), "b".repeat(300));
        let place = 300 + 1 + 2 + 1;

        let found = excerpt(&long, place);

        assert!(
            found.starts_with("…aaa") && found.ends_with("bbb…"),
            "{found}"
        );
        assert!(found.contains("🌙 our secret b"), "{found}");
        assert_eq!(found.chars().count(), LONGEST_QUOTE + 2);
    }
}
