//! The Message-ID, and messages whose server never answers.

use super::*;
use crate::kernel::outgoing::queue::delivery::Tried;

#[tokio::test]
async fn a_message_without_an_answer_counts_as_sent_or_is_sent_once_more_with_its_message_id() {
    for on_no_answer in [NoAnswer::CountsAsSent, NoAnswer::SendOnceMore] {
        let scene = Scene::new();
        let test_kind = TestKind {
            policy: Policy {
                name: "notice",
                on_no_answer,
                ..LETTERS
            },
            ..scene.test_kind.clone()
        };
        test_kind.know("ada", Lane::Security);
        let notice = scene.queue.register(test_kind);
        let item = Item::new("ada", "", "Hello".to_owned());
        let queued = scene.store.commit(move |change| notice.put(change, &item));
        queued.await.unwrap();
        let (id, first) = store::every(&scene.store).unwrap().remove(0);
        let never = |at| Tried::Unanswered(at);
        let now = Timestamp::from_micros(0);

        scene
            .queue
            .record(id.clone(), None, None, never(now))
            .await
            .unwrap();
        let left = scene.queued();
        if on_no_answer == NoAnswer::CountsAsSent {
            assert!(left.is_empty());
            continue;
        }
        assert_eq!(left[0].1.message_id, first.message_id);
        assert_eq!(left[0].1.due_at, now.after(FIRST_PAUSE));
        scene
            .queue
            .record(id, None, None, never(now))
            .await
            .unwrap();
        assert!(scene.recipients().is_empty(), "and no third time");
    }
}

#[tokio::test]
async fn the_message_id_is_that_of_the_record() {
    let scene = Scene::new();
    scene.test_kind.know("ada", Lane::Security);
    scene.put("ada", "Hello").await.unwrap();
    let stored = scene.queued().remove(0).1.message_id;

    scene.queue.deliver_due().await.unwrap();

    let sent = scene.sent.lock().unwrap()[0].message_id;
    assert_eq!(sent.map(|id| format!("{id:032x}")), Some(stored));
}
