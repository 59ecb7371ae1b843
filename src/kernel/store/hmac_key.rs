//! Keys of HMACs with SHA-256 that the program generates and the store keeps.

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Record, Store, StoreError, Table};

/// 256 random bits. They are stored as hexadecimal digits.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HmacKey(#[serde(with = "hex::serde")] [u8; 32]);

impl Record for HmacKey {}

impl HmacKey {
    pub fn generate(randomness: &Randomness) -> Self {
        Self(randomness.bytes())
    }

    /// Loads the only key of the table, or generates it on the first start. After its loss, what was made with it is not
    /// recognized any more.
    pub async fn load(
        store: &Store,
        table: Table,
        randomness: &Randomness,
    ) -> Result<Self, StoreError> {
        let made = Self::generate(randomness);
        store.get_or_keep(table.key(), made).await
    }

    /// The HMAC of the parts' bytes, one after another; the parts must be unambiguous together.
    pub fn hmac(&self, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        parts.iter().fold(mac, |mac, part| mac.chain_update(part))
    }
}
