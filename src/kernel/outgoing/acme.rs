//! Https at home: a public DNS name that leads to this machine's address in the home network, and a certificate for it.
//!
//! The certificate comes from an ACME authority (RFC 8555), which asks the DNS for a value that only the name's owner can publish.
//! So no port is opened to the internet. The [keeper](Keeper) publishes the address, gets the certificate, renews it after two
//! thirds of its life, and follows a change of address. What it needs is in a folder of its own, [`HttpsFolder`]: every step is
//! written before the next one, so that a process that was killed continues where it was, or starts over. The old certificate
//! stays in use until there is a new one.
//!
//! A name in a certificate is public for good, because authorities log every certificate. So a name that contains the name of a
//! person of the family is refused before the first request, which waits until the family is known.

mod back_off;
mod client;
mod dns;
mod folder;
mod issuing;
mod keeper;
mod problem;
mod status;
#[cfg(test)]
mod tests;

use url::Url;

use crate::kernel::host::https_name::HttpsName;

pub use client::Client as AcmeClient;
pub use dns::{DnsProvider, DnsSettings, DnsToken, PointsTo, Service as DnsService};
pub use folder::{HttpsFolder, Warned};
pub use keeper::{Keeper, KeeperEnvironment};
pub use status::{CertificateStatus, HttpsStatus};

/// Let's Encrypt.
pub const DEFAULT_DIRECTORY: &str = "https://acme-v02.api.letsencrypt.org/directory";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcmeSettings {
    pub name: HttpsName,
    pub dns: DnsSettings,
    /// The authority's directory (RFC 8555, section 7.1.1).
    pub directory: Url,
    /// Whether the administrator accepts the authority's terms.
    pub accepts_terms: bool,
}
