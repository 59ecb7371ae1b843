//! Completed and upcoming activities, and feedback on them.

use std::time::Duration;

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Words};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{Seed, UnlinkChild};
use porchlight::assistants::deliveries::api::activities::FeedbackPage;
use porchlight::children::ChildId;
use porchlight::insights::activities::api::UpcomingActivityView;
use porchlight::kernel::store::Table;
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[
        (None, Some(Words::Conversation), &["completed"]),
        (None, Some(Words::ChildsOwn), &["upcoming", "verdict"]),
        (None, None, &["completed-at", "verdict-on", "last-verdict"]),
    ],
    damaged: &[
        ("completed", Pages::LacksARow(&["listCompletedActivities"])),
        ("completed-at", Pages::AsBefore),
        ("upcoming", Pages::LacksARow(&["listUpcomingActivities"])),
        ("verdict", Pages::LacksARow(&["listFeedback"])),
        ("verdict-on", Pages::AsBefore),
        ("last-verdict", Pages::AsBefore),
    ],
    writes: &[
        write(
            "giveFeedback",
            None,
            |_| json!({"feedback": "up", "reason": "why"}),
        ),
        write("takeBackFeedback", None, nothing),
        write(
            "replaceUpcomingActivities",
            None,
            |_| json!([{"activity_id": "b", "topic": "Tides", "summary": "Sea and moon"}]),
        ),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const EVE: &str = "eve@example.org";

/// Returns the ids of the upcoming activities that a guardian sees.
async fn upcoming(guardian: &Persona<'_>, child: impl std::fmt::Display) -> Vec<String> {
    let path = format!("/api/child/{child}/activities/upcoming");
    let list = guardian.get(&path).await.json();
    let ids = list.as_array().unwrap().iter();
    ids.map(|activity| activity["activity_id"].as_str().unwrap().to_owned())
        .collect()
}

async fn propose(robot: &Persona<'_>, child: impl std::fmt::Display, ids: &[&str]) -> Response {
    let list = ids
        .iter()
        .map(|id| json!({"activity_id": id, "topic": "A topic"}))
        .collect::<Value>();
    robot
        .put(
            &format!("/api/assistant/child/{child}/activities/upcoming"),
            &list,
        )
        .await
}

async fn give_feedback(
    guardian: &Persona<'_>,
    child: impl std::fmt::Display,
    id: &str,
    body: Value,
) -> Response {
    let path = format!("/api/child/{child}/activities/upcoming/{id}/feedback");
    guardian.put(&path, &body).await
}

async fn take_back(guardian: &Persona<'_>, child: impl std::fmt::Display, id: &str) -> Response {
    let path = format!("/api/child/{child}/activities/upcoming/{id}/feedback");
    guardian.send(Method::DELETE, &path, &[], None).await
}

#[tokio::test]
async fn the_largest_valid_proposal_is_returned_unchanged() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    // The character with the longest encoding in JSON.
    let text = |length: usize| "\u{1}".repeat(length);
    let widest = (0..100)
        .map(|n| {
            let id = format!("{n:03}{}", text(197));
            json!({"activity_id": id, "topic": text(200), "summary": text(2000)})
        })
        .collect::<Value>();

    let path = format!("/api/assistant/child/{mia}/activities/upcoming");
    robot.put(&path, &widest).await.ok();

    let path = format!("/api/child/{mia}/activities/upcoming");
    assert_eq!(ada.get(&path).await.json(), widest);
}

#[tokio::test]
async fn completed_activities_are_listed_newest_first() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    for (name, start) in [("a", "2026-11-20T16:00:00Z"), ("b", "2026-11-21T16:00:00Z")] {
        let session = json!({"child_id": mia, "topic": name, "start_time": start});
        robot.deliver(name, &session).await.ok();
    }

    let well = json!({"duration": 61.5, "score": "well done", "mood": "happy"});
    robot.complete("a", &well).await.ok();
    let bare = json!({"duration": 0, "topic": "Bees"});
    robot.complete("b", &bare).await.ok();

    let list = ada
        .get(&format!("/api/child/{mia}/activities/completed"))
        .await
        .json();
    assert_eq!(
        list,
        json!([
            {"session_id": 2, "date": "2026-11-21", "ended_at": "2026-11-21T16:00:00Z", "topic": "Bees", "duration": 0.0, "score": null},
            {"session_id": 1, "date": "2026-11-20", "ended_at": "2026-11-20T16:01:01.500Z", "topic": "a", "duration": 61.5,
             "score": "well done", "mood": "happy"},
        ])
    );
}

