//! Webhooks as Standard Webhooks specifies them: a POST whose id, time and body are signed with a shared key.
//!
//! The id is the same for each try, so that a receiver recognizes a repetition; the time is that of the try, so that a recorded
//! request can't be used again later.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use hyper::header::{HeaderName, HeaderValue};
use sha2::Sha256;
use url::Url;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::public_url::is_protected;
use crate::kernel::outgoing::post::{Post, server_url};

/// The allowed lengths of a key, in bytes (Standard Webhooks, "Signature scheme").
const KEY_LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

const KEY_PREFIX: &str = "whsec_";

static ID: HeaderName = HeaderName::from_static("webhook-id");
static TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
static SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The receiver that the administrator named. `Display` and `Debug` hide the key, and all of the URL but its origin: receivers such
/// as Home Assistant have a secret in the path.
#[derive(Clone, PartialEq, Eq)]
pub struct Webhook {
    url: Url,
    key: Vec<u8>,
}

/// What is wrong with the settings. It doesn't repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidWebhook {
    #[error(
        "The webhook's URL is such as https://home.example/api/webhook/porchlight, without a user's name and a #."
    )]
    Url,
    #[error(
        "The webhook's key is whsec_ and 24 to 64 random bytes in base64. This makes one: echo \"whsec_$(openssl rand -base64 32)\""
    )]
    Key,
}

impl Webhook {
    pub fn new(url: &str, key: &str) -> Result<Self, InvalidWebhook> {
        let url = server_url(url).ok_or(InvalidWebhook::Url)?;
        let key = key.trim().strip_prefix(KEY_PREFIX);
        let key = key.and_then(|key| STANDARD.decode(key).ok());
        match key {
            Some(key) if KEY_LENGTHS.contains(&key.len()) => Ok(Self { url, key }),
            _ => Err(InvalidWebhook::Key),
        }
    }

    /// Whether nobody on the network can read along.
    pub fn is_protected(&self) -> bool {
        is_protected(&self.url)
    }

    /// The host's name, to be shown.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The signed request. `id` consists of letters and digits.
    pub fn request(&self, id: &str, now: Timestamp, body: String) -> Post {
        let id = format!("msg_{id}");
        let timestamp = now.micros().div_euclid(1_000_000).to_string();
        let signature = self.signature(&id, &timestamp, &body);
        let value = |text: String| HeaderValue::from_str(&text).expect("it is ASCII");
        Post {
            url: self.url.as_str().parse().expect("it was parsed before"),
            headers: vec![
                (ID.clone(), value(id)),
                (TIMESTAMP.clone(), value(timestamp)),
                (SIGNATURE.clone(), value(signature)),
            ],
            body: body.into(),
        }
    }

    fn signature(&self, id: &str, timestamp: &str, body: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key of any length");
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Display for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/…, signed", self.url.origin().ascii_serialization())
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Webhook({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's libraries.
    const KEY: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn the_signature_is_that_of_the_specifications_example() {
        let webhook = Webhook::new("https://home.example/hook", KEY).unwrap();

        let signature = webhook.signature(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            "{\"test\": 2432232314}",
        );

        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_headers_carry_the_id_the_time_of_the_try_and_the_signature() {
        let webhook = Webhook::new("https://home.example/api/webhook/s3cret?a=b", KEY).unwrap();
        let now = Timestamp::parse("2026-11-21T20:00:00.9Z").unwrap();

        let post = webhook.request("abc", now, "{}".into());

        assert_eq!(post.url, "https://home.example/api/webhook/s3cret?a=b");
        let headers = post.headers.iter();
        let headers = headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()));
        let signature = webhook.signature("msg_abc", "1795291200", "{}");
        assert_eq!(
            headers.collect::<Vec<_>>(),
            [
                "webhook-id: msg_abc",
                "webhook-timestamp: 1795291200",
                &format!("webhook-signature: {signature}"),
            ]
        );
    }

    #[test]
    fn neither_the_key_nor_the_path_is_shown() {
        let webhook = Webhook::new("https://home.example:8123/api/webhook/s3cret", KEY).unwrap();

        let shown = format!("{webhook} {webhook:?}");
        assert_eq!(
            shown,
            "https://home.example:8123/…, signed Webhook(https://home.example:8123/…, signed)"
        );
        assert_eq!(webhook.host(), "home.example");
    }

    #[test]
    fn what_is_no_url_or_no_key_is_refused() {
        let url = "https://home.example/hook";
        for bad in [
            "",
            "home.example",
            "ftp://home.example",
            "https://me:x@home.example",
            "https://home.example/#a",
        ] {
            assert_eq!(Webhook::new(bad, KEY), Err(InvalidWebhook::Url), "{bad}");
        }
        let (short, long) = (STANDARD.encode([0; 23]), STANDARD.encode([0; 65]));
        for bad in [
            "",
            "whsec_",
            &KEY[6..],
            "whsec_?",
            &format!("whsec_{short}"),
            &format!("whsec_{long}"),
        ] {
            assert_eq!(Webhook::new(url, bad), Err(InvalidWebhook::Key), "{bad}");
        }
        assert!(Webhook::new(url, &format!("{KEY}\n")).is_ok());
    }
}
