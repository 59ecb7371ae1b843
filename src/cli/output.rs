//! Human-readable output: sentences and aligned tables.

mod problems;
mod reviewer;
mod tables;
mod tries;

use std::fmt::Display;
use std::io::{ErrorKind, Write};

use serde::Serialize;

use crate::admin::{AdminError, Compacted};
use crate::kernel::host::words::{plain, plain_json, plain_lines};
pub use problems::{forwarding, not_arriving, not_kept, not_reviewed};
pub use reviewer::{faults, tested, testing};
pub use tables::{counted, listed, numbers, table};
pub use tries::tried;

/// Writes to the standard output. If the reader has closed the pipe (`| head`), the command exits silently.
pub fn print(text: impl Display) {
    match write(text) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("Nothing can be written to the standard output: {error}.");
            std::process::exit(1);
        }
        Ok(()) => {}
    }
}

/// [`print`] with a newline.
pub fn print_line(text: impl Display) {
    print(format_args!("{text}\n"));
}

fn write(text: impl Display) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    write!(output, "{text}").and_then(|()| output.flush())
}

/// An answer for programs.
pub fn json(answer: &impl Serialize) -> String {
    plain_json(&serde_json::to_value(answer).expect("an answer is JSON"))
}

/// A secret for people. The standard output contains it alone, so that a script can read it.
pub struct Secret {
    pub secret: String,
    /// Printed before and after it, to the standard error.
    pub before: String,
    pub after: String,
    /// What to do if it could not be printed.
    pub if_unseen: String,
}

impl Secret {
    /// Prints it, or the JSON of an answer that contains it. Fails if that could not be printed.
    pub fn print(&self, json: Option<&str>) -> Result<(), AdminError> {
        let (before, after) = match json {
            Some(_) => ("", ""),
            None => (&*self.before, &*self.after),
        };
        eprint!("{}", plain_lines(before));
        let text = json.map_or_else(|| plain_lines(&self.secret), str::to_owned);
        write(text + "\n").map_err(|error| unseen(&format!("({error}). {}", self.if_unseen)))?;
        eprint!("{}", plain_lines(after));
        Ok(())
    }
}

/// Fails before a secret is created that could not be shown. If standard output was closed, Rust has opened `/dev/null` in its
/// place.
pub fn require_reader() -> Result<(), AdminError> {
    let thrown_away = rustix::fs::fstat(std::io::stdout()).is_ok_and(|output| {
        let nowhere = rustix::fs::stat("/dev/null");
        rustix::fs::FileType::from_raw_mode(output.st_mode).is_char_device()
            && nowhere.is_ok_and(|nowhere| nowhere.st_rdev == output.st_rdev)
    });
    if thrown_away {
        Err(unseen(
            "because it is closed or leads to /dev/null. Nothing was done.",
        ))
    } else {
        Ok(())
    }
}

fn unseen(why: &str) -> AdminError {
    AdminError::new(format!("Nobody can read the standard output {why}"))
}

/// Warns about records that are missing from an answer because they are unreadable.
pub fn warn_of_unreadable(unreadable: u64) {
    if unreadable > 0 {
        eprintln!("{}", left_out(unreadable));
    }
}

pub fn left_out(unreadable: u64) -> String {
    let (records, verb) = match unreadable {
        1 => ("1 record", "is"),
        _ => (&*format!("{unreadable} records"), "are"),
    };
    format!("{records} could not be read and {verb} left out. To see which: porchlight verify")
}

/// The warning that removed data is still in the store's files.
pub fn traces<T>(compacted: &Compacted<T>) -> String {
    match &compacted.traces {
        Some(sentence) => format!("{}\n", plain(sentence)),
        None => String::new(),
    }
}
