//! Acknowledged writes survive a power cut at any moment.
//!
//! strace records a loaded server's writes, syncs and responses in one order. The test replays the recording up to a moment,
//! and drops unsynced data: all of it, random pages, or the end of the last write. The real binary must open each resulting
//! folder, find no damage, and export every acknowledged write.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::disk::{Disk, Unsynced};
use crate::support::load::{Family, Rng, seed};
use crate::support::process::text;
use crate::support::trace::{Event, Reader, Recording, can_trace};
use serde_json::Value;

/// The size of sled's segments, in bytes.
const SEGMENT: u64 = 512 * 1024;

const WORKERS: usize = 3;

const LOSSES: [Unsynced; 3] = [Unsynced::Lost, Unsynced::Partial, Unsynced::Torn];

/// Records a loaded server through two restarts and a child's removal. Then simulates `cuts` power cuts, each in `ways` ways.
fn cut_the_power(cuts: usize, ways: usize, writes: u64) {
    if !can_trace() {
        return;
    }
    let seed = seed();
    let mut rng = Rng::from(seed);
    let mut family = Family::new(WORKERS, seed);
    let gone = (WORKERS + 2).to_string();
    family
        .home
        .ok(&["child", "add", "Gone", "--guardian", "ada@example.org"]);
    let data = family.home.data().canonicalize().unwrap();
    let mut disk = Disk::with(&data);

    let mut reader = Reader::of(&data);
    for run in 0..3 {
        let pipe = family.home.path().join("trace");
        let (recording, prefix) = Recording::begin(&pipe);
        let data = data.to_str().unwrap();
        let arguments = [
            "--data",
            data,
            "--limits",
            "off",
            "--assistant-quota",
            "off",
        ];
        let server = family.home.serve_with_prefix(&prefix, &arguments);
        let home = family.home.path().to_owned();
        family.work(server, |server, work| {
            work.wait_for(writes / 2);
            if run == 1 {
                // A removal compacts the store.
                let mut remove = std::process::Command::new(env!("CARGO_BIN_EXE_porchlight"));
                remove.current_dir(home);
                remove.args(["child", "remove", &gone, "--confirm", "Gone"]);
                assert!(remove.status().unwrap().success());
            }
            work.wait_for(writes);
            work.stop();
            server.kill();
        });
        reader.read(&recording.end());
    }
    let events = reader.events;

    let unsynced = most_unsynced_segments(&events);
    assert!(unsynced.len() <= 1, "unsynced together: {unsynced:?}");
    let moments = moments(&events, cuts, &mut rng);
    let mut acknowledged = [0; WORKERS];
    let mut failures = Vec::new();
    let mut moments = moments.iter().peekable();
    let mut opened = 0;
    for (number, event) in events.iter().enumerate() {
        disk.apply(event);
        if let Event::Acknowledged { worker, number } = event {
            acknowledged[*worker] = number + 1;
        }
        while moments.next_if_eq(&&number).is_some() {
            let first = usize::try_from(rng.below(3)).unwrap();
            for left in LOSSES.iter().cycle().skip(first).take(ways).copied() {
                let into = family.home.path().join("cut");
                disk.cut(left, &mut rng, &into);
                opened += 1;
                if let Some(failure) = failure_after_cut(&family, &acknowledged) {
                    let message = format!(
                        "at event {number} of {}, unsynced {left:?}: {failure}",
                        events.len()
                    );
                    eprintln!("{message}");
                    failures.push(message);
                }
                fs::remove_dir_all(&into).unwrap();
            }
        }
    }

    println!(
        "{} events, {acknowledged:?} acknowledged writes, {cuts} cuts, {opened} folders opened",
        events.len()
    );
    assert_eq!(failures, Vec::<String>::new());
    assert!(acknowledged.iter().all(|count| *count > 0));
}

/// Returns the offsets of the most sled segments whose headers were unsynced at the same time. A header vouches for the
/// segments before it, so after two unsynced ones a cut may leave an empty store.
fn most_unsynced_segments(events: &[Event]) -> Vec<u64> {
    let mut current = PathBuf::from("store/db");
    let mut next = current.clone();
    let (mut headers, mut most) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Written { path, bytes, .. } if path == "store.current.new" => {
                next = Path::new(str::from_utf8(bytes).unwrap()).join("db");
            }
            Event::Renamed { to, .. } if to == "store.current" => {
                current = next.clone();
                headers.clear();
            }
            Event::Written { path, at, bytes } if *path == current && at % SEGMENT == 0 => {
                // On opening, sled zeroes free segments.
                if bytes.iter().any(|byte| *byte != 0) {
                    headers.push(*at);
                }
                if headers.len() > most.len() {
                    most.clone_from(&headers);
                }
            }
            Event::Synced { path, .. } if *path == current => headers.clear(),
            _ => {}
        }
    }
    most
}

/// Chooses when to cut. Half of the cuts follow a response at once, when its write must already be durable.
fn moments(events: &[Event], cuts: usize, rng: &mut Rng) -> Vec<usize> {
    let is_response = |number: &usize| matches!(events[*number], Event::Acknowledged { .. });
    let responses = (0..events.len()).filter(is_response).collect::<Vec<_>>();
    let mut moments = (0..cuts)
        .map(|cut| match cut % 2 {
            0 => responses[usize::try_from(rng.below(responses.len() as u64)).unwrap()],
            _ => usize::try_from(rng.below(events.len() as u64)).unwrap(),
        })
        .collect::<Vec<_>>();
    moments.sort_unstable();
    moments
}

/// Opens the folder after a cut. Returns the first error.
fn failure_after_cut(family: &Family, acknowledged: &[usize]) -> Option<String> {
    let run = |arguments: &[&str]| -> Result<Value, String> {
        let output = family.home.run(&[arguments, &["--data", "cut"]].concat());
        if output.status.success() {
            Ok(serde_json::from_slice(&output.stdout).unwrap())
        } else {
            Err(text(&output.stderr))
        }
    };
    let exported = match run(&["export"]) {
        Ok(exported) => exported,
        Err(error) => return Some(error),
    };
    match run(&["verify", "--json"]) {
        Ok(verified) if verified["damaged"] == 0 => family.mismatch(&exported, acknowledged),
        Ok(verified) => Some(verified.to_string()),
        Err(error) => Some(error),
    }
}

#[test]
fn acknowledged_writes_survive_power_cuts() {
    cut_the_power(20, 1, 40);
}

#[test]
#[ignore = "long: make crash"]
fn acknowledged_writes_survive_three_hundred_power_cuts() {
    cut_the_power(300, 3, 800);
}
