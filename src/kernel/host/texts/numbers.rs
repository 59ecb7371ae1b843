//! Numbers, durations and lists in words.

use super::text;
use crate::kernel::host::language::Language;

/// A duration in words, rounded to the minute.
pub fn duration(language: Language, seconds: u64) -> String {
    let minutes = (seconds + 30) / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) if seconds == 0 => text(language, "no-time", &[]),
        (0, 0) => text(language, "less-than-a-minute", &[]),
        (0, minutes) => counted(language, "minutes", minutes),
        (hours, 0) => counted(language, "hours", hours),
        (hours, minutes) => {
            let hours = counted(language, "hours", hours);
            let minutes = counted(language, "minutes", minutes);
            let args = [("hours", hours.into()), ("minutes", minutes.into())];
            text(language, "hours-and-minutes", &args)
        }
    }
}

/// The text of this key with a number: `$count` chooses its plural form, `$number` is shown.
pub fn counted(language: Language, key: &str, count: u64) -> String {
    let number = grouped(language, count);
    text(
        language,
        key,
        &[("count", count.into()), ("number", number.into())],
    )
}

/// The number with separators between groups of three digits.
pub fn grouped(language: Language, number: u64) -> String {
    let digits = number.to_string();
    // Spanish leaves four digits together.
    if digits.len() < 5 && language == Language::Es {
        return digits;
    }
    let separator = text(language, "thousands", &[]);
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push_str(&separator);
        }
        grouped.push(digit);
    }
    grouped
}

pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// "Mia, Noah and Tom".
pub fn joined(language: Language, mut names: Vec<String>) -> String {
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        return last;
    }
    let sound = if begins_with_i(&last) { "i" } else { "other" };
    let args = [
        ("first", names.join(", ").into()),
        ("last", last.into()),
        ("sound", sound.into()),
    ];
    text(language, "list", &args)
}

/// Whether the word is pronounced with an i at its beginning: before it, Spanish has another word for "and".
fn begins_with_i(word: &str) -> bool {
    let word = word.to_lowercase();
    let rest = word.strip_prefix('h').unwrap_or(&word);
    let is_i = rest.starts_with(['i', 'í']);
    let is_diphthong = ["ie", "ia", "io", "iu"]
        .iter()
        .any(|it| rest.starts_with(it));
    is_i && !is_diphthong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_words() {
        let cases = [
            (0, "no time"),
            (29, "less than a minute"),
            (30, "1 minute"),
            (3570, "1 hour"),
            (3660, "1 hour 1 minute"),
            (90_000, "25 hours"),
        ];

        for (seconds, words) in cases {
            assert_eq!(duration(Language::En, seconds), words);
        }
        assert_eq!(
            Language::ALL.map(|language| duration(language, 5100)),
            [
                "1 hour 25 minutes",
                "1 Stunde 25 Minuten",
                "1 heure 25 minutes",
                "1 hora y 25 minutos"
            ]
        );
    }

    #[test]
    fn numbers_in_groups_of_three_digits() {
        let cases = [
            (999, ["999"; 4]),
            (1000, ["1,000", "1.000", "1\u{202f}000", "1000"]),
            (
                1_234_567,
                [
                    "1,234,567",
                    "1.234.567",
                    "1\u{202f}234\u{202f}567",
                    "1.234.567",
                ],
            ),
        ];

        for (number, expected) in cases {
            let found = Language::ALL.map(|language| grouped(language, number));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn lists_in_words() {
        let list = |language, names: &[&str]| {
            joined(language, names.iter().map(ToString::to_string).collect())
        };

        for (names, expected) in [
            (&[][..], ""),
            (&["Mia"], "Mia"),
            (&["Mia", "Tom"], "Mia and Tom"),
            (&["Mia", "Noah", "Tom"], "Mia, Noah and Tom"),
        ] {
            assert_eq!(list(Language::En, names), expected);
        }
        assert_eq!(list(Language::De, &["Mia", "Tom"]), "Mia und Tom");
        assert_eq!(list(Language::Fr, &["Mia", "Tom"]), "Mia et Tom");
        for (last, expected) in [
            ("Tom", "Mia y Tom"),
            ("Inés", "Mia e Inés"),
            ("Hilda", "Mia e Hilda"),
            ("Ian", "Mia y Ian"),
        ] {
            assert_eq!(list(Language::Es, &["Mia", last]), expected);
        }
    }
}
