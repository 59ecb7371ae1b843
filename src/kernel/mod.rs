//! What all features depend on, without product rules. Its parts know each other only downwards: `http`, `outgoing`, `store`, `host`.

pub mod host;
pub mod http;
pub mod outgoing;
pub mod store;
