//! Porchlight.
pub mod activities;
pub mod admin;
pub mod app;
pub mod assistant;
pub mod children;
pub mod cli;
mod config;
pub mod identity;
pub mod kernel;
pub mod server;
pub mod transcripts;
