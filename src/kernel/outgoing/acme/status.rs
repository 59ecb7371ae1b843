//! How things stand with the certificate and the name.

use std::io;
use std::net::Ipv4Addr;

use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;

use super::folder::{Failure, HttpsFolder, State};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::https_name::HttpsName;
use crate::kernel::outgoing::certificate::validity;

/// A certificate whose key is known.
pub struct Certificate {
    leaf: CertificateDer<'static>,
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Certificate {
    /// Parses a certificate chain and its private key; `None` if the key doesn't match the certificate.
    pub fn read(pem: &[u8]) -> Option<Self> {
        let chain = CertificateDer::pem_slice_iter(pem)
            .collect::<Result<Vec<_>, _>>()
            .ok()?;
        let leaf = chain.first()?.clone();
        let key = PrivateKeyDer::from_pem_slice(pem).ok()?;
        CertifiedKey::from_der(chain, key, &ring::default_provider()).ok()?;
        let (from, until) = validity(&leaf)?;
        Some(Self { leaf, from, until })
    }

    pub fn is_for(&self, name: &HttpsName) -> bool {
        let Ok(parsed) = ParsedCertificate::try_from(&self.leaf) else {
            return false;
        };
        ServerName::try_from(name.as_str())
            .is_ok_and(|name| verify_server_name(&parsed, &name).is_ok())
    }

    /// After two thirds of its life.
    pub fn renewed_from(&self) -> Timestamp {
        self.until.before(self.until.since(self.from) / 3)
    }

    pub fn status(&self, now: Timestamp) -> CertificateStatus {
        let life = self.until.since(self.from);
        if now < self.from {
            CertificateStatus::NotYetValid { from: self.from }
        } else if now >= self.until {
            CertificateStatus::Expired { at: self.until }
        } else {
            CertificateStatus::Valid {
                until: self.until,
                renewed_from: self.renewed_from(),
                is_urgent: self.until.since(now) <= life / 4,
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateStatus {
    Missing,
    /// This machine's clock is probably behind.
    NotYetValid {
        from: Timestamp,
    },
    Valid {
        until: Timestamp,
        renewed_from: Timestamp,
        /// Whether a quarter of its life or less is left.
        is_urgent: bool,
    },
    Expired {
        at: Timestamp,
    },
}

/// What `check` shows of the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpsStatus {
    /// The address that the name was last led to.
    pub address: Option<Ipv4Addr>,
    pub leads_elsewhere: bool,
    pub address_failure: Option<Failure>,
    pub certificate: CertificateStatus,
    pub waits_for_setup: bool,
    pub names_not_compared: bool,
    pub certificate_failure: Option<Failure>,
}

impl HttpsStatus {
    pub fn read(folder: &HttpsFolder, name: &HttpsName, now: Timestamp) -> io::Result<Self> {
        let state = folder.state()?;
        let state = if state.name == name.as_str() {
            state
        } else {
            State::default()
        };
        Ok(Self {
            address: state.address,
            leads_elsewhere: state.leads_elsewhere,
            address_failure: state.address_failure,
            certificate: certificate_status(folder, name, now)?,
            waits_for_setup: state.waits_for_setup,
            names_not_compared: state.names_not_compared,
            certificate_failure: state.certificate_failure,
        })
    }
}

pub fn usable_certificate(
    folder: &HttpsFolder,
    name: &HttpsName,
) -> io::Result<Option<Certificate>> {
    let pem = folder.read_certificate()?;
    let read = pem.and_then(|pem| Certificate::read(&pem));
    Ok(read.filter(|certificate| certificate.is_for(name)))
}

fn certificate_status(
    folder: &HttpsFolder,
    name: &HttpsName,
    now: Timestamp,
) -> io::Result<CertificateStatus> {
    let certificate = usable_certificate(folder, name)?;
    Ok(certificate.map_or(CertificateStatus::Missing, |it| it.status(now)))
}
