//! `porchlight clock accept`

use clap::Subcommand;

use super::{Context, Outcome};
use crate::admin::{AcceptClock, ClockState};
use crate::assistants::deliveries::RefusedDeliveries;

#[derive(Subcommand)]
pub enum Clock {
    /// Trust the clock, although it is before the time of stored data, or was set recently
    Accept,
}

pub async fn run(context: &Context, Clock::Accept: Clock) -> Outcome {
    let accepted = context.ask(AcceptClock, |now| {
        format!(
            "It is {now}: assistants can deliver again, if they could not, and what is due by date takes effect.\n"
        )
    });
    accepted.await
}

/// What is postponed until the clock is trusted, in sentences.
pub fn sentences(state: &ClockState) -> Vec<String> {
    let waits = state.due_waits_seconds.map(|seconds| {
        let hours = seconds.div_ceil(60 * 60);
        format!(
            "This machine's clock was set, or much time passed while the server was off. So nothing is deleted by date until \
             the server has run for {hours} more hours. If the clock is right: porchlight clock accept"
        )
    });
    let refused = state.refused.as_ref().map(|refused| {
        let RefusedDeliveries { latest, count } = refused;
        format!(
            "Deliveries are refused ({count} so far): this machine's clock stands before {latest}, when something was \
             delivered. Set the clock. If it is right: porchlight clock accept"
        )
    });
    waits.into_iter().chain(refused).collect()
}
