//! What an upstream consists of, and the rules for its parts.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use hyper::header::HeaderValue;
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use url::{Host, Url};

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::public_url::is_loopback;
use crate::kernel::outgoing::post::server_url;

/// The maximum length of an upstream's name, in characters.
const LONGEST_NAME: usize = 64;

/// The maximum length of a model's name, in characters. The longest that providers use have about 100.
const LONGEST_MODEL: usize = 200;

/// The maximum number of models that one upstream is limited to.
const MOST_MODELS: usize = 100;

/// The maximum length of a key, in bytes. Keys that are JSON web tokens have about 1,000.
const LONGEST_KEY: usize = 4_096;

/// Shorter keys protect nothing, in bytes.
const SHORTEST_SECRET: usize = 8;

/// What people type where a program demands a key and the server has none.
const PLACEHOLDER_KEYS: [&str; 6] = [
    "anything",
    "lm-studio",
    "no-key-required",
    "not-needed",
    "placeholder",
    "sk-no-key-required",
];

/// Domains that no public server has (RFC 6761, 6762, 8375, and ICANN's `internal`); `lan` is what many routers use.
const PRIVATE_DOMAINS: [&str; 5] = [".localhost", ".local", ".home.arpa", ".internal", ".lan"];

/// A server with models, which the administrator added. It isn't serializable, so that no answer or file contains its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// Unique, ignoring case.
    pub name: String,
    pub url: UpstreamUrl,
    pub key: Option<UpstreamKey>,
    /// The models that assistants may use; if empty, all that the upstream lists.
    pub models: Vec<String>,
    pub form: UpstreamForm,
    pub added_at: Timestamp,
}

/// The API that a model's server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "kebab-case")]
#[oai(rename = "UpstreamForm", rename_all = "lowercase")]
pub enum UpstreamForm {
    /// `POST /chat/completions`, `GET /models` below the upstream's URL, which usually ends with `/v1`.
    OpenAi,
    /// Ollama's own, `POST /api/chat`, and OpenAI's below `/v1`.
    Ollama,
}

/// Why something that the administrator said about an upstream is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidUpstream {
    #[error("An upstream's name has 1 to 64 characters, and no control characters.")]
    Name,
    #[error(
        "An upstream's URL is such as https://api.example.org/v1 or http://127.0.0.1:11434, without a user's name, a question \
         mark or a #."
    )]
    Url,
    #[error("Ollama's own API is not below /v1. With --ollama, please leave /v1 out of the URL.")]
    OllamaBelowV1,
    #[error(
        "An upstream's key has 1 to 4096 characters, which are letters, digits and signs of ASCII, without spaces."
    )]
    Key,
    #[error("A model's name has 1 to 200 characters, and no control characters.")]
    Model,
    #[error("An upstream can be limited to at most 100 models.")]
    TooManyModels,
}

/// Checks an upstream's name, and returns it trimmed.
pub fn valid_upstream_name(name: &str) -> Result<String, InvalidUpstream> {
    trimmed(name, LONGEST_NAME).ok_or(InvalidUpstream::Name)
}

/// Checks the names of models, and returns them trimmed and without duplicates.
pub fn valid_models(models: &[String]) -> Result<Vec<String>, InvalidUpstream> {
    let mut valid = Vec::new();
    for model in models {
        let model = trimmed(model, LONGEST_MODEL).ok_or(InvalidUpstream::Model)?;
        if !valid.contains(&model) {
            valid.push(model);
        }
    }
    if valid.len() > MOST_MODELS {
        return Err(InvalidUpstream::TooManyModels);
    }
    Ok(valid)
}

fn trimmed(name: &str, longest: usize) -> Option<String> {
    let name = name.trim();
    let is_valid =
        !name.is_empty() && name.chars().count() <= longest && !name.chars().any(char::is_control);
    is_valid.then(|| name.to_owned())
}

/// An absolute `http` or `https` URL without user info, query and fragment, and without a slash at the end. A request's path is
/// appended to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UpstreamUrl(Url);

