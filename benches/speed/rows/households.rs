//! Many households on one machine, each with its own server: memory, time until all are ready, idle CPU.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::super::copy;
use super::super::data::BoxError;
use super::super::server::{ServerProcess, free_addresses};
use super::super::stopwatch::Stopwatch;
use super::super::table::Target;
use super::Benchmark;

const HOUSEHOLDS: usize = 100;

/// How long the CPU time of the idle servers is measured, after a pause of the same length.
const IDLE: Duration = Duration::from_secs(10);

impl Benchmark {
    pub(super) fn measure_households(&mut self) -> Result<(), BoxError> {
        let folder = self.folder.join("households");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let household = add_household(&folder)?;
        let folders = (0..HOUSEHOLDS)
            .map(|number| {
                let copied = folder.join(number.to_string());
                copy(&household, &copied).map(|()| copied)
            })
            .collect::<Result<Vec<_>, _>>()?;

        let addresses = free_addresses(HOUSEHOLDS)?;
        let watch = Stopwatch::start();
        let mut servers = Vec::new();
        for (data, address) in folders.iter().zip(addresses) {
            servers.push(ServerProcess::spawn(data, address)?);
        }
        for server in &mut servers {
            server.await_response("/readyz", &[])?;
        }
        let ready = watch.seconds();
        let details = format!("{:.1} s of CPU time", cpu_seconds(&servers)?);

        std::thread::park_timeout(IDLE);
        let before = cpu_seconds(&servers)?;
        let watch = Stopwatch::start();
        std::thread::park_timeout(IDLE);
        let idle = (cpu_seconds(&servers)? - before) / watch.seconds() * 100.0;
        let memory = servers.iter().map(ServerProcess::proportional_set);
        let memory = memory.sum::<Result<f64, _>>()?;
        for server in servers {
            server.stop()?;
        }
        fs::remove_dir_all(&folder)?;

        let label = format!("{HOUSEHOLDS} households, a server each: proportional set size in all");
        let target = Target::AtMost(600.0);
        self.table.add(label, "", memory, " MB", target);
        let label = "same, from the first start until all are ready";
        let target = Target::AtMost(5.0);
        self.table.add(label, details, ready, " s", target);
        let label = "same, idle, of one core";
        self.table.add(label, "", idle, " %", Target::AtMost(3.0));
        Ok(())
    }
}

/// Creates the data folder of a household with the twelve weeks of the demonstration family.
fn add_household(folder: &Path) -> Result<PathBuf, BoxError> {
    fs::create_dir_all(folder)?;
    let (demo, household) = (folder.join("demo"), folder.join("household"));
    let exported = folder.join("exported.json");
    let exported = exported.to_str().ok_or("the path is not UTF-8")?;
    porchlight(&demo, &["seed", "--demo"])?;
    porchlight(&demo, &["export", "--out", exported])?;
    porchlight(&household, &["seed", exported])?;
    Ok(household)
}

fn porchlight(data: &Path, arguments: &[&str]) -> Result<(), BoxError> {
    let status = Command::new(env!("CARGO_BIN_EXE_porchlight"))
        .arg("--data")
        .arg(data)
        .args(arguments)
        .stdout(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("porchlight {} failed", arguments.join(" ")).into())
    }
}

fn cpu_seconds(servers: &[ServerProcess]) -> Result<f64, BoxError> {
    servers.iter().map(ServerProcess::cpu_seconds).sum()
}
