//! Identity tokens: OpenID Connect ID tokens, signed with Ed25519.
//!
//! The public URL is both issuer and audience. Tokens are standard, so any OpenID Connect library can verify them with
//! `/.well-known/jwks.json`. The claim `sid` is the sign-in's id; [`SignIns`](crate::identity::SignIns) checks on every use that
//! the sign-in is still valid.

mod store;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use hmac::{Hmac, Mac};
use openidconnect::core::{
    CoreEdDsaPrivateSigningKey, CoreGenderClaim, CoreJsonWebKey, CoreJsonWebKeySet,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm,
};
use openidconnect::{
    AdditionalClaims, Audience, ClientId, EndUserEmail, IdToken, IdTokenClaims, IdTokenVerifier,
    IssuerUrl, JsonWebKeyId, Nonce, PrivateSigningKey, StandardClaims, SubjectIdentifier,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::accounts::guardians::Guardian;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Store, StoreError};

pub use store::KINDS;

/// How long an identity token is valid.
pub const LIFE: Duration = Duration::from_secs(10 * 60);

/// The maximum length of a token in bytes, checked before it is parsed. Ours have about 600.
const LONGEST: usize = 4096;

/// The signing key, as PKCS #8 in PEM (RFC 8410), and its key id.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredTokenKey")]
pub struct TokenKey {
    pem: String,
    id: String,
}

#[derive(Deserialize)]
struct StoredTokenKey {
    pem: String,
    id: String,
}

impl TryFrom<StoredTokenKey> for TokenKey {
    type Error = &'static str;

    fn try_from(stored: StoredTokenKey) -> Result<Self, Self::Error> {
        let StoredTokenKey { pem, id } = stored;
        match CoreEdDsaPrivateSigningKey::from_ed25519_pem(&pem, None) {
            Ok(_) => Ok(Self { pem, id }),
            Err(_) => Err("it is no Ed25519 key"),
        }
    }
}

impl TokenKey {
    pub fn generate(randomness: &Randomness) -> Self {
        let key = SigningKey::from_bytes(&randomness.bytes());
        let pem = key
            .to_pkcs8_pem(LineEnding::LF)
            .expect("an Ed25519 key always encodes");
        let fingerprint = Sha256::digest(key.verifying_key().as_bytes());
        let id = hex::encode(&fingerprint[..8]);
        Self {
            pem: pem.to_string(),
            id,
        }
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenKey({})", self.id)
    }
}

/// The `sid` claim: the sign-in that the token belongs to (OpenID Connect Front-Channel Logout 1.0, section 3).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SignInClaim {
    sid: String,
}

impl AdditionalClaims for SignInClaim {}

type Claims = IdTokenClaims<SignInClaim, CoreGenderClaim>;
type Token = IdToken<
    SignInClaim,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;

pub struct Tokens {
    key: CoreEdDsaPrivateSigningKey,
    issuer: IssuerUrl,
    verifier: IdTokenVerifier<'static, CoreJsonWebKey>,
    /// Marks the cookies of the home's name.
    cookie_key: [u8; 32],
    clock: Clock,
}

/// A valid token's claims. Whether its sign-in is still valid must be checked separately.
#[derive(Clone, Debug)]
pub struct TokenClaims {
    pub guardian: GuardianId,
    pub sign_in: SignInId,
    pub ends: Timestamp,
}

impl Tokens {
    /// Loads the signing key from the store, or generates it on the first start.
    pub(in crate::identity) async fn start(
        store: &Store,
        randomness: &Randomness,
        public_url: PublicUrl,
        clock: Clock,
    ) -> Result<Self, StoreError> {
        let key = store::key(store, randomness).await?;
        Ok(Self::new(&key, public_url, clock))
    }

