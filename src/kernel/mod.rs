//! What all features depend on, without product rules: time, randomness, ids, the store, mail, and
//! the API's error type.

pub mod backup_state;
pub mod certificate;
pub mod clock;
pub mod daily_counter;
pub mod due;
pub mod forwarding;
pub mod handshake;
pub mod hmac_key;
pub mod home_network;
pub mod https;
pub mod ids;
pub mod limit;
pub mod mail;
pub mod mounts;
pub mod name;
pub mod ntfy;
pub mod origin;
pub mod pieces;
pub mod post;
pub mod problem;
pub mod public_url;
pub mod qr;
pub mod queue;
pub mod randomness;
pub mod reading_time;
pub mod secret;
pub mod store;
pub mod text_file;
pub mod version;
pub mod webhook;
pub mod wire;
pub mod words;
pub mod zones;
