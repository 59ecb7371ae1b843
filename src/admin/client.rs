//! The command's side: uses the running server if there is one, otherwise opens the store.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::runtime::Handle;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::task::JoinError;
use tokio::time::Instant;

use super::backup::how_to_restore;
use super::looked;
use super::operations::on_store;
use super::owner::Owner;
use super::protocol::{Hello, LONGEST_LINE, Reply, VERSION, line_of, read_line};
use super::read_only::{CopiedFolder, is_read_only};
use super::socket::RequestLimits;
use super::stream::{self, Pieces};
use super::{AdminError, Answer, OnProgress, Request, execute, socket};
use crate::app::{App, Environment};
use crate::assistant::Quota;
use crate::gateway::Budget;
use crate::identity::{self, IdentitySettings};
use crate::kernel::clock::Clock;
use crate::kernel::mail::Mailer;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{OpenError, Recipient, Store, StoreError};
use crate::kernel::zones::Zone;
use crate::reviewer::ReviewerSettings;
use crate::subscriptions::Servers;

/// How long to retry while another command, or a server that is just starting, has the store open.
const PATIENCE: Duration = Duration::from_secs(10);

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// How long to wait without progress, of the server or while this process reads the whole store. The
/// largest single step, reading a long transcript, takes seconds; sled hung on damaged files in 2 of 125 attempts.
const SILENCE: Duration = Duration::from_secs(120);

/// The timeout without any reply: the server sends one [every few seconds](super::protocol::WORKING) while it is working.
const STOPPED: Duration = Duration::from_secs(10);

/// The size of the chunks in which a request is written, in bytes. The server must read each within [`BUSY`]. A smaller
/// request fits into the socket's buffer.
const PART: usize = 64 * 1024;

/// The timeout for each chunk of a request larger than [`PART`], and for the first reply to it. On a busy machine the
/// owner's process took more than ten seconds to start.
const BUSY: Duration = Duration::from_secs(30);

/// Executes a request in this data folder.
///
/// # Errors
///
/// A sentence that says why nothing was done.
pub async fn run(
    data: &Path,
    recipients: &[Recipient],
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    let tried_since = Instant::now();
    loop {
        if let Some(stream) = connect(data).await {
            return through_server(stream, request, progress, pieces).await;
        }
        if let Some(owner) = Owner::to_act_as(data) {
            return through_owner(
                &owner, data, recipients, public_url, request, progress, pieces,
            )
            .await;
        }
        let copied = read_only_copy(data, &request)?;
        let opened = copied.as_ref().map(CopiedFolder::data);
        let opened = opened.as_deref().unwrap_or(data);
        match Store::open_with_notices(opened, false, recipients, &|notice| eprintln!("{notice}")) {
            Ok(store) => {
                return match alone(&store, public_url, request, progress, pieces).await {
                    Some(done) => {
                        store.close();
                        done
                    }
                    None => Err(endless(data)),
                };
            }
            Err(OpenError::InUse(_)) if tried_since.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(AdminError::new(sentence(&error))),
        }
    }
}

/// A copy of the data, if they are on a read-only disk; requests that would change them are refused there.
fn read_only_copy(data: &Path, request: &Request) -> Result<Option<CopiedFolder>, AdminError> {
    if !Store::exists(data) || !is_read_only(data) {
        return Ok(None);
    }
    let shown = data.display();
    if !request.only_reads() {
        return Err(AdminError::new(format!(
            "{shown} is on a disk that refuses writes (read-only, or broken), so nothing can be changed there. Reading works: verify, \
             backup, export and lists."
        )));
    }
    let copied = CopiedFolder::of(data)?;
    eprintln!(
        "{shown} is on a disk that refuses writes (read-only, or broken): reading a copy in {}, which is removed at the end.",
        copied.data().display()
    );
    Ok(Some(copied))
}

/// Executes the request in a process of the data folder's owner.
async fn through_owner(
    owner: &Owner,
    data: &Path,
    recipients: &[Recipient],
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    let failed = |error| AdminError::new(format!("The store's owner cannot act: {error}."));
    let (mut child, stream) = owner
        .carry_out(data, recipients, public_url)
        .map_err(failed)?;
    let answered = through_server(stream, request, progress, pieces).await;
    // Wait, so that the next command finds the store closed.
    let _ = tokio::time::timeout(STOPPED, child.wait()).await;
    answered
}

