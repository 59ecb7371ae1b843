//! A running operation: what it reports, and how that is passed on.

use std::io;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};
use tokio::sync::watch;
use tokio::time::Instant;

use super::AdminError;
use super::operation::{PANICKED, Progress, Reports};
use crate::kernel::host::pieces::pieces;

/// The interval of [`Event::Working`].
pub const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// The maximum length of an event in JSON: a list of some ten thousand children.
const LONGEST_EVENT: u64 = 4 * 1024 * 1024;

/// What happens while an operation runs. Over HTTP it is a line of JSON.
#[derive(Serialize, Deserialize)]
pub enum Event<A> {
    /// A heartbeat, which a stopped server doesn't send.
    Working,
    Progress(Progress),
    /// A chunk of a file. The line has its length, and the chunk follows.
    Piece(#[serde(serialize_with = "length", deserialize_with = "zeros")] Vec<u8>),
    /// The last event.
    Done(Result<A, AdminError>),
}

fn length<S: Serializer>(piece: &[u8], to: S) -> Result<S::Ok, S::Error> {
    piece.len().serialize(to)
}

/// The chunk is read into these zeros.
fn zeros<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    usize::deserialize(from).map(|length| vec![0; length])
}

impl Event<Box<RawValue>> {
    pub fn to_bytes(&self) -> Bytes {
        let mut bytes = serde_json::to_vec(self).expect("its keys are strings");
        bytes.push(b'\n');
        if let Self::Piece(piece) = self {
            bytes.extend_from_slice(piece);
        }
        bytes.into()
    }