#[tokio::test]
async fn a_page_of_completed_activities_links_to_the_next_one() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let path = format!("/api/child/{mia}/activities/completed");
    let complete = async |count: std::ops::Range<u32>| {
        for number in count {
            let completion = json!({"duration": 60});
            robot.complete(&number.to_string(), &completion).await.ok();
        }
    };

    complete(0..500).await;
    let full = ada.get(&path).await;
    complete(500..501).await;
    let first = ada.get(&path).await;
    let (before, _) = first.header("link")[2..].split_once('>').unwrap();
    let last = ada.get(&format!("{path}?{before}")).await;

    assert_eq!(full.header("link"), "");
    let oldest = &first.json()[499]["session_id"];
    assert_eq!(
        first.header("link"),
        format!("<?before={oldest}>; rel=\"next\"")
    );
    assert_eq!(last.json().as_array().unwrap().len(), 1);
    assert_eq!(last.header("link"), "");
}

#[tokio::test]
async fn upcoming_activities_are_listed_in_the_assistants_order_and_replaced_as_a_whole() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let path = format!("/api/assistant/child/{mia}/activities/upcoming");
    let full = json!([
        {"activity_id": "z", "topic": "Zebras", "summary": "Why they have stripes."},
        {"activity_id": "a", "topic": ""},
    ]);

    let before = upcoming(&ada, mia).await;
    let proposed = robot.put(&path, &full).await;
    let shown = ada
        .get(&format!("/api/child/{mia}/activities/upcoming"))
        .await
        .json();
    let many = (0..100).map(|n| n.to_string()).collect::<Vec<_>>();
    let many = many.iter().map(String::as_str).collect::<Vec<_>>();
    propose(&robot, mia, &many).await.ok();
    let replaced = upcoming(&ada, mia).await;
    propose(&robot, mia, &[]).await.ok();

    assert_eq!(before, [""; 0]);
    assert_eq!(
        (proposed.status.as_u16(), proposed.body.as_str()),
        (204, "")
    );
    assert_eq!(shown, full);
    assert_eq!(replaced, many);
    assert_eq!(upcoming(&ada, mia).await, [""; 0]);
}

#[tokio::test]
async fn each_assistant_replaces_only_its_own_proposals() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let toy = app.assistant("Toy", &[mia]).await;
    let sorted = async || {
        let mut ids = upcoming(&ada, mia).await;
        ids.sort();
        ids
    };

    propose(&kitchen, mia, &["k2", "k1", "same"]).await.ok();
    propose(&toy, mia, &["t", "same"]).await.ok();
    assert_eq!(sorted().await, ["k1", "k2", "same", "same", "t"]);
    let ids = upcoming(&ada, mia).await;
    let place = |id: &str| ids.iter().position(|it| it == id).unwrap();
    assert!(place("k2") < place("k1"), "{ids:?}");
    give_feedback(&ada, mia, "same", json!({"feedback": "up"}))
        .await
        .ok();
    assert_eq!(sorted().await, ["k1", "k2", "t"]);
    propose(&toy, mia, &[]).await.ok();
    assert_eq!(upcoming(&ada, mia).await, ["k2", "k1"]);

    let id = kitchen.get("/api/assistant").await.json()["assistant_id"].take();
    let path = format!("/api/child/{mia}/assistants/{}", id.as_str().unwrap());
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    assert_eq!(app.count_rows("upcoming"), 0);
}

