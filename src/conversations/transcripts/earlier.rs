//! What a message said before a higher revision replaced it: whoever holds an assistant's key can send one, and must not take
//! anything from a guardian's sight. No text that is kept is ever removed, unless
//! its record is damaged.

use std::time::Duration;

use super::delivery::{EarlierText, Message, MessageDelivery, MessagePosition};
use super::store::messages;
use crate::children::SessionId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words::is_word_boundary;
use crate::kernel::store::{Change, Record, StoreError};

/// The maximum number of earlier texts of a message.
const MOST_EARLIER: usize = 6;

/// The maximum length of the JSON of a message with earlier texts, in bytes: a third of what the store keeps in one record. Seven
/// texts of 64 KiB without escapes fit.
const MOST_BYTES: usize = 512 * 1024;

/// How long after it was first stored a message may be one that is being spoken.
const SPOKEN_WITHIN: Duration = Duration::from_secs(10 * 60);

/// Stores a revision of a message at its position. Returns the message as stored; `None` if it has too many texts, or too long
/// ones, and stays as it is.
pub(super) fn replace(
    change: &mut Change,
    session: SessionId,
    place: MessagePosition,
    revision: &MessageDelivery,
    before: Option<&Message>,
    now: Timestamp,
) -> Result<Option<Message>, StoreError> {
    let message = revision.message.clone();
    let Some(message) = message.replacing(before, place.stored_at, now) else {
        return Ok(None);
    };
    match messages::replace_message(change, session, place, message) {
        Err(StoreError::TooLarge) => Ok(None),
        replaced => replaced.map(Some),
    }
}

impl Message {
    /// This revision with the texts of those before it, of which `before` is the last one; the message was first stored at
    /// `stored_at`. `None` if it has too many, or too long ones.
    pub(super) fn replacing(
        mut self,
        before: Option<&Self>,
        stored_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<Self> {
        let Some(before) = before else {
            return Some(self);
        };
        self.earlier.clone_from(&before.earlier);
        let is_spoken = stored_at.is_some_and(|at| now.since(at) <= SPOKEN_WITHIN);
        if let Some(text) = &before.text_content
            && !self.says_the_same_as(before)
        {
            self.earlier.push(EarlierText {
                source: before.source.clone(),
                speaker: before.speaker.clone(),
                text_content: text.clone(),
                until: now,
            });
            if self.earlier.len() > MOST_EARLIER || self.encode().len() > MOST_BYTES {
                self.earlier.pop();
                // Some assistants deliver what is said as it grows.
                return (is_spoken && self.continues(before)).then_some(self);
            }
        }
        Some(self)
    }

    /// Each text that it had, oldest first, the present one last.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        let earlier = self.earlier.iter().map(|earlier| &earlier.text_content);
        earlier.chain(&self.text_content)
    }

    /// The message as it is, and then as it was with each earlier text, oldest first, with the time when that text was replaced.
    pub fn into_versions(mut self) -> impl Iterator<Item = (Self, Option<Timestamp>)> {
        let earlier = std::mem::take(&mut self.earlier).into_iter();
        let (id, timestamp, kind) = (self.message_id.clone(), self.timestamp, self.kind);
        let earlier = earlier.map(move |earlier| {
            let version = Self {
                source: earlier.source,
                speaker: earlier.speaker,
                text_content: Some(earlier.text_content),
                kind,
                ..Self::new(id.clone(), timestamp)
            };
            (version, Some(earlier.until))
        });
        std::iter::once((self, None)).chain(earlier)
    }

    /// Whether this says something that `before` didn't say: its text or speaker is another one, and it isn't only what the child heard
    /// of an interrupted answer.
    pub fn says_more_than(&self, before: &Self) -> bool {
        !self.says_the_same_as(before) && !self.is_cut_short_of(before)
    }

    fn says_the_same_as(&self, before: &Self) -> bool {
        self.text_content == before.text_content
            && self.source == before.source
            && self.speaker == before.speaker
    }

    /// Whether it says again what it said before another text, with the same speaker.
    pub fn says_again(&self) -> bool {
        self.earlier.iter().any(|earlier| {
            Some(&earlier.text_content) == self.text_content.as_ref()
                && earlier.source == self.source
                && earlier.speaker == self.speaker
        })
    }

    /// Whether it is what the child heard of an answer of the assistant.
    fn is_cut_short_of(&self, whole: &Self) -> bool {
        let heard = self.text_content.as_deref().unwrap_or_default().trim_end();
        let text = whole.text_content.as_deref().unwrap_or_default();
        self.interrupted == Some(true)
            && self.is_assistants()
            && whole.is_assistants()
            && !heard.is_empty()
            && text.starts_with(heard)
    }

