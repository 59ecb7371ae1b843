//! Watched phrases: their rules, and finding them in messages.
//!
//! A phrase matches if its words occur next to each other, in order and whole, in one message. Case, accents and width don't
//! matter, nor does what stands between the words, because a speech recogniser's punctuation is a guess. In scripts without
//! spaces between words a phrase can begin and end anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::conversations::transcripts::Speaker;
use crate::kernel::host::words::{Folding, fold, is_word_boundary, length, ranges_in_text, trim};
use crate::kernel::http::problem::refusals;

/// The maximum number of phrases per guardian and child.
pub const MOST_PHRASES: usize = 30;

/// In characters.
pub const SHORTEST: usize = 2;

/// In characters.
pub const LONGEST: usize = 80;

/// The maximum number of marked ranges in a message.
const MOST_RANGES: usize = 100;

/// Whose messages are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename = "WatchedSide", rename_all = "lowercase")]
pub enum Side {
    /// Everything but the assistant's messages, without speakers who are known to be somebody else.
    Child,
    /// The assistant's messages.
    Assistant,
    /// All messages.
    Either,
}

impl Side {
    pub fn includes(self, speaker: Speaker) -> bool {
        match self {
            Self::Child => speaker == Speaker::Child,
            Self::Assistant => speaker == Speaker::Assistant,
            Self::Either => true,
        }
    }
}

/// A phrase that a guardian watches for, as stored and returned.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchedPhrase {
    /// As typed, trimmed.
    pub words: String,
    pub side: Side,
}

/// Why a phrase can't be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPhrase {
    #[error("A phrase has at least 2 characters.")]
    TooShort,
    #[error("A phrase has at most 80 characters.")]
    TooLong,
    #[error("A phrase has at least one letter or digit.")]
    NoWord,
    #[error("You can watch at most 30 phrases for a child.")]
    TooMany,
}

refusals! {
    NotAPhrase {
        TooShort => against_a_rule(PhraseTooShort),
        TooLong => against_a_rule(PhraseTooLong),
        NoWord => against_a_rule(PhraseWithoutWord),
        TooMany => against_a_rule(TooManyPhrases),
    }
}

impl WatchedPhrase {
    /// Trims and checks a phrase.
    pub fn new(words: &str, side: Side) -> Result<Self, NotAPhrase> {
        let words = trim(words);
        let characters = length(words);
        if characters < SHORTEST {
            return Err(NotAPhrase::TooShort);
        }
        if characters > LONGEST {
            return Err(NotAPhrase::TooLong);
        }
        let phrase = Self {
            words: words.to_owned(),
            side,
        };
        if Finder::of(&phrase).units.is_empty() {
            return Err(NotAPhrase::NoWord);
        }
        Ok(phrase)
    }
}

/// Checks a list of phrases, without repeats that match the same. Fails with the index of the phrase that is wrong.
pub fn valid_list(
    phrases: impl IntoIterator<Item = (String, Side)>,
) -> Result<Vec<WatchedPhrase>, (Option<usize>, NotAPhrase)> {
    let mut valid = Vec::<WatchedPhrase>::new();
    let mut finders = Vec::new();
    for (index, (words, side)) in phrases.into_iter().enumerate() {
        let phrase = WatchedPhrase::new(&words, side).map_err(|error| (Some(index), error))?;
        let finder = (Finder::of(&phrase), side);
        if !finders.contains(&finder) {
            finders.push(finder);
            valid.push(phrase);
        }
    }
    if valid.len() > MOST_PHRASES {
        return Err((None, NotAPhrase::TooMany));
    }
    Ok(valid)
}

/// A phrase as it is searched for.
#[derive(Clone, PartialEq, Eq)]
pub struct Finder {
    /// Its folded words.
    words: Vec<String>,
    /// Its words' units.
    units: Vec<PhraseUnit>,
    /// For each unit: how many of the first units the units up to it end with (the failure function of Knuth, Morris and Pratt).
    ends_with: Vec<usize>,
}

/// The smallest part of a word that is compared: a word, or in scripts without spaces one character.
#[derive(Clone, PartialEq, Eq)]
struct PhraseUnit {
    text: String,
    /// Whether something may stand before it.
    begins_word: bool,
}

impl PhraseUnit {
    fn is(&self, text: &str) -> bool {
        #[cfg(test)]
        tests::COMPARED.with(|compared| compared.set(compared.get() + 1));
        self.text == text
    }
}

/// The units of a folded text.
struct Units<'a> {
    folded: &'a str,
    units: Vec<TextUnit>,
}

