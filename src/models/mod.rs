//! The servers with the models that assistants use, and which assistant uses which.
//!
//! The administrator adds them; an assistant's key has at most one. Requests to them are made by [`UpstreamClient`].

mod client;
mod completion;
mod encoding;
mod probe;
mod store;
#[cfg(test)]
mod tests;
mod upstream;

use serde::{Deserialize, Serialize};

use crate::children::feature::Feature;
use crate::identity::{self, AssistantId, Assistants, KeyKind};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::store::{Backfill, Change, Read, StoreError, Trigger, readable};

pub use client::{UpstreamClient, UpstreamError, UpstreamResponse, UpstreamStatus};
pub use completion::CompletionError;
pub use probe::{ProbeError, UpstreamSeen, probe};
pub use upstream::{
    InvalidUpstream, Upstream, UpstreamForm, UpstreamKey, UpstreamUrl, valid_models,
};

use upstream::valid_upstream_name;

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &TRIGGERS,
    backfills: &[BACKFILL],
    shown: &[],
    erase_batch: |_, _| Ok(false),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

/// A revoked assistant uses no upstream.
const TRIGGERS: [Trigger; 1] = [Trigger {
    table: identity::ASSISTANT_RECORDS,
    run: |change, keys| {
        for assistant in identity::revoked_assistants(change, keys)? {
            store::remove_of_key(change, &assistant)?;
        }
        Ok(())
    },
}];

/// Migration of keys from before a key was for the gateway or for the assistants' API: those that had an upstream.
const BACKFILL: Backfill = Backfill {
    name: "gateway-key-kinds",
    table: store::KEY_UPSTREAM,
    row: |change, key| match store::assistant_at(key) {
        Some(assistant) => Assistants::make_gateway_key(change, &assistant),
        None => Ok(()),
    },
};

#[derive(Debug, thiserror::Error)]
pub enum UpstreamsError {
    #[error(transparent)]
    Invalid(#[from] InvalidUpstream),
    #[error("There is an upstream with the name {0} already.")]
    Exists(String),
    #[error("There is no upstream with the name {0}. `porchlight upstream list` shows them.")]
    NoSuchUpstream(String),
    /// Assistants use it. The second value has their names.
    #[error(
        "{0} is used by {assistants}, so it was not removed. First: porchlight assistant upstream NAME OTHER-UPSTREAM, or --none",
        assistants = .1.join(", ")
    )]
    InUse(String, Vec<String>),
    /// The assistant's key is for the assistants' API. The value is its name.
    #[error(
        "{0}'s key isn't for the gateway, and what a key is for never changes. An app gets a key for the gateway with: porchlight \
         assistant add NAME --child ID --upstream UPSTREAM"
    )]
    OtherKey(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What happens to a request if what the child said can't be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoreFailurePolicy {
    /// It is refused.
    #[default]
    Closed,
    /// It is passed on, and counted as not kept, if the store is at fault; a used-up quota or a wrong clock refuses it all the same.
    Open,
}

/// The upstream of an assistant's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUpstream {
    /// Its name.
    pub upstream: String,
    pub when_not_kept: StoreFailurePolicy,
    pub chosen_at: Timestamp,
}

/// What the administrator says of a new upstream.
pub struct NewUpstream {
    pub name: String,
    pub url: UpstreamUrl,
    pub key: Option<UpstreamKey>,
    pub models: Vec<String>,
    pub form: UpstreamForm,
}

#[derive(Clone)]
pub struct Upstreams {
    clock: Clock,
    assistants: Assistants,
}

impl Upstreams {
    pub fn new(clock: Clock, assistants: Assistants) -> Self {
        Self { clock, assistants }
    }

    /// Fails with [`UpstreamsError::Invalid`] and [`UpstreamsError::Exists`].
    pub fn add(&self, change: &mut Change, new: NewUpstream) -> Result<Upstream, UpstreamsError> {
        let upstream = Upstream {
            name: valid_upstream_name(&new.name)?,
            url: new.url,
            key: new.key,
            models: valid_models(&new.models)?,
            form: new.form,
            added_at: self.clock.now(),
        };
        if upstream.form == UpstreamForm::Ollama && upstream.url.ends_with_v1() {
            return Err(InvalidUpstream::OllamaBelowV1.into());
        }
        if store::contains(change, &upstream.name)? {
            return Err(UpstreamsError::Exists(upstream.name));
        }
        store::put(change, &upstream)?;
        Ok(upstream)
    }

