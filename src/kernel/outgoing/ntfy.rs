//! ntfy: a server that passes notifications on to the phones that subscribe to a topic.
//!
//! Whoever knows a topic's name can read and write its notifications, so the name is a secret. Notifications are published as JSON
//! to the server's root, because a name in the path would stand in the logs of proxies.

use std::fmt;
use std::str::FromStr;

use hyper::Uri;
use hyper::header::{AUTHORIZATION, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use crate::kernel::host::public_url::is_protected;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::post::{Post, PostClient, server_url};

/// The longest access token, in bytes. ntfy's own have 32.
const LONGEST_TOKEN: usize = 256;

/// The server that the administrator named. `Display` and `Debug` hide the token.
#[derive(Clone, PartialEq, Eq)]
pub struct NtfyServer {
    origin: Url,
    token: Option<HeaderValue>,
}

/// What is wrong with the settings. It doesn't repeat them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidNtfy {
    #[error(
        "The ntfy server's URL is such as https://ntfy.sh or http://192.168.1.20:8090, without a path."
    )]
    Url,
    #[error(
        "The ntfy server's token has 1 to 256 characters, which are letters, digits and signs of ASCII, without spaces."
    )]
    Token,
}

impl FromStr for NtfyServer {
    type Err = InvalidNtfy;

    fn from_str(text: &str) -> Result<Self, InvalidNtfy> {
        let url = server_url(text);
        let origin = url.filter(|url| url.path() == "/" && url.query().is_none());
        Ok(Self {
            origin: origin.ok_or(InvalidNtfy::Url)?,
            token: None,
        })
    }
}

impl NtfyServer {
    /// Sends this access token with each request.
    pub fn with_token(self, token: &str) -> Result<Self, InvalidNtfy> {
        let is_valid = (1..=LONGEST_TOKEN).contains(&token.len())
            && token.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_valid {
            return Err(InvalidNtfy::Token);
        }
        let header = HeaderValue::from_str(&format!("Bearer {token}"));
        let mut header = header.map_err(|_| InvalidNtfy::Token)?;
        header.set_sensitive(true);
        Ok(Self {
            token: Some(header),
            ..self
        })
    }

    /// Whether nobody on the network can read along.
    pub fn is_protected(&self) -> bool {
        is_protected(&self.origin)
    }

    /// The origin, such as `https://ntfy.sh`.
    pub fn address(&self) -> String {
        self.origin.origin().ascii_serialization()
    }

    pub fn url(&self) -> &Url {
        &self.origin
    }

    /// The link that subscribes the app on a phone to a topic.
    pub fn subscribe_link(&self, topic: &Topic) -> String {
        let address = self.address();
        let (scheme, authority) = address.split_once("://").unwrap_or(("https", &address));
        let unprotected = if scheme == "http" {
            "&secure=false"
        } else {
            ""
        };
        format!(
            "ntfy://{authority}/{}?display=Porchlight{unprotected}",
            topic.reveal()
        )
    }

    /// The request that publishes a notification. A server that knows sequence ids (2.16) shows several of the same id as one.
    pub fn publish(&self, topic: &Topic, notification: &Notification, sequence_id: &str) -> Post {
        let mut body = json!({
            "topic": topic.reveal(),
            "title": notification.title,
            "message": notification.message,
            "sequence_id": sequence_id,
        });
        if notification.is_urgent {
            // The highest priority, and a warning sign before the title.
            body["priority"] = json!(5);
            body["tags"] = json!(["warning"]);
        }
        if let Some(click) = &notification.click {
            body["click"] = json!(click);
        }
        Post {
            url: self.uri("/"),
            headers: self
                .token
                .iter()
                .map(|it| (AUTHORIZATION, it.clone()))
                .collect(),
            body: body.to_string().into(),
        }
    }

    /// Asks whether the server is healthy, without naming a topic or the token. The error is a sentence.
    pub async fn probe(&self, client: &PostClient) -> Result<(), String> {
        let answer = client.get(self.uri("/v1/health")).await;
        let answer = answer.map_err(|error| format!("The ntfy server: {error}"))?;
        let status = answer.status;
        if !status.is_success() {
            return Err(format!(
                "The ntfy server was reached, but answered with the status {}. Is it an ntfy server?",
                status.as_u16()
            ));
        }
        match serde_json::from_slice(&answer.body) {
            Ok(Health { healthy: true }) => Ok(()),
            Ok(Health { healthy: false }) => {
                Err("The ntfy server says that it is not healthy.".into())
            }
            Err(_) => {
                Err("The ntfy server was reached, but its answer is not an ntfy server's.".into())
            }
        }
    }

    fn uri(&self, path: &str) -> Uri {
        let url = self.origin.join(path).expect("a path can be joined");
        url.as_str().parse().expect("it was parsed before")
    }
}

impl fmt::Display for NtfyServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address())?;
        if self.token.is_some() {
            f.write_str(", with a token")?;
        }
        Ok(())
    }
}

impl fmt::Debug for NtfyServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NtfyServer({self})")
    }
}

