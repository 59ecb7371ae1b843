//! Stores receipts by child and session, the versions that they name, and each assistant's status.

use sha2::{Digest, Sha256};

use super::{RefusedList, RuleStatus, SessionReceipt};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Cursor, Key, KeyPlace, Page, Read, Record, RecordKind, StoreError, Table,
};

const RECEIPT: Table = Table::new("rules-receipt");
/// The sessions that refer to a version, by child and the version's number.
const NAMED: Table = Table::new("rules-named");
const RULE_STATUS: Table = Table::new("rules-standing");
/// When a session last reported the same, by child, session and the hash of the report.
const SAID: Table = Table::new("rules-said");

/// The number of receipts that one change of an erasure removes.
const ERASED_AT_ONCE: usize = 1_000;

impl Record for SessionReceipt {}
impl Record for RuleStatus {}

pub(super) const KINDS: [RecordKind; 4] = [
    RecordKind::of::<SessionReceipt>(RECEIPT),
    RecordKind::of::<SessionId>(NAMED),
    RecordKind::of::<RuleStatus>(RULE_STATUS),
    RecordKind::of::<Timestamp>(SAID),
];

pub const KEYS: [KeyPlace; 3] = [
    KeyPlace::after(RECEIPT, &[Before::Number]),
    KeyPlace::after(NAMED, &[Before::Number, Before::Number]),
    KeyPlace::after(SAID, &[Before::Number]),
];

fn receipts_of(child: ChildId) -> Key {
    RECEIPT.key().number(child.number())
}

fn session_key(child: ChildId, session: SessionId) -> Key {
    receipts_of(child).number(session.number())
}

fn named_of(child: ChildId) -> Key {
    NAMED.key().number(child.number())
}

fn rule_status_of(child: ChildId) -> Key {
    RULE_STATUS.key().number(child.number())
}

fn said_of(child: ChildId) -> Key {
    SAID.key().number(child.number())
}

fn said_in(child: ChildId, session: SessionId) -> Key {
    said_of(child).number(session.number())
}

fn said_key(child: ChildId, session: SessionId, receipt: &SessionReceipt) -> Key {
    let untimed = SessionReceipt {
        at: Timestamp::MIN,
        ..receipt.clone()
    };
    said_in(child, session).fixed(&Sha256::digest(untimed.encode())[..16])
}

/// Stores a receipt. An identical one is the same row.
pub fn put_receipt(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    receipt: &SessionReceipt,
) -> Result<(), StoreError> {
    let key = session_key(child, session)
        .signed(receipt.at.micros())
        .number(receipt.number)
        .fixed(&[receipt.evidence as u8, receipt.refused.is_some().into()]);
    change.put_counted(&key, receipt)?;
    put_said(change, child, session, receipt)?;
    let named = named_of(child)
        .number(receipt.number)
        .number(session.number());
    change.put(&named, &session)
}

fn put_said(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    receipt: &SessionReceipt,
) -> Result<(), StoreError> {
    let key = said_key(child, session, receipt);
    // An unreadable one is replaced.
    let last = change.get_readable::<Timestamp>(&key)?;
    change.put(&key, &last.unwrap_or(receipt.at).max(receipt.at))
}

pub(super) fn receipts(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<SessionReceipt>(&session_key(child, session), after, limit)
}

/// The readable receipts of a session, by time.
pub fn all_of_session(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Vec<SessionReceipt>, StoreError> {
    Ok(view.list_readable(&session_key(child, session))?.0)
}

/// When the session reported the same before, so that a receipt without a time can be delivered again.
pub(super) fn said_at(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
    receipt: &SessionReceipt,
) -> Result<Option<Timestamp>, StoreError> {
    view.get_readable(&said_key(child, session, receipt))
}

/// Whether a session refers to this version of the child's rules.
pub fn is_named(view: &impl Read, child: ChildId, number: u64) -> Result<bool, StoreError> {
    let sessions = named_of(child).number(number);
    Ok(!view.keys_below(&sessions, 1)?.is_empty())
}

/// Removes some of a session's receipts; returns whether there were any.
pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    change.drop_stale_answers();
    let receipts = session_key(child, session);
    // Erased by their keys, so that unreadable ones are erased, too.
    let keys = change.keys_below(&receipts, ERASED_AT_ONCE)?;
    for key in &keys {
        let mut components = key.components_below(&receipts);
        if let Some(number) = components.signed().and_then(|_| components.number()) {
            let named = named_of(child).number(number);
            change.remove(&named.number(session.number()))?;
        }
        change.remove(key)?;
    }
    let said = change.remove_some_below(&said_in(child, session))?;
    Ok(!keys.is_empty() || said > 0)
}