    /// Whether its text is that of `before` with further words after it.
    fn continues(&self, before: &Self) -> bool {
        let (text, whole) = (before.text_content.as_deref(), self.text_content.as_deref());
        let (text, whole) = (text.unwrap_or_default(), whole.unwrap_or_default());
        let is_same_speaker = self.source == before.source && self.speaker == before.speaker;
        let last = text.chars().next_back();
        let next = whole
            .strip_prefix(text)
            .and_then(|rest| rest.chars().next());
        // Others may be invisible, or change what is before them.
        let is_plain = |it: char| it.is_ascii_graphic() || it == ' ' || it.is_alphanumeric();
        is_same_speaker
            && next.is_some_and(is_plain)
            && last.is_none_or(is_plain)
            && is_word_boundary(last, next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        let said = Timestamp::parse("2026-11-21T19:55:00Z").unwrap();
        said.after(Duration::from_secs(seconds))
    }

    fn said(source: &str, text: &str) -> Message {
        Message {
            source: Some(source.to_owned()),
            text_content: Some(text.to_owned()),
            ..Message::new("m", at(0))
        }
    }

    impl Message {
        fn replaces(self, before: &Self) -> Option<Self> {
            self.replacing(Some(before), Some(at(0)), at(1))
        }
    }

    fn texts(message: &Message) -> Vec<&str> {
        let earlier = message.earlier.iter();
        earlier.map(|text| text.text_content.as_str()).collect()
    }

    #[test]
    fn what_was_said_is_kept_also_of_an_answer_that_was_cut_short() {
        let cut = |source, text| Message {
            interrupted: Some(true),
            ..said(source, text)
        };
        let answer = said("assistant", "The moon is a rock.");
        let child = said("child", "The moon is a rock.");
        let cases = [
            (&answer, cut("assistant", "The moon"), 1),
            (&answer, answer.clone(), 0),
            (&answer, said("assistant", "The moon"), 1),
            (&answer, cut("assistant", ""), 1),
            (&answer, cut("assistant", " "), 1),
            (&answer, cut("assistant", "A moon"), 1),
            (&answer, said("assistant", "The moon is a rock. Yes"), 1),
            (&answer, cut("child", "The moon"), 1),
            (&answer, child.clone(), 1),
            (&child, cut("child", "The moon"), 1),
            (&child, cut("assistant", "The moon"), 1),
            (&child, Message::new("m", at(0)), 1),
            (&Message::new("m", at(0)), child.clone(), 0),
        ];

        for (before, after, kept) in cases {
            let text = format!("{:?}", after.text_content);
            let replaced = after.replaces(before).unwrap();
            assert_eq!(replaced.earlier.len(), kept, "{text}");
        }
    }

    #[test]
    fn every_text_and_speaker_stays_up_to_a_number() {
        let by = |speaker: &str, text: &str| Message {
            speaker: Some(speaker.to_owned()),
            ..said("child", text)
        };
        let mut message = by("Mia", "a");
        let revisions = [
            ("Mia", "b"),
            ("TV", "b"),
            ("TV", "b"),
            ("TV", "a"),
            ("TV", "d"),
            ("TV", "e"),
            ("TV", "f"),
        ];
        for (speaker, text) in revisions {
            message = by(speaker, text).replaces(&message).unwrap();
        }

        assert_eq!(texts(&message), ["a", "b", "b", "a", "d", "e"]);
        let speakers = message.earlier.iter().map(|it| it.speaker.as_deref());
        assert_eq!(
            speakers.collect::<Vec<_>>()[..3],
            [Some("Mia"), Some("Mia"), Some("TV")]
        );
        assert!(by("TV", "g").replaces(&message).is_none());
        assert!(by("TV", "f").replaces(&message) == Some(message));
    }

    #[test]
    fn beyond_that_a_text_may_go_on_after_a_word_while_it_is_spoken() {
        let cases = [
            ("A cell", "A cell phone", 600, true),
            ("A cell", "A cell phone", 601, false),
            ("A cell", "A cell, a", 5, true),
            ("你好", "你好吗", 5, true),
            ("A cell", "A cellar", 5, false),
            ("A cell", "A cell\u{200b}ar", 5, false),
            ("A cell\u{200b}", "A cell\u{200b}ar", 5, false),
            ("A cell", "No cell", 5, false),
        ];
        for (before, after, seconds, is_stored) in cases {
            let mut message = said("child", "0");
            for text in ["1", "2", "3", "4", "5", before] {
                message = said("child", text).replaces(&message).unwrap();
            }
            let replaced = said("child", after).replacing(Some(&message), Some(at(0)), at(seconds));
            let kept = replaced.map(|message| texts(&message).concat());
            assert_eq!(kept, is_stored.then(|| "012345".to_owned()), "{after}");
        }
    }

    #[test]
    fn a_record_of_escaped_texts_stays_below_what_the_store_keeps() {
        let kept = |text: &str| {
            let (mut message, mut kept) = (said("child", text), 0);
            while let Some(next) = said("child", &format!("{kept}{text}")).replaces(&message) {
                (message, kept) = (next, kept + 1);
            }
            assert!(message.encode().len() <= MOST_BYTES);
            kept
        };

        assert_eq!(kept(&"\u{1}".repeat(64 * 1024)), 0);
        assert_eq!(kept(&"\u{1}".repeat(16 * 1024)), 4);
        assert_eq!(kept(&"a".repeat(64 * 1024)), MOST_EARLIER);
    }
}
