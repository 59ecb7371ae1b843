//! Parses further host names of the server.

use std::net::Ipv6Addr;

use crate::kernel::host::public_url::PublicUrl;

/// Parses a host name as a browser sends it in `Host`. A port is ignored, because a host is accepted with any port. From a URL
/// such as `http://nas.local:8080` the host is taken.
pub(super) fn host_name(text: &str) -> Result<String, String> {
    let text = text.trim();
    let address = match (text.contains("://"), text.parse::<Ipv6Addr>()) {
        (true, _) => text.to_owned(),
        (false, Ok(address)) => format!("http://[{address}]"),
        (false, Err(_)) => format!("http://{text}"),
    };
    let url = address.parse::<PublicUrl>().ok();
    let host = url.as_ref().map(|url| url.host().trim_end_matches('.'));
    let is_name = |host: &&str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.[]:".contains(c);
        !host.is_empty() && host.chars().all(allowed)
    };
    host.filter(is_name).map(str::to_owned).ok_or_else(|| {
        "please write a host name alone, such as nas.local, and several with commas between them".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_from_a_name_or_an_address() {
        let cases = [
            ("nas.local", "nas.local"),
            (" nas.fritz.box ", "nas.fritz.box"),
            ("NAS.local:8080", "nas.local"),
            ("nas.local.", "nas.local"),
            ("http://nas.local:8080/", "nas.local"),
            ("https://porch.example", "porch.example"),
            ("192.168.1.20", "192.168.1.20"),
            ("fd77::2", "[fd77::2]"),
            ("[fd77::2]:8080", "[fd77::2]"),
            ("müller.local", "xn--mller-kva.local"),
        ];

        for (text, host) in cases {
            assert_eq!(host_name(text).as_deref(), Ok(host), "{text}");
        }
    }

    #[test]
    fn what_names_no_host_is_refused() {
        for text in [
            "",
            " ",
            "*",
            "*.local",
            "nas.local/app",
            "https://nas.local/app",
            "nas local",
            "me@nas.local",
            "ftp://nas.local",
        ] {
            assert!(host_name(text).is_err(), "{text}");
        }
    }
}
