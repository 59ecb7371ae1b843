//! The protocol between the command line and a running server: one JSON value per line.
//!
//! The command sends the protocol's version and the request; the server reports progress
//! and sends large results in chunks, as often as necessary, and then the result. While it has nothing to report it sends
//! [`Reply::Working`] every few seconds, so that a command notices a stopped server.
//!
//! Neither side reads a line into memory that exceeds [`LONGEST_LINE`] or [`LONGEST_REQUEST`].

use std::io;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{AdminError, Answer, Progress, Request};

/// The version of the protocol. Increase it with every change of the messages.
pub const VERSION: u32 = 10;

/// The maximum length of a line in bytes, except for a request: a list of some ten thousand children, and many times a
/// [`Reply::Piece`].
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// The maximum length of a request, in bytes: `seed` with a file of some 300,000 messages. A larger file can be imported while
/// no server runs.
pub const LONGEST_REQUEST: usize = 64 * 1024 * 1024;

/// The interval of [`Reply::Working`].
pub const WORKING: Duration = Duration::from_secs(2);

/// The first line, which contains the protocol's version. Every version reads it first.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hello {
    pub version: u32,
}

/// A message from the server.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// It is working, and has nothing to report.
    Working,
    /// It is working, and has made this progress.
    Progress(Progress),
    /// A chunk of a large result, in base64.
    Piece(String),
    /// The request succeeded.
    Done(Answer),
    /// The request was refused.
    Refused(AdminError),
}

/// What the command sends after [`Hello`].
pub type Ask = Request;

pub async fn write_line<T: Serialize>(
    to: &mut (impl AsyncWrite + Unpin),
    value: &T,
) -> io::Result<()> {
    to.write_all(&line_of(value)?).await?;
    to.flush().await
}

/// A value as JSON, with a newline at the end.
pub fn line_of<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Reads one line of at most `longest` bytes; `None` if the other side has disconnected.
///
/// # Errors
///
/// [`io::ErrorKind::FileTooLarge`] if the line is longer; otherwise if it cannot be read or parsed.
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
