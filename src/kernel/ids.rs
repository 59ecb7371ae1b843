//! A type for each id, so that one can never be passed where another is meant.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::randomness::Randomness;

/// Declares a numeric id that the store counts up and never gives out twice.
macro_rules! numeric_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u64);

        impl $name {
            /// The largest id: what a JavaScript number holds exactly (ECMA-262, `Number.MAX_SAFE_INTEGER`).
            pub const MAX: u64 = (1 << 53) - 1;

            /// The id with this number.
            pub const fn new(number: u64) -> Self {
                Self(number)
            }

            /// The id's number.
            pub const fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            /// Reads plain digits; everything else, a sign or a leading zero too, is no id.
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
                match text.parse() {
                    Ok(number) if plain && number <= Self::MAX => Ok(Self(number)),
                    _ => Err(NotAnId),
                }
            }
        }
    };
}

/// Text that names no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id is a whole number such as 7")]
pub struct NotAnId;

numeric_id! {
    /// A child's profile.
    ChildId
}
numeric_id! {
    /// One learning session.
    SessionId
}

/// Declares an id of random characters, which tells nothing about how many there are.
macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// A new id of 128 random bits.
            pub fn generate(randomness: &Randomness) -> Self {
                let text = format!("{}{}", $prefix, hex::encode(&randomness.bytes()[..16]));
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Takes an id out of a token or a path; whether it exists is for the store to say.
            pub fn from_text(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

random_id! {
    /// A guardian.
    GuardianId, "gdn_"
}
random_id! {
    /// A voice assistant.
    AssistantId, "asi_"
}
random_id! {
    /// One sign-in of a guardian, on one device.
    SignInId, "sgn_"
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
            assert_eq!(text.parse::<ChildId>(), Err(NotAnId), "{text}");
        }
        assert_eq!("9007199254740991".parse(), Ok(ChildId::new(ChildId::MAX)));
    }
}
