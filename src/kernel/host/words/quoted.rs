//! Finds a quote in a text. Both are compared composed (NFC), with each run of white space as one space.

use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

use super::{NFC, is_white_space};

const CATEGORY: CodePointMapDataBorrowed<'_, GeneralCategory> = CodePointMapData::new();

/// A quote that stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// Start and end in the text, in UTF-16 units. A character that is only partly quoted is included as a whole.
    pub range: [usize; 2],
    /// The quote's length in characters, as compared.
    pub length: usize,
    /// Whether the quote is the whole text.
    pub is_whole: bool,
}

/// Returns where the quote first stands in the text; `None` if it doesn't, or is only white space.
pub fn find_quote(text: &str, quote: &str) -> Option<Quoted> {
    let quote = Compared::new(quote).text;
    let quote = quote.trim_matches(' ');
    if quote.is_empty() {
        return None;
    }
    let Compared { text, places } = Compared::new(text);
    let begins = text.find(quote)?;
    let last = begins
        + quote
            .chars()
            .next_back()
            .map_or(0, |last| quote.len() - last.len_utf8());
    let place_of = |byte: usize| places[places.partition_point(|place| place.byte <= byte) - 1];
    Some(Quoted {
        range: [place_of(begins).units[0], place_of(last).units[1]],
        length: quote.chars().count(),
        is_whole: text.trim_matches(' ') == quote,
    })
}

/// Where a piece of the compared text comes from.
#[derive(Clone, Copy)]
struct Piece {
    /// Its first byte in the compared text.
    byte: usize,
    /// From where to where, in UTF-16 units of the original text.
    units: [usize; 2],
}

/// A text in the form in which it is compared.
#[derive(Default)]
struct Compared {
    text: String,
    places: Vec<Piece>,
}

impl Compared {
    fn new(text: &str) -> Self {
        let mut compared = Self::default();
        let mut piece = String::new();
        let (mut begins, mut units) = (0, 0);
        for character in text.chars() {
            if !piece.is_empty() && begins_piece(&piece, character) {
                compared.push(&piece, [begins, units]);
                piece.clear();
                begins = units;
            }
            piece.push(character);
            units += character.len_utf16();
        }
        if !piece.is_empty() {
            compared.push(&piece, [begins, units]);
        }
        compared
    }

    /// Appends a piece that composes with nothing around it.
    fn push(&mut self, piece: &str, units: [usize; 2]) {
        for character in NFC.normalize(piece).chars() {
            let is_space = is_white_space(character);
            match self.places.last_mut() {
                Some(last) if is_space && self.text.ends_with(' ') => last.units[1] = units[1],
                _ => {
                    let byte = self.text.len();
                    self.places.push(Piece { byte, units });
                    self.text.push(if is_space { ' ' } else { character });
                }
            }
        }
    }
}

/// Whether a character doesn't compose with the piece before it. Marks may, also across other marks.
fn begins_piece(piece: &str, character: char) -> bool {
    if character.is_ascii() {
        return true;
    }
    if GeneralCategoryGroup::Mark.contains(CATEGORY.get(character)) {
        return false;
    }
    // Only a few syllables and vowel signs that aren't marks compose.
    let alone = character.encode_utf8(&mut [0; 4]).to_owned();
    let separate = [NFC.normalize(piece), NFC.normalize(&alone)].concat();
    NFC.normalize(&[piece, &alone].concat()) == separate
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    fn range(text: &str, quote: &str) -> Option<[usize; 2]> {
        find_quote(text, quote).map(|quoted| quoted.range)
    }

    #[test]
    fn a_quote_is_found_however_its_accents_and_spaces_were_typed() {
        assert_eq!(range("at the cafe\u{301} today", "the café"), Some([3, 12]));
        assert_eq!(range("at the café today", "the cafe\u{301}"), Some([3, 11]));
        assert_eq!(range("I  went\n\thome", "went home"), Some([3, 13]));
        assert_eq!(range("I went home", " went\u{a0} home\n"), Some([2, 11]));
        assert_eq!(range("🌙 I went", "I went"), Some([3, 9]));
        assert_eq!(range("\u{1112}\u{1161}\u{11ab}국 말", "한국"), Some([0, 4]));
        assert_eq!(range("ngu\u{323}\u{302} x", "ngụ\u{302}"), Some([0, 5]));
    }

    #[test]
    fn other_words_are_not_the_quote() {
        for (text, quote) in [
            ("I went home", "I Went home"),
            ("I went home", "I went  home now"),
            ("I wenthome", "I went home"),
            ("café", "cafe"),
            ("I went home", ""),
            ("I went home", " \n"),
            ("", "a"),
        ] {
            assert_eq!(find_quote(text, quote), None, "{quote:?}");
        }
    }

    #[test]
    fn a_quote_knows_its_length_and_whether_it_is_everything() {
        let quoted = find_quote(" no \n way ", "no way").unwrap();
        assert_eq!((quoted.length, quoted.is_whole), (6, true));
        let quoted = find_quote("no way!", "no way").unwrap();
        assert_eq!((quoted.length, quoted.is_whole), (6, false));
    }

    /// Another reading of the rule.
    fn compared(text: &str) -> String {
        let spaced = text
            .nfc()
            .map(|it| if is_white_space(it) { ' ' } else { it });
        let mut folded = String::new();
        for character in spaced {
            if character != ' ' || !folded.ends_with(' ') {
                folded.push(character);
            }
        }
        folded
    }

    fn text() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            "a",
            "e",
            "\u{301}",
            "\u{323}",
            "\u{331}",
            " ",
            "\n",
            "\u{a0}",
            "\u{1112}",
            "\u{1161}",
            "\u{11ab}",
            "가",
            "\u{9c7}",
            "\u{9be}",
            "\u{1025}",
            "\u{102e}",
            "🌙",
            "é",
            "\u{958}",
            "\u{212b}",
            "\u{feff}",
            "\u{200d}",
            "\u{16d63}",
            "\u{16d67}",
            "\u{16d68}",
        ]);
        prop::collection::vec(odd, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn pieces_compose_as_the_whole_does(text in text()) {
            prop_assert_eq!(Compared::new(&text).text, compared(&text));
        }

        #[test]
        fn what_is_found_is_there(text in text(), quote in text()) {
            let wanted = compared(&quote);
            let wanted = wanted.trim_matches(' ');
            let there = compared(&text);
            let found = find_quote(&text, &quote);
            prop_assert_eq!(found.is_some(), !wanted.is_empty() && there.contains(wanted));
            if let Some(Quoted { range: [from, to], .. }) = found {
                let units = text.encode_utf16().collect::<Vec<_>>();
                let marked = String::from_utf16(&units[from..to]).unwrap();
                prop_assert!(compared(&marked).contains(wanted));
            }
        }
    }
}
