//! The rules that an assistant must follow, with long polling for changes.

use std::pin::pin;
use std::time::Duration;

use super::{AssistantError, AssistantService};
use crate::children::{ChildAccess, ChildId};
use crate::identity::{AssistantKeyError, SignedAssistant};
use crate::kernel::store::StoreError;
use crate::rules::schedule::Why;
use crate::rules::{Issued, IssuedRules, Registration, TalkNow};

#[derive(Clone, Copy, Debug)]
pub enum RulesScope {
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
        scope: RulesScope,
        is_known: impl Fn(&str) -> bool,
        wait: Duration,
    ) -> Result<(IssuedRules, bool), AssistantError> {
        let mut call = None;
        let mut waited = pin!(tokio::time::sleep(wait));
        loop {
            if !wait.is_zero() {
                let children = self.children_of(assistant, scope)?;
                let registered = call.as_ref().map(|call: &Registration| call.children());
                if registered != Some(&*children) {
                    // Frees the old registration before making a new one.
                    drop(call.take());
                    call = self.rules.register(assistant, children);
                }
            }
            let issued = self.rules(assistant, scope, !wait.is_zero()).await?;
            let is_known = is_known(&issued.tag());
            let Some(call) = call.as_ref().filter(|_| is_known) else {
                return Ok((issued, is_known));
            };
            let next_change = issued.next_change.map(|at| at.since(self.clock.now()));
            tokio::select! {
                () = call.woken() => {}
                () = tokio::time::sleep(next_change.unwrap_or(wait)) => {}
                () = &mut waited => return Ok((issued, true)),
            }
            if self.rules.are_stopped() {
                return Ok((issued, true));
            }
            // The key may have been revoked meanwhile.
            self.assistants.require_valid(assistant)?;
        }
    }

    /// Waits until the assistant may no longer talk with the child, who is talking with it meanwhile. Returns what it can say
    /// then. Fails if its key or its access to the child has ended. If the rules can't be read any more, the last ones hold.
    pub async fn until_silenced(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
    ) -> Result<&'static str, AssistantError> {
        let (mut talking, mut last) = (None, None);
        loop {
            let registration = self.rules.watch(child);
            let now = self.clock.now();
            let talk = match (self.talk(assistant, child), last.take()) {
                (Err(error), Some(talk)) if error.is_store_failure() => {
                    tracing::warn!(%child, %error, "the rules of a running conversation can't be read; the last ones hold");
                    let TalkNow {
                        next_change,
                        language,
                        ..
                    } = talk;
                    if next_change.is_some_and(|at| at <= now) {
                        // Nothing else ends talking by the clock alone.
                        return Ok(Why::QuietHours.goodbye(language));
                    }
                    talk
                }
                (talk, _) => talk?,
            };
            if let Some(goodbye) = talk.talk.goodbye(talk.language) {
                return Ok(goodbye);
            }
            let used = Duration::from_secs(talk.seconds_used);
            let limit = talk.talk.seconds_left.map(Duration::from_secs);
            let limit = limit.map(|left| used + left);
            // The running answer isn't stored yet, so its time is added to what was used. A new day begins with none.
            let (began, before) = talking
                .filter(|(_, before)| *before <= used)
                .unwrap_or((now, used));
            talking = Some((began, before));
            let left = limit.map(|limit| limit.saturating_sub(used.max(before + now.since(began))));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(Why::TimeUsedUp.goodbye(talk.language));
            }
            let by_clock = talk.next_change.map(|at| at.since(now));
            last = Some(talk);
            let next = by_clock.into_iter().chain(left).min();
            tokio::select! {
                () = registration.woken() => {}
                () = tokio::time::sleep(next.unwrap_or(Duration::MAX)), if next.is_some() => {}
            }
        }
    }

    fn talk(&self, assistant: &SignedAssistant, child: ChildId) -> Result<TalkNow, AssistantError> {
        // A key that was rotated is the same assistant's.
        let signed = self.assistants.on_behalf_of(assistant.id())?;
        let signed = signed.ok_or(AssistantKeyError::Ended)?;
        let access = self.children.of(&signed, child)?;
        Ok(self.rules.talk(&access)?)
    }

    fn children_of(
        &self,
        assistant: &SignedAssistant,
        scope: RulesScope,
    ) -> Result<Vec<ChildId>, StoreError> {
        match scope {
            RulesScope::Child(child) => Ok(vec![child]),
            RulesScope::AllChildren => {
                let all = self.children.all_of(assistant)?;
                Ok(all.iter().map(ChildAccess::child).collect())
            }
        }
    }

    /// Fails if the child isn't this assistant's, or with [`TogetherError`].
    async fn rules(
        &self,
        assistant: &SignedAssistant,
        scope: RulesScope,
        waits: bool,
    ) -> Result<IssuedRules, AssistantError> {
        let (rules, of) = match scope {
            RulesScope::Child(child) => {
                let access = self.children.of(assistant, child)?;
                let (rules, issued) = self.rules.issue(&access, assistant.id())?;
                let issued = Issued {
                    access,
                    number: issued.number,
                    pause: rules.pauses.first().cloned(),
                };
                (rules, vec![issued])
            }
            RulesScope::AllChildren => self.rules.of_all(assistant)?,
        };
        for issued in of {
            self.rules
                .record_issued(issued, assistant.id(), waits)
                .await;
        }
        Ok(rules)
    }
}
