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
