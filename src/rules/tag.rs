//! The tag behind a version's number: an HMAC, so that nobody can name a version that they were not told.

use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::randomness::Randomness;

/// How many bytes of the HMAC a tag shows: 64 bits.
const BYTES: usize = 8;

/// The key of the tags.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TagKey(#[serde(with = "hex::serde")] [u8; 32]);

impl TagKey {
    /// A new key.
    pub fn generate(randomness: &Randomness) -> Self {
        Self(randomness.bytes())
    }

    /// The tag of what this assistant is told of this child.
    pub fn tag(
        &self,
        assistant: &AssistantId,
        child: ChildId,
        number: u64,
        instructions: &str,
    ) -> String {
        // An id has no line break, so no two of these run into each other.
        self.mac(&format!(
            "{}\n{child}\n{number}\n{instructions}",
            assistant.as_str()
        ))
    }

    /// The tag of what this assistant is told of several children together, from the tag of each.
    pub fn tag_of_all(&self, assistant: &AssistantId, tags: &[String]) -> String {
        self.mac(&format!("{}\nall\n{}", assistant.as_str(), tags.join("\n")))
    }

    fn mac(&self, text: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        mac.update(text.as_bytes());
        hex::encode(&mac.finalize().into_bytes()[..BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_assistant_child_number_or_text_has_another_tag() {
        let key = TagKey::generate(&Randomness::repeatable());
        let other_key = TagKey::generate(&Randomness::System);
        let kitchen = AssistantId::from_text("ast_kitchen");
        let tag = |assistant: &str, child, number, text| {
            key.tag(
                &AssistantId::from_text(assistant),
                ChildId::new(child),
                number,
                text,
            )
        };

        let tags = [
            tag("ast_kitchen", 1, 2, "text"),
            tag("ast_bedroom", 1, 2, "text"),
            tag("ast_kitchen", 3, 2, "text"),
            tag("ast_kitchen", 1, 3, "text"),
            tag("ast_kitchen", 1, 2, "other"),
            other_key.tag(&kitchen, ChildId::new(1), 2, "text"),
        ];

        assert_eq!(tags[0], tag("ast_kitchen", 1, 2, "text"));
        assert_eq!(
            tags.iter().collect::<std::collections::BTreeSet<_>>().len(),
            tags.len()
        );
        assert!(tags.iter().all(|tag| tag.len() == 16));
    }
}
