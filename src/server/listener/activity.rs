//! The phase of a connection, and its deadline.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::ConnectionLimits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Connected; nothing was received yet.
    Silent,
    /// The beginning of a request was received.
    Head,
    /// A request is being answered.
    Busy,
    /// Each request was answered.
    Idle,
}

struct State {
    phase: Phase,
    since: Instant,
}

impl State {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
    }
}

/// The phase of one connection. Its socket and its requests update it; its supervisor reads it.
pub(super) struct Activity {
    state: Mutex<State>,
    evicted: CancellationToken,
}

impl Activity {
    /// `evicted` closes only this connection.
    pub(super) fn new(evicted: CancellationToken) -> Self {
        Self {
            state: Mutex::new(State {
                phase: Phase::Silent,
                since: Instant::now(),
            }),
            evicted,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Restarts the deadline, for example after a handshake.
    pub(super) fn restart(&self) {
        self.state().enter(Phase::Silent);
    }

    /// Bytes were received. While no request is in flight they begin one.
    pub(super) fn heard(&self) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Silent | Phase::Idle) {
            state.enter(Phase::Head);
        }
    }

    pub(super) fn begin_request(self: &Arc<Self>) -> InFlight {
        self.state().enter(Phase::Busy);
        InFlight(Arc::clone(self))
    }

    /// Returns once a phase has lasted too long, with that phase. It isn't woken when a phase begins, but looks at least as
    /// often as the shortest one may last, so it never misses a deadline.
    pub(super) async fn overdue(&self, limits: &ConnectionLimits) -> Phase {
        let shortest = limits.first_byte.min(limits.head).min(limits.idle);
        loop {
            let (phase, since) = {
                let state = self.state();
                (state.phase, state.since)
            };
            let allowed = match phase {
                Phase::Silent => Some(limits.first_byte),
                Phase::Head => Some(limits.head),
                Phase::Idle => Some(limits.idle),
                Phase::Busy => None,
            };
            let now = Instant::now();
            let deadline = allowed.map(|allowed| since + allowed);
            if deadline.is_some_and(|deadline| deadline <= now) {
                return phase;
            }
            let next = now + shortest;
            sleep_until(deadline.map_or(next, |deadline| deadline.min(next))).await;
        }
    }

    /// Since when no request has been in flight; `None` while one is.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.phase != Phase::Busy).then_some(state.since)
    }

    /// Asks the connection to close, unless a request is in flight; returns whether it did.
    pub(super) fn evict(&self) -> bool {
        let waiting = self.state().phase != Phase::Busy;
        if waiting {
            self.evicted.cancel();
        }
        waiting
    }

    /// Asks the connection to close in any phase. `false` if it was asked before.
    pub(super) fn evict_busy(&self) -> bool {
        let is_first = !self.evicted.is_cancelled();
        self.evicted.cancel();
        is_first
    }

    #[cfg(test)]
    pub(super) fn is_evicted(&self) -> bool {
        self.evicted.is_cancelled()
    }

    /// Returns when the connection must close: it was evicted, or the server shuts down.
    pub(super) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }
}

/// Held while a request is answered, to the last byte of the body.
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.state().enter(Phase::Idle);
    }
}
