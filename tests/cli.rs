//! The administrator's commands, with and without a running server.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::support::process::{Home, text, wait_for};
use serde_json::{Value, json};

/// Replaces the values that differ between runs: ids, times and secrets.
fn settled(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                let by_nature = ["id", "added_at", "key", "link", "identity_token"];
                *field = if by_nature.contains(&name.as_str()) {
                    json!("…")
                } else {
                    settled(field.take())
                };
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = settled(item.take())),
        _ => {}
    }
    value
}

/// Runs every command. Returns the JSON and the text output.
fn journey(home: &Home) -> Vec<String> {
    let steps: [&[&str]; 27] = [
        &["guardian", "list"],
        &["guardian", "add", "ada@example.org", "--name", "Ada"],
        &["guardian", "add", "bob@example.org"],
        &["child", "add", "Mia", "--guardian", "ada@example.org"],
        &["child", "link", "1", "--guardian", "bob@example.org"],
        &["child", "rename", "1", "Mia Lou"],
        &["child", "unlink", "1", "--guardian", "bob@example.org"],
        &["upstream", "add", "home", "--url", "http://127.0.0.1:1/v1"],
        &[
            "assistant",
            "add",
            "kitchen",
            "--child",
            "1",
            "--upstream",
            "home",
        ],
        &["assistant", "list"],
        &["assistant", "upstream", "kitchen", "Home", "--open"],
        &["upstream", "list"],
        &["assistant", "upstream", "kitchen", "--none"],
        &["upstream", "remove", "home"],
        &["upstream", "list"],
        &["assistant", "rotate", "Kitchen"],
        &["sign-in-link", "ada@example.org"],
        &["token", "ada@example.org"],
        &["guardian", "sign-out", "ada@example.org"],
        &[
            "guardian",
            "change-email",
            "bob@example.org",
            "rob@example.org",
        ],
        &["guardian", "list"],
        &["child", "list"],
        &["assistant", "revoke", "kitchen"],
        &["guardian", "remove", "ada@example.org"],
        &["child", "list"],
        &["child", "remove", "1", "--confirm", "Mia Lou"],
        &["child", "list"],
    ];
    let refusals: [&[&str]; 9] = [
        &["guardian", "add", "rob@example.org"],
        &["guardian", "remove", "nobody@example.org"],
        &["guardian", "sign-out", "nobody@example.org"],
        &["child", "rename", "7", "Leo"],
        &["child", "remove", "7", "--confirm", "Leo"],
        &["assistant", "rotate", "kitchen"],
        &["assistant", "upstream", "kitchen", "home"],
        &["upstream", "test", "home"],
        &["sign-in-link", "nobody@example.org"],
    ];
    let done = steps
        .iter()
        .map(|step| settled(home.json(step)).to_string());
    let done = done.collect::<Vec<_>>();
    let refused = refusals
        .iter()
        .map(|step| home.refused(step))
        .collect::<Vec<_>>();
    [done, refused].concat()
}

#[test]
fn the_administrators_journey_is_the_same_with_and_without_a_server() {
    let (alone, served) = (Home::new(), Home::new());
    let server = served.serve(&[]);

    let without = journey(&alone);
    let with = journey(&served);

    assert_eq!(with, without);
    assert_eq!(server.terminate(), Some(0));
    assert_eq!(served.ok(&["child", "list"]), alone.ok(&["child", "list"]));
}

#[test]
fn the_text_output_is_the_same_with_and_without_a_server() {
    let (alone, served) = (Home::new(), Home::new());
    let _server = served.serve(&[]);
    let steps: [&[&str]; 8] = [
        &["guardian", "add", "ada@example.org"],
        &["child", "add", "Mia", "--guardian", "ada@example.org"],
        &["guardian", "list"],
        &["child", "list"],
        &["assistant", "list"],
        &["upstream", "list"],
        &["upstream", "add", "home", "--url", "http://127.0.0.1:1/v1"],
        &["upstream", "list"],
    ];

    for step in steps {
        assert_eq!(served.ok(step), alone.ok(step), "{step:?}");
    }
}

