//! Receipts: assistants' reports about the version that they follow.
//!
//! A receipt is an assistant's claim, with evidence. It names a version, which only an assistant that received it can do. If the
//! gateway puts the rules into the prompt, it writes the receipt itself. Each session keeps its receipts, and for each assistant
//! the store keeps what it last requested, what it last reported to follow, and when it was last seen. For each assistant, the
//! guardians see whether it follows the current list of topics.

mod added;
mod calls;
mod issued;
mod store;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Rules;
use super::version::TopicsVersion;
use crate::children::history::HistoryError;
use crate::children::{AssistantAccess, ChildAccess, SessionId};
use crate::identity::{AssistantId, Caller};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, KeyPlace, RecordKind, Row, StoreError, readable, readable_or_counted,
};
use crate::rules::schedule::Pause;

pub use calls::{Call, Contact, last_contact};
pub use issued::{CheckedReceipts, IssuedVersion};

pub(super) use store::{
    all_of_session, erase_batch, erase_of_session, is_named, put_receipt, put_rule_status, reason,
    rule_status, session_with,
};

pub const KINDS: [RecordKind; 4] = store::KINDS;

pub(super) const KEYS: [KeyPlace; 3] = store::KEYS;

/// What an assistant, or the gateway, did with a version of the rules.
// A later variant proves more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "Evidence", rename_all = "snake_case")]
pub enum Evidence {
    /// It requested the version.
    Fetched,
    /// It set it in the model's session.
    Set,
    /// It read it back from the prompt that the model got.
    InPrompt,
    /// The gateway put it into the prompt. No assistant can report this.
    Added,
}

/// An assistant's report about a version.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The version's name, as the assistant received it.
    pub version: String,
    /// When it took effect; the time of arrival if the assistant doesn't say.
    pub at: Option<Timestamp>,
    pub evidence: Evidence,
    /// Why the assistant refused it, if it did.
    pub refused: Option<String>,
}

/// A receipt of a session, in its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionReceipt {
    pub number: u64,
    /// The version's list of topics.
    pub topics: TopicsVersion,
    pub evidence: Evidence,
    /// When it took effect.
    pub at: Timestamp,
    /// Why the assistant refused it, if it did.
    pub refused: Option<String>,
}

/// The status of an assistant with respect to a child's rules, in its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleStatus {
    /// The version that it last requested, and when it first received that version.
    #[serde(rename = "told")]
    pub issued: Option<(u64, Timestamp)>,
    /// The pause that it was last told of, if talking was paused then.
    #[serde(rename = "told_pause")]
    pub issued_pause: Option<Pause>,
    /// The list that it last reported to follow.
    pub follows: Option<Followed>,
    /// The list that it last refused.
    pub refused: Option<RefusedList>,
    /// When it last delivered something, with a resolution of one minute.
    pub heard_at: Option<Timestamp>,
    /// When it last requested the rules.
    pub called: Option<Call>,
}

/// A list that an assistant reports to follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    pub topics: TopicsVersion,
    pub evidence: Evidence,
    /// When it began to follow this list.
    pub since: Timestamp,
    /// The receipt's own time.
    pub at: Timestamp,
}

#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedList {
    pub topics: TopicsVersion,
    /// The session whose receipt has the reason. The assistant may have written anything there, so it is stored under the
    /// session's number only.
    pub session: Option<SessionId>,
    /// The receipt's own time.
    pub at: Timestamp,
}

impl RuleStatus {
    /// Applies a session's receipt. Receipts that are older than the status change nothing.
    fn take(&mut self, session: SessionId, receipt: &SessionReceipt) {
        let (topics, at) = (receipt.topics, receipt.at);
        if receipt.refused.is_some() {
            if self.refused.is_none_or(|last| last.at <= at) {
                let session = Some(session);
                self.refused = Some(RefusedList {
                    topics,
                    session,
                    at,
                });
            }
            return;
        }
        let is_latest = self.follows.as_ref().is_none_or(|last| last.at <= at);
        if receipt.evidence == Evidence::Fetched || !is_latest {
            return;
        }
        let before = self.follows.take().filter(|last| last.topics == topics);
        self.follows = Some(Followed {
            topics,
            evidence: receipt.evidence,
            since: before.map_or(at, |last| last.since),
            at,
        });
    }

