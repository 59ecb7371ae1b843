//! How much memory a body takes. A process of its own reads each, because the peak of a process never falls.

use std::process::Command;

use super::*;

const BODY: usize = 2 * 1024 * 1024;

/// The peak may grow by so many times the body's size.
const MULTIPLE: usize = 16;

const NAME: &str = "PORCHLIGHT_TEST_BODY";

/// Bodies that took a hundred times their size when they were built in memory.
fn hostile(kind: &str) -> String {
    let repeated = |text: &str| text.repeat(BODY / text.len());
    match kind {
        "lists" => format!(r#"{{"x":[{}1],"messages":[]}}"#, repeated(r#"{"a":0},"#)),
        "names" => {
            let names = (0..BODY / 12).map(|number| format!(r#""{number:07x}":0,"#));
            format!(r#"{{{}"messages":[]}}"#, names.collect::<String>())
        }
        "parts" => {
            let parts = repeated(r#"{"x":0,"type":"text","text":""},"#);
            format!(r#"{{"messages":[{{"role":"user","content":[{parts}""]}}]}}"#)
        }
        "strings" => {
            let strings = repeated(r#""","#);
            format!(r#"{{"messages":[{{"role":"user","content":[{strings}""]}}]}}"#)
        }
        "messages" => {
            let messages = r#"{"role":"user"},"#.repeat(MAX_MESSAGES - 1);
            format!(r#"{{"messages":[{messages}{{"role":"user"}}]}}"#)
        }
        "text" => {
            let text = repeated("a");
            format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#)
        }
        "halves" => {
            let text = repeated(r"\ud83d");
            format!(r#"{{"messages":[{{"role":"user","content":"{text}"}}]}}"#)
        }
        _ => unreachable!("{kind}"),
    }
}

/// The peak of this process's memory, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.unwrap().split_whitespace().nth(1).unwrap();
    kibibytes.parse::<usize>().unwrap() * 1024
}

#[test]
fn a_body_takes_a_small_multiple_of_its_size() {
    if let Ok(kind) = std::env::var(NAME) {
        let body = hostile(&kind);
        let before = peak();
        let chat = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();
        drop(chat.compose(RULES, "m").unwrap());
        drop(chat);
        let grown = peak() - before;
        assert!(grown <= MULTIPLE * BODY, "{kind}: {} MiB", grown >> 20);
        return;
    }
    for kind in [
        "lists", "names", "parts", "strings", "messages", "text", "halves",
    ] {
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["a_body_takes_a_small_multiple_of_its_size", "--nocapture"])
            .env(NAME, kind)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{kind}: {output}");
        let ran = String::from_utf8_lossy(&run.stdout);
        assert!(ran.contains("1 passed"), "{ran}");
    }
}
