//! Sessions in which somebody else talked, not the child.

use crate::support::features::Facts;
use crate::support::operations::write;
use crate::support::test_app::TestApp;
use porchlight::admin::Seed;
use porchlight::children::ChildId;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    writes: &[write("markNotChild", None, |_| json!({"not_child": true}))],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";

/// Ada and Ben have two children. Mia talked about bees; somebody else talked about cars, on the day of the tests' clock.
struct House {
    app: TestApp,
    mia: ChildId,
    leo: ChildId,
    robot: String,
    cars: u64,
}

impl House {
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        app.guardian(BEN).await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let leo = app.child("Leo", &[ADA, BEN]).await;
        let robot = app.assistant("kitchen", &[mia, leo]).await;
        let robot = robot.credential().to_owned();
        let mut house = Self {
            app,
            mia,
            leo,
            robot,
            cars: 0,
        };
        house.deliver("bees", "Bees", "10", "calm").await;
        house.cars = house.deliver("cars", "Cars", "12", "angry").await;
        house
    }

    /// Delivers a session of Mia's of ten minutes, from this hour.
    async fn deliver(&self, name: &str, topic: &str, hour: &str, mood: &str) -> u64 {
        let at = |minute: &str| format!("2026-11-21T{hour}:{minute}:00Z");
        let fields = json!({
            "child_id": self.mia, "topic": topic, "start_time": at("00"),
            "messages": [{"message_id": "a", "source": "child", "text_content": topic, "timestamp": at("01")}],
            "completion": {"end_time": at("10"), "mood": mood},
        });
        let robot = self.app.bearer(&self.robot);
        let answer = robot.deliver(name, &fields).await.json();
        answer["session_id"].as_u64().unwrap()
    }

    async fn get(&self, path: &str) -> Value {
        self.app.stepped_up(ADA).await.get(path).await.json()
    }

    async fn mark(&self, by: &str, not_child: bool) {
        let path = format!("/api/sessions/{}/not_child", self.cars);
        let by = self.app.stepped_up(by).await;
        by.put(&path, &json!({"not_child": not_child})).await.ok();
    }

    /// The summary, the metrics, and the seconds that count against the daily limit.
    async fn counts(&self) -> Value {
        let child = format!("/api/child/{}", self.mia);
        json!([
            self.get(&format!("{child}/summary")).await,
            self.get(&format!("{child}/metrics")).await,
            self.get(&format!("{child}/rules")).await["seconds_used"],
        ])
    }

    async fn marks(&self, child: ChildId) -> Vec<(String, bool)> {
        let listed = self.get(&format!("/api/sessions?child_id={child}")).await;
        let sessions = listed["sessions"].as_array().unwrap().iter();
        let mark = |session: &Value| {
            let topic = session["topic"].as_str().unwrap().to_owned();
            (topic, session["not_child"] == json!(true))
        };
        sessions.map(mark).collect()
    }

    async fn history(&self) -> Vec<String> {
        let path = format!("/api/child/{}/history", self.mia);
        let history = self.get(&path).await;
        let entries = history["items"].as_array().unwrap().iter();
        let what = entries.map(|entry| entry["what"].as_str().unwrap().to_owned());
        what.collect()
    }
}

#[tokio::test]
async fn a_session_of_somebody_elses_is_listed_but_not_counted_until_another_guardian_undoes_it() {
    let house = House::new().await;
    let with = house.counts().await;

    house.mark(ADA, true).await;
    house.mark(ADA, true).await;

    let counts = house.counts().await;
    let (summary, metrics, used) = (&counts[0], &counts[1], &counts[2]);
    assert_eq!(
        (&summary["sessions"], &summary["minutes"], &summary["moods"]),
        (&json!(1), &json!(10), &json!({"calm": 1}))
    );
    assert_eq!(summary["last_session"]["topic"], "Bees");
    assert_eq!(metrics["moods"], json!([{"mood": "calm", "sessions": 1}]));
    let today = metrics["days"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&today["seconds"], &today["sessions"]),
        (&json!(600), &json!(1))
    );
    assert_eq!(used, &json!(600));
    let expected = [("Cars".to_owned(), true), ("Bees".to_owned(), false)];
    assert_eq!(house.marks(house.mia).await, expected);
    assert_eq!(house.history().await, ["session_not_child"]);

    house.mark(BEN, false).await;
    assert_eq!(house.counts().await, with);
    assert_eq!(
        house.history().await,
        ["session_is_child", "session_not_child"]
    );
}

