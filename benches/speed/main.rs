//! How fast Porchlight is: `make bench`.
//!
//! The real server runs on the [data] of five families with a million messages and is asked with a guardian's token, so
//! that every access check is made. Beside it stand the [floors](floor): poem answering "hello" or the very same bytes
//! from memory, a bare file that is appended to and synced, and the store without anything above it. Everything is measured
//! in rounds, one after the other, so that what disturbs the machine disturbs all of it; a ratio is the median of
//! the rounds' ratios.

mod data;
mod floor;
mod house;
mod load;
mod rows;
mod stopwatch;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use porchlight::app::{App, Surroundings};
use porchlight::identity::IdentitySettings;
use porchlight::kernel::clock::Clock;
use porchlight::kernel::mail::Mailer;
use porchlight::kernel::randomness::Randomness;
use porchlight::kernel::store::Store;

use data::{Failed, Size};
use rows::Bench;

/// Another one whenever the data is another, so that what an earlier version made is not measured.
const GENERATION: u32 = 4;

/// What to measure.
#[derive(Clone, Debug, Parser)]
struct Options {
    /// How many messages the families have
    #[arg(long, default_value_t = 1_000_000)]
    messages: u64,
    /// How many sessions one of the children has
    #[arg(long, default_value_t = 100_000)]
    sessions: u64,
    /// How often everything is measured
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// For how many seconds each time
    #[arg(long, default_value_t = 2)]
    seconds: u32,
    /// A binary of the distribution profile, whose size is told
    #[arg(long)]
    dist: Option<PathBuf>,
    /// Measures only what has this in its name: start, reads, pages, deliveries, batches, memory, size
    #[arg(long)]
    only: Option<String>,
    /// What cargo says to every benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let options = Options::parse();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("speed");
    let size = Size {
        messages: options.messages,
        sessions: options.sessions,
    };
    let made = made_once(&folder, size).await?;
    let (served, bare) = (folder.join("served"), folder.join("bare"));
    copy(&made, &served)?;
    copy(&made, &bare)?;
    let measured = Bench::new(options, folder.clone(), served.clone(), bare.clone())
        .measure()
        .await;
    for used in [served, bare, folder.join("fresh")] {
        let _ = fs::remove_dir_all(used);
    }
    println!("\n{}", measured?.to_text());
    Ok(())
}

/// The folder with the data, made if no earlier run has.
async fn made_once(folder: &Path, size: Size) -> Result<PathBuf, Failed> {
    let name = format!("{GENERATION}-{}-{}", size.messages, size.sessions);
    let (made, beside) = (folder.join(&name), folder.join(format!("{name}.new")));
    if made.exists() {
        return Ok(made);
    }
    if beside.exists() {
        fs::remove_dir_all(&beside)?;
    }
    let store = Store::open(&beside, false)?;
    let app = App::start(Surroundings {
        store: store.clone(),
        clock: Clock::System,
        randomness: Randomness::System,
        mailer: Mailer::Nobody,
        identity: IdentitySettings::usual(house::PUBLIC_URL.parse()?),
    });
    let template = "Making {human_len} messages and sessions {wide_bar} {percent} %";
    let bar = ProgressBar::new(size.steps()).with_style(ProgressStyle::with_template(template)?);
    data::generate(&app.await?, size, |done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    // As a server does once its files have grown; no run shall happen to meet that.
    store.rewrite(|_| {}).await?;
    store.close();
    fs::rename(beside, &made)?;
    Ok(made)
}

/// Copies a data folder, in place of what is there.
fn copy(from: &Path, to: &Path) -> Result<(), Failed> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status()?;
    // What is written back while the benchmark runs would disturb it.
    let synced = Command::new("sync").arg("-f").arg(to).status()?;
    match copied.success() && synced.success() {
        true => Ok(()),
        false => Err(format!("{} could not be copied", from.display()).into()),
    }
}
