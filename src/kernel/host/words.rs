//! Trims, measures and compares short texts that people type.
//!
//! The pages do the same in TypeScript, so all but the folding for searches is the same in both languages: Rust's own
//! `trim`, for example, removes U+0085 but not U+FEFF, and ECMAScript's does the reverse.

mod folded;
mod quoted;

use icu_normalizer::ComposingNormalizerBorrowed;

pub use folded::{Folding, PART_SEPARATOR, fold, is_word_boundary, ranges_in_text};
pub use quoted::{Quoted, find_quote};

const NFC: ComposingNormalizerBorrowed<'_> = ComposingNormalizerBorrowed::new_nfc();

/// Removes white space at both ends, by ECMAScript's definition (ECMA-262, `WhiteSpace` and
/// `LineTerminator`).
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

fn is_white_space(character: char) -> bool {
    match character {
        '\u{feff}' => true,
        '\u{85}' => false,
        other => other.is_whitespace(),
    }
}

/// The number of characters of a text: Unicode scalar values after composing them (NFC), so that an accent counts
/// the same however it was typed.
pub fn length(text: &str) -> usize {
    NFC.normalize(text).chars().count()
}

/// The form for case-insensitive comparison: composed (NFC), in Unicode's lower case.
pub fn caseless(text: &str) -> String {
    NFC.normalize(text).to_lowercase()
}

/// The text for one line of a terminal: characters that are invisible or change the display of others are shown as a label such
/// as `[RLO]` or `[U+200B]`. So the reader sees what the text contains.
pub fn plain(text: &str) -> String {
    shown(text, |character| match direction(character) {
        Some(name) => format!("[{name}]"),
        None => format!("[U+{:04X}]", u32::from(character)),
    })
}

/// [`plain`] for text of several lines.
pub fn plain_lines(text: &str) -> String {
    let lines = text.split('\n').map(plain);
    lines.collect::<Vec<_>>().join("\n")
}

/// Pretty-printed JSON in which those characters are escaped (RFC 8259, section 7). They only occur in strings.
pub fn plain_json(json: &serde_json::Value) -> String {
    let escaped = |character: char| {
        let units = character.encode_utf16(&mut [0; 2]).to_vec();
        units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
    };
    let json = format!("{json:#}");
    let lines = json.split('\n').map(|line| shown(line, escaped));
    lines.collect::<Vec<_>>().join("\n")
}

fn shown(text: &str, sign: impl Fn(char) -> String) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if direction(character).is_some() || is_unseen(character) {
            shown.push_str(&sign(character))
        } else {
            shown.push(character)
        }
    }
    shown
}

/// A topic for a sentence of an e-mail, on one line. Characters that change the writing direction are dropped, and a
/// right-to-left text is isolated, so that it doesn't reorder the sentence.
pub fn in_sentence(text: &str) -> String {
    isolated(on_one_line(text))
}

/// [`in_sentence`] for what somebody said and for topics that assistants report. An invisible word joiner follows where a mail
/// program could begin to make a link, and each digit of what it could take for a telephone number.
pub fn said_in_sentence(text: &str) -> String {
    let line = in_sentence(text);
    let mut without_links = String::with_capacity(line.len());
    for part in line.split_inclusive(|it| !may_be_in_number(it)) {
        let digits = part.chars().filter(|it| it.is_numeric()).count();
        let mut characters = part.chars().peekable();
        while let Some(character) = characters.next() {
            without_links.push(character);
            let next = characters.peek().copied();
            let is_in_number = digits > MOST_DIGITS && character.is_numeric();
            if is_in_number || may_be_in_link(character, next) {
                without_links.push('\u{2060}');
            }
        }
    }
    without_links
}

/// The longest name in an e-mail, in characters.
const LONGEST_NAME: usize = 40;

/// The most digits of a name in an e-mail, and of a number in a quote: fewer than a telephone number has.
const MOST_DIGITS: usize = 4;

/// [`in_sentence`] for the name of a person, a child or an assistant. Somebody else than the reader chose it, so it is cut where a
/// mail program could begin to make a link of it, and before it becomes a message of its own. `…` if nothing of it can be seen.
pub fn name_in_sentence(name: &str) -> String {
    visible_name_in_sentence(name).unwrap_or_else(|| "…".to_owned())
}

