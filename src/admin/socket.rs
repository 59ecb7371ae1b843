//! The socket in the data folder, by which commands reach a running server.
//!
//! Only the folder's owner can enter the folder, and thus administer the server. A Unix socket's path has at most 107
//! bytes; if the folder's path is longer, the socket is in a separate folder under the system's temporary
//! one, named after the data folder.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc};

use super::protocol::{
    Ask, Hello, LONGEST_REQUEST, Reply, VERSION, WORKING, read_line, write_line,
};
use super::stream::{self, Pieces};
use super::{AdminError, Answer, Progress, Request, execute};
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
    let owner = rustix::process::getuid().as_raw();
    Ok(std::env::temp_dir()
        .join(format!("porchlight-{owner}-{name}"))
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
        let large = Arc::new(Semaphore::new(1));
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let (app, large) = (app.clone(), Arc::clone(&large));
                    tokio::spawn(async move {
                        let work = |request, tell: Tell, pieces| async move {
                            execute(&app, request, &tell, &pieces).await
                        };
                        let answered = answer(stream, &large, &SERVERS, work).await;
                        if let Err(error) = answered {
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

/// The maximum size of a request, and the time limit for sending it.
pub(super) struct RequestLimits {
    /// In bytes.
    pub longest: usize,
    pub time: Duration,
}

/// The limits of a running server. Commands run on the same machine. On a busy machine, sending the longest request took
/// more than ten seconds.
const SERVERS: RequestLimits = RequestLimits {
    longest: LONGEST_REQUEST,
    time: Duration::from_secs(60),
};

/// The maximum length of a request that is read concurrently with others, in bytes. Longer ones are read one at a time.
const SHORT: usize = 64 * 1024;

/// The reply to a command that isn't understood.
const TOO_LONG: &str = "This is more than a running server takes at once (64 MB). Please stop the server, run the command \
                        again, and start the server.";
const ANOTHER: &str =
    "The server is just reading another large request. Please try again in a moment.";
const OTHER_VERSION: &str = "The running server is another version of Porchlight than this command. Please use the same \
                             one, or restart the server with it.";

/// Reads a command's request; `None` if it has disconnected, or a sentence that says why it is refused.
async fn read_request(
    reader: &mut (impl AsyncBufRead + Unpin),
    large: &Semaphore,
    longest: usize,
) -> io::Result<Option<Result<Ask, AdminError>>> {
    let refused = |sentence| Ok(Some(Err(AdminError::new(sentence))));
    let Some(hello) = read_line::<Hello>(reader, SHORT).await? else {
        return Ok(None);
    };
    if hello.version != VERSION {
        return refused(OTHER_VERSION);
    }
    let mut start = Vec::new();
    let short = u64::try_from(SHORT).unwrap_or(u64::MAX);
    reader.take(short).read_until(b'\n', &mut start).await?;
    let _only = if start.len() == SHORT && !start.ends_with(b"\n") {
        match large.try_acquire() {
            Ok(only) => Some(only),
            Err(_) => return refused(ANOTHER),
        }
    } else {
        None
    };
    let mut whole = start.as_slice().chain(reader);
    match read_line::<Ask>(&mut whole, longest).await {
        Ok(request) => Ok(request.map(Ok)),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => refused(TOO_LONG),
        Err(error) => Err(error),
    }
}

/// The callback for progress, owned.
pub(super) type Tell = Box<dyn Fn(Progress) + Send + Sync>;

/// Answers one command by running `work`, which gets callbacks for progress and chunks.
pub(super) async fn answer<W>(
    stream: UnixStream,
    large: &Semaphore,
    limits: &RequestLimits,
    work: impl FnOnce(Request, Tell, Pieces) -> W,
) -> io::Result<()>
where
    W: Future<Output = Result<Answer, AdminError>> + Send + 'static,
{
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let asked = read_request(&mut reader, large, limits.longest);
    let asked = tokio::time::timeout(limits.time, asked).await?;
    let request = match asked? {
        None => return Ok(()),
        Some(Err(refused)) => return write_line(&mut writer, &Reply::Refused(refused)).await,
        Some(Ok(request)) => request,
    };
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let (pieces, mut received) = stream::pieces();
    let sender = Mutex::new(sender);
    let tell = move |progress: Progress| {
        let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = sender.send(progress);
    };
    // In its own task, so that it is finished even if the command disconnects.
    let working = tokio::spawn(work(request, Box::new(tell), pieces));
    loop {
        let reports = async {
            tokio::select! {
                Some(progress) = receiver.recv() => Some(Reply::Progress(progress)),
                Some(piece) = received.recv() => Some(Reply::Piece(STANDARD.encode(piece))),
                else => None,
            }
        };
        let reply = match tokio::time::timeout(WORKING, reports).await {
            Ok(Some(reply)) => reply,
            Ok(None) => break,
            Err(_) => Reply::Working,
        };
        // If the command disconnects, the receiver of the chunks is dropped, which stops the sender.
        write_line(&mut writer, &reply).await?;
    }
    let reply = match working.await {
        Ok(Ok(answer)) => Reply::Done(answer),
        Ok(Err(refused)) => Reply::Refused(refused),
        Err(_) => Reply::Refused(AdminError::new(
            "Something went wrong in the running server; its log tells where. Nothing was changed.",
        )),
    };
    write_line(&mut writer, &reply).await
}
