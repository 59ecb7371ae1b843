//! The commands on upstreams, as they are typed.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;

use crate::support::process::{Home, text};

const KEY: &str = "sk-canary-90aa";

/// Answers each request with what it received as an error, as some servers do.
fn echoing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut request) = (stream.unwrap(), [0; 4_096]);
            let read = stream.read(&mut request).unwrap();
            let body = String::from_utf8_lossy(&request[..read]).into_owned();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    url
}

#[test]
fn the_key_of_an_upstream_is_printed_and_logged_nowhere() {
    let home = Home::new();
    let server = home.serve(&["--log", "debug"]);
    std::fs::write(home.path().join("key"), format!("{KEY}\n")).unwrap();
    let url = echoing();

    let add = [
        "upstream",
        "add",
        "cloud",
        "--url",
        &url,
        "--key-file",
        "key",
    ];
    let commands: [&[&str]; 7] = [
        &add,
        &add,
        &["upstream", "list"],
        &["upstream", "list", "--json"],
        &["upstream", "test", "cloud"],
        &["upstream", "test", "cloud", "--model", "large", "--json"],
        &["export", "--json"],
    ];
    let outputs = commands.map(|command| home.run(command));
    let (_, log) = server.terminate_with_log();

    let codes = outputs.each_ref().map(|output| output.status.code());
    assert_eq!(codes[..5], [0, 1, 0, 0, 1].map(Some));
    let refused = text(&outputs[4].stderr);
    assert_eq!(refused, "The upstream refuses its key (status 401).\n");
    for output in outputs {
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(!printed.contains(KEY), "{printed}");
    }
    assert!(!log.contains(KEY), "{log}");
}

#[test]
fn a_key_can_come_from_the_standard_input() {
    let home = Home::new();
    let arguments = [
        "upstream",
        "add",
        "a",
        "--url",
        "http://a.example/v1",
        "--key-file",
        "-",
    ];
    let mut command = home.command(&arguments);
    let mut adding = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = adding.stdin.take().unwrap();
    input.write_all(KEY.as_bytes()).unwrap();
    drop(input);

    assert!(adding.wait().unwrap().success());

    let listed = home.json(&["upstream", "list"]);
    assert_eq!(listed[0]["has_key"], true);
    let missing = home.refused(&[
        "upstream",
        "add",
        "b",
        "--url",
        "http://b.example",
        "--key-file",
        "nowhere",
    ]);
    assert!(missing.starts_with("nowhere cannot be read"), "{missing}");
}

#[test]
fn upstreams_and_assistants_are_listed_with_each_other() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    home.ok(&[
        "upstream",
        "add",
        "Home",
        "--ollama",
        "--url",
        "http://127.0.0.1:11434",
        "--model",
        "llama3",
    ]);
    home.ok(&[
        "assistant",
        "add",
        "kitchen",
        "--child",
        "1",
        "--upstream",
        "home",
    ]);
    let chosen = home.ok(&["assistant", "upstream", "kitchen", "home", "--open"]);

    let upstreams = home.ok(&["upstream", "list"]);
    let assistants = home.ok(&["assistant", "list"]);
    let refused = home.refused(&["upstream", "remove", "home"]);

    assert_eq!(chosen, "kitchen talks through Home (open) from now on.\n");
    assert_eq!(
        upstreams,
        "Name  URL                     API     Key  Models  Assistants\n\
         Home  http://127.0.0.1:11434  Ollama  -    llama3  kitchen\n"
    );
    let row = assistants.lines().nth(1).unwrap();
    assert!(
        row.starts_with("kitchen  1         Home (open)  20"),
        "{row}"
    );
    assert!(refused.contains("used by kitchen"), "{refused}");
}

#[test]
fn a_url_that_is_none_is_refused_before_anything_is_done() {
    let home = Home::new();

    let output = home.run(&[
        "upstream",
        "add",
        "a",
        "--url",
        "https://me:pw@a.example/v1",
    ]);

    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("An upstream's URL is such as"), "{said}");
    assert!(!home.data().exists());
}
