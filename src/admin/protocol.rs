//! How the command line and a running server talk: one JSON value on each line.
//!
//! The command says which version of this protocol it speaks and what it asks for; the server tells how far
//! it has come, as often as it likes, and then the outcome.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};

use super::{AdminError, Answer, Progress, Request};

/// The version of the protocol. It counts up with every change of what goes over the socket.
pub const VERSION: u32 = 1;

/// The first line: who is asking. It is read before anything else, whatever the version.
#[derive(Debug, Serialize, Deserialize)]
pub struct Hello {
    /// The protocol's version.
    pub version: u32,
}

/// What the server says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// It is at it.
    Progress(Progress),
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
) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    to.write_all(&line).await?;
    to.flush().await
}

/// Reads one line; `None` when the other side is gone.
///
/// # Errors
///
/// When the line cannot be read or isn't what is expected.
pub async fn read_line<T: DeserializeOwned>(
    from: &mut (impl AsyncBufRead + Unpin),
) -> std::io::Result<Option<T>> {
    let mut line = Vec::new();
    if from.read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}