    /// Whether it refused rules and has not followed any since.
    fn is_refusing(&self) -> bool {
        let follows = self.follows.as_ref();
        self.refused
            .is_some_and(|refused| follows.is_none_or(|follows| follows.at < refused.at))
    }

    /// The assistant's status with respect to the current list. `reason_of` finds why it refused it.
    fn status(
        &self,
        in_force: TopicsVersion,
        reason_of: impl FnOnce(&RefusedList) -> Result<Option<String>, StoreError>,
    ) -> Result<ListStatus, StoreError> {
        let heard_at = self.heard_at;
        let refused = self.refused.as_ref();
        let refused = refused.filter(|refused| refused.topics == in_force);
        Ok(match (&self.follows, refused) {
            (follows, Some(refused)) if follows.as_ref().is_none_or(|it| it.at < refused.at) => {
                ListStatus::Refused {
                    reason: reason_of(refused)?,
                }
            }
            (Some(followed), _) if followed.topics == in_force => ListStatus::Following {
                since: followed.since,
                evidence: followed.evidence,
                heard_at,
            },
            (Some(followed), _) => ListStatus::Older {
                topics_since: followed.topics.since,
                heard_at: heard_at.unwrap_or(followed.at),
            },
            (None, _) => match self.issued {
                Some((_, since)) => ListStatus::Asked { since },
                None => ListStatus::Silent { heard_at },
            },
        })
    }
}

/// Whether an assistant follows the current list of topics, as it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListStatus {
    /// It reports that it follows it, or the gateway added it.
    Following {
        since: Timestamp,
        evidence: Evidence,
        heard_at: Option<Timestamp>,
    },
    /// The last list that it reported to follow is an older one.
    Older {
        /// When that list took effect; `None` for the list from before the first change.
        topics_since: Option<Timestamp>,
        heard_at: Timestamp,
    },
    /// The assistant refused this list.
    Refused {
        /// The reason in its own words; `None` once the session that reported it is deleted.
        reason: Option<String>,
    },
    /// It has requested the rules, and has never reported that it uses them.
    Asked {
        /// When it first received the version that it last requested.
        since: Timestamp,
    },
    /// It has neither requested nor reported anything.
    Silent { heard_at: Option<Timestamp> },
}

/// An assistant of the child, and whether it follows the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follower {
    pub assistant: AssistantId,
    pub name: String,
    /// When it last delivered something, with a resolution of one minute.
    pub heard_at: Option<Timestamp>,
    pub status: ListStatus,
    /// Whether it refused a list, this one or an earlier one, and has not followed any since.
    pub is_refusing: bool,
}

/// A page of a session's receipts.
#[derive(Debug)]
pub struct ReceiptPage {
    /// By time.
    pub receipts: Vec<SessionReceipt>,
    /// The end of the page, if another one follows.
    pub next: Option<Cursor>,
    /// The number of unreadable receipts, which are left out.
    pub unreadable: u64,
}

