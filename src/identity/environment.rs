use crate::kernel::clock::Clock;
use crate::kernel::due::DueClock;
use crate::kernel::limit::LimitMode;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::queue::Queue;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::Store;
use crate::kernel::zones::Zone;

/// What the services of this module are built from.
#[derive(Clone)]
pub struct Environment {
    pub store: Store,
    pub clock: Clock,
    pub due: DueClock,
    pub randomness: Randomness,
    pub queue: Queue,
    pub public_url: PublicUrl,
    pub limits: LimitMode,
    /// The time zone of times in e-mails.
    pub time_zone: Zone,
}
