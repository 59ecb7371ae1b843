//! What an assistant's latest requests had, to show the person who connects it whether it works, and what is wrong otherwise.
//!
//! It is kept in memory, so it begins anew with the server. It has no words: only kinds and times, for each key and child. A key
//! that isn't valid leaves nothing, so strangers can't fill it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use poem_openapi::Enum;
use serde::Serialize;
use tokio::sync::broadcast::{Receiver, Sender};

use crate::assistants::plugins::PluginVersion;
use crate::children::ChildId;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;

/// The maximum number of rows, each of some 200 bytes. A new row replaces the one whose last request is the oldest.
const MOST_ROWS: usize = 4_096;

/// The minimum interval between notifications about repeated, unchanged results.
const INTERVAL: Duration = Duration::from_secs(60);

/// How many changes a slow subscriber may lag behind.
const PENDING: usize = 64;

/// What an assistant's deliveries contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "ConnectionCheck", rename_all = "snake_case")]
pub enum Check {
    /// A message with a plausible timestamp.
    Times,
    /// A message that was delivered again under its id.
    RepeatedIds,
    /// A higher revision of a stored message.
    Correction,
    /// How a session went.
    Completion,
    /// A report of the rules that a session runs under.
    Receipt,
}

/// Why something that an assistant sent was refused, in part or as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "ConnectionRefusal", rename_all = "snake_case")]
pub enum RefusalKind {
    /// The key doesn't cover the child.
    Child,
    /// The key is for several children, and the request names none.
    ChildMissing,
    /// The host name is unknown to the server.
    Host,
    /// The server's clock was set back.
    ServerClock,
    /// Messages have implausible timestamps, which were replaced by the time of arrival.
    AssistantClock,
    /// An id was used again for another text, or for too many.
    ReusedId,
    /// The request, or a message in it, can't be read.
    Malformed,
    /// The key has delivered too much, or too often.
    Limit,
    /// The key has no model that the request could be passed on to.
    ModelName,
    /// The model's server doesn't answer, or with an error.
    Model,
}

/// The results of a key's latest requests, for one child or for the key as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionStatus {
    /// When it last delivered something.
    pub heard_at: Option<Timestamp>,
    pub seen: BTreeSet<Check>,
    /// The last refusal.
    pub refused: Option<(RefusalKind, Timestamp)>,
    /// How many settings of the latest chat request the gateway didn't pass on.
    pub dropped: usize,
    /// The plug-in of the key's last request by one; never of a child.
    pub plugin: Option<PluginVersion>,
    /// When open pages were last notified.
    notified_at: Option<Timestamp>,
}

impl ConnectionStatus {
    /// Adds what a delivery had. Returns whether an open page should show it.
    fn add_delivery(
        &mut self,
        seen: &BTreeSet<Check>,
        refused: Option<RefusalKind>,
        now: Timestamp,
    ) -> bool {
        let is_news = !seen.is_subset(&self.seen) || self.latest() != Some(refused);
        self.heard_at = Some(now);
        self.seen.extend(seen);
        if let Some(kind) = refused {
            self.refused = Some((kind, now));
        }
        self.is_to_be_notified(is_news, now)
    }

    /// Adds a refusal. Returns whether an open page should show it.
    fn add_refusal(&mut self, kind: RefusalKind, now: Timestamp) -> bool {
        let is_news = self.latest() != Some(Some(kind));
        self.refused = Some((kind, now));
        self.is_to_be_notified(is_news, now)
    }

    /// The latest request's result: `Some(None)` if it was accepted; `None` without a request.
    fn latest(&self) -> Option<Option<RefusalKind>> {
        let refused = self
            .refused
            .filter(|(_, at)| self.heard_at.is_none_or(|heard| heard <= *at));
        self.last_at().map(|_| refused.map(|(kind, _)| kind))
    }

    /// Whether open pages are to be notified. Repeats are notified at most once per [`INTERVAL`].
    fn is_to_be_notified(&mut self, is_news: bool, now: Timestamp) -> bool {
        let notifies = is_news || self.notified_at.is_none_or(|last| is_long_ago(last, now));
        if notifies {
            self.notified_at = Some(now);
        }
        notifies
    }

