//! How the command line and a running server talk: one JSON value on each line.
//!
//! The command says which version of this protocol it speaks and what it asks for; the server tells how far
//! it has come and sends pieces of what is large, as often as it likes, and then the outcome. While it has nothing to tell it
//! says every few seconds that it is [still working](Reply::Working), so that a command notices a server that was stopped.
//!
//! No side reads a line into memory that is longer than it can be: see [`LONGEST_LINE`] and [`LONGEST_REQUEST`].

use std::io;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{AdminError, Answer, Progress, Request};

/// The version of the protocol. It counts up with every change of what goes over the socket.
pub const VERSION: u32 = 6;

/// The longest line in bytes, but for a request: a list of some ten thousand children, and many times a [`Reply::Piece`].
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// The longest request, in bytes: `seed` with a file of some 300,000 messages. Whoever has more brings it in while no
/// server runs.
pub const LONGEST_REQUEST: usize = 64 * 1024 * 1024;

/// How often the server says that it is still working.
pub const WORKING: Duration = Duration::from_secs(2);

/// The first line, which names the protocol's version. Every version reads it first.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol's version.
    pub version: u32,
}

/// What the server says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// It is at it, and has nothing to tell.
    Working,
    /// It is at it, and has come this far.
    Progress(Progress),
    /// A piece of what is too large for an answer, in base64.
    Piece(String),
    /// It is done.
    Done(Answer),
    /// It was not done.
    Refused(AdminError),
}

/// What the command says after [`Hello`].
pub type Ask = Request;

/// Writes one line.
///
/// # Errors
///
/// When the other side is gone.
pub async fn write_line<T: Serialize>(
    to: &mut (impl AsyncWrite + Unpin),
    value: &T,
) -> io::Result<()> {
    to.write_all(&line_of(value)?).await?;
    to.flush().await
}

/// A value as JSON, with a newline at the end.
///
/// # Errors
///
/// When the value cannot be written as JSON.
pub fn line_of<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads one line of at most `longest` bytes; `None` when the other side is gone.
///
/// # Errors
///
/// [`io::ErrorKind::FileTooLarge`] when the line is longer; else when it cannot be read or isn't what is expected.
pub async fn read_line<T: DeserializeOwned>(
    from: &mut (impl AsyncBufRead + Unpin),
    longest: usize,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let limit = u64::try_from(longest).unwrap_or(u64::MAX);
    if from.take(limit).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.len() == longest && !line.ends_with(b"\n") {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(Some(serde_json::from_slice(&line)?))
}
