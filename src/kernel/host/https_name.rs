//! The public DNS name of a server in a home network. The server gets a certificate for it.

use std::fmt;
use std::str::FromStr;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// The maximum length in bytes: with `_acme-challenge.` in front it is still a valid name (RFC 1035, section 2.3.4).
const LONGEST: usize = 237;

/// Domains in which no public authority certifies a name (RFC 6761, RFC 6762, RFC 8375, and home routers' own).
const NOT_PUBLIC: [&str; 11] = [
    "local",
    "localhost",
    "lan",
    "home",
    "internal",
    "home.arpa",
    "fritz.box",
    "invalid",
    "onion",
    "test",
    "example",
];

/// The domains of the providers, in which the family chose only what stands in front.
const OF_PROVIDERS: [&str; 2] = ["dedyn.io", "duckdns.org"];

/// A lower-case name such as `blue-lamp-7.dedyn.io`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpsName(String);

/// Whether a name contains that of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamesPerson {
    Yes,
    No,
    /// No, but some people's names could not be compared: they are in a script without the letters of host names.
    NotAllCompared,
}

/// Why a text is not such a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidHttpsName {
    #[error(
        "The name for https must be a DNS name of letters, digits and hyphens, such as blue-lamp-7.dedyn.io."
    )]
    Malformed,
    #[error(
        "No public authority makes a certificate for a name in this domain. Get one from deSEC or DuckDNS, such as \
         blue-lamp-7.dedyn.io."
    )]
    NotPublic,
}

impl HttpsName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the TXT record that proves control of this name (RFC 8555, section 8.4).
    pub fn challenge(&self) -> String {
        format!("_acme-challenge.{}", self.0)
    }

    /// Whether the part that the family chose contains a word of one of these names.
    pub fn names_person<'a>(&self, people: impl IntoIterator<Item = &'a str>) -> NamesPerson {
        let mut found = NamesPerson::No;
        for person in people {
            if self.contains(person) {
                return NamesPerson::Yes;
            }
            if spellings(person).iter().any(|it| has_other_letters(it)) {
                found = NamesPerson::NotAllCompared;
            }
        }
        found
    }

    /// Whether the part that the family chose contains a person's name, or one word of it. Accents don't count, and a word of
    /// one or two letters counts only as a word of its own.
    fn contains(&self, person: &str) -> bool {
        let chosen = self.chosen();
        let chosen_words = chosen
            .split(['.', '-'])
            .map(|word| word.trim_end_matches(|it: char| it.is_ascii_digit()))
            .collect::<Vec<_>>();
        let joined = chosen.replace(['-', '.'], "");
        spellings(person).iter().any(|spelling| {
            let mut words = spelling.split(|it: char| !it.is_ascii_alphanumeric());
            words.any(|word| match word.len() {
                0 => false,
                1 | 2 => chosen_words.contains(&word),
                _ => joined.contains(word),
            })
        })
    }

    fn chosen(&self) -> &str {
        let of_provider = OF_PROVIDERS.iter().find_map(|domain| {
            let chosen = self.0.strip_suffix(domain)?;
            chosen.strip_suffix('.')
        });
        let below_top = || self.0.rsplit_once('.').map_or("", |(below, _)| below);
        of_provider.unwrap_or_else(below_top)
    }
}

fn has_other_letters(spelling: &str) -> bool {
    spelling
        .chars()
        .any(|it| it.is_alphabetic() && !it.is_ascii())
}

/// The words of an e-mail address's first part that may be a person's name: those of four letters and more.
pub fn words_of_address(address: &str) -> impl Iterator<Item = &str> {
    let (local, _) = address.rsplit_once('@').unwrap_or((address, ""));
    let words = local.split(|it: char| !it.is_alphabetic());
    words.filter(|word| word.chars().count() >= 4)
}

