//! What the machine provides: time, randomness, the home network; and plain values.

pub mod addresses;
pub mod clock;
pub mod daily_counter;
pub mod embedded;
pub mod home_network;
pub mod https_name;
pub mod language;
pub mod mounts;
pub mod name;
pub mod pieces;
pub mod public_url;
pub mod qr;
pub mod randomness;
pub mod reading_time;
pub mod secret;
pub mod text_file;
pub mod texts;
pub mod throttle;
pub mod words;
pub mod zones;
