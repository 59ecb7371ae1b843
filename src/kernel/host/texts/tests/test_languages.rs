//! Two languages that show what isn't translated or has no room: the English texts accented and 40 % longer, and from right to
//! left. The pages have the same (`ui/src/test/test-languages.ts`).

use std::cell::Cell;
use std::sync::LazyLock;

use crate::kernel::host::language::Language;
use crate::kernel::host::texts::{Bundle, file};

/// The pages' file, of which the letters are.
const OF_PAGES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/ui/src/test/test-languages.ts"
));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestLanguage {
    Accented,
    Mirrored,
}

impl TestLanguage {
    pub const ALL: [Self; 2] = [Self::Accented, Self::Mirrored];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Accented => "accented",
            Self::Mirrored => "mirrored",
        }
    }

    fn write(self, text: &str) -> String {
        match self {
            Self::Accented => accented(text),
            Self::Mirrored => format!("\u{202e}{text}\u{202c}"),
        }
    }

    /// An inserted value. It is isolated where its direction would depend on what is beside it.
    fn value(self, placeable: &str) -> String {
        match self {
            Self::Accented => placeable.to_owned(),
            Self::Mirrored => format!("\u{2068}{placeable}\u{2069}"),
        }
    }
}

thread_local! {
    static CHOSEN: Cell<Option<TestLanguage>> = const { Cell::new(None) };
}

/// Composes with all texts in the test language, whatever language they are asked for in.
pub fn composed_in<T>(language: TestLanguage, compose: impl FnOnce() -> T) -> T {
    CHOSEN.set(Some(language));
    let composed = compose();
    CHOSEN.set(None);
    composed
}

pub fn bundle() -> Option<&'static Bundle> {
    static ACCENTED: LazyLock<Bundle> = LazyLock::new(|| rewritten(TestLanguage::Accented));
    static MIRRORED: LazyLock<Bundle> = LazyLock::new(|| rewritten(TestLanguage::Mirrored));
    CHOSEN.get().map(|language| match language {
        TestLanguage::Accented => &*ACCENTED,
        TestLanguage::Mirrored => &*MIRRORED,
    })
}

/// The English words of a text that is accented but for its values and `names`.
pub fn english_words<'a>(text: &'a str, names: &[&str]) -> Vec<&'a str> {
    let (plain, _) = letters();
    let words = text.split(|it: char| !it.is_alphanumeric());
    let words =
        words.filter(|word| word.is_ascii() && word.contains(|it: char| plain.contains(&it)));
    let words = words.filter(|word| !word.starts_with(|it: char| it.is_ascii_digit()));
    words.filter(|word| !names.contains(word)).collect()
}

/// The letters that have an accent, and what is written for them.
fn letters() -> ([char; 38], [char; 38]) {
    let constant = |name: &str| {
        let (_, rest) = OF_PAGES.split_once(&format!("const {name} = \"")).unwrap();
        let (letters, _) = rest.split_once('"').unwrap();
        let letters = letters.chars().collect::<Vec<_>>();
        letters.try_into().unwrap()
    };
    (constant("PLAIN"), constant("ACCENTED"))
}

fn accented(text: &str) -> String {
    let (plain, accented) = letters();
    let mut long = String::new();
    for letter in text.chars() {
        match plain.iter().position(|it| *it == letter) {
            Some(index) if "aeiouy".contains(letter) => long.extend([accented[index]; 2]),
            Some(index) => long.push(accented[index]),
            None => long.push(letter),
        }
    }
    let length = (text.chars().count() * 7).div_ceil(5);
    let missing = length.saturating_sub(long.chars().count());
    long + &"~".repeat(missing)
}

fn rewritten(language: TestLanguage) -> Bundle {
    let mut texts = String::new();
    // Of placeables that began on an earlier line.
    let mut depth = 0;
    for line in file(Language::En).lines() {
        let rest = match line.split_once(" =") {
            _ if line.starts_with('#') || line.is_empty() => {
                texts += line;
                ""
            }
            Some((key, rest)) if !line.starts_with(' ') => {
                texts += key;
                texts += " =";
                rest
            }
            _ => line,
        };
        rewrite_line(language, rest, &mut depth, &mut texts);
        texts.push('\n');
    }
    crate::kernel::host::texts::bundle(Language::En, texts)
}

/// Writes a line of a text, or of one of its forms.
fn rewrite_line(language: TestLanguage, line: &str, depth: &mut usize, texts: &mut String) {
    let mut rest = line;
    let is_form = *depth > 0 && rest.trim_start().starts_with(['[', '*']);
    if is_form && let Some(end) = rest.find(']') {
        texts.push_str(&rest[..=end]);
        rest = &rest[end + 1..];
    }
    while !rest.is_empty() {
        let end = rest.find(['{', '}']).unwrap_or(rest.len());
        write_words(language, &rest[..end], texts);
        rest = &rest[end..];
        if rest.starts_with('}') {
            *depth -= 1;
            texts.push('}');
            rest = &rest[1..];
        } else if let Some(end) = rest.find('}') {
            texts.push_str(&language.value(&rest[..=end]));
            rest = &rest[end + 1..];
        } else if !rest.is_empty() {
            *depth += 1;
            texts.push_str(rest);
            rest = "";
        }
    }
}

fn write_words(language: TestLanguage, words: &str, texts: &mut String) {
    let trimmed = words.trim();
    if !trimmed.contains(char::is_alphabetic) {
        texts.push_str(words);
        return;
    }
    let (before, after) = words.split_once(trimmed).unwrap();
    texts.push_str(before);
    texts.push_str(&language.write(trimmed));
    texts.push_str(after);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::texts::{counted, text};

    fn written(language: TestLanguage, key: &str, name: &str) -> String {
        composed_in(language, || {
            text(Language::De, key, &[("name", name.into())])
        })
    }

    #[test]
    fn accented_texts_are_40_percent_longer_and_keep_values_and_plurals() {
        let accented = |key| written(TestLanguage::Accented, key, "Mia");
        assert_eq!(accented("greeting"), "Ĥééļļöö Mia,");
        assert_eq!(accented("sign-in-button"), "Šîîĝñ îîñ ťöö Pööŕçĥļîîĝĥť~~~~");
        let minutes = composed_in(TestLanguage::Accented, || {
            counted(Language::En, "minutes", 2)
        });
        assert_eq!(minutes, "2 mîîñûûťééš");
        assert_eq!(english_words("Ĥééļļöö Mia, bye", &["Mia"]), ["bye"]);
    }

    #[test]
    fn mirrored_texts_are_overridden_from_right_to_left() {
        assert_eq!(
            written(TestLanguage::Mirrored, "greeting", "Mia"),
            "\u{202e}Hello\u{202c} \u{2068}Mia\u{2069},"
        );
    }

    #[test]
    fn a_test_language_ends_with_what_is_composed_in_it() {
        written(TestLanguage::Accented, "greeting", "Mia");
        assert_eq!(text(Language::De, "greeting-without-name", &[]), "Hallo,");
    }
}
