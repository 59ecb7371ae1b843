//! The folder `https` in the data folder: the account's key, an order in progress, the certificate with its key, and how things
//! stand. Every file is replaced as a whole, and only the owner can read it. No backup and no export has any of it.

use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::problem::Problem;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::files::{make_private, read_if_exists, replace_file, sync_folder};

const FOLDER: &str = "https";
const ACCOUNT: &str = "account.json";
const ORDER: &str = "order.json";
const CERTIFICATE: &str = "certificate.pem";
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
    pub problem: Problem,
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
    /// Whether the provider said that the name leads elsewhere.
    pub leads_elsewhere: bool,
    pub asked_at: Option<Timestamp>,
    /// Whether the first certificate waits until somebody has set the server up.
    pub waits_for_setup: bool,
    /// Whether a device at home reached the name.
    pub reached: bool,
    pub address_failure: Option<Failure>,
    pub certificate_failure: Option<Failure>,
    /// The challenges that were published and not removed yet.
    pub challenges: Vec<String>,
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

    pub fn keep_account(&self, account: &AccountFile) -> io::Result<()> {
        self.keep(ACCOUNT, account)
    }

    pub fn forget_account(&self) -> io::Result<()> {
        self.remove(ACCOUNT)
    }

    pub fn order(&self) -> io::Result<Option<OrderFile>> {
        self.read(ORDER)
    }

    pub fn keep_order(&self, order: &OrderFile) -> io::Result<()> {
        self.keep(ORDER, order)
    }

    pub fn forget_order(&self) -> io::Result<()> {
        self.remove(ORDER)
    }

    pub fn state(&self) -> io::Result<State> {
        Ok(self.read(STATE)?.unwrap_or_default())
    }

    pub fn keep_state(&self, state: &State) -> io::Result<()> {
        self.keep(STATE, state)
    }

    /// The end of the certificate of which guardians were told.
    pub fn told_of(&self) -> io::Result<Option<Timestamp>> {
        self.read(TOLD)
    }

    pub fn keep_told_of(&self, end: Timestamp) -> io::Result<()> {
        self.keep(TOLD, &end)
    }

    fn read<T: DeserializeOwned>(&self, file: &str) -> io::Result<Option<T>> {
        let bytes = read_if_exists(&self.0.join(file))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    fn keep(&self, file: &str, value: &impl Serialize) -> io::Result<()> {
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
