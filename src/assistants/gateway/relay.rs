//! Passes an upstream's answer on, byte for byte, while a copy of it is read and kept.

mod saving;
mod tail;

use std::future::pending;
use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Body;
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use super::answer::{Answer, AnswerForm, AnswerReader, CutBy};
use super::conversations::{Conversations, RulesAdded, Turn};
use super::dialect::Dialect;
use super::error::GatewayError;
use super::goodbye;
use crate::kernel::host::clock::Timestamp;

use saving::Saving;
use tail::Tail;

/// How long an upstream may still finish after the client has left.
const FINISH: Duration = Duration::from_millis(250);

/// Pieces of at least so many bytes let other tasks run before the next one.
const LARGE_PIECE: usize = 32 * 1024;

pub struct Relay {
    pub conversations: Conversations,
    /// `None` if nothing is kept.
    pub turn: Option<Turn>,
    pub rules: RulesAdded,
    pub dialect: Dialect,
    /// The form that was asked for.
    pub form: AnswerForm,
    /// As the client named it.
    pub model: String,
    /// When a longer answer is cut.
    pub deadline: Instant,
}

enum End {
    Complete,
    ClientLeft,
    /// By the upstream, or at the deadline.
    BrokenOff,
    /// There is more than is kept.
    TooLong,
    /// Talking is no longer allowed. A sentence to say instead, unless the key or the child is gone.
    Silenced(Option<&'static str>),
}

/// What was passed on.
#[derive(Default)]
struct Passed {
    reader: AnswerReader,
    tail: Tail,
    began: Option<Timestamp>,
}

impl Relay {
    /// Passes the body on until it ends, the client leaves, talking is no longer allowed, or the deadline; then keeps what was
    /// passed on.
    pub async fn run<B>(
        self,
        mut body: B,
        client: mpsc::Sender<io::Result<Bytes>>,
        silenced: impl Future<Output = Option<&'static str>>,
    ) where
        B: Body<Data = Bytes> + Unpin,
    {
        let in_progress = self
            .turn
            .as_ref()
            .map(|turn| self.conversations.track_answer(turn, &client));
        let mut passed = Passed::default();
        let mut saving = Saving::new(&self.conversations, self.turn.as_ref());
        let end = {
            let mut stopped = pin!(async {
                tokio::select! {
                    biased;
                    goodbye = silenced => End::Silenced(goodbye),
                    () = client.closed() => End::ClientLeft,
                    () = sleep_until(self.deadline) => End::BrokenOff,
                }
            });
            let now = || self.conversations.clock.now();
            loop {
                tokio::select! {
                    biased;
                    end = &mut stopped => break end,
                    () = saving.due() => saving.save(&passed.reader, passed.began),
                    end = pass_piece(&mut body, &client, &mut passed, now) => {
                        if let Some(end) = end {
                            break end;
                        }
                    }
                }
            }
        };
        let Passed {
            reader,
            tail,
            mut began,
        } = passed;
        let form = self.form_of(&reader);
        let (answer, last) = match end {
            End::Complete => (reader.finish().ended_by(CutBy::Server), None),
            End::ClientLeft => {
                let superseded = async {
                    match &in_progress {
                        Some(answer) => answer.superseded().await,
                        None => pending().await,
                    }
                };
                let answer = finish_without_client(reader, &mut body, superseded).await;
                (answer, None)
            }
            End::BrokenOff => {
                let answer = reader.finish().ended_by(CutBy::Server);
                let error = answer.cut.map(|_| self.breaking_off(form, &tail));
                (answer, error)
            }
            End::TooLong => {
                let answer = Answer {
                    cut: Some(CutBy::Server),
                    ..reader.finish()
                };
                (answer, Some(self.breaking_off(form, &tail)))
            }
            End::Silenced(Some(goodbye)) if began.is_none() => {
                began = Some(self.conversations.clock.now());
                let answer = Answer::whole(goodbye.to_owned());
                (answer, Some(Ok(self.goodbye(form, goodbye))))
            }
            End::Silenced(_) => {
                let answer = reader.finish().ended_by(CutBy::Server);
                let last = answer.cut.map(|_| self.last_piece(form, &tail));
                (answer, last)
            }
        };
        drop(body);
        if let Some(last) = last {
            let _ = timeout_at(self.deadline, client.send(last)).await;
        }
        saving.finish().await;
        self.keep(Answer { began, ..answer }).await;
    }

