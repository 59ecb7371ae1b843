//! The folder `https` in the data folder: the account's key, an order in progress, the certificate with its key, and how things
//! stand. Every file is replaced as a whole, and only the owner can read it. No backup and no export has any of it.

use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::problem::CertificateProblem;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::files::{make_private, read_if_exists, replace_file, sync_folder};

const FOLDER: &str = "https";
const ACCOUNT: &str = "account.json";
const ORDER: &str = "order.json";
const CERTIFICATE: &str = "certificate.pem";
const CHALLENGES: &str = "challenges.json";
const TOLD: &str = "told.json";
const STATE: &str = "state.json";

/// The key of the account at one authority.
#[derive(Clone, Serialize, Deserialize)]
pub struct AccountFile {
    pub directory: String,
    /// PKCS #8.
    #[serde(with = "hex::serde")]
    pub key: Vec<u8>,
}

/// An order that was begun.
#[derive(Clone, Serialize, Deserialize)]
pub struct OrderFile {
    pub directory: String,
    pub name: String,
    /// The order's own URL at the authority.
    pub url: String,
    /// The key of the certificate that was ordered, in PEM.
    pub key: String,
}

/// What failed, since when, and when it is tried again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub problem: CertificateProblem,
    pub since: Timestamp,
    pub tried_at: Timestamp,
    pub next_at: Timestamp,
    pub tries: u32,
}

/// How things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The name that the rest is about.
    pub name: String,
    /// The address that the name was last led to.
    pub address: Option<Ipv4Addr>,
    /// Whether the provider said that the name leads elsewhere, and hasn't said since that it leads here.
    pub leads_elsewhere: bool,
    /// When it last said so.
    pub elsewhere_at: Option<Timestamp>,
    pub asked_at: Option<Timestamp>,
    /// Whether the first certificate waits until somebody has set the server up.
    pub waits_for_setup: bool,
    /// Whether the names of some people were in another script when they were looked for in the name.
    pub names_not_compared: bool,
    /// Whether a device at home reached the name at the present address.
    pub reached: bool,
    /// When the last certificate was issued.
    pub issued_at: Option<Timestamp>,
    pub address_failure: Option<Failure>,
    pub certificate_failure: Option<Failure>,
}

/// The certificate of whose end people were warned, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warned {
    pub end: Timestamp,
    pub at: Timestamp,
}

impl Warned {
    /// Whether nobody is warned of a certificate now: once of each, and at most once a day. A later time is from before the clock
    /// was set back.
    pub fn suffices(&self, end: Timestamp, now: Timestamp) -> bool {
        let is_recent = self.at <= now && now.since(self.at) < Duration::from_secs(24 * 60 * 60);
        self.end == end || is_recent
    }
}

/// Clones name the same folder.
#[derive(Clone, Debug)]
pub struct HttpsFolder(PathBuf);

impl HttpsFolder {
    pub fn within(data: &Path) -> Self {
        Self(data.join(FOLDER))
    }

    /// The certificate's chain and its key, in one file: so that one rename replaces both.
    pub fn certificate(&self) -> PathBuf {
        self.0.join(CERTIFICATE)
    }

    pub fn read_certificate(&self) -> io::Result<Option<Vec<u8>>> {
        read_if_exists(&self.certificate())
    }

    pub fn write_certificate(&self, pem: &str) -> io::Result<()> {
        self.write(CERTIFICATE, pem.as_bytes())
    }

    /// An unreadable file counts as none.
    pub fn account(&self) -> io::Result<Option<AccountFile>> {
        self.read(ACCOUNT)
    }

    pub fn save_account(&self, account: &AccountFile) -> io::Result<()> {
        self.save(ACCOUNT, account)
    }

    pub fn remove_account(&self) -> io::Result<()> {
        self.remove(ACCOUNT)
    }

    pub fn order(&self) -> io::Result<Option<OrderFile>> {
        self.read(ORDER)
    }

    pub fn save_order(&self, order: &OrderFile) -> io::Result<()> {
        self.save(ORDER, order)
    }

    pub fn remove_order(&self) -> io::Result<()> {
        self.remove(ORDER)
    }

    pub fn state(&self) -> io::Result<State> {
        Ok(self.read(STATE)?.unwrap_or_default())
    }

    pub fn save_state(&self, state: &State) -> io::Result<()> {
        self.save(STATE, state)
    }

    /// The values of the challenges that were published and not removed yet.
    pub fn challenges(&self) -> io::Result<Vec<String>> {
        Ok(self.read(CHALLENGES)?.unwrap_or_default())
    }

    pub fn save_challenges(&self, values: &[String]) -> io::Result<()> {
        if values.is_empty() {
            self.remove(CHALLENGES)
        } else {
            self.save(CHALLENGES, &values)
        }
    }

    pub fn warned(&self) -> io::Result<Option<Warned>> {
        self.read(TOLD)
    }

    pub fn save_warned(&self, warned: Warned) -> io::Result<()> {
        self.save(TOLD, &warned)
    }

    fn read<T: DeserializeOwned>(&self, file: &str) -> io::Result<Option<T>> {
        let bytes = read_if_exists(&self.0.join(file))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    fn save(&self, file: &str, value: &impl Serialize) -> io::Result<()> {
        self.write(file, &serde_json::to_vec(value).expect("it is JSON"))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        make_private(&self.0)?;
        replace_file(&self.0.join(file), bytes)?;
        sync_folder(&self.0)
    }

    fn remove(&self, file: &str) -> io::Result<()> {
        match std::fs::remove_file(self.0.join(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_warned_of_each_certificate_once_and_at_most_once_a_day() {
        let hours = |it: u64| Timestamp::from_micros(0).after(Duration::from_secs(it * 60 * 60));
        let warned = Warned {
            end: hours(900),
            at: hours(100),
        };
        for (end, now, expected) in [
            (900, 100, true),
            (900, 800, true),
            (901, 123, true),
            (901, 124, false),
            (901, 99, false),
        ] {
            assert_eq!(warned.suffices(hours(end), hours(now)), expected, "{now}");
        }
    }
}
