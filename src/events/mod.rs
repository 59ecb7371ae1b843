//! Event streams: an open page is notified of a child's changes, and refetches what changed.
//!
//! An event names what changed and carries no data, so permissions and formats stay with the ordinary endpoints. Events come
//! from the store's change feed, after the sync. Each stream keeps a set of the changes since its last event, so a burst
//! becomes a few events; an idle stream gets its event at once. After a gap in the feed, an event says that anything may have
//! changed.
//!
//! A stream outlives the token that opened it. Instead, it checks that its guardian is still signed in and still has the child
//! whenever a sign-in, an access or something of the child was written, and ends otherwise.

pub mod api;
mod changed;
mod streams;
mod tables;

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use crate::assistants::deliveries::Connections;
use crate::children::feature::Shown;
use crate::children::{ChildAccess, ChildId, Children};
use crate::identity::{OtherDevices, SignIns, SignedIn};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::Store;

pub use changed::{Changed, What};

use streams::{Registration, Streams};

/// The limit of open streams per guardian. Only visible pages hold one, so this covers a dozen screens, and five guardians
/// behind one address stay within its connection limit.
const MAX_PER_GUARDIAN: usize = 12;

/// The minimum time between two batches of events of one stream.
const GAP: Duration = Duration::from_millis(100);

/// How often an idle stream checks whether it may stay open: a sign-in expires without a write.
const RECHECK: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventsError {
    #[error(
        "You have more pages open at once than Porchlight keeps up to date. Close some, and this one goes on by itself."
    )]
    TooMany,
    #[error("Porchlight is being stopped. Please try again in a moment.")]
    Stopping,
}

refusals! {
    EventsError {
        TooMany => too_many(TooManyPagesOpen, 30),
        Stopping => not_now(Stopping, 5),
    }
}

#[derive(Clone)]
pub struct Events {
    streams: Streams,
    children: Children,
    sign_ins: SignIns,
}

impl Events {
    /// Starts following the store's feed, until the store is dropped, and the devices' step-up requests and the assistants'
    /// connections.
    pub fn start(
        store: &Store,
        children: Children,
        sign_ins: SignIns,
        devices: &OtherDevices,
        connections: &Connections,
        shown: impl Iterator<Item = &'static Shown>,
    ) -> Self {
        let streams = Streams::default();
        streams.follow(store, shown.collect());
        streams.follow_devices(devices.changes());
        streams.follow_connections(connections.changes());
        Self {
            streams,
            children,
            sign_ins,
        }
    }

    /// Opens a stream of this child's changes from now on.
    pub fn open(
        &self,
        guardian: SignedIn,
        access: &ChildAccess,
    ) -> Result<EventStream, EventsError> {
        let child = access.child();
        let place = self.streams.open(guardian.guardian(), child)?;
        Ok(EventStream {
            events: self.clone(),
            place,
            child,
            guardian,
            not_before: Instant::now(),
        })
    }

    /// Ends all streams and refuses new ones.
    pub fn stop(&self) {
        self.streams.stop();
    }
}

pub struct EventStream {
    events: Events,
    place: Registration,
    child: ChildId,
    guardian: SignedIn,
    not_before: Instant,
}

impl EventStream {
    /// How long the child hasn't changed, as far as known: at most since the server started.
    pub fn unchanged_for(&self) -> Duration {
        self.events.streams.unchanged_for(self.child)
    }

    /// Waits for the next changes. `None` once the stream has ended: the server is stopping, or the guardian has lost the
    /// sign-in or the child.
    pub async fn next(&mut self) -> Option<Vec<Changed>> {
        sleep_until(self.not_before).await;
        loop {
            let _ = timeout(RECHECK, self.place.woken()).await;
            let changed = self.place.value.take();
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
        // If access can't be determined, end the stream.
        !self.events.streams.is_stopped()
            && self.events.sign_ins.holds(&self.guardian).unwrap_or(false)
            && self.events.children.of(&self.guardian, self.child).is_ok()
    }
}
