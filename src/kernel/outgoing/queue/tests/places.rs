//! How many messages wait at a time, and what stands for those beyond.

use super::*;

/// A kind whose data is how many messages one stands for.
struct Parcels(TestKind);

impl Composer for Parcels {
    type Data = Option<u32>;

    fn policy(&self) -> Policy {
        self.0.policy
    }

    fn lane(&self, _: &mut Change, item: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(self.0.lane_of(&item.recipient))
    }

    fn compose(&self, _: &mut Change, _: Item<Self::Data>) -> Result<Option<Composed>, StoreError> {
        Ok(None)
    }
}

#[tokio::test]
async fn nobody_takes_anothers_place_and_one_message_stands_for_those_beyond() {
    let scene = Scene::new();
    let parcel = scene.queue.register(Parcels(TestKind {
        policy: Policy {
            name: "parcel",
            places: Places::Each(2),
            ..LETTERS
        },
        recipients: Arc::default(),
    }));
    let put = |recipient: &'static str, about: &'static str| {
        let parcel = parcel.clone();
        scene.store.commit(move |change| {
            let item = Item::new(recipient, about, None);
            let merge = |count: Option<Option<u32>>| Some(count.flatten().unwrap_or(0) + 1);
            parcel.put_or_merge(change, &item, "more", merge)
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
