//! An OpenAI-compatible address, and Ollama's, in front of the family's own model.
//!
//! A program that takes a base URL gets this one and an assistant's key. Each request gets the parents' rules in its prompt,
//! is passed on to the upstream that the administrator chose, and the child's transcript is kept.

pub mod grouping;
pub mod upstreams;

use crate::children::feature::Feature;

/// It stores nothing of a child or a session.
pub static FEATURE: Feature = Feature {
    kinds: &upstreams::KINDS,
    not_restored: &[],
    consequences: &upstreams::CONSEQUENCES,
    backfills: &[],
    shown: &[],
    erase_some: |_, _| Ok(false),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};
