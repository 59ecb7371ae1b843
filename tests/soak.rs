//! Half an hour of mixed load with kills: memory and descriptors stay flat, and the folder stays small.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::load::{Acknowledged, Chance, Family, Most, seed};
use porchlight::kernel::clock::{Clock, Timestamp};

/// Lines of work at once.
const LINES: usize = 4;

/// What the lines leave: soon reached, and from then on replaced again and again.
const MOST: Most = Most {
    sessions: 12,
    messages: 500,
};

const MEGABYTE: u64 = 1024 * 1024;

/// How often the server is looked at.
const LOOK: Duration = Duration::from_secs(5);

/// What a server takes, at most, in one life.
#[derive(Clone, Copy, Default)]
struct Taken {
    memory: u64,
    descriptors: u64,
}

impl Taken {
    fn by(process: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
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

    fn most(self, other: Self) -> Self {
        Self {
            memory: self.memory.max(other.memory),
            descriptors: self.descriptors.max(other.descriptors),
        }
    }
}

fn size_of(folder: &Path) -> u64 {
    let sizes = fs::read_dir(folder).unwrap().flatten().map(|entry| {
        let kind = entry.file_type().unwrap();
        match kind.is_dir() {
            true => size_of(&entry.path()),
            // Room set aside is not the data's.
            false if entry.file_name() == "store.reserve" => 0,
            false => entry.metadata().unwrap().len(),
        }
    });
    sizes.sum()
}

/// Looks at the server until the life is over.
fn watch(process: u32, work: &Acknowledged, until: Timestamp) -> Taken {
    let mut taken = Taken::default();
    while Clock::System.now() < until && !work.is_over() {
        std::thread::park_timeout(LOOK);
        taken = taken.most(Taken::by(process));
    }
    taken
}

#[test]
#[ignore = "half an hour: make soak"]
fn memory_descriptors_and_the_folder_stay_flat_through_load_and_kills() {
    let minutes = std::env::var("SOAK_MINUTES").map_or(30, |text| text.parse::<u64>().unwrap());
    let seed = seed();
    let mut chance = Chance::from(seed);
    let mut family = Family::new(LINES, seed).with_at_most(MOST);
    let began = Clock::System.now();
    let end = began.after(Duration::from_secs(60 * minutes));
    let mut lives = Vec::new();
    let mut acknowledged = 0;

    println!("minute  acknowledged  resident  descriptors  folder  live data");
    while Clock::System.now() < end {
        let server = family
            .home
            .serve(&["--limits", "off", "--assistant-quota", "off"]);
        let life = Duration::from_secs(20 + chance.below(60));
        let until = Clock::System.now().after(life).min(end);
        let taken = family.work(server, |server, work| {
            let taken = watch(server.id(), work, until);
            work.end();
            server.kill();
            acknowledged += work.count();
            taken
        });
        let live = family.check();
        // What a kill left of a compaction was removed when it was opened.
        let folder = size_of(&family.home.data());
        family.forget();
        println!(
            "{:6}  {acknowledged:12}  {:5} MB  {:11}  {:3} MB  {:6} MB",
            Clock::System.now().since(began).as_secs() / 60,
            taken.memory / MEGABYTE,
            taken.descriptors,
            folder / MEGABYTE,
            live / MEGABYTE,
        );
        lives.push((taken, folder, live));
    }

    // The first lives fill the store.
    let settled = &lives[lives.len() / 4..];
    let (before, after) = settled.split_at(settled.len() / 2);
    let most = |lives: &[(Taken, u64, u64)]| {
        let taken = lives.iter().map(|(taken, ..)| *taken);
        taken.fold(Taken::default(), Taken::most)
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
        // The files are compacted at twice their size after the last time, which is at most 2.5 times what they hold, and
        // 64 MB more; beside them stands the log.
        let most = 5 * live + (64 + 8) * MEGABYTE;
        assert!(*folder <= most, "{folder} bytes for {live} of data");
    }
}
