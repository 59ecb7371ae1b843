//! The command's side: uses the running server if there is one, otherwise opens the store.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1;
use hyper::{Request, header};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, timeout};
use tokio_util::io::StreamReader;
use tokio_util::task::AbortOnDropHandle;

use super::backup::how_to_restore;
use super::operation::{AnyOperation, JsonAnswer, Operation, Reports, Runner, in_a_thread};
use super::owner::{self, Owner, RUNNER_COMMAND};
use super::read_only::{CopiedFolder, copy_if_read_only};
use super::running::{Event, NoAnswer, follow, start};
use super::socket::{
    self, LONGEST_REQUEST, SMALL_REQUEST, SocketLimits, TOO_LONG, serve_connection,
};
use super::state::CheckReady;
use super::verify::Verify;
use super::{AdminError, VERSION, VERSION_HEADER};
use crate::kernel::store::{OpenError, Recipient, Store, Verified};

/// How long to retry while another command, or a server that is just starting, has the store open.
const LOCK_RETRY_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause between two attempts.
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// How long to wait for progress.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(120);

/// How long to wait for an event: there is one [every few seconds](super::running::HEARTBEAT_INTERVAL).
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy)]
struct Timeouts {
    first_event: Duration,
    progress: Duration,
}

const USUAL: Timeouts = Timeouts {
    first_event: HEARTBEAT_TIMEOUT,
    progress: PROGRESS_TIMEOUT,
};

/// For a request that is larger than [`SMALL_REQUEST`], or whose process must start. On a busy machine that took more than ten
/// seconds.
const SLOW_START: Timeouts = Timeouts {
    first_event: Duration::from_secs(30),
    ..USUAL
};

/// For a `verify` process: opening the store alone may take two minutes.
const VERIFYING: Timeouts = Timeouts {
    first_event: Duration::from_secs(150),
    progress: Duration::from_secs(150),
};

#[derive(Clone)]
pub struct Client {
    pub data: PathBuf,
    pub recipients: Vec<Recipient>,
}

/// Where an operation runs.
enum Destination {
    Server(UnixStream),
    /// In a process of the data folder's owner.
    Owner(Owner),
    /// Here.
    Opened(Store, Option<CopiedFolder>),
}

impl Client {
    pub async fn run<O: Operation>(
        &self,
        operation: O,
        reports: &Reports,
    ) -> Result<O::Answer, AdminError> {
        let answer = self.run_any(Box::new(operation), reports).await?;
        parse(&answer).map_err(|failure| unanswered("The command", failure))
    }

    async fn run_any(&self, operation: Box<dyn AnyOperation>, reports: &Reports) -> JsonAnswer {
        let name = operation.name();
        match self
            .find_destination(operation.is_allowed_on_copy())
            .await?
        {
            Destination::Server(stream) => {
                let body = operation.into_request_body();
                // The server's own refusal may be lost while the rest is sent.
                if body.len() > LONGEST_REQUEST {
                    return Err(AdminError::new(TOO_LONG));
                }
                let is_small = body.len() <= SMALL_REQUEST;
                let timeouts = if is_small { USUAL } else { SLOW_START };
                let answer = post(stream, name, body, reports, timeouts).await;
                answer.map_err(|failure| unanswered(SERVER, failure))
            }
            Destination::Owner(owner) => {
                let (mut child, stream) = self
                    .spawn_runner(Some(owner), Stdio::inherit())
                    .map_err(|error| {
                        AdminError::new(format!("The store's owner cannot act: {error}."))
                    })?;
                let answer = post(
                    stream,
                    name,
                    operation.into_request_body(),
                    reports,
                    SLOW_START,
                )
                .await;
                // Wait, so that the next command finds the store closed.
                let _ = timeout(HEARTBEAT_TIMEOUT, child.wait()).await;
                answer.map_err(|failure| unanswered("The folder owner's process", failure))
            }
            Destination::Opened(store, _copied) => {
                match run_on(&store, operation, reports).await {
                    // A store that hangs can't be closed.
                    Err(NoAnswer::Stuck(_)) => Err(self.damaged("reading it never ends")),
                    answer => {
                        store.close();
                        answer.map_err(|failure| unanswered("The command", failure))
                    }
                }
            }
        }
    }