/// Executes the request from the standard input, in the process that
/// [another one started](Owner::carry_out). If the other process goes away, the work gets a little time to end.
///
/// # Errors
///
/// If the standard input is not the other process's socket.
pub async fn carry_out(
    data: PathBuf,
    recipients: Vec<Recipient>,
    public_url: Option<PublicUrl>,
) -> io::Result<()> {
    let stream = net::UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    stream.set_nonblocking(true)?;
    let stream = UnixStream::from_std(stream)?;
    let (working, ended) = oneshot::channel::<()>();
    // In its own thread, because the work's future isn't `Send`.
    let work = |request, tell: socket::Tell, pieces: Pieces| async move {
        let _working = working;
        let here = Handle::current();
        let working = tokio::task::spawn_blocking(move || {
            here.block_on(run(&data, &recipients, public_url, request, &tell, &pieces))
        });
        let failed = |error: JoinError| AdminError::new(error.to_string());
        working.await.map_err(failed)?
    };
    // No other command uses this process, so a request may have any length.
    let limits = RequestLimits {
        longest: usize::MAX,
        time: SILENCE,
    };
    let answered = socket::answer(stream, &Semaphore::new(1), &limits, work).await;
    let _ = tokio::time::timeout(STOPPED, ended).await;
    match answered {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        answered => answered,
    }
}

/// Asks the running server whether it is ready; `false` if none is running.
pub async fn is_ready(data: &Path) -> bool {
    let Some(stream) = connect(data).await else {
        return false;
    };
    let (pieces, _nobody) = stream::pieces();
    let asked = through_server(stream, Request::Ready, &|_| {}, &pieces);
    let answer = tokio::time::timeout(Duration::from_secs(5), asked).await;
    matches!(answer, Ok(Ok(Answer::Ready { ready: true })))
}

