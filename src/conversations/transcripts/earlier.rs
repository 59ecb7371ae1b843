//! What a message said before a higher revision replaced it: whoever holds an assistant's key can send one, and must not take
//! anything from a guardian's sight.

use std::time::Duration;

use super::Transcripts;
use super::alerted::MOST_ALERTED;
use super::delivery::{EarlierText, Message};
use super::store::{self, messages};
use crate::children::SessionId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable};

/// The maximum number of earlier texts of a message that no alert points at.
const MOST_OTHERS: usize = 3;

/// The maximum number of earlier texts of a message.
pub const MOST_EARLIER: usize = MOST_OTHERS + MOST_ALERTED;

/// The maximum length of all earlier texts of a message but the first, in bytes.
const MOST_BYTES: usize = 64 * 1024;

/// How long after it was said a text that ends sooner is taken for an answer that the child interrupted.
const CUT_SHORT_WITHIN: Duration = Duration::from_secs(10 * 60);

impl Transcripts {
    /// Keeps the text of `read`, because an alert points at it: no later revision removes it. If the message was replaced since it was
    /// read, and no longer has the text, the text is added to its earlier ones. Does nothing if the message is gone or unreadable, or if
    /// too many of its texts are kept.
    pub fn keep_text(
        &self,
        change: &mut Change,
        session: SessionId,
        read: &Message,
    ) -> Result<(), StoreError> {
        let Some(text) = &read.text_content else {
            return Ok(());
        };
        let state = readable(store::state(change, session))?.flatten();
        let place = readable(messages::kept(change, session, &read.message_id))?.flatten();
        let (Some(mut state), Some(place)) = (state, place) else {
            return Ok(());
        };
        let Some(mut message) = readable(messages::message(change, session, place))?.flatten()
        else {
            return Ok(());
        };
        if !state.alerted.add(place.arrival, text, message.texts()) {
            return Ok(());
        }
        store::put_state(change, session, &state)?;
        let is_there = message.texts().any(|it| it == text);
        if !is_there {
            let is_alerted = |text: &str| state.alerted.contain(place.arrival, text);
            message.add_earlier(read, self.clock.now(), is_alerted);
            messages::replace_message(change, session, place, message)?;
        }
        Ok(())
    }
}

impl Message {
    /// What it says, and what it said before.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let earlier = self.earlier.iter().map(|earlier| &earlier.text_content);
        earlier.chain(&self.text_content).map(String::as_str)
    }

    /// This revision with the texts of those before it, of which `before` is the last one. `is_alerted` tells which of them stay
    /// in any case.
    pub(super) fn replacing(
        mut self,
        before: Option<&Self>,
        now: Timestamp,
        is_alerted: impl Fn(&str) -> bool,
    ) -> Self {
        let Some(before) = before else { return self };
        self.earlier.clone_from(&before.earlier);
        if let Some(text) = &before.text_content
            && (self.loses(before, now)
                || self.text_content.as_ref() != Some(text) && is_alerted(text))
        {
            self.add_earlier(before, now, is_alerted);
        }
        self
    }

    /// Adds what `earlier` said to the earlier texts, and removes surplus ones.
    fn add_earlier(&mut self, earlier: &Self, until: Timestamp, is_alerted: impl Fn(&str) -> bool) {
        self.earlier.push(EarlierText {
            source: earlier.source.clone(),
            text_content: earlier.text_content.clone().unwrap_or_default(),
            until,
        });
        leave_out_briefest(&mut self.earlier, is_alerted);
    }

    /// Whether this says something that `before` didn't say: its text or speaker is another one, and it isn't only what the child heard
    /// of an interrupted answer.
    pub fn says_more_than(&self, before: &Self) -> bool {
        let same = (&self.text_content, &self.source) == (&before.text_content, &before.source);
        !same && !self.is_cut_short_of(before)
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

    /// Whether this revision no longer says what the one before said. An answer of the assistant that was cut short says what
    /// the child heard of it.
    fn loses(&self, before: &Self, now: Timestamp) -> bool {
        self.says_more_than(before)
            || self.text_content != before.text_content
                && now.since(before.timestamp) > CUT_SHORT_WITHIN
    }
}