    async fn find_destination(&self, allowed_on_copy: bool) -> Result<Destination, AdminError> {
        let tried_since = Instant::now();
        loop {
            if let Some(stream) = self.connect().await {
                return Ok(Destination::Server(stream));
            }
            if let Some(owner) = Owner::other_than_root(&self.data) {
                return Ok(Destination::Owner(owner));
            }
            let copied = copy_if_read_only(&self.data, allowed_on_copy)?;
            let data = copied.as_ref().map(CopiedFolder::data);
            let data = data.as_deref().unwrap_or(&self.data);
            let notify = |notice: &str| eprintln!("{notice}");
            match Store::open_with_notices(data, false, &self.recipients, &notify) {
                Ok(store) => return Ok(Destination::Opened(store, copied)),
                Err(OpenError::InUse(_)) if tried_since.elapsed() < LOCK_RETRY_TIMEOUT => {
                    tokio::time::sleep(LOCK_RETRY_INTERVAL).await;
                }
                Err(error) => return Err(AdminError::new(sentence(&error))),
            }
        }
    }

    async fn connect(&self) -> Option<UnixStream> {
        UnixStream::connect(socket::path(&self.data).ok()?)
            .await
            .ok()
    }

    /// Whether a server is running and ready.
    pub async fn is_ready(&self) -> bool {
        let Some(stream) = self.connect().await else {
            return false;
        };
        let reports = Reports::ignored();
        let asked = ask(stream, CheckReady, &reports, USUAL);
        matches!(timeout(Duration::from_secs(5), asked).await, Ok(Ok(true)))
    }

    /// Verifies in a process of its own, which can be killed if it hangs on damaged files.
    pub async fn verify(&self, reports: &Reports) -> Result<Verified, AdminError> {
        let (_child, stream) = self.spawn_runner(None, Stdio::null()).map_err(|error| {
            AdminError::new(format!(
                "The process that verifies cannot be started: {error}."
            ))
        })?;
        let verified = ask(stream, Verify, reports, VERIFYING).await;
        verified.map_err(|failure| match failure {
            NoAnswer::Refused(refused) => refused,
            NoAnswer::Broken(_) => self.damaged("reading it ended in the middle"),
            NoAnswer::Silent(_) | NoAnswer::Stuck(_) => self.damaged("reading it never ends"),
        })
    }

    fn damaged(&self, what: &str) -> AdminError {
        AdminError::new(format!(
            "The store in {} is damaged: {what}. {}",
            self.data.display(),
            how_to_restore()
        ))
    }

    /// Starts a process that runs one operation, which is sent through the socket. It is killed when it is dropped.
    fn spawn_runner(&self, owner: Option<Owner>, stderr: Stdio) -> io::Result<(Child, UnixStream)> {
        let (ours, theirs) = net::UnixStream::pair()?;
        let mut command = owner::command(owner)?;
        command
            .args([OsStr::new(RUNNER_COMMAND), OsStr::new("--data")])
            .arg(std::path::absolute(&self.data)?)
            // The user may lack permission for root's folder.
            .current_dir("/")
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(stderr);
        for recipient in &self.recipients {
            command.args(["--backup-recipient", &recipient.to_string()]);
        }
        let child = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()?;
        ours.set_nonblocking(true)?;
        Ok((child, UnixStream::from_std(ours)?))
    }

    /// Serves one operation on the standard input, which is a socket to the process [that started this one](Self::spawn_runner).
    pub async fn serve_standard_input(self) -> io::Result<()> {
        let stream = net::UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        stream.set_nonblocking(true)?;
        let (working, mut ended) = mpsc::channel(1);
        let runner = StdinRunner {
            client: self,
            _working: working,
        };
        // No other command uses this process, so a request may have any length.
        let limits = SocketLimits {
            longest: usize::MAX,
            time: PROGRESS_TIMEOUT,
            large: Arc::new(Semaphore::new(1)),
        };
        // If the other process has gone away, the work gets a little time to end.
        let _ = serve_connection(UnixStream::from_std(stream)?, runner, limits).await;
        let _ = timeout(HEARTBEAT_TIMEOUT, ended.recv()).await;
        Ok(())
    }
}

