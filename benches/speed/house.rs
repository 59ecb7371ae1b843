//! The real server, as a process of its own.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::data::Failed;
use super::load::ask;
use super::stopwatch::Stopwatch;

/// What tokens are for: the same at every start, whatever the port.
pub const PUBLIC_URL: &str = "http://127.0.0.1";

/// How long the server may take to answer before something is wrong with it, in seconds.
const PATIENCE: f64 = 60.0;

/// The allocator gives back what is free for half a second.
const SETTLING: Duration = Duration::from_secs(3);

/// A running Porchlight. It is ended when this is dropped.
pub struct House {
    process: Child,
    data: PathBuf,
    pub address: SocketAddr,
    /// How long it took from starting the program to its first answer, in milliseconds.
    pub first_answer_after: f64,
}

impl House {
    /// Starts the server on this folder, without limits, and waits for the answer to `path`.
    pub fn start(data: &Path, path: &str, headers: &[String]) -> Result<Self, Failed> {
        let address = free_address()?;
        Self::start_at(address, data, path, headers)
    }

    fn start_at(
        address: SocketAddr,
        data: &Path,
        path: &str,
        headers: &[String],
    ) -> Result<Self, Failed> {
        fs::create_dir_all(data)?;
        let log = File::create(data.with_extension("log"))?;
        let watch = Stopwatch::start();
        let process = Command::new(env!("CARGO_BIN_EXE_porchlight"))
            .args(["serve", "--limits", "off", "--listen", &address.to_string()])
            // Tokens name the address they are for, and those of one start are used after the next.
            .args(["--public-url", PUBLIC_URL])
            .arg("--data")
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        let mut house = Self {
            process,
            data: data.to_owned(),
            address,
            first_answer_after: 0.0,
        };
        loop {
            if let Ok(answer) = ask(address, "GET", path, headers, "") {
                house.first_answer_after = watch.seconds() * 1e3;
                return match answer.status {
                    200 => Ok(house),
                    status => Err(format!("{path} was answered with {status}").into()),
                };
            }
            if watch.seconds() > PATIENCE || house.process.try_wait()?.is_some() {
                let log = fs::read_to_string(data.with_extension("log"))?;
                return Err(format!("the server does not answer:\n{log}").into());
            }
            std::thread::park_timeout(Duration::from_micros(500));
        }
    }

    /// Where something is asked for.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What stays in memory once the server has had time to give back what it needed for a moment, in megabytes of
    /// 1,000,000 bytes.
    pub fn resident_memory(&self) -> Result<f64, Failed> {
        std::thread::park_timeout(SETTLING);
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let kibibytes = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|rest| rest.trim().strip_suffix(" kB"))
            .ok_or("the system doesn't tell what is resident")?;
        Ok(kibibytes.parse::<f64>()? * 1024.0 / 1e6)
    }

    /// Runs another command on the same data and reads what it prints for programs.
    pub fn command(&self, arguments: &[&str]) -> Result<Value, Failed> {
        let output = Command::new(env!("CARGO_BIN_EXE_porchlight"))
            .arg("--data")
            .arg(&self.data)
            .arg("--json")
            .args(arguments)
            .stderr(Stdio::inherit())
            .output()?;
        match output.status.success() {
            true => Ok(serde_json::from_slice(&output.stdout)?),
            false => Err(format!("porchlight {} failed", arguments.join(" ")).into()),
        }
    }

    /// Tells the server to end and waits until it has.
    pub fn end(mut self) -> Result<(), Failed> {
        let process = i32::try_from(self.process.id())
            .ok()
            .and_then(Pid::from_raw);
        kill_process(process.ok_or("no process")?, Signal::TERM)?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // It has ended already where all went well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> Result<SocketAddr, Failed> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}
