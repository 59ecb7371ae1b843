//! Receipts for the rules that the gateway puts into prompts.

use super::{Evidence, SessionReceipt, store};
use crate::children::{AssistantAccess, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable};
use crate::rules::Rules;
use crate::rules::version::TopicsVersion;

impl Rules {
    /// Records that the gateway put this version into the prompt of a session. Repeating it for the same version and session
    /// changes nothing but when the assistant was last seen.
    pub fn record_added(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        session: SessionId,
        number: u64,
        topics: TopicsVersion,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let (child, assistant) = (access.child().child(), access.assistant());
        let receipt = SessionReceipt {
            number,
            topics,
            evidence: Evidence::Added,
            at,
            refused: None,
        };
        let is_new = store::said_at(change, child, session, &receipt)?.is_none();
        let before = match readable(store::rule_status(change, child, assistant))? {
            // An unreadable status stays until there is something new.
            None if !is_new => return Ok(()),
            found => found.unwrap_or_default(),
        };
        let mut status = before.clone();
        status.record_contact(self.clock.now());
        if is_new {
            store::put_receipt(change, child, session, &receipt)?;
            status.take(session, &receipt);
        }
        if status != before {
            store::put_rule_status(change, child, assistant, &status)?;
        }
        Ok(())
    }
}
