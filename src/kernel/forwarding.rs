//! What trusted proxies handed over that a proxy which writes `X-Forwarded-For` itself cannot have sent.
//!
//! A proxy that passes the client's own header on cannot be told from a good one by a single forged header:
//! what stands there is an address in both. But it gives itself away by every honest request, which has no
//! such header, and by every forged one that isn't an address that a client can have.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// What is wrong with a forwarded chain of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardingFault {
    /// There is none.
    Missing,
    /// Where a trusted proxy writes the address that it saw, there is no address.
    NoAddress,
    /// It is an address that nobody can connect from: unspecified, multicast or broadcast.
    Impossible,
}

impl ForwardingFault {
    const ALL: [Self; 3] = [Self::Missing, Self::NoAddress, Self::Impossible];

    /// What it means, for the administrator.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Missing => {
                "A trusted proxy (--trusted-proxy) handed over a request without X-Forwarded-For. A proxy that \
                 does not set this header passes on what clients write there, and so lets them past the limits. \
                 Let it set the header to the client's address, as the samples in the README do. (A program on \
                 the proxy's own machine that asks Porchlight directly is seen like this, too.)"
            }
            Self::NoAddress => {
                "A trusted proxy (--trusted-proxy) handed over an X-Forwarded-For that does not end in an address. \
                 Either the proxy hides its clients, and then they share the limits of one household, or it passes \
                 on what they write. Let it set the header to the client's address, as the samples in the README do."
            }
            Self::Impossible => {
                "A trusted proxy (--trusted-proxy) handed over an X-Forwarded-For with an address that nobody can \
                 connect from, so it passes on what clients write there, and lets them past the limits. Let it set \
                 the header to the client's address, as the samples in the README do."
            }
        }
    }
}

/// How often a fault was seen since the server started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFault {
    /// Which one.
    pub fault: ForwardingFault,
    /// In how many requests.
    pub requests: u64,
}

/// Counts faults. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct ForwardingFaults(Arc<[AtomicU64; 3]>);

impl ForwardingFaults {
    /// Counts a fault; the first of its kind is logged. The log names no address.
    pub fn note(&self, fault: ForwardingFault) {
        if self.0[fault as usize].fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!("{}", fault.sentence());
        }
    }

    /// Those that were seen.
    pub fn seen(&self) -> Vec<SeenFault> {
        let counted = ForwardingFault::ALL.map(|fault| SeenFault {
            fault,
            requests: self.0[fault as usize].load(Ordering::Relaxed),
        });
        counted
            .into_iter()
            .filter(|seen| seen.requests > 0)
            .collect()
    }
}
