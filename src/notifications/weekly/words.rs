//! Numbers, lengths and lists in words.

/// A duration in words, rounded to the minute.
pub fn duration(seconds: u64) -> String {
    let minutes = (seconds + 30) / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) if seconds == 0 => "no time".to_owned(),
        (0, 0) => "less than a minute".to_owned(),
        (0, minutes) => counted(minutes, "minute"),
        (hours, 0) => counted(hours, "hour"),
        (hours, minutes) => format!("{} {}", counted(hours, "hour"), counted(minutes, "minute")),
    }
}

pub fn counted(count: u64, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {word}{plural}", grouped(count))
}

/// The number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
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
pub fn joined(mut names: Vec<String>) -> String {
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_words() {
        let cases = [
            (0, "no time"),
            (29, "less than a minute"),
            (30, "1 minute"),
            (3570, "1 hour"),
            (3660, "1 hour 1 minute"),
            (90_000, "25 hours"),
        ];

        for (seconds, words) in cases {
            assert_eq!(duration(seconds), words);
        }
    }

    #[test]
    fn numbers_and_lists_in_words() {
        assert_eq!(
            [1, 999, 1000, 1_234_567].map(grouped),
            ["1", "999", "1,000", "1,234,567"]
        );
        assert_eq!(counted(1, "alert"), "1 alert");
        assert_eq!(counted(0, "alert"), "0 alerts");
        for (names, expected) in [
            (vec![], ""),
            (vec!["Mia"], "Mia"),
            (vec!["Mia", "Tom"], "Mia and Tom"),
            (vec!["Mia", "Noah", "Tom"], "Mia, Noah and Tom"),
        ] {
            assert_eq!(
                joined(names.into_iter().map(str::to_owned).collect()),
                expected
            );
        }
    }
}
