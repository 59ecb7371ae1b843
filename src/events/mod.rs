//! The streams of events: an open page is told what changed of a child, and refetches it.
//!
//! An event says what changed and not what was said, so that permission and shape stay with the ordinary calls. Events come
//! from the store's feed, after the sync. Each stream keeps a set of what changed since its last event, so that a burst is a
//! few events; a stream that is idle gets its event at once. After a gap in the feed the event says that anything may have
//! changed.
//!
//! A stream outlives the token that it was opened with. Instead, it checks again and again whether its guardian's sign-in holds
//! and the guardian still has the child, and ends when one of them doesn't.

pub mod api;
mod changed;
mod streams;
mod tables;

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use crate::children::{ChildAccess, Children};
use crate::identity::{OtherDevices, SignIns, SignedIn};
use crate::kernel::problem::Refusal;
use crate::kernel::store::Store;

pub use changed::{Changed, What};

use streams::{Place, Streams};

/// How many streams one guardian may have open. Only a visible page has one, so these are a dozen screens; five guardians behind
/// one address stay within the connections that it may hold.
const MAX_PER_GUARDIAN: usize = 12;

/// The least time between two batches of events of one stream.
const GAP: Duration = Duration::from_millis(100);

/// How often a stream without events checks whether it may go on.
const RECHECK: Duration = Duration::from_millis(500);

/// Why a stream isn't opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventsError {
    /// The guardian has as many as one may.
    #[error(
        "You have more pages open at once than Porchlight keeps up to date. Close some, and this one goes on by itself."
    )]
    TooMany,
    /// The server stops.
    #[error("Porchlight is being stopped. Please try again in a moment.")]
    Stopping,
}

impl From<EventsError> for Refusal {
    fn from(error: EventsError) -> Self {
        match error {
            EventsError::TooMany => Self::too_many(error.to_string(), 30),
            EventsError::Stopping => Self::not_now(error.to_string(), 5),
        }
    }
}

/// The events' façade. Clones share it.
#[derive(Clone)]
pub struct Events {
    streams: Streams,
    children: Children,
    sign_ins: SignIns,
}

impl Events {
    /// Begins to follow the store's feed, for as long as there is the store, and what devices ask.
    pub fn start(
        store: &Store,
        children: Children,
        sign_ins: SignIns,
        devices: &OtherDevices,
    ) -> Self {
        let streams = Streams::default();
        streams.follow(store);
        streams.follow_devices(devices.changes());
        Self {
            streams,
            children,
            sign_ins,
        }
    }

    /// Opens a stream of what changes of this child from now on.
    pub fn open(
        &self,
        guardian: SignedIn,
        access: &ChildAccess,
    ) -> Result<EventStream, EventsError> {
        let place = self.streams.open(guardian.guardian(), access.child())?;
        Ok(EventStream {
            events: self.clone(),
            place,
            guardian,
            not_before: Instant::now(),
        })
    }

    /// Ends all streams, and opens no further one.
    pub fn stop(&self) {
        self.streams.stop();
    }
}

/// An open stream.
pub struct EventStream {
    events: Events,
    place: Place,
    guardian: SignedIn,
    not_before: Instant,
}

impl EventStream {
    /// How long before now something of the child changed last, as far as is known: at least since the server's start.
    pub fn unchanged_for(&self) -> Duration {
        self.events.streams.unchanged_for(self.place.child())
    }

    /// Waits for what changes next. `None` once the stream has ended: the server stops, or the guardian has lost the sign-in or
    /// the child.
    pub async fn next(&mut self) -> Option<Vec<Changed>> {
        sleep_until(self.not_before).await;
        loop {
            // Either way: whether it may go on is asked at least this often.
            let _ = timeout(RECHECK, self.place.woken()).await;
            let changed = self.place.take();
            if !self.may_go_on() {
                return None;
            }
            if !changed.is_empty() {
                self.not_before = Instant::now() + GAP;
                return Some(changed);
            }
        }
    }

    fn may_go_on(&self) -> bool {
        // What cannot be read grants nothing.
        !self.events.streams.is_stopped()
            && self.events.sign_ins.holds(&self.guardian).unwrap_or(false)
            && self
                .events
                .children
                .of(&self.guardian, self.place.child())
                .is_ok()
    }
}