    fn new(key: &TokenKey, public_url: PublicUrl, clock: Clock) -> Self {
        let id = JsonWebKeyId::new(key.id.clone());
        let cookie_key = Sha256::digest(format!("cookies at the name\0{}", key.pem)).into();
        let key = CoreEdDsaPrivateSigningKey::from_ed25519_pem(&key.pem, Some(id))
            .expect("a TokenKey was made from a key, or read as one");
        let issuer = IssuerUrl::new(public_url.origin()).expect("a public URL is a URL");
        let keys = CoreJsonWebKeySet::new(vec![key.as_verification_key()]);
        let now = clock.clone();
        let verifier = IdTokenVerifier::new_public_client(
            ClientId::new(issuer.to_string()),
            issuer.clone(),
            keys,
        )
        .set_allowed_algs(HashSet::from([CoreJwsSigningAlgorithm::EdDsa]))
        .set_time_fn(move || now.now().to_chrono());
        Self {
            key,
            issuer,
            verifier,
            cookie_key,
            clock,
        }
    }

    /// A cookie's value with a mark that only this server can add.
    pub(in crate::identity) fn mark_cookie(&self, value: &str) -> String {
        let mark = self.cookie_mac(value).finalize().into_bytes();
        format!("{value}.{}", hex::encode(mark))
    }

