//! The alerts of the demonstration family: what would have been told if its conversations had just been delivered.

use std::sync::Arc;
use std::time::Duration;

use super::phrase::{Side, WatchedPhrase};
use super::recording::Hits;
use super::store::{self, PendingJudgement, Phrases, subject_of_kind};
use super::watching::Watching;
use super::{Alert, Alerts, AlertsError, Kind};
use crate::children::{ChildAccess, ChildId};
use crate::conversations::transcripts::{Message, MessageDelivery, Session};
use crate::identity::{AssistantId, Caller, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Row, StoreError};

/// What the demonstration's guardian watches for.
const PHRASES: [(&str, Side); 3] = [
    ("I'm scared to go home", Side::Child),
    ("don't tell your parents", Side::Either),
    ("our secret", Side::Assistant),
];

/// Older conversations get no alerts, as if the phrases had been watched only since then.
const SINCE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// A conversation of the demonstration's has fewer messages.
const MESSAGES: usize = 500;

impl Alerts {
    /// Watches for phrases about the guardian's children, and alerts of what their imported conversations have.
    pub async fn demonstrate(&self, guardian: GuardianId) -> Result<(), AlertsError> {
        let alerts = self.clone();
        let demonstrated = self.store.commit(move |change| {
            let children = alerts.dependencies.children.clone();
            let caller = Caller::Guardian(guardian.clone());
            for child in children.visible_to(change, &caller)? {
                let access = children.access_in(change, &caller, child)?;
                let phrases = PHRASES.iter();
                let phrases =
                    phrases.filter_map(|(words, side)| WatchedPhrase::new(words, *side).ok());
                store::put_phrases(change, child, &guardian, &Phrases(phrases.collect()))?;
                alerts.demonstrate_child(change, &access)?;
            }
            Ok::<_, AlertsError>(())
        });
        demonstrated.await?;
        Ok(self.judge().await?)
    }

    fn demonstrate_child(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<(), AlertsError> {
        let child = access.child();
        let dependencies = &self.dependencies;
        let watching = Arc::new(Watching::read(
            change,
            child,
            &dependencies.children,
            &dependencies.guardians,
        )?);
        let since = self.clock.now().before(SINCE);
        let (sessions, _) = dependencies.transcripts.list_all_sessions(change, access)?;
        let mut last_delivered = None;
        // The oldest first.
        for session in sessions.iter().rev() {
            let Some(said) = session.last_message_time.filter(|said| *said > since) else {
                continue;
            };
            self.demonstrate_phrases(change, access, session, &watching)?;
            if let Some(assistant) = self.assistant_of(change, child, session)? {
                self.demonstrate_refusal(change, access, session, &assistant, said)?;
                let pending = PendingJudgement {
                    assistant: assistant.clone(),
                    named: child,
                };
                store::record_pending(change, child, session.session_id, &pending)?;
                last_delivered = Some((session, assistant, said));
            }
        }
        match last_delivered {
            Some((session, assistant, said)) => {
                let alert = Alert {
                    count: self.lose_messages(change, access, session)?,
                    ..Alert::new(Kind::NotKept, said, said, session.session_id)
                };
                self.add_demonstrated(change, child, alert, assistant)
            }
            None => Ok(()),
        }
    }

    /// Delivers two messages under the ids of others, so that they can't be stored. Returns their number.
    fn lose_messages(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: &Session,
    ) -> Result<u64, AlertsError> {
        let transcripts = &self.dependencies.transcripts;
        let page = transcripts.read_messages_of(change, access, session, None, MESSAGES)?;
        let last = page.rows.iter().rev().take(2);
        let last = last.map(Row::record::<Message>);
        let mut lost = last.collect::<Result<Vec<_>, _>>()?;
        for message in &mut lost {
            message.text_content = Some("And then?".to_owned());
        }
        let lost = lost.into_iter().map(MessageDelivery::of).collect();
        let delivered = transcripts.deliver(change, access, session.session_id, lost)?;
        Ok(delivered.conflicting.len() as u64)
    }

    fn demonstrate_phrases(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: &Session,
        watching: &Watching,
    ) -> Result<(), AlertsError> {
        let transcripts = &self.dependencies.transcripts;
        let page = transcripts.read_messages_of(change, access, session, None, MESSAGES)?;
        let messages = page.rows.iter().map(Row::record::<Message>);
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let mut hits = Hits::default();
        for message in &messages {
            for index in watching.hits(message) {
                hits.add(index, message, None);
            }
        }
        let id = session.session_id;
        Ok(self.record_phrases(change, access.child(), id, watching, hits)?)
    }

    fn demonstrate_refusal(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: &Session,
        assistant: &AssistantId,
        said: Timestamp,
    ) -> Result<(), AlertsError> {
        let id = session.session_id;
        let rules = &self.dependencies.rules;
        let span = (said, said.after(Duration::from_secs(1)));
        let rules = rules.rules_of_conversation(change, access, assistant, id, span)?;
        let refused = rules.reports.iter().find(|(_, topics)| topics.is_none());
        match refused {
            Some((at, _)) => {
                let alert = Alert::new(Kind::Rules, said, *at, id);
                self.add_demonstrated(change, access.child(), alert, assistant.clone())
            }
            None => Ok(()),
        }
    }

    fn add_demonstrated(
        &self,
        change: &mut Change,
        child: ChildId,
        alert: Alert,
        assistant: AssistantId,
    ) -> Result<(), AlertsError> {
        let subject = subject_of_kind(alert.kind);
        let alert = Alert {
            assistant_id: Some(assistant),
            ..alert
        };
        Ok(self.add_for_all(change, child, subject, alert)?)
    }

    /// The child's assistant with the name that the session has.
    fn assistant_of(
        &self,
        change: &Change,
        child: ChildId,
        session: &Session,
    ) -> Result<Option<AssistantId>, StoreError> {
        let dependencies = &self.dependencies;
        for caller in dependencies.children.callers_of(change, child)? {
            if let Caller::Assistant(id) = caller {
                let found = dependencies.assistants.find_by_id(change, &id)?;
                if found.map(|found| found.name) == session.assistant {
                    return Ok(Some(id));
                }
            }
        }
        Ok(None)
    }
}
