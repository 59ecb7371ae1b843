//! How many requests may be open at a time: four for each child of a key, so that siblings don't wait for each other, and one
//! more for an app's background requests, so that a title doesn't take a conversation's place.

use crate::children::ChildId;
use crate::identity::{AssistantId, ConcurrencyLimit, Permit};

/// Open requests of one key and child.
pub const AT_A_TIME: usize = 4;

/// The key, and the child; `None` for a request that is about no child, such as the list of models.
type SlotKey = (AssistantId, Option<ChildId>);

#[derive(Clone)]
pub struct RequestSlots {
    ordinary: ConcurrencyLimit<SlotKey>,
    background: ConcurrencyLimit<SlotKey>,
    /// Bodies that are being parsed, before it is known which child they are for.
    parsing: ConcurrencyLimit<AssistantId>,
}

/// Released on drop.
pub struct Slot {
    _permit: Permit,
    only_background: bool,
}

impl Slot {
    /// Whether a request may be passed on with this slot. Only grouping finds out whether it is a background request.
    pub fn allows(&self, is_background: bool) -> bool {
        is_background || !self.only_background
    }
}

impl RequestSlots {
    pub fn new() -> Self {
        Self {
            ordinary: ConcurrencyLimit::new(AT_A_TIME),
            background: ConcurrencyLimit::new(1),
            parsing: ConcurrencyLimit::new(AT_A_TIME),
        }
    }

    /// Waits for a slot; `None` after a second without one. If only the background slot is free, it is that one.
    pub async fn take(&self, assistant: &AssistantId, child: Option<ChildId>) -> Option<Slot> {
        let key = (assistant.clone(), child);
        let (permit, only_background) = match self.ordinary.take(&key).await {
            Some(permit) => (permit, false),
            None => (self.background.try_take(&key)?, true),
        };
        Some(Slot {
            _permit: permit,
            only_background,
        })
    }

    /// Waits until fewer of the key's bodies are being parsed; `None` after a second.
    pub async fn take_for_parsing(&self, assistant: &AssistantId) -> Option<Permit> {
        self.parsing.take(assistant).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_child_has_four_slots_and_one_for_the_background() {
        let slots = RequestSlots::new();
        let (chat, other) = (
            AssistantId::from_text("chat"),
            AssistantId::from_text("other"),
        );
        let (mia, leo) = (Some(ChildId::new(1)), Some(ChildId::new(2)));
        let mut taken = Vec::new();
        for _ in 0..AT_A_TIME {
            let slot = slots.take(&chat, mia).await.unwrap();
            assert!(slot.allows(false) && slot.allows(true));
            taken.push(slot);
        }

        let fifth = slots.take(&chat, mia).await.unwrap();
        assert!(!fifth.allows(false) && fifth.allows(true));
        assert!(slots.take(&chat, mia).await.is_none());
        for (assistant, child) in [(&chat, leo), (&other, mia), (&chat, None)] {
            let slot = slots.take(assistant, child).await.unwrap();
            assert!(slot.allows(false), "{assistant} {child:?}");
        }

        taken.pop();
        assert!(slots.take(&chat, mia).await.unwrap().allows(false));
    }
}
