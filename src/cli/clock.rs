//! `porchlight clock accept`

use clap::Subcommand;

use crate::admin::Request;

/// What is done about the clock.
#[derive(Subcommand)]
pub enum Clock {
    /// Take the clock for right, although it stands before something that assistants delivered
    Accept,
}

impl From<Clock> for Request {
    fn from(command: Clock) -> Self {
        match command {
            Clock::Accept => Self::AcceptClock,
        }
    }
}
