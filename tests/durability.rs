//! Acknowledged writes survive a kill at any moment, complete and without duplicates.

mod alerts;
mod gateway;
mod reviewer;
mod told;

use std::time::Duration;

use crate::support::load::{Family, Rng, seed};

const WORKERS: usize = 4;

/// Kills a loaded server `rounds` times at random moments. Returns the number of acknowledged writes.
fn kill_repeatedly(rounds: usize, most: u64) -> u64 {
    let seed = seed();
    let mut rng = Rng::from(seed);
    let mut family = Family::new(WORKERS, seed);
    let mut acknowledged = 0;

    for _ in 0..rounds {
        let server = family
            .home
            .serve(&["--limits", "off", "--assistant-quota", "off"]);
        let writes = 1 + rng.below(most);
        let delay = Duration::from_micros(rng.below(3_000));
        acknowledged += family.work(server, |server, work| {
            work.wait_for(writes);
            // A random point between two syncs.
            std::thread::park_timeout(delay);
            work.stop();
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
    let messages = family.workers.iter().map(|it| it.expected.messages());
    println!(
        "{rounds} kills, {acknowledged} acknowledged writes, {} messages, all stored once",
        messages.sum::<usize>()
    );
    acknowledged
}

#[test]
fn acknowledged_writes_survive_kills_complete_and_without_duplicates() {
    kill_repeatedly(12, 60);
}

#[test]
#[ignore = "long: make crash"]
fn ten_thousand_acknowledged_writes_survive_two_hundred_kills() {
    let acknowledged = kill_repeatedly(200, 160);

    assert!(acknowledged > 10_000, "{acknowledged}");
}
