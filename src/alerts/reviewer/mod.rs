//! A model of the family's own that points at something in a conversation. Code decides whether there is such a place.
//!
//! The model gets a part of a conversation as data, with ids made for this request, and answers by a schema. A finding counts
//! only if its quote stands in the message that it names. What a child says to the model can change that model's answer and
//! nothing else.
//!
//! It is off until the administrator names a model and a guardian switches it on for a child. Each finding is an alert for all of
//! the child's guardians. Nobody gets an alert that a child is hurt at home unless one of them asks for it.

mod answer;
pub mod api;
mod assessing;
mod at_home;
mod cases;
mod consent;
mod consents;
mod conversation;
mod definitions;
mod error;
mod figures;
mod locating;
mod measuring;
mod not_reviewed;
mod notifying;
mod pending;
mod request;
mod reviewed;
mod reviewing;
mod reviewing_conversations;
mod revisions;
mod settings;
mod store;
mod triggers;
mod turns;

use reviewed::Reviewed;

use crate::children::feature::{Feature, OfSession, Shown};
use crate::kernel::store::{Change, Read, StoreError};

pub use crate::alerts::{Concern, Severity};
pub use answer::{NotAnAnswer, RawFinding, parse};
pub use assessing::{DEADLINE, Judged, Model, NamedModel, ReviewFailed, judge};
pub use cases::{Case, CaseLanguage, CaseMessage, cases};
pub use consents::{Consents, Permitted, Status};
pub use conversation::Conversation;
pub use error::ReviewerError;
pub use figures::{ConcernFigures, ModelFigures};
pub use locating::{Finding, Located, locate};
pub use measuring::{
    CannotMeasure, Measured, Measuring, OrdinaryWeeks, PAUSE, TIMES, count_requests,
};
pub use not_reviewed::count_all_not_reviewed;
pub use pending::PendingConsent;
pub use request::{Request, Said};
pub use reviewing::Reviewing;
pub use revisions::add_revisions;
pub use settings::{
    InvalidBudget, NamedReviewer, NoModel, ReviewerServer, ReviewerSettings, TokenBudget,
};
pub use turns::FairScheduler;

/// The field of how much of a session was reviewed, while the session is in no list.
const TAKEN_OUT: &str = "reviewer_reviewed";

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &store::NOT_RESTORED,
    triggers: &triggers::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Part("reviewer", || store::SHARED.to_vec())],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        take_out: |change, access, session, taken| {
            let reviewed = store::take_out(change, access.child(), session)?;
            taken.set(TAKEN_OUT, reviewed.as_ref());
            Ok(())
        },
        put_back: |change, access, facts, taken| {
            access.confirm(change)?;
            if let Some(mut reviewed) = taken.get::<Reviewed>(TAKEN_OUT)? {
                let (child, session) = (access.child(), facts.session);
                reviewed.add_all_waiting(&store::reviewed(change, child, session)?);
                store::put_reviewed(change, child, session, &reviewed)?;
            }
            Ok(())
        },
        keys: &store::KEYS,
        erase_batch: |_, _, _| Ok(false),
    }),
    child_fields: &[],
    session_fields: &[],
};

/// The service. Clones share it.
#[derive(Clone)]
pub struct Reviewer {
    pub consents: Consents,
    pub reviewing: Reviewing,
}

/// The figures of a model at a host; `None` if it was not tested, or they are unreadable.
pub fn figures_of(view: &impl Read, model: &Model) -> Result<Option<ModelFigures>, StoreError> {
    store::figures(view, &model.name, &model.host())
}

/// Stores the figures of a model. Replaces those of the same model at the same host.
pub fn write_figures(change: &mut Change, figures: &ModelFigures) -> Result<(), StoreError> {
    store::put_figures(change, figures)
}
