//! Hashes of texts that were stored. They are HMACs, so that whoever reads them without the key learns no text.

use hmac::Mac;
use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::kernel::store::hmac_key::HmacKey;

/// The hash of a text in the form in which it is compared, and of what said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TextHash(u64);

impl TextHash {
    pub fn bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// The hash of this text and one after it. It is no hash function: who doesn't know the key can't choose either hash.
    pub(super) fn then(self, next: Self) -> Self {
        Self(self.0.rotate_left(1) ^ next.0)
    }

    /// Half of the bits, where little space matters more than collisions.
    pub(super) fn short(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

#[derive(Clone)]
pub struct TextKey(pub HmacKey);

impl TextKey {
    /// The hash of something that was said, or that a tool got or returned.
    pub(super) fn of_item(&self, kind: Kind, compared: &str) -> TextHash {
        self.hash(&[kind as u8], compared)
    }

    /// The hash of a text of the app's own, or of an id that it sent.
    pub(super) fn of_app(&self, purpose: &str, text: &str) -> TextHash {
        self.hash(purpose.as_bytes(), text)
    }

    fn hash(&self, purpose: &[u8], text: &str) -> TextHash {
        let hmac = self.0.hmac(&[purpose, b"\n", text.as_bytes()]);
        let hash = hmac.finalize().into_bytes();
        let first = hash.first_chunk().expect("it has 32 bytes");
        TextHash(u64::from_be_bytes(*first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;

    #[test]
    fn another_text_speaker_or_key_has_another_hash() {
        let key = TextKey(HmacKey::generate(&Randomness::repeatable()));
        let other_key = TextKey(HmacKey::generate(&Randomness::System));
        let hashes = [
            key.of_item(Kind::User, "hello"),
            key.of_item(Kind::Assistant, "hello"),
            key.of_item(Kind::User, "hallo"),
            key.of_app("line", "hello"),
            other_key.of_item(Kind::User, "hello"),
        ];

        assert_eq!(hashes[0], key.of_item(Kind::User, "hello"));
        let distinct = hashes.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(distinct.len(), hashes.len());
    }
}
