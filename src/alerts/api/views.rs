//! The wire types of alerts and watched phrases.

use poem_openapi::Object;
use poem_openapi::types::Example;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::worrying::FlaggedView;
use crate::alerts::{EarlierWords, Kind, Neighbour, ShownAlert, Side, Tried, WatchedPhrase, Words};
use crate::children::Period;
use crate::children::history::api::AuthorView;
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::MessageKind;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::ids::numeric_id;
use crate::kernel::http::wire::{PageMarker, Text, given};
use crate::rules::schedule::Why;

numeric_id!(AlertId, "An alert's number.");

/// A phrase that the caller watches for.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "WatchedPhrase", deny_unknown_fields, example)]
pub(super) struct PhraseView {
    /// The words, 2 to 80 characters. They match whole words that occur next to each other, in order, in one message. Case,
    /// accents, width and punctuation are ignored. In scripts without spaces between words, a match can begin anywhere.
    pub(super) words: Text<200>,
    pub(super) side: Side,
}

impl Example for PhraseView {
    fn example() -> Self {
        Self {
            words: Text::new("our secret").unwrap_or_default(),
            side: Side::Assistant,
        }
    }
}

impl From<WatchedPhrase> for PhraseView {
    fn from(phrase: WatchedPhrase) -> Self {
        Self {
            words: Text::new(phrase.words).expect("it has at most 80 characters"),
            side: phrase.side,
        }
    }
}

/// A phrase to try.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "PhraseToTry",
    deny_unknown_fields,
    example,
    skip_serializing_if_is_none
)]
pub(super) struct TryRequest {
    /// The words, as in a watched phrase.
    pub(super) words: Text<200>,
    /// Whose messages are watched.
    pub(super) side: Side,
    /// The `next` of the previous page.
    #[serde(default, deserialize_with = "given")]
    pub(super) after: Option<PageMarker>,
}

impl Example for TryRequest {
    fn example() -> Self {
        let PhraseView { words, side } = PhraseView::example();
        Self {
            words,
            side,
            after: None,
        }
    }
}

/// A message that would have caused an alert.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TriedMatch", skip_serializing_if_is_none)]
pub(super) struct TriedMatchView {
    pub(super) session_id: SessionId,
    pub(super) message_id: String,
    pub(super) timestamp: Timestamp,
    /// Who spoke; `assistant` for the assistant itself.
    pub(super) source: Option<String>,
    pub(super) text_content: Option<String>,
    /// What the message is, if it wasn't said in the conversation. Omitted for what was said.
    kind: Option<MessageKind>,
    /// The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units.
    pub(super) ranges: Vec<Vec<u64>>,
    /// When the message was corrected, if the phrase is only in what it said before; `text_content` and `source` are those of then.
    until: Option<Timestamp>,
}

/// How many alerts a phrase would have caused in the conversations read so far.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TriedPhrase", skip_serializing_if_is_none)]
pub(super) struct TriedView {
    /// The number of conversations that would have caused an alert, on this page.
    count: u64,
    /// The newest of them, at most 20.
    pub(super) items: Vec<TriedMatchView>,
    /// The start of the time that is read.
    pub(super) since: Timestamp,
    /// The `after` of the next page. Omitted if everything was read.
    pub(super) next: Option<String>,
}

impl From<Tried> for TriedView {
    fn from(tried: Tried) -> Self {
        let items = tried.matches.into_iter().map(|found| TriedMatchView {
            session_id: found.session,
            message_id: found.message.message_id,
            timestamp: found.message.timestamp,
            source: found.message.source,
            text_content: found.message.text_content,
            kind: found.message.kind,
            ranges: ranges(&found.ranges),
            until: found.until,
        });
        Self {
            count: tried.count,
            items: items.collect(),
            since: tried.since,
            next: tried.next,
        }
    }
}

fn ranges(ranges: &[[usize; 2]]) -> Vec<Vec<u64>> {
    let units = |range: &[usize; 2]| range.iter().map(|unit| *unit as u64).collect();
    ranges.iter().map(units).collect()
}

/// A message before or after an alert's message.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AlertNeighbour", skip_serializing_if_is_none)]
pub(super) struct NeighbourView {
    /// Who spoke; `assistant` for the assistant itself.
    pub(super) source: Option<String>,
    pub(super) text_content: Option<String>,
}

impl From<Neighbour> for NeighbourView {
    fn from(neighbour: Neighbour) -> Self {
        Self {
            source: neighbour.source,
            text_content: neighbour.text_content,
        }
    }
}

/// What an alert's message said before the assistant corrected it.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AlertEarlierText", skip_serializing_if_is_none)]
pub(super) struct EarlierView {
    /// Who spoke, as the message said then; `assistant` for the assistant itself.
    source: Option<String>,
    text_content: String,
    /// The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units.
    ranges: Vec<Vec<u64>>,
    /// When it was corrected.
    until: Timestamp,
}

impl From<EarlierWords> for EarlierView {
    fn from(earlier: EarlierWords) -> Self {
        Self {
            source: earlier.text.source,
            text_content: earlier.text.text_content,
            ranges: ranges(&earlier.ranges),
            until: earlier.text.until,
        }
    }
}

