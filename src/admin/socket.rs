//! The Unix socket in the data folder, through which commands reach a running server over HTTP.
//!
//! A command posts an [operation](super::operations) to its name, as JSON, or a file as it is. The response is a line of JSON for
//! each [event](super::running); the chunks of a file are between the lines.
//!
//! Only the folder's owner can enter the folder, and thus administer the server; others but root are refused, too. A Unix socket's path has at most 107
//! bytes; if the folder's path is longer, the socket is in a separate folder under the system's temporary
//! one, named after the data folder.

use std::convert::Infallible;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Body, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use sha2::{Digest, Sha256};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;

use super::operation::{JsonAnswer, Operation, Reports, Runner};
use super::operations::run_named;
use super::running::start;
use super::target::Target;
use super::{AdminError, OTHER_VERSION, VERSION, VERSION_HEADER};
use crate::app::App;

/// The maximum length of a socket's path, in bytes (`unix(7)`, without the terminating zero).
const LONGEST_PATH: usize = 107;

/// The socket's path for this data folder.
pub fn path(data: &Path) -> io::Result<PathBuf> {
    let inside = data.join("admin.sock");
    if inside.as_os_str().len() <= LONGEST_PATH {
        return Ok(inside);
    }
    let real = data.canonicalize()?;
    let name = Sha256::digest(real.as_os_str().as_encoded_bytes());
    let name = hex::encode(&name[..8]);
    let uid = rustix::process::getuid().as_raw();
    Ok(std::env::temp_dir()
        .join(format!("porchlight-{uid}-{name}"))
        .join("admin.sock"))
}