#[test]
fn standard_output_contains_only_the_secret() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    let commands: [(&[&str], &str, &str); 3] = [
        (
            &["token", "ada@example.org"],
            "ey",
            "It holds for 10 minutes.",
        ),
        (
            &["sign-in-link", "ada@example.org"],
            "http://",
            "It works once",
        ),
        (
            &["assistant", "add", "robot", "--child", "1"],
            "ast_",
            "shown this once",
        ),
    ];

    for (command, begins_with, remark) in commands {
        let output = home.run(command);
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        assert!(printed.starts_with(begins_with), "{command:?}: {printed}");
        assert_eq!(
            printed.split_whitespace().count(),
            1,
            "{command:?}: {printed}"
        );
        assert!(said.contains(remark), "{command:?}: {said}");
    }
}

#[test]
fn a_command_exits_silently_when_the_pipe_is_closed() {
    let home = Home::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);

    let output = home.command(&["openapi"]).stdout(writer).output().unwrap();

    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

/// The commands that print a secret, and the advice when it could not be printed.
const SECRETS: [(&[&str], &str); 4] = [
    (
        &["assistant", "add", "robot", "--child", "1"],
        "porchlight assistant rotate robot",
    ),
    (
        &["assistant", "rotate", "kitchen"],
        "porchlight assistant rotate kitchen",
    ),
    (
        &["sign-in-link", "ada@example.org"],
        "run the command again",
    ),
    (&["token", "ada@example.org"], "run the command again"),
];

fn home_with_an_assistant() -> Home {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);
    home.ok(&["assistant", "add", "kitchen", "--child", "1"]);
    home
}

#[test]
fn no_secret_is_created_if_it_could_not_be_printed() {
    let home = home_with_an_assistant();
    let exported = home.ok(&["export"]);

    for (command, _) in SECRETS {
        for more in [&[][..], &["--json"]] {
            for nowhere in [">&-", ">/dev/null"] {
                let own = home.command(&[command, more].concat());
                let mut shell = std::process::Command::new("bash");
                shell.args(["-c", &format!("exec \"$0\" \"$@\" {nowhere}")]);
                shell.arg(own.get_program()).args(own.get_args());
                let output = shell.current_dir(home.path()).output().unwrap();

                let said = text(&output.stderr);
                assert_eq!(output.status.code(), Some(1), "{command:?} {nowhere}");
                assert!(said.contains("Nothing was done"), "{command:?}: {said}");
            }
        }
    }
    assert_eq!(home.ok(&["export"]), exported);
    assert!(!home.ok(&["assistant", "list"]).contains("robot"));
}

#[test]
fn a_secret_that_could_not_be_printed_is_an_error_that_says_what_to_do() {
    let home = home_with_an_assistant();

    for (command, then) in SECRETS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = home.command(command).stdout(writer).output().unwrap();

        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains(then), "{command:?}: {said}");
    }
}

#[test]
fn a_seed_file_may_begin_with_a_byte_order_mark() {
    let home = Home::new();
    let family = "{\"guardians\": [{\"email\": \"ada@example.org\"}], \"children\": [{\"name\": \"Mia\", \
                  \"guardians\": [\"ada@example.org\"]}]}";
    std::fs::write(home.path().join("family.json"), format!("\u{feff}{family}")).unwrap();
    let utf16 = family.encode_utf16().flat_map(u16::to_le_bytes);
    let utf16 = [0xff, 0xfe].into_iter().chain(utf16).collect::<Vec<_>>();
    std::fs::write(home.path().join("utf16.json"), utf16).unwrap();

    let seeded = home.ok(&["seed", "family.json"]);
    let refused = home.refused(&["seed", "utf16.json"]);

    assert!(seeded.starts_with("Brought in 1 child"), "{seeded}");
    assert!(refused.contains("UTF-16"), "{refused}");
}

