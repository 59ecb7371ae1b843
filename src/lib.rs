//! Porchlight: a parent's view of what a child and a voice assistant talk about, in one binary.
//!
//! The code is cut by feature, and the features form layers. `docs/architecture.md` lists them, and what each is for; a test checks
//! that none uses what is above it.
//!
//! A feature consists of: `mod.rs` (its purpose, its error, its service), `api.rs` (wire
//! types and handlers, the only file that uses poem), rule files (pure functions and types), `store.rs`
//! (its records).
//!
//! A request passes [`server`] (deadlines, size, headers), `SignedIn` ([`identity`]: authentication), `ChildAccess`
//! ([`children`]: authorization), a service (the rules) and a store (one synced commit), each once. An assistant's request
//! passes `SignedAssistant` and `AssistantAccess` instead. The gateway's bodies pass through as bytes: it answers with hyper's types.

#![warn(clippy::unwrap_used)]

pub mod admin;
pub mod alerts;
pub mod app;
pub mod assistants;
pub mod attention;
pub mod children;
pub mod cli;
mod config;
pub mod conversation_starters;
pub mod conversations;
pub mod events;
pub mod household;
pub mod identity;
pub mod insights;
pub mod kernel;
pub mod models;
pub mod notifications;
pub mod retention;
pub mod rules;
pub mod server;
pub mod tries;
