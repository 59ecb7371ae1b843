use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::*;

fn ranges(words: &str, text: &str) -> Option<Vec<[usize; 2]>> {
    let query = Query::parse(words)?;
    ranges_of(&query, text, &query.in_topic(None))
}

fn ranges_of(query: &Query, text: &str, in_topic: &InTopic) -> Option<Vec<[usize; 2]>> {
    query.ranges(text, in_topic, &mut || false).unwrap()
}

fn marked(words: &str, text: &str) -> Option<Vec<String>> {
    let units = text.encode_utf16().collect::<Vec<_>>();
    let slice = |[start, end]: [usize; 2]| String::from_utf16(&units[start..end]).unwrap();
    Some(ranges(words, text)?.into_iter().map(slice).collect())
}

#[test]
fn words_match_the_beginning_of_a_word_in_any_case_accents_and_width() {
    for (words, text, expected) in [
        (
            "octopus",
            "Two OCTOPUSES met an octopus.",
            &["OCTOPUS", "octopus"][..],
        ),
        ("pus", "An octopus.", &[]),
        ("octo an", "An octopus.", &["An", "octo"]),
        ("octo squid", "An octopus.", &[]),
        (
            "cafe",
            "Das CAFÉ und das cafe\u{301}.",
            &["CAFÉ", "cafe\u{301}"],
        ),
        ("ｃａｔ", "A cat.", &["cat"]),
        ("strasse", "Die Straße.", &["Straße"]),
        ("ΟΔΟΣ", "η οδός", &["οδός"]),
        ("istanbul", "İstanbul", &["İstanbul"]),
        ("don't", "I don’t", &["don’t"]),
        ("octopus", "l'octopus", &["octopus"]),
        ("fi", "ﬁsh", &["ﬁ"]),
        ("그", "한글 글", &["글"]),
        ("水", "海水が好き", &["水"]),
        ("が", "海水が好き", &["が"]),
        ("น้ำ", "ดื่มน้ำ", &["น้ำ"]),
        ("🐙", "see🐙🐙", &["🐙🐙"]),
        ("b", "a👍b", &["b"]),
        ("secret", "our sec\u{e0041}ret", &["sec\u{e0041}ret"]),
        (
            "secret",
            "a \u{e0053}\u{e0065}cret",
            &["\u{e0053}\u{e0065}cret"],
        ),
    ] {
        let expected = (!expected.is_empty()).then(|| expected.to_vec());
        let expected = expected.map(|all| all.iter().map(|it| (*it).to_owned()).collect());
        assert_eq!(marked(words, text), expected, "{words} in {text}");
    }
}

#[test]
fn words_in_quotes_match_consecutive_whole_words() {
    for (words, text, is_found) in [
        ("\"red fox\"", "A Red Fox.", true),
        ("\"red fox\"", "A fox, red.", false),
        ("\"red fox\"", "A red foxglove.", false),
        ("\"red fox\"", "Tired fox.", false),
        ("\"red fo", "A red fox.", true),
        ("“red fox” ran", "He ran: red fox", true),
        ("\"art\"", "A party, an article.", false),
        ("\"水\"", "海水が好き", true),
        ("\"red  fox\"", "A red fox.", true),
        ("\"red fox\"", "A red  fox.", true),
        ("\" red \u{a0}\tfox", "A red\n \u{200b} fox.", true),
        ("\"red fox\"", "A redfox.", false),
    ] {
        assert_eq!(ranges(words, text).is_some(), is_found, "{words} in {text}");
    }
}

#[test]
fn ranges_are_in_utf_16_units_and_neither_overlap_nor_touch() {
    assert_eq!(ranges("fox", "🦊 fox"), Some(vec![[3, 6]]));
    assert_eq!(ranges("fo fox", "fox"), Some(vec![[0, 3]]));
    assert_eq!(ranges("水", "水水"), Some(vec![[0, 2]]));
    assert_eq!(
        ranges("\"red fox\"", "A red  fox  ran."),
        Some(vec![[2, 10]])
    );
}

#[test]
fn words_may_be_missing_from_the_text_if_the_topic_has_them_but_not_all() {
    let query = Query::parse("octopus hearts").unwrap();
    let topic = query.in_topic(Some("The Octopus"));

    assert_eq!(
        ranges_of(&query, "It has three hearts.", &topic),
        Some(vec![[13, 19]])
    );
    assert_eq!(ranges_of(&query, "It has three.", &topic), None);
    assert!(!topic.is_match());
    assert!(query.in_topic(Some("hearts of an octopus")).is_match());
}