#[test]
fn a_child_without_a_guardian_is_listed_as_such() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);

    home.ok(&["guardian", "remove", "ada@example.org"]);
    home.ok(&["guardian", "add", "ada@example.org"]);

    let listed = home.ok(&["child", "list"]);
    assert!(listed.contains("Mia   without a guardian"), "{listed}");
}

#[test]
fn a_child_is_listed_with_the_assistants_that_deliver_for_it() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);

    home.ok(&["assistant", "add", "robot", "--child", "1"]);

    let listed = home.ok(&["child", "list"]);
    assert!(listed.contains("robot"), "{listed}");
}

#[test]
fn erasing_a_child_requires_its_name() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    home.ok(&["child", "add", "Mia", "--guardian", "ada@example.org"]);

    let wrong = home.refused(&["child", "remove", "1", "--confirm", "Leo"]);
    let unasked = home.refused(&["child", "remove", "1"]);

    assert!(
        wrong.contains("another name, so nothing was erased"),
        "{wrong}"
    );
    assert!(unasked.contains("--confirm"), "{unasked}");
    assert!(home.ok(&["child", "list"]).contains("Mia"));
}

#[test]
fn a_second_server_on_the_same_folder_gets_an_error_message() {
    let home = Home::new();
    let _first = home.serve(&[]);

    let second = home.refused(&["serve", "--listen", "127.0.0.1:0"]);

    assert!(
        second.contains("in use by another Porchlight. Only one may open it"),
        "{second}"
    );
    assert!(!second.contains("panicked"));
}

#[test]
fn a_second_process_is_refused_even_if_the_lock_file_was_deleted() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);
    let first = home.serve(&[]);
    std::fs::remove_file(home.data().join("lock")).unwrap();

    let second = home.refused(&["serve", "--listen", "127.0.0.1:0"]);
    std::fs::remove_file(home.data().join("admin.sock")).unwrap();
    let command = home.refused(&["guardian", "list"]);

    for sentence in [second, command] {
        assert!(
            sentence.contains("in use by another Porchlight. Only one may open it"),
            "{sentence}"
        );
    }
    assert_eq!(first.terminate(), Some(0));
    assert!(home.ok(&["guardian", "list"]).contains("ada@example.org"));
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn connect(home: &Home) -> UnixStream {
    UnixStream::connect(home.data().join("admin.sock")).unwrap()
}

/// The beginning of an HTTP request of a command of this version.
fn head(version: &str) -> String {
    format!("POST /Seed HTTP/1.1\r\nhost: localhost\r\nporchlight-version: {version}\r\n")
}

#[test]
fn a_command_of_another_version_is_refused() {
    let home = Home::new();
    let _server = home.serve(&[]);

    for version in ["0.0.1", ""] {
        let mut connection = connect(&home);
        let request = head(version) + "content-length: 2\r\n\r\n{}";
        connection.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();

        assert!(
            response.contains("is another version of Porchlight than this command."),
            "{response}"
        );
    }
}

#[test]
fn two_large_requests_are_not_read_at_once() {
    let home = Home::new();
    let family = format!("{}{{}}", " ".repeat(1 << 20));
    std::fs::write(home.path().join("family.json"), family).unwrap();
    let _server = home.serve(&[]);
    let mut first = connect(&home);
    let half = head(VERSION) + "content-length: 200000\r\n\r\n";
    first.write_all(half.as_bytes()).unwrap();
    first.write_all(&[b' '; 100_000]).unwrap();

    let busy = "The server is just reading another large request. Please try again in a moment.";
    wait_for(|| (home.refused(&["seed", "family.json"]) == busy).then_some(()));
    assert_eq!(home.json(&["guardian", "list"]), json!([]));
    first.write_all(&[b' '; 100_000]).unwrap();
    let mut response = String::new();
    first.read_to_string(&mut response).unwrap();

    assert!(response.contains("of the file: "), "{response}");
    let refused = home.refused(&["seed", "family.json"]);
    assert!(refused.contains("missing field `children`"), "{refused}");
}