#[tokio::test]
async fn proposals_of_an_unknown_assistant_stay_until_they_are_known_to_be_replaced() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let next = |id: &str| json!({"activity_id": id, "topic": "Tides"});
    let family = json!({"guardians": [{"email": ADA}], "children": [
        {"name": "Mia", "guardians": [ADA], "upcoming": [next("a"), next("b"), next("c")]}]});
    app.run_admin(Seed {
        text: family.to_string(),
    })
    .await
    .0
    .unwrap();
    let mia = ChildId::new(1);
    let kitchen = app.assistant("Kitchen", &[mia]).await;
    let toy = app.assistant("Toy", &[mia]).await;
    let ada = app.stepped_up(ADA).await;

    propose(&kitchen, mia, &["c", "b"]).await.ok();
    assert_eq!(upcoming(&ada, mia).await, ["a", "c", "b"]);

    let id = toy.get("/api/assistant").await.json()["assistant_id"].take();
    let path = format!("/api/child/{mia}/assistants/{}", id.as_str().unwrap());
    ada.send(Method::DELETE, &path, &[], None).await.ok();
    propose(&kitchen, mia, &["d"]).await.ok();
    assert_eq!(upcoming(&ada, mia).await, ["d"]);
}

#[tokio::test]
async fn a_proposal_with_one_error_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let path = format!("/api/assistant/child/{mia}/activities/upcoming");
    propose(&robot, mia, &["kept"]).await.ok();
    let good = json!({"activity_id": "a", "topic": "A"});
    let cases = [
        (json!([good, good]), 422),
        (json!([good, {"activity_id": "b"}]), 400),
        (json!([good, {"topic": "B"}]), 400),
        (json!([good, {"activity_id": "", "topic": "B"}]), 400),
        (json!([good, {"activity_id": "..", "topic": "B"}]), 400),
        (
            json!([good, {"activity_id": "b".repeat(201), "topic": "B"}]),
            400,
        ),
        (json!([good, {"activity_id": 7, "topic": "B"}]), 400),
        (
            json!([good, {"activity_id": "b", "topic": "B".repeat(201)}]),
            400,
        ),
        (
            json!([good, {"activity_id": "b", "topic": "B", "summary": "s".repeat(2_001)}]),
            400,
        ),
        (
            json!([good, {"activity_id": "b", "topic": "B", "summary": null}]),
            400,
        ),
        (
            json!([good, {"activity_id": "b", "topic": "B", "mood": "happy"}]),
            400,
        ),
        (
            json!(
                (0..101)
                    .map(|n| json!({"activity_id": n.to_string(), "topic": ""}))
                    .collect::<Value>()
            ),
            400,
        ),
        (json!({"activities": [good]}), 400),
        (json!(null), 400),
    ];

    for (body, status) in cases {
        let sentence = robot.put(&path, &body).await.problem(status);
        assert!(sentence.ends_with('.'), "{sentence}");
    }

    assert_eq!(
        propose(&robot, mia, &["a", "b", "a"]).await.problem(422),
        "Two of the proposed activities have the same id. Each needs one of its own."
    );
    assert_eq!(upcoming(&ada, mia).await, ["kept"]);
}

#[tokio::test]
async fn feedback_reaches_the_assistant_and_removes_the_activity_from_the_list() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "b", "c"]).await.ok();
    let read = format!("/api/assistant/child/{mia}/feedback");

    let up = give_feedback(
        &ada,
        mia,
        "b",
        json!({"feedback": "up", "reason": "\u{feff} She asked for it. \n"}),
    )
    .await;
    app.clock.advance(Duration::from_secs(60));
    let down = give_feedback(
        &ada,
        mia,
        "a",
        json!({"feedback": "down", "reason": " \u{a0}"}),
    )
    .await;

    assert_eq!((up.status.as_u16(), up.body.as_str()), (204, ""));
    assert_eq!(down.status.as_u16(), 204);
    assert_eq!(upcoming(&ada, mia).await, ["c"]);
    let feedback = robot.get(&read).await.json();
    assert_eq!(
        feedback["feedback"],
        json!([
            {"activity_id": "b", "feedback": "up", "reason": "She asked for it.", "at": "2026-11-21T20:00:00Z"},
            {"activity_id": "a", "feedback": "down", "at": "2026-11-21T20:01:00Z"},
        ])
    );
}

