//! DNS providers: where the name's address and the authority's challenges are published.

mod desec;
mod duckdns;
mod hook;

use std::fmt;
use std::future::Future;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use serde::{Deserialize, Serialize};

use super::client::{Client, NoAnswer};
use crate::kernel::host::https_name::HttpsName;

/// Why a record could not be changed, for the administrator. No sentence contains the token or anything that a server wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum DnsProblem {
    #[error(
        "The DNS provider cannot be reached. If this lasts, look whether this machine has a way to the internet."
    )]
    Unreachable,
    #[error(
        "The DNS provider doesn't accept the token. Make a new one there, write it into the token file, and restart the server."
    )]
    Token,
    #[error(
        "The DNS provider doesn't have this name in the token's account, or the token may not change it."
    )]
    NotOurs,
    #[error("The DNS provider says that it gets too many requests.")]
    RateLimited,
    #[error("The DNS provider refused the change.")]
    Refused,
    #[error(
        "The DNS program (--dns-hook) could not be started. Is it executable for the user of this service?"
    )]
    HookNotStarted,
    #[error("The DNS program (--dns-hook) took longer than 60 seconds.")]
    HookTimedOut,
    #[error(
        "The DNS program (--dns-hook) failed. Run it by hand with the same arguments to see why."
    )]
    HookFailed,
}

pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, DnsProblem>> + Send + 'a>>;

/// Where a name leads, as far as the provider says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsTo {
    Address(Ipv4Addr),
    /// To no address, to several, or to one of IPv6.
    Elsewhere,
    /// The provider doesn't say.
    Unknown,
}

/// A provider for one name.
pub trait DnsProvider: Send + Sync {
    /// Lets the name lead to this address alone. `former` is the one that was set before, if any.
    fn set_address(&self, address: Ipv4Addr, former: Option<Ipv4Addr>) -> Answer<'_, ()>;

    fn points_to(&self) -> Answer<'_, PointsTo>;

    /// Adds a value to those of the challenge's TXT record: the name and its wildcard share one.
    fn add_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()>;

    /// Removes this value alone. Idempotent.
    fn clear_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()>;

    /// How long its name servers usually need until all of them answer with a new record.
    fn propagation_time(&self) -> Duration;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Desec,
    DuckDns,
}

impl FromStr for Service {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "desec" => Ok(Self::Desec),
            "duckdns" => Ok(Self::DuckDns),
            _ => Err("it must be desec or duckdns; for another provider, use --dns-hook"),
        }
    }
}

/// The credential for a provider. Its `Debug` is redacted.
#[derive(Clone, PartialEq, Eq)]
pub struct DnsToken(String);

impl DnsToken {
    /// `None` if no provider makes such a token.
    pub fn new(text: &str) -> Option<Self> {
        let is_token = (8..=256).contains(&text.len())
            && text
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'));
        is_token.then(|| Self(text.to_owned()))
    }

    fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DnsToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DnsToken(…)")
    }
}

/// How records are changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DnsSettings {
    Service(Service, DnsToken),
    Hook(PathBuf),
}

impl fmt::Display for DnsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Service(Service::Desec, _) => f.write_str("deSEC"),
            Self::Service(Service::DuckDns, _) => f.write_str("DuckDNS"),
            Self::Hook(program) => write!(f, "{}", program.display()),
        }
    }
}

impl DnsSettings {
    pub fn provider(&self, name: &HttpsName, client: &Client) -> Arc<dyn DnsProvider> {
        let (name, client) = (name.clone(), client.clone());
        match self {
            Self::Service(Service::Desec, token) => {
                Arc::new(desec::Desec::new(name, token.clone(), client))
            }
            Self::Service(Service::DuckDns, token) => {
                Arc::new(duckdns::DuckDns::new(&name, token.clone(), client))
            }
            Self::Hook(program) => Arc::new(hook::Hook::new(name, program.clone())),
        }
    }
}

impl From<NoAnswer> for DnsProblem {
    fn from(_: NoAnswer) -> Self {
        Self::Unreachable
    }
}

/// What a provider's status means if it isn't a success.
fn problem_of(status: StatusCode) -> DnsProblem {
    match status {
        StatusCode::UNAUTHORIZED => DnsProblem::Token,
        StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => DnsProblem::NotOurs,
        StatusCode::TOO_MANY_REQUESTS => DnsProblem::RateLimited,
        status if status.is_server_error() => DnsProblem::Unreachable,
        _ => DnsProblem::Refused,
    }
}
