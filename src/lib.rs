//! Porchlight: a parent's view of what a child and a voice assistant talk about, in one binary.
//!
//! The code is cut by feature, and the features form layers: each may use the layers below it, but
//! nothing beside or above it. A test (`tests/architecture.rs`) checks this, the kernel's own layers, and that no files depend
//! on each other in a cycle.
//!
//! ```text
//! main
//!  └ cli              one file per command; human-readable and JSON output
//!     └ admin         the administrator's operations, in this process or over the data folder's socket
//!     └ server        listener, envelope of errors, headers, hosts, the embedded React app, Swagger UI
//!        └ app        the composition root: everything is built here, in this order from the bottom
//!           └ events           the streams that tell an open page what changed; stores nothing
//!           └ subscriptions    what guardians are notified of, and when; on top of alerts
//!           └ household        what a guardian may manage in the browser; stores pending requests and daily quotas
//!           └ reviewer         a model of the family's own that points at messages; on top of gateway and alerts
//!           └ gateway          an OpenAI-compatible address in front of the family's model; on top of assistant
//!           └ assistant        the voice assistants' API: combines the features, stores only quotas
//!              └ curious            what a child asked about in a week, for its parents; on top of alerts
//!              └ alerts             watched phrases and other facts, for each guardian; on top of retention
//!              └ search             full-text search of transcripts; stores nothing
//!              └ metrics            statistics about a child's conversations; reads the tallies below, stores nothing
//!              └ retention          moves, keeps and deletes sessions, 'Recently deleted', exports; combines the features below
//!              └ rules              what an assistant must follow, its versions and receipts; combines the features below
//!                 └ activities summary transcripts times context blocked_topics for_child looks (independent of each other)
//!                    └ children            access to children; creates ChildAccess, the proof; the change history
//!                       └ identity         who is calling: guardians, links, tokens, assistants' keys
//!                          └ kernel        no product rules: ids, clock, randomness, store, mail, errors
//! ```
//!
//! A feature consists of: `mod.rs` (its purpose, its error, its service), `api.rs` (wire
//! types and handlers, the only file that uses poem), rule files (pure functions and types), `store.rs`
//! (its records).
//!
//! A request passes [`server`] (deadlines, size, headers), `SignedIn` ([`identity`]: authentication), `ChildAccess`
//! ([`children`]: authorization), a service (the rules) and a store (one synced commit), each once.

#![warn(clippy::unwrap_used)]

pub mod activities;
pub mod admin;
pub mod alerts;
pub mod app;
pub mod assistant;
pub mod blocked_topics;
pub mod children;
pub mod cli;
mod config;
pub mod context;
pub mod curious;
pub mod events;
pub mod for_child;
pub mod gateway;
pub mod household;
pub mod identity;
pub mod kernel;
pub mod looks;
pub mod metrics;
pub mod retention;
pub mod reviewer;
pub mod rules;
pub mod search;
pub mod server;
pub mod subscriptions;
pub mod summary;
pub mod times;
pub mod transcripts;
