//! The administrator's operations, the same whether the server runs or not.
//!
//! The store belongs to one process. A running server therefore listens on a socket in its data folder
//! ([`socket`]) and executes the command line's requests; without a server, the command opens the store
//! and executes the request itself ([`client`]). Both use [`execute`], so that the results are the same, and
//! the user doesn't notice the difference.

pub mod backup;
pub mod client;
mod compacting;
mod entries;
mod error;
mod exporting;
mod family;
mod looked;
mod notify_test;
mod operations;
mod ordinary_weeks;
pub mod owner;
mod progress;
pub mod protocol;
mod read_only;
mod reviewer;
pub mod schedule;
mod secrets;
pub mod seed;
pub mod socket;
pub mod stream;
mod upstreams;
pub mod verify;

use serde::{Deserialize, Serialize};

use crate::assistant::RefusedDeliveries;
use crate::children::ChildId;
use crate::children::Period;
use crate::gateway::upstreams::WhenNotKept;
use crate::identity::{GuardianName, HowMany, Named, Suspended};
use crate::kernel::backup_state::ScheduleState;
use crate::kernel::clock::Timestamp;
use crate::kernel::forwarding::SeenFault;
use crate::kernel::mail::EmailAddress;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::store::{Contents, Verified};
use crate::kernel::zones::Zone;
use crate::subscriptions::{ChannelsTested, TestRecipient};

pub use crate::retention::copy::Exported;
pub use crate::subscriptions::NotArriving;
pub use crate::transcripts::{NotKeptReason, NotKeptTotal};
pub use entries::{AssistantEntry, ChildEntry, Entries, GuardianEntry};
pub use error::AdminError;
pub use operations::execute;
pub use progress::{OnProgress, Progress};
pub use reviewer::{FoundReviewer, NamedReviewer, NamedServer, TestedReviewer};
pub use upstreams::{RemovedUpstream, UpstreamEntry, UpstreamToAdd};

pub const DEMO_FAMILY: &str = include_str!("demo.json");

/// A request to the administrator's operations.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    AddGuardian {
        /// The address for their sign-in links.
        email: EmailAddress,
        name: Option<String>,
    },
    ListGuardians,
    ChangeEmail {
        /// The guardian, or the current address.
        from: GuardianName,
        to: EmailAddress,
    },
    /// Signs a guardian out everywhere and invalidates their links.
    SignOutGuardian {
        email: GuardianName,
    },
    /// Removes a guardian and signs them out everywhere.
    RemoveGuardian {
        email: GuardianName,
    },
    AddChild {
        name: String,
        /// The guardians who may see the child.
        guardians: Vec<GuardianName>,
        /// `None` is the server's.
        #[serde(default)]
        time_zone: Option<Zone>,
    },
    ListChildren,
    RenameChild {
        child: ChildId,
        name: String,
    },
    /// Links a child to a guardian.
    LinkChild {
        child: ChildId,
        email: GuardianName,
    },
    /// Removes the link between a child and a guardian.
    UnlinkChild {
        child: ChildId,
        email: GuardianName,
    },
    /// Sets for how long a child's conversations are kept, without the guardians' agreement.
    ChooseRetention {
        child: ChildId,
        /// `None` is for ever.
        period: Option<Period>,
    },
    /// Erases all data of a child.
    RemoveChild {
        child: ChildId,
        /// Its name, typed again as confirmation.
        name: String,
    },
    /// Adds an assistant and creates its key.
    AddAssistant {
        name: String,
        /// The children it delivers for.
        children: Vec<ChildId>,
        /// The upstream that its requests to the gateway are passed on to.
        upstream: Option<String>,
    },
    ListAssistants,
    /// Replaces an assistant's key.
    RotateAssistant {
        name: String,
    },
    RevokeAssistant {
        name: String,
    },
    /// Changes an assistant's upstream.
    ChooseUpstream {
        assistant: String,
        /// `None` for none.
        upstream: Option<String>,
        when_not_kept: WhenNotKept,
    },
    AddUpstream(UpstreamToAdd),
    ListUpstreams,
    RemoveUpstream {
        name: String,
    },
    /// Asks an upstream for its models, and one of them for an answer.
    TestUpstream {
        name: String,
        /// The model to ask; `None` for the first that the upstream is limited to.
        model: Option<String>,
    },
    /// Returns the model that reviews, and its figures.
    FindReviewer(NamedReviewer),
    /// Tests the model that reviews, and stores its figures.
    TestReviewer(NamedReviewer),
    /// Sends a guardian one message by each channel.
    TestChannels {
        email: GuardianName,
    },
    /// Returns the setup link of a new server.
    SetupLink,
    /// Reinstates guardians and assistants that a restored backup suspended.
    Reinstate(Named),
    SignInLink {
        email: GuardianName,
    },
    /// Creates an identity token.
    Token {
        email: GuardianName,
    },
    /// Imports a family from a file.
    Seed {
        text: String,
    },
    Backup,
    /// Reads everything in the store.
    Verify,
    /// Sends all data of one child, or of all children.
    Export {
        /// The child; `None` for all.
        child: Option<ChildId>,
    },
    /// Returns the state of the scheduled backups.
    BackupState,
    /// Returns what waits until the clock is trusted.
    ClockState,
    /// Returns whether removed data is still in the store's files.
    TracesLeft,
    /// Returns how many delivered messages could not be stored.
    NotKept,
    /// Returns how many conversations were not reviewed.
    NotReviewed,
    /// Returns the channels by which no messages arrive.
    NotArriving,
    /// Accepts the clock, although it shows a time before something that was delivered.
    AcceptClock,
    /// Returns the faults in trusted proxies' headers since the server started.
    Forwarding,
    PublicUrl,
    /// Returns whether the server is ready.
    Ready,
}