#[tokio::test]
async fn an_activity_with_feedback_stays_hidden_and_new_feedback_replaces_the_old() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "b"]).await.ok();
    let read = format!("/api/assistant/child/{mia}/feedback");
    give_feedback(
        &ada,
        mia,
        "a",
        json!({"feedback": "down", "reason": "Too loud."}),
    )
    .await
    .ok();
    give_feedback(&ada, mia, "b", json!({"feedback": "up"}))
        .await
        .ok();
    let seen = robot.get(&read).await.json();

    propose(&robot, mia, &["a", "c", "b"]).await.ok();
    give_feedback(&ada, mia, "a", json!({"feedback": "up"}))
        .await
        .ok();

    assert_eq!(upcoming(&ada, mia).await, ["c"]);
    let again = json!({"activity_id": "a", "feedback": "up", "at": "2026-11-21T20:00:00Z"});
    let next = seen["next"].as_str().unwrap();
    let update = robot.get(&format!("{read}?after={next}")).await.json();
    assert_eq!(update["feedback"], json!([again]));
    let whole = robot.get(&read).await.json();
    assert_eq!(whole["feedback"][0]["activity_id"], "b");
    assert_eq!(whole["feedback"][1], again);
    assert_eq!(whole["feedback"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_assistant_can_always_continue_where_it_stopped_reading() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let read = format!("/api/assistant/child/{mia}/feedback");
    let ids = (0..103).map(|n| format!("{n}")).collect::<Vec<_>>();
    let ids = ids.iter().map(String::as_str).collect::<Vec<_>>();

    let mut after = robot.get(&read).await.json()["next"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut pages = Vec::new();
    for some in ids.chunks(100) {
        propose(&robot, mia, some).await.ok();
        for id in some {
            give_feedback(&ada, mia, id, json!({"feedback": "up"}))
                .await
                .ok();
        }
    }
    for _ in 0..3 {
        let page = robot.get(&format!("{read}?after={after}")).await.json();
        after = page["next"].as_str().unwrap().to_owned();
        pages.push(page["feedback"].as_array().unwrap().len());
    }

    assert_eq!(pages, [100, 3, 0]);
    give_feedback(&ada, mia, "7", json!({"feedback": "down"}))
        .await
        .ok();
    let update = robot.get(&format!("{read}?after={after}")).await.json();
    assert_eq!(update["feedback"][0]["activity_id"], "7");
}

#[tokio::test]
async fn every_valid_activity_id_can_get_feedback() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let cases = [
        ("a/b", "a%2Fb"),
        ("a b?c#d", "a%20b%3Fc%23d"),
        ("%2F", "%252F"),
        ("...", "..."),
        ("ü👩‍🚀", "%C3%BC%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80"),
        ("\0", "%00"),
        ("+", "+"),
        (":id", ":id"),
        ("*", "*"),
    ];
    let ids = cases.map(|(id, _)| id);
    propose(&robot, mia, &ids).await.ok();

    for (id, in_path) in cases {
        let feedback = give_feedback(&ada, mia, in_path, json!({"feedback": "up"})).await;
        assert_eq!(feedback.status.as_u16(), 204, "{id:?}: {}", feedback.body);
    }

    assert_eq!(upcoming(&ada, mia).await, [""; 0]);
    for (id, in_path) in cases {
        let taken_back = take_back(&ada, mia, in_path).await;
        assert_eq!(
            taken_back.status.as_u16(),
            204,
            "{id:?}: {}",
            taken_back.body
        );
    }
    assert_eq!(upcoming(&ada, mia).await, ids);
}

#[tokio::test]
async fn feedback_that_is_taken_back_shows_the_activity_in_its_place() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let keys = [ada.credential(), robot.credential()].map(str::to_owned);
    let read = format!("/api/assistant/child/{mia}/feedback");
    propose(&robot, mia, &["a", "b", "c"]).await.ok();
    let up = || json!({"feedback": "up", "reason": "She asked."});
    give_feedback(&ada, mia, "b", up()).await.ok();
    let seen = robot.get(&read).await.json();
    let app = app.restarted().await;
    let ada = app.bearer(&keys[0]);

    let taken_back = take_back(&ada, mia, "b").await;
    let again = take_back(&ada, mia, "b").await;
    let never_given = take_back(&ada, mia, "a").await;
    let app = app.restarted().await;
    let [ada, robot] = keys.each_ref().map(|key| app.bearer(key));

    for response in [&taken_back, &again, &never_given] {
        assert_eq!(
            (response.status.as_u16(), response.body.as_str()),
            (204, "")
        );
    }
    assert_eq!(upcoming(&ada, mia).await, ["a", "b", "c"]);
    assert_eq!(robot.get(&read).await.json()["feedback"], json!([]));
    // An assistant that has read it isn't told, and continues to read after it.
    let next = format!("{read}?after={}", seen["next"].as_str().unwrap());
    assert_eq!(seen["feedback"][0]["activity_id"], "b");
    assert_eq!(robot.get(&next).await.json()["feedback"], json!([]));
    let down = json!({"feedback": "down"});
    give_feedback(&ada, mia, "b", down).await.ok();
    assert_eq!(upcoming(&ada, mia).await, ["a", "c"]);
    let told = robot.get(&next).await.json()["feedback"].take();
    assert_eq!(told.as_array().unwrap().len(), 1);
    assert_eq!(told[0]["feedback"], "down");
}