#[test]
fn the_first_hundred_places_of_a_message_are_marked() {
    let marked = |words: &str, text: &str| ranges(words, text).unwrap();
    let dots = "a. ".repeat(1_000);

    let all_letters = marked("a", &dots);
    assert_eq!(all_letters.len(), MOST_RANGES);
    assert_eq!((all_letters[0], all_letters[99]), ([0, 1], [297, 298]));
    assert_eq!(marked(". a", &dots).last(), Some(&[297, 299]));
    assert_eq!(marked("!", &"!".repeat(65_536)), [[0, 65_536]]);
    assert_eq!(marked("! !! !!!", &"!".repeat(65_536)), [[0, 65_536]]);
}

#[test]
fn each_of_many_words_reads_a_long_message_once() {
    let marks = (b'!'..=b'/').chain(b':'..=b'@').map(char::from);
    let marks = marks.filter(|mark| *mark != '"').collect::<Vec<_>>();
    let words = marks.iter().cycle().take(100);
    let words = words.map(char::to_string).collect::<Vec<_>>().join(" ");
    let thai = ('ก'..='ฮ')
        .map(|letter| letter.to_string())
        .collect::<Vec<_>>();
    for (words, text) in [
        (words, marks.iter().collect::<String>()),
        ("! ".repeat(100), "!".to_owned()),
        (thai.join(" "), thai.concat()),
        ("กก ".repeat(30) + "ก", "ก".to_owned()),
    ] {
        let long = text.repeat(65_536 / text.chars().count());
        let (query, mut looks) = (Query::parse(&words).unwrap(), 0);
        let mut is_over = || {
            looks += 1;
            false
        };

        let found = query.ranges(&long, &query.in_topic(None), &mut is_over);

        let units = long.encode_utf16().count();
        assert_eq!(found, Ok(Some(vec![[0, units]])), "{words}");
        // The text is read once for each word, and each position only once.
        let terms = query.0.len();
        let places = long.chars().count() * 2 * OCCURRENCE;
        let most = ((terms + 1) * long.len() + places) / READ_AT_ONCE;
        assert!((1..=most).contains(&looks), "{words}: {looks} of {most}");
    }
}

#[test]
fn the_time_may_be_up_in_the_middle_of_a_message() {
    let query = Query::parse("a").unwrap();
    let long = "ba ".repeat(60_000);
    let topic = query.in_topic(None);

    assert_eq!(query.ranges(&long, &topic, &mut || true), Err(TimeIsUp));
    assert_eq!(
        query.ranges("a", &topic, &mut || true),
        Ok(Some(vec![[0, 1]]))
    );
}

#[test]
fn a_query_without_a_word_is_empty() {
    for words in ["", " \t", "\"\"", "\" ", "\u{301}"] {
        assert!(Query::parse(words).is_none(), "{words:?}");
    }
}

#[test]
fn what_is_folded_stays_as_it_is() {
    for character in '\0'..=char::MAX {
        let folded = FOLDING.fold(&character.to_string());
        assert_eq!(FOLDING.fold(&folded), folded, "{character:?}");
    }
}

/// A naive implementation of the same rules: characters in a list, separate tables, every position tried.
mod naive {
    use super::*;

    /// The folded characters, each with the range of its source.
    fn fold(text: &str) -> Vec<(char, [usize; 2])> {
        let mut folded = Vec::<(char, [usize; 2])>::new();
        let mut at = 0;
        for character in text.chars() {
            let end = at + character.len_utf16();
            let alone = character.to_string();
            let bare = alone.nfkd().filter(|part| !is_combining_mark(*part));
            let bare = bare
                .collect::<String>()
                .to_lowercase()
                .to_uppercase()
                .to_lowercase();
            let bare = bare.replace('ς', "σ").replace(['‘', '’', 'ʼ'], "'");
            let is_dropped =
                |part| is_combining_mark(part) || matches!(part, '\u{200b}' | '\u{ad}');
            let parts = bare.chars().filter(|part| !is_dropped(*part));
            let before = folded.len();
            for part in parts {
                let part = if part.is_whitespace() { ' ' } else { part };
                let is_repeated = part == ' ' && folded.last().is_some_and(|(it, _)| *it == ' ');
                if !is_repeated {
                    folded.push((part, [at, end]));
                }
            }
            if folded.len() == before {
                // A combining mark belongs to its base character.
                let owner = folded.last().map(|(_, range)| range[0]);
                for (_, range) in folded
                    .iter_mut()
                    .filter(|(_, range)| Some(range[0]) == owner)
                {
                    range[1] = end;
                }
            }
            at = end;
        }
        folded
    }

