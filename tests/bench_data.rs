//! The benchmark's data set, with a small size.

#[allow(dead_code, reason = "the benchmark uses the rest")]
#[path = "../benches/speed/data.rs"]
mod data;

use std::cell::Cell;

use crate::support::test_app::TestApp;
use data::{CHILD_WITH_MANY_SESSIONS, MESSAGES_PER_SESSION, READ_CHILD, Size};
use porchlight::children::ChildId;

#[tokio::test]
async fn generate_writes_the_requested_messages_and_sessions() {
    let app = TestApp::new().await;
    let size = Size {
        messages: 5 * 2 * MESSAGES_PER_SESSION,
        sessions: 3,
    };
    let reported = Cell::new(0);

    data::generate(&app.inner, size, |done| reported.set(done))
        .await
        .unwrap();

    let messages = |child: u64| {
        let access = app.inner.children.for_administrator(ChildId::new(child));
        let transcripts = &app.inner.transcripts;
        let sessions = transcripts.list_all_sessions(&app.inner.store, &access.unwrap());
        let (sessions, _) = sessions.unwrap();
        sessions
            .iter()
            .map(|session| session.message_count)
            .collect::<Vec<_>>()
    };
    assert_eq!(reported.get(), size.total());
    assert_eq!(messages(READ_CHILD), [MESSAGES_PER_SESSION; 2]);
    assert_eq!(messages(CHILD_WITH_MANY_SESSIONS), [0; 3]);
}
