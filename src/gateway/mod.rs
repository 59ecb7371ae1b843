//! An OpenAI-compatible address, and Ollama's, in front of the family's own model.
//!
//! A program that takes a base URL gets this one and an assistant's key. Each request gets the parents' rules in its prompt,
//! is passed on to the upstream that the administrator chose, and the child's transcript is kept.

pub mod api;
mod budget;
mod conversations;
mod error;
mod goodbye;
pub mod grouping;
mod model;
mod models;
mod prompt;
mod relay;
mod service;
mod store;
pub mod upstreams;

use crate::children::feature::{Feature, OfSession};

pub use budget::Budget;
pub use conversations::Conversations;
pub use error::{GatewayError, InDialect};
pub use service::{AT_A_TIME, Gateway};

pub static FEATURE: Feature = Feature {
    kinds: &[store::KINDS[0], store::KINDS[1], store::KINDS[2], budget::KIND],
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[],
    erase_some: |change, access| store::erase_some(change, access.child()),
    of_session: Some(OfSession {
        // A deleted session that is restored goes on; a moved one belongs to the child that it was opened for.
        take_out: |_, _, _, _| Ok(()),
        put_back: |_, _, _, _| Ok(()),
        erase_some: store::erase_of_session,
    }),
    child_fields: &[],
    session_fields: &[],
};
