//! Porchlight.
pub mod activities;
pub mod app;
pub mod assistant;
pub mod blocked_topics;
pub mod children;
pub mod identity;
pub mod kernel;
pub mod server;
pub mod summary;
pub mod transcripts;