/// Letters that are no other letter with an accent.
const LETTERS: [(&str, &str); 12] = [
    ("ø", "o"),
    ("đ", "d"),
    ("ð", "d"),
    ("ħ", "h"),
    ("ı", "i"),
    ("ł", "l"),
    ("ŋ", "n"),
    ("ŧ", "t"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("ß", "ss"),
    ("þ", "th"),
];

/// What some languages write for a letter that a keyboard doesn't have.
const IN_TWO_LETTERS: [(&str, &str); 5] = [
    ("ä", "ae"),
    ("ö", "oe"),
    ("ü", "ue"),
    ("ø", "oe"),
    ("å", "aa"),
];

/// A person's name in ASCII: without accents (`muller`, `bjorn`), and as German and Danish write it without them (`mueller`,
/// `bjoern`). A name in another script stays as it is.
fn spellings(person: &str) -> [String; 2] {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(person);
    let lower = composed.to_lowercase();
    let replaced = |text: &str, table: &[(&str, &str)]| {
        let replace = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
        table.iter().fold(text.to_owned(), replace)
    };
    let in_two = replaced(&lower, &IN_TWO_LETTERS);
    [lower, in_two].map(|text| {
        let text = replaced(&text, &LETTERS);
        let apart = DecomposingNormalizerBorrowed::new_nfd().normalize(&text);
        // A combining mark belongs to the letter before it and separates no words.
        let is_mark = |it: &char| ('\u{300}'..='\u{36f}').contains(it);
        apart.chars().filter(|it| !is_mark(it)).collect()
    })
}

impl FromStr for HttpsName {
    type Err = InvalidHttpsName;

    fn from_str(text: &str) -> Result<Self, InvalidHttpsName> {
        let name = text.trim().trim_end_matches('.').to_ascii_lowercase();
        let is_label = |label: &str| {
            let is_inside = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
            (1..=63).contains(&label.len())
                && label.bytes().all(is_inside)
                && !label.starts_with('-')
                && !label.ends_with('-')
                // Letters beyond ASCII would hide a person's name from the comparison.
                && !label.starts_with("xn--")
        };
        let is_number = |label: &str| label.bytes().all(|it| it.is_ascii_digit());
        let top = name.rsplit('.').next().unwrap_or_default();
        if name.len() > LONGEST || !name.split('.').all(is_label) || is_number(top) {
            return Err(InvalidHttpsName::Malformed);
        }
        let is_in = |domain: &&str| {
            name.strip_suffix(*domain)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if !name.contains('.') || NOT_PUBLIC.iter().any(is_in) {
            return Err(InvalidHttpsName::NotPublic);
        }
        Ok(Self(name))
    }
}

impl fmt::Display for HttpsName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_an_authority_certifies() {
        use InvalidHttpsName::{Malformed, NotPublic};
        let long = format!("{}.dedyn.io", "a".repeat(64));
        let cases = [
            ("blue-lamp-7.dedyn.io", Ok("blue-lamp-7.dedyn.io")),
            (" Blue-Lamp.DuckDNS.org. ", Ok("blue-lamp.duckdns.org")),
            ("porch.lamp.net", Ok("porch.lamp.net")),
            ("", Err(Malformed)),
            ("blue_lamp.dedyn.io", Err(Malformed)),
            ("-lamp.dedyn.io", Err(Malformed)),
            ("lamp..io", Err(Malformed)),
            ("*.dedyn.io", Err(Malformed)),
            ("https://lamp.dedyn.io", Err(Malformed)),
            ("xn--mia-bla.dedyn.io", Err(Malformed)),
            ("192.168.1.20", Err(Malformed)),
            (long.as_str(), Err(Malformed)),
            ("nas", Err(NotPublic)),
            ("nas.local", Err(NotPublic)),
            ("nas.fritz.box", Err(NotPublic)),
            ("nas.home.arpa", Err(NotPublic)),
        ];

        for (given, expected) in cases {
            let read = given.parse::<HttpsName>();
            assert_eq!(
                read.as_ref().map(HttpsName::as_str),
                expected.as_ref().map(|it| *it),
                "{given}"
            );
        }
    }

    #[test]
    fn a_persons_name_is_found_in_what_the_family_chose() {
        let cases = [
            ("mia-home.dedyn.io", "Mia", true),
            ("casamia.dedyn.io", "Mia Rossi", true),
            ("c-a-s-a-m-i-a.dedyn.io", "Mia", true),
            ("rossi.net", "Mia Rossi", true),
            ("mueller7.duckdns.org", "Jörg Müller", true),
            ("muller7.duckdns.org", "Jörg Müller", true),
            ("zoe.duckdns.org", "Zoë", true),
            ("bjorn-lamp.dedyn.io", "Bjørn", true),
            ("bjoern-lamp.dedyn.io", "BJØRN", true),
            ("dorde.dedyn.io", "Đorđe", true),
            ("yildiz.dedyn.io", "Yıldız", true),
            ("lukasz.dedyn.io", "Łukasz", true),
            ("aether.dedyn.io", "Æther", true),
            ("coeur.dedyn.io", "Cœur", true),
            ("thora.dedyn.io", "Þóra", true),
            ("weiss.dedyn.io", "Weiß", true),
            ("aase.dedyn.io", "A\u{30a}se", true),
            ("al-home.dedyn.io", "Al", true),
            ("al7.dedyn.io", "Al", true),
            ("halle.dedyn.io", "Al", false),
            ("blue-lamp-7.dedyn.io", "Mia Rossi", false),
            ("blue-lamp-7.dedyn.io", "Dedyn", false),
            ("blue-lamp-7.dedyn.io", "", false),
            ("blue-lamp-7.dedyn.io", "миа", false),
            ("lamp.net", "Net", false),
        ];

        for (name, person, expected) in cases {
            let name = name.parse::<HttpsName>().unwrap();
            assert_eq!(name.contains(person), expected, "{name} {person}");
        }
    }

    #[test]
    fn a_name_that_cannot_be_compared_is_told_apart() {
        let name = "bjorn-lamp.dedyn.io".parse::<HttpsName>().unwrap();
        for (people, expected) in [
            (&["Mia Rossi", "Zoë"][..], NamesPerson::No),
            (&["Mia", "миа"], NamesPerson::NotAllCompared),
            (&["李", "Bjørn"], NamesPerson::Yes),
            (&[], NamesPerson::No),
        ] {
            let found = name.names_person(people.iter().copied());
            assert_eq!(found, expected, "{people:?}");
        }
    }

    #[test]
    fn an_address_has_words_that_may_be_names() {
        let words = |address| words_of_address(address).collect::<Vec<_>>();
        assert_eq!(words("j.mueller42@ada.example"), ["mueller"]);
        assert_eq!(words("ada@example.org"), Vec::<&str>::new());
        assert_eq!(words("bjørn_olsen@example.org"), ["bjørn", "olsen"]);
    }
}
