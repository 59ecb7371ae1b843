//! What cannot be derived about a table: whether it stores a promise, and whose words it stores.

use std::collections::BTreeMap;

use memchr::memmem;

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

/// Each table, with the promise that it holds and whose words it may hold. A new table needs a place here.
pub const TABLES: [(Option<Promise>, Option<Words>, &[&str]); 39] = [
    (Some(GuardianLink), None, &["guardian-has", "has-guardian"]),
    (
        Some(Key),
        None,
        &["assistant", "assistant-by-key", "assistant-by-name"],
    ),
    (Some(KeysChild), None, &["assistant-has", "has-assistant"]),
    (Some(SessionName), Some(Conversations), &["session-name"]),
    (Some(MovedSessionName), None, &["session-moved"]),
    (
        Some(SignIn),
        None,
        &["push-device", "push-device-ended", "sign-in", "sign-in-of"],
    ),
    (Some(StepUpCode), None, &["step-up-code"]),
    (Some(SignInLink), None, &["link", "link-of", "link-to"]),
    (
        Some(RecoveryCode),
        None,
        &["recovery-code", "recovery-code-of", "recovery-codes-made"],
    ),
    (
        Some(AddressChange),
        None,
        &["address-change", "address-change-by-token"],
    ),
    (
        Some(ProviderAccount),
        None,
        &["provider-account", "provider-account-of"],
    ),
    (
        Some(Invitation),
        None,
        &["invitation", "invitation-by-token", "invitation-of"],
    ),
    (Some(DeletionRequest), None, &["child-request"]),
    (Some(KeptSession), None, &["session-keeps"]),
    (Some(KeptKey), None, &["key-kept"]),
    (
        Some(RuleReceipt),
        None,
        &[
            "rules-key",
            "rules-named",
            "rules-said",
            "rules-standing",
            "rules-version",
        ],
    ),
    (Some(RuleReceipt), Some(Conversation), &["rules-receipt"]),
    (Some(RuleReceipt), Some(ChildsOwn), &["rules-text"]),
    (
        Some(DeletedSession),
        Some(Conversation),
        &["erased-session", "session-hidden"],
    ),
    (
        Some(ErasedName),
        None,
        &["erased-name", "erased-name-key", "erased-name-until"],
    ),
    (
        Some(WatchedPhrase),
        None,
        &[
            "alert-latest",
            "alert-not-worrying",
            "alert-seen",
            "assistant-not-in-use",
            "watched-edition",
        ],
    ),
    (
        Some(WatchedPhrase),
        Some(Conversation),
        &["alert-own", "curious-hidden"],
    ),
    (Some(WatchedPhrase), Some(ChildsOwn), &["watched-phrases"]),
    (Some(ReviewerConsent), None, &["reviewer-consent"]),
    (Some(ReviewerAtHome), None, &["reviewer-at-home"]),
    (
        Some(QuotesInEmails),
        None,
        &["subscription", "told-last", "told-waiting", "weekly-sent"],
    ),
    (
        Some(Pause),
        None,
        &["rules-pause", "rules-pause-log", "times"],
    ),
    // What is kept of a child.
    (
        None,
        Some(Conversation),
        &[
            "alert",
            "completed",
            "gateway-partial",
            "gateway-prompt",
            "message",
            "message-place",
            "session",
            "session-state",
            "summary-latest",
            "summary-part",
        ],
    ),
    (
        None,
        Some(Conversations),
        &[
            "summary",
            "summary-mood",
            "summary-mood-rank",
            "summary-topic",
            "summary-topic-rank",
        ],
    ),
    (
        None,
        Some(ChildsOwn),
        &[
            "blocked-topics",
            "context",
            "history",
            "report",
            "try-answer",
            "upcoming",
            "verdict",
        ],
    ),
    (
        None,
        None,
        &[
            "alert-assistant",
            "alert-pending",
            "alert-place",
            "born",
            "child",
            "child-added",
            "child-former-names",
            "child-language",
            "child-named-by",
            "completed-at",
            "curious-on",
            "deletion",
            "deletion-pending",
            "deletion-sessions",
            "gateway-session",
            "gateway-text",
            "gateway-tracker",
            "look",
            "page-for-child",
            "report-by",
            "retention-period",
            "reviewer-not-reviewed",
            "reviewer-queue",
            "reviewer-reviewed",
            "session-open",
            "session-talk",
            "summary-totals",
            "try",
            "try-hidden",
            "try-verdict",
            "verdict-on",
        ],
    ),
    // That a guardian refuses the webhook; ends when they are removed.
    (None, None, &["webhook-refused"]),
    // Whether messages arrive; ends when the guardian is removed.
    (None, None, &["message-arrivals"]),
    // Who a guardian is; ends when they are removed.
    (None, None, &["guardian", "guardian-by-email"]),
    // What is under way for minutes: e-mails to send, sign-ins at the provider, the first run.
    (
        None,
        None,
        &["provider-flow", "provider-flow-by-time", "queue", "setup"],
    ),
    // What was counted.
    (
        None,
        None,
        &[
            "assistant-quota",
            "gateway-budget",
            "latest-delivery",
            "made-today",
            "reviewer-spent",
        ],
    ),
    // Which model an assistant talks through, as a guardian or the administrator chose; ends when the assistant is revoked.
    (None, None, &["gateway-keys", "gateway-upstreams"]),
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
            "child-deletion",
            "child-deletion-pending",
            "child-deletion-sessions",
            "clock",
            "compaction",
            "compaction-at-night",
            "erasure",
            "folder",
            "gateway-text-key",
            "part",
            "public-url",
            "reviewer-figures",
            "sequence",
            "session-erasing",
            "token-key",
            "push-key",
            "unsubscribe-key",
        ],
    ),
];

/// The words that a table may hold; `None` if it is unknown or holds none.
pub fn words_of(table: &str) -> Option<Words> {
    let found = TABLES.iter().find(|(_, _, tables)| tables.contains(&table));
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
