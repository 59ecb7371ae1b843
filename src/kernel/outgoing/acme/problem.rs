//! Why there is no new certificate, with what to do.

use std::io;

use instant_acme::Error;
use serde::{Deserialize, Serialize};

use super::back_off::BackOff;
use super::client::no_answer;
use super::dns::DnsProblem;

/// A sentence for the administrator. None contains a name, the token, a key or anything that a server wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum CertificateProblem {
    #[error(
        "The certificate authority's terms aren't accepted. Read them (Let's Encrypt: https://letsencrypt.org/repository/), then add \
         --acme-accept-terms."
    )]
    Terms,
    #[error(
        "The name in --https-name contains a child's or a guardian's name, and every certificate's name stays in public lists for \
         good. Choose another name."
    )]
    PersonsName,
    #[error(
        "This machine has no IPv4 address in the home network, so the name can lead nowhere. Look whether its network is up."
    )]
    NoAddress,
    #[error("{0}")]
    Dns(DnsProblem),
    #[error(
        "The certificate authority cannot be reached. If this lasts, look whether this machine has a way to the internet, and \
         whether its clock is right."
    )]
    Unreachable,
    #[error(
        "What answers at --acme-directory doesn't speak ACME. If the address is right, the certificate authority has a fault: wait until \
         it works again."
    )]
    NotAcme,
    #[error("The certificate authority says that it gets too many requests.")]
    RateLimited,
    #[error(
        "The certificate authority didn't find the value in the DNS. The name may belong to another account, or its name servers were \
         too slow."
    )]
    NotSeen,
    #[error(
        "The certificate authority makes no certificate for this name. Look for a CAA record in its domain, or choose another name."
    )]
    NameRefused,
    #[error(
        "The certificate authority doesn't accept the account. A new one is made at the next try."
    )]
    AccountRefused,
    #[error("The certificate authority refused the request.")]
    Refused,
    #[error("The certificate authority took too long.")]
    TooSlow,
    #[error("The certificate authority sent a certificate that doesn't fit the key or the name.")]
    WrongCertificate,
    #[error(
        "The certificate authority sent a certificate that isn't valid now, or ends no later than the old one. Is this machine's clock \
         right?"
    )]
    CertificateTimes,
    #[error("The folder `https` in the data folder cannot be written: {0}.")]
    Disk(String),
}

impl CertificateProblem {
    pub fn is_rate_limit(&self) -> bool {
        matches!(self, Self::RateLimited | Self::Dns(DnsProblem::RateLimited))
    }

    pub fn back_off(&self) -> BackOff {
        match self {
            _ if self.is_rate_limit() => BackOff::RateLimit,
            // The authority made a certificate, and makes only a few a week.
            Self::CertificateTimes => BackOff::RateLimit,
            Self::Unreachable
            | Self::NoAddress
            | Self::Terms
            | Self::PersonsName
            | Self::Dns(DnsProblem::Unreachable | DnsProblem::HookNotStarted) => BackOff::NotAsked,
            _ => BackOff::Refused,
        }
    }
}

impl From<DnsProblem> for CertificateProblem {
    fn from(problem: DnsProblem) -> Self {
        Self::Dns(problem)
    }
}

impl From<io::Error> for CertificateProblem {
    fn from(error: io::Error) -> Self {
        Self::Disk(error.kind().to_string())
    }
}

impl From<Error> for CertificateProblem {
    fn from(error: Error) -> Self {
        match &error {
            Error::Api(problem) => of_type(problem.r#type.as_deref()),
            Error::Timeout(_) => Self::TooSlow,
            Error::Json(_) | Error::InvalidUri(_) => Self::NotAcme,
            Error::Other(other) => {
                let found = no_answer(other.as_ref());
                found.map_or(Self::Refused, |_| Self::Unreachable)
            }
            _ => Self::Refused,
        }
    }
}

/// By the error types of RFC 8555, section 6.7.
fn of_type(kind: Option<&str>) -> CertificateProblem {
    let kind = kind.unwrap_or_default();
    match kind.rsplit(':').next().unwrap_or_default() {
        "rateLimited" => CertificateProblem::RateLimited,
        "dns" | "unauthorized" | "incorrectResponse" | "connection" => CertificateProblem::NotSeen,
        "rejectedIdentifier" | "unsupportedIdentifier" | "caa" => CertificateProblem::NameRefused,
        "accountDoesNotExist" => CertificateProblem::AccountRefused,
        "userActionRequired" | "externalAccountRequired" => CertificateProblem::Terms,
        "serverInternal" => CertificateProblem::Unreachable,
        _ => CertificateProblem::Refused,
    }
}
