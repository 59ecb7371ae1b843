//! The stored form of a version: short values are in its row, and its texts are stored [separately](super::texts).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::texts::{self, References, TextId};
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, Record, StoreError, readable};
use crate::rules::IssuedProfile;
use crate::rules::instructions::{fill, frame};
use crate::rules::schedule::Schedule;
use crate::rules::version::{Changed, StoredVersion, TopicsVersion};

/// One version of the rules, as stored.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub struct VersionRow {
    pub number: u64,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub changed: Option<Changed>,
    pub by: Option<GuardianId>,
    pub topics_version: TopicsVersion,
    pub times: Schedule,
    texts: Ids,
}

/// The texts of a version.
#[skip_serializing_none]
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Ids {
    /// The id of the list of the topics' ids.
    topics: TextId,
    context: Option<TextId>,
    instructions: InstructionsId,
}

/// The stored instructions.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum InstructionsId {
    /// A frame that is filled with the topics and the context.
    Frame(TextId),
    /// The complete text.
    Whole(TextId),
}

impl Record for VersionRow {}

impl VersionRow {
    /// The row of a version, and the texts that it refers to.
    pub fn of(version: &StoredVersion) -> (Self, BTreeMap<TextId, String>) {
        let mut all = BTreeMap::new();
        let mut keep = |text: String| {
            let id = TextId::of(&text);
            all.insert(id, text);
            id
        };
        let StoredVersion {
            topics,
            context,
            instructions,
            profile,
            ..
        } = version;
        let ids = topics.iter().map(|topic| keep(topic.clone()));
        let ids = ids.collect::<Vec<_>>();
        let profile = profile.unwrap_or(IssuedProfile::UNKNOWN);
        let frame = frame(profile, context.is_some());
        let filled = fill(&frame, topics, context.as_deref());
        let texts = Ids {
            topics: keep(texts::list(&ids)),
            context: context.clone().map(&mut keep),
            instructions: if filled.as_ref() == Some(instructions) {
                InstructionsId::Frame(keep(frame))
            } else {
                InstructionsId::Whole(keep(instructions.clone()))
            },
        };
        let row = Self {
            number: version.number,
            since: version.since,
            until: version.until,
            changed: version.changed,
            by: version.by.clone(),
            topics_version: version.topics_version,
            times: version.times.clone(),
            texts,
        };
        (row, all)
    }

    pub fn version(self, view: &impl Read, child: ChildId) -> Result<StoredVersion, StoreError> {
        let text = |id: TextId| texts::text(view, child, id);
        let topics = texts::ids_of_list(view, child, self.texts.topics)?;
        let topics = topics.into_iter().map(text);
        let topics = topics.collect::<Result<Vec<_>, _>>()?;
        let context = self.texts.context.map(text).transpose()?;
        let instructions = match self.texts.instructions {
            InstructionsId::Whole(id) => text(id)?,
            InstructionsId::Frame(id) => {
                let filled = fill(&text(id)?, &topics, context.as_deref());
                filled.ok_or_else(|| StoreError::unreadable("a frame has no places"))?
            }
        };
        Ok(StoredVersion {
            number: self.number,
            since: self.since,
            until: self.until,
            changed: self.changed,
            by: self.by,
            topics,
            topics_version: self.topics_version,
            context,
            times: self.times,
            profile: None,
            instructions,
        })
    }

    /// Whether both rows show that the topics are the same, without reading any texts.
    pub fn has_topics_of(&self, other: &Self) -> bool {
        self.texts.topics == other.texts.topics
    }

    /// The ids of the version's topics, in order.
    pub fn topics(&self, view: &impl Read, child: ChildId) -> Result<Vec<TextId>, StoreError> {
        texts::ids_of_list(view, child, self.texts.topics)
    }
}

/// The references of a version; `None` without a version.
pub fn references(
    view: &impl Read,
    child: ChildId,
    row: Result<Option<VersionRow>, StoreError>,
) -> Result<Option<References>, StoreError> {
    let row = match readable(row)? {
        Some(None) => return Ok(None),
        Some(Some(row)) => row,
        None => return Ok(Some(incomplete())),
    };
    let texts = row.texts;
    let topics = readable(texts::ids_of_list(view, child, texts.topics))?;
    let mut references = topics.map_or_else(incomplete, |topics| References {
        ids: topics.into_iter().collect(),
        is_incomplete: false,
    });
    references.ids.insert(texts.topics);
    references.ids.extend(texts.context);
    let (InstructionsId::Frame(id) | InstructionsId::Whole(id)) = texts.instructions;
    references.ids.insert(id);
    Ok(Some(references))
}

fn incomplete() -> References {
    References {
        is_incomplete: true,
        ..References::default()
    }
}