#[tokio::test]
async fn taking_feedback_back_shows_only_what_the_assistant_still_proposes() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let toy = app.assistant("toy", &[mia]).await;
    propose(&toy, mia, &["of the toy"]).await.ok();
    propose(&robot, mia, &["withdrawn", "changed"]).await.ok();
    for id in ["withdrawn", "changed", "of%20the%20toy"] {
        let up = json!({"feedback": "up"});
        give_feedback(&ada, mia, id, up).await.ok();
    }
    let path = format!("/api/assistant/child/{mia}/activities/upcoming");
    let now = json!([{"activity_id": "new", "topic": "New"}, {"activity_id": "changed", "topic": "Changed"}]);
    robot.put(&path, &now).await.ok();
    let hidden = upcoming(&ada, mia).await;
    let id = toy.get("/api/assistant").await.json()["assistant_id"].take();
    let path = format!("/api/child/{mia}/assistants/{}", id.as_str().unwrap());
    let stepped_up = app.stepped_up(ADA).await;
    stepped_up.send(Method::DELETE, &path, &[], None).await.ok();

    for id in ["withdrawn", "changed", "of%20the%20toy"] {
        assert_eq!(take_back(&ada, mia, id).await.status.as_u16(), 204, "{id}");
    }

    assert_eq!(hidden, ["new"]);
    let path = format!("/api/child/{mia}/activities/upcoming");
    assert_eq!(ada.get(&path).await.json(), now);
    let feedback = format!("/api/assistant/child/{mia}/feedback");
    let feedback = robot.get(&feedback).await.json();
    assert_eq!(feedback["feedback"], json!([]));
}

/// The first answer may be lost: the server was killed once the change was stored.
#[tokio::test]
async fn taking_feedback_back_again_is_answered_like_the_first_time() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let keys = [ada.credential(), ben.credential(), robot.credential()].map(str::to_owned);
    propose(&robot, mia, &["open", "bens", "withdrawn"])
        .await
        .ok();
    give_feedback(&ben, mia, "bens", json!({"feedback": "down"}))
        .await
        .ok();
    for id in ["open", "bens", "withdrawn"] {
        give_feedback(&ada, mia, id, json!({"feedback": "up"}))
            .await
            .ok();
    }
    propose(&robot, mia, &["open", "bens"]).await.ok();

    for id in ["open", "bens", "withdrawn"] {
        take_back(&ada, mia, id).await.ok();
    }
    let app = app.restarted().await;
    let [ada, ben, robot] = keys.each_ref().map(|key| app.bearer(key));

    for id in ["open", "bens", "withdrawn", "never-proposed"] {
        let again = take_back(&ada, mia, id).await;
        assert_eq!(
            (again.status.as_u16(), again.body.as_str()),
            (204, ""),
            "{id}"
        );
    }
    assert_eq!(upcoming(&ben, mia).await, ["open"]);
    let path = format!("/api/assistant/child/{mia}/feedback");
    let there = robot.get(&path).await.json()["feedback"].take();
    assert_eq!(
        (&there[0]["activity_id"], there.as_array().unwrap().len()),
        (&json!("bens"), 1)
    );
}

