//! What is computed from conversations: the summary, metrics and activities.

pub mod activities;
pub mod metrics;
pub mod summary;
