//! Ids. Each feature declares a type for each kind of id, so that the compiler catches mix-ups.

/// Declares a numeric id. The store counts it up and never reuses a number.
macro_rules! numeric_id {
    ($name:ident, $description:literal) => {
        #[doc = $description]
        #[derive(
            Clone,
            Copy,
            Debug,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            ::serde::Serialize,
            ::serde::Deserialize,
        )]
        #[serde(try_from = "u64", into = "u64")]
        pub struct $name(u64);

        impl TryFrom<u64> for $name {
            type Error = $crate::kernel::http::ids::NotAnId;

            fn try_from(number: u64) -> Result<Self, Self::Error> {
                $crate::kernel::http::ids::in_range(number).map(Self)
            }
        }

        impl From<$name> for u64 {
            fn from($name(number): $name) -> Self {
                number
            }
        }

        impl $name {
            pub const fn new(number: u64) -> Self {
                Self(number)
            }

            pub const fn number(self) -> u64 {
                self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::kernel::http::ids::NotAnId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::kernel::http::ids::number(text).map(Self)
            }
        }

        $crate::kernel::http::wire::documented!(
            $name,
            stringify!($name),
            $crate::kernel::http::wire::id_schema($description, $crate::kernel::http::ids::MAX)
        );

        impl ::poem_openapi::types::ParseFromParameter for $name {
            /// Text in a path that isn't a valid id is answered with 404, like an id that doesn't exist.
            fn parse_from_parameter(value: &str) -> ::poem_openapi::types::ParseResult<Self> {
                value
                    .parse()
                    .map_err(::poem_openapi::types::ParseError::custom)
            }
        }

        impl $crate::kernel::http::wire::QueryValue for $name {
            fn read(text: &str) -> Result<Self, ::std::borrow::Cow<'static, str>> {
                text.parse()
                    .map_err(|error: $crate::kernel::http::ids::NotAnId| error.to_string().into())
            }
        }
    };
}

/// Declares an id of random characters, which doesn't reveal how many there are.
macro_rules! random_id {
    ($name:ident, $prefix:literal, $description:literal) => {
        #[doc = $description]
        #[derive(
            Clone,
            Debug,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            ::serde::Serialize,
            ::serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(::std::sync::Arc<str>);

        impl $name {
            /// Generates an id of 128 random bits.
            pub fn generate(randomness: &$crate::kernel::host::randomness::Randomness) -> Self {
                let text = format!("{}{}", $prefix, hex::encode(&randomness.bytes()[..16]));
                Self(text.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Takes an id from a token or a path, without checking that it exists.
            pub fn from_text(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        $crate::kernel::http::wire::documented!(
            $name,
            stringify!($name),
            $crate::kernel::http::wire::random_id_schema($description)
        );

        impl ::poem_openapi::types::ParseFromParameter for $name {
            fn parse_from_parameter(value: &str) -> ::poem_openapi::types::ParseResult<Self> {
                Ok(Self::from_text(value))
            }
        }
    };
}

pub(crate) use numeric_id;
pub(crate) use random_id;

/// The largest numeric id: what a JavaScript number holds exactly (ECMA-262, `Number.MAX_SAFE_INTEGER`).
pub(crate) const MAX: u64 = (1 << 53) - 1;

/// Text that isn't a valid id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A whole number such as 7 is expected here.")]
pub struct NotAnId;

/// Parses plain digits; a sign or a leading zero is refused.
pub(crate) fn number(text: &str) -> Result<u64, NotAnId> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let number = text.parse().map_err(|_| NotAnId)?;
    if plain {
        in_range(number)
    } else {
        Err(NotAnId)
    }
}

/// Checks that the number is in the range of ids: 1 to [`MAX`].
pub(crate) fn in_range(number: u64) -> Result<u64, NotAnId> {
    if (1..=MAX).contains(&number) {
        Ok(number)
    } else {
        Err(NotAnId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_plain_digits_and_nothing_else() {
        for text in [
            "",
            "0",
            "01",
            "-1",
            "+1",
            "1.0",
            " 1",
            "1e3",
            "mia",
            "9007199254740992",
        ] {
            assert_eq!(number(text), Err(NotAnId), "{text}");
        }
        assert_eq!(number("9007199254740991"), Ok(MAX));
    }

    #[test]
    fn a_number_in_json_is_an_id_in_the_same_range() {
        numeric_id!(Id, "An id.");
        for json in ["0", "-1", "1.5", "\"1\"", "null", "9007199254740992"] {
            assert!(serde_json::from_str::<Id>(json).is_err(), "{json}");
        }
        for json in ["1", "9007199254740991"] {
            let id: Id = serde_json::from_str(json).expect(json);
            assert_eq!(serde_json::to_string(&id).expect(json), json);
        }
    }
}
