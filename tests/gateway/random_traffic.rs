//! Random traffic: words that were answered are in exactly one transcript, or beside one as a program's own.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::support::upstream::{Answer, EVENTS, completion, events, word};

/// How long a conversation is remembered, in seconds.
const REMEMBERED: u64 = 30 * 60;

/// What the client does next.
#[derive(Clone, Debug)]
enum Step {
    /// Sends new words, with the last messages of the history.
    Ask {
        conversation: usize,
        /// So many messages at most.
        trimmed_to: usize,
        outcome: Outcome,
    },
    /// Sends the last words again.
    Repeat {
        conversation: usize,
        outcome: Outcome,
    },
    /// The child heard only the beginning of the last answer.
    Interrupt { conversation: usize },
    /// Asks for a title.
    Background,
    /// Nobody says anything for so many seconds.
    Wait(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Whole,
    Streamed,
    /// The client leaves in mid-stream.
    Left,
    /// The upstream breaks off in mid-stream.
    BrokeOff,
    /// The upstream answers with an error.
    Refused,
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        3 => Just(Outcome::Whole),
        4 => Just(Outcome::Streamed),
        1 => Just(Outcome::Left),
        1 => Just(Outcome::BrokeOff),
        1 => Just(Outcome::Refused),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let trimmed_to = prop_oneof![3 => Just(usize::MAX), 1 => 3..7_usize];
    prop_oneof![
        8 => (0..3_usize, trimmed_to, outcome()).prop_map(|(conversation, trimmed_to, outcome)| Step::Ask {
            conversation,
            trimmed_to,
            outcome,
        }),
        2 => (0..3_usize, outcome()).prop_map(|(conversation, outcome)| Step::Repeat { conversation, outcome }),
        1 => (0..3_usize).prop_map(|conversation| Step::Interrupt { conversation }),
        1 => Just(Step::Background),
        1 => (1..2_400_u64).prop_map(Step::Wait),
    ]
}

/// The client's side: the histories that it remembers, and what was answered.
struct Traffic {
    family: Family,
    histories: [Vec<String>; 3],
    /// In seconds since the beginning.
    now: u64,
    /// When each conversation had its last request.
    last: [u64; 3],
    /// Whether the client names its conversations.
    has_ids: bool,
    count: usize,
    /// Words that were answered, and whether they were a program's own.
    answered: Vec<(String, bool)>,
    /// Words that were asked once more in vain. They are at the end of the client's history, as if they had never been answered, so
    /// that a later conversation can begin with them.
    unanswered_again: Vec<String>,
}

impl Traffic {
    async fn new(has_ids: bool) -> Self {
        Self {
            family: Family::new(Upstream::step_by_step().await).await,
            histories: Default::default(),
            now: 0,
            last: [0; 3],
            has_ids,
            count: 0,
            answered: Vec::new(),
            unanswered_again: Vec::new(),
        }
    }

    async fn take(&mut self, step: &Step) {
        self.wait(5);
        match *step {
            Step::Ask {
                conversation,
                trimmed_to,
                outcome,
            } => {
                let words = format!("> {}", self.text("why"));
                self.histories[conversation].push(words);
                self.ask(conversation, trimmed_to, outcome).await;
            }
            Step::Repeat {
                conversation,
                outcome,
            } => {
                let is_remembered = self.now - self.last[conversation] < REMEMBERED;
                let history = &mut self.histories[conversation];
                // The first words again would be a conversation of their own.
                if is_remembered && history.len() > 2 {
                    if history.last().unwrap().starts_with('<') {
                        history.pop();
                    }
                    self.ask(conversation, usize::MAX, outcome).await;
                }
            }
            Step::Interrupt { conversation } => {
                if let Some(last) = self.histories[conversation].last_mut()
                    && last.starts_with('<')
                {
                    let end = last.len().min("< 0001 because".len());
                    last.truncate(end);
                }
            }
            Step::Background => self.ask_for_title().await,
            Step::Wait(seconds) => self.wait(seconds),
        }
    }

    fn wait(&mut self, seconds: u64) {
        self.now += seconds;
        self.family.app.clock.advance(Duration::from_secs(seconds));
    }

    /// A text that is no beginning of another.
    fn text(&mut self, word: &str) -> String {
        self.count += 1;
        format!("{:04} {word} is it so?", self.count)
    }

