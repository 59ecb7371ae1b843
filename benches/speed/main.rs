//! The server benchmark, run by `make bench`.
//!
//! It measures the real server on the [data set](data), with a guardian's token, so that every access check runs, and
//! compares it with the [baselines](baseline): bare poem, the same bytes from memory, a raw synced append, the store
//! alone. Server and baseline take turns in rounds. A ratio is the median of the per-round ratios, so a disturbance of the
//! machine affects both sides.

mod baseline;
mod data;
mod load;
mod rows;
mod server;
mod stopwatch;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use porchlight::alerts::reviewer::ReviewerSettings;
use porchlight::app::{App, AppSettings};
use porchlight::assistants::deliveries::Quota;
use porchlight::assistants::gateway::Budget;
use porchlight::identity::IdentitySettings;
use porchlight::kernel::host::clock::Clock;
use porchlight::kernel::host::randomness::Randomness;
use porchlight::kernel::outgoing::mail::Mailer;
use porchlight::kernel::store::Store;
use porchlight::notifications::Servers;

use data::{BoxError, Size};
use rows::Benchmark;

/// The version of the generated data. Increase it when the data changes, so that an older data set isn't reused.
const DATA_VERSION: u32 = 4;

/// Measures the server and its baselines.
#[derive(Clone, Debug, Parser)]
struct Options {
    /// Messages of all families together, at least 21000
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(data::MIN_MESSAGES..))]
    messages: u64,
    /// Sessions of the child with many sessions
    #[arg(long, default_value_t = 100_000)]
    sessions: u64,
    /// Samples per measurement
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Duration of a sample in seconds
    #[arg(long, default_value_t = 2)]
    seconds: u32,
    /// Only run the rows whose name begins with this: households, reads, pages, search, deliveries, batches, memory, waiting,
    /// live, alerts, gateway. All other rows always run
    #[arg(long)]
    only: Option<String>,
    /// Passed by cargo to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let options = Options::parse();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("speed");
    let size = Size {
        messages: options.messages,
        sessions: options.sessions,
    };
    let data_set = data_set(&folder, size).await?;
    let (served, store_only) = (folder.join("served"), folder.join("store-only"));
    copy(&data_set, &served)?;
    copy(&data_set, &store_only)?;
    let table = Benchmark::new(options, folder.clone(), served.clone(), store_only.clone())
        .run()
        .await;
    for used in [served, store_only, folder.join("empty")] {
        let _ = fs::remove_dir_all(used);
    }
    println!("\n{}", table?.to_markdown());
    Ok(())
}

/// Returns the folder of the data set, which the first run generates.
async fn data_set(folder: &Path, size: Size) -> Result<PathBuf, BoxError> {
    let name = format!("{DATA_VERSION}-{}-{}", size.messages, size.sessions);
    let (complete, partial) = (folder.join(&name), folder.join(format!("{name}.new")));
    if complete.exists() {
        return Ok(complete);
    }
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let store = Store::open(&partial)?;
    let app = App::start(AppSettings {
        store: store.clone(),
        clock: Clock::System,
        randomness: Randomness::System,
        mailer: Mailer::Nobody,
        servers: Servers::default(),
        identity: IdentitySettings::usual(server::PUBLIC_URL.parse()?),
        assistant_quota: Quota::Off,
        gateway_budget: Budget::default(),
        reviewer: ReviewerSettings::default(),
        guardians_manage: true,
        helpline: None,
        backups: None,
    });
    let template = "Generating {human_len} messages and sessions {wide_bar} {percent} %";
    let bar = ProgressBar::new(size.total()).with_style(ProgressStyle::with_template(template)?);
    data::generate(&app.await?, size, |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    // Compact now, so that the server doesn't start a compaction during a run.
    store.compact(|_| {}).await?;
    store.close();
    fs::rename(partial, &complete)?;
    Ok(complete)
}

/// Copies a data folder and replaces the destination.
fn copy(from: &Path, to: &Path) -> Result<(), BoxError> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status()?;
    // Write-back during the benchmark would distort it.
    let synced = Command::new("sync").arg("-f").arg(to).status()?;
    if copied.success() && synced.success() {
        Ok(())
    } else {
        Err(format!("{} could not be copied", from.display()).into())
    }
}