/// One of the caller's alerts. The conversation's words are read when the alert is shown.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Alert", skip_serializing_if_is_none)]
pub struct AlertView {
    /// When it was stored, in microseconds since 1970, or a little later. Grows with arrival.
    alert_id: AlertId,
    pub(super) kind: Kind,
    /// When the server learned of it.
    pub(super) arrived_at: Timestamp,
    /// When it happened. Of `outside_times` and of `rules` with `minutes`: when that conversation began to count. Of `silent`:
    /// when the assistant last connected or delivered.
    pub(super) at: Timestamp,
    /// Whether the caller has not seen it.
    unseen: bool,
    /// Whether the caller has dealt with it. No other guardian learns of it.
    dealt_with: bool,
    /// The number of messages of the conversation that it is about.
    count: u64,
    /// Omitted of `silent`.
    pub(super) session_id: Option<SessionId>,
    /// The name of the assistant that it is about, or that the conversation was with; omitted if it is unknown.
    pub(super) assistant: Option<String>,
    /// The assistant that it is about, of `outside_times`, `rules` and `silent`; omitted if it is unknown.
    pub(super) assistant_id: Option<AssistantId>,
    /// `true` of `silent` if it is about all of the child's assistants; then `assistant` and `assistant_id` are omitted.
    pub(super) all_assistants: Option<bool>,
    /// Of `outside_times`: for how many minutes they talked while it was not allowed. Of `rules`: for how many they talked
    /// without a confirmation of the current rules; omitted if the assistant refused the rules.
    pub(super) minutes: Option<u64>,
    /// Of `outside_times`: why talking was not allowed.
    pub(super) why: Option<Why>,
    /// The first message that it is about.
    pub(super) message_id: Option<String>,
    pub(super) phrase: Option<PhraseView>,
    /// Of `reviewer`: what the model pointed at.
    flagged: Option<FlaggedView>,
    /// Who spoke; `assistant` for the assistant itself.
    pub(super) source: Option<String>,
    /// The message.
    pub(super) text_content: Option<String>,
    /// What the message is, if it wasn't said in the conversation. Omitted for what was said.
    message_kind: Option<MessageKind>,
    /// The positions of the phrase, or of what the model pointed at, in the text: start and end in UTF-16 units.
    pub(super) ranges: Option<Vec<Vec<u64>>>,
    pub(super) before: Option<NeighbourView>,
    pub(super) after: Option<NeighbourView>,
    /// `true` if the message was corrected later.
    pub(super) corrected: Option<bool>,
    /// Of a corrected message: the first text that contained that, of those that the caller hasn't dealt with. Omitted if none is
    /// kept.
    pub(super) earlier: Option<EarlierView>,
    /// Who deleted the conversation; omitted if it isn't deleted, or by a former guardian, or for its age.
    pub(super) deleted_by: Option<AuthorView>,
    /// The conversation was deleted because it was older than this number of days; omitted otherwise.
    pub(super) deleted_older_than_days: Option<Period>,
    /// Until when the deleted conversation can be restored; omitted if it isn't deleted.
    pub(super) restorable_until: Option<Timestamp>,
}

impl From<ShownAlert> for AlertView {
    fn from(shown: ShownAlert) -> Self {
        let alert = shown.alert;
        let has_words = shown.words.is_some();
        let Words {
            source,
            text_content,
            message_kind,
            ranges: found,
            before,
            after,
            corrected,
            earlier,
        } = shown.words.unwrap_or_default();
        let restorable_until = shown.deletion.as_ref().map(|deletion| deletion.until);
        let older_than = shown
            .deletion
            .as_ref()
            .and_then(|deletion| deletion.older_than);
        let deleted_by = shown.deletion.and_then(|deletion| deletion.by);
        Self {
            alert_id: AlertId::new(alert.alert_id),
            kind: alert.kind,
            arrived_at: alert.arrived_at,
            at: alert.at,
            unseen: shown.unseen,
            dealt_with: shown.dealt_with,
            count: alert.count,
            session_id: alert.session_id,
            assistant: shown.assistant,
            assistant_id: alert.assistant_id,
            all_assistants: alert.all_assistants.then_some(true),
            minutes: alert.minutes,
            why: alert.why,
            message_id: alert.message_id,
            phrase: alert.phrase.map(PhraseView::from),
            flagged: alert
                .flagged
                .map(|flagged| FlaggedView::new(flagged, shown.not_worrying)),
            source,
            text_content,
            message_kind,
            ranges: has_words.then(|| ranges(&found)),
            before: before.map(NeighbourView::from),
            after: after.map(NeighbourView::from),
            corrected: corrected.then_some(true),
            earlier: earlier.map(EarlierView::from),
            deleted_by: deleted_by.map(AuthorView::from),
            deleted_older_than_days: older_than,
            restorable_until,
        }
    }
}

/// A page of alerts.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AlertPage", skip_serializing_if_is_none)]
pub(super) struct AlertPageView {
    /// Newest arrival first. May be empty although there is a `next`.
    pub(super) alerts: Vec<AlertView>,
    /// The `before` of the next page. Omitted on the last one.
    pub(super) next: Option<String>,
}

/// A child's number of unseen alerts.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "UnseenAlerts")]
pub(super) struct UnseenView {
    pub(super) child_id: ChildId,
    /// At most 100.
    pub(super) unseen: u64,
}

/// Whether the caller has dealt with an alert.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AlertDealtWith", deny_unknown_fields, example)]
pub(super) struct DealtWithView {
    /// `false` undoes it.
    pub(super) dealt_with: bool,
}

impl Example for DealtWithView {
    fn example() -> Self {
        Self { dealt_with: true }
    }
}

/// What the caller has seen.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "SeenAlerts", deny_unknown_fields, example)]
pub(super) struct SeenRequest {
    pub(super) child_id: ChildId,
    /// The `alert_id` of the newest alert that was seen.
    pub(super) up_to: AlertId,
}

impl Example for SeenRequest {
    fn example() -> Self {
        Self {
            child_id: ChildId::new(1),
            up_to: AlertId::new(1_795_291_200_000_000),
        }
    }
}
