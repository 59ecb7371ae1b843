//! The rules that an assistant must follow, with long polling for changes.

use std::pin::pin;
use std::time::Duration;

use super::{AssistantError, AssistantService};
use crate::children::{ChildAccess, ChildId};
use crate::identity::{IdentityError, SignedAssistant};
use crate::kernel::store::StoreError;
use crate::rules::schedule::Why;
use crate::rules::{Issued, IssuedRules, Registration};

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
    ) -> Result<(IssuedRules, bool), AssistantError> {
        let mut call = None;
        let mut waited = pin!(tokio::time::sleep(wait));
        loop {
            if !wait.is_zero() {
                let children = self.children_of(assistant, whose)?;
                let registered = call.as_ref().map(|call: &Registration| call.children());
                if registered != Some(&*children) {
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

    /// Waits until the assistant may no longer talk with the child, who is talking with it meanwhile. Returns what it can say
    /// then. Fails if its key or its access to the child has ended.
    pub async fn until_silenced(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<&'static str, AssistantError> {
        let mut talking = None;
        loop {
            let registration = self.rules.watch(child);
            // A key that was rotated is the same assistant's.
            let signed = self.assistants.on_behalf_of(assistant.id())?;
            let signed = signed.ok_or(IdentityError::KeyEnded)?;
            let access = self.children.of(&signed, child)?;
            let (now, talk) = (self.clock.now(), self.rules.talk(&access)?);
            if let Some(goodbye) = talk.talk.goodbye() {
                return Ok(goodbye);
            }
            let used = Duration::from_secs(talk.seconds_used);
            let limit = talk.talk.seconds_left.map(Duration::from_secs);
            let limit = limit.map(|left| used + left);
            // The conversation counts as far as it is kept, and it isn't yet. On a new day it counts anew.
            let (began, before) = talking
                .filter(|(_, before)| *before <= used)
                .unwrap_or((now, used));
            talking = Some((began, before));
            let left = limit.map(|limit| limit.saturating_sub(used.max(before + now.since(began))));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(Why::TimeUsedUp.goodbye());
            }
            let by_clock = talk.next_change.map(|at| at.since(now));
            let next = by_clock.into_iter().chain(left).min();
            tokio::select! {
                () = registration.woken() => {}
                () = tokio::time::sleep(next.unwrap_or(Duration::MAX)), if next.is_some() => {}
            }
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
    ) -> Result<IssuedRules, AssistantError> {
        let (rules, of) = match whose {
            Whose::Child(child) => {
                let access = self.children.of(assistant, child)?;
                let (rules, told) = self.rules.told(&access, assistant.id())?;
                let told = Issued {
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
