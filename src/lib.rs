//! Porchlight.
pub mod activities;
pub mod children;
pub mod identity;
pub mod kernel;
pub mod transcripts;
