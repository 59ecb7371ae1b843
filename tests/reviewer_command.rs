//! `porchlight reviewer test`, as it is typed.

use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::process::{Home, Server, text, wait_for};
use crate::support::reviewing::{ADA, completion_of, data_of, perfect};
use crate::support::upstream::{Answer, Received, Upstream};

const KEY: &str = "sk-canary-77c1";

/// Ada, Xenia, and a file with the key of the model's server.
fn family() -> Home {
    let home = Home::new();
    home.ok(&["guardian", "add", ADA]);
    home.ok(&["child", "add", "Xenia", "--guardian", ADA]);
    std::fs::write(home.path().join("key"), format!("{KEY}\n")).unwrap();
    home
}

fn options(url: &str) -> Vec<&str> {
    vec![
        "--reviewer-model",
        "reader",
        "--reviewer-url",
        url,
        "--reviewer-key-file",
        "key",
    ]
}

fn url_of(endpoint: &Upstream) -> String {
    format!("{}/v1", endpoint.url())
}

/// The reviewer, as Xenia's parents see it.
fn shown(home: &Home, server: &Server) -> Value {
    let token = home.ok(&["token", ADA]);
    let answer = server.request("GET", "/api/child/1/reviewer", token.trim(), None);
    let (status, body) = answer.unwrap();
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Flags the first message of each conversation.
fn noisy(received: &Received) -> Answer {
    let message = &data_of(received)["conversation"][0];
    completion_of(
        &json!([{"concern": "danger", "message_id": message["id"], "quote": message["text"],
        "severity": "urgent"}]),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn through_the_running_server_its_own_model_is_tested_and_parents_see_the_figures() {
    let home = family();
    let endpoint = Upstream::answering(perfect()).await;
    let url = url_of(&endpoint);
    let server = home.serve(&[&["--log", "info,porchlight=debug"], &options(&url)[..]].concat());
    let before = shown(&home, &server);

    let output = home.run(&["reviewer", "test"]);
    let after = shown(&home, &server);
    let (_, log) = server.terminate_with_log();

    let (printed, told) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(
        (&before["state"], &after["state"]),
        (&json!("untested"), &json!("off"))
    );
    assert_eq!(after["figures"]["unfit"], false);
    assert_eq!(after["figures"]["concerns"][0]["missed"], 0);
    let host = endpoint.url().replace("http://", "");
    assert!(
        told.starts_with(&format!("Testing reader at {host} with ")),
        "{told}"
    );
    assert!(told.contains("1 of "), "{told}");
    assert!(
        printed.starts_with(&format!("reader at {host}, tested at ")),
        "{printed}"
    );
    for line in [
        "Concern                                  Found  Missed  False alarms  Quotes not there  Seconds",
        "self-harm                                36     0       0             0                 ",
        "being hurt or threatened at home         18     0       0             0                 ",
        "all                                      297    0       0             0                 ",
        "False alarms in 12 ordinary weeks: 0, which is 0.0 a week.",
        "Parents see these figures while the server runs with this model at this host.",
    ] {
        assert!(printed.contains(line), "{line}\n{printed}");
    }
    assert!(!printed.contains("unfit") && !printed.contains("No answer"));
    for received in endpoint.received() {
        assert_eq!(received.header("authorization"), format!("Bearer {KEY}"));
        assert!(!text(&received.body).contains("Xenia"));
    }
    assert!(!(printed + &told + &log).contains(KEY));
    assert!(!log.contains("onion"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_server_the_options_name_the_model_and_the_server_shows_its_figures_later() {
    let home = family();
    let endpoint = Upstream::answering(noisy).await;
    let url = url_of(&endpoint);
    let command = [&["reviewer", "test"], &options(&url)[..]].concat();

    let printed = home.ok(&command);
    let json = home.json(&command);
    let server = home.serve(&options(&url));
    let shown = shown(&home, &server);

    assert!(
        printed.contains("\nThe model is unfit: it finds less than half, and gives more than two false alarms in an ordinary week.\n"),
        "{printed}"
    );
    assert_eq!(json["unfit"], true);
    assert_eq!(json["no_answer"], json!({}));
    let weekly = json["false_alarms_a_week"].as_f64().unwrap();
    assert!(weekly > 2.0, "{weekly}");
    assert_eq!(shown["state"], "off");
    assert_eq!(shown["figures"]["unfit"], true);
    assert_eq!(shown["figures"]["false_alarms_a_week"], weekly);
    assert!(!printed.contains(KEY) && !json.to_string().contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gateways_upstream_is_tested_without_a_url_and_its_key_stays_in_the_store() {
    let home = family();
    let endpoint = Upstream::answering(perfect()).await;
    let url = url_of(&endpoint);
    home.ok(&[
        "upstream",
        "add",
        "home",
        "--url",
        &url,
        "--key-file",
        "key",
    ]);

    let test = ["reviewer", "test", "--reviewer-model", "reader"];
    let alone = home.ok(&test);
    let server = home.serve(&["--reviewer-model", "reader"]);
    let through = home.ok(&["reviewer", "test"]);
    let shown = shown(&home, &server);

    for printed in [alone, through] {
        assert!(printed.contains("  297    0  "), "{printed}");
        assert!(!printed.contains(KEY), "{printed}");
    }
    assert_eq!(shown["state"], "off");
    let received = endpoint.received().pop().unwrap();
    assert_eq!(received.header("authorization"), format!("Bearer {KEY}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_cannot_be_reached_or_is_not_named_is_said_in_a_sentence() {
    let home = family();

    let unnamed = home.refused(&["reviewer", "test"]);
    let options = options("http://127.0.0.1:9/v1");
    let unreachable = home.refused(&[&["reviewer", "test"], &options[..]].concat());
    let server = home.serve(&options);
    let through = home.refused(&["reviewer", "test"]);

    assert_eq!(
        unnamed,
        "The administrator has named no model (--reviewer-model)."
    );
    for refused in [unreachable, through] {
        assert!(
            refused.ends_with(
                "The model gave no answer 3 times in a row, after 0 answers, so the test was ended. Nothing was stored. The \
                 upstream cannot be reached: no program listens at that port."
            ),
            "{refused}"
        );
    }
    assert_eq!(shown(&home, &server)["state"], "untested");
}

fn interrupt(command: &Child) {
    kill_process(Pid::from_child(command), Signal::INT).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_it_and_nothing_is_stored_with_and_without_a_server() {
    let home = family();
    let endpoint = Upstream::answering(|_| {
        std::thread::park_timeout(Duration::from_millis(20));
        completion_of(&json!([]))
    })
    .await;
    let url = url_of(&endpoint);
    let arguments = [&["reviewer", "test"], &options(&url)[..]].concat();
    let stop = || {
        let before = endpoint.count();
        let mut command = home.command(&arguments);
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped());
        let started = started.stderr(Stdio::piped()).spawn().unwrap();
        wait_for(|| (endpoint.count() > before + 20).then_some(()));
        interrupt(&started);
        let output = started.wait_with_output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert_eq!(text(&output.stdout), "");
        let last = told.lines().last().unwrap();
        assert!(last.starts_with("Stopped after "), "{told}");
        assert!(last.ends_with(" requests. Nothing was stored."), "{told}");
    };

    stop();
    let server = home.serve(&options(&url));
    stop();

    // The server notices within seconds that the command has gone.
    let counts = AtomicUsize::new(endpoint.count());
    wait_for(|| {
        std::thread::park_timeout(Duration::from_millis(500));
        let count = endpoint.count();
        (counts.swap(count, Ordering::Relaxed) == count).then_some(())
    });
    assert!(endpoint.count() < 600, "{}", endpoint.count());
    assert_eq!(shown(&home, &server)["state"], "untested");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_warns_of_a_model_that_is_untested_unfit_or_has_no_server_and_asks_it() {
    let home = family();
    let endpoint = Upstream::answering(|received| {
        if received.method == "GET" {
            return Answer::json(&json!({"data": [{"id": "reader"}]}));
        }
        completion_of(&json!([]))
    })
    .await;
    let url = url_of(&endpoint);
    let host = endpoint.url().replace("http://", "");
    let check = |more: &[&str]| {
        let output = home.run(&[&["check"], more].concat());
        text(&output.stdout) + &text(&output.stderr)
    };

    let unnamed = check(&[]);
    let untested = check(&[&options(&url)[..], &["--online"]].concat());
    home.ok(&[&["reviewer", "test"], &options(&url)[..]].concat());
    let unfit = check(&options(&url));
    let nowhere = check(&["--reviewer-model", "reader"]);
    let gone = options("http://127.0.0.1:9/v1");
    let gone = home.refused(&[&["check", "--online"], &gone[..]].concat());

    assert!(!unnamed.contains("reads along"), "{unnamed}");
    let sentence = format!(
        "Warning: The reviewer's model reader at {host} was not tested, so parents cannot switch it on. To test it: porchlight reviewer test"
    );
    assert!(untested.contains(&sentence), "{untested}");
    assert!(
        untested.contains("reviewer now reader answered a request\n"),
        "{untested}"
    );
    assert!(!unfit.contains("was not tested"), "{unfit}");
    let sentence = format!(
        "Warning: The reviewer's model reader at {host} is unfit: it finds less than half.\n"
    );
    assert!(unfit.contains(&sentence), "{unfit}");
    assert!(
        nowhere.contains("Warning: No model reads along. The gateway has no upstream"),
        "{nowhere}"
    );
    assert!(
        gone.contains("The reviewer's model does not answer. The upstream cannot be reached"),
        "{gone}"
    );
    for printed in [untested, unfit, gone] {
        assert!(!printed.contains(KEY), "{printed}");
    }
}