struct TextUnit {
    place: Range<usize>,
    /// Whether something stands between it and the one before.
    is_separate: bool,
}

impl<'a> Units<'a> {
    fn of(folded: &'a str) -> Self {
        let mut units = Vec::<TextUnit>::new();
        let mut before = None;
        for (start, character) in folded.char_indices() {
            if character.is_alphanumeric() {
                let end = start + character.len_utf8();
                match units.last_mut() {
                    Some(last) if !is_word_boundary(before, Some(character)) => {
                        last.place.end = end
                    }
                    last => {
                        let is_separate = last.is_none_or(|last| last.place.end < start);
                        let place = start..end;
                        units.push(TextUnit { place, is_separate });
                    }
                }
            }
            before = Some(character);
        }
        Self { folded, units }
    }

    fn text(&self, unit: usize) -> &'a str {
        &self.folded[self.units[unit].place.clone()]
    }
}

impl Finder {
    pub fn of(phrase: &WatchedPhrase) -> Self {
        let folded = fold(&phrase.words);
        let words = folded.split(|character: char| !character.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
        let words = words.collect::<Vec<_>>();
        let units = words.iter().flat_map(|word| {
            let units = Units::of(word);
            let count = units.units.len();
            (0..count).map(move |unit| PhraseUnit {
                text: units.text(unit).to_owned(),
                begins_word: unit == 0,
            })
        });
        let units = units.collect::<Vec<_>>();
        let ends_with = ends_with(&units);
        Self {
            words,
            units,
            ends_with,
        }
    }

    /// The folded words with single spaces: equal for phrases that match the same.
    pub fn identity(&self) -> String {
        self.words.join(" ")
    }

    /// The longest unit, which is the least frequent one.
    fn key_unit(&self) -> Option<&str> {
        let units = self.units.iter().map(|unit| unit.text.as_str());
        units.max_by_key(|unit| unit.len())
    }

    /// Where the phrase is in a text. The time grows with the text alone, however often a phrase almost occurs.
    fn occurrences<'a>(&'a self, text: &'a Units<'_>) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut matched = 0;
        (0..text.units.len()).filter_map(move |index| {
            let unit = text.text(index);
            while matched > 0 && (matched == self.units.len() || !self.units[matched].is(unit)) {
                matched = self.ends_with[matched - 1];
            }
            matched += usize::from(self.units.get(matched).is_some_and(|next| next.is(unit)));
            if self.units.is_empty() || matched < self.units.len() {
                return None;
            }
            let first = index + 1 - matched;
            let found = &text.units[first..=index];
            let is_whole = self.units.iter().zip(found);
            let is_whole = is_whole
                .skip(1)
                .all(|(unit, found)| unit.begins_word || !found.is_separate);
            is_whole.then(|| found[0].place.start..found[matched - 1].place.end)
        })
    }

    /// The ranges of the text that match, in UTF-16 units; at most [`MOST_RANGES`].
    pub fn ranges(&self, text: &str) -> Vec<[usize; 2]> {
        let mut found = Folding::of(text).map(|folding| self.ranges_as(text, folding));
        found.find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn ranges_as(&self, text: &str, folding: Folding) -> Vec<[usize; 2]> {
        let folded = folding.fold(text);
        let units = Units::of(&folded);
        let mut found = Vec::<Range<usize>>::new();
        for range in self.occurrences(&units) {
            if found.last().is_none_or(|last| last.end <= range.start) {
                found.push(range);
            }
            if found.len() == MOST_RANGES {
                break;
            }
        }
        ranges_in_text(text, folding, &found)
    }
}

fn ends_with(units: &[PhraseUnit]) -> Vec<usize> {
    let mut ends_with = vec![0; units.len()];
    let mut matched = 0;
    for index in 1..units.len() {
        while matched > 0 && units[matched].text != units[index].text {
            matched = ends_with[matched - 1];
        }
        matched += usize::from(units[matched].text == units[index].text);
        ends_with[index] = matched;
    }
    ends_with
}

/// The phrases that a guardian watches for. A text is read once for the longest unit of each; only the phrases whose unit occurs are
/// then searched for.
pub struct KeyWords {
    automaton: AhoCorasick,
    /// The indices of the phrases with each key unit.
    phrases: Vec<Vec<usize>>,
}

