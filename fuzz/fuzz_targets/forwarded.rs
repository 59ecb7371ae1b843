//! With any headers from the client, its address is the one that the trusted proxy saw.

#![no_main]

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;
use porchlight::server::TrustedProxies;

// Each line of the input is a header line from the client.
fuzz_target!(|bytes: &[u8]| {
    let proxies = TrustedProxies::new(["10.0.0.0/8".parse().expect("a network")]);
    let (proxy, seen, stranger) = (
        IpAddr::from([10, 0, 0, 1]),
        IpAddr::from([198, 51, 100, 7]),
        IpAddr::from([192, 0, 2, 1]),
    );
    let mut headers = HeaderMap::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if let Ok(line) = HeaderValue::from_bytes(line) {
            headers.append("x-forwarded-for", line);
        }
    }

    // Without a proxy the header is ignored.
    assert_eq!(proxies.client(stranger, &headers), stranger);
    // If the proxy adds no header, parsing must still terminate.
    let _ = proxies.client(proxy, &headers);
    // Some proxies add a header line.
    let mut own_line = headers.clone();
    own_line.append("x-forwarded-for", HeaderValue::from_static("198.51.100.7"));
    assert_eq!(proxies.client(proxy, &own_line), seen);
    // Most append to the client's last line.
    let mut joined = HeaderMap::new();
    let lines = headers
        .get_all("x-forwarded-for")
        .iter()
        .collect::<Vec<_>>();
    if let Some((last, before)) = lines.split_last() {
        for line in before {
            joined.append("x-forwarded-for", (*line).clone());
        }
        let longer = [last.as_bytes(), b", 198.51.100.7"].concat();
        if let Ok(longer) = HeaderValue::from_bytes(&longer) {
            joined.append("x-forwarded-for", longer);
            assert!([seen, proxy].contains(&proxies.client(proxy, &joined)));
        }
    }
});
