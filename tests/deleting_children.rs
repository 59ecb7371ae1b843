//! Giving up access to a child, and deleting a child: what the other guardians see, and how they can cancel it.

use std::time::Duration;

use crate::support::requests::{self, ask_to_delete as ask, record_shown};
use crate::support::test_app::{Persona, Response, TestApp};
use poem::http::Method;
use porchlight::children::ChildId;
use serde_json::{Value, json};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const DELETION: &str = "deletion";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn stop(guardian: &Persona<'_>, child: ChildId) -> Response {
    requests::stop(guardian, child, DELETION).await
}

async fn leave(guardian: &Persona<'_>, child: ChildId) -> Response {
    let path = format!("/api/child/{child}/guardians/me");
    guardian.send(Method::DELETE, &path, &[], None).await
}

async fn deletions(guardian: &Persona<'_>) -> Vec<Value> {
    requests::requests(guardian, DELETION).await
}

async fn has(app: &TestApp, email: &str, child: ChildId) -> bool {
    let guardian = app.stepped_up(email).await;
    let summary = guardian.get(&format!("/api/child/{child}/summary")).await;
    summary.status.is_success()
}

async fn erase_what_is_due(app: &TestApp) {
    app.inner.run_maintenance(|_| {}).await.unwrap();
}

#[tokio::test]
async fn an_only_guardian_can_cancel_a_deletion_for_seven_days() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[ADA]).await,
    );

    let (_, at) = ask(&ada, mia, "Noah").await.problem_at(422);
    assert_eq!(at.as_deref(), Some("/name"));
    ask(&ada, mia, " Mia ").await.ok();
    ask(&ada, mia, "Mia").await.ok();
    ask(&ada, noah, "Noah").await.ok();
    stop(&ada, noah).await.ok();
    stop(&ada, noah).await.problem(404);
    assert_eq!(
        deletions(&ada).await[0]["answers"]["due_at"],
        "2026-11-29T00:00:00Z"
    );

    let rest_of_day = app.rest_of_day();
    app.clock
        .advance(rest_of_day + 7 * DAY - Duration::from_secs(1));
    erase_what_is_due(&app).await;
    assert!(has(&app, ADA, mia).await, "everything goes on");
    app.clock.advance(Duration::from_secs(1));
    erase_what_is_due(&app).await;

    assert!(!has(&app, ADA, mia).await);
    assert!(has(&app, ADA, noah).await, "it was stopped");
    let (_, exported) = app.exported().await;
    assert!(!exported.contains("Mia"), "{exported}");
}

#[tokio::test]
async fn an_agreement_to_fewer_conversations_than_there_are_by_now_is_refused() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let robot = app.assistant("kitchen", &[mia]).await;
    robot.deliver("one", &json!({"topic": "Tides"})).await.ok();
    ask(&ada, mia, "Mia").await.ok();
    let read = requests::edition(&ben, mia, DELETION).await;

    robot.deliver("two", &json!({"topic": "Bees"})).await.ok();

    record_shown(&ben, mia, DELETION, &read).await.ok();
    let seen = &deletions(&ben).await[0];
    assert_eq!(seen["conversations"], 2);
    assert_eq!(seen["answers"]["shown"], false);
    let refused = requests::confirm_edition(&ben, mia, DELETION, &read).await;
    let sentence = refused.problem(412);
    assert!(sentence.contains("has changed since you read it"));
    // More of the same conversation is no other request.
    let read = requests::edition(&ben, mia, DELETION).await;
    let said = json!({"messages": [{"message_id": "1", "text_content": "Why?"}]});
    robot.deliver("two", &said).await.ok();
    let confirmed = requests::confirm_edition(&ben, mia, DELETION, &read).await;
    confirmed.ok();
}

#[tokio::test]
async fn a_name_puts_no_link_and_no_message_of_its_own_into_emails() {
    const LURE: &str = "Mia. Your account was suspended, sign in at evil.example/x";
    let app = TestApp::new().await;
    let ada = app.named_guardian(ADA, LURE).await;
    app.named_guardian(BEN, LURE).await;
    let mia = app.child(LURE, &[ADA, BEN]).await;

    ask(&ada, mia, LURE).await.ok();
    let path = format!("/api/child/{mia}/retention");
    ada.put(&path, &json!({"days": 30})).await.ok();
    let invited = json!({"children": [mia]});
    ada.post("/api/invitations", &invited).await.ok();

    let emails = app.take_emails().await;
    assert_eq!(emails.len(), 3);
    for email in emails {
        // A line of the plain text may end within a name.
        for content in [email.text.replace('\n', " "), email.html] {
            assert!(!content.contains("evil"), "{content}");
            let name = "Mia. Your account was suspended, sign i…";
            // In the greeting, as the guardian who did it, and as the child.
            assert!(content.matches(name).count() >= 3, "{content}");
        }
    }
}

#[tokio::test]
async fn asking_for_a_deletion_and_leaving_require_a_step_up_and_stopping_does_not() {
    let app = TestApp::new().await;
    let (ada, _) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let signed_in = app.not_stepped_up(ADA).await;

    ask(&signed_in, mia, "Mia").await.problem(403);
    leave(&signed_in, mia).await.problem(403);
    ask(&ada, mia, "Mia").await.ok();
    stop(&signed_in, mia).await.ok();
}

#[tokio::test]
async fn leaving_removes_only_ones_own_access_and_cancels_ones_deletion_request() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    ask(&ada, mia, "Mia").await.ok();
    requests::confirm(&ben, mia, DELETION).await.ok();

    leave(&ada, mia).await.ok();
    erase_what_is_due(&app).await;

    assert!(!has(&app, ADA, mia).await && has(&app, BEN, mia).await);
    assert_eq!(deletions(&ben).await, [] as [Value; 0]);
    ask(&ben, mia, "Mia").await.ok();
    leave(&ben, mia).await.problem(409);
}

