//! Hashes of erased sessions' names: HMACs under a key of the store's, so that a leaked file reveals no names.

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::randomness::Randomness;

/// The hash of child, assistant and the assistant's name for a session.
pub(super) type NameHash = [u8; 32];

#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NameKey(#[serde(with = "hex::serde")] [u8; 32]);

impl NameKey {
    pub fn generate(randomness: &Randomness) -> Self {
        Self(randomness.bytes())
    }

    pub(super) fn hash(&self, child: ChildId, assistant: &AssistantId, name: &str) -> NameHash {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        // Unambiguous: neither ids nor names contain line breaks.
        let text = format!("{child}\n{}\n{name}", assistant.as_str());
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_child_assistant_name_or_key_has_another_hash() {
        let key = NameKey::generate(&Randomness::repeatable());
        let other_key = NameKey::generate(&Randomness::System);
        let hash = |key: &NameKey, child, assistant: &str, name| {
            key.hash(
                ChildId::new(child),
                &AssistantId::from_text(assistant),
                name,
            )
        };

        let hashes = [
            hash(&key, 1, "asi_kitchen", "s"),
            hash(&key, 2, "asi_kitchen", "s"),
            hash(&key, 1, "asi_bedroom", "s"),
            hash(&key, 1, "asi_kitchen", "t"),
            hash(&other_key, 1, "asi_kitchen", "s"),
        ];

        assert_eq!(hashes[0], hash(&key, 1, "asi_kitchen", "s"));
        let distinct = hashes.iter().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(distinct.len(), hashes.len());
    }
}
