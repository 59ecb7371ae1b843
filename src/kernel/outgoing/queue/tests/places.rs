//! How many messages wait at a time, and what stands for those beyond.

use super::*;

#[tokio::test]
async fn nobody_takes_anothers_place_and_one_message_stands_for_those_beyond() {
    let scene = Scene::new();
    scene.queue.register(TestKind {
        policy: Policy {
            name: "parcel",
            places: Places::Each(2),
            ..LETTERS
        },
        recipients: Arc::default(),
    });
    let put = |recipient: &'static str, about: &'static str| {
        let queue = scene.queue.clone();
        scene.store.commit(move |change| {
            let item = Item::new(recipient, about);
            let merge = |count: Option<u32>| count.unwrap_or(0) + 1;
            queue.put_or_merge(change, "parcel", item, "more", merge)
        })
    };

    for about in ["1", "2", "3", "4", "5"] {
        put("ada", about).await.unwrap();
    }
    put("ben", "6").await.unwrap();

    let of = |name: &str| {
        let every = store::every(&scene.store).unwrap();
        let of = every.into_iter().filter(|(id, _)| id.recipient == name);
        of.map(|(id, queued)| (id.about, queued.data))
            .collect::<Vec<_>>()
    };
    let nothing = serde_json::Value::Null;
    let expected = [
        ("1", nothing.clone()),
        ("2", nothing.clone()),
        ("more", 3.into()),
    ];
    assert_eq!(
        of("ada"),
        expected.map(|(about, data)| (about.to_owned(), data))
    );
    assert_eq!(of("ben"), [("6".to_owned(), nothing)]);
}
