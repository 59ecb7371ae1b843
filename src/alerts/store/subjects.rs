//! What an alert is about within its session.

use sha2::{Digest, Sha256};

use super::{Alert, SUBJECT};
use crate::alerts::concern::Concern;
use crate::alerts::kind::Kind;
use crate::alerts::phrase::{Finder, Side};
use crate::identity::AssistantId;

/// A hash of the kind of alert and of what it names: a phrase and its side, a concern, or an assistant.
pub type Subject = [u8; SUBJECT];

pub fn subject_of_phrase(identity: &str, side: Side) -> Subject {
    hash(&format!("phrase {side:?} {identity}"))
}

pub fn subject_of_kind(kind: Kind) -> Subject {
    hash(&format!("kind {kind:?}"))
}

pub fn subject_of_unconfirmed() -> Subject {
    hash("unconfirmed")
}

pub fn subject_of_silence(assistant: Option<&AssistantId>) -> Subject {
    hash(&format!(
        "silent {}",
        assistant.map_or("", AssistantId::as_str)
    ))
}

pub fn subject_of_concern(concern: Concern) -> Subject {
    hash(&format!("reviewer {}", concern.key()))
}

/// What a stored alert is about.
pub fn subject_of(alert: &Alert) -> Subject {
    match (alert.kind, &alert.phrase) {
        (Kind::Phrase, Some(phrase)) => {
            subject_of_phrase(&Finder::of(phrase).identity(), phrase.side)
        }
        // A refusal has no length.
        (Kind::Rules, _) if alert.minutes.is_some() => subject_of_unconfirmed(),
        (Kind::Silent, _) => subject_of_silence(alert.assistant_id.as_ref()),
        (Kind::Reviewer, _) => match &alert.flagged {
            Some(flagged) => subject_of_concern(flagged.concern),
            None => subject_of_kind(Kind::Reviewer),
        },
        (kind, _) => subject_of_kind(kind),
    }
}

fn hash(text: &str) -> Subject {
    let mut subject = [0; SUBJECT];
    subject.copy_from_slice(&Sha256::digest(text)[..SUBJECT]);
    subject
}