async fn rename(guardian: &Persona<'_>, child: ChildId, name: &str) -> Response {
    let path = format!("/api/child/{child}/name");
    guardian.put(&path, &json!({"name": name})).await
}

async fn move_to(guardian: &Persona<'_>, session: &Value, child: ChildId) -> Response {
    let path = format!("/api/sessions/{session}/child");
    guardian.put(&path, &json!({"child_id": child})).await
}

/// Delivers a session that began at this time. Returns its id.
async fn session(robot: &Persona<'_>, child: ChildId, name: &str, start: &str) -> Value {
    let fields = json!({"child_id": child, "start_time": start, "topic": "Tides"});
    robot.deliver(name, &fields).await.json()["session_id"].clone()
}

/// The number of e-mails, after sending what is queued.
async fn emails(app: &TestApp) -> usize {
    app.inner.queue.deliver_due().await.unwrap();
    app.emails.lock().unwrap().len()
}

#[tokio::test]
async fn a_child_with_a_pending_deletion_request_gets_no_sessions_and_no_new_name() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let leo = app.child("Leo", &[ADA, BEN]).await;
    let robot = app.assistant("kitchen", &[mia, leo]).await;
    let of_mia = session(&robot, mia, "a", "2026-11-20T16:00:00Z").await;
    let of_leo = session(&robot, leo, "b", "2026-11-20T17:00:00Z").await;
    ask(&ada, leo, "Leo").await.ok();

    for guardian in [&ada, &ben] {
        move_to(guardian, &of_mia, leo).await.problem(409);
        rename(guardian, leo, "Mia").await.problem(409);
    }
    move_to(&ada, &of_leo, mia).await.ok();
    rename(&ada, mia, "Mia M.").await.ok();
    stop(&ben, leo).await.ok();

    move_to(&ada, &of_leo, leo).await.ok();
    rename(&ada, leo, "Leonard").await.ok();
    // A request counts only while its author has the child.
    ask(&ben, leo, "Leonard").await.ok();
    leave(&ben, leo).await.ok();
    rename(&ada, leo, "Leo").await.ok();
}

#[tokio::test]
async fn a_deletion_request_names_the_right_child_even_after_names_were_swapped() {
    let app = TestApp::new().await;
    let (ada, ben) = (
        app.named_guardian(ADA, "Ada").await,
        app.guardian(BEN).await,
    );
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let leo = app.child("Leo", &[ADA, BEN]).await;
    let robot = app.assistant("kitchen", &[mia, leo]).await;
    session(&robot, mia, "a", "2026-11-03T16:00:00Z").await;
    session(&robot, mia, "b", "2026-11-20T16:00:00Z").await;
    let hidden = session(&robot, mia, "c", "2026-11-02T23:30:00Z").await;
    let path = format!("/api/sessions/{hidden}");
    ada.send(Method::DELETE, &path, &[], None).await.ok();

    rename(&ada, mia, "Mia and Leo").await.ok();
    rename(&ada, leo, "Mia").await.ok();
    rename(&ada, mia, "Leo").await.ok();
    ask(&ada, mia, "Leo").await.ok();

    let mail = app.next_email().await;
    let flat = mail.text.replace('\n', " ");
    for part in [
        "3 conversations, from November 2, 2026 to November 20, 2026",
        "“Leo”, “Mia and Leo”, “Mia”",
    ] {
        assert!(flat.contains(part), "{part}: {flat}");
        assert!(mail.html.contains(part), "{part}: {}", mail.html);
    }
    let seen = deletions(&ben).await;
    assert_eq!(seen[0]["conversations"], 3);
    assert_eq!(seen[0]["from"], "2026-11-02");
    assert_eq!(seen[0]["to"], "2026-11-20");
    assert_eq!(seen[0]["names"], json!(["Leo", "Mia and Leo", "Mia"]));

    app.clock.advance(31 * DAY);
    let ben = app.stepped_up(BEN).await;
    assert_eq!(deletions(&ben).await[0]["names"], json!(["Leo"]));
    let ada = app.stepped_up(ADA).await;
    ask(&ada, leo, "Mia").await.ok();
    let empty = &deletions(&ada).await[1];
    assert_eq!(empty["conversations"], 0);
    assert_eq!(empty.get("from"), None);
}

#[tokio::test]
async fn the_same_notification_is_mailed_once_in_ten_minutes() {
    let app = TestApp::with_rate_limits().await;
    let (ada, _) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let noah = app.child("Noah", &[ADA, BEN]).await;
    ask(&ada, mia, "Mia").await.ok();
    stop(&ada, mia).await.ok();
    assert_eq!(emails(&app).await, 0, "it would be wrong by now");
    app.clock.advance(7 * DAY);
    let ada = app.stepped_up(ADA).await;
    ask(&ada, mia, "Mia").await.ok();
    assert_eq!(emails(&app).await, 1);
    stop(&ada, mia).await.ok();
    app.clock.advance(Duration::from_secs(60));
    ask(&ada, mia, "Mia").await.ok();
    assert_eq!(emails(&app).await, 1);
    stop(&ada, mia).await.ok();

    ask(&ada, noah, "Noah").await.ok();
    assert_eq!(emails(&app).await, 2, "it is about another child");
    app.clock.advance(Duration::from_secs(10 * 60));
    let ada = app.stepped_up(ADA).await;
    ask(&ada, mia, "Mia").await.ok();
    assert_eq!(emails(&app).await, 3);
}
