//! Normalizes text for comparison: decomposed (NFKD), without marks and invisible characters, in one case. So accents, case and width
//! don't matter, nor does what nobody sees, such as a soft hyphen or a zero-width space. A model may read such a character as a
//! space, and Unicode's tag characters as the letters that they copy; [`Folding::Spaced`] and [`Folding::TagsRead`] do, too.

use std::iter;
use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::props::{
    DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup, Script,
};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};

const NFKD: DecomposingNormalizerBorrowed<'_> = DecomposingNormalizerBorrowed::new_nfkd();
const CATEGORY: CodePointMapDataBorrowed<'_, GeneralCategory> = CodePointMapData::new();
const SCRIPT: CodePointMapDataBorrowed<'_, Script> = CodePointMapData::new();
const INVISIBLE: CodePointSetDataBorrowed<'_> =
    CodePointSetData::new::<DefaultIgnorableCodePoint>();

/// Stands between two parts of a text that a model may read as one word. People see a space.
pub const PART_SEPARATOR: &str = " \u{2063}";

/// What becomes of an invisible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// It is dropped.
    Dropped,
    /// It is dropped. Adjacent spaces become one.
    SpacesJoined,
    /// It is a space.
    Spaced,
    /// It is dropped, and so is a [`PART_SEPARATOR`].
    PartsJoined,
    /// It is dropped, but a tag character becomes the ASCII letter that it copies. Adjacent spaces become one.
    TagsRead,
}

impl Folding {
    /// The foldings of a text that differ.
    pub fn of(text: &str) -> impl Iterator<Item = Self> {
        let has_invisible = !text.is_ascii() && text.chars().any(is_invisible);
        let has_parts = has_invisible && text.contains(PART_SEPARATOR);
        let others = [
            has_invisible.then_some(Self::Spaced),
            has_parts.then_some(Self::PartsJoined),
        ];
        iter::once(Self::Dropped)
            .chain(others.into_iter().flatten())
            .chain(Self::of_tags(text))
    }

    /// The foldings of a text in which words are searched.
    pub fn of_searched(text: &str) -> impl Iterator<Item = Self> {
        iter::once(Self::SpacesJoined).chain(Self::of_tags(text))
    }

    fn of_tags(text: &str) -> Option<Self> {
        let may_have_tags = text.as_bytes().contains(&FIRST_OF_TAGS);
        let has_tags = may_have_tags && text.chars().any(|it| tagged(it).is_some());
        has_tags.then_some(Self::TagsRead)
    }

    pub fn fold(self, text: &str) -> String {
        let mut folded = String::with_capacity(text.len());
        for character in text.chars() {
            self.fold_into(character, &mut folded);
        }
        folded
    }

    fn fold_into(self, character: char, folded: &mut String) {
        match self {
            Self::Spaced if is_invisible(character) => folded.push(' '),
            Self::SpacesJoined | Self::TagsRead => match character {
                // Most of a text, and most of a search.
                '!'..='~' => folded.push(character.to_ascii_lowercase()),
                ' ' if folded.ends_with(' ') => {}
                ' ' => folded.push(' '),
                _ => {
                    let begins = folded.len();
                    let tag = tagged(character).filter(|_| self == Self::TagsRead);
                    fold_into(tag.unwrap_or(character), folded);
                    if folded[begins..].starts_with(' ') && folded[..begins].ends_with(' ') {
                        folded.remove(begins);
                    }
                }
            },
            Self::PartsJoined if PART_SEPARATOR.ends_with(character) && folded.ends_with(' ') => {
                folded.pop();
            }
            _ => fold_into(character, folded),
        }
    }
}

/// The normalized text.
pub fn fold(text: &str) -> String {
    Folding::Dropped.fold(text)
}

/// Marks are dropped, so folding each character by itself equals folding the text: only marks are reordered by NFKD.
fn fold_into(character: char, folded: &mut String) {
    if character.is_ascii() {
        match character {
            space if space.is_ascii_whitespace() => folded.push(' '),
            control if control.is_ascii_control() => {}
            other => folded.push(other.to_ascii_lowercase()),
        }
        return;
    }
    for decomposed in NFKD.normalize_iter(iter::once(character)) {
        match decomposed {
            // Keyboards produce these for an apostrophe.
            '\u{2018}' | '\u{2019}' | '\u{2bc}' => folded.push('\''),
            space if space.is_whitespace() => folded.push(' '),
            dropped if is_dropped(dropped) => {}
            // To upper case and back, so that ß equals SS, and ς equals σ; first to lower case, because ẞ stays ẞ in upper case.
            other => folded.extend(
                other
                    .to_lowercase()
                    .flat_map(char::to_uppercase)
                    .flat_map(char::to_lowercase)
                    .filter(|folded| !is_dropped(*folded)),
            ),
        }
    }
}

fn is_dropped(character: char) -> bool {
    is_mark(character) || is_invisible(character) || character.is_control()
}

/// Whether it stands for nothing between two words. Marks belong to the character before them.
fn is_invisible(character: char) -> bool {
    let is_unseen =
        INVISIBLE.contains(character) || CATEGORY.get(character) == GeneralCategory::Format;
    is_unseen && !is_mark(character)
}

fn is_mark(character: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CATEGORY.get(character))
}

/// The first byte of each tag character in UTF-8.
const FIRST_OF_TAGS: u8 = 0xf3;

/// The ASCII character that a tag character copies.
fn tagged(character: char) -> Option<char> {
    let ascii = u32::from(character).checked_sub(0xe0000)?;
    char::from_u32(ascii).filter(|ascii| matches!(ascii, ' '..='~'))
}

/// Whether a word can begin or end between these two characters of a folded text.
pub fn is_word_boundary(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return true;
    };
    let is_within_word = before.is_alphanumeric() && after.is_alphanumeric();
    !is_within_word || is_unspaced(before) || is_unspaced(after)
}

/// Whether the character's script has no spaces between words.
fn is_unspaced(character: char) -> bool {
    !character.is_ascii()
        && matches!(
            SCRIPT.get(character),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Bopomofo
                | Script::Yi
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
                | Script::Javanese
                | Script::Balinese
                | Script::TaiLe
                | Script::NewTaiLue
                | Script::TaiTham
                | Script::TaiViet
        )
}

/// Converts sorted ranges of the folded text, in bytes, to ranges of the text, in UTF-16 units, merging adjacent ones.
/// A partly matched character is marked completely, with the combining marks after it.
pub fn ranges_in_text(text: &str, folding: Folding, found: &[Range<usize>]) -> Vec<[usize; 2]> {
    let behind_all = found.last().map_or(0, |last| last.end);
    // The offsets of each character that appears in the folded text: there, and in the text.
    let mut places = Vec::new();
    let (mut folded, mut units) = (String::new(), 0);
    for character in text.chars() {
        let begins = folded.len();
        folding.fold_into(character, &mut folded);
        if folded.len() > begins {
            places.push((begins, units));
            if begins >= behind_all {
                break;
            }
        }
        units += character.len_utf16();
    }
    let mut ranges = Vec::<[usize; 2]>::new();
    for range in found {
        let first = places.partition_point(|(begins, _)| *begins <= range.start) - 1;
        let behind = places.partition_point(|(begins, _)| *begins < range.end);
        let end = places.get(behind).map_or(units, |(_, unit)| *unit);
        let start = places[first].1;
        match ranges.last_mut().filter(|last| start <= last[1]) {
            Some(last) => last[1] = last[1].max(end),
            None => ranges.push([start, end]),
        }
    }
    ranges
}
