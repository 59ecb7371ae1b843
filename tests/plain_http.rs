//! Plain HTTP on the port that serves HTTPS.

use std::io::Write;
use std::net::TcpStream;

use crate::support::process::Home;

/// Sends these lines without TLS. Returns the whole response.
fn send(host: &str, lines: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!("{lines}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    std::io::read_to_string(&mut stream).unwrap()
}

#[test]
fn page_requests_are_redirected_to_https_and_all_others_are_refused() {
    let home = Home::new();
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    std::fs::write(home.path().join("cert"), made.cert.pem()).unwrap();
    std::fs::write(home.path().join("key"), made.signing_key.serialize_pem()).unwrap();
    let server = home.serve(&["--tls-cert", "cert", "--tls-key", "key"]);
    let host = server.url.strip_prefix("https://").unwrap().to_owned();
    let host_line = format!("host: {host}");

    let page = send(&host, &format!("GET /login?a=b HTTP/1.1\r\n{host_line}"));
    let call = send(
        &host,
        &format!("GET /api/children HTTP/1.1\r\n{host_line}\r\nauthorization: Bearer key"),
    );
    let written = send(
        &host,
        &format!("POST / HTTP/1.1\r\n{host_line}\r\ncontent-length: 0"),
    );
    let elsewhere = send(&host, "GET /login HTTP/1.1\r\nhost: evil.example");

    assert!(page.starts_with("HTTP/1.1 308"), "{page}");
    assert!(
        page.contains(&format!("location: https://{host}/login?a=b")),
        "{page}"
    );
    for refused in [call, written] {
        assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
        assert!(refused.contains("This address speaks https"), "{refused}");
    }
    assert!(elsewhere.starts_with("HTTP/1.1 421"), "{elsewhere}");
    assert!(!elsewhere.contains("location"), "{elsewhere}");
}
