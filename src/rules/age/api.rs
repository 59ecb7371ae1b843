//! The wire types of a month of birth.

use poem_openapi::Object;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::Example;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use super::{BirthMonth, Born};
use crate::kernel::http::wire::documented;

/// Of a month, in characters.
const LENGTH: usize = 7;

documented!(
    BirthMonth,
    "BirthMonth",
    MetaSchema {
        description: Some("A year and a month."),
        pattern: Some("^[1-9][0-9]{3}-(0[1-9]|1[0-2])$".to_owned()),
        max_length: Some(LENGTH),
        example: Some("2018-05".into()),
        ..MetaSchema::new("string")
    }
);

/// When a child was born.
#[skip_serializing_none]
#[derive(Debug, Default, Object, Serialize)]
#[oai(rename = "Born", skip_serializing_if_is_none)]
pub struct BornView {
    /// The month; omitted if no guardian has given it.
    born: Option<BirthMonth>,
    /// The age in years, as assistants are told it.
    age: Option<u8>,
}

impl From<Option<Born>> for BornView {
    fn from(born: Option<Born>) -> Self {
        Self {
            born: born.map(|born| born.month),
            age: born.map(|born| born.age),
        }
    }
}

/// A month of birth, or `null`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MonthOrNone(pub Option<BirthMonth>);

impl MonthOrNone {
    /// For a field that may be `null`, but not left out.
    fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

documented!(
    MonthOrNone,
    "MonthOrNone",
    MetaSchema {
        description: Some("A year and a month; `null` removes it."),
        nullable: true,
        max_length: Some(LENGTH),
        pattern: Some("^[1-9][0-9]{3}-(0[1-9]|1[0-2])$".to_owned()),
        ..MetaSchema::new("string")
    }
);

/// When a child was born, as a guardian gives it.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "ReplaceBirthMonth", deny_unknown_fields, example)]
pub struct BornRequest {
    /// The month; `null` removes it.
    #[serde(deserialize_with = "MonthOrNone::required")]
    pub born: MonthOrNone,
}

impl Example for BornRequest {
    fn example() -> Self {
        Self {
            born: MonthOrNone("2018-05".parse().ok()),
        }
    }
}
