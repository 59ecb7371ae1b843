//! The rules that an assistant receives, and the version that it names them by.
//!
//! A key for several children is told no age, so the birthday of one of them changes nothing for it. It then names the version
//! before that birthday: a new version's name would tell the month in which the child was born.

use super::{Changed, IssuedProfile, IssuedVersion, Rules, RulesInForce, instructions, store};
use crate::children::{ChildAccess, ChildId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::store::{Read, StoreError, readable};
use crate::rules::age::IssuedAge;
use crate::rules::schedule::{Pause, Talk};
use crate::rules::version_name::{Numbers, VersionName};

/// The rules that an assistant receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedRules {
    /// The name of the version.
    pub version: String,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// All of it as text for a system prompt.
    pub instructions: String,
    /// The age that these instructions are for, if it isn't the child's own because others share the key.
    pub shared_age: Option<IssuedAge>,
    /// Whether the assistant may talk now.
    pub talk: Talk,
    /// The language of the goodbye.
    pub language: Language,
    /// The next time at which `talk` changes by the clock alone: whether the assistant may talk, or why not.
    pub next_change: Option<Timestamp>,
    /// The pauses of the children.
    pub pauses: Vec<Pause>,
}

impl IssuedRules {
    /// The entity tag of the assistant's copy. It also changes with the age of another child of the key, when the assistant may no
    /// longer talk, or for another reason, and with the end of a pause: an assistant that only knows an earlier end would talk from
    /// then on.
    pub fn tag(&self) -> String {
        let mut tag = self.version.clone();
        if let Some(age) = self.shared_age {
            tag = format!("{tag}.{}", age.tag());
        }
        if let Some(why) = self.talk.why {
            tag = format!("{tag}.{}", why.name());
        }
        for pause in &self.pauses {
            let seconds = pause.until.map(|until| until.micros() / 1_000_000);
            tag = format!("{tag}.{}", seconds.unwrap_or_default());
        }
        tag
    }
}

/// What an assistant was told about a child.
#[derive(Clone, Debug)]
pub struct Issued {
    pub access: ChildAccess,
    /// The number of the version.
    pub number: u64,
    pub pause: Option<Pause>,
}

impl RulesInForce {
    /// The number and the instructions of the version that an assistant names. `has_age` says whether it is told the age.
    pub(super) fn named(&self, has_age: bool) -> (u64, &str) {
        match &self.ageless {
            Some((number, text)) if !has_age => (*number, text),
            _ => (self.number, &self.instructions),
        }
    }

    /// The instructions as they are for another age.
    fn instructions_for(&self, age: IssuedAge) -> String {
        let profile = IssuedProfile {
            age,
            ..self.profile
        };
        instructions(profile, &self.topics, self.context.as_deref())
    }
}

/// The earliest version from which the calendar alone has led to the current one, without another band of ages; `None` if that is the
/// current one.
pub(super) fn ageless(
    view: &impl Read,
    child: ChildId,
    rules: &RulesInForce,
) -> Result<Option<(u64, String)>, StoreError> {
    let (mut changed, mut found) = (rules.changed, None);
    let mut number = rules.number;
    while changed == Some(Changed::Calendar) {
        number -= 1;
        let Some(before) = readable(store::version(view, child, number))?.flatten() else {
            break;
        };
        // An upgrade may have changed the wording since.
        let mut ages = rules.profile.age.of_same_band();
        if !ages.any(|age| rules.instructions_for(age) == before.instructions) {
            break;
        }
        changed = before.changed;
        found = Some((number, before.instructions));
    }
    Ok(found)
}

impl Rules {
    /// The current rules of the child, for this assistant, and their version.
    pub fn issue(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<(IssuedRules, IssuedVersion), StoreError> {
        let rules = self.in_force(access)?;
        let now = self.talk(access)?;
        let shared_age = self.shared_age(assistant)?;
        let (number, text) = rules.named(shared_age.is_none());
        let tag = self.key.tag(assistant, access.child(), number, text);
        let numbers = Numbers::One(number);
        let shared_age = shared_age.filter(|age| *age != rules.profile.age);
        let issued = IssuedRules {
            version: VersionName { numbers, tag }.to_string(),
            topics: rules.topics.clone(),
            context: rules.context.clone(),
            instructions: match shared_age {
                None => rules.instructions.clone(),
                Some(age) => rules.instructions_for(age),
            },
            shared_age,
            talk: now.talk,
            language: now.language,
            next_change: now.next_change,
            pauses: now.pause.into_iter().collect(),
        };
        let topics = rules.topics_version;
        Ok((issued, IssuedVersion { number, topics }))
    }
}