/// The error as a complete sentence.
fn sentence(error: &OpenError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn unanswered(error: &io::Error) -> AdminError {
    AdminError::new(match error.kind() {
        io::ErrorKind::TimedOut => format!(
            "The running server has not answered for {} seconds: it was stopped, or hangs. Whether it did what was asked is \
             not known. Its log may tell more; please let it go on, or restart it.",
            STOPPED.as_secs()
        ),
        _ => format!("The running server did not answer: {error}."),
    })
}

fn no_progress() -> AdminError {
    AdminError::new(format!(
        "The running server has been working for {} seconds without getting any further. Whether it did what was asked is \
         not known. Its log may tell more; if it hangs, please restart it.",
        SILENCE.as_secs()
    ))
}

fn endless(data: &Path) -> AdminError {
    AdminError::new(format!(
        "The store in {} is damaged: reading it never ends. {}",
        data.display(),
        how_to_restore()
    ))
}

async fn connect(data: &Path) -> Option<UnixStream> {
    UnixStream::connect(socket::path(data).ok()?).await.ok()
}

/// Executes the request in a server. A failed connection is returned as an error like any other.
async fn through_server(
    stream: UnixStream,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    let answered = ask(stream, request, progress, pieces).await;
    answered.unwrap_or_else(|error| Err(unanswered(&error)))
}

/// Sends the request to a server and follows its replies.
async fn ask(
    stream: UnixStream,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> io::Result<Result<Answer, AdminError>> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    write_in_time(&mut writer, &line_of(&Hello { version: VERSION })?).await?;
    let request = line_of(&request)?;
    let asked = write_in_time(&mut writer, &request).await;
    // A server that stopped reading may have sent the reason.
    if let Err(error) = asked
        && error.kind() == io::ErrorKind::TimedOut
    {
        return Err(error);
    }
    let mut moved_at = Instant::now();
    let mut patience = if request.len() > PART { BUSY } else { STOPPED };
    while let Some(reply) = next_reply(&mut reader, patience).await? {
        patience = STOPPED;
        match reply {
            Reply::Working if moved_at.elapsed() < SILENCE => continue,
            Reply::Working => return Ok(Err(no_progress())),
            Reply::Progress(made) => progress(made),
            Reply::Piece(piece) => {
                let piece = STANDARD.decode(piece).map_err(io::Error::other)?;
                let taken = pieces.send(piece).await;
                taken.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
            Reply::Done(answer) => return Ok(Ok(answer)),
            Reply::Refused(refused) => return Ok(Err(refused)),
        }
        moved_at = Instant::now();
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// The server's next reply. [`io::ErrorKind::TimedOut`] if it sends nothing, for example because it was stopped.
async fn next_reply(
    from: &mut (impl AsyncBufRead + Unpin),
    patience: Duration,
) -> io::Result<Option<Reply>> {
    tokio::time::timeout(patience, read_line(from, LONGEST_LINE)).await?
}

/// Writes a line, with a timeout for each chunk. Fails when the server stops reading.
async fn write_in_time(to: &mut (impl AsyncWrite + Unpin), line: &[u8]) -> io::Result<()> {
    for part in line.chunks(PART) {
        tokio::time::timeout(BUSY, to.write_all(part)).await??;
    }
    to.flush().await
}

/// Executes a request on a store that this process opens; `None` if reading it hangs.
async fn alone(
    store: &Store,
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Option<Result<Answer, AdminError>> {
    // Operations that only read the store need no app, and work on a damaged store.
    if let Request::Backup = request {
        let (here, store) = (Handle::current(), store.clone());
        let note = move || here.block_on(looked::note_backup_of(&store, &Clock::System));
        // A damaged store may never answer.
        let _ = tokio::time::timeout(BUSY, tokio::task::spawn_blocking(note)).await;
    }
    let reading = run_while_active(progress, pieces, async |progress, pieces| {
        on_store(store, &Clock::System, &request, progress, &pieces).await
    });
    match reading.await? {
        Some(done) => Some(done),
        None => Some(with_app(store, public_url, request, progress, pieces).await),
    }
}

/// Runs an operation for as long as it reports progress or sends chunks. Returns `None` after a timeout without
/// either. Then no further chunk is passed on, although the operation may still hold its sender.
async fn run_while_active<T>(
    progress: OnProgress<'_>,
    pieces: &Pieces,
    work: impl AsyncFnOnce(OnProgress<'_>, Pieces) -> T,
) -> Option<T> {
    let reported = Notify::new();
    let report = |made| {
        reported.notify_one();
        progress(made);
    };
    let (to, mut made) = stream::pieces();
    let mut working = pin!(work(&report, to));
    let done = loop {
        tokio::select! {
            done = &mut working => break done,
            Some(piece) = made.recv() => if pieces.send(piece).await.is_err() {
                // The receiver is gone. The sender gets an error.
                made.close();
            },
            () = reported.notified() => {}
            () = tokio::time::sleep(SILENCE) => return None,
        }
    };
    while let Ok(piece) = made.try_recv() {
        if pieces.send(piece).await.is_err() {
            break;
        }
    }
    Some(done)
}

async fn with_app(
    store: &Store,
    public_url: Option<PublicUrl>,
    request: Request,
    progress: OnProgress<'_>,
    pieces: &Pieces,
) -> Result<Answer, AdminError> {
    let public_url = match (public_url, identity::remembered_public_url(store)) {
        (Some(given), _) => given,
        (None, Ok(remembered)) => remembered.unwrap_or_default(),
        (None, Err(StoreError::Unreadable(_))) if !tells_an_address(&request) => {
            PublicUrl::default()
        }
        (None, Err(StoreError::Unreadable(_))) => {
            return Err(AdminError::new(
                "The address of the pages cannot be read from the store. Please say it: --public-url URL",
            ));
        }
        (None, Err(error)) => return Err(error.into()),
    };
    let app = App::start(Environment {
        store: store.clone(),
        clock: Clock::System,
        randomness: Randomness::System,
        mailer: Mailer::Nobody,
        servers: Servers::default(),
        identity: IdentitySettings::usual(public_url),
        assistant_quota: Quota::default(),
        gateway_budget: Budget::default(),
        reviewer: ReviewerSettings::default(),
        guardians_manage: false,
        // No command shows or changes the times of a child whose guardians have not set any.
        time_zone: Zone::UTC,
        helpline: None,
        // Only commands about conversations show them.
        backups: None,
    });
    let app = app.await?;
    match app.run_maintenance(|_| {}).await {
        // Erasures wait for disk space, unreadable data stays; neither prevents the command.
        Err(StoreError::Full | StoreError::Unreadable(_)) => {}
        other => other?,
    }
    execute(&app, request, progress, pieces).await
}

/// Whether the answer contains the public URL.
fn tells_an_address(request: &Request) -> bool {
    matches!(
        request,
        Request::SignInLink { .. } | Request::Token { .. } | Request::PublicUrl
    )
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::UnixListener;

    use super::*;
    use crate::admin::Progress;
    use crate::admin::protocol::{WORKING, write_line};
    use crate::kernel::store::Verified;

    /// A data folder with a listening socket.
    fn folder() -> (tempfile::TempDir, UnixListener) {
        let folder = tempfile::TempDir::new().unwrap();
        let listener = UnixListener::bind(socket::path(folder.path()).unwrap()).unwrap();
        (folder, listener)
    }

    async fn ask(folder: &tempfile::TempDir, request: Request) -> Result<Answer, AdminError> {
        let (pieces, _nobody) = stream::pieces();
        run(folder.path(), &[], None, request, &|_| {}, &pieces).await
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_takes_a_command_and_says_nothing_is_given_up() {
        let (folder, _silent) = folder();
        let long = Request::Seed {
            text: "more than fits on its way".repeat(100_000),
        };

        for (request, seconds) in [
            (Request::Verify, 10),
            (Request::ListChildren, 10),
            (long, 30),
        ] {
            let asked_at = Instant::now();
            let answer = ask(&folder, request).await;
            let refused = answer.err().expect("nobody answered").to_string();

            assert_eq!(asked_at.elapsed().as_secs(), seconds);
            assert!(
                refused.starts_with("The running server has not answered for 10 seconds:"),
                "{refused}"
            );
        }
    }

    /// Reports progress every other second for this long.
    async fn work(stream: &mut UnixStream, time: Duration) {
        let started = Instant::now();
        while started.elapsed() < time {
            tokio::time::sleep(WORKING).await;
            if write_line(stream, &Reply::Working).await.is_err() {
                return;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_works_without_getting_any_further_is_given_up() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let (mut stream, _) = server.accept().await.unwrap();
            work(&mut stream, SILENCE * 2).await;
        });

        let asked_at = Instant::now();
        let refused = ask(&folder, Request::Verify).await.err().unwrap();

        assert_eq!(asked_at.elapsed().as_secs(), SILENCE.as_secs());
        assert!(
            refused
                .to_string()
                .starts_with("The running server has been working for 120 seconds"),
            "{refused}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_keeps_reporting_progress_is_waited_for() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let (mut stream, _) = server.accept().await.unwrap();
            for done in 0..10 {
                work(&mut stream, SILENCE - Duration::from_secs(4)).await;
                let made = Progress { done, total: 10 };
                write_line(&mut stream, &Reply::Progress(made))
                    .await
                    .unwrap();
            }
            let answer = Answer::Verified(Verified::default());
            write_line(&mut stream, &Reply::Done(answer)).await.unwrap();
        });

        let answer = ask(&folder, Request::Verify).await;

        assert!(matches!(answer, Ok(Answer::Verified(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_server_may_take_longer_for_a_long_request() {
        let (folder, server) = folder();
        tokio::spawn(async move {
            let (mut stream, _) = server.accept().await.unwrap();
            let (mut part, mut lines) = (vec![0; PART], 0);
            tokio::time::sleep(STOPPED * 2).await;
            while lines < 2 {
                let read = stream.read(&mut part).await.unwrap();
                lines += part[..read].iter().filter(|&&byte| byte == b'\n').count();
            }
            tokio::time::sleep(STOPPED * 2).await;
            let answer = Answer::Verified(Verified::default());
            write_line(&mut stream, &Reply::Done(answer)).await.unwrap();
        });
        let long = Request::Seed {
            text: "a".repeat(PART * 20),
        };

        let answer = ask(&folder, long).await;

        assert!(matches!(answer, Ok(Answer::Verified(_))));
    }

    #[tokio::test(start_paused = true)]
    async fn what_falls_silent_is_given_up_and_its_pieces_end() {
        let (pieces, mut received) = stream::pieces();
        let mut kept = None;

        let done = run_while_active(&|_| {}, &pieces, async |progress, pieces| {
            for done in 0..3 {
                tokio::time::sleep(SILENCE / 2).await;
                progress(Progress { done, total: 0 });
                pieces.send(vec![7]).await.unwrap();
            }
            kept = Some(pieces);
            std::future::pending::<()>().await;
        });
        assert_eq!(done.await, None);
        drop(pieces);

        let mut count = 0;
        while received.recv().await.is_some() {
            count += 1;
        }
        assert_eq!(count, 3);
        assert!(kept.is_some(), "the maker still has its end");
    }

    #[tokio::test(start_paused = true)]
    async fn what_ends_is_passed_on_whole() {
        let (pieces, mut received) = stream::pieces();

        let done = run_while_active(&|_| {}, &pieces, async |_, pieces| {
            pieces.send(vec![1]).await.unwrap();
            pieces.send(vec![2]).await.unwrap();
            "done"
        });

        assert_eq!(done.await, Some("done"));
        drop(pieces);
        let mut all = Vec::new();
        while let Some(piece) = received.recv().await {
            all.extend(piece);
        }
        assert_eq!(all, [1, 2]);
    }
}
