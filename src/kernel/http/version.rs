//! Content hashes of JSON answers, for detecting concurrent edits.

use std::sync::Arc;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::kernel::store::Weigh;

/// The number of bytes of the content's hash in a version: enough to rule out collisions.
const HASH: usize = 16;

/// A hash of an answer's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(Arc<str>);

impl Version {
    pub fn of(content: &[u8]) -> Self {
        Self(hex::encode(&Sha256::digest(content)[..HASH]).into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Clone, Debug)]
pub struct Versioned {
    pub json: Bytes,
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
