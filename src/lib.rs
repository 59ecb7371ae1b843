//! Porchlight: a parent's view of what a child and a voice assistant talk about, in one binary.
//!
//! The code is cut by feature, and the features form a staircase: each may use what stands below it and
//! nothing beside or above. A test (`tests/architecture.rs`) checks this, the kernel's own staircase, and that no files use each
//! other in a circle.
//!
//! ```text
//! main
//!  └ cli              one file per command; speaks to people and programs
//!     └ admin         the administrator's operations, in this process or over the data folder's socket
//!     └ server        listener, envelope of errors, headers, hosts, the embedded React app, Swagger UI
//!        └ app        the composition root: everything is built here, in this order from below
//!           └ events           the streams that tell an open page what changed; stores nothing
//!           └ household        what a guardian may arrange in the browser; stores what waits for others, and how much a day
//!           └ assistant        the voice assistants' calls: joins the features, stores only quotas
//!              └ search             finds words in what was said: reads transcripts, stores nothing
//!              └ metrics            what is measured of a child's days: reads the tallies below, stores nothing
//!              └ keeping            moves and erases sessions, 'Recently erased', a copy: joins the features below
//!              └ rules              what an assistant must follow, its versions and receipts: joins the features below
//!                 └ activities summary transcripts times context blocked_topics      never each other
//!                    └ children            who may see whom; mints ChildAccess, the proof; who changed what
//!                       └ identity         who is calling: guardians, links, tokens, assistants' keys
//!                          └ kernel        no product rule: ids, clock, randomness, store, mail, errors
//! ```
//!
//! Inside a feature, always in this order: `mod.rs` (what it is for, its error, its façade), `api.rs` (wire
//! types and handlers, the only file that knows poem), rule files (pure functions and types), `store.rs`
//! (its records).
//!
//! A request passes [`server`] (deadlines, size, headers), `SignedIn` ([`identity`]: who), `ChildAccess`
//! ([`children`]: may they), a façade (the rules) and a store (one commit, on the disk), each once.

#![warn(clippy::unwrap_used)]

pub mod activities;
pub mod admin;
pub mod app;
pub mod assistant;
pub mod blocked_topics;
pub mod children;
pub mod cli;
mod config;
pub mod context;
pub mod events;
pub mod household;
pub mod identity;
pub mod keeping;
pub mod kernel;
pub mod metrics;
pub mod rules;
pub mod search;
pub mod server;
pub mod summary;
pub mod times;
pub mod transcripts;
