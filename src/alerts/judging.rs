//! Judges conversations that are over, and assistants that fell silent.

use std::time::Duration;

use super::outside::{Outside, Run, outside, runs};
use super::silence::{Connected, LONG_AGO, Silent, silent};
use super::store::{
    self, PendingJudgement, Running, subject_of_kind, subject_of_silence, subject_of_unconfirmed,
};
use super::{Alert, Alerts, Kind};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::conversations::transcripts::{Message, Session, existing};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable, run_blocking};
use crate::rules::ConversationRules;
use crate::rules::schedule::is_goodbye;

/// Only this last part of a conversation is judged.
const LONGEST: Duration = Duration::from_secs(48 * 60 * 60);

/// The number of messages that are read at a time.
const AT_ONCE: usize = 500;

/// How often assistants are judged.
const ASSISTANTS_EVERY: Duration = Duration::from_secs(10 * 60);

/// A server that wasn't seen for longer than this was off.
const OFF: Duration = Duration::from_secs(60 * 60);

/// Assistants are not judged for this long after the server was off.
const AFTER_OFF: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// What was found about a conversation.
struct Findings {
    session: Session,
    runs: Vec<Run>,
    outside: Option<Outside>,
    /// `None` if the session was moved to another child than the assistant named.
    rules: Option<ConversationRules>,
}

impl Alerts {
    /// Judges what has not been judged. Returns the first error, after everything was tried.
    pub async fn judge(&self) -> Result<(), StoreError> {
        let mut first = Ok(());
        for (child, session, pending) in store::all_pending(&self.store)? {
            let judged = match self.access(child)? {
                Some(access) => self.judge_session(access, session, pending).await,
                None => Ok(()),
            };
            // One that can't be read must not hold up the others.
            first = first.and(readable(judged).map(drop));
        }
        first.and(self.judge_assistants().await)
    }