#[tokio::test]
async fn the_mood_of_somebody_elses_session_is_not_shown_as_the_childs_until_it_is_undone() {
    let house = House::new().await;
    let moods = async || {
        let path = format!("/api/child/{}/activities/completed", house.mia);
        let listed = house.get(&path).await;
        let activities = listed.as_array().unwrap().iter();
        let mood = |it: &Value| [it["topic"].clone(), it["mood"].clone()];
        json!(activities.map(mood).collect::<Vec<_>>())
    };
    let of_both = json!([["Cars", "angry"], ["Bees", "calm"]]);
    assert_eq!(moods().await, of_both);

    house.mark(ADA, true).await;
    assert_eq!(moods().await, json!([["Cars", null], ["Bees", "calm"]]));
    // Completed again, with another mood.
    house.deliver("cars", "Cars", "12", "furious").await;
    assert_eq!(moods().await, json!([["Cars", null], ["Bees", "calm"]]));

    house.mark(BEN, false).await;
    let of_both = json!([["Cars", "furious"], ["Bees", "calm"]]);
    assert_eq!(moods().await, of_both);
}

#[tokio::test]
async fn a_session_that_was_marked_before_it_ended_shows_no_mood() {
    let mut house = House::new().await;
    let robot = house.app.bearer(&house.robot);
    let said = json!([{"message_id": "a", "source": "child", "text_content": "Hi"}]);
    let opened = json!({"child_id": house.mia, "topic": "Songs", "messages": said});
    let opened = robot.deliver("songs", &opened).await.json();
    house.cars = opened["session_id"].as_u64().unwrap();
    house.mark(ADA, true).await;
    let robot = house.app.bearer(&house.robot);
    let ended = json!({"child_id": house.mia, "completion": {"duration": 60, "mood": "angry"}});
    robot.deliver("songs", &ended).await.ok();

    let path = format!("/api/child/{}/activities/completed", house.mia);
    let newest = house.get(&path).await[0].clone();
    assert_eq!(
        (&newest["topic"], &newest["mood"]),
        (&json!("Songs"), &Value::Null)
    );
}

#[tokio::test]
async fn what_is_delivered_later_and_restored_stays_uncounted() {
    let house = House::new().await;
    house.mark(ADA, true).await;
    let before = house.counts().await;

    house.deliver("cars", "Trucks", "13", "bored").await;
    assert_eq!(house.counts().await, before);

    let ada = house.app.stepped_up(ADA).await;
    let path = format!("/api/sessions/{}", house.cars);
    let deleted = ada.send(poem::http::Method::DELETE, &path, &[], None);
    deleted.await.ok();
    let path = format!(
        "/api/child/{}/deleted_sessions/{}/undelete",
        house.mia, house.cars
    );
    ada.post(&path, &Value::Null).await.ok();
    assert_eq!(house.counts().await, before);
    assert!(
        house
            .marks(house.mia)
            .await
            .contains(&("Trucks".to_owned(), true))
    );
}

#[tokio::test]
async fn a_session_that_is_moved_counts_with_the_other_child() {
    let house = House::new().await;
    house.mark(ADA, true).await;

    let path = format!("/api/sessions/{}/child", house.cars);
    let ada = house.app.stepped_up(ADA).await;
    ada.put(&path, &json!({"child_id": house.leo})).await.ok();

    assert_eq!(house.marks(house.leo).await, [("Cars".to_owned(), false)]);
    let path = format!("/api/child/{}/summary", house.leo);
    assert_eq!(house.get(&path).await["minutes"], 10);
}

#[tokio::test]
async fn an_exported_mark_is_imported() {
    let house = House::new().await;
    house.mark(ADA, true).await;
    let (_, text) = house.app.exported().await;
    let summary = format!("/api/child/{}/summary", house.mia);
    let before = house.get(&summary).await;

    let again = TestApp::new().await;
    again.run_admin(Seed { text }).await.0.unwrap();

    let ada = again.stepped_up(ADA).await;
    let children = ada.get("/api/children").await.json();
    let children = children.as_array().unwrap();
    let mia = children.iter().find(|it| it["name"] == "Mia").unwrap();
    let path = format!("/api/child/{}/summary", mia["child_id"]);
    let imported = ada.get(&path).await.json();
    for field in ["sessions", "minutes", "moods", "topics"] {
        assert_eq!(imported[field], before[field], "{field}");
    }
}
