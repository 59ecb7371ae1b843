//! Exports all data of one child, or of every child, as JSON that a person can read and `seed` can import.
//!
//! The data is read through the features' services and written in the format of the file that `seed` imports, one line for each
//! message. Not exported: sign-ins, links, the assistants' keys, and deleted sessions, since no file may bring back what a
//! guardian deleted. Exported but not imported: the assistants' names for sessions, because no device delivers with a newly added
//! assistant's key, and the numbers of messages that could not be stored. A judged activity stays judged when imported, as of the
//! import. The author of a change is exported by address, if they still have the child.
//!
//! Unreadable records are left out and counted by table. A child whose name is unreadable is still exported, and so is a session
//! whose row is unreadable, each with its other data.

mod rules;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Dependencies, Retention};
use crate::children::feature::Feature;
use crate::children::file::{LeftOut, separator};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::conversations::transcripts::{Message, Session, TranscriptsError};
use crate::identity::{AssistantId, Caller, Guardian, GuardianId};
use crate::insights::activities::ActivitiesError;
use crate::kernel::host::clock::Clock;
use crate::kernel::store::{ReadError, Store, StoreError};

/// The page size for reading messages.
const MESSAGES_AT_ONCE: usize = 500;

/// What an export contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    pub children: u64,
    pub sessions: u64,
    pub messages: u64,
    /// How many unreadable records were left out, by table.
    #[serde(default, skip_serializing_if = "LeftOut::is_empty")]
    pub unreadable: LeftOut,
}

impl Retention {
    /// Writes an export of these children. `tell` is called with the number of messages written. A guardian's own copy names no
    /// other guardian. Fails if writing fails, or on a read error other than an unreadable record.
    pub fn export(
        &self,
        children: Vec<ChildId>,
        only: Option<&GuardianId>,
        to: &mut dyn Write,
        tell: &dyn Fn(u64),
    ) -> Result<Exported, ExportError> {
        let Dependencies {
            assistants: of_all, ..
        } = &self.dependencies;
        let mut export = Export {
            app: &self.dependencies,
            features: self.features,
            store: &self.store,
            clock: &self.clock,
            only,
            to,
            assistants: BTreeMap::new(),
            exported: Exported::default(),
        };
        let (assistants, unreadable) = of_all.list(&self.store)?;
        export.left_out("assistant", unreadable);
        for assistant in assistants {
            export.assistants.insert(assistant.id, assistant.name);
        }
        export.family(children, tell).map(|()| export.exported)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The reader disconnected, or writing failed.
    #[error("The export could not be written: {0}.")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A child was removed.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Activities(#[from] ActivitiesError),
}

impl ReadError for ExportError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Store(error) | Self::Activities(ActivitiesError::Store(error)) => error.damage(),
            Self::Children(error) => error.damage(),
            Self::Transcripts(error) => error.damage(),
            _ => None,
        }
    }
}

impl From<serde_json::Error> for ExportError {
    fn from(error: serde_json::Error) -> Self {
        // serde's message is dropped: it may quote the data.
        Self::Store(StoreError::unreadable(format_args!(
            "{:?}",
            error.classify()
        )))
    }
}

struct Export<'a> {
    app: &'a Dependencies,
    features: &'a [&'static Feature],
    store: &'a Store,
    clock: &'a Clock,
    /// If set, no other guardian is named.
    only: Option<&'a GuardianId>,
    to: &'a mut dyn Write,
    /// The assistants' names.
    assistants: BTreeMap<AssistantId, String>,
    exported: Exported,
}

