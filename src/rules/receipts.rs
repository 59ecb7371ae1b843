//! Receipts: what assistants say about the version that they follow.
//!
//! A receipt is an assistant's word, with evidence. It names a version, which only an assistant that was told it can do. Each
//! session keeps its receipts, and for each assistant it is kept what it last asked for, what it last said that it follows,
//! and when it was last heard. The guardians see, of each assistant, whether it follows the present list of topics.

mod store;
mod told;

use serde::{Deserialize, Serialize};

use super::Rules;
use super::version::TopicsVersion;
use crate::children::history::HistoryError;
use crate::children::{AssistantAccess, ChildAccess, SessionId};
use crate::identity::{AssistantId, Caller};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Backfill, Change, Cursor, RecordKind, Row, StoreError};

pub use told::CheckedReceipts;

pub(super) use store::{
    erase_of_session, erase_some, is_named, put_receipt, put_standing, standing,
};

/// What each table of the receipts holds.
pub const KINDS: [RecordKind; 4] = store::KINDS;

/// What has to be made of older data.
pub(super) const BACKFILL: Backfill = store::BACKFILL;

/// What an assistant did with a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// It asked for it.
    Fetched,
    /// It handed it to the model's session.
    Set,
    /// It read it back from the prompt that the model got.
    InPrompt,
}

/// An assistant's word about a version.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The version's name, as it was told.
    pub version: String,
    /// When it took effect; the time of arrival if the assistant doesn't say.
    pub at: Option<Timestamp>,
    /// What the assistant did with it.
    pub evidence: Evidence,
    /// Why it doesn't follow it, if it doesn't.
    pub refused: Option<String>,
}

/// A receipt of a session. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionReceipt {
    /// The version's number.
    pub number: u64,
    /// Which list of topics the version has.
    pub topics: TopicsVersion,
    /// What the assistant did with it.
    pub evidence: Evidence,
    /// When it took effect.
    pub at: Timestamp,
    /// Why the assistant doesn't follow it, if it doesn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// What is known of an assistant and a child's rules. This is also its stored form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The version that it last asked for, and when it first got that version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<(u64, Timestamp)>,
    /// What it last said that it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Followed>,
    /// What it last said that it doesn't follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedList>,
    /// When it last delivered something, to the minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<Timestamp>,
}

/// What an assistant says that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Followed {
    /// The list.
    pub topics: TopicsVersion,
    /// What it did with it.
    pub evidence: Evidence,
    /// When it began to follow this list.
    pub since: Timestamp,
    /// The receipt's own time.
    pub at: Timestamp,
}

/// What an assistant says that it doesn't follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedList {
    /// The list.
    pub topics: TopicsVersion,
    /// Why.
    pub reason: String,
    /// The receipt's own time.
    pub at: Timestamp,
}