/// [`name_in_sentence`], or `None` if nothing of it can be seen.
pub fn visible_name_in_sentence(name: &str) -> Option<String> {
    let line = on_one_line(name);
    let (mut kept, mut digits) = (String::new(), 0);
    let mut characters = line.chars().enumerate().peekable();
    while let Some((index, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        digits += usize::from(character.is_numeric());
        let is_too_long = index + 1 >= LONGEST_NAME && next.is_some();
        if is_too_long || digits > MOST_DIGITS || may_be_in_link(character, next) {
            kept.truncate(kept.trim_end().len());
            kept.push('…');
            break;
        }
        kept.push(character);
    }
    (!kept.chars().all(is_unseen)).then(|| isolated(kept))
}

/// Whether an address on the internet may have this character, followed by `next`. Some programs take the wide forms for it.
fn may_be_in_link(character: char, next: Option<char>) -> bool {
    match character {
        '/' | '\\' | '@' | '\u{2044}' | '\u{2215}' | '\u{ff0f}' | '\u{ff3c}' | '\u{fe6b}'
        | '\u{ff20}' => true,
        '.' | ':' | '\u{2024}' | '\u{3002}' | '\u{fe52}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff61}' => {
            next.is_some_and(|next| next != ' ')
        }
        _ => false,
    }
}

/// Whether a telephone number may have this character, however it is written.
fn may_be_in_number(character: char) -> bool {
    character.is_numeric()
        || !character.is_alphabetic() && !matches!(character, ',' | ';' | '!' | '?')
}

fn on_one_line(text: &str) -> String {
    let visible = text.chars().filter(|it| direction(*it).is_none());
    let visible = visible.map(|it| if it.is_control() { ' ' } else { it });
    let visible = visible.collect::<String>();
    let words = visible
        .split(is_white_space)
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn isolated(line: String) -> String {
    if line.chars().any(is_right_to_left) {
        format!("\u{2068}{line}\u{2069}")
    } else {
        line
    }
}

/// Whether a character is in a block of a right-to-left script.
fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// The abbreviation of a character that changes the writing direction (Unicode Standard Annex #9, section 2).
fn direction(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{61c}' => "ALM",
        '\u{200e}' => "LRM",
        '\u{200f}' => "RLM",
        '\u{202a}' => "LRE",
        '\u{202b}' => "RLE",
        '\u{202c}' => "PDF",
        '\u{202d}' => "LRO",
        '\u{202e}' => "RLO",
        '\u{2066}' => "LRI",
        '\u{2067}' => "RLI",
        '\u{2068}' => "FSI",
        '\u{2069}' => "PDI",
        _ => return None,
    })
}

