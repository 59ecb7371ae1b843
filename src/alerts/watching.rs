//! Matches the messages of a delivery with all phrases that are watched for a child, before the change that stores them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::phrase::{Finder, KeyWords, WatchedPhrase};
use super::store::{self, Subject, subject_of_phrase};
use super::{Alerts, Dependencies};
use crate::children::{ChildId, Children};
use crate::conversations::transcripts::{Message, MessageDelivery, Names};
use crate::identity::{Caller, GuardianId, Guardians};
use crate::kernel::host::words::fold;
use crate::kernel::store::{Read, StoreError, Weigh, readable, run_blocking};

/// A delivery with at least this many bytes of text is compared on a blocking thread.
const MUCH_TEXT: usize = 128 * 1024;

/// A guardian's phrase.
pub struct Watched {
    pub guardian: GuardianId,
    pub phrase: WatchedPhrase,
    pub subject: Subject,
    pub finder: Finder,
}

/// What is watched for a child.
pub struct Watching {
    /// See [`store::edition`].
    edition: u64,
    pub phrases: Vec<Watched>,
    key_words: KeyWords,
    /// For each guardian, the folded names of people who are known not to be the child.
    others: HashMap<GuardianId, Vec<String>>,
}

impl Watching {
    pub fn read(
        view: &impl Read,
        child: ChildId,
        children: &Children,
        guardians: &Guardians,
    ) -> Result<Self, StoreError> {
        // Read first: phrases that are changed meanwhile are of a later edition.
        let edition = store::edition(view, child)?;
        let (mut phrases, mut others) = (Vec::new(), HashMap::new());
        for (guardian, of_guardian) in store::all_phrases(view, child)? {
            let names = names_of_others(view, child, &guardian, children, guardians)?;
            others.insert(guardian.clone(), names);
            phrases.extend(of_guardian.0.into_iter().map(|phrase| {
                let finder = Finder::of(&phrase);
                Watched {
                    guardian: guardian.clone(),
                    subject: subject_of_phrase(&finder.identity(), phrase.side),
                    phrase,
                    finder,
                }
            }));
        }
        Ok(Self {
            edition,
            key_words: KeyWords::of(phrases.iter().map(|watched| &watched.finder)),
            phrases,
            others,
        })
    }

    /// The indices of the phrases that match a message.
    pub fn hits(&self, message: &Message) -> Vec<usize> {
        let text = message.text_content.as_deref().unwrap_or_default();
        if self.phrases.is_empty() || text.is_empty() || !message.is_examined() {
            return Vec::new();
        }
        let found = self
            .key_words
            .find(text, |index| &self.phrases[index].finder);
        let found = found.into_iter().filter(|index| {
            let watched = &self.phrases[*index];
            let others = self.others.get(&watched.guardian);
            let names = Names::Others(others.map_or(&[][..], Vec::as_slice));
            watched.phrase.side.includes(message.said_by(names))
        });
        found.collect()
    }
}

/// The folded names that a guardian's phrases for the child's side leave out: the guardian's own, and those of their other
/// children. Names that another guardian gave are not among them: nobody can hide a speaker from somebody else's phrases.
pub fn names_of_others(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
    children: &Children,
    guardians: &Guardians,
) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    let (mut own, mut others) = (None, Vec::new());
    // Without a name, fewer messages are left out; an unreadable one must not stop a delivery.
    let seen = readable(children.visible_to(view, &Caller::Guardian(guardian.clone())))?;
    for number in seen.unwrap_or_default() {
        let Ok(found) = children.get(view, number) else {
            // Its name can't be read.
            continue;
        };
        if number == child {
            own = Some(fold(&found.name));
        } else if !children.is_renamed_by_another(view, number, guardian)? {
            others.push(fold(&found.name));
        }
    }
    let own_name = readable(guardians.name_of(view, guardian))?.flatten();
    names.extend(own_name.map(|name| fold(&name)));
    names.append(&mut others);
    names.retain(|name| own.as_ref() != Some(name));
    Ok(names)
}