#[tokio::test]
async fn the_cursor_of_feedback_tells_nothing_of_other_children() {
    let app = TestApp::new().await;
    let (ada, eve) = (app.guardian(ADA).await, app.guardian(EVE).await);
    let mia = app.child("Mia", &[ADA]).await;
    let kim = app.child("Kim", &[EVE]).await;
    let (robot, toy) = (
        app.assistant("robot", &[mia]).await,
        app.assistant("toy", &[kim]).await,
    );
    propose(&robot, mia, &["a", "b"]).await.ok();
    propose(&toy, kim, &["a", "b"]).await.ok();
    let up = || json!({"feedback": "up"});
    let next = async |assistant: &Persona<'_>, child: u64| {
        let path = format!("/api/assistant/child/{child}/feedback");
        assistant.get(&path).await.json()["next"].take()
    };
    let (mia_number, kim_number) = (mia.number(), kim.number());
    give_feedback(&ada, mia, "a", up()).await.ok();
    let after_first = next(&robot, mia_number).await;

    for id in ["a", "b", "a", "b"] {
        give_feedback(&eve, kim, id, up()).await.ok();
    }
    give_feedback(&ada, mia, "b", up()).await.ok();
    let after_second = next(&robot, mia_number).await;

    give_feedback(&ada, mia, "a", up()).await.ok();
    give_feedback(&ada, mia, "b", up()).await.ok();
    assert_eq!(next(&robot, mia_number).await, next(&toy, kim_number).await);
    assert!(after_first != after_second);
}

#[tokio::test]
async fn a_cursor_from_when_all_children_shared_one_sequence_misses_nothing() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "b", "c"]).await.ok();
    for id in ["a", "b"] {
        let up = json!({"feedback": "up"});
        give_feedback(&ada, mia, id, up).await.ok();
    }
    let read = format!("/api/assistant/child/{mia}/feedback");
    let seen = robot.get(&read).await.json()["next"].take();
    let changed = app.inner.store.commit(move |change| {
        change.remove(&Table::new("last-verdict").key().number(mia.number()))?;
        change.put(&Table::new("sequence").key().text("verdict"), &2_u64)
    });
    changed.await.unwrap();
    take_back(&ada, mia, "b").await.ok();

    give_feedback(&ada, mia, "c", json!({"feedback": "down"}))
        .await
        .ok();

    let path = format!("{read}?after={}", seen.as_str().unwrap());
    let new = robot.get(&path).await.json()["feedback"].take();
    assert_eq!(
        (&new[0]["activity_id"], new.as_array().unwrap().len()),
        (&json!("c"), 1)
    );
}

#[tokio::test]
async fn only_the_guardian_who_gave_the_newest_feedback_can_take_it_back() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a"]).await.ok();
    let read = format!("/api/assistant/child/{mia}/feedback");
    let told = async |after: &str| robot.get(&format!("{read}{after}")).await.json();
    let adas = json!({"activity_id": "a", "feedback": "up", "reason": "She asked.", "at": "2026-11-21T20:00:00Z"});
    let bens = json!({"activity_id": "a", "feedback": "down", "at": "2026-11-21T20:01:00Z"});
    let up = json!({"feedback": "up", "reason": "She asked."});
    give_feedback(&ada, mia, "a", up).await.ok();

    let of_ada = take_back(&ben, mia, "a").await;
    app.clock.advance(Duration::from_secs(60));
    let down = json!({"feedback": "down"});
    give_feedback(&ben, mia, "a", down).await.ok();
    let of_ben = take_back(&ada, mia, "a").await;
    let newest = told("").await;
    let exported = app.exported().await.1;
    take_back(&ben, mia, "a").await.ok();
    let after = format!("?after={}", newest["next"].as_str().unwrap());
    let restored = told(&after).await;
    let hidden = upcoming(&ada, mia).await;
    let no_longer_bens = take_back(&ben, mia, "a").await;
    take_back(&ada, mia, "a").await.ok();

    let sentence = "This feedback isn't known to be yours, so you can't take it back.";
    assert_eq!(of_ben.problem(409), sentence);
    for nothing_of_bens in [&of_ada, &no_longer_bens] {
        assert_eq!(nothing_of_bens.status.as_u16(), 204);
    }
    assert_eq!(newest["feedback"], json!([bens]));
    assert_eq!(restored["feedback"], json!([adas]));
    assert_eq!(hidden, [""; 0]);
    assert_eq!(upcoming(&ada, mia).await, ["a"]);
    assert_eq!(told("").await["feedback"], json!([]));
    let exported = serde_json::from_str::<Value>(&exported).unwrap();
    assert_eq!(exported["children"][0]["feedback"], json!([bens]));
}

