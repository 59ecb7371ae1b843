//! What an assistant must follow, now or as soon as that changes.

use std::pin::pin;
use std::time::Duration;

use super::{AssistantError, AssistantService};
use crate::children::{ChildAccess, ChildId};
use crate::identity::SignedAssistant;
use crate::kernel::store::StoreError;
use crate::rules::{Registration, ToldRules};

/// Whose rules an assistant asks for.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// This child's.
    Child(ChildId),
    /// Those of all of its children together.
    AllChildren,
}

impl AssistantService {
    /// What the assistant must follow, and whether it has that already, by its tag. If it has, the answer waits until
    /// something else is in force, at most for `wait`.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's, when the key ended meanwhile, or [`TogetherError`](crate::rules::TogetherError).
    pub async fn rules_unless(
        &self,
        assistant: &SignedAssistant,
        whose: Whose,
        is_known: impl Fn(&str) -> bool,
        wait: Duration,
    ) -> Result<(ToldRules, bool), AssistantError> {
        let mut call = None;
        let mut waited = pin!(tokio::time::sleep(wait));
        loop {
            if !wait.is_zero() {
                let children = self.children_of(assistant, whose)?;
                if !call
                    .as_ref()
                    .is_some_and(|call: &Registration| call.is_of(&children))
                {
                    // The place is given back before another one is asked for.
                    drop(call.take());
                    call = self.rules.register(assistant, children);
                }
            }
            let told = self.rules(assistant, whose).await?;
            let is_known = is_known(&told.tag());
            let Some(call) = call.as_ref().filter(|_| is_known) else {
                return Ok((told, is_known));
            };
            let next_change = told.next_change.map(|at| at.since(self.clock.now()));
            tokio::select! {
                () = call.woken() => {}
                () = tokio::time::sleep(next_change.unwrap_or(wait)) => {}
                () = &mut waited => return Ok((told, true)),
            }
            if self.rules.are_stopped() {
                return Ok((told, true));
            }
            // The key may have been taken back meanwhile.
            self.assistants.demand_holding(assistant)?;
        }
    }

    /// The children whose rules these are.
    fn children_of(
        &self,
        assistant: &SignedAssistant,
        whose: Whose,
    ) -> Result<Vec<ChildId>, StoreError> {
        match whose {
            Whose::Child(child) => Ok(vec![child]),
            Whose::AllChildren => {
                let all = self.children.all_of(assistant)?;
                Ok(all.iter().map(ChildAccess::child).collect())
            }
        }
    }

    /// What the assistant must follow.
    ///
    /// # Errors
    ///
    /// When the child isn't this assistant's, or [`TogetherError`].
    async fn rules(
        &self,
        assistant: &SignedAssistant,
        whose: Whose,
    ) -> Result<ToldRules, AssistantError> {
        let (rules, of) = match whose {
            Whose::Child(child) => {
                let access = self.children.of(assistant, child)?;
                let (rules, number) = self.rules.told(&access, assistant.id())?;
                (rules, vec![(access, number)])
            }
            Whose::AllChildren => self.rules.of_all(assistant)?,
        };
        for (access, number) in &of {
            self.rules.note_told(access, assistant.id(), *number).await;
        }
        Ok(rules)
    }
}
