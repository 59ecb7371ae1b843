//! The tests that call the app in their own process, and those that read the sources.
//!
//! They are one crate, so that the server is linked into it once; each file is a module of it or of `binary.rs`.
//!
//! Nothing in here may start another program. While one starts, it holds all files that this process has open, and with
//! them the lock of each data folder; a test that closes a folder and opens it again right then would find it in use.

mod access;
mod activities;
mod architecture;
mod bench_data;
mod blocked_topics;
mod contract;
mod damaged_records;
mod errors;
mod identity;
mod proofs;
mod provider;
mod quota;
mod server;
mod stored;
mod summary;
mod transcripts;
mod unreadable_rows;

mod support {
    pub mod family;
    pub mod files;
    pub mod provider;
    #[expect(dead_code, reason = "`binary.rs` uses the rest")]
    pub mod test_app;
}
