//! Recognizes a question that a parent could talk about with a child, and what it is about.
//!
//! It prefers to miss one over showing something private. The subject is a noun of a list of harmless ones. A message with any word
//! that could be about the child itself, other people, feelings or the body is not shown.

mod nouns;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::languages::{EXCLUDED, FILLERS, LANGUAGES, Language, Order};
use crate::kernel::words::fold;
use nouns::{Asks, Nouns};

/// How many words a question has.
const WORDS: std::ops::RangeInclusive<usize> = 4..=25;

/// Longer texts are no questions of 25 words.
const MAX_BYTES: usize = 400;

/// The maximum number of words between an article and its noun.
const ADJECTIVES: usize = 2;

/// The minimum length of a key and of a plural, in characters.
const FEWEST_LETTERS: usize = 3;

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// As it was said, such as "the moon".
    pub subject: String,
    /// Where it is in the text, in bytes.
    pub range: Range<usize>,
    /// Equal for questions about the same.
    pub key: String,
}

struct Word {
    range: Range<usize>,
    folded: String,
    /// Whether it begins a sentence or follows other punctuation.
    is_first: bool,
    is_capital: bool,
    /// The words around it are joined with it by an apostrophe or hyphen.
    is_joined: bool,
}

struct Beginning {
    order: Order,
    /// Whether a noun without an article can be a plural.
    allows_plural: bool,
    /// Whether its verb is a form of "to be". Then an adjective can follow the subject.
    is_copula: bool,
    asks: Asks,
}

struct Rules {
    language: &'static Language,
    openers: Vec<(Order, Vec<&'static str>)>,
    skipped: Words,
    articles: Words,
    contractions: Words,
    adjectives: Words,
    mass_nouns: Words,
    excluded: Words,
    nouns: Nouns,
}

type Words = HashSet<&'static str>;

fn words(list: &'static str) -> Words {
    list.split_whitespace().collect()
}

static RULES: LazyLock<Vec<Rules>> = LazyLock::new(|| LANGUAGES.iter().map(Rules::of).collect());
static FILLER_WORDS: LazyLock<Words> = LazyLock::new(|| words(FILLERS));
static EXCLUDED_WORDS: LazyLock<Words> = LazyLock::new(|| words(EXCLUDED));

impl Rules {
    fn of(language: &'static Language) -> Self {
        let mut openers: Vec<_> = language
            .openers
            .iter()
            .flat_map(|(order, openers)| openers.iter().map(|opener| (*order, *opener)))
            .map(|(order, opener)| (order, opener.split(' ').collect::<Vec<_>>()))
            .collect();
        // "why don t" before "why do".
        openers.sort_by_key(|(_, opener)| std::cmp::Reverse(opener.len()));
        Self {
            language,
            openers,
            skipped: words(language.skipped),
            articles: words(language.articles),
            contractions: words(language.contractions),
            adjectives: words(language.adjectives),
            mass_nouns: words(language.mass_nouns),
            excluded: words(language.excluded),
            nouns: Nouns::of(language),
        }
    }

    /// The words after the beginning of a question, if there is one.
    fn begun<'w>(&self, text: &'w [Word]) -> Option<(Beginning, &'w [Word])> {
        let mut may_begin = false;
        for (index, word) in text.iter().enumerate() {
            may_begin |= word.is_first;
            if may_begin {
                for (order, opener) in &self.openers {
                    let rest = &text[index..];
                    let is_it = rest.len() > opener.len()
                        && rest
                            .iter()
                            .zip(opener)
                            .all(|(word, part)| word.folded == *part);
                    if is_it && self.is_complete(opener, rest) {
                        let after = &rest[opener.len()..];
                        let verb = match order {
                            Order::AfterVerb => after.first(),
                            Order::Next | Order::FirstArticle => rest.get(opener.len() - 1),
                        };
                        let verb = verb.map_or("", |verb| verb.folded.as_str());
                        let beginning = Beginning {
                            order: *order,
                            allows_plural: self.allows_plural(opener, verb),
                            is_copula: ["is", "are", "was", "were"].contains(&verb),
                            asks: Asks::of(rest, self.language),
                        };
                        return Some((beginning, after));
                    }
                }
            }
            may_begin &= FILLER_WORDS.contains(word.folded.as_str());
        }
        None
    }

