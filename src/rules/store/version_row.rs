//! The stored form of a version: short values are in its row, and its texts are stored [separately](super::texts).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::texts::{self, References, TextId};
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Read, Record, StoreError, Upgrade};
use crate::rules::instructions::{fill, frame};
use crate::rules::version::{Changed, StoredVersion, TopicsVersion};
use crate::times::Times;

/// One version of the rules, as stored. In format 1 the record contained the texts themselves.
#[derive(Serialize, Deserialize)]
pub struct VersionRow {
    pub number: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Changed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<GuardianId>,
    pub topics_version: TopicsVersion,
    pub times: Times,
    #[serde(flatten)]
    texts: Texts,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Texts {
    Ids {
        texts: Ids,
    },
    Own {
        topics: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<String>,
        instructions: String,
    },
}

/// The texts of a version.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Ids {
    /// The id of the list of the topics' ids.
    topics: TextId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

impl Record for VersionRow {
    const VERSION: u8 = 2;
    const UPGRADES: &'static [Upgrade] = &[Some];
}

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
            ..
        } = version;
        let ids = topics.iter().map(|topic| keep(topic.clone()));
        let ids = ids.collect::<Vec<_>>();
        let frame = frame(context.is_some());
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
            texts: Texts::Ids { texts },
        };
        (row, all)
    }

    /// Whether its texts are inline.
    pub fn has_own_texts(&self) -> bool {
        matches!(self.texts, Texts::Own { .. })
    }

    pub fn version(self, view: &impl Read, child: ChildId) -> Result<StoredVersion, StoreError> {
        let (topics, context, instructions) = match self.texts {
            Texts::Own {
                topics,
                context,
                instructions,
            } => (topics, context, instructions),
            Texts::Ids { texts } => {
                let text = |id: TextId| texts::text(view, child, id);
                let topics = texts::ids_of_list(view, child, texts.topics)?;
                let topics = topics.into_iter().map(text);
                let topics = topics.collect::<Result<Vec<_>, _>>()?;
                let context = texts.context.map(text).transpose()?;
                let instructions = match texts.instructions {
                    InstructionsId::Whole(id) => text(id)?,
                    InstructionsId::Frame(id) => {
                        let filled = fill(&text(id)?, &topics, context.as_deref());
                        filled.ok_or_else(|| StoreError::unreadable("a frame has no places"))?
                    }
                };
                (topics, context, instructions)
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
            instructions,
        })
    }

    /// Whether both rows show that the topics are the same, without reading any texts.
    pub fn has_topics_of(&self, other: &Self) -> bool {
        match (&self.texts, &other.texts) {
            (Texts::Ids { texts: own }, Texts::Ids { texts: others }) => {
                own.topics == others.topics
            }
            _ => false,
        }
    }

    /// The version's topics, in order.
    pub fn topics(&self, view: &impl Read, child: ChildId) -> Result<TopicsOf<'_>, StoreError> {
        match &self.texts {
            Texts::Own { topics, .. } => Ok(TopicsOf {
                ids: topics.iter().map(|topic| TextId::of(topic)).collect(),
                own: topics,
            }),
            Texts::Ids { texts } => Ok(TopicsOf {
                ids: texts::ids_of_list(view, child, texts.topics)?,
                own: &[],
            }),
        }
    }
}

pub struct TopicsOf<'a> {
    pub ids: Vec<TextId>,
    /// The texts, if they are inline.
    own: &'a [String],
}

impl TopicsOf<'_> {
    /// The topics whose ids `is_wanted` accepts.
    pub fn texts(
        &self,
        view: &impl Read,
        child: ChildId,
        is_wanted: impl Fn(&TextId) -> bool,
    ) -> Result<Vec<String>, StoreError> {
        let wanted = self.ids.iter().enumerate().filter(|(_, id)| is_wanted(id));
        let texts = wanted.map(|(index, id)| match self.own.get(index) {
            Some(text) => Ok(text.clone()),
            None => texts::text(view, child, *id),
        });
        texts.collect()
    }
}

/// The references of a version; `None` without a version.
pub fn references(
    view: &impl Read,
    child: ChildId,
    row: Result<Option<VersionRow>, StoreError>,
) -> Result<Option<References>, StoreError> {
    let row = match row {
        Ok(None) => return Ok(None),
        Ok(Some(row)) => row,
        Err(StoreError::Unreadable(_)) => return Ok(Some(incomplete())),
        Err(error) => return Err(error),
    };
    let Texts::Ids { texts } = row.texts else {
        return Ok(Some(References::default()));
    };
    let mut references = match texts::ids_of_list(view, child, texts.topics) {
        Ok(topics) => References {
            ids: topics.into_iter().collect(),
            is_incomplete: false,
        },
        Err(StoreError::Unreadable(_)) => incomplete(),
        Err(error) => return Err(error),
    };
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
