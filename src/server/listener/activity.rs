//! What a connection is doing, and until when it may.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{sync::Notify, time::Instant};
use tokio_util::sync::CancellationToken;

use super::Limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Connected; nothing came yet.
    Silent,
    /// The beginning of a request came.
    Head,
    /// At least one request is being answered.
    Busy,
    /// All requests are answered.
    Idle,
}

struct State {
    phase: Phase,
    since: Instant,
    in_flight: usize,
    multiplexed: bool,
}

/// The phase of one connection, told by its socket and its requests, asked by its supervisor.
pub(super) struct Activity {
    state: Mutex<State>,
    changed: Notify,
    evicted: CancellationToken,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::new(State {
                phase: Phase::Silent,
                since: Instant::now(),
                in_flight: 0,
                multiplexed: false,
            }),
            changed: Notify::new(),
            evicted: CancellationToken::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, state: &mut State, phase: Phase) {
        state.phase = phase;
        state.since = Instant::now();
        self.changed.notify_one();
    }

    /// The time starts anew, as after a handshake.
    pub(super) fn restart(&self, multiplexed: bool) {
        let mut state = self.state();
        state.multiplexed = multiplexed;
        self.enter(&mut state, Phase::Silent);
    }

    /// Bytes came. While no request is in flight they begin one, except on HTTP/2, where windows
    /// and settings are exchanged at any time.
    pub(super) fn heard(&self) {
        let mut state = self.state();
        match state.phase {
            Phase::Silent => self.enter(&mut state, Phase::Head),
            Phase::Idle if !state.multiplexed => self.enter(&mut state, Phase::Head),
            Phase::Idle | Phase::Head | Phase::Busy => {}
        }
    }

    /// We asked the peer to leave; it gets the time of one head to do so.
    pub(super) fn asked_to_leave(&self) {
        let mut state = self.state();
        if state.phase != Phase::Busy {
            self.enter(&mut state, Phase::Head);
        }
    }

    pub(super) fn begin_request(self: &Arc<Self>) -> InFlight {
        let mut state = self.state();
        state.in_flight += 1;
        if state.phase != Phase::Busy {
            self.enter(&mut state, Phase::Busy);
        }
        drop(state);
        InFlight(Arc::clone(self))
    }

    pub(super) fn phase(&self) -> Phase {
        self.state().phase
    }

    /// When the present phase must be over; never for a request in flight.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let state = self.state();
        let allowed = match state.phase {
            Phase::Silent => limits.first_byte,
            Phase::Head => limits.head,
            Phase::Idle => limits.idle,
            Phase::Busy => return None,
        };
        Some(state.since + allowed)
    }

    /// Returns when the phase has changed since the last call returned.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Asks the connection to go, unless it has a request in flight.
    pub(super) fn evict(&self) -> bool {
        let waiting = self.state().in_flight == 0;
        if waiting {
            self.evicted.cancel();
        }
        waiting
    }

    pub(super) async fn evicted(&self) {
        self.evicted.cancelled().await;
    }
}

/// Held while a request is answered, to the last byte of the body.
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        if state.in_flight == 0 {
            self.0.enter(&mut state, Phase::Idle);
        }
    }
}