/// A listening socket, which is removed when it is dropped.
pub struct AdminSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl AdminSocket {
    /// Listens in this data folder. The caller holds the folder's lock, so an existing socket
    /// is a leftover, and is replaced.
    pub fn bind(data: &Path) -> io::Result<Self> {
        let path = path(data)?;
        if let Some(folder) = path.parent().filter(|folder| *folder != data) {
            own_folder(folder)?;
        }
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    /// Serves commands. Never returns.
    pub async fn serve(self, app: App) {
        // Commands run on the same machine. On a busy machine, sending the longest request took more than ten seconds.
        let limits = SocketLimits {
            longest: LONGEST_REQUEST,
            time: Duration::from_secs(60),
            large: Arc::new(Semaphore::new(1)),
        };
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) if !is_administrators(&stream) => {
                    tracing::warn!("the admin socket refused a command of another user");
                }
                Ok((stream, _)) => {
                    let served = serve_connection(stream, app.clone(), limits.clone());
                    tokio::spawn(async move {
                        if let Err(error) = served.await {
                            tracing::debug!(%error, "a command went away");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "the admin socket could not take a command");
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        }
    }
}

/// Whether root or the server's own user is at the other end: the socket's permissions say so too, unless somebody changed them.
fn is_administrators(stream: &UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let peer = stream.peer_cred();
    peer.is_ok_and(|peer| may_command(peer.uid(), own))
}

fn may_command(uid: u32, own: u32) -> bool {
    uid == 0 || uid == own
}

impl Drop for AdminSocket {
    fn drop(&mut self) {
        // If the socket cannot be removed, the next server replaces it.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Creates a private folder, or checks that an existing one belongs to this user.
fn own_folder(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = std::fs::symlink_metadata(folder)?;
    let ours = found.is_dir()
        && found.uid() == rustix::process::getuid().as_raw()
        && found.permissions().mode() & 0o077 == 0;
    if ours {
        Ok(())
    } else {
        Err(io::Error::other(
            "the folder for the admin socket belongs to somebody else",
        ))
    }
}

impl Runner for App {
    async fn run<O: Operation>(&self, operation: O, reports: Reports) -> JsonAnswer {
        operation.run_to_json(O::On::of(self), reports).await
    }
}

#[derive(Clone)]
pub(super) struct SocketLimits {
    /// The maximum size of the body, in bytes.
    pub longest: usize,
    /// The time for sending it.
    pub time: Duration,
    /// The permits to read a large one, because it is kept in memory. A permit ends when the body was read.
    pub large: Arc<Semaphore>,
}

/// The maximum size of a body that a running server reads, in bytes: `seed` with a file of some 300,000 messages.
pub(super) const LONGEST_REQUEST: usize = 64 * 1024 * 1024;

pub(super) const TOO_LONG: &str = "This is more than a running server takes at once (64 MB). Please stop the server, run the command \
                                   again, and start the server.";

/// The maximum size of a body that is not large, in bytes. It fits into the socket's buffer.
pub(super) const SMALL_REQUEST: usize = 64 * 1024;

pub(super) async fn serve_connection(
    stream: UnixStream,
    runner: impl Runner,
    limits: SocketLimits,
) -> hyper::Result<()> {
    let mut server = http1::Builder::new();
    server
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.time);
    let answer = |request| {
        let answer = answer(request, runner.clone(), limits.clone());
        std::future::ready(Ok::<_, Infallible>(answer))
    };
    server
        .serve_connection(TokioIo::new(stream), service_fn(answer))
        .await
}

/// Answers at once, so that the command hears of the server while the body is sent.
fn answer(
    request: Request<Incoming>,
    runner: impl Runner,
    limits: SocketLimits,
) -> Response<impl Body<Data = Bytes, Error = Infallible>> {
    let events = start(|reports| async move {
        let version = request.headers().get(VERSION_HEADER);
        if version.is_none_or(|version| version != VERSION) {
            return Err(AdminError::new(OTHER_VERSION));
        }
        if request.method() != Method::POST {
            return Err(AdminError::new("A command is sent with POST."));
        }
        let name = request.uri().path().trim_start_matches('/').to_owned();
        let body = read_body(request.into_body(), &limits);
        let late = |_| AdminError::new("The request was not sent in time.");
        let body = tokio::time::timeout(limits.time, body).await;
        run_named(runner, &name, body.map_err(late)??, reports).await
    });
    let lines = events.map(|event| Ok(Frame::data(event.to_bytes())));
    Response::new(StreamBody::new(lines))
}

/// Reads a body. While another large one is read, this one is not kept.
async fn read_body(mut body: Incoming, limits: &SocketLimits) -> Result<Vec<u8>, AdminError> {
    if body.size_hint().lower() > limits.longest as u64 {
        return Err(AdminError::new(TOO_LONG));
    }
    let (mut read, mut length, mut large) = (Vec::new(), 0, None);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(AdminError::new)?;
        let Ok(part) = frame.into_data() else {
            continue;
        };
        length += part.len();
        if length > limits.longest {
            return Err(AdminError::new(TOO_LONG));
        }
        if length > SMALL_REQUEST && large.is_none() {
            let permit = limits.large.try_acquire();
            if permit.is_ok() {
                // Reserved at once, because growing a vector copies it. Pages that aren't used take no memory.
                read.reserve_exact(limits.longest.min(LONGEST_REQUEST));
            }
            large = Some(permit);
        }
        if !matches!(large, Some(Err(_))) {
            read.extend_from_slice(&part);
        }
    }
    match large {
        Some(Err(_)) => Err(AdminError::new(
            "The server is just reading another large request. Please try again in a moment.",
        )),
        _ => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn only_root_and_the_servers_own_user_may_command() {
        for (uid, own, may) in [
            (0, 1000, true),
            (1000, 1000, true),
            (1001, 1000, false),
            (1000, 0, false),
        ] {
            assert_eq!(may_command(uid, own), may, "{uid} {own}");
        }
    }

    #[tokio::test]
    async fn a_user_who_may_command_is_recognised() {
        let (one, _other) = UnixStream::pair().unwrap();

        assert!(is_administrators(&one));
    }

    #[derive(Clone)]
    struct Nothing;

    impl Runner for Nothing {
        async fn run<O: Operation>(&self, _: O, _: Reports) -> JsonAnswer {
            Err(AdminError::new("It ran."))
        }
    }

    /// What is answered to a request with this head and body.
    async fn answered(line: &str, version: &str, body: &str) -> String {
        let (mut client, server) = UnixStream::pair().unwrap();
        let limits = SocketLimits {
            longest: 1024,
            time: Duration::from_secs(10),
            large: Arc::new(Semaphore::new(1)),
        };
        let served = tokio::spawn(serve_connection(server, Nothing, limits));
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\nhost: a\r\n{VERSION_HEADER}: {version}\r\ncontent-length: {length}\r\n\r\n"
        );
        client
            .write_all(format!("{head}{body}").as_bytes())
            .await
            .unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        served.await.unwrap().unwrap();
        answer
    }

    #[tokio::test]
    async fn only_a_post_with_its_json_runs_a_command() {
        for (line, version, body, sentence) in [
            ("POST /GetPublicUrl", VERSION, "null", "It ran."),
            ("POST /GetPublicUrl", "0.0.0", "null", "another version"),
            ("GET /GetPublicUrl", VERSION, "null", "sent with POST"),
            ("DELETE /GetPublicUrl", VERSION, "null", "sent with POST"),
            ("POST /Nothing", VERSION, "null", "no such command"),
            ("POST /GetPublicUrl", VERSION, "{", "not the JSON"),
            (
                "POST /RemoveGuardian",
                VERSION,
                r#"{"name": 7}"#,
                "not the JSON",
            ),
        ] {
            let answer = answered(line, version, body).await;
            assert!(answer.contains(sentence), "{line} {body}: {answer}");
        }
    }
}
