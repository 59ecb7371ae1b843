//! Tests that start the real binary or another program. Tests that reopen a data folder in their own process belong in
//! `app.rs`, which says why.

mod access_log_written;
mod at_home;
mod backup;
mod cli;
mod clock_jumps;
mod deletion_kills;
mod disk_full;
mod documents;
mod durability;
mod failed_sync;
mod faults;
mod first_run;
mod gateway_clients;
mod gateway_log;
mod https_at_home;
mod installed;
mod licences;
mod limits;
mod mail;
mod notify;
mod plain_http;
mod power_cut;
mod proxies;
mod push_service;
mod reviewer_command;
mod rules_agree;
mod settings;
mod slow_clients;
mod soak;
mod tries_command;
mod units;
mod upstream_commands;
mod versions;

mod support {
    pub mod connection;
    pub mod contract;
    pub mod disk;
    pub mod documents;
    pub mod faketime;
    pub mod files;
    #[expect(dead_code, reason = "the tests of the app use all of it")]
    pub mod gateway_client;
    pub mod load;
    pub mod process;
    pub mod qr;
    #[expect(dead_code, reason = "the tests of the app use all of it")]
    pub mod reviewing;
    #[expect(dead_code, reason = "`limits` and `mail` use a part of it")]
    pub mod test_app;
    pub mod trace;
    #[expect(dead_code, reason = "the tests of the app use all of it")]
    pub mod upstream;
    pub mod worker_state;
}
