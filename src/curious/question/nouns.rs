//! The nouns that a question may be about.

use super::{Word, Words, words};
use crate::curious::languages::Language;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// Who invented something. Nobody asks that about a thing at home.
    Invented,
    /// Where something comes from.
    Origin,
    Other,
}

impl Asks {
    pub(super) fn of(question: &[Word], language: &Language) -> Self {
        let words: Vec<_> = question.iter().map(|word| word.folded.as_str()).collect();
        let text = format!(" {} ", words.join(" "));
        let is_in = |phrases: &[&str]| {
            let mut phrases = phrases.iter();
            phrases.any(|phrase| text.contains(&format!(" {phrase} ")))
        };
        if is_in(language.invented) {
            Self::Invented
        } else if is_in(language.origins) {
            Self::Origin
        } else {
            Self::Other
        }
    }
}

pub(super) struct Nouns {
    particular: Words,
    general: Words,
    shared: Words,
    staples: Words,
    inventions: Words,
    mentioned: Words,
}

impl Nouns {
    pub(super) fn of(language: &Language) -> Self {
        let mut paragraphs = language.nouns.split("\n\n").map(words);
        let mut next = || paragraphs.next().unwrap_or_default();
        Self {
            particular: words(language.particular),
            general: next(),
            shared: next(),
            staples: next(),
            inventions: next(),
            mentioned: next(),
        }
    }

    /// Whether the last of the words is a noun that is harmless in such a question.
    pub(super) fn is_harmless(&self, subject: &[Word], asks: Asks) -> bool {
        let first = subject.first();
        let is_particular = first.is_some_and(|word| self.particular.contains(&*word.folded));
        is_listed(subject, |noun| {
            let is_general = self.general.contains(noun);
            self.shared.contains(noun)
                || (is_general && !is_particular)
                || (asks != Asks::Other && self.staples.contains(noun))
                || (asks == Asks::Invented && (is_general || self.inventions.contains(noun)))
        })
    }

    /// Whether the last of the words is a noun that a question may mention.
    pub(super) fn may_be_mentioned(&self, words: &[Word]) -> bool {
        let lists = [&self.general, &self.shared, &self.staples, &self.mentioned];
        is_listed(words, |noun| lists.iter().any(|list| list.contains(noun)))
    }

    /// Whether they are one noun, such as "sea turtles".
    pub(super) fn is_compound(&self, words: &[Word]) -> bool {
        let parts: Vec<_> = words.iter().map(|word| word.folded.as_str()).collect();
        self.general.contains(parts.join("-").as_str())
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> Words {
        let lists = [
            &self.general,
            &self.shared,
            &self.staples,
            &self.inventions,
            &self.mentioned,
        ];
        lists.into_iter().flatten().copied().collect()
    }
}

/// Whether a noun is listed, by itself or with the word before it, such as "black-holes".
fn is_listed(words: &[Word], is_in: impl Fn(&str) -> bool) -> bool {
    match words {
        [.., before, noun] => {
            is_in(&noun.folded) || is_in(&format!("{}-{}", before.folded, noun.folded))
        }
        [noun] => is_in(&noun.folded),
        [] => false,
    }
}