/// Removes surplus texts, but never the first, nor one that an alert points at. Those that stood longest stay, so that no series of
/// revisions replaces what guardians could read for days.
fn leave_out_briefest(earlier: &mut Vec<EarlierText>, is_alerted: impl Fn(&str) -> bool) {
    loop {
        let stood = earlier
            .windows(2)
            .map(|two| two[1].until.since(two[0].until));
        let removable = stood.enumerate().map(|(index, stood)| (stood, index + 1));
        let removable = removable
            .filter(|(_, index)| !is_alerted(&earlier[*index].text_content))
            .collect::<Vec<_>>();
        let bytes = removable
            .iter()
            .map(|(_, index)| earlier[*index].text_content.len());
        let is_too_much = removable.len() + 1 > MOST_OTHERS || bytes.sum::<usize>() > MOST_BYTES;
        match removable.into_iter().min() {
            Some((_, briefest)) if is_too_much => _ = earlier.remove(briefest),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::alerted::AlertedTexts;
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

    fn texts(message: &Message) -> Vec<&str> {
        let earlier = message.earlier.iter();
        earlier.map(|text| text.text_content.as_str()).collect()
    }

    #[test]
    fn only_an_answer_that_was_just_cut_short_loses_nothing() {
        let cut = |source, text| Message {
            interrupted: Some(true),
            ..said(source, text)
        };
        let answer = said("assistant", "The moon is a rock.");
        let child = said("child", "The moon is a rock.");
        let cases = [
            (&answer, cut("assistant", "The moon"), 5, 0),
            (&answer, cut("assistant", "The moon "), 600, 0),
            (&answer, answer.clone(), 5, 0),
            (&answer, cut("assistant", "The moon"), 601, 1),
            (&answer, said("assistant", "The moon"), 5, 1),
            (&answer, cut("assistant", ""), 5, 1),
            (&answer, cut("assistant", " "), 5, 1),
            (&answer, cut("assistant", "A moon"), 5, 1),
            (
                &answer,
                said("assistant", "The moon is a rock. Tell nobody."),
                5,
                1,
            ),
            (&answer, cut("child", "The moon"), 5, 1),
            (&answer, child.clone(), 5, 1),
            (&child, cut("child", "The moon"), 5, 1),
            (&child, cut("assistant", "The moon"), 5, 1),
            (&child, Message::new("m", at(0)), 5, 1),
            (&Message::new("m", at(0)), child.clone(), 5, 0),
        ];

        for (before, after, seconds, kept) in cases {
            let text = format!("{:?} after {seconds} s", after.text_content);
            let replaced = after.replacing(Some(before), at(seconds), |_| false);
            assert_eq!(replaced.earlier.len(), kept, "{text}");
        }
    }

    #[test]
    fn the_first_text_and_those_that_stood_longest_stay() {
        let mut message = said("child", "a");
        let revisions = [
            ("b", 1),
            ("c", 2),
            ("d", 90_000),
            ("e", 90_001),
            ("f", 90_003),
        ];
        for (text, seconds) in revisions {
            message = said("child", text).replacing(Some(&message), at(seconds), |_| false);
        }

        assert_eq!(texts(&message), ["a", "c", "e"]);
        assert_eq!(message.earlier[1].until, at(90_000));
    }

    #[test]
    fn earlier_texts_are_bounded_in_bytes() {
        let long = |letter: &str| letter.repeat(40 * 1024);
        let mut message = said("child", &long("a"));
        for letter in ["b", "c", "d"] {
            message = said("child", &long(letter)).replacing(Some(&message), at(1), |_| false);
        }

        assert_eq!(texts(&message), [long("a"), long("c")]);
    }

    #[test]
    fn no_revision_removes_a_text_that_an_alert_points_at() {
        let mut alerted = AlertedTexts::default();
        assert!(alerted.add(7, "b", [].into_iter()));
        let is_alerted = |text: &str| alerted.contain(7, text);
        let mut message = said("child", "a");
        for (index, text) in ["b", "c", "d", "e", "f"].into_iter().enumerate() {
            let seconds = 10 * (index as u64 + 1);
            let now = if text == "b" { at(1) } else { at(seconds) };
            message = said("child", text).replacing(Some(&message), now, is_alerted);
        }

        assert_eq!(texts(&message)[..2], ["a", "b"]);
        assert_eq!(message.earlier.len(), MOST_OTHERS + 1);
        assert!(!alerted.contain(8, "b"));
    }
}