impl Standing {
    /// Takes in a receipt. Those that arrive late change nothing.
    fn take(&mut self, receipt: &SessionReceipt) {
        let (topics, at) = (receipt.topics, receipt.at);
        if let Some(reason) = receipt.refused.clone() {
            if self.refused.as_ref().is_none_or(|last| last.at <= at) {
                self.refused = Some(RefusedList { topics, reason, at });
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

    /// Whether the assistant follows the list that is in force, as far as it says.
    fn status(&self, in_force: TopicsVersion) -> ListStatus {
        let heard_at = self.heard_at;
        let refused = self.refused.as_ref();
        let refused = refused.filter(|refused| refused.topics == in_force);
        match (&self.follows, refused) {
            (follows, Some(refused)) if follows.as_ref().is_none_or(|it| it.at < refused.at) => {
                ListStatus::Refused {
                    reason: refused.reason.clone(),
                }
            }
            (Some(followed), _) if followed.topics == in_force => ListStatus::Following {
                since: followed.since,
                is_read_back: followed.evidence == Evidence::InPrompt,
                heard_at,
            },
            (Some(followed), _) => ListStatus::Older {
                list_of: followed.topics.since,
                heard_at: heard_at.unwrap_or(followed.at),
            },
            (None, _) => match self.told {
                Some((_, since)) => ListStatus::Asked { since },
                None => ListStatus::Silent { heard_at },
            },
        }
    }
}

/// Whether an assistant follows the list of topics that is in force, as far as it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListStatus {
    /// It says that it follows it.
    Following {
        /// When it began to.
        since: Timestamp,
        /// Whether it has read it back from the prompt that the model got.
        is_read_back: bool,
        /// When it last delivered something.
        heard_at: Option<Timestamp>,
    },
    /// The last list that it said it follows is an older one.
    Older {
        /// When that list took effect; `None` for the list from before the first change.
        list_of: Option<Timestamp>,
        /// When it last delivered something.
        heard_at: Timestamp,
    },
    /// It says that it doesn't follow it.
    Refused {
        /// Why, in its own words.
        reason: String,
    },
    /// It has asked for the rules, and has never said that it uses them.
    Asked {
        /// When it first got the version that it last asked for.
        since: Timestamp,
    },
    /// It has never asked and never said.
    Silent {
        /// When it last delivered something.
        heard_at: Option<Timestamp>,
    },
}

/// An assistant of the child's, and whether it follows the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Follower {
    /// What it is called.
    pub name: String,
    /// Whether it follows the list.
    pub status: ListStatus,
}

/// A part of what was said of the rules in a session.
#[derive(Debug)]
pub struct ReceiptPage {
    /// By time.
    pub receipts: Vec<SessionReceipt>,
    /// Where the page ends, if another one follows.
    pub next: Option<Cursor>,
    /// How many receipts cannot be read and are not in it.
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
        let before = match store::standing(change, child, assistant) {
            // It stays as it is until the assistant says something about the rules.
            Err(StoreError::Unreadable(_)) if receipts.is_empty() => return Ok(Vec::new()),
            Err(StoreError::Unreadable(_)) => Standing::default(),
            found => found?,
        };
        let mut standing = before.clone();
        standing.hear(now);
        let mut unknown = Vec::new();
        for (index, (receipt, told)) in receipts.into_iter().enumerate() {
            let is_untimed = receipt.at.is_none();
            let Some(told) = told else {
                unknown.push(index);
                continue;
            };
            let mut receipt = SessionReceipt {
                number: told.number,
                topics: told.topics,
                evidence: receipt.evidence,
                at: receipt.at.unwrap_or(now),
                refused: receipt.refused,
            };
            if is_untimed {
                receipt.at = store::said_at(change, child, session, &receipt)?.unwrap_or(now);
            }
            store::put_receipt(change, child, session, &receipt)?;
            standing.take(&receipt);
        }
        if standing != before {
            store::put_standing(change, child, assistant, &standing)?;
        }
        Ok(unknown)
    }

    /// Notes that the assistant was told this version. It is only shown, so the assistant gets its answer also when there is no
    /// room for the note.
    pub async fn note_told(&self, access: &ChildAccess, assistant: &AssistantId, number: u64) {
        let (child, now) = (access.child(), self.clock.now());
        let is_known = |standing: Standing| standing.told.is_some_and(|(last, _)| last == number);
        // One that cannot be read stays as it is.
        if store::standing(&self.store, child, assistant).map_or(true, is_known) {
            return;
        }
        let (access, assistant) = (access.clone(), assistant.clone());
        let noted = self.store.commit(move |change| {
            // The child may have been removed meanwhile.
            if access.confirm(change).is_err() {
                return Ok(());
            }
            let mut standing = store::standing(change, child, &assistant)?;
            standing.told = Some((number, now));
            store::put_standing(change, child, &assistant, &standing)
        });
        let noted = noted.await.and_then(|inner: Result<(), StoreError>| inner);
        if let Err(error) = noted {
            tracing::debug!(%child, %error, "it could not be noted which rules an assistant was told");
        }
    }

    /// The child's assistants, by name, and whether each follows the list of topics that is in force; and of how many others
    /// this cannot be read.
    pub fn list_followers(&self, access: &ChildAccess) -> Result<(Vec<Follower>, u64), StoreError> {
        let topics = self.in_force(access)?.topics_version;
        let (mut followers, mut unreadable) = (Vec::new(), 0);
        for caller in self
            .joined
            .children
            .callers_of(&self.store, access.child())?
        {
            let Caller::Assistant(assistant) = caller else {
                continue;
            };
            let found = self.joined.assistants.find_by_id(&self.store, &assistant)?;
            let standing = store::standing(&self.store, access.child(), &assistant);
            match (found, standing) {
                (Some(assistant), Ok(standing)) => followers.push(Follower {
                    name: assistant.name,
                    status: standing.status(topics),
                }),
                (None, Ok(_)) | (_, Err(StoreError::Unreadable(_))) => unreadable += 1,
                (_, Err(error)) => return Err(error),
            }
        }
        followers.sort_by(|one, other| one.name.cmp(&other.name));
        Ok((followers, unreadable))
    }

    /// A page of what was said of the rules in a session, by time.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Cursor`], or the store's.
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

    /// [`Rules::list_receipts`] from a place on.
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

impl Standing {
    /// Notes that the assistant is heard now. To the minute: a write for each delivery would tell little more.
    fn hear(&mut self, now: Timestamp) {
        let is_noted = |last: Timestamp| last <= now && now.since(last).as_secs() < 60;
        if !self.heard_at.is_some_and(is_noted) {
            self.heard_at = Some(now);
        }
    }
}
