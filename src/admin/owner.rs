//! The user that a data folder belongs to.
//!
//! Root runs commands for the folder of a service that runs as another user, which could not open a file that root
//! created there. So root never opens the store of another user: a process of that user does.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The hidden command that runs one operation from its standard input, a Unix socket.
pub const RUNNER_COMMAND: &str = "carry-out";

/// The owner of a data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    uid: u32,
    gid: u32,
}

impl Owner {
    /// The owner of the data folder, or of the folder in which it will be created; `None` unless this process is root's and the
    /// folder another user's.
    pub fn other_than_root(data: &Path) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let absolute = std::path::absolute(data).ok()?;
        let found = absolute.ancestors().find_map(|it| fs::metadata(it).ok())?;
        let (uid, gid) = (found.uid(), found.gid());
        (uid != 0).then_some(Self { uid, gid })
    }

    /// Runs this program again (`exec`) as this user with the same arguments. Returns only on failure.
    pub fn exec(self, data: &Path) -> io::Error {
        let command = std::path::absolute(data).and_then(|data| {
            let mut command = command(Some(self))?;
            command.args(std::env::args_os().skip(1));
            command.env("PORCHLIGHT_DATA", data);
            Ok(command)
        });
        command.map_or_else(|error| error, |mut command| command.exec())
    }

    /// Runs this program again (`exec`) as this user with other arguments, and with this file as the standard input. Returns only
    /// on failure.
    pub fn exec_with(self, arguments: &[&OsStr], input: File) -> io::Error {
        match command(Some(self)) {
            Ok(mut command) => command.args(arguments).stdin(input).exec(),
            Err(error) => error,
        }
    }
}

/// A command that runs this program; as a user without root's groups if one is given.
pub(super) fn command(owner: Option<Owner>) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    if let Some(Owner { uid, gid }) = owner {
        command.uid(uid).gid(gid);
    }
    Ok(command)
}