impl Rules {
    /// Stores an assistant's receipts for a session. Returns the indices of those whose version was never sent to it.
    pub fn take_receipts(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        session: SessionId,
        CheckedReceipts(receipts): CheckedReceipts,
    ) -> Result<Vec<usize>, StoreError> {
        let (access, assistant) = (access.child(), access.assistant());
        let (child, now) = (access.child(), self.clock.now());
        let before = match readable(store::rule_status(change, child, assistant))? {
            // An unreadable status stays until the assistant reports something about the rules.
            None if receipts.is_empty() => return Ok(Vec::new()),
            found => found.unwrap_or_default(),
        };
        let mut status = before.clone();
        status.record_contact(now);
        let mut unknown = Vec::new();
        for (index, (receipt, issued)) in receipts.into_iter().enumerate() {
            let is_untimed = receipt.at.is_none();
            let Some(issued) = issued else {
                unknown.push(index);
                continue;
            };
            let mut receipt = SessionReceipt {
                number: issued.number,
                topics: issued.topics,
                evidence: receipt.evidence,
                at: receipt.at.unwrap_or(now),
                refused: receipt.refused,
            };
            if is_untimed {
                receipt.at = store::said_at(change, child, session, &receipt)?.unwrap_or(now);
            }
            store::put_receipt(change, child, session, &receipt)?;
            status.take(session, &receipt);
        }
        if status != before {
            store::put_rule_status(change, child, assistant, &status)?;
        }
        Ok(unknown)
    }

    /// Whether the assistant last refused the child's rules. An unreadable status counts as not.
    pub fn is_refusing(
        &self,
        change: &Change,
        access: &AssistantAccess,
    ) -> Result<bool, StoreError> {
        let child = access.child().child();
        let status = readable(store::rule_status(change, child, access.assistant()))?;
        Ok(status.is_some_and(|status| status.is_refusing()))
    }

    /// The child's assistants, by name, and whether each follows the current list of topics; and the number of assistants
    /// whose status is unreadable.
    pub fn list_followers(&self, access: &ChildAccess) -> Result<(Vec<Follower>, u64), StoreError> {
        let topics = self.in_force(access)?.topics_version;
        let (mut followers, mut unreadable) = (Vec::new(), 0);
        for caller in self
            .dependencies
            .children
            .callers_of(&self.store, access.child())?
        {
            let Caller::Assistant(assistant) = caller else {
                continue;
            };
            let found = self
                .dependencies
                .assistants
                .find_by_id(&self.store, &assistant)?;
            let status = store::rule_status(&self.store, access.child(), &assistant);
            match (found, readable_or_counted(status, &mut unreadable)?) {
                (Some(found), Some(status)) => followers.push(Follower {
                    assistant,
                    name: found.name,
                    heard_at: status.heard_at,
                    is_refusing: status.is_refusing(),
                    status: status.status(topics, |refused| {
                        store::reason(&self.store, access.child(), refused)
                    })?,
                }),
                (None, Some(_)) => unreadable += 1,
                (_, None) => {}
            }
        }
        followers.sort_by(|one, other| one.name.cmp(&other.name));
        Ok((followers, unreadable))
    }

    /// A page of a session's receipts, by time.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Cursor`] if the cursor is invalid.
    pub fn list_receipts(
        &self,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<ReceiptPage, HistoryError> {
        let after = after.map(Cursor::parse).transpose()?;
        Ok(self.read_receipts(access, session, after.as_ref(), limit)?)
    }

    /// [`Rules::list_receipts`] after a cursor.
    pub fn read_receipts(
        &self,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&Cursor>,
        limit: usize,
    ) -> Result<ReceiptPage, StoreError> {
        let page = store::receipts(&self.store, access.child(), session, after, limit)?;
        let receipts = page.rows.iter().map(Row::record::<SessionReceipt>);
        Ok(ReceiptPage {
            receipts: receipts.collect::<Result<_, _>>()?,
            next: page.end.filter(|_| page.has_next),
            unreadable: page.unreadable,
        })
    }
}

impl RuleStatus {
    /// Updates when the assistant was last seen, with a resolution of one minute, to avoid a write for each delivery.
    fn record_contact(&mut self, now: Timestamp) {
        let is_noted = |last: Timestamp| last <= now && now.since(last).as_secs() < 60;
        if !self.heard_at.is_some_and(is_noted) {
            self.heard_at = Some(now);
        }
    }
}