/// Whether a character controls a terminal, ends a line or is invisible: Unicode's `Default_Ignorable_Code_Point` without the
/// variation selectors for emoji, and the interlinear annotations.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}'
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_ecmascript_says() {
        let ecmascript = [
            '\t', '\u{b}', '\u{c}', ' ', '\u{a0}', '\u{feff}', '\n', '\r', '\u{1680}', '\u{2000}',
            '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}',
            '\u{2008}', '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}',
            '\u{3000}',
        ];

        for character in '\0'..=char::MAX {
            let expected = ecmascript.contains(&character);
            assert_eq!(is_white_space(character), expected, "{character:?}");
        }
    }

    #[test]
    fn a_name_in_a_sentence_stays_on_its_line_and_in_its_place() {
        let cases = [
            ("Mia", "Mia"),
            ("Mia\u{2028}and\r\n\tTheo \u{7}", "Mia and Theo"),
            ("مريم", "\u{2068}مريم\u{2069}"),
            ("Mia \u{202e}evil\u{2069}", "Mia evil"),
            ("נועה\u{2069}\u{202e} Levi", "\u{2068}נועה Levi\u{2069}"),
            ("👩‍🚀 Zoë", "👩‍🚀 Zoë"),
            ("\u{200f} \n", ""),
        ];

        for (text, expected) in cases {
            assert_eq!(in_sentence(text), expected, "{text:?}");
        }
    }

    #[test]
    fn no_part_of_what_was_said_can_become_a_link_and_it_looks_the_same() {
        for said in [
            "See https://evil.example/login?x=1, or write to a@evil.example",
            "evil.example",
            "It is 3.5 or half and half. Really?",
        ] {
            let shown = said_in_sentence(said);
            assert_eq!(shown.replace('\u{2060}', ""), said);
            assert!(
                !shown.contains("://") && !shown.contains(".example"),
                "{said}"
            );
            assert!(!shown.contains("@evil"), "{said}");
        }
        for said in [
            "Why? Because.",
            "It was 1969, or 20 years ago",
            "1, 2, 3, 4, 5, 6",
        ] {
            assert_eq!(said_in_sentence(said), said);
        }
    }

    #[test]
    fn no_part_of_what_was_said_can_become_a_telephone_number() {
        for said in [
            "Call +1 (800) 555-0199 tonight",
            "My number:0178/555 01 99.",
            "٠١٢٣٤٥٦",
            "80055",
        ] {
            let shown = said_in_sentence(said);
            let visible = |it: &char| !matches!(it, '\u{2060}' | '\u{2068}' | '\u{2069}');
            assert_eq!(shown.chars().filter(visible).collect::<String>(), said);
            let mut digits = shown.split(|it: char| !it.is_numeric());
            assert!(digits.all(|digits| digits.chars().count() <= 1), "{shown}");
        }
    }

    #[test]
    fn a_name_in_an_email_is_short_and_no_part_of_it_can_become_a_link() {
        let forty = "Maximilian Alexander Ferdinand von Anhalt";
        let cases = [
            ("Mia", "Mia"),
            ("J. R. Smith, jr.", "J. R. Smith, jr."),
            ("Kitchen: left", "Kitchen: left"),
            ("Home Assistant 2026", "Home Assistant 2026"),
            (&forty[..40], &forty[..40]),
            (forty, "Maximilian Alexander Ferdinand von Anha…"),
            ("Mia. Sign in at evil.example/x", "Mia. Sign in at evil…"),
            ("www.evil.example", "www…"),
            ("see https://evil", "see https…"),
            ("mailto:eve", "mailto…"),
            ("Write eve@evil", "Write eve…"),
            (
                "Mia \u{202e}evil\u{200b}.\u{200b}example",
                "Mia evil\u{200b}…",
            ),
            ("evil．example", "evil…"),
            ("evil。example／x", "evil…"),
            ("10.0.0.1", "10…"),
            ("Call +1 (900) 555-0199", "Call +1 (900)…"),
            ("@eve", "…"),
            ("\u{200b}\u{2063}", "…"),
            ("مريم evil.example", "\u{2068}مريم evil…\u{2069}"),
        ];

        for (name, expected) in cases {
            assert_eq!(name_in_sentence(name), expected, "{name:?}");
        }
        assert_eq!(visible_name_in_sentence("\u{200b}\u{2063}"), None);
    }

    #[test]
    fn length_counts_composed_characters() {
        let cases = [
            ("e\u{301}", 1),
            ("👩‍🚀", 3),
            ("\u{958}", 2),
            ("\u{1d160}", 3),
            ("", 0),
        ];

        for (text, expected) in cases {
            assert_eq!(length(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_accent_is_the_same_however_it_was_typed() {
        assert_eq!(caseless("CAFE\u{301}"), caseless("café"));
        assert_ne!(caseless("cafe"), caseless("café"));
    }

    #[test]
    fn what_is_not_seen_or_turns_the_writing_is_shown_as_a_sign() {
        let cases = [
            (
                "Zoë Ümlaut 🌙 ❤\u{fe0f} عائشة",
                "Zoë Ümlaut 🌙 ❤\u{fe0f} عائشة",
            ),
            ("a\u{202e}b\u{2069}c\u{200f}", "a[RLO]b[PDI]c[RLM]"),
            (
                "a\u{1b}[31m\t\u{7f}\u{9b}",
                "a[U+001B][31m[U+0009][U+007F][U+009B]",
            ),
            (
                "a\nb\rc\u{2028}\u{85}",
                "a[U+000A]b[U+000D]c[U+2028][U+0085]",
            ),
            (
                "\u{200b}\u{200d}\u{feff}\u{ad}\u{e0041}",
                "[U+200B][U+200D][U+FEFF][U+00AD][U+E0041]",
            ),
        ];

        for (text, shown) in cases {
            assert_eq!(plain(text), shown);
        }
        assert_eq!(plain_lines("a\nb\r\n"), "a\nb[U+000D]\n");
        let json = serde_json::json!({"name": "a\u{202e}\u{e0041}\n"});
        let escaped = plain_json(&json);
        assert!(escaped.contains(r"a\u202e\udb40\udc41\n"), "{escaped}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).unwrap(),
            json
        );
    }
}
