//! What was acknowledged survives a kill in the middle of everything, none of it twice and none by halves.

use std::time::Duration;

use crate::support::load::{Chance, Family, seed};

/// Lines of work at once.
const LINES: usize = 4;

/// Kills the server `rounds` times at random moments under mixed load; how many writes were acknowledged.
fn kill_in_the_middle(rounds: usize, most: u64) -> u64 {
    let seed = seed();
    let mut chance = Chance::from(seed);
    let mut family = Family::new(LINES, seed);
    let mut acknowledged = 0;

    for _ in 0..rounds {
        let server = family
            .home
            .serve(&["--limits", "off", "--assistant-quota", "off"]);
        let patience = 1 + chance.below(most);
        let moment = Duration::from_micros(chance.below(3_000));
        acknowledged += family.work(server, |server, work| {
            work.reach(patience);
            // Anywhere between one sync and the next.
            std::thread::park_timeout(moment);
            work.end();
            server.kill();
            work.count()
        });
        family.check();
    }

    let server = family.home.serve(&[]);
    let verified = family.home.json(&["verify"]);
    assert_eq!(verified["damaged"], 0, "{verified}");
    family.check();
    assert_eq!(server.terminate(), Some(0));
    let messages = family.lines.iter().map(|line| line.kept.messages());
    println!(
        "{rounds} kills, {acknowledged} acknowledged writes, {} messages, all there, once",
        messages.sum::<usize>()
    );
    acknowledged
}

#[test]
fn what_was_acknowledged_survives_kills_whole_and_once() {
    kill_in_the_middle(12, 60);
}

#[test]
#[ignore = "long: make crash"]
fn ten_thousand_acknowledged_writes_survive_two_hundred_kills() {
    let acknowledged = kill_in_the_middle(200, 160);

    assert!(acknowledged > 10_000, "{acknowledged}");
}
