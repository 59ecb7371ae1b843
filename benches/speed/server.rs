//! The server under test, as a child process.

use std::env;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::data::BoxError;
use super::load::request;
use super::stopwatch::Stopwatch;

/// The audience of identity tokens. It stays the same across restarts, although the port changes.
pub const PUBLIC_URL: &str = "http://127.0.0.1";

/// The maximum duration of a start, in seconds.
const START_TIMEOUT: f64 = 60.0;

/// Longer than the allocator keeps freed memory (half a second).
const ALLOCATOR_DECAY: Duration = Duration::from_secs(3);

/// The binary that is measured: `PORCHLIGHT_BIN`, or the one that was built with the benchmark.
pub fn binary() -> PathBuf {
    let given = env::var_os("PORCHLIGHT_BIN");
    given.map_or_else(|| env!("CARGO_BIN_EXE_porchlight").into(), Into::into)
}

/// A running server. Dropping it kills the process.
pub struct ServerProcess {
    process: Child,
    data: PathBuf,
    pub address: SocketAddr,
    started: Stopwatch,
    /// Milliseconds from starting the process to its first response.
    pub startup_ms: f64,
}

impl ServerProcess {
    /// Starts the server on the folder `data` with rate limits off, and waits until it answers `path` with 200.
    pub fn start(data: &Path, path: &str, headers: &[String]) -> Result<Self, BoxError> {
        let address = free_addresses(1)?.remove(0);
        let mut server = Self::spawn(data, address)?;
        server.await_response(path, headers)?;
        Ok(server)
    }

    /// Starts the server without waiting.
    pub fn spawn(data: &Path, address: SocketAddr) -> Result<Self, BoxError> {
        fs::create_dir_all(data)?;
        let log = File::create(data.with_extension("log"))?;
        let started = Stopwatch::start();
        let process = Command::new(binary())
            .args(["serve", "--limits", "off", "--assistant-quota", "off"])
            .args(["--listen", &address.to_string()])
            // A token issued before a restart is used after it, and it names the public URL.
            .args(["--public-url", PUBLIC_URL])
            .arg("--data")
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        Ok(Self {
            process,
            data: data.to_owned(),
            address,
            started,
            startup_ms: 0.0,
        })
    }

    /// Waits until it answers `path` with 200.
    pub fn await_response(&mut self, path: &str, headers: &[String]) -> Result<(), BoxError> {
        loop {
            if let Ok(response) = request(self.address, "GET", path, headers, "") {
                self.startup_ms = self.started.seconds() * 1e3;
                return match response.status {
                    200 => Ok(()),
                    status => Err(format!("{path} was answered with {status}").into()),
                };
            }
            if self.started.seconds() > START_TIMEOUT || self.process.try_wait()?.is_some() {
                let log = fs::read_to_string(self.data.with_extension("log"))?;
                return Err(format!("the server did not start:\n{log}").into());
            }
            std::thread::park_timeout(Duration::from_micros(500));
        }
    }

    /// Returns the resident set in megabytes (1,000,000 bytes), after the allocator has returned freed memory.
    pub fn resident_set(&self) -> Result<f64, BoxError> {
        std::thread::park_timeout(ALLOCATOR_DECAY);
        self.megabytes("status", "VmRSS:")
    }

    /// Returns the proportional set size in megabytes: memory that processes share is divided among them.
    pub fn proportional_set(&self) -> Result<f64, BoxError> {
        self.megabytes("smaps_rollup", "Pss:")
    }

    /// Returns the CPU time so far, of all threads that still exist.
    pub fn cpu_seconds(&self) -> Result<f64, BoxError> {
        let mut nanoseconds = 0.0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let statistics = fs::read_to_string(thread?.path().join("schedstat"))?;
            let ran = statistics.split(' ').next().unwrap_or_default();
            nanoseconds += ran.parse::<f64>()?;
        }
        Ok(nanoseconds / 1e9)
    }

    fn megabytes(&self, file: &str, field: &str) -> Result<f64, BoxError> {
        let text = fs::read_to_string(format!("/proc/{}/{file}", self.process.id()))?;
        let kibibytes = text
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .and_then(|rest| rest.trim().strip_suffix(" kB"))
            .ok_or_else(|| format!("/proc does not show {field}"))?;
        Ok(kibibytes.parse::<f64>()? * 1024.0 / 1e6)
    }

    /// Runs another command on the same data folder and returns its JSON output.
    pub fn command(&self, arguments: &[&str]) -> Result<Value, BoxError> {
        let output = Command::new(binary())
            .arg("--data")
            .arg(&self.data)
            .arg("--json")
            .args(arguments)
            .stderr(Stdio::inherit())
            .output()?;
        if output.status.success() {
            Ok(serde_json::from_slice(&output.stdout)?)
        } else {
            Err(format!("porchlight {} failed", arguments.join(" ")).into())
        }
    }

    /// Sends SIGTERM and waits for the process to exit.
    pub fn stop(mut self) -> Result<(), BoxError> {
        let process = i32::try_from(self.process.id())
            .ok()
            .and_then(Pid::from_raw);
        kill_process(
            process.ok_or("the process id is out of range")?,
            Signal::TERM,
        )?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // After `stop`, the process has already exited.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns different addresses that nobody listens on.
pub fn free_addresses(count: usize) -> Result<Vec<SocketAddr>, BoxError> {
    let taken = (0..count).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)));
    let taken = taken.collect::<Result<Vec<_>, _>>()?;
    let addresses = taken.iter().map(TcpListener::local_addr);
    Ok(addresses.collect::<Result<_, _>>()?)
}
