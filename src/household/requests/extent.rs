//! What would be deleted with a child. Shown to each guardian who must agree.

use sha2::{Digest, Sha256};

use crate::children::agreements::Edition;
use crate::children::{ChildAccess, Children, ChildrenError};
use crate::conversations::transcripts::Transcripts;
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::words::name_in_sentence;
use crate::kernel::host::zones::Day;
use crate::kernel::store::{Read, readable};
use crate::rules::schedule::Schedules;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletionExtent {
    /// The number of conversations, including deleted ones that can still be restored.
    pub conversations: u64,
    /// The days of the first and the last conversation, in the child's time zone.
    pub days: Option<(Day, Day)>,
    /// The child's name, then its names of the last thirty days, newest first.
    pub names: Vec<String>,
}

impl DeletionExtent {
    pub(super) fn of_conversations(conversations: u64) -> Self {
        Self {
            conversations,
            days: None,
            names: Vec::new(),
        }
    }

    /// The edition of a request to delete this. Whoever agrees agrees to the conversations that they have read of.
    pub(super) fn edition(&self, request: &Edition) -> Edition {
        let shown = format!("{request} {} {:?}", self.conversations, self.days);
        let hash = hex::encode(&Sha256::digest(shown)[..16]);
        Edition::from_text(&format!("edn_{hash}"))
    }

    /// For an e-mail.
    pub(super) fn conversations_in_words(&self, language: Language) -> String {
        let count = [
            ("count", self.conversations.into()),
            ("number", self.conversations.to_string().into()),
        ];
        let count = text(language, "conversations", &count);
        let days = self.days.filter(|_| self.conversations > 0);
        let Some((first, last)) = days else {
            return count;
        };
        let (first, last) = (first.in_words(language), last.in_words(language));
        if first == last {
            let args = [("conversations", count.into()), ("day", first.into())];
            return text(language, "conversations-on", &args);
        }
        let args = [
            ("conversations", count.into()),
            ("first", first.into()),
            ("last", last.into()),
        ];
        text(language, "conversations-from-to", &args)
    }

    /// For an e-mail.
    pub(super) fn names_in_words(&self, language: Language) -> String {
        let names = self.names.iter().map(|name| name_in_sentence(name));
        let quoted = names.map(|name| text(language, "quoted-name", &[("name", name.into())]));
        quoted.collect::<Vec<_>>().join(", ")
    }
}

/// Reads what would be deleted.
#[derive(Clone)]
pub struct Extents {
    pub(super) children: Children,
    transcripts: Transcripts,
    /// For the child's time zone.
    times: Schedules,
}

impl Extents {
    pub fn new(children: Children, transcripts: Transcripts, times: Schedules) -> Self {
        Self {
            children,
            transcripts,
            times,
        }
    }

    pub(super) fn of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<DeletionExtent, ChildrenError> {
        let extent = self.transcripts.extent(view, access)?;
        let zone = self.times.readable_zone(view, access)?;
        let days = extent.first.zip(extent.last);
        Ok(DeletionExtent {
            conversations: extent.sessions,
            days: days.map(|(first, last)| (zone.day_of(first), zone.day_of(last))),
            // If they are unreadable, the request is shown without names.
            names: readable(self.children.names_of(view, access.child()))?.unwrap_or_default(),
        })
    }
}
