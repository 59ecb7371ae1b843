//! What `porchlight check` tells, and what else is known of the server.

use serde::{Deserialize, Serialize};

use super::AdminError;
use super::changing::change;
use super::operation::{Operation, Reports};
use super::target::OpenStore;
use crate::alerts::reviewer::count_all_not_reviewed;
use crate::app::App;
use crate::assistants::deliveries::RefusedDeliveries;
use crate::conversations::transcripts::{NotKeptTotal, count_not_kept};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::forwarding::SeenFault;
use crate::kernel::store::backup_state::ScheduleState;
use crate::kernel::store::{Change, Purpose};
use crate::notifications::{NotArriving, not_arriving};

#[derive(Serialize, Deserialize)]
pub struct GetBackupState;

impl Operation for GetBackupState {
    type Answer = ScheduleState;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<ScheduleState, AdminError> {
        Ok(ScheduleState::of(&on.store)?)
    }
}

/// Returns whether removed data is still in the store's files.
#[derive(Serialize, Deserialize)]
pub struct FindTraces;

impl Operation for FindTraces {
    type Answer = bool;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<bool, AdminError> {
        Ok(on.store.required_compaction()?.soon)
    }
}

/// Returns how many delivered messages could not be stored, for each reason that occurred.
#[derive(Serialize, Deserialize)]
pub struct CountNotKept;

impl Operation for CountNotKept {
    type Answer = Vec<NotKeptTotal>;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<Self::Answer, AdminError> {
        Ok(count_not_kept(&on.store)?)
    }
}

/// Returns how many conversations of the last 30 days were not reviewed.
#[derive(Serialize, Deserialize)]
pub struct CountNotReviewed;

impl Operation for CountNotReviewed {
    type Answer = u64;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<u64, AdminError> {
        Ok(count_all_not_reviewed(&on.store, on.clock.now())?)
    }
}

/// Returns the channels by which no messages arrive.
#[derive(Serialize, Deserialize)]
pub struct ListNotArriving;

impl Operation for ListNotArriving {
    type Answer = Vec<NotArriving>;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<Self::Answer, AdminError> {
        Ok(not_arriving(&on.store)?)
    }
}

/// Returns the faults in trusted proxies' headers since the server started.
#[derive(Serialize, Deserialize)]
pub struct ListForwardingFaults;

impl Operation for ListForwardingFaults {
    type Answer = Vec<SeenFault>;

    async fn run(self, on: &OpenStore, _: &Reports) -> Result<Self::Answer, AdminError> {
        let seen = on.app.as_ref().map(|app| app.forwarding.seen());
        Ok(seen.unwrap_or_default())
    }
}

#[derive(Serialize, Deserialize)]
pub struct GetClockState;

/// What waits until the clock is trusted.
#[derive(Serialize, Deserialize)]
pub struct ClockState {
    /// How many more seconds the server must run until something becomes due by date.
    pub due_waits_seconds: Option<u64>,
    pub refused: Option<RefusedDeliveries>,
}

impl Operation for GetClockState {
    type Answer = ClockState;

    async fn run(self, app: &App, _: &Reports) -> Result<ClockState, AdminError> {
        let latest = &app.assistant.latest;
        Ok(ClockState {
            due_waits_seconds: app.due.waits().map(|waits| waits.as_secs()),
            refused: latest.refused(&app.store, app.clock.now())?,
        })
    }
}

/// Accepts the clock, although it shows a time before something that was delivered. Returns that time.
#[derive(Serialize, Deserialize)]
pub struct AcceptClock;

impl Operation for AcceptClock {
    type Answer = Timestamp;

    async fn run(self, app: &App, _: &Reports) -> Result<Timestamp, AdminError> {
        let accept = |app: &App, change: &mut Change| {
            let now = app.assistant.accept_clock(change)?;
            app.due.accept(change)?;
            Ok(now)
        };
        change(app, Purpose::Essential, accept).await
    }
}

#[derive(Serialize, Deserialize)]
pub struct GetPublicUrl;

impl Operation for GetPublicUrl {
    type Answer = PublicUrl;
    const TELLS_URL: bool = true;

    async fn run(self, app: &App, _: &Reports) -> Result<PublicUrl, AdminError> {
        Ok(app.identity.public_url().clone())
    }
}

#[derive(Serialize, Deserialize)]
pub struct CheckReady;

impl Operation for CheckReady {
    type Answer = bool;

    async fn run(self, app: &App, _: &Reports) -> Result<bool, AdminError> {
        Ok(app.is_ready())
    }
}
