//! The tag after a version's number: an HMAC, so that only an assistant that received a version can name it.

use hmac::Mac;

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::store::hmac_key::HmacKey;

/// The number of bytes of the HMAC in a tag: 64 bits.
const BYTES: usize = 8;

#[derive(Clone)]
pub struct TagKey(pub HmacKey);

impl TagKey {
    /// The tag of this child's rules for this assistant.
    pub fn tag(
        &self,
        assistant: &AssistantId,
        child: ChildId,
        number: u64,
        instructions: &str,
    ) -> String {
        // Ids contain no line breaks, so the encoding is unambiguous.
        self.mac(&format!(
            "{}\n{child}\n{number}\n{instructions}",
            assistant.as_str()
        ))
    }

    /// The tag of the combined rules of several children for this assistant, from the tag of each.
    pub fn tag_of_all(&self, assistant: &AssistantId, tags: &[String]) -> String {
        self.mac(&format!("{}\nall\n{}", assistant.as_str(), tags.join("\n")))
    }

    fn mac(&self, text: &str) -> String {
        let hmac = self.0.hmac(&[text.as_bytes()]);
        hex::encode(&hmac.finalize().into_bytes()[..BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;

    #[test]
    fn another_assistant_child_number_or_text_has_another_tag() {
        let key = TagKey(HmacKey::generate(&Randomness::repeatable()));
        let other_key = TagKey(HmacKey::generate(&Randomness::System));
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