#[derive(Clone)]
struct StdinRunner {
    client: Client,
    /// Closed at the end of the work.
    _working: mpsc::Sender<()>,
}

impl Runner for StdinRunner {
    async fn run<O: Operation>(&self, operation: O, reports: Reports) -> JsonAnswer {
        let (client, here) = (self.client.clone(), Handle::current());
        // Opening the store blocks. Meanwhile the other process must hear of this one.
        in_a_thread(move || here.block_on(client.run_any(Box::new(operation), &reports))).await?
    }
}

/// Runs an operation on a store that this process opened.
async fn run_on(
    store: &Store,
    operation: Box<dyn AnyOperation>,
    reports: &Reports,
) -> Result<Box<RawValue>, NoAnswer> {
    let progress_timeout = operation.progress_timeout();
    let work = operation.open(store).await?;
    follow(start(work).map(Ok), reports, progress_timeout).await
}

/// Sends an operation to another process, and waits for its answer.
async fn ask<O: Operation>(
    stream: UnixStream,
    operation: O,
    reports: &Reports,
    timeouts: Timeouts,
) -> Result<O::Answer, NoAnswer> {
    let body = operation.into_body();
    parse(&post(stream, O::NAME, body, reports, timeouts).await?)
}

fn parse<A: DeserializeOwned>(answer: &RawValue) -> Result<A, NoAnswer> {
    Ok(serde_json::from_str(answer.get()).map_err(io::Error::from)?)
}

async fn post(
    stream: UnixStream,
    name: &str,
    body: Vec<u8>,
    reports: &Reports,
    timeouts: Timeouts,
) -> Result<Box<RawValue>, NoAnswer> {
    let broken = |_: hyper::Error| io::Error::from(io::ErrorKind::UnexpectedEof);
    let connected = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = connected.map_err(broken)?;
    let _connection = AbortOnDropHandle::new(tokio::spawn(connection));
    let request = Request::post(format!("/{name}"))
        .header(header::HOST, "localhost")
        .header(VERSION_HEADER, VERSION)
        .body(Full::new(Bytes::from(body)))
        .map_err(io::Error::other)?;
    let response = timeout(timeouts.first_event, sender.send_request(request)).await;
    let response = response.map_err(|_| NoAnswer::Silent(timeouts.first_event))?;
    let response = response.map_err(broken)?;
    let lines = StreamReader::new(response.into_body().into_data_stream().map_err(broken));
    let events = stream::unfold(lines, async |mut lines| {
        let event = timeout(HEARTBEAT_TIMEOUT, Event::read(&mut lines)).await;
        let event = event.map_err(|_| NoAnswer::Silent(HEARTBEAT_TIMEOUT));
        Some((event.and_then(|event| Ok(event?)), lines))
    });
    follow(events, reports, timeouts.progress).await
}

