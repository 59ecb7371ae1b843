//! Hashes of erased sessions' names. They are HMACs, so that whoever reads them without the key learns no name.

use hmac::Mac;

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::store::hmac_key::HmacKey;

/// The hash of child, assistant and the assistant's name for a session.
pub(super) type NameHash = [u8; 32];

#[derive(Clone)]
pub struct NameKey(pub HmacKey);

impl NameKey {
    pub(super) fn hash(&self, child: ChildId, assistant: &AssistantId, name: &str) -> NameHash {
        // Unambiguous: neither ids nor names contain line breaks.
        let text = format!("{child}\n{}\n{name}", assistant.as_str());
        let hmac = self.0.hmac(&[text.as_bytes()]);
        hmac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;

    #[test]
    fn another_child_assistant_name_or_key_has_another_hash() {
        let key = NameKey(HmacKey::generate(&Randomness::repeatable()));
        let other_key = NameKey(HmacKey::generate(&Randomness::System));
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