    /// Whether a noun without an article is a plural after this verb. After a verb in the singular it may be a name.
    fn allows_plural(&self, opener: &[&str], verb: &str) -> bool {
        const SINGULAR: [&str; 6] = ["does", "doesn", "is", "isn", "was", "invented"];
        const CONJUNCTIONS: [&str; 4] = ["dat", "als", "wanneer", "met"];
        match self.language.plurals {
            [] => verb == "sind" || (verb.ends_with('n') && verb != "wenn"),
            ["s"] => !opener.iter().any(|word| SINGULAR.contains(word)),
            _ => verb.ends_with('n') || CONJUNCTIONS.contains(&verb),
        }
    }

    fn is_complete(&self, opener: &[&str], rest: &[Word]) -> bool {
        let (beginning, ends) = self.language.completed;
        let mut ends = ends.split_whitespace();
        opener.join(" ") != beginning || ends.any(|end| rest.iter().any(|word| word.folded == end))
    }

    /// The words of the subject.
    fn subject<'w>(&self, beginning: &Beginning, rest: &'w [Word]) -> Option<&'w [Word]> {
        let Beginning {
            order,
            allows_plural,
            is_copula,
            ..
        } = *beginning;
        let is_article = |word: &Word| self.articles.contains(word.folded.as_str());
        let mut start = match order {
            Order::Next => 0,
            Order::AfterVerb => 1,
            Order::FirstArticle => {
                let mut before = rest.split(is_article).next()?.iter();
                let others = before
                    .by_ref()
                    .filter(|word| !self.skipped.contains(word.folded.as_str()));
                // A verb. More of them could name somebody.
                if others.count() > 1 {
                    return None;
                }
                rest.iter().position(is_article)?
            }
        };
        while rest
            .get(start)
            .is_some_and(|word| self.skipped.contains(word.folded.as_str()) && !is_article(word))
        {
            start += 1;
        }
        let has_article = is_article(rest.get(start)?);
        let first = start + usize::from(has_article);
        let mut last = first;
        if self.language.capitalizes_nouns {
            // Adjectives come before the noun.
            while !rest.get(last)?.is_capital
                || self.adjectives.contains(rest[last].folded.as_str())
            {
                last += 1;
                if last > first + ADJECTIVES {
                    return None;
                }
            }
            // Without an article, the singular may be a name.
            let is_adjective =
                |word: &Word| word.folded.ends_with('e') || word.folded.ends_with("es");
            if !has_article && !rest[first..last].iter().all(is_adjective) {
                return None;
            }
            let is_mass = self.mass_nouns.contains(rest[last].folded.as_str());
            if !has_article && !allows_plural && !is_mass {
                return None;
            }
        } else {
            let is_noun = |word: &Word| {
                self.mass_nouns.contains(word.folded.as_str())
                    || (allows_plural && self.is_plural(word))
            };
            while self.adjectives.contains(rest.get(last)?.folded.as_str()) {
                // "ice floats", but "ice cubes" and "an ice cube".
                let next = rest.get(last + 1)?;
                if !has_article && is_noun(&rest[last]) && !(allows_plural && self.is_plural(next))
                {
                    break;
                }
                last += 1;
            }
            if !has_article && last == first && !is_noun(&rest[last]) {
                // "sea turtles"
                let compound = rest.get(last..last + 2)?;
                return if allows_plural && self.nouns.is_compound(compound) {
                    self.checked(rest, start, last + 1)
                } else {
                    None
                };
            }
            if !has_article && last > first && !is_noun(&rest[last]) {
                return None;
            }
            // "the sea salty", but "the sea turtle slow".
            if has_article
                && is_copula
                && last > first
                && self.mass_nouns.contains(rest[last - 1].folded.as_str())
                && rest.get(last + 1).is_none_or(|next| {
                    ["and", "but", "if", "in", "when"].contains(&next.folded.as_str())
                })
            {
                last -= 1;
            }
        }
        self.checked(rest, start, last)
    }

    fn checked<'w>(&self, rest: &'w [Word], start: usize, last: usize) -> Option<&'w [Word]> {
        // A second one of them, or a part of a longer word: "cats and", "the moon's".
        let follows = rest.get(last + 1);
        let is_alone = follows.is_none_or(|next| {
            !next.is_joined && !["and", "und", "et", "y", "en"].contains(&next.folded.as_str())
        });
        is_alone.then(|| &rest[start..=last])
    }

    /// Whether it may be about somebody: a word with a capital letter that is no noun with an article.
    fn names_somebody(&self, rest: &[Word]) -> bool {
        let is_article = |word: &Word| self.articles.contains(word.folded.as_str());
        let follows_article = |index: usize| {
            index
                .checked_sub(1)
                .is_some_and(|before| is_article(&rest[before]))
        };
        !self.language.capitalizes_nouns
            && rest.iter().enumerate().any(|(index, word)| {
                let is_known = self.mass_nouns.contains(word.folded.as_str());
                word.is_capital && !word.is_first && !is_known && !follows_article(index)
            })
    }

    /// Whether the other nouns are harmless, too. A noun is recognized by an article or, in German, by a capital letter.
    fn are_others_harmless(&self, text: &[Word], subject: &Range<usize>) -> bool {
        text.iter().enumerate().all(|(index, word)| {
            let may_be_noun = if self.language.capitalizes_nouns {
                word.is_capital && !word.is_first
            } else {
                [&self.articles, &self.contractions]
                    .iter()
                    .any(|list| list.contains(word.folded.as_str()))
            };
            if !may_be_noun || subject.contains(&word.range.start) {
                true
            } else if self.language.capitalizes_nouns {
                self.nouns.may_be_mentioned(&text[index..=index])
            } else {
                let mut next =
                    (1..=ADJECTIVES + 1).filter_map(|count| text.get(index + 1..=index + count));
                next.any(|words| self.nouns.may_be_mentioned(words))
            }
        })
    }

    fn is_any_excluded(&self, text: &[Word]) -> bool {
        let mut pairs = text
            .windows(2)
            .map(|pair| format!("{}-{}", pair[0].folded, pair[1].folded));
        text.iter().any(|word| self.is_excluded(word))
            || pairs.any(|pair| self.excluded.contains(pair.as_str()))
    }

    fn is_excluded(&self, word: &Word) -> bool {
        let word_is = |list: &Words| list.contains(word.folded.as_str());
        // "passe-t-il"
        let is_inversion = word.is_joined && ["il", "elle", "t"].contains(&word.folded.as_str());
        !is_inversion && (word_is(&self.excluded) || word_is(&EXCLUDED_WORDS))
    }

    fn is_plural(&self, word: &Word) -> bool {
        let plurals = self.language.plurals;
        word.folded.chars().count() > FEWEST_LETTERS
            && !word.is_capital
            && !word.folded.ends_with("ss")
            && plurals.iter().any(|ending| word.folded.ends_with(ending))
    }
}

