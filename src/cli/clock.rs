//! `porchlight clock accept`

use clap::Subcommand;

use crate::admin::Request;
use crate::assistant::RefusedDeliveries;

#[derive(Subcommand)]
pub enum Clock {
    /// Trust the clock, although it is before the time of stored data, or was set recently
    Accept,
}

impl From<Clock> for Request {
    fn from(command: Clock) -> Self {
        match command {
            Clock::Accept => Self::AcceptClock,
        }
    }
}

/// What is postponed until the clock is trusted, in sentences.
pub fn sentences(
    due_waits_seconds: Option<u64>,
    refused: Option<&RefusedDeliveries>,
) -> Vec<String> {
    let waits = due_waits_seconds.map(|seconds| {
        let hours = seconds.div_ceil(60 * 60);
        format!(
            "This machine's clock was set, or much time passed while the server was off. So nothing is deleted by date until \
             the server has run for {hours} more hours. If the clock is right: porchlight clock accept"
        )
    });
    let refused = refused.map(|refused| {
        let RefusedDeliveries { latest, count } = refused;
        format!(
            "Deliveries are refused ({count} so far): this machine's clock stands before {latest}, when something was \
             delivered. Set the clock. If it is right: porchlight clock accept"
        )
    });
    waits.into_iter().chain(refused).collect()
}