#[test]
fn an_endless_request_is_refused_and_uses_no_memory() {
    let home = Home::new();
    let server = home.serve(&[]);
    let largest = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap();
        line.split_whitespace()
            .nth(1)
            .unwrap()
            .parse::<u64>()
            .unwrap()
            / 1024
    };
    let before = largest();

    let endless = format!("{}content-length: {}\r\n\r\n", head(VERSION), u64::MAX / 2);
    let chunked = format!(
        "{}transfer-encoding: chunked\r\n\r\nffffffffff\r\n",
        head(VERSION)
    );
    for start in ["", &endless, &chunked] {
        let mut endless = connect(&home);
        endless.write_all(start.as_bytes()).unwrap();
        let mut sent = 0;
        while sent < 400 && endless.write_all(&[b'a'; 1 << 20]).is_ok() {
            sent += 1;
        }
        let mut response = Vec::new();
        let _ = endless.read_to_end(&mut response);

        assert!(sent < 100, "the server read {sent} MB");
        if !start.is_empty() {
            let response = text(&response);
            assert!(
                response.contains("more than a running server takes at once (64 MB)"),
                "{response}"
            );
        }
    }

    let more = largest() - before;
    assert!(more < 160, "{more} MB more");
    assert_eq!(home.json(&["guardian", "list"]), json!([]));
}

#[test]
fn a_file_too_large_for_a_running_server_is_accepted_without_one() {
    let home = Home::new();
    let family = format!("{}{{}}", " ".repeat(65 << 20));
    std::fs::write(home.path().join("family.json"), family).unwrap();
    let server = home.serve(&[]);

    let served = home.refused(&["seed", "family.json"]);
    assert_eq!(server.terminate(), Some(0));
    let alone = home.refused(&["seed", "family.json"]);

    assert!(
        served.starts_with("This is more than a running server takes at once (64 MB)."),
        "{served}"
    );
    assert!(alone.contains("missing field `children`"), "{alone}");
}

#[test]
fn no_command_leaves_a_core_dump() {
    let home = Home::new();
    let server = home.serve(&[]);

    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();

    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let fields = core.unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(fields[4..6], ["0", "0"]);
}

#[test]
fn the_demonstration_prints_its_addresses_keeps_its_data_and_changes_no_other_store() {
    let home = Home::new();
    let first = home.serve(&["--demo"]);
    for line in [
        "Open ",
        "E-mail    demo@porchlight.example",
        "#token=lnk_",
        "/api/docs",
    ] {
        assert!(first.greeting.contains(line), "{}", first.greeting);
    }
    let children = home.ok(&["child", "list"]);
    home.ok(&[
        "child",
        "add",
        "Zoe",
        "--guardian",
        "demo@porchlight.example",
    ]);
    assert_eq!(first.terminate(), Some(0));

    let second = home.serve(&["--demo"]);
    let stored = home.ok(&["child", "list"]);
    assert!(
        stored.starts_with(children.trim_end()) && stored.contains("Zoe"),
        "{stored}"
    );
    second.terminate();

    let refused = home.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(
        refused.contains("was made for the demonstration"),
        "{refused}"
    );
    let real = Home::new();
    real.ok(&["guardian", "add", "ada@example.org"]);
    let refused = real.refused(&["serve", "--demo", "--listen", "127.0.0.1:0"]);
    assert!(refused.contains("holds a real family"), "{refused}");
    assert!(!real.ok(&["guardian", "list"]).contains("demo@"));
}