    fn is_unspaced(it: char) -> bool {
        matches!(it, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}')
    }

    fn is_edge(before: Option<&(char, [usize; 2])>, after: Option<&(char, [usize; 2])>) -> bool {
        match (before, after) {
            (Some((before, _)), Some((after, _))) => {
                let inner = before.is_alphanumeric() && after.is_alphanumeric();
                !inner || is_unspaced(*before) || is_unspaced(*after)
            }
            _ => true,
        }
    }

    /// The marked UTF-16 units; `None` if it doesn't match.
    pub fn find(terms: &[(String, bool)], text: &str) -> Option<Vec<usize>> {
        let text = fold(text);
        let mut units = Vec::new();
        for (term, is_whole) in terms {
            let term = fold(term).iter().map(|(it, _)| *it).collect::<Vec<_>>();
            let mut is_found = false;
            for start in 0..text.len() {
                let Some(part) = text.get(start..start + term.len()) else {
                    break;
                };
                let before = start.checked_sub(1).and_then(|at| text.get(at));
                let after = text.get(start + term.len());
                if part.iter().map(|(it, _)| it).eq(&term)
                    && is_edge(before, part.first())
                    && (!is_whole || is_edge(part.last(), after))
                {
                    is_found = true;
                    units.extend(part.iter().flat_map(|(_, [start, end])| *start..*end));
                }
            }
            if !is_found {
                return None;
            }
        }
        units.sort_unstable();
        units.dedup();
        Some(units)
    }
}

/// A few characters of many scripts, so that matches are frequent.
const LETTERS: &str = "[aAbßéÉfﬁİıσςΣжЖёא\u{5b8}ع\u{64e}कि水海がカｶﾞนน้ำ한글ᄀ🐙👍🏽1٣２'’\\-.,\u{301}\u{308}\u{200b}\u{ad} \t\u{a0}]";

fn word() -> impl Strategy<Value = String> {
    let letters = LETTERS
        .replace([' ', '\t', '\u{a0}'], "")
        .replace("\\t", "");
    prop::string::string_regex(&format!("{letters}{{1,3}}")).unwrap()
}

fn cases() -> ProptestConfig {
    let cases = std::env::var("SEARCH_CASES").ok();
    ProptestConfig::with_cases(cases.and_then(|cases| cases.parse().ok()).unwrap_or(400))
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn searching_equals_a_naive_implementation(
        text in prop::string::string_regex(&format!("{LETTERS}{{0,24}}")).unwrap(),
        words in prop::collection::vec((word(), prop::option::of(word())), 1..4),
        from_text in prop::option::of((0_usize..24, 1_usize..6)),
    ) {
        let mut terms = Vec::new();
        let mut typed = Vec::new();
        for (one, other) in words {
            match other {
                None => terms.push((one.clone(), false)),
                Some(ref other) => terms.push((format!("{one} {other}"), true)),
            }
            typed.push(match other {
                None => one,
                Some(other) => format!("\"{one} {other}\""),
            });
        }
        if let Some((skip, take)) = from_text {
            // A part of the text, so that matches are frequent.
            let part = text.chars().skip(skip).take(take).collect::<String>();
            terms = vec![(part.trim().to_owned(), true)];
            typed = vec![format!("\"{part}\"")];
        }
        let folded = |term: &str| FOLDING.fold(term).trim().to_owned();
        // A word that consists of marks alone is ignored; white space that only folding produces doesn't occur in one.
        terms.retain(|(term, _)| !folded(term).is_empty());
        for (term, _) in &mut terms {
            *term = folded(term);
        }
        let expected = if terms.is_empty() {
None
} else {
naive::find(&terms, &text)
};
        let found = ranges(&typed.join(" "), &text);
        let units = found.map(|found| found.into_iter().flat_map(|[start, end]| start..end).collect::<Vec<_>>());
        prop_assert_eq!(units, expected, "{:?} in {:?}", typed, text);
    }
}
