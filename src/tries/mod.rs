//! Trying the rules: Porchlight asks the family's own model about fifty made-up questions, with the prompt that the child's next
//! request would get, and shows the answers to the child's guardians.
//!
//! A guardian starts a try, at most once a day for each child. Every guardian of the child sees it. Nobody can remove what another
//! guardian saw: a guardian stops their own try, or hides one from themselves. Phrases judge what they can; the AI reader judges
//! topics if it is on for the child; each guardian judges the rest for themselves.
//!
//! A try isn't the child talking. A pause or quiet hours don't end it, and it leaves nothing in the transcript, the minutes, the
//! alerts, the receipts, the search or the child's copy. Its answers are deleted after 30 days, its figures after 400.

pub mod api;
mod asking;
mod check_words;
mod choosing;
mod judging;
mod phrases;
mod planning;
mod prompts;
mod questions;
mod reading;
mod record;
mod result;
mod running;
mod service;
mod starting;
mod store;
mod upkeep;

use std::time::Duration;

use crate::assistants::gateway::trial::CannotAsk;
use crate::children::ChildrenError;
use crate::children::feature::{Feature, OfSession, Shown};
use crate::identity::StepUpError;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{NotACursor, StoreError};

pub use phrases::{
    Reliability, finds, is_in_another_language, is_supported, reliability, says_computer,
};
pub use prompts::{InvalidPrompt, Prompt, read_prompts};
pub use questions::{Check, Expectation, Kind, QUESTIONS};
pub use record::{Answered, CheckWords, Judge, Outcome, Reason, State, Try, TryId};
pub use result::{CheckCount, Counts, Judged, SaidComputer, TryFigures, worst_first};
pub use running::{Done, OnProgress};
pub use service::{Dependencies, Tries};
pub use store::tried_assistants;

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &store::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Part("tries", || store::SHARED.to_vec())],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        take_out: |_, _, _, _| Ok(()),
        put_back: |_, _, _, _| Ok(()),
        keys: &[],
        // A model can have said what the app sent with the conversation.
        erase_batch: store::erase_of_session,
    }),
    // What a model said in a test is no part of a child's copy.
    child_fields: &[],
    session_fields: &[],
};

/// How long a try waits.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// For one answer.
    pub deadline: Duration,
    /// Before a request is tried again, if the model's server doesn't say how long.
    pub pause: Duration,
    /// The longest such pause.
    pub longest_pause: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            // A model that isn't loaded yet, or a slow one with a long prompt, takes minutes.
            deadline: Duration::from_secs(5 * 60),
            pause: Duration::from_secs(20),
            longest_pause: Duration::from_secs(5 * 60),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TriesError {
    /// There is no such try, or no such answer.
    #[error("There is no such try.")]
    NoSuchTry,
    /// The seconds until the guardian may start another one.
    #[error("You have tried this child's rules today. Please try them again tomorrow.")]
    Today(u32),
    #[error("All questions are left out. Please ask at least one.")]
    NothingToAsk,
    #[error(transparent)]
    CannotAsk(#[from] CannotAsk),
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    CannotAsk from Store {
        NoSuchAssistant => not_there,
        NotThroughGateway(name) => conflict(TryNotThroughGateway { assistant: name }),
        NoUpstream(name) => conflict(TryWithoutUpstream { assistant: name }),
        NoModel(name) => conflict(TryWithoutModel { assistant: name }),
    }
}

refusals! {
    TriesError from CannotAsk, Cursor, StepUp, Children, Store {
        NoSuchTry => not_there,
        Today(seconds) => too_many(TriedToday, seconds),
        NothingToAsk => against_a_rule(NothingToAsk) at "/questions",
    }
}
