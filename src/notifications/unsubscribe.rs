//! Unsubscribing by a link in an e-mail (RFC 8058).
//!
//! A link's token is a guardian's id and a keyed hash of what it ends and of the address that the e-mail was sent to. So it works
//! signed out, ends nothing but these e-mails, and says nothing about the address.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::identity::{Guardian, GuardianId, Guardians};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::hmac_key::HmacKey;
use crate::kernel::store::{Read, RecordKind, Store, StoreError, Table};

/// The beginning of the links' path.
pub const PATH: &str = "/unsubscribe";

/// The key of the tokens. It is restored from a backup: links in e-mails that were sent before must keep working.
const KEY: Table = Table::new("unsubscribe-key");

pub(super) const KIND: RecordKind = RecordKind::of::<HmacKey>(KEY);

/// A longer text is no token.
const LONGEST_TOKEN: usize = 200;

/// The e-mails that a link ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    AtOnce,
    Weekly,
}

impl Which {
    const ALL: [Self; 2] = [Self::AtOnce, Self::Weekly];

    fn name(self) -> &'static str {
        match self {
            Self::AtOnce => "alerts",
            Self::Weekly => "weekly",
        }
    }
}

/// A token as somebody sent it. `Debug` is redacted.
#[derive(Clone)]
pub struct UnsubscribeToken(String);

impl fmt::Debug for UnsubscribeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UnsubscribeToken(…)")
    }
}

impl From<&str> for UnsubscribeToken {
    fn from(text: &str) -> Self {
        Self(text.chars().take(LONGEST_TOKEN + 1).collect())
    }
}

impl UnsubscribeToken {
    /// What it ends, the guardian, and the hash.
    fn read(&self) -> Option<(Which, GuardianId, Vec<u8>)> {
        if self.0.len() > LONGEST_TOKEN {
            return None;
        }
        let mut parts = self.0.split('.');
        let name = parts.next()?;
        let which = Which::ALL.into_iter().find(|which| which.name() == name)?;
        let guardian = GuardianId::from_text(parts.next()?);
        let hash = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        parts.next().is_none().then_some((which, guardian, hash))
    }
}

/// Makes and checks the links.
#[derive(Clone)]
pub struct Unsubscribing {
    key: HmacKey,
    public_url: PublicUrl,
}

impl Unsubscribing {
    pub(super) async fn start(
        store: &Store,
        randomness: &Randomness,
        public_url: PublicUrl,
    ) -> Result<Self, StoreError> {
        let key = HmacKey::load(store, KEY, randomness).await?;
        Ok(Self { key, public_url })
    }

    /// The link in an e-mail to this guardian; `None` if mail providers couldn't follow it.
    pub fn url(&self, guardian: &Guardian, which: Which) -> Option<String> {
        let can_be_followed = self.public_url.is_https() && !self.public_url.is_loopback();
        can_be_followed.then(|| {
            let (name, id) = (which.name(), &guardian.id);
            let hash = self.mac(guardian, which).finalize().into_bytes();
            let hash = URL_SAFE_NO_PAD.encode(hash);
            self.public_url.page(&format!("{PATH}/{name}.{id}.{hash}"))
        })
    }

    fn mac(&self, guardian: &Guardian, which: Which) -> Hmac<Sha256> {
        let text = format!(
            "{}\0{}\0{}\0",
            which.name(),
            guardian.id.as_str(),
            guardian.email.key()
        );
        self.key.hmac(&[text.as_bytes()])
    }

    /// The guardian of a valid token, and what it ends.
    pub(super) fn check(
        &self,
        view: &impl Read,
        token: &UnsubscribeToken,
    ) -> Result<Option<(GuardianId, Which)>, StoreError> {
        let Some((which, id, hash)) = token.read() else {
            return Ok(None);
        };
        let guardian = Guardians::find_readable(view, &id)?;
        let is_valid =
            guardian.is_some_and(|guardian| self.mac(&guardian, which).verify_slice(&hash).is_ok());
        Ok(is_valid.then_some((id, which)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::Timestamp;

    fn guardian(email: &str) -> Guardian {
        Guardian {
            id: GuardianId::from_text("gdn_0123456789abcdef0123456789abcdef"),
            email: email.parse().unwrap(),
            verified: true,
            name: None,
            added_at: Timestamp::from_micros(0),
            invited_by: None,
            signed_out_at: None,
            sign_out_count: 0,
            uses_name: false,
            language: None,
        }
    }

    fn unsubscribing(url: &str) -> Unsubscribing {
        Unsubscribing {
            key: HmacKey::generate(&Randomness::repeatable()),
            public_url: url.parse().unwrap(),
        }
    }

    fn token(url: &str) -> UnsubscribeToken {
        let (_, token) = url.split_once("/unsubscribe/").unwrap();
        UnsubscribeToken::from(token)
    }

    #[test]
    fn a_link_is_made_where_mail_providers_can_follow_it() {
        let ada = guardian("ada@example.org");
        for (url, is_made) in [
            ("https://porchlight.example", true),
            ("http://porchlight.example", false),
            ("https://localhost:8080", false),
        ] {
            let made = unsubscribing(url).url(&ada, Which::AtOnce);
            assert_eq!(made.is_some(), is_made, "{url}");
        }
    }

    #[test]
    fn a_token_names_what_it_ends_and_hides_the_address() {
        let ours = unsubscribing("https://porchlight.example");
        let ada = guardian("ada@example.org");
        let url = |guardian: &Guardian, which| ours.url(guardian, which).unwrap();

        let made = url(&ada, Which::Weekly);

        let (which, id, hash) = token(&made).read().unwrap();
        assert_eq!((which, &id), (Which::Weekly, &ada.id));
        assert!(ours.mac(&ada, which).verify_slice(&hash).is_ok());
        assert!(ours.mac(&ada, Which::AtOnce).verify_slice(&hash).is_err());
        let moved = guardian("ada@example.net");
        assert!(ours.mac(&moved, which).verify_slice(&hash).is_err());
        assert!(!made.contains("ada") && !made.contains("example.org"));
        assert_eq!(format!("{:?}", token(&made)), "UnsubscribeToken(…)");
        for mangled in [
            "",
            "weekly",
            "weekly.gdn_1",
            "weekly.gdn_1.!",
            "daily.gdn_1.AA",
            "weekly.gdn_1.AA.AA",
        ] {
            assert!(
                UnsubscribeToken::from(mangled).read().is_none(),
                "{mangled}"
            );
        }
    }
}
