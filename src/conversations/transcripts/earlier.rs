//! What a message said before a higher revision replaced it: whoever holds an assistant's key can send one, and must not take
//! anything from a guardian's sight.

use std::time::Duration;

use super::delivery::{EarlierText, Message};
use crate::kernel::host::clock::Timestamp;

/// The maximum number of earlier texts of a message.
pub const MOST_EARLIER: usize = 3;

/// The maximum length of all earlier texts of a message but the first, in bytes.
const MOST_BYTES: usize = 64 * 1024;

/// How long after it was said a text that ends sooner is taken for an answer that the child interrupted.
const CUT_SHORT_WITHIN: Duration = Duration::from_secs(10 * 60);

impl Message {
    /// This revision with the texts of those before it, of which `before` is the last one.
    pub(super) fn replacing(mut self, before: Option<&Self>, now: Timestamp) -> Self {
        let Some(before) = before else { return self };
        self.earlier.clone_from(&before.earlier);
        if let Some(text) = &before.text_content
            && self.loses(before, now)
        {
            self.earlier.push(EarlierText {
                source: before.source.clone(),
                text_content: text.clone(),
                until: now,
            });
            leave_out_briefest(&mut self.earlier);
        }
        self
    }

    /// Whether this revision no longer says what the one before said. An answer of the assistant that was cut short says what
    /// the child heard of it.
    fn loses(&self, before: &Self, now: Timestamp) -> bool {
        if (&self.text_content, &self.source) == (&before.text_content, &before.source) {
            return false;
        }
        let heard = self.text_content.as_deref().unwrap_or_default().trim_end();
        let whole = before.text_content.as_deref().unwrap_or_default();
        let is_cut_short = self.interrupted == Some(true)
            && self.is_assistants()
            && before.is_assistants()
            && !heard.is_empty()
            && whole.starts_with(heard)
            && now.since(before.timestamp) <= CUT_SHORT_WITHIN;
        !is_cut_short
    }
}

/// Removes surplus texts, but never the first. Those that stood longest stay, so that no series of revisions replaces what
/// guardians could read for days.
fn leave_out_briefest(earlier: &mut Vec<EarlierText>) {
    let is_too_much = |earlier: &[EarlierText]| {
        let bytes = earlier.iter().skip(1).map(|text| text.text_content.len());
        earlier.len() > MOST_EARLIER || bytes.sum::<usize>() > MOST_BYTES
    };
    while is_too_much(earlier) {
        let stood = earlier
            .windows(2)
            .map(|two| two[1].until.since(two[0].until));
        let briefest = stood.enumerate().min_by_key(|(_, stood)| *stood);
        earlier.remove(briefest.map_or(0, |(index, _)| index + 1));
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
            let replaced = after.replacing(Some(before), at(seconds));
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
            message = said("child", text).replacing(Some(&message), at(seconds));
        }

        assert_eq!(texts(&message), ["a", "c", "e"]);
        assert_eq!(message.earlier[1].until, at(90_000));
    }

    #[test]
    fn earlier_texts_are_bounded_in_bytes() {
        let long = |letter: &str| letter.repeat(40 * 1024);
        let mut message = said("child", &long("a"));
        for letter in ["b", "c", "d"] {
            message = said("child", &long(letter)).replacing(Some(&message), at(1));
        }

        assert_eq!(texts(&message), [long("a"), long("c")]);
    }
}