    /// Sends the history, whose last message is the child's.
    async fn ask(&mut self, conversation: usize, trimmed_to: usize, outcome: Outcome) {
        self.last[conversation] = self.now;
        let history = &self.histories[conversation];
        let sent = &history[history.len().saturating_sub(trimmed_to)..];
        let words = sent.last().unwrap()[2..].to_owned();
        let sent = sent.iter().map(String::as_str).collect::<Vec<_>>();
        let body = match outcome {
            Outcome::Whole => chat(&sent),
            _ => streamed(&sent),
        };
        let id = format!("chat {conversation}");
        let headers = [("x-openwebui-chat-id", id.as_str())];
        let headers = if self.has_ids { &headers[..] } else { &[] };
        let text = self.text("because");
        let heard = self.exchange(headers, &body, &text, outcome).await;
        if let Some(heard) = heard {
            self.histories[conversation].push(format!("< {heard}"));
            self.answered.push((words, false));
        } else {
            self.unanswered_again.push(words);
        }
    }

    /// Sends a request that gets this answer. Returns what the client got of it.
    async fn exchange(
        &self,
        headers: &[(&str, &str)],
        body: &Value,
        text: &str,
        outcome: Outcome,
    ) -> Option<String> {
        let beginning = text.split(' ').next().unwrap();
        let first = word(&format!("{beginning} "));
        let path = "/gateway/v1/chat/completions";
        let kitchen = &self.family.kitchen;
        let opened = kitchen.open("POST", path, headers, body.to_string());
        let upstream = async {
            let mut exchange = self.family.upstream.next().await;
            let answer = match outcome {
                Outcome::Whole => Answer::json(&completion(text)),
                Outcome::Streamed => Answer::stream(EVENTS, events(text)),
                Outcome::BrokeOff => Answer::stream(EVENTS, vec![first.clone()]).breaking_off(),
                Outcome::Refused => Answer::json(&json!({"error": {}})).status(503),
                Outcome::Left => {
                    exchange.begin(EVENTS).await;
                    exchange.piece(&first).await;
                    return Some(exchange);
                }
            };
            exchange.answer(&answer).await;
            None
        };
        let (mut open, exchange) = tokio::join!(opened, upstream);
        if let Some(exchange) = exchange {
            open.until(&first).await;
            drop(open);
            exchange.closed().await;
            self.family.settled().await;
            return Some(beginning.to_owned());
        }
        let reply = open.rest().await;
        self.family.settled().await;
        match outcome {
            Outcome::Refused => {
                assert_eq!(reply.status, 503);
                None
            }
            Outcome::BrokeOff => Some(beginning.to_owned()),
            _ => {
                reply.ok();
                Some(text.to_owned())
            }
        }
    }

    /// The app asks for a title of what was said last, unless it did before.
    async fn ask_for_title(&mut self) {
        let said = self
            .answered
            .iter()
            .rfind(|(_, is_background)| !is_background);
        let Some((quoted, _)) = said else {
            return;
        };
        let title = super::kept::title(&format!("USER: {quoted}"));
        let words = title[2..].to_owned();
        if self.answered.contains(&(words.clone(), true)) {
            return;
        }
        self.exchange(&[], &chat(&[&title]), "A talk", Outcome::Whole)
            .await;
        self.answered.push((words, true));
    }

    /// Panics unless all words that were answered are in exactly one transcript.
    async fn check(self) {
        self.family.app.clock.advance(Duration::from_secs(60 * 60));
        let conversations = &self.family.app.inner.gateway.conversations;
        conversations.end_idle().await;
        let sessions = self.family.sessions().await;
        for (words, is_background) in &self.answered {
            let expected = if *is_background {
                format!("(> {words})")
            } else {
                format!("> {words}")
            };
            let counts = sessions.iter().map(|session| {
                let lines = said(session);
                lines.iter().filter(|line| **line == expected).count()
            });
            let counts = counts.filter(|count| *count > 0).collect::<Vec<_>>();
            if counts == [1, 1] && self.unanswered_again.contains(words) {
                continue;
            }
            assert_eq!(
                counts,
                [1],
                "{words:?} in {:?}",
                sessions.iter().map(said).collect::<Vec<_>>()
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_that_were_answered_are_in_exactly_one_transcript(
        has_ids in any::<bool>(),
        steps in prop::collection::vec(step(), 1..16),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut traffic = Traffic::new(has_ids).await;
            for step in &steps {
                traffic.take(step).await;
            }
            traffic.check().await;
        });
    }
}
