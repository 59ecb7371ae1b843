//! What the benchmark measures on, in small.

#[allow(dead_code, reason = "the benchmark uses more of it")]
#[path = "../benches/speed/data.rs"]
mod data;
mod support;

use std::cell::Cell;

use data::{CHILD_OF_MANY_SESSIONS, MESSAGES_OF_A_SESSION, READ_CHILD, Size};
use porchlight::kernel::ids::ChildId;
use support::House;

#[tokio::test]
async fn the_benchmarks_data_is_as_much_as_was_asked_for() {
    let house = House::new().await;
    let size = Size {
        messages: 5 * 2 * MESSAGES_OF_A_SESSION,
        sessions: 3,
    };
    let told = Cell::new(0);

    data::generate(&house.app, size, |done| told.set(done))
        .await
        .unwrap();

    let messages = |child: u64| {
        let access = house.app.children.for_administrator(ChildId::new(child));
        let transcripts = &house.app.transcripts;
        let sessions = transcripts.list_all_sessions(&house.app.store, &access.unwrap());
        let sessions = sessions.unwrap();
        sessions
            .iter()
            .map(|session| session.message_count)
            .collect::<Vec<_>>()
    };
    assert_eq!(told.get(), size.steps());
    assert_eq!(messages(READ_CHILD), [MESSAGES_OF_A_SESSION; 2]);
    assert_eq!(messages(CHILD_OF_MANY_SESSIONS), [0; 3]);
}