    /// Returns all upstreams by name, and the number of unreadable ones.
    pub fn list(&self, view: &impl Read) -> Result<(Vec<Upstream>, u64), StoreError> {
        store::all(view)
    }

    /// Ignores case.
    pub fn find(&self, view: &impl Read, name: &str) -> Result<Option<Upstream>, StoreError> {
        store::find(view, name)
    }

    /// Like [`Upstreams::find`]. Fails with [`UpstreamsError::NoSuchUpstream`].
    pub fn get(&self, view: &impl Read, name: &str) -> Result<Upstream, UpstreamsError> {
        self.find(view, name)?
            .ok_or_else(|| UpstreamsError::NoSuchUpstream(name.to_owned()))
    }

    /// Removes an upstream, also an unreadable one. Fails with [`UpstreamsError::NoSuchUpstream`], and with
    /// [`UpstreamsError::InUse`] if an assistant uses it.
    pub fn remove(&self, change: &mut Change, name: &str) -> Result<(), UpstreamsError> {
        let using = self.assistants_with(change, name)?;
        if !using.is_empty() {
            return Err(UpstreamsError::InUse(name.to_owned(), using));
        }
        if store::remove(change, name)? {
            Ok(())
        } else {
            Err(UpstreamsError::NoSuchUpstream(name.to_owned()))
        }
    }

    /// The names of the assistants that use an upstream, in alphabetical order; the id of one whose name can't be read.
    pub fn assistants_with(&self, view: &impl Read, name: &str) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        for id in store::keys_with(view, name)? {
            let found = self.assistants.find_by_id(view, &id)?;
            names.push(found.map_or_else(|| id.to_string(), |assistant| assistant.name));
        }
        names.sort();
        Ok(names)
    }

    /// Lets an assistant that exists use an upstream. Fails with [`UpstreamsError::NoSuchUpstream`], and with
    /// [`UpstreamsError::OtherKey`] unless its key is for the gateway.
    pub fn set_for_key(
        &self,
        change: &mut Change,
        assistant: &AssistantId,
        name: &str,
        when_not_kept: StoreFailurePolicy,
    ) -> Result<KeyUpstream, UpstreamsError> {
        if let Some(found) = self.assistants.find_by_id(change, assistant)?
            && found.kind != KeyKind::Gateway
        {
            return Err(UpstreamsError::OtherKey(found.name));
        }
        let chosen = KeyUpstream {
            upstream: self.get(change, name)?.name,
            when_not_kept,
            chosen_at: self.clock.now(),
        };
        store::put_of_key(change, assistant, &chosen)?;
        Ok(chosen)
    }

    /// Lets an assistant use no upstream. Idempotent.
    pub fn unset_for_key(
        &self,
        change: &mut Change,
        assistant: &AssistantId,
    ) -> Result<(), StoreError> {
        store::remove_of_key(change, assistant)?;
        Ok(())
    }

    /// The upstream of an assistant's key; `None` if it has none.
    pub fn of_key(
        &self,
        view: &impl Read,
        assistant: &AssistantId,
    ) -> Result<Option<(Upstream, KeyUpstream)>, StoreError> {
        let Some(chosen) = store::of_key(view, assistant)? else {
            return Ok(None);
        };
        let found = store::find(view, &chosen.upstream)?;
        Ok(found.map(|upstream| (upstream, chosen)))
    }

    /// What was chosen for an assistant's key, for the administrator; `None` also if that is unreadable.
    pub fn chosen_for_key(
        &self,
        view: &impl Read,
        assistant: &AssistantId,
    ) -> Result<Option<KeyUpstream>, StoreError> {
        Ok(readable(store::of_key(view, assistant))?.flatten())
    }
}
