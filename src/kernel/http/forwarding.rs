//! Signs that a trusted proxy passes on a client's `X-Forwarded-For` instead of writing it itself.
//!
//! A single forged header doesn't reveal such a proxy, because the header holds an address either way. But every honest
//! request reveals it, since it has no such header, and so does every forged header that isn't a possible client address.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// What is wrong with a forwarded chain of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardingFault {
    /// The header is missing.
    Missing,
    /// The entry that the trusted proxy should have written isn't an address.
    NoAddress,
    /// The address is one that no client can have: unspecified, multicast or broadcast.
    Impossible,
}

impl ForwardingFault {
    const ALL: [Self; 3] = [Self::Missing, Self::NoAddress, Self::Impossible];

    /// The explanation for the administrator.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Missing => {
                "A trusted proxy (--trusted-proxy) handed over a request without X-Forwarded-For. A proxy that \
                 does not set this header passes on what clients write there, and so lets them past the limits. \
                 Let it set the header to the client's address, as the samples in docs/admin/proxy.md do. (A program on \
                 the proxy's own machine that asks Porchlight directly is seen like this, too.)"
            }
            Self::NoAddress => {
                "A trusted proxy (--trusted-proxy) handed over an X-Forwarded-For that does not end in an address. \
                 Either the proxy hides its clients, and then they share the limits of one household, or it passes \
                 on what they write. Let it set the header to the client's address, as the samples in docs/admin/proxy.md do."
            }
            Self::Impossible => {
                "A trusted proxy (--trusted-proxy) handed over an X-Forwarded-For with an address that nobody can \
                 connect from, so it passes on what clients write there, and lets them past the limits. Let it set \
                 the header to the client's address, as the samples in docs/admin/proxy.md do."
            }
        }
    }
}

/// How often a fault was seen since the server started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFault {
    pub fault: ForwardingFault,
    /// The number of requests with it.
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
