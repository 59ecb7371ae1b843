//! Half an hour of mixed load with kills. Memory, file descriptors and the data folder must not grow.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::load::{Family, Limits, Progress, Rng, seed};
use porchlight::kernel::host::clock::{Clock, Timestamp};

const WORKERS: usize = 4;

/// Small enough that workers soon replace existing data.
const LIMITS: Limits = Limits {
    sessions: 12,
    messages: 500,
};

const MEGABYTE: u64 = 1024 * 1024;

/// The sampling interval.
const SAMPLING: Duration = Duration::from_secs(5);

/// The peak resource usage of one server process.
#[derive(Clone, Copy, Default)]
struct Usage {
    memory: u64,
    descriptors: u64,
}

impl Usage {
    fn of(process: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let resident = status.lines().find_map(|row| row.strip_prefix("VmRSS:"));
        let kilobytes = resident
            .unwrap()
            .trim()
            .trim_end_matches(" kB")
            .parse::<u64>();
        Self {
            memory: kilobytes.unwrap() * 1024,
            descriptors: fs::read_dir(format!("/proc/{process}/fd")).unwrap().count() as u64,
        }
    }

    fn max(self, other: Self) -> Self {
        Self {
            memory: self.memory.max(other.memory),
            descriptors: self.descriptors.max(other.descriptors),
        }
    }
}

fn size_of(folder: &Path) -> u64 {
    let sizes = fs::read_dir(folder).unwrap().flatten().map(|entry| {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            size_of(&entry.path())
        } else if entry.file_name() == "store.reserve" {
            // The reserved space holds no data.
            0
        } else {
            entry.metadata().unwrap().len()
        }
    });
    sizes.sum()
}

/// Samples the process until `until`, or until the run is stopped.
fn sample_until(process: u32, work: &Progress, until: Timestamp) -> Usage {
    let mut usage = Usage::default();
    while Clock::System.now() < until && !work.is_stopped() {
        std::thread::park_timeout(SAMPLING);
        usage = usage.max(Usage::of(process));
    }
    usage
}

#[test]
#[ignore = "half an hour: make soak"]
fn memory_descriptors_and_the_folder_do_not_grow_under_load_and_kills() {
    let minutes = std::env::var("SOAK_MINUTES").map_or(30, |text| text.parse::<u64>().unwrap());
    let seed = seed();
    let mut rng = Rng::from(seed);
    let mut family = Family::new(WORKERS, seed).with_limits(LIMITS);
    let began = Clock::System.now();
    let end = began.after(Duration::from_secs(60 * minutes));
    let mut runs = Vec::new();
    let mut acknowledged = 0;

    println!("minute  acknowledged  resident  descriptors  folder  live data");
    while Clock::System.now() < end {
        let server = family
            .home
            .serve(&["--limits", "off", "--assistant-quota", "off"]);
        let lifetime = Duration::from_secs(20 + rng.below(60));
        let until = Clock::System.now().after(lifetime).min(end);
        let usage = family.work(server, |server, work| {
            let usage = sample_until(server.id(), work, until);
            work.stop();
            server.kill();
            acknowledged += work.count();
            usage
        });
        let live = family.check();
        // `check` has opened the store, which removes the files of an interrupted compaction.
        let folder = size_of(&family.home.data());
        family.discard_sent();
        println!(
            "{:6}  {acknowledged:12}  {:5} MB  {:11}  {:3} MB  {:6} MB",
            Clock::System.now().since(began).as_secs() / 60,
            usage.memory / MEGABYTE,
            usage.descriptors,
            folder / MEGABYTE,
            live / MEGABYTE,
        );
        runs.push((usage, folder, live));
    }

    // The first processes fill the store.
    let settled = &runs[runs.len() / 4..];
    let (before, after) = settled.split_at(settled.len() / 2);
    let most = |runs: &[(Usage, u64, u64)]| {
        let usage = runs.iter().map(|(usage, ..)| *usage);
        usage.fold(Usage::default(), Usage::max)
    };
    let (before, after) = (most(before), most(after));
    assert!(
        after.memory <= before.memory + before.memory / 4 + 8 * MEGABYTE,
        "memory grows: {} MB, then {} MB",
        before.memory / MEGABYTE,
        after.memory / MEGABYTE
    );
    assert!(
        after.descriptors <= before.descriptors + 4,
        "descriptors grow: {}, then {}",
        before.descriptors,
        after.descriptors
    );
    for (_, folder, live) in settled {
        // Compaction starts at twice the size after the last one, which is at most 2.5 times the data, plus 64 MB. The log
        // takes the rest.
        let most = 5 * live + (64 + 8) * MEGABYTE;
        assert!(*folder <= most, "{folder} bytes for {live} of data");
    }
}