pub fn rule_status(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<RuleStatus, StoreError> {
    let found = view.get(&rule_status_of(child).text(assistant.as_str()))?;
    Ok(found.unwrap_or_default())
}

pub fn put_rule_status(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    status: &RuleStatus,
) -> Result<(), StoreError> {
    let key = rule_status_of(child).text(assistant.as_str());
    change.put(&key, status)
}

/// Why an assistant refused a list. `None` once the session in which it reported that is deleted.
pub fn reason(
    view: &impl Read,
    child: ChildId,
    refused: &RefusedList,
) -> Result<Option<String>, StoreError> {
    let Some(session) = refused.session else {
        return Ok(None);
    };
    let receipts = all_of_session(view, child, session)?.into_iter();
    let reasons = receipts.filter(|receipt| receipt.topics == refused.topics);
    Ok(reasons.filter_map(|receipt| receipt.refused).next_back())
}

/// The child's session that last reported to refuse this list for this reason.
pub fn session_with(
    view: &impl Read,
    child: ChildId,
    refused: &RefusedList,
    reason: &str,
) -> Result<Option<SessionId>, StoreError> {
    let all = receipts_of(child);
    let mut last = None;
    for key in view.keys_below(&all, usize::MAX)? {
        let is_it = |receipt: &SessionReceipt| {
            receipt.topics == refused.topics && receipt.refused.as_deref() == Some(reason)
        };
        if let Some(session) = key.components_below(&all).number()
            && let Some(receipt) = view.get_readable::<SessionReceipt>(&key)?.filter(is_it)
        {
            last = last.max(Some((receipt.at, session)));
        }
    }
    Ok(last.map(|(_, session)| SessionId::new(session)))
}

/// Removes some of the child's receipts; returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let tables = [
        receipts_of(child),
        named_of(child),
        rule_status_of(child),
        said_of(child),
    ];
    for below in tables {
        if change.remove_some_below(&below)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Evidence;
    use super::*;
    use crate::kernel::store::Store;
    use crate::rules::TopicsVersion;

    fn receipt(number: u64) -> SessionReceipt {
        let start = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();
        SessionReceipt {
            number,
            topics: TopicsVersion::default(),
            evidence: Evidence::Set,
            at: start.after(Duration::from_secs(number)),
            refused: None,
        }
    }

    const MIA: ChildId = ChildId::new(1);
    const SESSION: SessionId = SessionId::new(1);

    async fn store_with(receipts: u64) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let put = store.commit(move |change| {
            (0..receipts).try_for_each(|number| put_receipt(change, MIA, SESSION, &receipt(number)))
        });
        put.await.unwrap();
        (folder, store)
    }

    #[tokio::test]
    async fn an_earlier_identical_receipt_is_found_without_reading_the_others() {
        let (_folder, store) = store_with(1_000).await;
        let found = store.commit(|change| {
            let said = said_at(change, MIA, SESSION, &receipt(7))?;
            Ok::<_, StoreError>((said, change.bytes_read()))
        });
        let (said, bytes) = found.await.unwrap();

        assert_eq!(said, Some(receipt(7).at));
        assert!(bytes < 200, "{bytes}");
        let refused = SessionReceipt {
            refused: Some("too long".to_owned()),
            ..receipt(7)
        };
        assert_eq!(said_at(&store, MIA, SESSION, &refused).unwrap(), None);
    }

    #[tokio::test]
    async fn all_receipts_of_a_session_are_erased() {
        let (_folder, store) = store_with(3).await;

        let erased = store.commit(|change| {
            while erase_of_session(change, MIA, SESSION)? {}
            change.keys_below(&said_of(MIA), 1)
        });

        assert_eq!(erased.await.unwrap(), []);
    }
}
