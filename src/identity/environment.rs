use crate::kernel::host::addresses::{Addresses, NamedAddress};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::limit::LimitMode;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::Store;
use crate::kernel::store::due::DueClock;

/// What services are built from.
#[derive(Clone)]
pub struct Environment {
    pub store: Store,
    pub clock: Clock,
    pub due: DueClock,
    pub randomness: Randomness,
    pub queue: Queue,
    pub public_url: PublicUrl,
    /// The home's name for https.
    pub named: Option<NamedAddress>,
    pub limits: LimitMode,
    /// The time zone of times in e-mails, and of children whose guardians have not chosen one.
    pub time_zone: Zone,
}

impl Environment {
    /// The URL to which a provider sends browsers back: most accept no plain http.
    pub fn provider_url(&self) -> &PublicUrl {
        let named = self.named.as_ref();
        named.map_or(&self.public_url, |named| &named.url)
    }

    pub fn addresses(&self) -> Addresses {
        Addresses {
            plain: self.public_url.clone(),
            named: self.named.clone(),
        }
    }
}
