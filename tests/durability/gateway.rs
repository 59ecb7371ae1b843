//! A kill while an answer is passed on: the child's words are there, and of the answer what was saved.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::gateway_client::{GatewayClient, Open};
use crate::support::load::{Rng, seed};
use crate::support::process::{Home, Server, wait_for};
use crate::support::upstream::{EVENTS, Exchange, Upstream, events, word};

const ADA: &str = "ada@example.org";

/// When the server is killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// While the upstream thinks.
    BeforeAnswer,
    /// After the first piece.
    AfterPiece,
    /// After the first piece was saved, and more was passed on.
    AfterSave,
    /// After the last piece.
    AfterEnd,
}

const MOMENTS: [Moment; 4] = [
    Moment::BeforeAnswer,
    Moment::AfterPiece,
    Moment::AfterSave,
    Moment::AfterEnd,
];

/// What must be there after the restart.
struct Expected {
    words: String,
    /// What was passed on of the answer.
    passed_on: String,
    /// The beginning that must be there.
    saved: String,
    moment: Moment,
}

struct Family {
    home: Home,
    upstream: Upstream,
    key: String,
}

impl Family {
    async fn new() -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", ADA]);
        home.ok(&["child", "add", "Mia", "--guardian", ADA]);
        let upstream = Upstream::step_by_step().await;
        let url = format!("{}/v1", upstream.url());
        home.ok(&["upstream", "add", "home", "--url", &url]);
        let assistant = [
            "assistant",
            "add",
            "robot",
            "--child",
            "1",
            "--upstream",
            "home",
        ];
        let key = home.json(&assistant)["key"].as_str().unwrap().to_owned();
        Self {
            home,
            upstream,
            key,
        }
    }

    fn serve(&self) -> Server {
        self.home
            .serve(&["--limits", "off", "--assistant-quota", "off"])
    }

    /// Sends a request. Returns when the upstream has it.
    async fn ask(
        &self,
        server: &Server,
        words: &str,
    ) -> (tokio::task::JoinHandle<Option<Open>>, Exchange) {
        let host = server.url.strip_prefix("http://").unwrap();
        let client = GatewayClient {
            server: host.parse().unwrap(),
            host: host.to_owned(),
            key: self.key.clone(),
        };
        let messages = json!([{"role": "user", "content": words}]);
        let body = json!({"model": "m", "stream": true, "messages": messages});
        // A conversation of its own.
        let session = words.to_owned();
        let opening = tokio::spawn(async move {
            let path = "/gateway/v1/chat/completions";
            let headers = [("x-porchlight-session", session.as_str())];
            client
                .try_open("POST", path, &headers, body.to_string())
                .await
        });
        (opening, self.upstream.next().await)
    }

    /// The number of rows with unfinished answers.
    fn unfinished(&self) -> u64 {
        let verified = self.home.json(&["verify"]);
        assert_eq!(verified["damaged"], 0, "{verified}");
        verified["tables"]["gateway-partial"].as_u64().unwrap_or(0)
    }

    /// Kills the server at a moment of an answer.
    async fn kill(&self, server: Server, moment: Moment, words: &str, rng: &mut Rng) -> Expected {
        let (opening, mut exchange) = self.ask(&server, words).await;
        let first = text_of(1 + rng.below(40), "saved");
        let more = text_of(1 + rng.below(40), "more");
        let delay = Duration::from_micros(rng.below(3_000));
        let mut expected = Expected {
            words: words.to_owned(),
            passed_on: String::new(),
            saved: String::new(),
            moment,
        };
        if !matches!(moment, Moment::BeforeAnswer) {
            exchange.begin(EVENTS).await;
            exchange.piece(&word(&first)).await;
            let mut open = opening.await.unwrap().unwrap();
            open.until(&word(&first)).await;
            expected.passed_on.push_str(&first);
            match moment {
                Moment::BeforeAnswer | Moment::AfterPiece => {}
                Moment::AfterSave => {
                    wait_for(|| (self.unfinished() > 0).then_some(()));
                    expected.saved.clone_from(&first);
                    for piece in more.split_inclusive(' ') {
                        exchange.piece(&word(piece)).await;
                        open.until(&word(piece)).await;
                    }
                    expected.passed_on.push_str(&more);
                }
                Moment::AfterEnd => {
                    exchange.piece(&events(&more).concat()).await;
                    exchange.end().await;
                    open.rest().await.ok();
                    expected.passed_on.push_str(&more);
                }
            }
        }
        std::thread::park_timeout(delay);
        server.kill();
        expected
    }

    fn get(&self, server: &Server, path: &str) -> Value {
        let token = self.home.json(&["token", ADA]);
        let token = token["identity_token"].as_str().unwrap();
        let (status, body) = server.request("GET", path, token, None).unwrap();
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Checks the messages of the newest session. Returns how many bytes of the answer are stored.
    fn check(&self, server: &Server, expected: &Expected) -> usize {
        let list = self.get(server, "/api/sessions?child_id=1&limit=500");
        let sessions = list["sessions"].as_array().unwrap().iter();
        let newest = sessions.map(|session| session["session_id"].as_u64().unwrap());
        let newest = newest.max().expect("the words are kept");
        let page = self.get(server, &format!("/api/sessions/{newest}/messages"));
        let messages = page["messages"].as_array().unwrap();
        let moment = expected.moment;

        assert_eq!(messages[0]["text_content"], expected.words, "{moment:?}");
        assert_eq!(self.unfinished(), 0, "all are finished");
        let Some(answer) = messages.get(1) else {
            assert_eq!(expected.saved, "", "{moment:?}");
            return 0;
        };
        assert_eq!(messages.len(), 2, "{messages:?}");
        let kept = answer["text_content"].as_str().unwrap();
        let (passed_on, saved) = (expected.passed_on.trim(), expected.saved.trim());
        assert!(
            passed_on.starts_with(kept.trim()),
            "{moment:?}: {kept:?} of {passed_on:?}"
        );
        assert!(
            kept.starts_with(saved),
            "{moment:?}: {kept:?} lacks {saved:?}"
        );
        let is_whole = matches!(moment, Moment::AfterEnd) && kept.trim() == passed_on;
        assert!(
            is_whole || answer["interrupted"] == true,
            "{moment:?}: {answer}"
        );
        kept.len()
    }
}