#[test]
fn the_live_demonstration_talks_and_continues_after_a_restart() {
    let home = Home::new();
    let mut before = Value::Null;
    for _ in 0..2 {
        let server = home.serve(&["--demo", "--demo-live"]);
        let token = home.json(&["token", "demo@porchlight.example"])["identity_token"].clone();
        let token = token.as_str().unwrap();
        let newest_of = |child: u64| {
            let path = format!("/api/sessions?child_id={child}&limit=1");
            let (_, body) = server.request("GET", &path, token, None).unwrap();
            serde_json::from_str::<Value>(&body).unwrap()["sessions"][0].clone()
        };

        // The first two children have quiet hours at night, and then the third one talks.
        let running = wait_for(|| {
            (1..=3).map(newest_of).find(|session| {
                let is_live =
                    session["assistant"] == "Living room" && session["session_id"] != before;
                is_live && session["message_count"].as_u64() >= Some(2)
            })
        });

        assert_eq!(running["ended"], false, "{running}");
        assert_eq!(running["device"], "Living room", "{running}");
        before = running["session_id"].clone();
        assert_eq!(server.terminate(), Some(0));
    }
    let alone = home.run(&["serve", "--demo-live"]);
    assert_eq!(alone.status.code(), Some(2), "without --demo");
}

#[test]
fn a_seed_file_with_an_error_is_refused_with_its_line_and_stores_nothing() {
    let home = Home::new();
    let file = home.path().join("family.json");
    let family = "{\n  \"guardians\": [{\"email\": \"ada@example.org\"}],\n  \"children\": [\n    \
                  {\"name\": \"Mia\", \"guardians\": [\"ada@example.org\"]},\n    \
                  {\"name\": \"Leo\", \"guardians\": [\"eve@example.org\"]}\n  ]\n}\n";
    std::fs::write(&file, family).unwrap();

    let refused = home.refused(&["seed", "family.json"]);
    let missing = home.refused(&["seed", "nowhere.json"]);

    assert_eq!(
        refused,
        "Line 5 of the file: nobody here has the address eve@example.org. Nothing was brought in."
    );
    assert!(
        missing.starts_with("nowhere.json cannot be read"),
        "{missing}"
    );
    assert_eq!(home.json(&["guardian", "list"]), json!([]));
    assert_eq!(home.json(&["child", "list"]), json!([]));

    std::fs::write(&file, family.replace("eve@", "ada@")).unwrap();
    let seeded = home.ok(&["seed", "family.json"]);
    assert_eq!(
        seeded,
        "Brought in 2 children with 0 sessions and 0 messages.\n"
    );
}

#[test]
fn health_reports_whether_a_server_is_ready() {
    let home = Home::new();

    assert_eq!(
        home.refused(&["health"]),
        "No server is ready to take requests."
    );
    let server = home.serve(&[]);
    assert_eq!(home.ok(&["health"]), "The server is ready.\n");
    assert_eq!(server.request("GET", "/readyz", "", None).unwrap().0, 200);
    server.terminate();
    assert_eq!(home.json_refused(&["health"]), json!({"ready": false}));
}

impl Home {
    /// Runs a command with `--json` that must fail. Returns its output.
    fn json_refused(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(1));
        serde_json::from_str(&text(&output.stdout)).unwrap()
    }
}

#[test]
fn check_masks_secrets_and_warns() {
    let home = Home::new();
    let secret = home.path().join("smtp");
    std::fs::write(&secret, "smtps://me:s3cret@mail.example:465\n").unwrap();

    let plain = home.ok(&["check"]);
    let mailed = home.ok(&[
        "check",
        "--smtp-file",
        "smtp",
        "--mail-from",
        "porch@light.example",
        "--public-url",
        "http://nas.local",
        "--insecure-http",
    ]);
    let unsound = home.refused(&["check", "--public-url", "http://nas.local"]);

    assert!(
        plain.contains("Warning: No mail server is configured"),
        "{plain}"
    );
    assert!(
        mailed.contains("mail.example:465") && !mailed.contains("s3cret"),
        "{mailed}"
    );
    assert!(
        mailed.contains("Warning: http://nas.local is plain http"),
        "{mailed}"
    );
    assert!(unsound.contains("--insecure-http"), "{unsound}");
}