/// [`Watching`], shared.
#[derive(Clone)]
pub struct Shared(pub Arc<Watching>);

impl Weigh for Shared {
    fn weight(&self) -> u64 {
        let phrases = self.0.phrases.iter();
        // The words are stored as typed and folded.
        let bytes = phrases.map(|watched| 128 + 3 * watched.phrase.words.len());
        (bytes.sum::<usize>() + self.0.key_words.size()) as u64
    }
}

/// The matches of a delivery's messages, found before the change that stores them.
#[derive(Default)]
pub struct Matched(Option<Matches>);

struct Matches {
    child: ChildId,
    watching: Arc<Watching>,
    /// The ids of the messages that were compared.
    compared: HashSet<String>,
    /// The messages that match, with the indices of their phrases.
    hits: HashMap<String, Vec<(Message, Vec<usize>)>>,
}

impl Matched {
    pub fn new<'a>(
        child: ChildId,
        watching: Arc<Watching>,
        messages: impl Iterator<Item = &'a MessageDelivery>,
    ) -> Self {
        let mut compared = HashSet::new();
        let mut hits = HashMap::<_, Vec<_>>::new();
        if !watching.phrases.is_empty() {
            for delivery in messages {
                let message = &delivery.message;
                let found = watching.hits(message);
                compared.insert(message.message_id.clone());
                if !found.is_empty() {
                    let of_id = hits.entry(message.message_id.clone()).or_default();
                    of_id.push((message.clone(), found));
                }
            }
        }
        Self(Some(Matches {
            child,
            watching,
            compared,
            hits,
        }))
    }

    /// What is watched for this child, if it hasn't changed since.
    pub fn watching(&self, child: ChildId, edition: u64) -> Option<Arc<Watching>> {
        let matches = self.0.as_ref()?;
        let is_current = matches.child == child && matches.watching.edition == edition;
        is_current.then(|| Arc::clone(&matches.watching))
    }

    /// The indices of the phrases of `watching` that match a message which the delivery stored.
    pub fn hits(&self, watching: &Arc<Watching>, message: &Message) -> Vec<usize> {
        let known = self.0.as_ref().filter(|matches| {
            Arc::ptr_eq(&matches.watching, watching)
                && matches.compared.contains(&message.message_id)
        });
        let Some(known) = known else {
            return watching.hits(message);
        };
        let of_id = known.hits.get(&message.message_id);
        let same = of_id.into_iter().flatten().find(|(there, _)| {
            there.text_content == message.text_content
                && there.source == message.source
                && there.speaker == message.speaker
                && there.kind == message.kind
        });
        same.map(|(_, hits)| hits.clone()).unwrap_or_default()
    }
}

impl Alerts {
    /// Compares messages with the child's watched phrases, before the change that stores them. Returns the messages too.
    pub async fn compare(
        &self,
        child: ChildId,
        messages: Vec<MessageDelivery>,
    ) -> Result<(Vec<MessageDelivery>, Matched), StoreError> {
        let watching = self.watching(child)?;
        let texts = messages
            .iter()
            .filter_map(|it| it.message.text_content.as_ref());
        let bytes = texts.map(String::len).sum::<usize>();
        let compare = move || {
            let matched = Matched::new(child, watching, messages.iter());
            (messages, matched)
        };
        if bytes < MUCH_TEXT {
            return Ok(compare());
        }
        run_blocking(move || Ok(compare())).await
    }

    fn watching(&self, child: ChildId) -> Result<Arc<Watching>, StoreError> {
        let Dependencies {
            children,
            guardians,
            ..
        } = &self.dependencies;
        let shared = self.watching.get(child, |view| {
            let watching = Watching::read(view, child, children, guardians)?;
            Ok::<_, StoreError>(Shared(Arc::new(watching)))
        });
        Ok(shared?.0)
    }
}
