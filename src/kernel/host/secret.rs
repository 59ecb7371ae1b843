//! Secrets that are handed out once and stored only as a hash.
//!
//! Every kind has its own prefix, so that a token of one kind can never be taken for another,
//! and so that scanners recognise a leaked one.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::kernel::host::randomness::Randomness;

/// The kinds of secret that Porchlight issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretKind {
    /// The token in an e-mailed sign-in link.
    Link,
    /// The cookie that obtains identity tokens.
    Refresh,
    /// A voice assistant's key.
    AssistantKey,
    /// The token in the link for setting up a new server.
    Setup,
    /// The token in the link of an invitation.
    Invitation,
    /// The token in the QR code that signs another device in.
    Pairing,
    /// The token that the scanning device presents to complete the pairing.
    PairingClaim,
    /// The token in the e-mail that verifies a new address.
    AddressAnswer,
    /// The token in the e-mail to the old address, which cancels the change.
    AddressStop,
    /// The state of a sign-in in progress at an OpenID Connect provider.
    ProviderFlow,
}

impl SecretKind {
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Link => "lnk_",
            Self::Refresh => "rfr_",
            Self::AssistantKey => "ast_",
            Self::Setup => "set_",
            Self::Invitation => "ivt_",
            Self::Pairing => "par_",
            Self::PairingClaim => "clm_",
            Self::AddressAnswer => "adr_",
            Self::AddressStop => "ads_",
            Self::ProviderFlow => "oid_",
        }
    }
}

/// A secret in the clear: its kind's prefix, followed by 256 random bits in base64url.
///
/// It has no `Display`, and its `Debug` is redacted: only [`Secret::reveal`] shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    kind: SecretKind,
    text: String,
}

impl Secret {
    /// Characters of the random part: 32 bytes in base64 without padding.
    const RANDOM_CHARACTERS: usize = 43;

    pub fn generate(kind: SecretKind, randomness: &Randomness) -> Self {
        let text = format!(
            "{}{}",
            kind.prefix(),
            URL_SAFE_NO_PAD.encode(randomness.bytes())
        );
        Self { kind, text }
    }

    /// Parses a secret of this kind; `None` if the form is invalid.
    pub fn parse(kind: SecretKind, text: &str) -> Option<Self> {
        let random = text.strip_prefix(kind.prefix())?;
        let well_formed = random.len() == Self::RANDOM_CHARACTERS
            && URL_SAFE_NO_PAD
                .decode(random)
                .is_ok_and(|bytes| bytes.len() == 32);
        well_formed.then(|| Self {
            kind,
            text: text.to_owned(),
        })
    }

    /// The secret itself, for the one person it is meant for.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The hash that the store keeps instead of the secret.
    ///
    /// A plain SHA-256 is enough: 256 random bits cannot be guessed, and the look-up
    /// by hash compares no secret byte by byte.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(&self.text).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", self.kind.prefix())
    }
}

/// The SHA-256 of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash")
    }
}

impl From<SecretHash> for String {
    fn from(hash: SecretHash) -> Self {
        URL_SAFE_NO_PAD.encode(hash.0)
    }
}

impl TryFrom<String> for SecretHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        URL_SAFE_NO_PAD
            .decode(text)
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .map(Self)
            .ok_or("a secret's hash must be 32 bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_back_only_as_its_own_kind() {
        let secret = Secret::generate(SecretKind::Link, &Randomness::repeatable());

        assert_eq!(
            Secret::parse(SecretKind::Link, secret.reveal()),
            Some(secret.clone())
        );
        assert_eq!(Secret::parse(SecretKind::Refresh, secret.reveal()), None);
        assert_eq!(
            Secret::parse(SecretKind::AssistantKey, secret.reveal()),
            None
        );
    }

    #[test]
    fn a_mangled_secret_is_none() {
        let secret = Secret::generate(SecretKind::Link, &Randomness::repeatable());
        let text = secret.reveal();

        for mangled in [
            &text[1..],
            &text[..text.len() - 1],
            &format!("{text}A"),
            "lnk_",
            "",
        ] {
            assert_eq!(Secret::parse(SecretKind::Link, mangled), None, "{mangled}");
        }
    }

    #[test]
    fn debug_output_keeps_the_secret() {
        let secret = Secret::generate(SecretKind::AssistantKey, &Randomness::System);

        assert_eq!(format!("{secret:?}"), "ast_…");
    }
}