impl UpstreamUrl {
    /// The host, with the port unless it is the scheme's default: what pages show of the URL.
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        match self.0.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Whether the host is on a private network, as far as its name tells: a private address, a name without a dot, or one below
    /// a domain that is reserved for home networks.
    pub fn is_private(&self) -> bool {
        match self.0.host() {
            Some(Host::Ipv4(address)) => {
                address.is_private() || address.is_loopback() || address.is_link_local()
            }
            Some(Host::Ipv6(address)) => match address.to_ipv4_mapped() {
                Some(address) => address.is_private() || address.is_loopback(),
                None => {
                    address.is_loopback()
                        || address.is_unique_local()
                        || address.is_unicast_link_local()
                }
            },
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                let mut domains = PRIVATE_DOMAINS.iter();
                !name.contains('.') || domains.any(|domain| name.ends_with(domain))
            }
            None => false,
        }
    }

    /// The port, if the host is this machine by a loopback address, the unspecified one, or one of its own.
    pub fn port_on(&self, own: &[IpAddr]) -> Option<u16> {
        let is_own = |address: IpAddr| address.is_unspecified() || own.contains(&address);
        let is_here = is_loopback(&self.0)
            || match self.0.host()? {
                Host::Ipv4(address) => is_own(address.into()),
                Host::Ipv6(address) => is_own(address.into()),
                Host::Domain(_) => false,
            };
        self.0.port_or_known_default().filter(|_| is_here)
    }

    pub fn ends_with_v1(&self) -> bool {
        self.0.path().trim_end_matches('/').ends_with("/v1")
    }

    /// The URL to use instead when a request for `path` is redirected, without user info, query and fragment; `None` if `location`
    /// is no URL.
    pub fn redirected_to(&self, path: &str, location: &str) -> Option<String> {
        let mut to = Url::parse(&format!("{self}{path}"))
            .ok()?
            .join(location)
            .ok()?;
        if let Some(base) = to.path().strip_suffix(path).map(str::to_owned) {
            to.set_path(&base);
        }
        to.set_query(None);
        to.set_fragment(None);
        // They fail only for URLs that have no host, and therefore no user info.
        let _ = to.set_username("");
        let _ = to.set_password(None);
        Some(to.into())
    }
}

impl FromStr for UpstreamUrl {
    type Err = InvalidUpstream;

    fn from_str(text: &str) -> Result<Self, InvalidUpstream> {
        let url = server_url(text).filter(|url| url.query().is_none());
        url.map(Self).ok_or(InvalidUpstream::Url)
    }
}

impl fmt::Display for UpstreamUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

impl TryFrom<String> for UpstreamUrl {
    type Error = InvalidUpstream;

    fn try_from(text: String) -> Result<Self, InvalidUpstream> {
        text.parse()
    }
}

impl From<UpstreamUrl> for String {
    fn from(url: UpstreamUrl) -> Self {
        url.to_string()
    }
}

/// The key with which Porchlight authenticates at an upstream. It has no `Display`, and its `Debug` is redacted.
#[derive(Clone, PartialEq, Eq)]
pub struct UpstreamKey(String);

impl UpstreamKey {
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it only stands for a key, such as "none".
    fn is_placeholder(&self) -> bool {
        let mut known = PLACEHOLDER_KEYS.iter();
        self.0.len() < SHORTEST_SECRET || known.any(|known| known.eq_ignore_ascii_case(&self.0))
    }

    /// Whether these bytes contain the key, if it is secret.
    pub fn is_leaked_in(&self, bytes: &[u8]) -> bool {
        if self.is_placeholder() {
            return false;
        }
        let key = self.0.as_bytes();
        bytes.windows(key.len()).any(|window| window == key)
    }

    /// The value of the `Authorization` header (RFC 6750, section 2.1).
    pub(super) fn bearer(&self) -> HeaderValue {
        let bearer = format!("Bearer {}", self.0);
        let mut value = HeaderValue::from_str(&bearer).expect("a key is printable ASCII");
        value.set_sensitive(true);
        value
    }
}

impl FromStr for UpstreamKey {
    type Err = InvalidUpstream;

    fn from_str(text: &str) -> Result<Self, InvalidUpstream> {
        let text = text.trim();
        let is_valid = (1..=LONGEST_KEY).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidUpstream::Key)
        }
    }
}

