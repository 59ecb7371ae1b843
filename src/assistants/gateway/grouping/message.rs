//! What the tracker tells its caller to store: messages, and the conversation of each.

use serde::{Deserialize, Serialize};

use crate::conversations::transcripts::MessageKind;
use crate::kernel::host::clock::Timestamp;

macro_rules! number {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub struct $name(pub(super) u64);

        impl $name {
            pub fn number(self) -> u64 {
                self.0
            }
        }
    };
}

number!(
    /// A session, counted from 0 in each [`ConversationTracker`](super::ConversationTracker).
    SessionNumber
);
number!(
    /// A background request, counted from 0 in each [`ConversationTracker`](super::ConversationTracker).
    BackgroundId
);
number!(
    /// A message, counted from 0 in each [`ConversationTracker`](super::ConversationTracker). It never changes, also when the
    /// message moves out of a background request.
    MessageId
);
number!(
    /// A request that awaits its answer.
    TurnId
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ConversationRef {
    Session(SessionNumber),
    /// A request of the app's own, which is shown folded beside a session.
    Background(BackgroundId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceLabel {
    Child,
    Assistant,
    App,
    Tool,
}

impl SourceLabel {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Child => "child",
            Self::Assistant => "assistant",
            Self::App => "app",
            Self::Tool => "tool",
        }
    }
}

/// A message as it now is. It replaces the earlier one with its id. In a transcript messages are in the order of their times,
/// and then of their arrival.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: MessageId,
    pub place: ConversationRef,
    pub at: Timestamp,
    pub source: SourceLabel,
    pub text: String,
    /// The speaker, if the client recognises voices.
    pub voice: Option<String>,
    pub interrupted: bool,
    /// Whether it was sent to the client, and no history has confirmed it yet.
    pub generated: bool,
    pub revision: u64,
    /// Whether the client wrote it in the assistant's name.
    pub from_app: bool,
    /// What it is, if it wasn't said in the conversation.
    pub kind: Option<MessageKind>,
    pub is_tool_call: bool,
}

impl Message {
    /// The first revision of a message that was just said.
    pub fn new(
        stored: &StoredRef,
        place: ConversationRef,
        source: SourceLabel,
        text: impl Into<String>,
    ) -> Self {
        Self {
            id: stored.id,
            place,
            at: stored.at,
            source,
            text: text.into(),
            voice: None,
            interrupted: false,
            generated: stored.generated,
            revision: stored.revision,
            from_app: false,
            kind: None,
            is_tool_call: false,
        }
    }
}

/// Which stored message an entry stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredRef {
    pub id: MessageId,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "is_first")]
    pub revision: u64,
    /// Whether no history has confirmed it yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub generated: bool,
}

fn is_first(revision: &u64) -> bool {
    *revision == 0
}
