//! Web Push: messages that a browser's push service passes on to one device.
//!
//! The service that the browser chose learns when a message is sent, and to which subscription. It cannot read the message (RFC
//! 8291), and all messages have the same length and the same headers. Requests are signed with a key of this server (RFC 8292),
//! so that nobody else can use the subscription.

mod encryption;
mod endpoint;
mod vapid;

use std::time::Duration;

use hyper::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::post::Post;

pub use encryption::{DeviceKeys, InvalidDeviceKeys};
pub use endpoint::{Endpoint, InvalidEndpoint, PushHost};
pub use vapid::PushKey;

/// How long a service keeps a message for a device that is switched off. What is older is never told at once.
const TTL: Duration = Duration::from_secs(24 * 60 * 60);

static TTL_HEADER: HeaderName = HeaderName::from_static("ttl");
static URGENCY: HeaderName = HeaderName::from_static("urgency");

/// Where the messages to one device go, and what they are encrypted with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    pub endpoint: Endpoint,
    pub keys: DeviceKeys,
}

impl Device {
    /// The request that hands a message over. The service may ask `contact`, an https URL, about it. `None` if the device's key is
    /// none.
    pub fn request(
        &self,
        key: &PushKey,
        contact: &str,
        message: &str,
        now: Timestamp,
        randomness: &Randomness,
    ) -> Option<Post> {
        let authorization = key.authorization(&self.endpoint, contact, now);
        let mut authorization = HeaderValue::from_str(&authorization).ok()?;
        authorization.set_sensitive(true);
        Some(Post {
            url: self.endpoint.as_str().parse().ok()?,
            headers: vec![
                (
                    CONTENT_TYPE,
                    HeaderValue::from_static("application/octet-stream"),
                ),
                (CONTENT_ENCODING, HeaderValue::from_static("aes128gcm")),
                (TTL_HEADER.clone(), HeaderValue::from(TTL.as_secs())),
                // The same for all, so that it doesn't tell which are urgent.
                (URGENCY.clone(), HeaderValue::from_static("high")),
                (AUTHORIZATION, authorization),
            ],
            body: self.keys.encrypt(message, randomness)?.into(),
        })
    }
}
