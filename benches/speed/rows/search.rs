//! Search: how long it takes to search all of a child's messages, compared with ripgrep on the same text.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::super::data::{BoxError, CHILD_WITH_MANY_MESSAGES};
use super::super::load::request;
use super::super::server::ServerProcess;
use super::super::stopwatch::Stopwatch;
use super::super::table::{Series, Target, thousands};
use super::reads::first_pages_of_sessions;
use super::{Benchmark, get_json, guardian_headers};

/// A word that no message and no topic of the data set contains, so that everything is read.
const WORD: &str = "zebra";

/// The target is for this many messages.
const MESSAGES: f64 = 100_000.0;
const TARGET_MS: f64 = 150.0;

impl Benchmark {
    pub(super) fn measure_search(&mut self, server: &ServerProcess) -> Result<(), BoxError> {
        let text = self.folder.join("said.txt");
        let messages = write_text(server, &text)?;
        let (mut own, mut ripgrep) = (Series::default(), Series::default());
        let mut requests = 0;
        for _ in 0..self.options.rounds {
            let (seconds, asked) = search_everything(server)?;
            own.push(seconds * 1e3);
            requests = asked;
            if let Some(seconds) = search_with_ripgrep(&text)? {
                ripgrep.push(seconds * 1e3);
            }
        }
        std::fs::remove_file(text)?;

        let label = format!("search of {} messages to the last", thousands(messages));
        let details = format!("{requests} requests, {:.0} ms", own.median());
        let per_target = own.median() * MESSAGES / messages;
        let label = format!("{label}, per {}", thousands(MESSAGES));
        let target = Target::AtMost(TARGET_MS);
        self.table.add(label, details, per_target, " ms", target);
        if !ripgrep.median().is_nan() {
            let details = format!("ripgrep {:.0} ms", ripgrep.median());
            let ratio = own.ratio_to(&ripgrep);
            let label = "same, time vs. ripgrep on the same text";
            self.table.add(label, details, ratio, "×", Target::None);
        }
        Ok(())
    }
}

/// Writes the child's messages to a file, one per line. Returns their number.
fn write_text(server: &ServerProcess, file: &Path) -> Result<f64, BoxError> {
    let guardian = guardian_headers(server)?;
    let mut text = BufWriter::new(File::create(file)?);
    let mut messages = 0.0;
    for path in first_pages_of_sessions(server, CHILD_WITH_MANY_MESSAGES, usize::MAX)? {
        let page = get_json(server, &path, &guardian)?;
        for message in page["messages"].as_array().into_iter().flatten() {
            writeln!(
                text,
                "{}",
                message["text_content"].as_str().unwrap_or_default()
            )?;
            messages += 1.0;
        }
    }
    text.flush()?;
    if messages > 0.0 {
        Ok(messages)
    } else {
        Err("there is nothing to search".into())
    }
}

/// Searches until everything was read. Returns the seconds, and the number of requests.
fn search_everything(server: &ServerProcess) -> Result<(f64, u32), BoxError> {
    let guardian = guardian_headers(server)?;
    let path = format!("/api/child/{CHILD_WITH_MANY_MESSAGES}/search");
    let mut body = json!({"words": WORD});
    let mut requests = 0;
    let watch = Stopwatch::start();
    loop {
        let found = request(server.address, "POST", &path, &guardian, &body.to_string())?;
        requests += 1;
        if found.status != 200 {
            return Err(format!("{path} was answered with {}", found.status).into());
        }
        let found = serde_json::from_slice::<Value>(&found.body)?;
        match &found["next"] {
            Value::Null => return Ok((watch.seconds(), requests)),
            next => body["after"] = next.clone(),
        }
    }
}

/// Returns the seconds, including the start of the process; `None` if ripgrep isn't installed.
fn search_with_ripgrep(text: &Path) -> Result<Option<f64>, BoxError> {
    let watch = Stopwatch::start();
    let ran = Command::new("rg")
        .args(["--no-config", "--ignore-case", "--count"])
        .arg(format!(r"\b{WORD}"))
        .arg(text)
        .stdout(Stdio::null())
        .status();
    match ran {
        // ripgrep exits with 1 if nothing was found.
        Ok(status) if status.code() == Some(1) => Ok(Some(watch.seconds())),
        Ok(status) => Err(format!("ripgrep ended with {status}").into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