impl KeyWords {
    pub fn of<'a>(finders: impl Iterator<Item = &'a Finder>) -> Self {
        let mut phrases = BTreeMap::<&str, Vec<usize>>::new();
        for (index, finder) in finders.enumerate() {
            if let Some(unit) = finder.key_unit() {
                phrases.entry(unit).or_default().push(index);
            }
        }
        let automaton = AhoCorasick::new(phrases.keys());
        Self {
            automaton: automaton.expect("guardians watch for a few hundred short phrases"),
            phrases: phrases.into_values().collect(),
        }
    }

    /// The indices of the phrases that are in the text, lowest first. `finder` returns the phrase with an index.
    pub fn find<'a>(&self, text: &str, finder: impl Fn(usize) -> &'a Finder) -> BTreeSet<usize> {
        let foldings = Folding::of(text);
        let found = foldings.flat_map(|folding| self.find_folded(&folding.fold(text), &finder));
        found.collect()
    }

    fn find_folded<'a>(
        &self,
        folded: &str,
        finder: impl Fn(usize) -> &'a Finder,
    ) -> BTreeSet<usize> {
        let mut occurs = vec![false; self.phrases.len()];
        for place in self.automaton.find_overlapping_iter(folded) {
            occurs[place.pattern().as_usize()] = true;
        }
        let with_unit = self.phrases.iter().zip(occurs);
        let with_unit = with_unit.filter(|(_, occurs)| *occurs);
        let mut candidates = with_unit.flat_map(|(phrases, _)| phrases).peekable();
        if candidates.peek().is_none() {
            return BTreeSet::new();
        }
        let units = Units::of(folded);
        let found = candidates.filter(|index| finder(**index).occurrences(&units).next().is_some());
        found.copied().collect()
    }

    /// In bytes.
    pub fn size(&self) -> usize {
        self.automaton.memory_usage()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;
    use crate::kernel::host::words::PART_SEPARATOR;

    thread_local! {
        /// The number of units that were compared.
        pub static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    fn finder(words: &str) -> Finder {
        Finder::of(&WatchedPhrase::new(words, Side::Either).unwrap())
    }

    /// The indices of the phrases that are in the text, found together.
    fn found(finders: &[Finder], text: &str) -> BTreeSet<usize> {
        KeyWords::of(finders.iter()).find(text, |index| &finders[index])
    }

    fn is_in(finder: &Finder, text: &str) -> bool {
        !found(std::slice::from_ref(finder), text).is_empty()
    }

    #[test]
    fn whole_words_match_in_order_and_next_to_each_other() {
        let cases = [
            ("hit me", "He hit me.", true),
            ("hit me", "a hitchhiking mermaid", false),
            ("hit me", "hit men", false),
            ("hit me", "he hits me", false),
            ("hit me", "me hit", false),
            ("hit me", "hit and me", false),
            ("hit me", "HIT  ME", true),
            ("hit me", "They hit, me too", true),
            ("hit me", "hitme", false),
            ("our secret", "It is our... secret!", true),
            ("our secret", "our\nsecret", true),
            ("our secret", "four secrets", false),
            ("don't tell", "Don’t tell anyone", true),
            ("don’t tell", "don't tell", true),
            ("cafe", "the CAFÉ", true),
            ("café", "cafe\u{301}", true),
            ("strasse", "Die Straße", true),
            ("ｈｉｔ", "hit", true),
            ("aa a", "aa aa a", true),
        ];

        for (phrase, text, expected) in cases {
            let found = is_in(&finder(phrase), text);
            assert_eq!(found, expected, "{phrase:?} in {text:?}");
            assert_eq!(!finder(phrase).ranges(text).is_empty(), expected);
        }
    }

    #[test]
    fn invisible_characters_split_no_phrase() {
        let phrase = finder("our secret");
        for invisible in [
            '\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{3164}', '\0',
            '\u{1}', '\u{8}', '\u{7f}', '\u{9d}', '\u{fff9}', '\u{fffb}', '\u{600}',
        ] {
            let text = format!("o{invisible}ur se{invisible}cret{invisible}!");
            assert!(is_in(&phrase, &text), "{invisible:?}");
            let ranges = phrase.ranges(&text);
            assert_eq!(ranges, [[0, 13]], "{invisible:?}");
            let typed = finder(&format!("our s{invisible}ecret"));
            assert_eq!(typed.identity(), "our secret");
        }
    }

    #[test]
    fn an_invisible_character_may_stand_between_two_words() {
        let phrase = finder("run away");
        for invisible in ['\u{200b}', '\u{2060}', '\u{feff}', '\u{ad}', '\u{e0001}'] {
            let text = format!("Let's run{invisible}away!");
            assert!(is_in(&phrase, &text), "{invisible:?}");
            let end = 14 + invisible.len_utf16();
            assert_eq!(phrase.ranges(&text), [[6, end - 1]], "{invisible:?}");
        }
        assert!(!is_in(&phrase, "runaway"));
        assert!(!is_in(&phrase, "ru\u{301}naway"));
    }

    #[test]
    fn a_word_split_over_two_parts_matches_whole_and_as_it_reads() {
        let text = format!("A bo{PART_SEPARATOR}mb under the bed{PART_SEPARATOR}room");

        for (phrase, range) in [
            ("bomb", [2, 8]),
            ("bo mb", [2, 8]),
            ("the bed room", [15, 28]),
        ] {
            assert!(is_in(&finder(phrase), &text), "{phrase}");
            assert_eq!(finder(phrase).ranges(&text), [range], "{phrase}");
        }
        assert!(!is_in(&finder("under bed"), &text));
    }

    #[test]
    fn tag_characters_are_nothing_or_the_letters_that_they_copy() {
        let tags = |text: &str| {
            let tag = |letter: char| char::from_u32(0xe0000 + u32::from(letter)).unwrap();
            text.chars().map(tag).collect::<String>()
        };
        let text = format!("Hi! {}", tags("Our Secret."));
        let phrase = finder("our secret");

        assert!(is_in(&phrase, &text));
        assert_eq!(phrase.ranges(&text), [[4, 24]]);
        assert!(is_in(&finder("hi our"), &text));
        let text = format!("our sec{}ret, hi", tags("A"));
        assert!(is_in(&phrase, &text));
        assert_eq!(phrase.ranges(&text), [[0, 12]]);
        assert!(is_in(&finder("secAret"), &text));
    }

    #[test]
    fn a_text_that_almost_matches_everywhere_is_read_once() {
        let almost = "a ".repeat(100_000);
        for phrase in [
            format!("b{}", " a".repeat(39)),
            format!("{}b", "a ".repeat(39)),
        ] {
            let before = COMPARED.get();

            assert!(!is_in(&finder(&phrase), &format!("{almost}c b")));

            let compared = COMPARED.get() - before;
            assert!(compared <= 3 * 100_010, "{compared}");
        }
    }

    #[test]
    fn scripts_without_spaces_match_anywhere() {
        let cases = [
            ("秘密", "这是我们的秘密吗", true),
            ("我们 的", "这是我们的秘密", true),
            ("ひみつ", "これはひみつだよ", true),
            ("ความลับ", "นี่คือความลับของเรา", true),
            ("секрет", "наш секрет", true),
            ("секрет", "секретный", false),
            ("سر", "هذا سر", true),
            ("سر", "مدرسة", false),
            ("비밀", "우리 비밀", true),
            ("비밀", "비밀번호", false),
        ];

        for (phrase, text, expected) in cases {
            let found = is_in(&finder(phrase), text);
            assert_eq!(found, expected, "{phrase:?} in {text:?}");
        }
    }

    #[test]
    fn ranges_are_in_utf_16_units_of_the_text_as_sent() {
        assert_eq!(
            finder("our secret").ranges("🌙 Our, secret. Our secret"),
            [[3, 14], [16, 26]]
        );
        assert_eq!(
            finder("cafe").ranges("cafe\u{301}s cafe\u{301}!"),
            [[7, 12]]
        );
        assert_eq!(finder("a1").ranges(&"a1 ".repeat(200)).len(), MOST_RANGES);
    }

    #[test]
    fn a_phrase_has_2_to_80_characters_and_a_word() {
        let new = |words: &str| WatchedPhrase::new(words, Side::Child).map(|phrase| phrase.words);

        assert_eq!(new("  our secret\u{feff}").as_deref(), Ok("our secret"));
        assert_eq!(new(" a "), Err(NotAPhrase::TooShort));
        assert_eq!(new("e\u{301}"), Err(NotAPhrase::TooShort));
        assert_eq!(new("秘密").as_deref(), Ok("秘密"));
        assert!(new(&"é".repeat(80)).is_ok());
        assert_eq!(new(&"é".repeat(81)), Err(NotAPhrase::TooLong));
        assert_eq!(new("?!"), Err(NotAPhrase::NoWord));
    }

    #[test]
    fn repeats_are_dropped_and_a_wrong_phrase_is_named() {
        let list = |phrases: &[(&str, Side)]| {
            let phrases = phrases
                .iter()
                .map(|(words, side)| ((*words).to_owned(), *side));
            valid_list(phrases).map(|valid| valid.len())
        };
        let many = (0..31).map(|number| (format!("phrase {number}"), Side::Child));

        let repeated = [("Our secret", Side::Child), ("our SECRET!", Side::Child)];
        assert_eq!(list(&repeated), Ok(1));
        let both = [("Our secret", Side::Child), ("our secret", Side::Assistant)];
        assert_eq!(list(&both), Ok(2));
        let wrong = [("ok", Side::Child), ("x", Side::Child)];
        assert_eq!(list(&wrong), Err((Some(1), NotAPhrase::TooShort)));
        assert_eq!(
            valid_list(many.clone()).err(),
            Some((None, NotAPhrase::TooMany))
        );
        assert!(valid_list(many.take(30)).is_ok());
    }

    /// A naive implementation of the same rules: characters in a list, every position tried.
    mod naive {
        use super::fold;

        fn is_unspaced(it: char) -> bool {
            matches!(it, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
                | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}')
        }

        fn is_edge(text: &[char], at: usize) -> bool {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            match (before, text.get(at)) {
                (Some(before), Some(after)) => {
                    let inner = before.is_alphanumeric() && after.is_alphanumeric();
                    !inner || is_unspaced(*before) || is_unspaced(*after)
                }
                _ => true,
            }
        }

        fn matches_at(text: &[char], mut at: usize, words: &[Vec<char>]) -> bool {
            for (number, word) in words.iter().enumerate() {
                if number > 0 {
                    while text.get(at).is_some_and(|it| !it.is_alphanumeric()) {
                        at += 1;
                    }
                }
                if !is_edge(text, at) || !text[at..].starts_with(word) {
                    return false;
                }
                at += word.len();
            }
            is_edge(text, at)
        }

        pub fn is_in(phrase: &str, text: &str) -> bool {
            let text = fold(text).chars().collect::<Vec<_>>();
            let mut words = vec![Vec::new()];
            for character in fold(phrase).chars() {
                match words.last_mut() {
                    Some(word) if character.is_alphanumeric() => word.push(character),
                    _ => words.push(Vec::new()),
                }
            }
            words.retain(|word| !word.is_empty());
            (0..text.len()).any(|at| matches_at(&text, at, &words))
        }
    }

    /// The characters of many scripts with which searches are tested.
    const LETTERS: &str = "[aAbßéÉfﬁİıσςΣжЖёא\u{5b8}ع\u{64e}कि水海がカｶﾞนน้ำ한글ᄀ🐙👍🏽1٣２'’\\-.,\u{301}\u{308} \t\u{a0}]";

    fn cases() -> ProptestConfig {
        let cases = std::env::var("SEARCH_CASES").ok();
        let cases = cases.and_then(|cases| cases.parse().ok()).unwrap_or(400);
        ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(cases)
        }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn watching_equals_a_naive_implementation(
            text in prop::string::string_regex(&format!("{LETTERS}{{0,24}}")).unwrap(),
            other in prop::string::string_regex(&format!("{LETTERS}{{2,4}}")).unwrap(),
            part in prop::option::of((0_usize..24, 2_usize..8)),
            beside in (0_usize..24, 2_usize..8),
        ) {
            // Mostly a part of the text, so that matches are frequent.
            let words = match part {
                Some((skip, take)) => text.chars().skip(skip).take(take).collect::<String>(),
                None => other,
            };
            let beside = text.chars().skip(beside.0).take(beside.1).collect::<String>();
            if let Ok(phrase) = WatchedPhrase::new(&words, Side::Either) {
                let expected = naive::is_in(&phrase.words, &text);
                let finder = Finder::of(&phrase);
                let beside = WatchedPhrase::new(&beside, Side::Either).ok();
                let mut finders = vec![finder.clone()];
                finders.extend(beside.as_ref().map(Finder::of));
                let found = found(&finders, &text);
                prop_assert_eq!(found.contains(&0), expected, "{:?} in {:?}", words, text);
                if let Some(beside) = beside {
                    let expected = naive::is_in(&beside.words, &text);
                    prop_assert_eq!(found.contains(&1), expected, "{:?} in {:?}", beside.words, text);
                }
                prop_assert_eq!(!finder.ranges(&text).is_empty(), expected, "{:?} in {:?}", words, text);
            }
        }
    }

    #[test]
    fn a_side_includes_its_speaker_and_either_side_everybody() {
        let speakers = [Speaker::Child, Speaker::Assistant, Speaker::Other];
        let included = |side: Side| speakers.map(|speaker| side.includes(speaker));
        assert_eq!(included(Side::Child), [true, false, false]);
        assert_eq!(included(Side::Assistant), [false, true, false]);
        assert_eq!(included(Side::Either), [true, true, true]);
    }
}
