//! Signs requests to push services, so that only this server can use a subscription (RFC 8292).

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::encryption::{secret_key, uncompressed};
use super::endpoint::Endpoint;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Record, Store, StoreError, Table};

/// How long a signature is valid. Services allow a day; half of it, because clocks differ.
const LIFE: Duration = Duration::from_secs(12 * 60 * 60);

/// This server's key, which its subscriptions are bound to. `Debug` is redacted.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PushKey(#[serde(with = "hex::serde")] [u8; 32]);

impl Record for PushKey {}

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKey(…)")
    }
}

impl PushKey {
    /// Loads the only key of the table, or generates it on the first start.
    pub async fn load(
        store: &Store,
        table: Table,
        randomness: &Randomness,
    ) -> Result<Self, StoreError> {
        let made = Self(secret_key(randomness).to_bytes().into());
        store.get_or_keep(table.key(), made).await
    }

    fn secret(&self) -> Option<SecretKey> {
        SecretKey::from_slice(&self.0).ok()
    }

    /// What a browser subscribes with, in base64url; empty if the stored key is invalid.
    pub fn public(&self) -> String {
        let public = self
            .secret()
            .map(|secret| uncompressed(&secret.public_key()));
        URL_SAFE_NO_PAD.encode(public.unwrap_or_default())
    }

    /// The value of the header `Authorization`. Apple refuses requests without a contact.
    pub(super) fn authorization(
        &self,
        endpoint: &Endpoint,
        contact: &str,
        now: Timestamp,
    ) -> String {
        let expires = now.after(LIFE).micros().div_euclid(1_000_000);
        let claims = json!({"aud": endpoint.origin(), "exp": expires, "sub": contact});
        let token = self.signed(&claims.to_string());
        format!("vapid t={token}, k={}", self.public())
    }

    /// A JWT with these claims.
    fn signed(&self, claims: &str) -> String {
        let parts = [r#"{"typ":"JWT","alg":"ES256"}"#, claims];
        let text = parts.map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
        let key = self.secret().map(|secret| SigningKey::from(&secret));
        let signature = key.map(|key| {
            let signature: Signature = key.sign(text.as_bytes());
            URL_SAFE_NO_PAD.encode(signature.to_bytes())
        });
        format!("{text}.{}", signature.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier;

    use super::*;

    /// The example of RFC 8292, section 2.4. It gives no private key, and signatures differ each time: only what is signed can
    /// be compared byte for byte.
    const TOKEN: &str = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA";
    const PUBLIC: &str =
        "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";

    fn is_signed(token: &str, public: &str) -> bool {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let key = VerifyingKey::from_sec1_bytes(&decode(public)).unwrap();
        let (text, signature) = token.rsplit_once('.').unwrap();
        let signature = Signature::from_slice(&decode(signature)).unwrap();
        key.verify(text.as_bytes(), &signature).is_ok()
    }

    #[test]
    fn a_token_is_made_as_that_of_the_rfcs_example() {
        assert!(is_signed(TOKEN, PUBLIC), "the example itself");
        let key = PushKey([7; 32]);

        let claims = r#"{"aud":"https://push.example.net","exp":1453523768,"sub":"mailto:push@example.com"}"#;
        let token = key.signed(claims);

        let signed = |token: &str| token.rsplit_once('.').unwrap().0.to_owned();
        assert_eq!(signed(&token), signed(TOKEN));
        assert!(is_signed(&token, &key.public()));
        assert!(!is_signed(&token, PUBLIC));
    }

    #[test]
    fn a_request_names_the_service_and_ends_within_a_day() {
        let key = PushKey([7; 32]);
        let endpoint = Endpoint::parse("https://fcm.googleapis.com/fcm/send/abc", &[]).unwrap();
        let now = Timestamp::parse("2026-11-21T20:00:00Z").unwrap();

        let contact = "https://blue-lamp.dedyn.io:8443";
        let header = key.authorization(&endpoint, contact, now);

        let token = header.strip_prefix("vapid t=").unwrap();
        let (token, public) = token.split_once(", k=").unwrap();
        assert!(is_signed(token, public) && public == key.public());
        let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap());
        let claims = serde_json::from_slice::<serde_json::Value>(&claims.unwrap()).unwrap();
        assert_eq!(
            claims,
            json!({"aud": "https://fcm.googleapis.com", "exp": 1_795_334_400, "sub": contact})
        );
        assert_eq!(format!("{key:?}"), "PushKey(…)");
    }
}
