//! The rules in an export: their versions, who changed what, and the assistants' receipts.

use serde_json::{Value, json};

use super::{Export, ExportError};
use crate::children::file::{json_list, separator};
use crate::children::{ChildAccess, SessionId};
use crate::identity::{AssistantId, Caller, Guardian, GuardianId};
use crate::kernel::store::StoreError;
use crate::rules::{SessionReceipt, StoredVersion, TopicsVersion};

/// The page size for reading receipts.
const RECEIPTS_AT_ONCE: usize = 500;

/// Removes fields that are null.
fn object(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
    }
    value
}

fn list(topics: TopicsVersion) -> Value {
    object(json!({"number": topics.number, "since": topics.since}))
}

impl Export<'_> {
    /// Writes the fields of a child's rules; `guardians` are the child's.
    pub(super) fn rules(
        &mut self,
        access: &ChildAccess,
        guardians: &[&Guardian],
    ) -> Result<(), ExportError> {
        let app = self.app;
        let address = |by: &GuardianId| {
            let found = guardians.iter().find(|guardian| guardian.id == *by);
            found.map(|guardian| &guardian.email)
        };
        // Written one by one: each version contains all of its texts, so a list of all would be large.
        let mut position = 0;
        for number in app.rules.list_version_numbers(access)? {
            let version = app.rules.find_version(access, number);
            let Some(version) = self.readable("rules-version", version)?.flatten() else {
                continue;
            };
            let version: StoredVersion = version;
            let version = object(json!({
                "number": version.number, "since": version.since, "until": version.until,
                "changed": version.changed, "by": version.by.as_ref().and_then(address),
                "blocked_topics": version.topics, "list": list(version.topics_version),
                "context": version.context, "times": version.times,
                "instructions": version.instructions,
            }));
            if position == 0 {
                self.to.write_all(b",\n\"rules\": [")?;
            }
            self.to.write_all(separator(position))?;
            write!(self.to, "{version}")?;
            position += 1;
        }
        if position > 0 {
            self.to.write_all(b"]")?;
        }
        let (entries, unreadable) = app.history.list_all(access)?;
        self.left_out("history", unreadable);
        let entries = entries.iter().map(|entry| {
            let by = entry.by.as_ref().and_then(address);
            object(json!({"at": entry.at, "what": entry.what, "times": Some(entry.times).filter(|times| *times > 1), "by": by, "details": entry.details}))
        });
        self.objects("history", entries.collect())?;
        let mut assistants = Vec::new();
        for (id, name) in self.assistants_of(access)? {
            let status = app.rules.rule_status_of(self.store, access, &id);
            let status = self.readable("rules-standing", status)?.unwrap_or_default();
            let asked = status.issued;
            let refused = status.refused.map(|refused| {
                let reason = app.rules.reason_of(self.store, access, &refused)?;
                let list = list(refused.topics);
                let refused = json!({"list": list, "reason": reason, "at": refused.at});
                Ok::<_, StoreError>(object(refused))
            });
            assistants.push(object(json!({
                "name": name,
                "asked": asked.map(|(version, at)| json!({"version": version, "at": at})),
                "follows": status.follows.map(|followed| json!({
                    "list": list(followed.topics), "evidence": followed.evidence,
                    "since": followed.since, "at": followed.at,
                })),
                "refused": refused.transpose()?,
                "heard_at": status.heard_at,
            })));
        }
        self.objects("assistants", assistants)
    }

    /// The child's assistants whose names can be read, by name.
    pub(super) fn assistants_of(
        &self,
        access: &ChildAccess,
    ) -> Result<Vec<(AssistantId, String)>, StoreError> {
        let callers = self.app.children.callers_of(self.store, access.child())?;
        let ids = callers.into_iter().filter_map(Caller::into_assistant);
        let named = ids.filter_map(|id| self.assistants.get(&id).cloned().map(|name| (id, name)));
        let mut named = named.collect::<Vec<_>>();
        named.sort_by(|one, other| one.1.cmp(&other.1));
        Ok(named)
    }

    /// Writes the receipts of a session as a list.
    pub(super) fn receipts(
        &mut self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Vec<Value>, ExportError> {
        let (mut receipts, mut after) = (Vec::new(), None);
        loop {
            let (rules, limit) = (&self.app.rules, RECEIPTS_AT_ONCE);
            let page = rules.read_receipts(access, session, after.as_ref(), limit)?;
            self.left_out("rules-receipt", page.unreadable);
            receipts.extend(page.receipts.into_iter().map(|receipt: SessionReceipt| {
                object(json!({
                    "version": receipt.number, "list": list(receipt.topics),
                    "evidence": receipt.evidence, "at": receipt.at, "refused": receipt.refused,
                }))
            }));
            after = page.next;
            if after.is_none() {
                return Ok(receipts);
            }
        }
    }

    /// Writes a field with a list of objects, each on its own line; nothing if the list is empty.
    fn objects(&mut self, name: &str, objects: Vec<Value>) -> Result<(), ExportError> {
        if objects.is_empty() {
            return Ok(());
        }
        let lines = objects.iter().map(Value::to_string).collect::<Vec<_>>();
        let list = json_list(lines.iter().map(String::as_bytes));
        Ok(self.field(name, &list)?)
    }
}
