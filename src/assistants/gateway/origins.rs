//! Browser clients: the origins whose pages may use the gateway (the Fetch standard's CORS protocol). Others get nothing.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use url::Url;

/// What a page may read of a response besides the headers that every page may.
const EXPOSED: HeaderValue =
    HeaderValue::from_static("porchlight-dropped, porchlight-rules, retry-after, content-length");

const METHODS: HeaderValue = HeaderValue::from_static("GET, POST");

/// For how many seconds a browser remembers the answer.
const REMEMBERED: HeaderValue = HeaderValue::from_static("600");

/// Headers that a preflight request asks for, in bytes. Clients of OpenAI's package ask for 300.
const LONGEST_LIST: usize = 2_000;

/// An origin as a browser sends it, such as `https://chat.example.org`, or an extension's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "please write an origin such as https://chat.example.org or http://192.168.1.20:3000, without a path and without *"
)]
pub struct InvalidOrigin;

impl FromStr for Origin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let url = Url::parse(text.trim()).map_err(|_| InvalidOrigin)?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or(InvalidOrigin)?;
        let is_bare = matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !is_bare || host.contains('*') {
            return Err(InvalidOrigin);
        }
        let port = url
            .port()
            .map_or_else(String::new, |port| format!(":{port}"));
        let origin = format!("{}://{host}{port}", url.scheme());
        Ok(Self(origin.to_ascii_lowercase()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The origins that the administrator named. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Origins(Arc<[Origin]>);

impl FromIterator<Origin> for Origins {
    fn from_iter<T: IntoIterator<Item = Origin>>(origins: T) -> Self {
        Self(origins.into_iter().collect())
    }
}

impl Origins {
    /// The request's origin, if the administrator named it.
    pub fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let sent = headers.get(header::ORIGIN)?;
        let mut all = self.0.iter();
        all.any(|origin| origin.0.as_bytes() == sent.as_bytes())
            .then(|| sent.clone())
    }
}

/// The status and headers of the answer to a preflight request; `None` if the request isn't one. Credentials are never allowed:
/// the key comes in a header that the page sets.
pub fn preflight(method: &Method, headers: &HeaderMap) -> Option<(StatusCode, HeaderMap)> {
    if *method != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    let mut answer = HeaderMap::new();
    answer.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    answer.insert(header::ACCESS_CONTROL_MAX_AGE, REMEMBERED);
    if let Some(asked) = headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS)
        && asked.len() <= LONGEST_LIST
        && asked.to_str().is_ok_and(is_list)
    {
        answer.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    Some((StatusCode::NO_CONTENT, answer))
}

/// Lets a page of this origin read a response.
pub fn allow(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}

/// Whether the text is a list of headers' names. `*` isn't one of them.
fn is_list(text: &str) -> bool {
    text.split(',')
        .all(|name| name.trim() != "*" && name.trim().parse::<HeaderName>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_as_a_browser_sends_it() {
        for (text, expected) in [
            ("https://chat.example.org", "https://chat.example.org"),
            (
                " https://Chat.Example.org:443/ ",
                "https://chat.example.org",
            ),
            ("http://192.168.1.20:3000", "http://192.168.1.20:3000"),
            ("http://[fd77::2]:3000", "http://[fd77::2]:3000"),
            ("app://obsidian.md", "app://obsidian.md"),
            (
                "chrome-extension://jfgfiigpkhlkbnfnbobbkinehhfdhndo",
                "chrome-extension://jfgfiigpkhlkbnfnbobbkinehhfdhndo",
            ),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().0, expected, "{text}");
        }
        for text in [
            "",
            "*",
            "null",
            "https://*",
            "https://*.example.org",
            "https://chat.example.org/app",
            "https://chat.example.org?a",
            "https://ada@chat.example.org",
            "chat.example.org",
            "file:///",
        ] {
            assert_eq!(text.parse::<Origin>(), Err(InvalidOrigin), "{text}");
        }
    }

    #[test]
    fn only_names_of_headers_are_repeated_to_a_browser() {
        for (asked, is_repeated) in [
            ("authorization, content-type", true),
            ("x-stainless-arch", true),
            ("*", false),
            ("authorization,*", false),
            ("a b", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_str(asked).unwrap();
            headers.insert(header::ACCESS_CONTROL_REQUEST_METHOD, METHODS);
            headers.insert(header::ACCESS_CONTROL_REQUEST_HEADERS, value);
            let (_, answer) = preflight(&Method::OPTIONS, &headers).unwrap();
            let repeated = answer.contains_key(header::ACCESS_CONTROL_ALLOW_HEADERS);
            assert_eq!(repeated, is_repeated, "{asked}");
        }
    }
}