    pub async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Self> {
        let mut line = Vec::new();
        (&mut *from)
            .take(LONGEST_EVENT)
            .read_until(b'\n', &mut line)
            .await?;
        match line.last() {
            Some(b'\n') => {}
            _ if line.len() as u64 == LONGEST_EVENT => {
                let what = "its answer is longer than 4 MB";
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
            }
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        let mut event = serde_json::from_slice(&line)?;
        if let Self::Piece(piece) = &mut event {
            from.read_exact(piece).await?;
        }
        Ok(event)
    }
}

/// Starts an operation in its own task, so that it is finished even if nobody waits for it. If its events are dropped, its
/// [chunks](Reports::pieces) find no receiver.
pub fn start<A, W>(work: impl FnOnce(Reports) -> W) -> impl Stream<Item = Event<A>> + Send
where
    A: Send + 'static,
    W: Future<Output = Result<A, AdminError>> + Send + 'static,
{
    let (progress, reported) = watch::channel(Progress::default());
    let (pieces, made) = pieces();
    let report = move |made| {
        progress.send_replace(made);
    };
    let working = tokio::spawn(work(Reports::new(report, pieces)));
    stream::unfold(Some((reported, made, working)), move |state| async move {
        let (mut reported, mut made, mut working) = state?;
        let next = async {
            tokio::select! {
                Ok(()) = reported.changed() => Event::Progress(*reported.borrow_and_update()),
                Some(piece) = made.recv() => Event::Piece(piece),
                else => {
                    let done = (&mut working).await;
                    Event::Done(done.unwrap_or_else(|_| Err(AdminError::new(PANICKED))))
                }
            }
        };
        let event = tokio::time::timeout(HEARTBEAT_INTERVAL, next).await;
        let event = event.unwrap_or(Event::Working);
        let is_last = matches!(event, Event::Done(_));
        Some((event, (!is_last).then_some((reported, made, working))))
    })
}

/// Why an operation has no answer.
#[derive(Debug)]
pub enum NoAnswer {
    Refused(AdminError),
    /// It made no progress for this long.
    Stuck(Duration),
    /// Not even a heartbeat came for this long.
    Silent(Duration),
    /// Its events ended early, or their receiver went away.
    Broken(io::Error),
}

impl From<AdminError> for NoAnswer {
    fn from(error: AdminError) -> Self {
        Self::Refused(error)
    }
}

impl From<io::Error> for NoAnswer {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Waits for an operation's answer, and passes on what it reports. Gives up after `progress_timeout` without that.
pub async fn follow<A>(
    events: impl Stream<Item = Result<Event<A>, NoAnswer>>,
    reports: &Reports,
    progress_timeout: Duration,
) -> Result<A, NoAnswer> {
    let mut events = pin!(events);
    let mut moved_at = Instant::now();
    while let Some(event) = events.next().await {
        match event? {
            Event::Working if moved_at.elapsed() < progress_timeout => continue,
            Event::Working => return Err(NoAnswer::Stuck(progress_timeout)),
            Event::Progress(made) => reports.report(made),
            Event::Piece(piece) => {
                let taken = reports.pieces.send(piece).await;
                taken.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
            Event::Done(answer) => return answer.map_err(NoAnswer::Refused),
        }
        moved_at = Instant::now();
    }
    Err(NoAnswer::Broken(io::ErrorKind::UnexpectedEof.into()))
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    const PROGRESS_TIMEOUT: Duration = Duration::from_secs(120);

    async fn followed<A: Send + 'static, W>(
        work: impl FnOnce(Reports) -> W,
    ) -> (Result<A, NoAnswer>, Vec<Vec<u8>>)
    where
        W: Future<Output = Result<A, AdminError>> + Send + 'static,
    {
        let (pieces, mut received) = pieces();
        let reports = Reports::new(|_| {}, pieces);
        let events = start(work).map(Ok);
        let done = follow(events, &reports, PROGRESS_TIMEOUT).await;
        drop(reports);
        let mut all = Vec::new();
        while let Some(piece) = received.recv().await {
            all.push(piece);
        }
        (done, all)
    }

    #[tokio::test(start_paused = true)]
    async fn what_falls_silent_is_given_up_and_its_pieces_end() {
        let began = Instant::now();
        let (done, pieces) = followed(|reports| async move {
            for done in 0..3 {
                tokio::time::sleep(PROGRESS_TIMEOUT / 2).await;
                reports.count(done);
                reports.pieces.send(vec![7]).await.unwrap();
            }
            // It still has its end.
            pending::<Result<(), AdminError>>().await
        })
        .await;

        assert!(matches!(done, Err(NoAnswer::Stuck(PROGRESS_TIMEOUT))));
        assert_eq!(pieces, [[7], [7], [7]]);
        assert_eq!(began.elapsed(), PROGRESS_TIMEOUT * 5 / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn what_ends_is_passed_on_whole() {
        let (done, pieces) = followed(|reports| async move {
            reports.pieces.send(vec![1]).await.unwrap();
            reports.pieces.send(vec![2]).await.unwrap();
            Ok("done")
        })
        .await;

        assert_eq!(done.unwrap(), "done");
        assert_eq!(pieces, [[1], [2]]);
    }

    #[tokio::test]
    async fn a_file_of_any_bytes_arrives_between_the_lines() {
        let piece = b"{\"Done\":1}\n\n\0\xff".to_vec();
        let answer = serde_json::value::to_raw_value("Grüße").unwrap();
        let sent = [
            Event::Working,
            Event::Piece(piece.clone()),
            Event::Piece(Vec::new()),
            Event::Done(Ok(answer)),
        ];
        let bytes = sent
            .iter()
            .map(Event::to_bytes)
            .collect::<Vec<_>>()
            .concat();

        let mut from = bytes.as_slice();
        assert!(matches!(Event::read(&mut from).await, Ok(Event::Working)));
        for expected in [piece, Vec::new()] {
            let read = Event::read(&mut from).await.unwrap();
            assert!(matches!(read, Event::Piece(piece) if piece == expected));
        }
        let Ok(Event::Done(Ok(answer))) = Event::read(&mut from).await else {
            panic!("it is the answer");
        };
        assert_eq!(answer.get(), "\"Grüße\"");
        let end = Event::read(&mut from).await.err().unwrap();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[tokio::test]
    async fn an_endless_line_is_not_read() {
        let endless = vec![b' '; 5 << 20];

        let refused = Event::read(&mut endless.as_slice()).await.err().unwrap();

        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
    }
}
