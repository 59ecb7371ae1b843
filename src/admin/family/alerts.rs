//! The part of a seed file about alerts and watched phrases.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use super::{ChildSeed, Mistake, Step, When};
use crate::alerts::{
    Alert, Flagged, Kind, Side, WatchedPhrase, check_phrase, check_phrases, subject_of,
};
use crate::children::SessionId;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::wire::{Id, Text};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::rules::schedule::Why;

/// An alert, as it was stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlertSeed {
    pub kind: Kind,
    pub at: When,
    /// By default when it happened.
    pub arrived_at: Option<When>,
    /// By default 1.
    pub count: Option<u64>,
    /// The session of the file that it is about. A deleted session is not in the file.
    pub session_id: Option<u64>,
    pub message_id: Option<Id>,
    /// The name of an assistant of the file.
    pub assistant: Option<Text<200>>,
    #[serde(default)]
    pub all_assistants: bool,
    pub minutes: Option<u64>,
    pub why: Option<Why>,
    /// One of the child's guardians, whose phrase it is.
    pub guardian: Option<EmailAddress>,
    pub phrase: Option<WatchedPhrase>,
    /// What a model pointed at.
    pub flagged: Option<Flagged>,
    /// Those of the child's guardians who have dealt with it.
    #[serde(default)]
    pub dealt_with_by: Vec<EmailAddress>,
}

/// A phrase that one of the child's guardians watches for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhraseSeed {
    pub guardian: EmailAddress,
    pub words: String,
    pub side: Side,
}

impl AlertSeed {
    /// The alert, about these sessions and assistants.
    pub fn alert(
        &self,
        now: Timestamp,
        session: Option<SessionId>,
        assistant: Option<AssistantId>,
    ) -> Alert {
        let at = self.at.moment(now);
        let arrived_at = self.arrived_at.map_or(at, |arrived| arrived.moment(now));
        Alert {
            message_id: self.message_id.clone().map(Id::into_string),
            assistant_id: assistant,
            minutes: self.minutes,
            why: self.why,
            all_assistants: self.all_assistants,
            phrase: self.phrase.clone(),
            flagged: self.flagged.clone(),
            count: self.count.unwrap_or(1),
            ..Alert::new(self.kind, arrived_at, at, session)
        }
    }
}

/// Checks a file's data about a child's alerts and watched phrases.
pub(super) fn check_child(child: &ChildSeed) -> Option<Mistake> {
    check_sessions(child)
        .or_else(|| check_alerts(child))
        .or_else(|| check_phrase_lists(child))
}

fn mistake(list: &'static str, position: usize, sentence: impl ToString) -> Option<Mistake> {
    let path = [Step::Field(list), Step::Item(position)];
    Some(Mistake::new(path, sentence))
}

pub(super) fn nobody(child: &ChildSeed, email: &EmailAddress) -> Option<String> {
    let is_there = child.guardians.iter().any(|it| it.key() == email.key());
    (!is_there).then(|| format!("no guardian of this child has the address {email}"))
}

fn check_sessions(child: &ChildSeed) -> Option<Mistake> {
    let mut seen = HashSet::new();
    for (position, session) in child.sessions.iter().enumerate() {
        if session.session_id.is_some_and(|id| !seen.insert(id)) {
            return mistake("sessions", position, "this session's id is there twice");
        }
    }
    None
}

fn check_alerts(child: &ChildSeed) -> Option<Mistake> {
    let sessions = child.sessions.iter().filter_map(|it| it.session_id);
    let sessions = sessions.collect::<HashSet<_>>();
    let mut seen = HashSet::new();
    for (position, seed) in child.alerts.iter().enumerate() {
        let wrong = |sentence: String| mistake("alerts", position, sentence);
        let (is_phrase, email) = (seed.kind == Kind::Phrase, seed.guardian.as_ref());
        if is_phrase != seed.phrase.is_some() || is_phrase != email.is_some() {
            let sentence = "an alert of the kind phrase has a phrase and a guardian, no other has";
            return wrong(sentence.into());
        }
        if (seed.kind == Kind::Reviewer) != seed.flagged.is_some() {
            let sentence = "an alert of the kind reviewer has what was flagged, no other has it";
            return wrong(sentence.into());
        }
        let mut named = email.into_iter().chain(&seed.dealt_with_by);
        if let Some(sentence) = named.find_map(|email| nobody(child, email)) {
            return wrong(sentence);
        }
        if !seed.dealt_with_by.is_empty() && seed.kind.notifiable().is_none() {
            return wrong("nobody deals with an alert of this kind".into());
        }
        if let Some(Err(error)) = seed.phrase.as_ref().map(check_phrase) {
            return wrong(error.to_string());
        }
        let session = seed.session_id.filter(|id| sessions.contains(id));
        if session.is_some() {
            let subject = subject_of(&seed.alert(Timestamp::MIN, None, None));
            if !seen.insert((session, email.map(EmailAddress::key), subject)) {
                return wrong("this alert is there twice".into());
            }
        }
    }
    None
}

fn check_phrase_lists(child: &ChildSeed) -> Option<Mistake> {
    let mut lists = BTreeMap::<_, Vec<_>>::new();
    for (position, seed) in child.watched_phrases.iter().enumerate() {
        if let Some(sentence) = nobody(child, &seed.guardian) {
            return mistake("watched_phrases", position, sentence);
        }
        let of_guardian = lists.entry(seed.guardian.key()).or_default();
        of_guardian.push((position, (seed.words.clone(), seed.side)));
    }
    for list in lists.into_values() {
        let (positions, phrases) = list.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        if let Err((index, error)) = check_phrases(phrases) {
            let index = index.unwrap_or(positions.len() - 1);
            return mistake("watched_phrases", positions[index], error);
        }
    }
    None
}
