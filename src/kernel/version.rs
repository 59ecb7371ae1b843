//! JSON as it is answered, and which content it is: two people who edit at once are told apart by it.

use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::store::Weigh;

/// How many bytes of the content's hash a version shows: enough that no two contents ever share one.
const HASH: usize = 16;

/// A hash of what is answered: another content has another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(Arc<str>);

impl Version {
    /// The version of this content.
    pub fn of(content: &[u8]) -> Self {
        Self(hex::encode(&Sha256::digest(content)[..HASH]).into())
    }

    /// The version as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// JSON with its version.
#[derive(Clone, Debug)]
pub struct Versioned {
    /// The JSON.
    pub json: Bytes,
    /// Which content it is.
    pub version: Version,
}

impl From<Vec<u8>> for Versioned {
    fn from(json: Vec<u8>) -> Self {
        let version = Version::of(&json);
        let json = json.into();
        Self { json, version }
    }
}

impl Weigh for Versioned {
    fn weight(&self) -> u64 {
        self.json.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_tells_contents_apart() {
        assert_eq!(Version::of(b"[]"), Version::of(b"[]"));
        assert_ne!(Version::of(b"[]"), Version::of(b"[\"a\"]"));
    }
}
