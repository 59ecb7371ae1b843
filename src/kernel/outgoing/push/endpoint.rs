//! Which addresses are those of a push service. A browser sends them, so somebody hostile may write them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The hosts of the services that browsers use: Chrome and most others, Firefox, Safari, Edge.
const KNOWN: [&str; 4] = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
];

/// Known ones have some 200 to 500 bytes.
const LONGEST: usize = 2048;

/// A further host that the administrator allows, with its subdomains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushHost(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A push service's host is a name such as push.example.org, without https:// and a port.")]
pub struct NotAPushHost;

impl FromStr for PushHost {
    type Err = NotAPushHost;

    fn from_str(text: &str) -> Result<Self, NotAPushHost> {
        let text = text.trim();
        match Host::parse(text) {
            Ok(Host::Domain(name)) if name.contains('.') && !name.ends_with('.') => Ok(Self(name)),
            _ => Err(NotAPushHost),
        }
    }
}

impl fmt::Display for PushHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The address of one subscription at a push service. Whoever has it and its keys can send messages, so `Debug` is redacted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Endpoint(Url);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Porchlight doesn't know this browser's push service.")]
pub struct InvalidEndpoint;

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Endpoint(…)")
    }
}

impl Endpoint {
    /// Accepts https on port 443, without user info, of a known service or of these hosts.
    pub fn parse(text: &str, more: &[PushHost]) -> Result<Self, InvalidEndpoint> {
        if text.len() > LONGEST {
            return Err(InvalidEndpoint);
        }
        let url = Url::parse(text).map_err(|_| InvalidEndpoint)?;
        let endpoint = Self(url);
        if endpoint.is_allowed(more) && endpoint.as_str().parse::<hyper::Uri>().is_ok() {
            Ok(endpoint)
        } else {
            Err(InvalidEndpoint)
        }
    }

    /// Checked again before each request, because the administrator may have removed a host.
    pub fn is_allowed(&self, more: &[PushHost]) -> bool {
        let Some(Host::Domain(host)) = self.0.host() else {
            return false;
        };
        let mut allowed = KNOWN
            .into_iter()
            .chain(more.iter().map(|host| host.0.as_str()));
        let is_below = |allowed: &str| {
            let sub = host.strip_suffix(allowed);
            sub.is_some_and(|sub| sub.is_empty() || sub.ends_with('.'))
        };
        self.0.scheme() == "https"
            // `None` also for `:443`.
            && self.0.port().is_none()
            && self.0.username().is_empty()
            && self.0.password().is_none()
            && self.0.fragment().is_none()
            && allowed.any(is_below)
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The origin of the service.
    pub(super) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_known_services_and_their_subdomains_are_endpoints() {
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://wns2-par02p.notify.windows.com/w/?token=a%2bb",
            "https://FCM.googleapis.com:443/fcm/send/abc",
            // What is parsed is what is requested: to both, this is a path.
            "https://fcm.googleapis.com\\@192.168.1.1/a",
        ] {
            let parsed = Endpoint::parse(endpoint, &[]).unwrap();
            assert_eq!(format!("{parsed:?}"), "Endpoint(…)");
        }
        for hostile in [
            "",
            "fcm.googleapis.com",
            "http://fcm.googleapis.com/a",
            "ftp://fcm.googleapis.com/a",
            "https://fcm.googleapis.com:8443/a",
            "https://fcm.googleapis.com:80/a",
            "https://me@fcm.googleapis.com/a",
            "https://me:x@fcm.googleapis.com/a",
            "https://fcm.googleapis.com@192.168.1.1/a",
            "https://fcm.googleapis.com/a#b",
            "https://fcm.googleapis.com./a",
            "https://fcm.googleapis.com.example.org/a",
            "https://fcm-googleapis.com/a",
            "https://evilfcm.googleapis.com/a",
            "https://notpush.apple.com/a",
            "https://googleapis.com/a",
            "https://storage.googleapis.com/a",
            "https://ｆcm.googleapis.com.evil/a",
            "https://fcm.gооgleapis.com/a",
            "https://127.0.0.1/a",
            "https://[::1]/a",
            "https://localhost/a",
            "https://192.168.1.1/fcm.googleapis.com",
            "https://2130706433/a",
            "https://router.home/a",
        ] {
            let refused = Endpoint::parse(hostile, &[]);
            assert_eq!(refused, Err(InvalidEndpoint), "{hostile}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(LONGEST));
        assert!(Endpoint::parse(&long, &[]).is_err());
    }

    #[test]
    fn a_further_host_is_allowed_by_the_same_rules() {
        let more = ["push.example.org".parse().unwrap()];
        let parse = |text| Endpoint::parse(text, &more);

        let endpoint = parse("https://eu.push.example.org/a").unwrap();
        assert!(parse("https://push.example.org/a").is_ok());
        for hostile in [
            "https://push.example.org:8443/a",
            "http://push.example.org/a",
            "https://me@push.example.org/a",
            "https://example.org/a",
            "https://notpush.example.org/a",
        ] {
            assert_eq!(parse(hostile), Err(InvalidEndpoint), "{hostile}");
        }
        assert!(!endpoint.is_allowed(&[]), "the administrator removed it");
        for nonsense in [
            "",
            "localhost",
            "127.0.0.1",
            "[::1]",
            "https://push.example.org",
            "a.b:1",
            "a.b/c",
        ] {
            assert!(nonsense.parse::<PushHost>().is_err(), "{nonsense}");
        }
    }
}
