//! Who looked, with the real binary: what is written when the server ends, and what the administrator does without a server.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::process::{Home, Server, text, wait_for};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// Signs in with a link, as a browser. Returns the identity token.
fn sign_in(home: &Home, server: &Server) -> String {
    let link = home.json(&["sign-in-link", ADA])["link"].clone();
    let (_, token) = link.as_str().unwrap().split_once("#token=").unwrap();
    let body = json!({"email": ADA, "token": token}).to_string();
    let (url, host) = (&server.url, server.url.strip_prefix("http://").unwrap());
    let head = format!(
        "POST /api/auth/sign-in HTTP/1.1\r\nhost: {host}\r\norigin: {url}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = text(&answer);
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body = serde_json::from_str::<Value>(body).unwrap_or_else(|_| panic!("{answer}"));
    body["identity_token"].as_str().unwrap().to_owned()
}

fn get(server: &Server, path: &str, token: &str) -> Value {
    let (status, body) = server.request("GET", path, token, None).unwrap();
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

#[test]
fn what_was_noted_is_written_when_the_server_ends_and_scheduled_backups_are_no_copies() {
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Mia", "--guardian", ADA]);
    let key = home.json(&["assistant", "add", "Kitchen", "--child", "1"])["key"].clone();
    let scheduled = [
        "--backup-dir=backups",
        "--backup-dir-create",
        "--backup-every=1s",
    ];
    let server = home.serve(&scheduled);
    let said = json!({"session": "s", "messages": [{"message_id": "1", "text_content": "Hello"}]});
    let said = said.to_string();
    let path = "/api/assistant/deliveries";
    let delivered = server.request("POST", path, key.as_str().unwrap(), Some(&said));
    assert_eq!(delivered.unwrap().0, 200);
    let backups = home.path().join("backups");
    wait_for(|| std::fs::read_dir(&backups).ok()?.next()?.ok());

    get(
        &server,
        "/api/sessions/1/messages",
        &sign_in(&home, &server),
    );
    assert_eq!(server.terminate(), Some(0));

    let server = home.serve(&scheduled);
    let looks = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    let today = looks["today"].clone();
    assert_eq!(looks["own"][0]["read"], true, "{looks}");
    let administrator = json!({
        "by": "command_line", "weeks": [], "copies": [], "sign_in_links": [today],
    });
    assert_eq!(looks["others"], json!([administrator]));
    assert_eq!(server.terminate(), Some(0));

    home.ok(&["backup", "by-hand"]);
    let server = home.serve(&[]);
    let looks = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    assert_eq!(looks["others"][0]["copies"], json!([today]));
    // What is written outlives a kill.
    server.kill();
    let server = home.serve(&[]);
    let looks = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    assert_eq!(looks["own"][0]["read"], true);
}