#[tokio::test]
async fn a_former_guardians_replaced_feedback_does_not_count_again() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a"]).await.ok();
    for guardian in [&ben, &ada] {
        let down = json!({"feedback": "down"});
        give_feedback(guardian, mia, "a", down).await.ok();
    }

    let email = BEN.parse().unwrap();
    let unlinked = app.run_admin(UnlinkChild { child: mia, email }).await;
    unlinked.0.unwrap();
    take_back(&ada, mia, "a").await.ok();

    assert_eq!(upcoming(&ada, mia).await, ["a"]);
}

#[tokio::test]
async fn imported_feedback_cannot_be_taken_back() {
    let app = TestApp::new().await;
    let family = json!({"guardians": [{"email": ADA}], "children": [{
        "name": "Mia", "guardians": [ADA],
        "upcoming": [{"activity_id": "a", "topic": "Tides"}],
        "feedback": [{"activity_id": "a", "feedback": "up"}],
    }]});
    let text = family.to_string();
    app.run_admin(Seed { text }).await.0.unwrap();
    let ada = app.stepped_up(ADA).await;

    take_back(&ada, 1, "a").await.ok();
    let hidden = upcoming(&ada, 1).await;
    give_feedback(&ada, 1, "a", json!({"feedback": "down"}))
        .await
        .ok();
    take_back(&ada, 1, "a").await.ok();
    take_back(&ada, 1, "a").await.ok();

    assert_eq!(hidden, [""; 0]);
    assert_eq!(upcoming(&ada, 1).await, [""; 0]);
}

#[tokio::test]
async fn activities_that_two_assistants_proposed_with_one_id_are_imported_again() {
    let app = TestApp::new().await;
    let mia = app.child("Mia", &[]).await;
    let (robot, toy) = (
        app.assistant("robot", &[mia]).await,
        app.assistant("toy", &[mia]).await,
    );
    let many = (0..100).map(|number| number.to_string());
    let many = many.collect::<Vec<_>>();
    let many = many.iter().map(String::as_str).collect::<Vec<_>>();
    propose(&robot, mia, &many).await.ok();
    propose(&toy, mia, &["1", "2", "new"]).await.ok();
    let (_, text) = app.exported().await;

    let other = TestApp::new().await;
    other
        .run_admin(Seed { text: text.clone() })
        .await
        .0
        .unwrap();

    let upcoming = |text: &str| {
        let exported = serde_json::from_str::<Value>(text).unwrap();
        exported["children"][0]["upcoming"].clone()
    };
    let exported_again = other.exported().await.1;
    assert_eq!(upcoming(&text).as_array().unwrap().len(), 103);
    assert_eq!(upcoming(&exported_again), upcoming(&text));
    // An assistant that proposes one of them again has it from then on.
    let child = ChildId::new(1);
    let puppet = other.assistant("puppet", &[child]).await;
    propose(&puppet, child, &["1", "new"]).await.ok();
    let left = upcoming(&other.exported().await.1);
    let left = left.as_array().unwrap().iter();
    let again = left.filter(|it| it["activity_id"] == "1" || it["activity_id"] == "new");
    assert_eq!(again.count(), 2);
}