/// The number of the error in a response's body, such as 40301. Its words may repeat the topic.
pub fn error_code(body: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Error {
        code: u32,
    }
    let error = serde_json::from_slice::<Error>(body);
    error.ok().map(|error| error.code)
}

#[derive(Deserialize)]
struct Health {
    healthy: bool,
}

pub struct Notification {
    pub title: &'static str,
    pub message: String,
    pub is_urgent: bool,
    /// The page that a tap opens.
    pub click: Option<String>,
}

/// A topic's name: 128 random bits as hexadecimal digits. `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Topic(String);

/// A stored topic that isn't one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a topic has 32 hexadecimal digits")]
pub struct NotATopic;

impl Topic {
    pub fn generate(randomness: &Randomness) -> Self {
        Self(hex::encode(&randomness.bytes()[..16]))
    }

    /// The name itself, for its guardian and for the server.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Topic(…)")
    }
}

impl TryFrom<String> for Topic {
    type Error = NotATopic;

    fn try_from(text: String) -> Result<Self, NotATopic> {
        let is_valid = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_valid.then_some(Self(text)).ok_or(NotATopic)
    }
}

impl From<Topic> for String {
    fn from(topic: Topic) -> Self {
        topic.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn server(url: &str) -> NtfyServer {
        url.parse().unwrap()
    }

    #[test]
    fn a_server_is_an_origin() {
        for url in [
            "https://ntfy.sh",
            "http://192.168.1.20:8090/",
            " https://NTFY.example ",
        ] {
            assert!(url.parse::<NtfyServer>().is_ok(), "{url}");
        }
        for url in [
            "",
            "ntfy.sh",
            "ftp://ntfy.sh",
            "https://ntfy.sh/family",
            "https://ntfy.sh/?a",
            "https://me:s3cret@ntfy.sh",
        ] {
            assert_eq!(url.parse::<NtfyServer>(), Err(InvalidNtfy::Url), "{url}");
        }
    }

    #[test]
    fn only_https_and_this_machine_are_protected() {
        for url in [
            "https://ntfy.sh",
            "http://localhost",
            "http://127.0.0.1:80",
            "http://[::1]",
        ] {
            assert!(server(url).is_protected(), "{url}");
        }
        for url in ["http://ntfy.sh", "http://192.168.1.20"] {
            assert!(!server(url).is_protected(), "{url}");
        }
    }

    #[test]
    fn a_notification_names_its_topic_in_the_body_alone() {
        let topic = Topic::generate(&Randomness::repeatable());
        let server = server("https://ntfy.example:8443")
            .with_token("tk_s3cret")
            .unwrap();
        let notification = Notification {
            title: "Title",
            message: "Message".into(),
            is_urgent: false,
            click: Some("https://porchlight.example/alerts".into()),
        };

        let post = server.publish(&topic, &notification, "abc");

        assert_eq!(post.url, "https://ntfy.example:8443/");
        assert_eq!(post.headers[0].1, "Bearer tk_s3cret");
        let body = serde_json::from_slice::<Value>(&post.body).unwrap();
        assert_eq!(
            body,
            json!({"topic": topic.reveal(), "title": "Title", "message": "Message",
                "click": "https://porchlight.example/alerts", "sequence_id": "abc"})
        );
        let urgent = Notification {
            is_urgent: true,
            ..notification
        };
        let post = server.publish(&topic, &urgent, "abc");
        let body = serde_json::from_slice::<Value>(&post.body).unwrap();
        assert_eq!(
            (&body["priority"], &body["tags"]),
            (&json!(5), &json!(["warning"]))
        );
        let shown = format!("{server} {server:?} {topic:?} {post:?}");
        assert!(
            !shown.contains("s3cret") && !shown.contains(topic.reveal()),
            "{shown}"
        );
    }

    #[test]
    fn a_link_subscribes_with_or_without_tls() {
        let topic = Topic("0123456789abcdef0123456789abcdef".into());

        assert_eq!(
            server("https://ntfy.sh").subscribe_link(&topic),
            "ntfy://ntfy.sh/0123456789abcdef0123456789abcdef?display=Porchlight"
        );
        assert_eq!(
            server("http://192.168.1.20:8090").subscribe_link(&topic),
            "ntfy://192.168.1.20:8090/0123456789abcdef0123456789abcdef?display=Porchlight&secure=false"
        );
    }

    #[test]
    fn topics_have_128_random_bits_and_differ() {
        let rng = Randomness::repeatable();
        let (one, other) = (Topic::generate(&rng), Topic::generate(&rng));

        assert_ne!(one, other);
        assert_eq!(Topic::try_from(String::from(one.clone())), Ok(one));
        for nonsense in ["", "alerts", &"g".repeat(32), &"0".repeat(31)] {
            assert_eq!(Topic::try_from((*nonsense).to_owned()), Err(NotATopic));
        }
    }

    #[test]
    fn a_token_is_ascii_without_spaces() {
        for token in ["", "a b", "ä", "a\n", &"a".repeat(257)] {
            let refused = server("https://ntfy.sh").with_token(token);
            assert_eq!(refused, Err(InvalidNtfy::Token), "{token:?}");
        }
    }
}
