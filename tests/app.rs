//! Tests that run the app in their own process or read the sources. Each file is a module of this crate or of `binary.rs`,
//! so that the server is linked only twice.
//!
//! No test here may start a program. A new process briefly inherits all open files, and with them the locks on the data
//! folders; a test that reopens its folder at that moment would find it locked.

mod access;
mod access_log;
mod activities;
mod addresses;
mod age;
mod agreements;
mod alerts;
mod architecture;
mod at_once;
mod attention;
mod bench_data;
mod blocked_topics;
mod child_notice;
mod connections;
mod contract;
mod conversation_starters;
mod damaged_records;
mod deleting_children;
mod deletions;
mod deliveries;
mod due_dates;
mod error_codes;
mod errors;
mod events;
mod gateway;
mod household;
mod identity;
mod invitations;
mod judged_alerts;
mod language;
mod languages;
mod measured;
mod metrics;
mod model_choice;
mod models;
mod moved_sessions;
mod named_guardians;
mod new_sign_ins;
mod not_child;
mod not_kept;
mod notifications;
mod ntfy_and_webhook;
mod pages;
mod pairing;
mod plugin_download;
mod promises;
mod provider;
mod push;
mod quota;
mod receipts;
mod recordings;
mod retention;
mod retention_model;
mod retention_period;
mod reviewer;
mod reviewing;
mod rules;
mod schedule;
mod search;
mod seeding;
mod server;
mod service_worker;
mod setup;
mod step_up;
mod stored;
mod strangers;
mod summary;
mod talk_status;
mod transcripts;
mod tries;
mod two_addresses;
mod unicode;
mod unreadable_rows;
mod waiting;
mod ways_in;
mod weekly;
mod words;

mod support {
    pub mod contract;
    pub mod device;
    pub mod family;
    pub mod features;
    pub mod files;
    pub mod gateway_client;
    pub mod operations;
    pub mod provider;
    pub mod requests;
    pub mod reviewing;
    pub mod tables;
    pub mod test_app;
    pub mod upstream;
}

/// What each feature's test file says of its tables and operations, for the tests of all of them.
static FACTS: &[&support::features::Facts] = &[
    &access_log::FACTS,
    &activities::FACTS,
    &addresses::FACTS,
    &age::FACTS,
    &alerts::FACTS,
    &attention::FACTS,
    &blocked_topics::FACTS,
    &child_notice::FACTS,
    &conversation_starters::FACTS,
    &deliveries::FACTS,
    &gateway::FACTS,
    &household::FACTS,
    &identity::FACTS,
    &invitations::FACTS,
    &judged_alerts::FACTS,
    &language::FACTS,
    &languages::FACTS,
    &model_choice::FACTS,
    &models::FACTS,
    &moved_sessions::FACTS,
    &not_child::FACTS,
    &notifications::FACTS,
    &pairing::FACTS,
    &provider::FACTS,
    &push::FACTS,
    &quota::FACTS,
    &receipts::FACTS,
    &retention::FACTS,
    &retention_period::FACTS,
    &reviewer::FACTS,
    &rules::FACTS,
    &schedule::FACTS,
    &search::FACTS,
    &setup::FACTS,
    &step_up::FACTS,
    &summary::FACTS,
    &transcripts::FACTS,
    &tries::FACTS,
    &weekly::FACTS,
];
