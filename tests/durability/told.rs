//! The server is killed at random moments. Each guardian gets the e-mail about an acknowledged alert. An e-mail is not sent again
//! once the server has recorded that it was accepted.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;

use crate::support::load::{Rng, seed};
use crate::support::process::{Home, Server, request, wait_for};

/// The guardians of each child.
const GUARDIANS: usize = 4;

/// The time within which an accepted message is recorded, on a busy machine.
const RECORDED: Duration = Duration::from_secs(5);

/// In one of this many rounds, everything is accepted and recorded before the kill.
const ROUNDS_UNTIL_ALL: usize = 4;

/// The Message-IDs of the e-mails that the mail server accepted, by recipient.
type Taken = BTreeMap<String, Vec<String>>;

/// A mail server that accepts everything.
struct MailServer {
    port: u16,
    taken: Arc<Mutex<Taken>>,
}

impl MailServer {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let taken = Arc::<Mutex<Taken>>::default();
        let all = taken.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let all = all.clone();
                // A client that was killed breaks the connection.
                std::thread::spawn(move || take(&stream.unwrap(), &all));
            }
        });
        Self { port, taken }
    }

    fn taken(&self) -> Taken {
        self.taken.lock().unwrap().clone()
    }
}

fn take(stream: &TcpStream, all: &Mutex<Taken>) -> Option<()> {
    let (mut writer, lines) = (stream, BufReader::new(stream).lines());
    let (mut in_email, mut to, mut message_id) = (false, String::new(), String::new());
    writer.write_all(b"220 ready\r\n").ok()?;
    for line in lines {
        let line = line.ok()?;
        if let Some(id) = line.strip_prefix("Message-ID: ") {
            message_id = id.to_owned();
        }
        if let Some(address) = line.strip_prefix("RCPT TO:<") {
            to = address.trim_end_matches('>').to_owned();
        }
        let answer = match (line.as_str(), in_email) {
            ("DATA", false) => {
                in_email = true;
                "354 go on\r\n"
            }
            (".", true) => {
                in_email = false;
                let mut all = all.lock().unwrap();
                all.entry(to.clone()).or_default().push(message_id.clone());
                "250 fine\r\n"
            }
            (_, true) => "",
            (_, false) => "250 fine\r\n",
        };
        writer.write_all(answer.as_bytes()).ok()?;
    }
    Some(())
}

fn guardian(round: usize, number: usize) -> String {
    format!("g{round}-{number}@example.org")
}

/// Adds a child for each round, whose guardians watch for a phrase and get e-mails at once. Returns the assistant's key.
fn set_up(home: &Home, rounds: usize) -> String {
    let mut children = Vec::new();
    for round in 0..rounds {
        let name = format!("Child {round}");
        let guardians = (0..GUARDIANS).map(|number| guardian(round, number));
        let guardians = guardians.collect::<Vec<_>>();
        let mut add = vec!["child", "add", &name];
        for guardian in &guardians {
            home.ok(&["guardian", "add", guardian]);
            add.extend(["--guardian", guardian]);
        }
        home.ok(&add);
        children.push((round + 1).to_string());
    }
    let mut add = vec!["assistant", "add", "robot"];
    add.extend(children.iter().flat_map(|child| ["--child", child]));
    let key = home.json(&add)["key"].as_str().unwrap().to_owned();
    let server = home.serve(&["--limits", "off"]);
    let phrases = json!([{"words": "our secret", "side": "either"}]).to_string();
    let subscription = json!({
        "time_zone": "UTC",
        "at_once": {"email": true, "kinds": ["phrase"], "urgent_passes": false},
        "weekly": {"enabled": false, "weekday": "sun", "hour": 18},
        "quotes": false,
        "webhook_refused": false,
    });
    let subscription = subscription.to_string();
    for round in 0..rounds {
        for number in 0..GUARDIANS {
            let token = home.json(&["token", &guardian(round, number)]);
            let token = token["identity_token"].as_str().unwrap();
            let watched = format!("/api/child/{}/watched_phrases", round + 1);
            for (path, body) in [
                (watched.as_str(), &phrases),
                ("/api/subscription", &subscription),
            ] {
                let (status, answer) = server.request("PUT", path, token, Some(body)).unwrap();
                assert_eq!(status, 200, "{answer}");
            }
        }
    }
    assert_eq!(server.terminate(), Some(0));
    key
}

fn deliver(server: &Server, key: &str, round: usize) {
    let message = json!({
        "message_id": "m", "source": "assistant", "text_content": "It is our secret.",
    });
    let session = format!("s{round}");
    let delivery = json!({"session": session, "child_id": round + 1, "messages": [message]});
    let path = "/api/assistant/deliveries";
    let delivered = request(&server.url, "POST", path, key, Some(&delivery.to_string()));
    let (status, body) = delivered.unwrap();
    assert_eq!(status, 200, "{body}");
}

/// Asserts that nobody got a recorded message again.
fn assert_none_again(recorded: &Taken, taken: &Taken) {
    for (to, ids) in recorded {
        assert_eq!(
            taken[to].len(),
            ids.len(),
            "{to} got a recorded message again"
        );
    }
}

fn kill_repeatedly(rounds: usize) {
    let mut rng = Rng::from(seed());
    let home = Home::new();
    let key = set_up(&home, rounds);
    let mail = MailServer::open();
    let smtp = format!("smtp://127.0.0.1:{}", mail.port);
    let of_mail = ["--smtp", &smtp, "--mail-from", "hello@porchlight.example"];
    let serve = || {
        home.serve(
            &[
                &["--limits", "off", "--assistant-quota", "off"],
                &of_mail[..],
            ]
            .concat(),
        )
    };
    let wait_for_all = |rounds| {
        let everybody = rounds * GUARDIANS;
        wait_for(|| (mail.taken().len() >= everybody).then_some(()));
        std::thread::park_timeout(RECORDED);
        mail.taken()
    };
    let mut recorded = Taken::new();
    for round in 0..rounds {
        let server = serve();
        deliver(&server, &key, round);
        if round % ROUNDS_UNTIL_ALL == ROUNDS_UNTIL_ALL - 1 {
            let taken = wait_for_all(round + 1);
            assert_none_again(&recorded, &taken);
            recorded = taken;
        } else {
            std::thread::park_timeout(Duration::from_millis(rng.below(1_000)));
        }
        server.kill();
    }

    let server = serve();
    let everybody = rounds * GUARDIANS;
    let taken = wait_for_all(rounds);
    let mut repeated = 0;
    for (to, ids) in &taken {
        repeated += ids.len() - 1;
        let first = &ids[0];
        assert!(ids.iter().all(|id| id == first), "{to} got two messages");
    }
    assert_none_again(&recorded, &taken);
    assert_eq!(taken.len(), everybody, "nothing is lost");
    assert!(
        repeated <= rounds * GUARDIANS / 2,
        "{repeated} of {everybody} repeated"
    );
    let (code, log) = server.terminate_with_log();
    assert_eq!(code, Some(0));
    for private in ["our secret", "@example.org", "Child "] {
        assert!(!log.contains(private), "{private}: {log}");
    }
    println!("{rounds} kills, {everybody} guardians told, {repeated} messages repeated");
}

#[test]
fn each_guardian_is_told_of_an_acknowledged_alert_despite_kills() {
    kill_repeatedly(8);
}

#[test]
#[ignore = "long: make crash"]
fn two_hundred_kills_lose_no_message_and_repeat_none_that_was_recorded() {
    kill_repeatedly(200);
}