    /// The value of a marked cookie; `None` without a valid mark.
    pub(in crate::identity) fn marked_value<'a>(&self, cookie: &'a str) -> Option<&'a str> {
        let (value, mark) = cookie.rsplit_once('.')?;
        let mark = hex::decode(mark).ok()?;
        self.cookie_mac(value).verify_slice(&mark).ok()?;
        Some(value)
    }

    fn cookie_mac(&self, value: &str) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.cookie_key);
        mac.expect("a key may have any length").chain_update(value)
    }

    /// The public key as a JSON Web Key Set (RFC 7517).
    pub fn jwks(&self) -> String {
        let keys = CoreJsonWebKeySet::new(vec![self.key.as_verification_key()]);
        serde_json::to_string(&keys).expect("a key set is JSON")
    }

    /// Issues a token for a guardian's sign-in. Returns it and its lifetime in seconds.
    pub(in crate::identity) fn issue(
        &self,
        guardian: &Guardian,
        sign_in: &SignInId,
    ) -> (String, u64) {
        let now = self.clock.now();
        let subject = SubjectIdentifier::new(guardian.id.to_string());
        let email = EndUserEmail::new(guardian.email.to_string());
        let claims = Claims::new(
            self.issuer.clone(),
            vec![Audience::new(self.issuer.to_string())],
            now.after(LIFE).to_chrono(),
            now.to_chrono(),
            StandardClaims::new(subject).set_email(Some(email)),
            SignInClaim {
                sid: sign_in.to_string(),
            },
        );
        let token = Token::new(
            claims,
            &self.key,
            CoreJwsSigningAlgorithm::EdDsa,
            None,
            None,
        )
        .expect("an Ed25519 key signs everything");
        (token.to_string(), LIFE.as_secs())
    }

    /// Verifies a token. `None` if it is invalid, issued by somebody else, or expired.
    pub(in crate::identity) fn verify(&self, token: &str) -> Option<TokenClaims> {
        if token.len() > LONGEST {
            return None;
        }
        let token = Token::from_str(token).ok()?;
        // The token isn't the answer to an authentication request, so it contains no nonce.
        let claims = token
            .claims(&self.verifier, |_: Option<&Nonce>| Ok(()))
            .ok()?;
        Some(TokenClaims {
            guardian: GuardianId::from_text(claims.subject()),
            sign_in: SignInId::from_text(&claims.additional_claims().sid),
            ends: claims.expiration().into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::ManualClock;

    struct Fixture {
        clock: ManualClock,
        guardian: Guardian,
        sign_in: SignInId,
    }

    fn fixture() -> Fixture {
        let randomness = Randomness::repeatable();
        let clock = ManualClock::at(Timestamp::parse("2026-11-21T20:00:00Z").unwrap());
        let now = Clock::Manual(clock.clone()).now();
        let guardian = Guardian {
            verified: true,
            id: GuardianId::generate(&randomness),
            email: "ada@example.org".parse().unwrap(),
            name: None,
            added_at: now,
            signed_out_at: None,
            sign_out_count: 0,
            uses_name: false,
            language: None,
            invited_by: None,
        };
        Fixture {
            clock,
            guardian,
            sign_in: SignInId::generate(&randomness),
        }
    }

    fn tokens(key: &TokenKey, url: &str, fixture: &Fixture) -> Tokens {
        Tokens::new(
            key,
            url.parse().unwrap(),
            Clock::Manual(fixture.clock.clone()),
        )
    }

    #[test]
    fn a_token_names_its_guardian_for_ten_minutes() {
        let fixture = fixture();
        let key = TokenKey::generate(&Randomness::repeatable());
        let tokens = tokens(&key, "https://porchlight.example", &fixture);
        let (token, seconds) = tokens.issue(&fixture.guardian, &fixture.sign_in);

        let claims = tokens.verify(&token).expect("it has just been issued");
        assert_eq!(claims.guardian, fixture.guardian.id);
        assert_eq!(claims.sign_in, fixture.sign_in);
        assert_eq!(seconds, 600);

        fixture.clock.advance(Duration::from_secs(599));
        assert!(tokens.verify(&token).is_some());
        fixture.clock.advance(Duration::from_secs(1));
        assert!(tokens.verify(&token).is_none());
    }

    #[test]
    fn a_token_of_another_key_or_another_issuer_is_refused() {
        let fixture = fixture();
        let randomness = Randomness::repeatable();
        let (ours, theirs) = (
            TokenKey::generate(&randomness),
            TokenKey::generate(&randomness),
        );
        let here = tokens(&ours, "https://porchlight.example", &fixture);
        let strangers = [
            tokens(&theirs, "https://porchlight.example", &fixture),
            tokens(&ours, "https://elsewhere.example", &fixture),
        ];

        for stranger in strangers {
            let (token, _) = stranger.issue(&fixture.guardian, &fixture.sign_in);
            assert!(here.verify(&token).is_none());
        }
    }

    #[test]
    fn a_cookies_mark_is_of_this_servers_key_and_of_this_value() {
        let fixture = fixture();
        let randomness = Randomness::repeatable();
        let [ours, theirs] = [(); 2].map(|()| {
            let key = TokenKey::generate(&randomness);
            tokens(&key, "http://192.168.1.20:8080", &fixture)
        });
        let marked = ours.mark_cookie("rfr_abc");

        assert_eq!(ours.marked_value(&marked), Some("rfr_abc"));
        assert_eq!(theirs.marked_value(&marked), None);
        let (_, mark) = marked.split_once('.').unwrap();
        for forged in ["rfr_abc", "rfr_abc.", &format!("rfr_abd.{mark}"), mark, ""] {
            assert_eq!(ours.marked_value(forged), None, "{forged}");
        }
    }

    #[test]
    fn a_token_that_was_changed_or_is_unsigned_is_refused() {
        let fixture = fixture();
        let key = TokenKey::generate(&Randomness::repeatable());
        let tokens = tokens(&key, "https://porchlight.example", &fixture);
        let (token, _) = tokens.issue(&fixture.guardian, &fixture.sign_in);
        let (head_and_claims, _) = token.rsplit_once('.').unwrap();
        let claims = head_and_claims.split_once('.').unwrap().1;
        // {"alg":"none"}
        let unsigned = format!("eyJhbGciOiJub25lIn0.{claims}.");

        for forged in [
            &unsigned,
            &format!("{head_and_claims}."),
            &format!("{token}A"),
            "",
        ] {
            assert!(tokens.verify(forged).is_none(), "{forged}");
        }
    }

    #[test]
    fn a_token_longer_than_any_of_ours_is_not_looked_at() {
        let fixture = fixture();
        let key = TokenKey::generate(&Randomness::repeatable());
        let tokens = tokens(&key, "https://porchlight.example", &fixture);
        // A valid token with a sign-in id of this length.
        let token = |length| {
            let sign_in = SignInId::from_text(&"s".repeat(length));
            tokens.issue(&fixture.guardian, &sign_in).0
        };
        // Base64 encodes three bytes as four characters.
        let room = (LONGEST - token(0).len()) / 4 * 3;
        let at_least = |length| {
            let mut longer = (room..room + 8).map(token);
            longer.find(|token| token.len() >= length).unwrap()
        };

        let (longest, too_long) = (at_least(LONGEST), at_least(LONGEST + 1));

        assert_eq!(longest.len(), LONGEST);
        assert!(tokens.verify(&longest).is_some());
        assert!(tokens.verify(&too_long).is_none());
    }
}