    async fn keep(self, answer: Answer) {
        let Some(turn) = &self.turn else {
            return;
        };
        let kept = self.conversations.end(turn, &answer, Some(self.rules));
        if let Err(error) = kept.await {
            tracing::warn!(child = %turn.child, %error, "an answer could not be kept");
            self.conversations.count_lost_answer(turn);
        }
    }

    /// The form of what has come, else the one that was asked for.
    fn form_of(&self, reader: &AnswerReader) -> AnswerForm {
        match (reader.form(), self.form) {
            (Some(AnswerForm::Lines), AnswerForm::Whole) => AnswerForm::Whole,
            (found, asked) => found.unwrap_or(asked),
        }
    }

    /// The last piece of an answer that broke off: an error in the form of the stream. An answer that is one JSON value can't
    /// have one; its connection breaks off instead.
    fn breaking_off(&self, form: AnswerForm, tail: &Tail) -> io::Result<Bytes> {
        let error = GatewayError::upstream("The model's answer broke off.");
        let error = error.body(self.dialect);
        match form {
            AnswerForm::Events => Ok(format!("{}data: {error}\n\n", tail.gap(form)).into()),
            AnswerForm::Lines => Ok(format!("{}{error}\n", tail.gap(form)).into()),
            AnswerForm::Whole => Err(io::Error::other("the upstream broke off")),
        }
    }

    fn goodbye(&self, form: AnswerForm, text: &str) -> Bytes {
        let now = self.conversations.clock.now();
        goodbye::body(self.dialect, form, &self.model, text, now).into()
    }

    /// The proper end of a stream that Porchlight ends: after an error, programs would ask again.
    fn last_piece(&self, form: AnswerForm, tail: &Tail) -> io::Result<Bytes> {
        let now = self.conversations.clock.now();
        match goodbye::end(self.dialect, form, &self.model, now) {
            Some(end) => Ok([tail.gap(form), &end].concat().into()),
            None => Err(io::Error::other("talking is not allowed any more")),
        }
    }
}

/// Passes the next piece on once the client has room for it. It is read before it is sent, so that nothing reaches the client
/// that isn't kept. If this is dropped, no piece is lost.
async fn pass_piece(
    body: &mut (impl Body<Data = Bytes> + Unpin),
    client: &mpsc::Sender<io::Result<Bytes>>,
    passed: &mut Passed,
    now: impl Fn() -> Timestamp,
) -> Option<End> {
    let Ok(permit) = client.reserve().await else {
        return Some(End::ClientLeft);
    };
    let frame = match body.frame().await {
        None => return Some(End::Complete),
        Some(Err(_)) => return Some(End::BrokenOff),
        Some(Ok(frame)) => frame,
    };
    let Ok(piece) = frame.into_data() else {
        return None;
    };
    passed.reader.push(&piece);
    if passed.reader.is_full() {
        return Some(End::TooLong);
    }
    passed.began.get_or_insert_with(now);
    passed.tail.note(&piece);
    let is_large = piece.len() >= LARGE_PIECE;
    permit.send(Ok(piece));
    if is_large {
        yield_now().await;
    }
    None
}

/// The answer after the client has left: complete if the upstream finishes soon and before the client's next request, else what
/// was passed on until then.
async fn finish_without_client(
    mut reader: AnswerReader,
    body: &mut (impl Body<Data = Bytes> + Unpin),
    superseded: impl Future<Output = ()>,
) -> Answer {
    let passed_on = reader.so_far().ended_by(CutBy::Client);
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
            None => return reader.finish().ended_by(CutBy::Server),
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
