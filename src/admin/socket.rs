//! The Unix socket in the data folder, through which commands reach a running server over HTTP.
//!
//! A command posts an [operation](super::operations) to its name, as JSON, or a file as it is. The response is a line of JSON for
//! each [event](super::running); the chunks of a file are between the lines.
//!
//! Only the folder's owner can enter the folder, and thus administer the server. A Unix socket's path has at most 107
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
use hyper::{Request, Response};
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