#[test]
fn a_password_on_the_command_line_causes_a_warning() {
    let home = Home::new();
    let url = "smtps://me:s3cret@mail.example";
    let from = ["--mail-from", "porch@light.example"];

    let typed = home.ok(&[&["check", "--smtp", url], &from[..]].concat());
    let from_environment = home
        .command(&[&["check"], &from[..]].concat())
        .env("PORCHLIGHT_SMTP", url)
        .output()
        .unwrap();

    assert!(typed.contains("--smtp-file FILE"), "{typed}");
    assert!(!text(&from_environment.stdout).contains("--smtp-file"));
}

#[test]
fn a_machine_whose_time_zone_has_no_name_causes_a_warning() {
    let home = Home::new();
    let checked = |zone: &str, arguments: &[&str]| {
        let mut check = home.command(&[&["check"], arguments].concat());
        text(&check.env("TZ", zone).output().unwrap().stdout)
    };

    let unnamed = checked("<+05>-5", &[]);
    let named = checked("<+05>-5", &["--time-zone", "Asia/Tashkent"]);
    let of_the_system = checked("Europe/Berlin", &[]);

    assert!(unnamed.contains("time zone has no name"), "{unnamed}");
    assert!(!named.contains("has no name"), "{named}");
    assert!(of_the_system.contains("Europe/Berlin"), "{of_the_system}");
    assert!(!of_the_system.contains("has no name"), "{of_the_system}");
}

#[test]
fn options_can_come_from_the_environment() {
    let home = Home::new();
    let elsewhere = home.path().join("elsewhere");

    let added = home
        .command(&["guardian", "add", "ada@example.org"])
        .env("PORCHLIGHT_DATA", &elsewhere)
        .output()
        .unwrap();

    assert!(added.status.success());
    assert!(elsewhere.join("store").exists());
    assert!(!home.data().exists());
}

#[test]
fn an_unknown_command_exits_with_2_and_help_lists_all() {
    let home = Home::new();

    assert_eq!(home.run(&["guardian", "ad"]).status.code(), Some(2));
    assert_eq!(
        home.run(&["guardian", "add", "no-address"]).status.code(),
        Some(2)
    );
    let help = home.ok(&["--help"]);
    for word in ["First steps:", "serve --demo", "Exit codes"] {
        assert!(help.contains(word), "{help}");
    }
    assert!(home.ok(&["completions", "bash"]).contains("_porchlight"));
}

#[test]
fn a_manual_page_is_written_for_each_command() {
    let home = Home::new();
    let folder = home.path().join("man1");
    std::fs::create_dir(&folder).unwrap();

    home.ok(&["manual", "man1"]);

    for page in ["porchlight", "porchlight-serve", "porchlight-guardian-add"] {
        let page = std::fs::read_to_string(folder.join(format!("{page}.1"))).unwrap();
        assert!(page.contains(".TH porchlight"), "{page}");
    }
    assert!(!folder.join("porchlight-carry-out.1").exists());
    let missing = home.refused(&["manual", "nowhere"]);
    assert!(
        missing.starts_with("nowhere cannot be written"),
        "{missing}"
    );
}

#[test]
fn a_folder_whose_path_is_too_long_for_a_socket_still_works_both_ways() {
    let home = Home::new();
    let deep = home.path().join("a".repeat(60)).join("b".repeat(60));
    let deep = deep.to_str().unwrap();
    let server = home.serve(&["--data", deep]);

    home.ok(&["guardian", "add", "ada@example.org", "--data", deep]);
    assert_eq!(server.terminate(), Some(0));

    assert!(
        home.ok(&["guardian", "list", "--data", deep])
            .contains("ada@example.org")
    );
}

#[test]
fn a_server_stops_on_sigterm_although_a_client_hangs() {
    let home = Home::new();
    let server = home.serve(&[]);
    let host = server.url.strip_prefix("http://").unwrap().to_owned();
    let mut stuck = std::net::TcpStream::connect(&host).unwrap();
    stuck.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    stuck
        .set_read_timeout(Some(Duration::from_secs(15)))
        .unwrap();

    assert_eq!(server.terminate(), Some(0));
}