/// An entry that was changed or removed, and whether the store's files were compacted without its old data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compacted<T> {
    /// The entry before its removal, or after the change.
    #[serde(flatten)]
    pub entry: T,
    /// Why removed data is still in the store's files; left out if it isn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traces: Option<String>,
}

/// What a seed file imported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeded {
    /// The number of new guardians.
    pub guardians: u64,
    pub children: Vec<ChildId>,
    pub sessions: u64,
    pub messages: u64,
}

/// What a backup restored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Restored {
    /// Its contents, without sign-ins, links and outgoing e-mails.
    #[serde(flatten)]
    pub contents: Contents,
    /// The guardians and assistants that are suspended until the administrator reinstates them.
    pub suspended: Suspended,
}

/// The result of a request.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "what", content = "it", rename_all = "kebab-case")]
pub enum Answer {
    GuardianAdded(GuardianEntry),
    /// A guardian has a new address.
    GuardianChanged(Compacted<GuardianEntry>),
    /// A guardian was signed out everywhere.
    GuardianSignedOut(GuardianEntry),
    GuardianRemoved(Compacted<GuardianEntry>),
    Guardians(Entries<GuardianEntry>),
    ChildAdded(ChildEntry),
    ChildRenamed(Compacted<ChildEntry>),
    /// A child has other guardians.
    ChildChanged(ChildEntry),
    /// For how long a child's conversations are kept; `None` is for ever.
    RetentionChosen {
        child: ChildEntry,
        period: Option<Period>,
    },
    /// All data of a child was erased.
    ChildRemoved(Compacted<ChildEntry>),
    Children(Entries<ChildEntry>),
    /// An assistant's new key, which is shown only once.
    AssistantKey {
        assistant: AssistantEntry,
        key: String,
    },
    AssistantRevoked(AssistantEntry),
    /// An assistant has another upstream, or none.
    AssistantChanged(AssistantEntry),
    Assistants(Entries<AssistantEntry>),
    UpstreamAdded(UpstreamEntry),
    Upstreams(Entries<UpstreamEntry>),
    UpstreamRemoved(Compacted<RemovedUpstream>),
    /// An upstream works.
    UpstreamTested {
        name: String,
        /// The models that it lists.
        models: Vec<String>,
        /// The model that answered a request; `None` if none was asked.
        answered: Option<String>,
    },
    ReviewerFound(FoundReviewer),
    ReviewerTested(TestedReviewer),
    /// What became of a message by each channel.
    ChannelsTested(ChannelsTested),
    /// The recipient, if the command must send them itself, because no server is running or no channel is configured there.
    TestRecipient(Box<TestRecipient>),
    /// The setup link of a new server.
    SetupLink {
        link: String,
    },
    SignInLink {
        link: String,
        /// The validity in seconds.
        expires_in: u64,
        /// The guardian, if they have not confirmed the address that they typed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unconfirmed: Option<Box<GuardianEntry>>,
    },
    Token {
        identity_token: String,
        /// The validity in seconds.
        expires_in: u64,
        /// The guardian, if they have not confirmed the address that they typed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unconfirmed: Option<Box<GuardianEntry>>,
    },
    /// A file was imported.
    Seeded(Seeded),
    /// A backup was sent.
    BackedUp(Contents),
    Restored(Restored),
    /// A backup file is valid.
    Sound(Contents),
    /// The result of verifying the store.
    Verified(Verified),
    /// An export was sent.
    Exported(Exported),
    BackupState(ScheduleState),
    /// Guardians and assistants were reinstated.
    Reinstated {
        /// The number of reinstated ones.
        reinstated: HowMany,
        /// The ones that are still suspended.
        suspended: Suspended,
    },
    /// The time that was accepted.
    ClockAccepted(Timestamp),
    /// What waits until the clock is trusted.
    ClockState {
        /// How many more seconds the server must run until something becomes due by date.
        due_waits_seconds: Option<u64>,
        refused: Option<RefusedDeliveries>,
    },
    /// Whether removed data is still in the store's files.
    TracesLeft {
        left: bool,
    },
    /// The number of delivered messages that could not be stored, for each reason that occurred.
    NotKept(Vec<NotKeptTotal>),
    /// The number of conversations of the last 30 days that were not reviewed.
    NotReviewed {
        conversations: u64,
    },
    /// The channels by which no messages arrive.
    NotArriving(Vec<NotArriving>),
    /// The faults in trusted proxies' headers since the server started; empty if no server is running.
    Forwarding(Vec<SeenFault>),
    PublicUrl(PublicUrl),
    /// Whether the server is ready.
    Ready {
        ready: bool,
    },
}

impl Answer {
    /// The result for programs: the content, without the tag of the variant.
    pub fn to_json(&self) -> serde_json::Value {
        let mut tagged = serde_json::to_value(self).expect("an answer is JSON");
        match self {
            Self::Guardians(_) | Self::Children(_) | Self::Assistants(_) | Self::Upstreams(_) => {
                tagged["it"]["entries"].take()
            }
            _ => tagged["it"].take(),
        }
    }

    /// The number of records that are missing because they are unreadable.
    pub fn unreadable(&self) -> u64 {
        match self {
            Self::Guardians(list) => list.unreadable,
            Self::Children(list) => list.unreadable,
            Self::Assistants(list) => list.unreadable,
            Self::Upstreams(list) => list.unreadable,
            Self::Exported(exported) => exported
                .unreadable
                .tables()
                .map(|(_, records)| records)
                .sum(),
            _ => 0,
        }
    }
}
