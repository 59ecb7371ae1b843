//! What cannot be derived about a table: whether it stores a promise, whose words it stores, and what a damaged record does.

use std::collections::BTreeMap;

use memchr::memmem;

use super::features;
use super::operations::Operation;
use super::test_app::TestApp;
use Promise::*;
use Words::*;

/// A stored permission, consent, request or promise; `tests/promises.rs` tests what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    GuardianLink,
    Key,
    KeysChild,
    SessionName,
    MovedSessionName,
    SignIn,
    StepUp,
    StepUpCode,
    /// Ben has acknowledged his sign-in on another device.
    AcknowledgedSignIn,
    Pairing,
    SignInLink,
    RecoveryCode,
    AddressChange,
    ProviderAccount,
    Invitation,
    InvitationAnswer,
    DeletionRequest,
    DeletionAnswer,
    /// Ben asked to keep Mia's conversations for a shorter time.
    RetentionRequest,
    RetentionAnswer,
    /// Ben keeps a session.
    KeptSession,
    KeptKey,
    RuleReceipt,
    DeletedSession,
    /// Ben was shown Ada's deletion.
    ShownDeletion,
    ErasedName,
    Pause,
    WatchedPhrase,
    /// Ben switched the reviewer on for Mia.
    ReviewerConsent,
    /// Ben confirmed what Ada switched on.
    ReviewerAnswer,
    /// Ben asked for alerts if Mia is hurt at home.
    ReviewerAtHome,
    /// Ben's e-mails include quotes.
    QuotesInEmails,
}

/// The words that a row may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Words {
    /// Words of one conversation. Its session number is in the row's key, where the search looks for it.
    Conversation,
    /// Of conversations that may share a row, such as a topic that is counted. It is removed with the last of them. The change
    /// that writes it also writes a row under the session's number.
    Conversations,
    /// What guardians and assistants wrote of a child. It stays when a conversation is deleted. The child's number comes first
    /// in the key.
    ChildsOwn,
}

/// Whose operations fail.
#[derive(Clone, Copy)]
pub enum Who {
    Guardian,
    /// What a guardian reads of a child, or of all children.
    GuardianOfAChild,
    Assistant,
}

impl Who {
    pub fn reads(self, reading: &Operation) -> bool {
        match self {
            Self::Guardian => !reading.is_by_assistant(),
            Self::Assistant => reading.is_by_assistant(),
            Self::GuardianOfAChild => {
                let of_all = [
                    "countUnseenAlerts",
                    "getAttention",
                    "getHousehold",
                    "listChildTalk",
                    "listChildren",
                    "getRequests",
                ];
                let is_of_one = ["childId", "sessionId"].iter().any(|id| reading.names(id));
                Self::Guardian.reads(reading) && (is_of_one || of_all.contains(&reading.name))
            }
        }
    }
}

/// The damage's effect on reads.
#[derive(Clone, Copy)]
pub enum Pages {
    /// None.
    AsBefore,
    /// These lists omit a row and count it.
    LacksARow(&'static [&'static str]),
    /// These operations fail with 503.
    Closed(&'static [&'static str]),
    /// All operations of these callers fail with 503.
    ClosedTo(Who),
    /// These operations fail with 503, and these lists omit a row and count it.
    ClosedAndLacksARow(&'static [&'static str], &'static [&'static str]),
    /// These answers lack an optional field, and these lists omit a row and count it.
    LacksAFieldAndARow(&'static [&'static str], &'static [&'static str]),
    /// Operations below this part of a child fail with 503, or omit a row and count it.
    Below(&'static str),
    /// These operations fail with 503, and these answers are as if no guardian had said it.
    ClosedAndUnknown(&'static [&'static str], &'static [&'static str]),
    /// Existing identity tokens become invalid.
    NewToken,
    /// The rules have another version's name.
    NewVersion,
    /// Devices subscribe with another key.
    NewPushKey,
}

/// Tables with the promise that they hold and whose words they may hold.
pub type TableRow = (Option<Promise>, Option<Words>, &'static [&'static str]);

/// The tables of no single feature; those of features stand in their `FACTS`.
const TABLES: [TableRow; 8] = [
    (Some(GuardianLink), None, &["guardian-has", "has-guardian"]),
    (
        Some(Key),
        None,
        &["assistant", "assistant-by-key", "assistant-by-name"],
    ),
    (Some(KeysChild), None, &["assistant-has", "has-assistant"]),
    (None, Some(ChildsOwn), &["history"]),
    (
        None,
        None,
        &[
            "child",
            "child-added",
            "child-former-names",
            "child-named-by",
        ],
    ),
    // What is under way for minutes: e-mails to send, sign-ins at the provider, the first run.
    (None, None, &["queue"]),
    // Who is suspended since a backup was restored.
    (None, None, &["kept-off"]),
    // The store's own, and the program's.
    (
        None,
        None,
        &[
            "alert-running",
            "backfill",
            "backup-home",
            "backup-state",
            "clock",
            "compaction",
            "compaction-at-night",
            "folder",
            "part",
            "sequence",
        ],
    ),
];

/// All tables.
pub fn tables() -> impl Iterator<Item = &'static TableRow> {
    TABLES.iter().chain(features::tables())
}

/// The words that a table may hold; `None` if it is unknown or holds none.
pub fn words_of(table: &str) -> Option<Words> {
    let found = tables().find(|(_, _, tables)| tables.contains(&table));
    found.and_then(|(_, words, _)| *words)
}

/// A row as it is stored: the key and the value.
pub type Row = (Vec<u8>, Vec<u8>);

/// All rows, by table. The parts of a large record are rows of its table.
pub fn all_rows(app: &TestApp) -> BTreeMap<String, Vec<Row>> {
    let mut rows = BTreeMap::<_, Vec<_>>::new();
    let mut all = app.inner.store.snapshot();
    while let Some(some) = all.step().unwrap() {
        for (key, value) in some {
            let key = key.strip_prefix(b"part\0\x01").unwrap_or(&key);
            let name = key.split(|byte| *byte == 0).next().unwrap();
            let name = str::from_utf8(name).unwrap().to_owned();
            let of_table = rows.entry(name).or_default();
            of_table.push((key.to_vec(), value.to_vec()));
        }
    }
    rows
}

pub fn row_has((key, value): &Row, bytes: &[u8]) -> bool {
    [key, value].map(|row| memmem::find(row, bytes)) != [None, None]
}