/// The error as a complete sentence.
fn sentence(error: &OpenError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

const SERVER: &str = "The running server";

/// The error of an operation that `who` runs.
fn unanswered(who: &str, failure: NoAnswer) -> AdminError {
    let unknown = "Whether it did what was asked is not known.";
    let advice = |advice| if who == SERVER { advice } else { "" };
    AdminError::new(match failure {
        NoAnswer::Refused(refused) => return refused,
        NoAnswer::Stuck(time) => format!(
            "{who} has been working for {} seconds without getting any further. {unknown}{}",
            time.as_secs(),
            advice(" Its log may tell more; if it hangs, please restart it.")
        ),
        NoAnswer::Silent(time) => format!(
            "{who} has not answered for {} seconds: it was stopped, or hangs. {unknown}{}",
            time.as_secs(),
            advice(" Its log may tell more; please let it go on, or restart it.")
        ),
        NoAnswer::Broken(error) => format!("{who} did not answer: {error}."),
    })
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::UnixListener;

    use super::super::operation::Progress;
    use super::super::running::HEARTBEAT_INTERVAL;
    use super::super::{ListChildren, Seed};
    use super::*;

    /// A data folder with a listening socket.
    fn folder() -> (tempfile::TempDir, UnixListener) {
        let folder = tempfile::TempDir::new().unwrap();
        let listener = UnixListener::bind(socket::path(folder.path()).unwrap()).unwrap();
        (folder, listener)
    }

    async fn run<O: Operation>(
        folder: &tempfile::TempDir,
        operation: O,
    ) -> Result<O::Answer, String> {
        let client = Client {
            data: folder.path().to_owned(),
            recipients: Vec::new(),
        };
        let answer = client.run(operation, &Reports::ignored()).await;
        answer.map_err(|error| error.to_string())
    }

    fn seed(bytes: usize) -> Seed {
        let text = "a".repeat(bytes);
        Seed { text }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_takes_a_command_and_says_nothing_is_given_up() {
        async fn assert_given_up(operation: impl Operation, seconds: u64) {
            let (folder, _silent) = folder();
            let asked_at = Instant::now();
            let refused = run(&folder, operation).await.err().unwrap();

            assert_eq!(asked_at.elapsed().as_secs(), seconds);
            let sentence = format!("The running server has not answered for {seconds} seconds:");
            assert!(refused.starts_with(&sentence), "{refused}");
        }

        assert_given_up(Verify, 10).await;
        assert_given_up(ListChildren, 10).await;
        assert_given_up(seed(2_000_000), 30).await;
    }

    /// Takes a command with a body of this length, and begins to answer.
    async fn take(server: &UnixListener, length: usize) -> UnixStream {
        let (mut stream, _) = server.accept().await.unwrap();
        let mut request = Vec::new();
        let head = |request: &[u8]| {
            let end = request.windows(4).position(|it| it == b"\r\n\r\n");
            end.map(|end| end + 4)
        };
        while head(&request).is_none_or(|head| request.len() < head + length) {
            stream.read_buf(&mut request).await.unwrap();
        }
        let head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
        stream.write_all(head).await.unwrap();
        stream
    }

    async fn send(stream: &mut UnixStream, event: Event<Box<RawValue>>) -> io::Result<()> {
        stream.write_all(&event.to_bytes()).await
    }

    /// Says every other second that it is working, for this long.
    async fn work(stream: &mut UnixStream, time: Duration) {
        let started = Instant::now();
        while started.elapsed() < time {
            tokio::time::sleep(HEARTBEAT_INTERVAL).await;
            if send(stream, Event::Working).await.is_err() {
                return;
            }
        }
    }

    async fn answer(stream: &mut UnixStream, answer: &impl serde::Serialize) {
        let answer = serde_json::value::to_raw_value(answer).unwrap();
        send(stream, Event::Done(Ok(answer))).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_works_without_getting_any_further_is_given_up() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let mut stream = take(&server, 4).await;
            work(&mut stream, PROGRESS_TIMEOUT * 2).await;
        });

        let asked_at = Instant::now();
        let refused = run(&folder, Verify).await.err().unwrap();

        assert_eq!(asked_at.elapsed().as_secs(), PROGRESS_TIMEOUT.as_secs());
        assert!(
            refused.starts_with("The running server has been working for 120 seconds"),
            "{refused}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_keeps_reporting_progress_is_waited_for() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let mut stream = take(&server, 4).await;
            for done in 0..10 {
                work(&mut stream, PROGRESS_TIMEOUT - Duration::from_secs(4)).await;
                let made = Progress { done, total: 10 };
                send(&mut stream, Event::Progress(made)).await.unwrap();
            }
            answer(&mut stream, &Verified::default()).await;
        });

        let verified = run(&folder, Verify).await;

        assert_eq!(verified, Ok(Verified::default()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_server_may_take_longer_for_a_long_request() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            tokio::time::sleep(HEARTBEAT_TIMEOUT * 2).await;
            let mut stream = take(&server, SMALL_REQUEST * 20).await;
            answer(&mut stream, &super::super::seed::Seeded::default()).await;
        });

        let seeded = run(&folder, seed(SMALL_REQUEST * 20)).await;

        assert!(seeded.is_ok(), "{seeded:?}");
    }

    #[tokio::test]
    async fn a_server_that_ends_early_is_said_to_have_given_no_answer() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let mut stream = take(&server, 4).await;
            send(&mut stream, Event::Working).await.unwrap();
        });

        let refused = run(&folder, Verify).await.err().unwrap();

        assert_eq!(
            refused,
            "The running server did not answer: unexpected end of file."
        );
    }
}
