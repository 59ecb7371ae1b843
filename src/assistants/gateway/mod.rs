//! A proxy with OpenAI's and Ollama's chat APIs in front of the family's own model.
//!
//! A program is configured with this server as its base URL, and with an assistant's key. The gateway adds the parents' rules to
//! the prompt of each request, forwards it to the upstream that the administrator chose, and stores the child's transcript.

mod address;
mod answer;
pub mod api;
mod body;
mod budget;
mod child_selection;
mod client_prompt;
mod conversations;
mod dialect;
mod error;
mod exchange;
mod goodbye;
pub mod grouping;
mod large;
mod load;
mod models;
mod origins;
mod relay;
mod response;
mod service;
mod slots;
mod store;
mod stored_texts;
pub mod trial;
mod upstream_response;

use crate::children::feature::{Feature, OfSession};

pub use answer::AnswerReader;
pub use budget::Budget;
pub use child_selection::child_suffixes;
pub use conversations::Conversations;
pub use error::GatewayError;
pub use exchange::Patience;
pub use origins::{Origin, Origins, allow, preflight};
pub use service::Gateway;
pub use slots::AT_A_TIME;

pub static FEATURE: Feature = Feature {
    kinds: &[
        store::KINDS[0],
        store::KINDS[1],
        store::KINDS[2],
        stored_texts::KINDS[0],
        stored_texts::KINDS[1],
        budget::KIND,
        client_prompt::KIND,
    ],
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[],
    erase_batch: |change, access| {
        let child = access.child();
        Ok(store::erase_batch(change, child)?
            || stored_texts::erase_batch(change, child)?
            || client_prompt::erase_batch(change, child)?)
    },
    of_session: Some(OfSession {
        // A restored session continues. A moved one stays with the child that it was opened for.
        take_out: |_, _, _, _| Ok(()),
        put_back: |_, _, _, _| Ok(()),
        keys: &[store::KEYS[0], store::KEYS[1], client_prompt::KEY],
        erase_batch: |change, child, session| {
            Ok(store::erase_of_session(change, child, session)?
                || client_prompt::erase_of_session(change, child, session)?)
        },
    }),
    child_fields: &[],
    session_fields: &[],
};