impl Export<'_> {
    /// Counts unreadable records that were left out.
    fn left_out(&mut self, table: &str, records: u64) {
        self.exported.unreadable.add(table, records);
    }

    /// Turns an unreadable record into `None` and counts it.
    fn readable<T>(
        &mut self,
        table: &str,
        found: Result<T, impl Into<ExportError>>,
    ) -> Result<Option<T>, ExportError> {
        let found = found.map_err(Into::into);
        self.exported.unreadable.readable(table, found)
    }

    fn family(&mut self, children: Vec<ChildId>, tell: &dyn Fn(u64)) -> Result<(), ExportError> {
        let mut known = BTreeMap::new();
        for child in &children {
            for id in self.guardians_of(*child)? {
                if let Entry::Vacant(place) = known.entry(id) {
                    let found = self.app.guardians.find_by_id(self.store, place.key());
                    place.insert(self.readable("guardian", found)?.flatten());
                }
            }
        }
        let mut guardians = known.values().flatten().collect::<Vec<_>>();
        guardians.sort_by_cached_key(|guardian| guardian.email.key());
        let guardians = guardians.into_iter().map(|guardian| match &guardian.name {
            Some(name) => json!({"email": guardian.email, "name": name}),
            None => json!({"email": guardian.email}),
        });
        let mut assistants = BTreeSet::new();
        for child in &children {
            let access = self.app.children.for_administrator(*child)?;
            let of_child = self.assistants_of(&access)?;
            assistants.extend(of_child.into_iter().map(|(_, name)| name));
        }
        let assistants = assistants.into_iter().map(|name| json!({"name": name}));
        write!(
            self.to,
            "{{\n\"guardians\": {},\n\"assistants\": {},\n\"children\": [",
            Value::from_iter(guardians),
            Value::from_iter(assistants)
        )?;
        for (position, child) in children.into_iter().enumerate() {
            self.to.write_all(separator(position))?;
            self.child(child, &known, tell)?;
        }
        self.to.write_all(b"]\n}\n")?;
        Ok(self.to.flush()?)
    }

    fn guardians_of(&self, child: ChildId) -> Result<Vec<GuardianId>, StoreError> {
        let callers = self.app.children.callers_of(self.store, child)?;
        let guardians = callers.into_iter().filter_map(Caller::into_guardian);
        let named = guardians.filter(|id| self.only.is_none_or(|only| only == id));
        Ok(named.collect())
    }

    fn child(
        &mut self,
        child: ChildId,
        known: &BTreeMap<GuardianId, Option<Guardian>>,
        tell: &dyn Fn(u64),
    ) -> Result<(), ExportError> {
        let app = self.app;
        let access = app.children.for_administrator(child)?;
        let found = self.readable("child", app.children.get(self.store, child))?;
        let name = found.map_or_else(|| format!("Child {child}"), |found| found.name);
        let guardians = self.guardians_of(child)?;
        let guardians = guardians.iter().filter_map(|id| known.get(id)?.as_ref());
        let guardians = guardians.collect::<Vec<_>>();
        let mut emails = guardians
            .iter()
            .map(|guardian| &guardian.email)
            .collect::<Vec<_>>();
        emails.sort_by_cached_key(|email| email.key());
        write!(
            self.to,
            "{{\"name\": {},\n\"guardians\": {}",
            json!(name),
            json!(emails)
        )?;
        for field in self
            .features
            .iter()
            .flat_map(|feature| feature.child_fields)
        {
            let left_out = &mut self.exported.unreadable;
            let json = (field.export)(self.store, &access, self.only, left_out)?;
            if let Some(json) = json {
                self.field(field.name, &json)?;
            }
        }
        self.rules(&access, &guardians)?;
        self.to.write_all(b",\n\"sessions\": [")?;
        // Oldest first, so that the import numbers them in the same order.
        let (sessions, unreadable) = app.transcripts.list_all_sessions(self.store, &access)?;
        self.left_out("session", unreadable);
        for (position, session) in sessions.iter().rev().enumerate() {
            self.to.write_all(separator(position))?;
            self.session(&access, session)?;
            tell(self.exported.messages);
        }
        self.to.write_all(b"]}")?;
        self.exported.children += 1;
        Ok(())
    }

    fn session(&mut self, access: &ChildAccess, session: &Session) -> Result<(), ExportError> {
        let app = self.app;
        let completed = app.activities.find_completed(access, session.session_id);
        let completed = self.readable("completed", completed)?.flatten();
        let mut page = self.messages(access, session, None)?;
        let mut said_first = None;
        for message in &page.0 {
            let message = serde_json::from_slice::<Message>(message)?;
            // The rest is not the start.
            if message.is_said() {
                said_first = Some(json!(message.timestamp));
                break;
            }
        }
        let began = session
            .start_time
            .or(completed.as_ref().map(|activity| activity.date));
        let start = match began {
            Some(start) => json!(start),
            None => said_first.unwrap_or_else(|| json!(self.clock.now())),
        };
        let id = session.session_id;
        write!(self.to, "{{\"session_id\": {id}, \"start\": {start}")?;
        // An unreadable session is exported as the activity made from it.
        let became = completed.as_ref().map(|activity| &activity.topic);
        if let Some(topic) = session
            .topic
            .as_ref()
            .or(became.filter(|topic| !topic.is_empty()))
        {
            write!(self.to, ", \"topic\": {}", json!(topic))?;
        }
        if let Some(device) = &session.device {
            write!(self.to, ", \"device\": {}", json!(device))?;
        }
        if let Some(assistant) = &session.assistant {
            write!(self.to, ", \"assistant\": {}", json!(assistant))?;
        }
        if session.not_child {
            write!(self.to, ", \"not_child\": true")?;
        }
        let receipts = self.receipts(access, session.session_id)?;
        if !receipts.is_empty() {
            write!(self.to, ", \"receipts\": {}", Value::from(receipts))?;
        }
        let metadata = app.transcripts.get_metadata(access, session.session_id);
        let metadata = self
            .readable("session-state", metadata)?
            .unwrap_or_default();
        if let Some((assistant, name)) = &metadata.known_as {
            let mut known_as = json!({"name": name});
            // A revoked assistant has no name any more.
            if let Some(assistant) = self.assistants.get(assistant) {
                known_as["assistant"] = json!(assistant);
            }
            write!(self.to, ", \"known_as\": {known_as}")?;
        }
        for field in self
            .features
            .iter()
            .flat_map(|feature| feature.session_fields)
        {
            let (id, left_out) = (session.session_id, &mut self.exported.unreadable);
            if let Some(json) = (field.export)(self.store, access, id, left_out)? {
                write!(self.to, ", \"{}\": ", field.name)?;
                self.to.write_all(&json)?;
            }
        }
        if let Some(activity) = completed {
            let mut how = json!({
                "duration": activity.duration, "score": activity.score, "mood": activity.mood,
            });
            if let Some(ended_at) = metadata.ended_at {
                how["end_time"] = json!(ended_at);
            }
            write!(self.to, ", \"completion\": {how}")?;
        }
        self.to.write_all(b", \"messages\": [")?;
        let mut position = 0;
        loop {
            for message in &page.0 {
                self.to.write_all(separator(position))?;
                self.to.write_all(message)?;
                position += 1;
            }
            let Some(next) = page.1 else { break };
            page = self.messages(access, session, Some(&next))?;
        }
        self.exported.sessions += 1;
        self.exported.messages += position as u64;
        Ok(self.to.write_all(b"]}")?)
    }

    /// Returns a page of messages and the marker of the next one.
    fn messages(
        &mut self,
        access: &ChildAccess,
        session: &Session,
        after: Option<&str>,
    ) -> Result<(Vec<Vec<u8>>, Option<String>), ExportError> {
        let transcripts = &self.app.transcripts;
        let page =
            transcripts.read_messages_of(self.store, access, session, after, MESSAGES_AT_ONCE)?;
        self.left_out("message", page.unreadable);
        let messages = page.rows.iter().map(|row| row.json().to_vec());
        Ok((messages.collect(), page.next()))
    }

    fn field(&mut self, name: &str, value: &[u8]) -> io::Result<()> {
        write!(self.to, ",\n\"{name}\": ")?;
        self.to.write_all(value)
    }
}
