//! The service worker leaves the server's own addresses alone.

use std::collections::BTreeSet;

use porchlight::notifications::UNSUBSCRIBE_PATH;

const WORKER: &str = include_str!("../ui/public/worker.js");
const SERVER: &str = include_str!("../src/server.rs");

#[test]
fn the_worker_answers_no_address_of_the_server_with_the_apps_page() {
    let line = WORKER.lines().find(|line| line.contains("OF_SERVER = /^"));
    let (_, names) = line.unwrap().split_once("(?:").unwrap();
    let (names, _) = names.split_once(')').unwrap();
    let left_alone = names.replace('\\', "");
    let left_alone = left_alone.split('|').collect::<BTreeSet<_>>();

    let literals = SERVER.split(".at(\"/").skip(1);
    let literals = literals.map(|rest| rest.split(['/', '"']).next().unwrap());
    let named = ["api", "gateway", UNSUBSCRIBE_PATH.trim_start_matches('/')];
    let own = literals.chain(named).collect::<BTreeSet<_>>();

    assert!(own.len() >= 7, "{own:?}");
    assert_eq!(left_alone, own, "edit OF_SERVER in ui/public/worker.js");
}
