//! Load, by `wrk`, and single requests.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::data::Failed;

/// Which part of a run's requests may fail, on a machine that is busy with something else.
const MOST_FAILED: f64 = 0.001;

/// What one run of `wrk` found.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Requests a second.
    pub rate: f64,
    /// How long 99 of 100 requests took at most, in milliseconds.
    pub p99: f64,
}

/// What `wrk` does.
#[derive(Clone, Debug)]
pub struct Load {
    /// For how many seconds.
    pub seconds: u32,
    /// How many connections ask, each for the next answer once it has one.
    pub connections: u32,
    /// How many of `wrk`'s threads serve them.
    pub threads: u32,
    /// Headers beside the usual ones.
    pub headers: Vec<String>,
    /// What is asked or delivered.
    pub what: What,
}

/// What is asked or delivered.
#[derive(Clone, Debug)]
pub enum What {
    /// The one address, again and again.
    Same,
    /// These, one after the other.
    Each(Vec<String>),
    /// Messages that are new.
    Delivery(Delivery),
}

/// What is delivered.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// How many messages at once.
    pub batch: u32,
    /// Among how many sessions.
    pub sessions: u32,
    /// What no other run's messages begin with.
    pub run: String,
}

impl Load {
    /// Asks for `url` as often as it is answered.
    ///
    /// # Errors
    ///
    /// When `wrk` isn't there, or an answer was an error.
    pub fn on(&self, url: &str) -> Result<Measured, Failed> {
        let scripts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/speed");
        let mut command = Command::new("wrk");
        command
            .arg(format!("-t{}", self.threads))
            .arg(format!("-c{}", self.connections))
            .arg(format!("-d{}s", self.seconds))
            .arg("-s")
            .arg(scripts.join("wrk.lua"));
        for header in &self.headers {
            command.args(["-H", header]);
        }
        match &self.what {
            What::Same => &mut command,
            What::Each(paths) => command.env("PATHS", paths.join("\n")),
            What::Delivery(delivery) => command
                .args(["-H", "Content-Type: application/json"])
                .env("BATCH", delivery.batch.to_string())
                .env("SESSIONS", delivery.sessions.to_string())
                .env("RUN", &delivery.run),
        };
        let output = command
            .arg(url)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("wrk, which makes the load, cannot be started: {error}"))?;
        let text = String::from_utf8(output.stdout)?;
        let numbers = text
            .lines()
            .find_map(|line| line.strip_prefix("measured "))
            .ok_or_else(|| format!("wrk has measured nothing at {url}: {text}"))?
            .split(' ')
            .map(str::parse)
            .collect::<Result<Vec<f64>, _>>()?;
        match numbers[..] {
            [requests, micros, p99, failed] if failed < requests * MOST_FAILED => {
                if failed > 0.0 {
                    eprintln!("{}", text.lines().last().unwrap_or_default());
                }
                Ok(Measured {
                    rate: (requests - failed) / micros * 1e6,
                    p99: p99 / 1e3,
                })
            }
            _ => Err(format!("too many of wrk's requests to {url} failed: {text}").into()),
        }
    }
}

/// An answer, as it came.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Asks once, on a connection of its own.
pub fn ask(
    server: SocketAddr,
    method: &str,
    path: &str,
    headers: &[String],
    body: &str,
) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(server)?;
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n");
    for header in headers {
        request += header;
        request += "\r\n";
    }
    if !body.is_empty() {
        request += "Content-Type: application/json\r\n";
        request += &format!("Content-Length: {}\r\n", body.len());
    }
    stream.write_all((request + "\r\n" + body).as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    read_answer(&bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn read_answer(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_owned(), value.to_owned()))
    };
    Some(Answer {
        status,
        headers: lines.filter_map(header).collect(),
        body: bytes[end + 4..].to_vec(),
    })
}
