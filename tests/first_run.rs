//! Where the real binary shows the setup link.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::process::{Home, wait_for};
use crate::support::qr;

/// Runs a command on a pseudoterminal.
fn on_a_terminal(home: &Home, arguments: &[&str]) -> Command {
    let own = home.command(arguments);
    let arguments = own.get_args().map(|argument| argument.to_str().unwrap());
    let line = std::iter::once(own.get_program().to_str().unwrap()).chain(arguments);
    let line = line.collect::<Vec<_>>().join(" ");
    let mut command = Command::new("script");
    command.current_dir(home.path());
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[test]
fn on_a_terminal_the_setup_link_is_shown_as_a_qr_code() {
    let home = Home::new();
    let server = home.start(on_a_terminal(&home, &["serve", "--listen", "127.0.0.1:0"]));

    let read = qr::decode(&server.greeting);

    assert!(
        read.starts_with(&format!("{}/welcome#setup=set_", server.url)),
        "{read}"
    );
    assert_eq!(home.ok(&["setup-link"]).trim(), read);
    assert!(
        !home.data().join("setup-link").exists(),
        "nothing is written where somebody watches"
    );
}

#[test]
fn without_a_terminal_the_setup_link_is_in_a_file_until_the_setup_is_complete() {
    let home = Home::new();
    let server = home.serve(&[]);
    let file = home.data().join("setup-link");

    let link = fs::read_to_string(&file).unwrap();
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(!server.greeting.contains("set_"), "{}", server.greeting);
    assert_eq!(home.ok(&["setup-link"]), link);

    home.ok(&["guardian", "add", "ada@example.org"]);
    wait_for(|| (!file.exists()).then_some(()));
    let refused = home.refused(&["setup-link"]);
    assert!(refused.contains("is set up"), "{refused}");
}

#[test]
fn each_start_writes_a_new_setup_link_and_without_a_server_there_is_none() {
    let home = Home::new();
    let file = home.data().join("setup-link");
    let first = {
        let _server = home.serve(&[]);
        fs::read_to_string(&file).unwrap()
    };
    let refused = home.refused(&["setup-link"]);
    assert!(refused.contains("porchlight serve"), "{refused}");

    let _server = home.serve(&[]);

    assert_ne!(fs::read_to_string(&file).unwrap(), first);
}

#[test]
fn on_a_terminal_a_sign_in_link_is_shown_as_a_qr_code_too() {
    let home = Home::new();
    home.ok(&["guardian", "add", "ada@example.org"]);

    let output = on_a_terminal(&home, &["sign-in-link", "ada@example.org"])
        .output()
        .unwrap();

    let printed = String::from_utf8(output.stdout).unwrap();
    let link = printed.lines().next().unwrap().trim();
    assert!(link.contains("/finish-sign-in#token=lnk_"), "{printed}");
    assert_eq!(qr::decode(&printed), link);
}