#[tokio::test]
async fn malformed_feedback_is_refused_and_changes_nothing() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a"]).await.ok();
    let cases = [
        json!({}),
        json!({"feedback": "sideways"}),
        json!({"feedback": "UP"}),
        json!({"feedback": null}),
        json!({"feedback": {"up": null}}),
        json!({"feedback": "up", "reason": null}),
        json!({"feedback": "up", "reason": 7}),
        json!({"feedback": "up", "reason": "r".repeat(2_001)}),
        json!({"feedback": "up", "at": "2026-11-21T20:00:00Z"}),
        json!([]),
    ];

    for body in cases {
        let sentence = give_feedback(&ada, mia, "a", body).await.problem(400);
        assert!(sentence.ends_with('.'), "{sentence}");
    }

    assert_eq!(upcoming(&ada, mia).await, ["a"]);
    let longest = json!({"feedback": "up", "reason": "ü".repeat(2_000)});
    give_feedback(&ada, mia, "a", longest).await.ok();
}

#[tokio::test]
async fn another_familys_activity_is_like_an_unknown_one() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let eve = app.guardian(EVE).await;
    let (mia, kim) = (
        app.child("Mia", &[ADA]).await,
        app.child("Kim", &[EVE]).await,
    );
    let robot = app.assistant("robot", &[mia]).await;
    propose(&robot, mia, &["a", "withdrawn"]).await.ok();
    propose(&robot, mia, &["a"]).await.ok();
    let up = || json!({"feedback": "up"});

    let absent = [
        give_feedback(&eve, mia, "a", up()).await,
        give_feedback(&eve, kim, "a", up()).await,
        give_feedback(&eve, 999, "a", up()).await,
        give_feedback(&ada, mia, "nothing", up()).await,
        give_feedback(&ada, mia, "withdrawn", up()).await,
        give_feedback(&ada, mia, &"a".repeat(201), up()).await,
        give_feedback(&ada, mia, "%FF", up()).await,
        give_feedback(&ada, "mia", "a", up()).await,
        take_back(&eve, mia, "a").await,
        take_back(&ada, mia, &"a".repeat(201)).await,
        eve.get(&format!("/api/child/{mia}/activities/upcoming"))
            .await,
        eve.get("/api/child/999/activities/upcoming").await,
        robot
            .get(&format!("/api/assistant/child/{kim}/feedback"))
            .await,
        propose(&robot, kim, &["a"]).await,
    ];

    for response in &absent {
        response.problem(404);
        assert_eq!(response.body, absent[0].body);
    }
    for id in ["a", "nothing"] {
        let none_of_hers = take_back(&eve, kim, id).await;
        assert_eq!(none_of_hers.status.as_u16(), 204, "{id}");
    }
    assert_eq!(upcoming(&ada, mia).await, ["a"]);
    let feedback = robot
        .get(&format!("/api/assistant/child/{mia}/feedback"))
        .await
        .json();
    assert_eq!(feedback["feedback"], json!([]));
}

#[tokio::test]
async fn a_forged_cursor_gets_an_error_message() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;

    for marker in ["", "%22", "a.b", &"A".repeat(500)] {
        let path = format!("/api/assistant/child/{mia}/feedback?after={marker}");
        let sentence = robot.get(&path).await.problem(400);
        assert!(sentence.ends_with('.'), "{sentence}");
    }
}

#[tokio::test]
async fn stored_records_match_the_documented_types() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let robot = app.assistant("robot", &[mia]).await;
    let list = json!([
        {"activity_id": "a", "topic": "A", "summary": "Why."},
        {"activity_id": "b", "topic": "B"},
        {"activity_id": "c", "topic": "C"},
        {"activity_id": "d", "topic": "D", "summary": ""},
    ]);
    let proposal = format!("/api/assistant/child/{mia}/activities/upcoming");
    robot.put(&proposal, &list).await.ok();
    let because = json!({"feedback": "up", "reason": "She likes it."});
    give_feedback(&ada, mia, "b", because).await.ok();
    give_feedback(&ada, mia, "c", json!({"feedback": "down"}))
        .await
        .ok();

    let shown = ada
        .get(&format!("/api/child/{mia}/activities/upcoming"))
        .await
        .json();
    let read = robot
        .get(&format!("/api/assistant/child/{mia}/feedback"))
        .await
        .json();

    let shown = serde_json::from_value::<Vec<UpcomingActivityView>>(shown);
    assert_eq!(shown.unwrap().len(), 2);
    serde_json::from_value::<FeedbackPage>(read).unwrap();
}
