//! What all HTTP APIs share: errors, bodies, ids, origins, rate limits.

pub mod forwarding;
pub mod ids;
pub mod limit;
pub mod networks;
pub mod origin;
pub mod problem;
pub mod version;
pub mod wire;
