//! Passes an upstream's answer on, byte for byte, while a copy of it is read and kept.

use std::future::pending;
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::conversations::{Conversations, RulesAdded, Turn};
use super::error::{Dialect, GatewayError};
use super::grouping::{Answer, AnswerForm, AnswerReader, CutBy};
use crate::kernel::clock::Timestamp;

/// How often what was passed on is saved, in case that the server stops.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// How long an upstream may still finish after the client has left.
const FINISH: Duration = Duration::from_millis(250);

/// An answer that is being passed on.
pub struct Relay {
    pub conversations: Conversations,
    /// `None` if nothing is kept.
    pub turn: Option<Turn>,
    pub rules: RulesAdded,
    pub dialect: Dialect,
    pub form: AnswerForm,
    /// When a longer answer is cut.
    pub deadline: Instant,
}

enum End {
    Complete,
    ClientLeft,
    UpstreamBroke,
}

impl Relay {
    /// Passes the body on until it ends, the client leaves, or the deadline; then keeps what was passed on.
    pub async fn run<B>(self, mut body: B, client: mpsc::Sender<io::Result<Bytes>>)
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let in_progress = self
            .turn
            .as_ref()
            .map(|turn| self.conversations.pass_on(turn, &client));
        let mut reader = AnswerReader::new(self.form);
        let mut tail = Tail::default();
        let mut began = None;
        let mut saving = Saving::new(&self);
        let end = loop {
            let frame = tokio::select! {
                biased;
                () = client.closed() => break End::ClientLeft,
                () = sleep_until(self.deadline) => break End::UpstreamBroke,
                () = saving.due() => {
                    saving.save(&reader, began);
                    continue;
                }
                frame = body.frame() => frame,
            };
            match frame {
                None => break End::Complete,
                Some(Err(_)) => break End::UpstreamBroke,
                Some(Ok(frame)) => {
                    let Ok(piece) = frame.into_data() else {
                        continue;
                    };
                    began = began.or_else(|| Some(self.conversations.clock.now()));
                    reader.push(&piece);
                    tail.note(&piece);
                    tokio::select! {
                        sent = client.send(Ok(piece)) => if sent.is_err() {
                            break End::ClientLeft;
                        },
                        () = sleep_until(self.deadline) => break End::UpstreamBroke,
                    }
                }
            }
        };
        let mut answer = match end {
            End::Complete => reader.finish(),
            End::ClientLeft => {
                let superseded = async {
                    match &in_progress {
                        Some(answer) => answer.superseded().await,
                        None => pending().await,
                    }
                };
                finish_without_client(reader, &mut body, superseded).await
            }
            End::UpstreamBroke => {
                let answer = cut(reader.finish(), CutBy::Upstream);
                if answer.cut.is_some() {
                    let _ = client.send(self.breaking_off(&tail)).await;
                }
                answer
            }
        };
        answer.began = began;
        drop(body);
        saving.finish().await;
        let Some(turn) = &self.turn else {
            return;
        };
        let kept = self.conversations.end(turn, &answer, Some(self.rules));
        if let Err(error) = kept.await {
            tracing::warn!(child = %turn.child, %error, "an answer could not be kept");
            self.conversations.note_missed(&turn.assistant, turn.child);
        }
    }

    /// The last piece of an answer that broke off: an error in the form of the stream. An answer that is one JSON value can't
    /// have one; its connection breaks off instead.
    fn breaking_off(&self, tail: &Tail) -> io::Result<Bytes> {
        let error = GatewayError::upstream("The model's answer broke off.");
        let error = error.body(self.dialect);
        match self.form {
            AnswerForm::Events => {
                let gap = if tail.is_at_event { "" } else { "\n\n" };
                Ok(format!("{gap}data: {error}\n\n").into())
            }
            AnswerForm::Lines => {
                let gap = if tail.is_at_line { "" } else { "\n" };
                Ok(format!("{gap}{error}\n").into())
            }
            AnswerForm::Whole => Err(io::Error::other("the upstream broke off")),
        }
    }
}

/// The answer after the client has left: complete if the upstream finishes soon and before the client's next request, else what
/// was passed on until then.
async fn finish_without_client(
    mut reader: AnswerReader,
    body: &mut (impl Body<Data = Bytes> + Unpin),
    superseded: impl Future<Output = ()>,
) -> Answer {
    let passed_on = cut(reader.so_far(), CutBy::Client);
    if passed_on.cut.is_none() {
        return passed_on;
    }
    let mut end = pin!(async {
        tokio::select! {
            () = sleep(FINISH) => (),
            () = superseded => (),
        }
    });
    loop {
        let frame = tokio::select! {
            biased;
            () = &mut end => break,
            frame = body.frame() => frame,
        };
        match frame {
            None => return reader.finish(),
            Some(Ok(frame)) => {
                if let Ok(piece) = frame.into_data() {
                    reader.push(&piece);
                }
            }
            Some(Err(_)) => break,
        }
    }
    let answer = reader.finish();
    if answer.finish.is_some() {
        answer
    } else {
        passed_on
    }
}

/// An answer that ended early, unless it says that it is complete.
fn cut(mut answer: Answer, by: CutBy) -> Answer {
    answer.cut = answer.finish.is_none().then_some(by);
    answer
}

/// How the bytes that were passed on end.
struct Tail {
    is_at_line: bool,
    is_at_event: bool,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            is_at_line: true,
            is_at_event: true,
        }
    }
}

impl Tail {
    fn note(&mut self, piece: &[u8]) {
        let ends_event = piece.ends_with(b"\n\n") || piece.ends_with(b"\n\r\n");
        let adds_empty_line = self.is_at_line && matches!(piece, b"\n" | b"\r\n");
        if !piece.is_empty() {
            self.is_at_event = ends_event || adds_empty_line;
            self.is_at_line = piece.ends_with(b"\n");
        }
    }
}

/// Saves what was passed on, now and then.
struct Saving {
    conversations: Conversations,
    turn: Option<Turn>,
    /// An answer that is one JSON value can't be read before its end.
    is_readable: bool,
    due: tokio::time::Interval,
    saved: usize,
    running: Option<JoinHandle<()>>,
}

impl Saving {
    fn new(relay: &Relay) -> Self {
        let mut due = interval(SAVE_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        due.reset();
        Self {
            conversations: relay.conversations.clone(),
            turn: relay.turn.clone(),
            is_readable: relay.form != AnswerForm::Whole,
            due,
            saved: 0,
            running: None,
        }
    }

    async fn due(&mut self) {
        if !self.is_readable {
            pending::<()>().await;
        }
        self.due.tick().await;
    }

    fn save(&mut self, reader: &AnswerReader, began: Option<Timestamp>) {
        if self
            .running
            .as_ref()
            .is_some_and(|save| !save.is_finished())
        {
            return;
        }
        let Some(turn) = self.turn.clone() else {
            return;
        };
        let text = reader.so_far().text;
        if text.len() == self.saved {
            return;
        }
        self.saved = text.len();
        let conversations = self.conversations.clone();
        self.running = Some(tokio::spawn(async move {
            if let Err(error) = conversations.save_partial(&turn, text, began).await {
                tracing::debug!(child = %turn.child, %error, "a part of an answer could not be saved");
            }
        }));
    }

    /// Waits for the last save, so that it doesn't come after the whole answer.
    async fn finish(self) {
        if let Some(running) = self.running {
            let _ = running.await;
        }
    }
}
