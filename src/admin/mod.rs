//! What the administrator can do, the same whether the server runs or not.
//!
//! The store belongs to one process. A running server therefore listens on a socket in its data folder
//! ([`socket`]) and carries out what the command line asks for; with no server, the command opens the store
//! and carries it out itself ([`client`]). Both go through [`execute`], so that the answer is the same, and
//! the person typing never notices which it was.

pub mod backup;
pub mod client;
mod entries;
mod family;
mod operations;
pub mod owner;
mod progress;
pub mod protocol;
mod read_only;
pub mod schedule;
mod secrets;
pub mod seed;
pub mod socket;
pub mod stream;
pub mod verify;

use serde::{Deserialize, Serialize};

use crate::activities::{ActivitiesError, SameIdTwice};
use crate::assistant::{AssistantError, RefusedDeliveries};
use crate::blocked_topics::{BlockedTopicsError, TopicError};
use crate::children::{ChildId, ChildrenError};
use crate::context::ContextError;
use crate::identity::{AllKeptOff, GuardianName, HowMany, IdentityError, Named};
use crate::kernel::backup_state::ScheduleState;
use crate::kernel::clock::Timestamp;
use crate::kernel::forwarding::SeenFault;
use crate::kernel::mail::EmailAddress;
use crate::kernel::name::NotAName;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::store::{Contents, StoreError, Verified};
use crate::summary::{ReportError, SummaryError};
use crate::transcripts::TranscriptsError;

pub use crate::keeping::copy::Exported;
pub use crate::transcripts::{NotKeptReason, NotKeptTotal};
pub use entries::{AssistantEntry, ChildEntry, Entries, GuardianEntry};
pub use operations::execute;
pub use progress::{OnProgress, Progress};

/// The demonstration family.
pub const DEMO_FAMILY: &str = include_str!("demo.json");

/// What is asked for.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// Adds a guardian.
    AddGuardian {
        /// Where their links go.
        email: EmailAddress,
        /// What to call them.
        name: Option<String>,
    },
    /// Lists all guardians.
    ListGuardians,
    /// Gives a guardian another address.
    ChangeEmail {
        /// Whose address, or the address as it is.
        from: GuardianName,
        /// The address as it shall be.
        to: EmailAddress,
    },
    /// Signs a guardian out everywhere and ends their links.
    SignOutGuardian {
        /// Whom.
        email: GuardianName,
    },
    /// Removes a guardian and signs them out everywhere.
    RemoveGuardian {
        /// Whom.
        email: GuardianName,
    },
    /// Adds a child.
    AddChild {
        /// What it is called.
        name: String,
        /// Who may see it.
        guardians: Vec<GuardianName>,
    },
    /// Lists all children.
    ListChildren,
    /// Gives a child another name.
    RenameChild {
        /// Which child.
        child: ChildId,
        /// What it shall be called.
        name: String,
    },
    /// Gives a guardian a child.
    LinkChild {
        /// Which child.
        child: ChildId,
        /// To whom.
        email: GuardianName,
    },
    /// Takes a child from a guardian.
    UnlinkChild {
        /// Which child.
        child: ChildId,
        /// From whom.
        email: GuardianName,
    },
    /// Erases everything of a child.
    RemoveChild {
        /// Which child.
        child: ChildId,
        /// Its name, typed again.
        name: String,
    },
    /// Adds an assistant and makes its key.
    AddAssistant {
        /// What to call it.
        name: String,
        /// For whom it delivers.
        children: Vec<ChildId>,
    },
    /// Lists all assistants.
    ListAssistants,
    /// Gives an assistant a new key.
    RotateAssistant {
        /// Which one.
        name: String,
    },
    /// Removes an assistant.
    RevokeAssistant {
        /// Which one.
        name: String,
    },
    /// Tells the link of the first run.
    SetupLink,
    /// Lets those in again whom a restored backup keeps off.
    Admit(Named),
    /// Makes a sign-in link.
    SignInLink {
        /// For whom.
        email: GuardianName,
    },
    /// Makes an identity token.
    Token {
        /// For whom.
        email: GuardianName,
    },
    /// Brings in a family from a file.
    Seed {
        /// The file's text.
        text: String,
    },
    /// Sends a backup.
    Backup,
    /// Reads everything in the store.
    Verify,
    /// Sends all that is kept of a child, or of all.
    Export {
        /// Which child; all when it isn't said.
        child: Option<ChildId>,
    },
    /// Asks how the scheduled backups went.
    BackupState,
    /// Says what waits for the clock.
    ClockState,
    /// Asks whether something that was removed can still be found in the store's files.
    TracesLeft,
    /// Asks how many delivered messages could not be stored.
    NotKept,
    /// Accepts the time that the clock shows, although it stands before something that was delivered.
    AcceptClock,
    /// Asks what trusted proxies got wrong since the server started.
    Forwarding,
    /// Asks for the address of our pages.
    PublicUrl,
    /// Asks whether the server may take traffic.
    Ready,
}

/// What was changed or removed, once the store's files were compacted without what it was before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compacted<T> {
    /// It, as it was before it was removed, or as it is by now.
    #[serde(flatten)]
    pub entry: T,
    /// Why it can still be found in the store's files; left out when it can't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traces: Option<String>,
}

