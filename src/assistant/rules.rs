//! The rules that an assistant must follow, with long polling for changes.

use std::pin::pin;
use std::time::Duration;

use super::{AssistantError, AssistantService};
use crate::children::{ChildAccess, ChildId};
use crate::identity::SignedAssistant;
use crate::kernel::store::StoreError;
use crate::rules::{Registration, Told, ToldRules};

#[derive(Clone, Copy, Debug)]
pub enum Whose {
    Child(ChildId),
    /// All children of the key together.
    AllChildren,
}

impl AssistantService {
    /// If the assistant has the current rules, as their tag says, waits for a change, at most for `wait`. Then returns the rules
    /// and whether it has them. Fails if the child isn't this assistant's, if the key was revoked meanwhile, or with
    /// [`TogetherError`](crate::rules::TogetherError).
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
                    // Frees the old registration before making a new one.
                    drop(call.take());
                    call = self.rules.register(assistant, children);
                }
            }
            let told = self.rules(assistant, whose, !wait.is_zero()).await?;
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
            // The key may have been revoked meanwhile.
            self.assistants.require_valid(assistant)?;
        }
    }

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

    /// Fails if the child isn't this assistant's, or with [`TogetherError`].
    async fn rules(
        &self,
        assistant: &SignedAssistant,
        whose: Whose,
        waits: bool,
    ) -> Result<ToldRules, AssistantError> {
        let (rules, of) = match whose {
            Whose::Child(child) => {
                let access = self.children.of(assistant, child)?;
                let (rules, told) = self.rules.told(&access, assistant.id())?;
                let told = Told {
                    access,
                    number: told.number,
                    pause: rules.pauses.first().cloned(),
                };
                (rules, vec![told])
            }
            Whose::AllChildren => self.rules.of_all(assistant)?,
        };
        for told in of {
            self.rules.note_told(told, assistant.id(), waits).await;
        }
        Ok(rules)
    }
}