    fn last_at(&self) -> Option<Timestamp> {
        self.heard_at.max(self.refused.map(|(_, at)| at))
    }
}

/// Also after the clock was set back.
fn is_long_ago(last: Timestamp, now: Timestamp) -> bool {
    now < last || now.since(last) >= INTERVAL
}

/// Whose open pages are to be updated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affected {
    Child(ChildId),
    Guardian(GuardianId),
}

/// A key and the child of the request; `None` for requests that concern no single child.
type RowKey = (AssistantId, Option<ChildId>);

/// The connections of all keys.
#[derive(Clone)]
pub struct Connections {
    rows: Arc<Mutex<BTreeMap<RowKey, ConnectionStatus>>>,
    changes: Sender<Affected>,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            rows: Arc::default(),
            changes: Sender::new(PENDING),
        }
    }
}

impl Connections {
    pub fn changes(&self) -> Receiver<Affected> {
        self.changes.subscribe()
    }

    /// The results of a key's requests for one of its children.
    pub fn with_child(&self, assistant: &AssistantId, child: ChildId) -> ConnectionStatus {
        self.observed(&(assistant.clone(), Some(child)))
    }

    /// The results of a key's requests that concern no single child.
    pub fn of_key(&self, assistant: &AssistantId) -> ConnectionStatus {
        self.observed(&(assistant.clone(), None))
    }

    /// Records a stored delivery, and what was wrong with a part of it.
    pub fn record_delivery(
        &self,
        assistant: &AssistantId,
        child: ChildId,
        seen: &BTreeSet<Check>,
        refused: Option<RefusalKind>,
        now: Timestamp,
    ) {
        let key = (assistant.clone(), Some(child));
        if self.edit(key, |row| row.add_delivery(seen, refused, now)) {
            self.notify(Affected::Child(child));
        }
    }

    /// Records a refusal that concerns one of the key's children.
    pub fn record_child_refusal(
        &self,
        assistant: &AssistantId,
        child: ChildId,
        kind: RefusalKind,
        now: Timestamp,
    ) {
        let key = (assistant.clone(), Some(child));
        if self.edit(key, |row| row.add_refusal(kind, now)) {
            self.notify(Affected::Child(child));
        }
    }

    /// Notes how many settings of a chat request the gateway didn't pass on.
    pub fn note_dropped(&self, assistant: &AssistantId, child: ChildId, dropped: usize) {
        let key = (assistant.clone(), Some(child));
        let before = self.edit(key, |row| std::mem::replace(&mut row.dropped, dropped));
        if before != dropped {
            self.notify(Affected::Child(child));
        }
    }

    /// Records a refusal that concerns the key. Returns whether an open page should show it.
    pub(super) fn record_key_refusal(
        &self,
        assistant: &AssistantId,
        kind: RefusalKind,
        now: Timestamp,
    ) -> bool {
        self.edit((assistant.clone(), None), |row| row.add_refusal(kind, now))
    }

    /// Notes which plug-in uses a key. Open pages show it with the next delivery.
    pub fn note_plugin(&self, assistant: &AssistantId, plugin: PluginVersion) {
        self.edit((assistant.clone(), None), |row| row.plugin = Some(plugin));
    }

    pub(super) fn notify(&self, affected: Affected) {
        // Fails only if nobody listens.
        let _ = self.changes.send(affected);
    }

    fn observed(&self, key: &RowKey) -> ConnectionStatus {
        self.rows().get(key).cloned().unwrap_or_default()
    }