impl fmt::Debug for UpstreamKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UpstreamKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upstreams_url_is_kept_without_a_slash_at_the_end() {
        for (given, kept) in [
            ("https://api.example.org/v1", "https://api.example.org/v1"),
            (
                " https://api.example.org:443/v1// ",
                "https://api.example.org/v1",
            ),
            ("http://127.0.0.1:11434/", "http://127.0.0.1:11434"),
            ("http://NAS.local:8080", "http://nas.local:8080"),
            ("http://[::1]:1/a%20b", "http://[::1]:1/a%20b"),
        ] {
            let url = given.parse::<UpstreamUrl>().unwrap();
            assert_eq!(url.to_string(), kept);
            assert_eq!(kept.parse::<UpstreamUrl>(), Ok(kept.parse().unwrap()));
        }
        for refused in [
            "",
            "api.example.org/v1",
            "ftp://api.example.org",
            "file:///v1",
            "https://me:pw@api.example.org",
            "https://me@api.example.org",
            "https://api.example.org/?a",
            "https://api.example.org/#a",
        ] {
            let url = refused.parse::<UpstreamUrl>();
            assert_eq!(url, Err(InvalidUpstream::Url), "{refused}");
        }
    }

    #[test]
    fn a_page_shows_the_host_alone() {
        for (url, host) in [
            ("https://api.example.org/v1", "api.example.org"),
            ("http://127.0.0.1:11434", "127.0.0.1:11434"),
            ("http://[::1]:1/v1", "[::1]:1"),
        ] {
            assert_eq!(url.parse::<UpstreamUrl>().unwrap().host(), host);
        }
    }

    #[test]
    fn a_host_is_private_only_if_its_name_says_so() {
        for private in [
            "http://127.0.0.1:11434",
            "http://192.168.1.2/v1",
            "http://10.0.0.7",
            "http://169.254.1.1",
            "http://[::1]:1",
            "http://[fd00::1]",
            "http://[fe80::1]",
            "http://[::ffff:192.168.1.2]",
            "http://localhost:8080",
            "http://ollama:11434",
            "https://nas.local",
            "https://nas.local.",
            "https://nas.home.arpa",
        ] {
            assert!(
                private.parse::<UpstreamUrl>().unwrap().is_private(),
                "{private}"
            );
        }
        for public in [
            "https://api.example.org/v1",
            "https://192.168.1.2.example.org",
            "https://local.example",
            "https://notlocal.org",
            "http://8.8.8.8",
            "http://172.32.0.1",
            "http://[2001:db8::1]",
            "http://[::ffff:8.8.8.8]",
        ] {
            assert!(
                !public.parse::<UpstreamUrl>().unwrap().is_private(),
                "{public}"
            );
        }
    }

    #[test]
    fn a_redirects_target_is_shown_without_what_may_be_secret() {
        let url = "https://api.example.org/v1".parse::<UpstreamUrl>().unwrap();

        for (location, shown) in [
            ("/v2/models", "https://api.example.org/v2"),
            ("models/", "https://api.example.org/v1/models/"),
            (
                "http://me:pw@other.example/?key=k#f",
                "http://other.example/",
            ),
        ] {
            assert_eq!(
                url.redirected_to("/models", location).as_deref(),
                Some(shown)
            );
        }
        assert_eq!(url.redirected_to("/models", "https://"), None);
    }

    #[test]
    fn names_of_upstreams_and_models_are_trimmed_and_bounded() {
        assert_eq!(valid_upstream_name(" Home ").as_deref(), Ok("Home"));
        for refused in ["", " ", "a\nb", &"ä".repeat(65)] {
            assert_eq!(valid_upstream_name(refused), Err(InvalidUpstream::Name));
        }
        let models = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned());
            valid_models(&names.collect::<Vec<_>>())
        };
        let valid = models(&["llama3", " qwen:7b", "llama3"]);
        assert_eq!(valid, Ok(vec!["llama3".to_owned(), "qwen:7b".to_owned()]));
        assert_eq!(models(&[""]), Err(InvalidUpstream::Model));
        let many = (0..101).map(|number| number.to_string());
        let many = valid_models(&many.collect::<Vec<_>>());
        assert_eq!(many, Err(InvalidUpstream::TooManyModels));
    }

    #[test]
    fn a_placeholder_for_a_key_is_not_secret() {
        let is_leaked = |key: &str, body: &str| {
            let key = key.parse::<UpstreamKey>().unwrap();
            key.is_leaked_in(body.as_bytes())
        };

        for placeholder in ["none", "EMPTY", "ollama", "lm-studio", "Not-Needed"] {
            let body = format!("{{\"error\": \"There is {placeholder}.\"}}");
            assert!(!is_leaked(placeholder, &body), "{placeholder}");
        }
        assert!(is_leaked("sk-canary", "The key sk-canary is wrong."));
        assert!(!is_leaked("sk-canary", "The key sk-c… is wrong."));
    }

    #[test]
    fn a_key_fits_into_a_header_and_is_not_shown() {
        let key = "sk-canary\n".parse::<UpstreamKey>().unwrap();
        assert_eq!(key.bearer(), "Bearer sk-canary");
        assert!(!format!("{key:?} {:?}", key.bearer()).contains("canary"));

        for refused in ["", " ", "a b", "a\nb", "schlüssel", &"k".repeat(4_097)] {
            let key = refused.parse::<UpstreamKey>();
            assert_eq!(key, Err(InvalidUpstream::Key), "{refused:?}");
        }
    }
}
