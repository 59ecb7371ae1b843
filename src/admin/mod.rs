//! The administrator's operations, the same whether the server runs or not.
//!
//! The store belongs to one process. A running server therefore listens on a socket in its data folder
//! ([`socket`]) and runs the command line's operations. Without a server, [`Client::run`] runs the operation in the command's own
//! process; if root runs the command, in a process of the folder's [`owner`]; on a read-only disk, [on a copy](read_only). Each
//! operation is a request with a `run` function and the type of its answer; [`operations`] lists them all.

mod access;
mod access_log;
mod assistants;
pub mod backup;
mod changing;
mod children;
mod client;
mod entries;
mod error;
mod export;
mod family;
mod guardians;
mod operation;
mod operations;
mod ordinary_weeks;
pub mod owner;
mod read_only;
mod reviewer;
mod running;
pub mod schedule;
pub mod seed;
pub mod socket;
mod state;
mod target;
mod tries;
mod upstreams;
pub mod verify;

use std::sync::LazyLock;

use crate::kernel::host::embedded::unpacked_text;

pub use crate::alerts::reviewer::NamedReviewer;
pub use access::{
    GetSetupLink, MakeSignInLink, MakeToken, Reinstate, Reinstated, SetupLink, SignInArguments,
    SignInLink, Token,
};
pub use assistants::{
    AddAssistant, AssistantEntry, AssistantKey, ChooseUpstream, ListAssistants, RevokeAssistant,
    RotateAssistant,
};
pub use backup::Backup;
pub use changing::Compacted;
pub use children::{
    AddChild, ChildEntry, ChooseRetention, ChosenRetention, KeptFor, LinkChild, ListChildren,
    RemoveChild, RenameChild, UnlinkChild,
};
pub use client::Client;
pub use entries::Entries;
pub use error::AdminError;
pub use export::Export;
pub use guardians::{
    AddGuardian, ChangeEmail, GuardianEntry, ListGuardians, RemoveGuardian, SignOutGuardian,
    TestChannels, TestedChannels,
};
pub use operation::{Operation, Progress, Reports};
pub use operations::NAMES;
pub use reviewer::{FindReviewer, FoundReviewer, TestReviewer, TestedReviewer};
pub use seed::Seed;
pub use state::{
    AcceptClock, CheckReady, ClockState, CountNotKept, CountNotReviewed, FindTraces,
    GetBackupState, GetClockState, GetPublicUrl, ListForwardingFaults, ListNotArriving,
};
pub use target::Target;
pub use tries::{TriedAnswer, TriedRules, TryRules};
pub use upstreams::{
    AddUpstream, ListUpstreams, RemoveUpstream, RemovedUpstream, TestUpstream, TestedUpstream,
    UpstreamEntry,
};
pub use verify::Verify;

/// The demonstration's family, as `seed` imports it.
pub static DEMO_FAMILY: LazyLock<String> =
    LazyLock::new(|| unpacked_text(include_bytes!(concat!(env!("OUT_DIR"), "/demo.json.gz"))));

/// The version of a command, which its server must have, too.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const VERSION_HEADER: &str = "porchlight-version";

const OTHER_VERSION: &str = "The running server is another version of Porchlight than this command. Please use the same \
                             one, or restart the server with it.";