/// So many words.
fn text_of(count: u64, word: &str) -> String {
    (0..count)
        .map(|number| format!("{word}{number} "))
        .collect()
}

async fn kill_repeatedly(rounds: usize) {
    let mut rng = Rng::from(seed());
    let family = Family::new().await;
    let mut server = family.serve();
    let (mut passed_on, mut kept) = (0, 0);

    for round in 0..rounds {
        let moment = MOMENTS[round % MOMENTS.len()];
        let words = format!("Round {round}: tell me a story");
        let expected = family.kill(server, moment, &words, &mut rng).await;
        server = family.serve();
        kept += family.check(&server, &expected);
        passed_on += expected.passed_on.len();
    }

    let list = family.get(&server, "/api/sessions?child_id=1&limit=500");
    assert_eq!(list["sessions"].as_array().unwrap().len(), rounds);
    println!("{rounds} kills, all words kept, {kept} of {passed_on} bytes of the answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_mid_stream_loses_no_words_and_only_the_last_second_of_an_answer() {
    kill_repeatedly(4).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make crash"]
async fn a_hundred_kills_in_mid_stream_lose_no_words() {
    kill_repeatedly(100).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_keeps_what_was_passed_on() {
    let family = Family::new().await;
    let server = family.serve();
    let (opening, mut exchange) = family.ask(&server, "Tell me a story").await;
    exchange.begin(EVENTS).await;
    exchange.piece(&word("Once upon a time")).await;
    let mut open = opening.await.unwrap().unwrap();
    open.until(b"\n\n").await;

    assert_eq!(server.terminate(), Some(0));

    let server = family.serve();
    let page = family.get(&server, "/api/sessions/1/messages");
    assert_eq!(page["messages"][0]["text_content"], "Tell me a story");
    assert_eq!(page["messages"][1]["text_content"], "Once upon a time");
    assert_eq!(page["messages"][1]["interrupted"], true);
}
