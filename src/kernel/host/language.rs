//! The languages that Porchlight speaks: the pages, e-mails, and questions to a model.

use std::str::FromStr;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

/// One of the languages that Porchlight speaks.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Enum,
)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
pub enum Language {
    #[default]
    En,
    De,
    Fr,
    Es,
}

impl Language {
    pub const ALL: [Self; 4] = [Self::En, Self::De, Self::Fr, Self::Es];

    /// ISO 639-1.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
        }
    }

    pub const fn english_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::De => "German",
            Self::Fr => "French",
            Self::Es => "Spanish",
        }
    }
}

/// The longest `Accept-Language` that is read, in bytes.
const LONGEST_HEADER: usize = 1024;

impl Language {
    /// The most wanted language of an `Accept-Language` header (RFC 9110, section 12.5.4) that Porchlight speaks, in any variant.
    /// Browsers name them in the order of preference, so weights matter only where they differ from it.
    pub fn accepted(header: &str) -> Option<Self> {
        if header.len() > LONGEST_HEADER {
            return None;
        }
        let mut best = None::<(f32, Self)>;
        for range in header.split(',') {
            let (tag, parameters) = range.split_once(';').unwrap_or((range, ""));
            let code = tag.trim().split('-').next().unwrap_or_default();
            let weight = parameters.trim().strip_prefix("q=");
            let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
            let Ok(language) = code.to_ascii_lowercase().parse::<Self>() else {
                continue;
            };
            if weight > best.map_or(0.0, |(weight, _)| weight) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("One of en, de, fr and es is expected here.")]
pub struct UnknownLanguage;

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, UnknownLanguage> {
        let mut all = Self::ALL.into_iter();
        all.find(|language| language.code() == code)
            .ok_or(UnknownLanguage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_wanted_language_that_is_spoken_is_accepted() {
        for (header, expected) in [
            ("de-DE,de;q=0.9,en;q=0.8", Some(Language::De)),
            ("it-IT, it;q=0.9, FR-ca;q=0.5, en;q=0.3", Some(Language::Fr)),
            ("en;q=0.2, es; q=0.7", Some(Language::Es)),
            ("de;q=0, en", Some(Language::En)),
            ("de;q=x", None),
            ("de;q=NaN", None),
            ("it", None),
            ("*", None),
            ("", None),
            (",;,-;q=", None),
        ] {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
        assert_eq!(Language::accepted(&"de,".repeat(400)), None);
    }
}
