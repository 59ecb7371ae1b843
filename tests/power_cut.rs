//! What was acknowledged survives a power cut at any moment.
//!
//! strace records what a server under load writes and syncs, and what it answers, in one order. The recording is
//! played up to a moment; of what wasn't synced by then nothing is left, or pages at random, or all but the
//! end. The real binary must open each such folder, find it whole, and show every write that was acknowledged.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::disk::{Disk, Left};
use crate::support::load::{Chance, Family, seed};
use crate::support::process::text;
use crate::support::trace::{Event, Reader, Recording, can_trace};
use serde_json::Value;

/// The length of sled's segments, in bytes.
const SEGMENT: u64 = 512 * 1024;

/// Lines of work at once.
const LINES: usize = 3;

/// What a cut may leave.
const WAYS: [Left; 3] = [Left::Nothing, Left::Some, Left::Torn];

/// Records a server under load and through two restarts and a removal, and cuts the power at `cuts` moments, each in
/// so many ways.
fn cut_the_power(cuts: usize, ways: usize, writes: u64) {
    if !can_trace() {
        return;
    }
    let seed = seed();
    let mut chance = Chance::from(seed);
    let mut family = Family::new(LINES, seed);
    let gone = (LINES + 2).to_string();
    family
        .home
        .ok(&["child", "add", "Gone", "--guardian", "ada@example.org"]);
    let data = family.home.data().canonicalize().unwrap();
    let mut disk = Disk::with(&data);

    let mut reader = Reader::of(&data);
    for run in 0..3 {
        let pipe = family.home.path().join("trace");
        let (recording, words) = Recording::begin(&pipe);
        let data = data.to_str().unwrap();
        let arguments = [
            "--data",
            data,
            "--limits",
            "off",
            "--assistant-quota",
            "off",
        ];
        let server = family.home.serve_within(&words, &arguments);
        let home = family.home.path().to_owned();
        family.work(server, |server, work| {
            work.reach(writes / 2);
            if run == 1 {
                // The store is compacted meanwhile.
                let mut remove = std::process::Command::new(env!("CARGO_BIN_EXE_porchlight"));
                remove.current_dir(home);
                remove.args(["child", "remove", &gone, "--confirm", "Gone"]);
                assert!(remove.status().unwrap().success());
            }
            work.reach(writes);
            work.end();
            server.kill();
        });
        reader.read(&recording.end());
    }
    let events = reader.events;

    let unsynced = most_unsynced_segments(&events);
    assert!(unsynced.len() <= 1, "not synced at once: {unsynced:?}");
    let moments = moments(&events, cuts, &mut chance);
    let mut acknowledged = [0; LINES];
    let mut failures = Vec::new();
    let mut moments = moments.iter().peekable();
    let mut opened = 0;
    for (number, event) in events.iter().enumerate() {
        disk.happens(event);
        if let Event::Acknowledged { line, number } = event {
            acknowledged[*line] = number + 1;
        }
        while moments.next_if_eq(&&number).is_some() {
            let first = usize::try_from(chance.below(3)).unwrap();
            for left in WAYS.iter().cycle().skip(first).take(ways).copied() {
                let into = family.home.path().join("cut");
                disk.cut(left, &mut chance, &into);
                opened += 1;
                if let Some(failure) = look_into(&family, &acknowledged) {
                    let said = format!(
                        "at event {number} of {}, {left:?} left: {failure}",
                        events.len()
                    );
                    eprintln!("{said}");
                    failures.push(said);
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

/// The most segments of sled's that had a header at the same time that wasn't synced, in the files that counted, by where they
/// begin. The header of one says that those before are safe, so with two of them a cut may leave an empty store.
fn most_unsynced_segments(events: &[Event]) -> Vec<u64> {
    let mut current = PathBuf::from("store/db");
    let mut next = current.clone();
    let (mut headers, mut most) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Wrote { path, bytes, .. } if path == "store.current.new" => {
                next = Path::new(str::from_utf8(bytes).unwrap()).join("db");
            }
            Event::Renamed { to, .. } if to == "store.current" => {
                current = next.clone();
                headers.clear();
            }
            Event::Wrote { path, at, bytes } if *path == current && at % SEGMENT == 0 => {
                // At a start free segments are filled with nothing.
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

/// When to cut: half of the times just after an answer, when nothing more of it may be lost.
fn moments(events: &[Event], cuts: usize, chance: &mut Chance) -> Vec<usize> {
    let is_answer = |number: &usize| matches!(events[*number], Event::Acknowledged { .. });
    let answers = (0..events.len()).filter(is_answer).collect::<Vec<_>>();
    let mut moments = (0..cuts)
        .map(|cut| match cut % 2 {
            0 => answers[usize::try_from(chance.below(answers.len() as u64)).unwrap()],
            _ => usize::try_from(chance.below(events.len() as u64)).unwrap(),
        })
        .collect::<Vec<_>>();
    moments.sort_unstable();
    moments
}

/// What is wrong with what a cut left.
fn look_into(family: &Family, acknowledged: &[usize]) -> Option<String> {
    let run = |arguments: &[&str]| -> Result<Value, String> {
        let output = family.home.run(&[arguments, &["--data", "cut"]].concat());
        match output.status.success() {
            true => Ok(serde_json::from_slice(&output.stdout).unwrap()),
            false => Err(text(&output.stderr)),
        }
    };
    let exported = match run(&["export"]) {
        Ok(exported) => exported,
        Err(said) => return Some(said),
    };
    match run(&["verify", "--json"]) {
        Ok(verified) if verified["damaged"] == 0 => family.differs(&exported, acknowledged),
        Ok(verified) => Some(verified.to_string()),
        Err(said) => Some(said),
    }
}

#[test]
fn what_was_acknowledged_survives_power_cuts() {
    cut_the_power(20, 1, 40);
}

#[test]
#[ignore = "long: make crash"]
fn what_was_acknowledged_survives_power_cuts_at_three_hundred_moments() {
    cut_the_power(300, 3, 800);
}