    /// `None` while the child is being erased.
    fn access(&self, child: ChildId) -> Result<Option<ChildAccess>, StoreError> {
        match self.dependencies.children.for_administrator(child) {
            Ok(access) => Ok(Some(access)),
            Err(ChildrenError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    async fn judge_session(
        &self,
        access: ChildAccess,
        session: SessionId,
        pending: PendingJudgement,
    ) -> Result<(), StoreError> {
        let found = self
            .dependencies
            .transcripts
            .find_any(&self.store, &access, session)?;
        if found.is_some_and(|session| !session.ended) {
            return Ok(());
        }
        let (alerts, child, of) = (self.clone(), access.clone(), pending.clone());
        let findings = run_blocking(move || alerts.read_session(&child, session, &of)).await?;
        let alerts = self.clone();
        let judged = self.store.commit(move |change| {
            let child = access.child();
            if access.confirm(change).is_err() {
                return Ok(());
            }
            if let Some(findings) = findings {
                let transcripts = &alerts.dependencies.transcripts;
                let now = transcripts.find_any(change, &access, session)?;
                if now.is_some_and(|now| now != findings.session) {
                    // It continues, or was corrected or moved: it is judged the next time.
                    return Ok(());
                }
                alerts.record_findings(change, child, findings, pending)?;
            }
            store::remove_pending(change, child, session)
        });
        judged.await
    }

    /// `None` if the session is erased.
    fn read_session(
        &self,
        access: &ChildAccess,
        session: SessionId,
        pending: &PendingJudgement,
    ) -> Result<Option<Findings>, StoreError> {
        let view = &self.store;
        let transcripts = &self.dependencies.transcripts;
        let Some(session) = transcripts.find_any(view, access, session)? else {
            return Ok(None);
        };
        let mut said = self.said(access, &session)?;
        if let Some(last) = said.iter().max().copied() {
            said.retain(|at| last.since(*at) <= LONGEST);
        }
        let runs = runs(said);
        let span = runs.first().zip(runs.last());
        let span = span.map(|((start, _), (_, end))| (*start, *end));
        let Some((start, end)) = span else {
            return Ok(Some(Findings {
                session,
                runs,
                outside: None,
                rules: None,
            }));
        };
        let rules = &self.dependencies.rules;
        // A period before may have been the same one.
        let from = start.before(Duration::from_secs(24 * 60 * 60));
        let not_allowed = rules.not_allowed(view, access, from, end)?;
        let confirmed = if pending.named == access.child() {
            let assistant = &pending.assistant;
            let id = session.session_id;
            let span = (start, end.after(Duration::from_micros(1)));
            Some(rules.rules_of_conversation(view, access, assistant, id, span)?)
        } else {
            None
        };
        Ok(Some(Findings {
            outside: outside(&runs, &not_allowed),
            rules: confirmed,
            session,
            runs,
        }))
    }

    /// When something was said, without goodbyes and the words that they answer.
    fn said(&self, access: &ChildAccess, session: &Session) -> Result<Vec<Timestamp>, StoreError> {
        let transcripts = &self.dependencies.transcripts;
        let (mut said, mut after) = (Vec::new(), None::<String>);
        let mut is_child_last = false;
        loop {
            let after_text = after.as_deref();
            let page =
                transcripts.read_messages_of(&self.store, access, session, after_text, AT_ONCE);
            let Some(page) = existing(page)? else {
                // It was moved meanwhile.
                return Ok(said);
            };
            for row in &page.rows {
                let message = row.record::<Message>()?;
                let is_assistant = message.is_assistants();
                let text = message.text_content.as_deref().unwrap_or_default();
                if !message.is_said() {
                    continue;
                }
                if is_assistant && is_goodbye(text) {
                    if is_child_last {
                        said.pop();
                    }
                    is_child_last = false;
                } else {
                    said.push(message.timestamp);
                    is_child_last = !is_assistant;
                }
            }
            after = page.end.filter(|_| page.has_next).map(|end| end.to_text());
            if after.is_none() {
                return Ok(said);
            }
        }
    }

    fn record_findings(
        &self,
        change: &mut Change,
        child: ChildId,
        findings: Findings,
        pending: PendingJudgement,
    ) -> Result<(), StoreError> {
        let (session, now) = (findings.session.session_id, self.clock.now());
        let assistant = &pending.assistant;
        let add = |change: &mut Change, subject, alert: Alert| {
            if store::find(change, session, &None, subject)?.is_some() {
                return Ok(());
            }
            let alert = Alert {
                assistant_id: Some(assistant.clone()),
                ..alert
            };
            self.add_for_all(change, child, subject, alert)
        };
        if let Some(outside) = findings.outside {
            let kind = Kind::OutsideTimes;
            let alert = Alert {
                minutes: Some(outside.minutes),
                why: Some(outside.why),
                ..Alert::new(kind, now, outside.since, session)
            };
            add(change, subject_of_kind(kind), alert)?;
        }
        if let Some(rules) = findings.rules {
            let before = store::assistant_state(change, child, assistant)?;
            let mut state = before.clone();
            if let Some(found) = state.confirming.judge(&findings.runs, &rules) {
                let alert = Alert {
                    minutes: Some(found.minutes),
                    ..Alert::new(Kind::Rules, now, found.since, session)
                };
                add(change, subject_of_unconfirmed(), alert)?;
            }
            if state != before {
                store::put_assistant_state(change, child, assistant, &state)?;
            }
        }
        Ok(())
    }

    async fn judge_assistants(&self) -> Result<(), StoreError> {
        let Some(running) = self.record_running().await? else {
            return Ok(());
        };
        let now = self.clock.now();
        let was_off = running
            .resumed_at
            .is_some_and(|resumed| now.since(resumed) < AFTER_OFF);
        if was_off {
            return Ok(());
        }
        let mut first = Ok(());
        for child in self.dependencies.children.all_numbers(&self.store)? {
            let judged = match self.access(child)? {
                Some(access) => self.judge_assistants_of(access, now).await,
                None => Ok(()),
            };
            first = first.and(readable(judged).map(drop));
        }
        first
    }

    /// Records that the server runs; `None` if that was done a moment ago.
    async fn record_running(&self) -> Result<Option<Running>, StoreError> {
        let now = self.clock.now();
        let before = store::running(&self.store)?;
        let running = match before {
            Some(last) if last.seen_at <= now && now.since(last.seen_at) < ASSISTANTS_EVERY => {
                return Ok(None);
            }
            Some(last) if now.since(last.seen_at) > OFF || last.seen_at.since(now) > OFF => {
                Running {
                    seen_at: now,
                    resumed_at: Some(now),
                }
            }
            Some(last) => Running {
                seen_at: now,
                ..last
            },
            None => Running {
                seen_at: now,
                resumed_at: None,
            },
        };
        let noted = self
            .store
            .commit(move |change| store::put_running(change, &running));
        noted.await?;
        Ok(Some(running))
    }

    async fn judge_assistants_of(
        &self,
        access: ChildAccess,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let rules = &self.dependencies.rules;
        if rules.is_paused(&access)? {
            return Ok(());
        }
        let mut all = Vec::new();
        for contact in rules.contacts(&self.store, &access)? {
            let state = store::assistant_state(&self.store, access.child(), &contact.assistant)?;
            let since = contact.last.max(now.before(LONG_AGO));
            all.push(Connected {
                days: rules.count_days_with_talk(&self.store, &access, since, now)?,
                is_told: state.silent_since == Some(contact.last),
                assistant: contact.assistant,
                last: contact.last,
                delivered_at: contact.delivered_at,
                is_standing: contact.is_standing,
            });
        }
        if silent(&all, now).is_empty() {
            return Ok(());
        }
        let alerts = self.clone();
        let noted = self.store.commit(move |change| {
            if access.confirm(change).is_err() {
                return Ok(());
            }
            for silent in silent(&all, now) {
                alerts.record_silent(change, access.child(), &silent, now)?;
            }
            Ok(())
        });
        noted.await
    }

    fn record_silent(
        &self,
        change: &mut Change,
        child: ChildId,
        silent: &Silent<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (all, assistant) = match silent {
            Silent::One(one) => (std::slice::from_ref(*one), Some(&one.assistant)),
            Silent::All(all) => (*all, None),
        };
        for one in all {
            let mut state = store::assistant_state(change, child, &one.assistant)?;
            state.silent_since = Some(one.last);
            store::put_assistant_state(change, child, &one.assistant, &state)?;
        }
        let alert = Alert {
            assistant_id: assistant.cloned(),
            all_assistants: assistant.is_none(),
            ..Alert::new(Kind::Silent, now, silent.last(), None)
        };
        self.add_for_all(change, child, subject_of_silence(assistant), alert)
    }
}