/// What a seed file brought in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeded {
    /// Guardians that were new.
    pub guardians: u64,
    /// Children.
    pub children: Vec<ChildId>,
    /// Sessions.
    pub sessions: u64,
    /// Messages.
    pub messages: u64,
}

/// What a backup brought back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Restored {
    /// What it holds, without the sign-ins, links and letters of then.
    #[serde(flatten)]
    pub contents: Contents,
    /// Who is kept off until the administrator names them.
    pub kept_off: AllKeptOff,
}

/// What was done.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "what", content = "it", rename_all = "kebab-case")]
pub enum Answer {
    /// A guardian was added.
    GuardianAdded(GuardianEntry),
    /// A guardian has another address.
    GuardianChanged(Compacted<GuardianEntry>),
    /// A guardian was signed out everywhere.
    GuardianSignedOut(GuardianEntry),
    /// A guardian was removed.
    GuardianRemoved(Compacted<GuardianEntry>),
    /// The guardians.
    Guardians(Entries<GuardianEntry>),
    /// A child was added.
    ChildAdded(ChildEntry),
    /// A child has another name.
    ChildRenamed(Compacted<ChildEntry>),
    /// A child has other guardians.
    ChildChanged(ChildEntry),
    /// Everything of a child was erased.
    ChildRemoved(Compacted<ChildEntry>),
    /// The children.
    Children(Entries<ChildEntry>),
    /// An assistant has a key, which is shown this once.
    AssistantKey {
        /// Which one.
        assistant: AssistantEntry,
        /// The key.
        key: String,
    },
    /// An assistant was removed.
    AssistantRevoked(AssistantEntry),
    /// The assistants.
    Assistants(Entries<AssistantEntry>),
    /// The link of the first run.
    SetupLink {
        /// The link.
        link: String,
    },
    /// A sign-in link.
    SignInLink {
        /// The link.
        link: String,
        /// For how many seconds it works.
        expires_in: u64,
        /// Whose it is, if they have typed their address and not confirmed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unconfirmed: Option<Box<GuardianEntry>>,
    },
    /// An identity token.
    Token {
        /// The token.
        identity_token: String,
        /// For how many seconds it holds.
        expires_in: u64,
        /// Whose it is, if they have typed their address and not confirmed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unconfirmed: Option<Box<GuardianEntry>>,
    },
    /// What a file brought in.
    Seeded(Seeded),
    /// A backup was sent.
    BackedUp(Contents),
    /// A backup was brought back.
    Restored(Restored),
    /// A backup is sound.
    Sound(Contents),
    /// What was found out about the store.
    Verified(Verified),
    /// An export was sent.
    Exported(Exported),
    /// How the scheduled backups went.
    BackupState(ScheduleState),
    /// Those who are let in again, and who is still kept off.
    Admitted {
        /// How many.
        admitted: HowMany,
        /// Who is still kept off.
        kept_off: AllKeptOff,
    },
    /// The time that was accepted.
    ClockAccepted(Timestamp),
    /// What waits for the clock.
    ClockState {
        /// For how many more seconds the server has to run until something becomes due by date.
        due_waits_seconds: Option<u64>,
        /// The deliveries that are refused.
        refused: Option<RefusedDeliveries>,
    },
    /// Whether something that was removed can still be found in the store's files.
    TracesLeft {
        /// Whether it can.
        left: bool,
    },
    /// How many delivered messages could not be stored, for each reason for which there are any.
    NotKept(Vec<NotKeptTotal>),
    /// What trusted proxies got wrong since the server started; nothing where none runs.
    Forwarding(Vec<SeenFault>),
    /// The address of our pages.
    PublicUrl(PublicUrl),
    /// Whether the server may take traffic.
    Ready {
        /// Whether it may.
        ready: bool,
    },
}

impl Answer {
    /// The answer for a program: what it is about, without the word for what was done.
    pub fn to_json(&self) -> serde_json::Value {
        let mut tagged = serde_json::to_value(self).expect("an answer is JSON");
        match self {
            Self::Guardians(_) | Self::Children(_) | Self::Assistants(_) => {
                tagged["it"]["entries"].take()
            }
            _ => tagged["it"].take(),
        }
    }

    /// How many records the answer lacks because they cannot be read.
    pub fn unreadable(&self) -> u64 {
        match self {
            Self::Guardians(list) => list.unreadable,
            Self::Children(list) => list.unreadable,
            Self::Assistants(list) => list.unreadable,
            Self::Exported(exported) => exported.unreadable.values().sum(),
            _ => 0,
        }
    }
}

/// Why something was not done, in a sentence for the administrator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{sentence}")]
pub struct AdminError {
    sentence: String,
}

impl AdminError {
    /// A refusal with this sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        let sentence = sentence.into();
        Self { sentence }
    }
}

/// What the features refuse is a sentence already.
macro_rules! into_sentence {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for AdminError {
            fn from(error: $error) -> Self {
                Self::new(error.to_string())
            }
        })*
    };
}

into_sentence!(
    ActivitiesError,
    AssistantError,
    BlockedTopicsError,
    ContextError,
    ChildrenError,
    IdentityError,
    NotAName,
    ReportError,
    SameIdTwice,
    StoreError,
    SummaryError,
    TopicError,
    TranscriptsError,
);
