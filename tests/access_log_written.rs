//! Who looked, with the real binary: what is written when the server ends, and what the administrator does without a server.

use crate::support::process::{Home, Server, wait_for};
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";

/// Signs in with a link, as a browser. Returns the identity token.
fn sign_in(home: &Home, server: &Server) -> String {
    let link = home.json(&["sign-in-link", ADA])["link"].clone();
    server.sign_in(ADA, link.as_str().unwrap())
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
    let access_log = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    let today = access_log["today"].clone();
    assert_eq!(access_log["own"][0]["read"], true, "{access_log}");
    let administrator = json!({
        "by": "command_line", "weeks": [], "copies": [], "sign_in_links": [today],
    });
    assert_eq!(access_log["others"], json!([administrator]));
    assert_eq!(server.terminate(), Some(0));

    home.ok(&["backup", "by-hand"]);
    let server = home.serve(&[]);
    let access_log = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    assert_eq!(access_log["others"][0]["copies"], json!([today]));
    // What is written outlives a kill.
    server.kill();
    let server = home.serve(&[]);
    let access_log = get(&server, "/api/child/1/looks", &sign_in(&home, &server));
    assert_eq!(access_log["own"][0]["read"], true);
}