/// What the message asks about; `None` if it isn't a question to show.
pub fn question(text: &str) -> Option<Question> {
    if text.len() > MAX_BYTES
        || !WORDS.contains(&text.split_whitespace().count())
        || text.contains(|character: char| {
            character.is_ascii_digit() || "@/\\<>+=%*".contains(character)
        })
    {
        return None;
    }
    let words = split(text);
    RULES.iter().find_map(|rules| {
        let (beginning, rest) = rules.begun(&words)?;
        if rules.is_any_excluded(&words) || rules.names_somebody(rest) {
            return None;
        }
        let subject = rules.subject(&beginning, rest)?;
        let (first, noun) = (subject.first()?, subject.last()?);
        let range = first.range.start..noun.range.end;
        if !rules.nouns.is_harmless(subject, beginning.asks)
            || !rules.are_others_harmless(&words, &range)
        {
            return None;
        }
        Some(Question {
            subject: text.get(range.clone())?.to_owned(),
            range,
            key: key(&noun.folded),
        })
    })
}

/// The form of a word in which its singular and its plural are mostly equal.
pub fn key(folded: &str) -> String {
    let stem = folded.strip_suffix('s').unwrap_or(folded);
    let is_long = stem.chars().count() >= FEWEST_LETTERS;
    if is_long { stem } else { folded }.to_owned()
}

/// The keys of all words of a text that could be a subject.
pub fn keys(text: &str) -> HashSet<String> {
    let folded = fold(text);
    let words = folded.split(|character: char| !character.is_alphanumeric());
    let long = words.filter(|word| word.chars().count() >= FEWEST_LETTERS);
    long.map(key).collect()
}

fn split(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut start = None;
    let mut between = String::from(".");
    for (position, character) in text.char_indices().chain([(text.len(), ' ')]) {
        // A combining mark belongs to its letter.
        let is_letter = character.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&character);
        match start {
            None if is_letter => start = Some(position),
            Some(begun) if !is_letter => {
                let spoken = &text[begun..position];
                let is_joined = matches!(between.as_str(), "'" | "’" | "-" | "‑");
                let ends = |mark: char| ".!?¿¡,;:\"“„«»…\n–—".contains(mark);
                words.push(Word {
                    range: begun..position,
                    folded: fold(spoken),
                    is_first: between.contains(ends),
                    is_capital: spoken.starts_with(char::is_uppercase),
                    is_joined,
                });
                start = None;
                between.clear();
            }
            _ => {}
        }
        if !is_letter {
            between.push(character);
        }
    }
    words
}

#[cfg(test)]
mod tests;