    fn edit<T>(&self, key: RowKey, edit: impl FnOnce(&mut ConnectionStatus) -> T) -> T {
        let mut rows = self.rows();
        if rows.len() >= MOST_ROWS && !rows.contains_key(&key) {
            let oldest = rows.iter().min_by_key(|(_, row)| row.last_at());
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                rows.remove(&oldest);
            }
        }
        edit(rows.entry(key).or_default())
    }

    fn rows(&self) -> MutexGuard<'_, BTreeMap<RowKey, ConnectionStatus>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        "2026-11-20T18:00:00Z"
            .parse::<Timestamp>()
            .unwrap()
            .after(Duration::from_secs(seconds))
    }

    fn key(name: &str) -> AssistantId {
        AssistantId::from_text(name)
    }

    fn news(receiver: &mut Receiver<Affected>) -> usize {
        std::iter::from_fn(|| receiver.try_recv().ok()).count()
    }

    #[test]
    fn checks_add_up_and_belong_to_one_child() {
        let (connections, mia) = (Connections::default(), ChildId::new(1));
        let (times, completion) = ([Check::Times].into(), [Check::Completion].into());

        connections.record_delivery(&key("kitchen"), mia, &times, None, at(0));
        connections.record_delivery(&key("kitchen"), mia, &completion, None, at(5));

        let seen = connections.with_child(&key("kitchen"), mia);
        assert_eq!(seen.seen, [Check::Times, Check::Completion].into());
        assert_eq!(seen.heard_at, Some(at(5)));
        let others = [
            connections.with_child(&key("kitchen"), ChildId::new(2)),
            connections.with_child(&key("hall"), mia),
            connections.of_key(&key("kitchen")),
        ];
        assert_eq!(others, [(); 3].map(|()| ConnectionStatus::default()));
    }

    #[test]
    fn a_page_is_notified_of_what_is_new_and_of_repeats_once_a_minute() {
        let (connections, mia) = (Connections::default(), ChildId::new(1));
        let mut changes = connections.changes();
        let nothing = BTreeSet::new();
        let mut hear = |seconds, refused| {
            connections.record_delivery(&key("kitchen"), mia, &nothing, refused, at(seconds));
            news(&mut changes)
        };

        let clock = Some(RefusalKind::AssistantClock);
        let told = [
            hear(0, None),
            hear(30, None),
            hear(60, None),
            hear(61, clock),
            hear(62, clock),
            hear(63, None),
            hear(64, None),
        ];

        assert_eq!(told, [1, 0, 1, 1, 0, 1, 0]);
    }

    #[test]
    fn a_refusal_after_a_delivery_is_news() {
        let (connections, mia) = (Connections::default(), ChildId::new(1));
        let mut changes = connections.changes();
        let kitchen = key("kitchen");

        connections.record_child_refusal(&kitchen, mia, RefusalKind::Model, at(0));
        connections.record_child_refusal(&kitchen, mia, RefusalKind::Model, at(1));
        connections.record_delivery(&kitchen, mia, &BTreeSet::new(), None, at(2));
        connections.record_child_refusal(&kitchen, mia, RefusalKind::Model, at(3));

        assert_eq!(news(&mut changes), 3);
        let row = connections.with_child(&kitchen, mia);
        assert_eq!(row.refused, Some((RefusalKind::Model, at(3))));
    }

    #[test]
    fn settings_that_are_not_passed_on_are_news_when_their_number_changes() {
        let (connections, mia) = (Connections::default(), ChildId::new(1));
        let mut changes = connections.changes();

        let told = [0, 2, 2, 1].map(|dropped| {
            connections.note_dropped(&key("kitchen"), mia, dropped);
            news(&mut changes)
        });

        assert_eq!(told, [0, 1, 0, 1]);
        assert_eq!(connections.with_child(&key("kitchen"), mia).dropped, 1);
    }

    #[test]
    fn the_oldest_row_makes_room() {
        let (connections, mia) = (Connections::default(), ChildId::new(1));
        let nothing = BTreeSet::new();
        for number in 0..MOST_ROWS as u64 {
            connections.record_delivery(&key(&number.to_string()), mia, &nothing, None, at(number));
        }

        connections.record_delivery(&key("0"), mia, &nothing, None, at(5_000));
        connections.record_delivery(&key("new"), mia, &nothing, None, at(5_001));

        assert_eq!(connections.rows().len(), MOST_ROWS);
        let heard = |name| connections.with_child(&key(name), mia).heard_at;
        assert_eq!(heard("0"), Some(at(5_000)));
        assert_eq!(heard("1"), None);
        assert_eq!(heard("new"), Some(at(5_001)));
    }
}
