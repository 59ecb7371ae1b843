//! Inviting another guardian: what the link grants and to which person, and what the children's other guardians see and can do.

use std::time::Duration;

use crate::support::device::{Device, PHONE};
use crate::support::features::Facts;
use crate::support::operations::{Event, nothing, write};
use crate::support::tables::{Pages, Promise};
use crate::support::test_app::{PUBLIC_URL, Persona, Response, TestApp};
use poem::http::Method;
use porchlight::admin::{LinkChild, RemoveGuardian, SignOutGuardian};
use porchlight::children::ChildId;
use porchlight::kernel::http::limit::LimitMode;
use porchlight::kernel::outgoing::mail::{Email, Mailer};
use porchlight::kernel::store::{Read, Table};
use serde_json::{Value, json};

pub static FACTS: Facts = Facts {
    tables: &[(
        Some(Promise::Invitation),
        None,
        &["invitation", "invitation-by-token", "invitation-of"],
    )],
    damaged: &[
        ("invitation", Pages::LacksARow(&["getRequests"])),
        ("invitation-of", Pages::Closed(&["getRequests"])),
    ],
    writes: &[
        write("inviteGuardian", None, |child| json!({"children": [child]})),
        write("confirmInvitation", Some(Event::GuardianAdded), nothing),
        write("stopInvitation", None, nothing),
        write("openInvitation", None, |_| json!({"token": "ivt_x"})).with_few_values(),
        write(
            "acceptInvitation",
            Some(Event::InvitationAccepted),
            |_| json!({"token": "ivt_x", "name": "Cleo", "email": "cleo@example.org"}),
        )
        .with_few_values(),
        write(
            "joinByInvitation",
            Some(Event::InvitationAccepted),
            |_| json!({"token": "ivt_x"}),
        )
        .with_few_values(),
    ],
};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const CLEO: &str = "cleo@example.org";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Creates an invitation whose link is shown. Returns the link's token.
async fn invite(guardian: &Persona<'_>, children: &[ChildId]) -> String {
    let body = json!({"children": children});
    let made = guardian.post("/api/invitations", &body).await.json();
    token_in(made["shown"]["link"].as_str().unwrap())
}

fn token_in(text: &str) -> String {
    let (_, rest) = text.split_once("#token=").unwrap();
    let is_token = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    rest.chars().take_while(|c| is_token(*c)).collect()
}

async fn accept(app: &TestApp, body: &Value) -> Response {
    let headers = [("origin", PUBLIC_URL)];
    let (anonymous, body) = (app.anonymous(), Some(body.to_string()));
    let accepted = anonymous.send(Method::POST, "/api/invitations/accept", &headers, body);
    accepted.await
}

/// Accepts as a new guardian. Returns them signed in.
async fn accept_as<'a>(app: &'a TestApp, token: &str, name: &str, email: &str) -> Persona<'a> {
    let body = json!({"token": token, "name": name, "email": email});
    let accepted = accept(app, &body).await.json();
    app.bearer(accepted["identity_token"].as_str().unwrap())
}

async fn join(guardian: &Persona<'_>, token: &str) -> Response {
    guardian
        .post("/api/invitations/join", &json!({"token": token}))
        .await
}

async fn open(app: &TestApp, token: &str) -> Response {
    let body = json!({"token": token});
    app.anonymous().post("/api/invitations/open", &body).await
}

async fn children(guardian: &Persona<'_>) -> Vec<u64> {
    let listed = guardian.get("/api/children").await.json();
    let numbers = listed.as_array().unwrap().iter();
    numbers
        .map(|child| child["child_id"].as_u64().unwrap())
        .collect()
}

async fn invitations(guardian: &Persona<'_>) -> Vec<Value> {
    let requests = guardian.get("/api/household/requests").await.json();
    requests["invitations"].as_array().unwrap().clone()
}

/// The edition that the guardian reads now; one that never was if there is no such invitation.
async fn edition(guardian: &Persona<'_>, id: &Value) -> String {
    let seen = invitations(guardian).await;
    let seen = seen.iter().find(|seen| seen["invitation_id"] == *id);
    seen.map_or("edn_none", |seen| seen["edition"].as_str().unwrap())
        .to_owned()
}

async fn confirm_edition(guardian: &Persona<'_>, id: &Value, edition: &str) -> Response {
    let path = format!("/api/invitations/{}/confirmation", id.as_str().unwrap());
    let read = format!("\"{edition}\"");
    let headers = [("if-match", read.as_str())];
    guardian.send(Method::PUT, &path, &headers, None).await
}

async fn confirm(guardian: &Persona<'_>, id: &Value) -> Response {
    confirm_edition(guardian, id, &edition(guardian, id).await).await
}

async fn stop(guardian: &Persona<'_>, id: &Value) -> Response {
    let path = format!("/api/invitations/{}", id.as_str().unwrap());
    guardian.send(Method::DELETE, &path, &[], None).await
}

async fn show_all(guardian: &Persona<'_>) {
    let seen = invitations(guardian).await;
    let shown = seen
        .iter()
        .map(|seen| json!({"invitation_id": seen["invitation_id"], "edition": seen["edition"]}));
    let shown = json!({"requests": [], "invitations": shown.collect::<Vec<_>>()});
    let noted = guardian.post("/api/household/requests/shown", &shown);
    noted.await.ok();
}

/// Does what the maintenance does.
async fn complete_due(app: &TestApp) {
    let due = app.inner.due.due();
    let invitations = &app.inner.household.invitations;
    invitations.complete_due(due).await.unwrap();
}

#[tokio::test]
async fn an_invitation_takes_effect_at_once_if_no_other_guardian_must_agree() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[ADA]).await,
    );
    let token = invite(&ada, &[mia]).await;

    let opened = open(&app, &token).await.json();
    assert_eq!(opened, json!({"by": "Another guardian", "by_email": false}));
    let ben = accept_as(&app, &token, " Ben ", BEN).await;

    assert_eq!(children(&ben).await, [mia.number()], "not {noah}");
    assert_eq!(invitations(&ada).await, [] as [Value; 0]);
    let history = ada.get(&format!("/api/child/{mia}/history")).await.json();
    assert_eq!(history["items"][0]["what"], "guardian_joined");
    assert_eq!(history["items"][0]["by"]["name"], "Ben");
    assert_eq!(history["items"][1]["what"], "guardian_invited");
}

#[tokio::test]
async fn an_invitation_link_works_once_and_for_fourteen_days() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let (used, old) = (invite(&ada, &[mia]).await, invite(&ada, &[mia]).await);
    accept_as(&app, &used, "Ben", BEN).await;
    let again = |token: &str| json!({"token": token, "name": "Eve", "email": "eve@example.org"});

    for token in [used.as_str(), "ivt_x", "", &used.replace("ivt_", "lnk_")] {
        let (sentence, at) = accept(&app, &again(token)).await.problem_at(422);
        assert!(sentence.contains("does not work any more"), "{sentence}");
        assert_eq!(at.as_deref(), Some("/token"));
        open(&app, token).await.problem(422);
    }
    app.clock.advance(14 * DAY);
    accept(&app, &again(&old)).await.problem(422);
    complete_due(&app).await;
    let ada = app.stepped_up(ADA).await;
    assert_eq!(invitations(&ada).await, [] as [Value; 0], "it is forgotten");
}

#[tokio::test]
async fn concurrent_acceptances_create_one_guardian() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let token = invite(&ada, &[mia]).await;

    let body = |name: &str| json!({"token": token, "name": name, "email": BEN});
    let (ben, eve) = (body("Ben"), body("Eve"));
    let (one, other) = tokio::join!(accept(&app, &ben), accept(&app, &eve));

    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
    let (guardians, _) = app.inner.identity.guardians.list(&app.inner.store).unwrap();
    assert_eq!(guardians.len(), 2, "the other one was not added either");
}

#[tokio::test]
async fn an_address_is_verified_by_an_email_and_not_by_typing_it() {
    let app = TestApp::new().await;
    let ada = app.named_guardian(ADA, "Ada").await;
    let mia = app.child("Mia", &[ADA]).await;
    let by_email = json!({"children": [mia], "email": BEN});

    let made = ada.post("/api/invitations", &by_email).await.json();

    assert_eq!(made, json!({}), "the link is in the email alone");
    let mail = app.next_email().await;
    assert_eq!(mail.to.to_string(), BEN);
    assert!(mail.text.contains("A parent invites you"), "{}", mail.text);
    assert!(!mail.text.contains("Ada"), "{}", mail.text);
    let token = token_in(&mail.text);
    let body = json!({"token": token, "name": "Ben", "email": "eve@example.org"});
    let accepted = accept(&app, &body).await.json();
    assert_eq!(accepted["guardian"]["email"], BEN, "the email's counts");
    assert_eq!(accepted["guardian"].get("email_unverified"), None);

    let token = invite(&ada, &[mia]).await;
    let body = json!({"token": token, "name": "Cleo", "email": CLEO});
    let accepted = accept(&app, &body).await.json();
    assert_eq!(accepted["guardian"]["email_unverified"], true);
    let without = json!({"token": invite(&ada, &[mia]).await, "name": "Dan"});
    let (_, at) = accept(&app, &without).await.problem_at(422);
    assert_eq!(at.as_deref(), Some("/email"));
}

#[tokio::test]
async fn accepting_an_invitation_never_signs_in_as_an_existing_guardian() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let ben = app.guardian(BEN).await;
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[BEN]).await,
    );
    let by_email = json!({"children": [mia], "email": BEN});
    ada.post("/api/invitations", &by_email).await.ok();
    let mail = app.next_email().await;

    let accepted = accept_as(&app, &token_in(&mail.text), "Ben", BEN).await;

    assert_eq!(children(&accepted).await, [mia.number()], "not {noah}");
    assert_eq!(children(&ben).await, [noah.number()]);
    let sign_ins = ben.get("/api/auth/sign_ins").await.json();
    assert_eq!(sign_ins["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_signed_in_guardian_accepts_without_losing_their_children() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[BEN]).await,
    );
    let token = invite(&ada, &[mia]).await;

    join(&ada, &token).await.problem(409);
    join(&ben, &token).await.ok();

    assert_eq!(children(&ben).await, [mia.number(), noah.number()]);
    join(&ben, &token).await.problem(422);
}

#[tokio::test]
async fn an_invitation_is_shown_to_the_other_guardian_and_waits_for_their_confirmation() {
    let app = TestApp::new().await;
    let (ada, ben) = (
        app.named_guardian(ADA, "Ada").await,
        app.guardian(BEN).await,
    );
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    let mail = app.next_email().await;
    assert_eq!(mail.to.to_string(), BEN);
    assert!(mail.text.contains("Ada invited somebody"), "{}", mail.text);
    let cleo = accept_as(&app, &token, "Cleo", CLEO).await;
    assert_eq!(children(&cleo).await, [] as [u64; 0]);
    let accepted = async || {
        let household = cleo.get("/api/household").await.json();
        household.get("accepted_invitation_at").cloned()
    };
    assert_eq!(accepted().await, Some(json!("2026-11-21T20:00:00Z")));

    let seen = invitations(&ben).await;
    assert_eq!(seen[0]["by"], json!({"is_you": false, "name": "Ada"}));
    assert_eq!(seen[0]["accepted_by"], "Cleo");
    assert_eq!(
        seen[0]["accepted_address"],
        json!({"email": CLEO, "verified": false})
    );
    assert_eq!(
        seen[0]["answers"],
        json!({"shown": false, "confirmed": false})
    );
    let not_stepped_up = app.not_stepped_up(BEN).await;
    let id = &seen[0]["invitation_id"];
    confirm(&not_stepped_up, id).await.problem(403);
    confirm(&cleo, id).await.problem(403);
    confirm(&ada, id).await.ok();
    assert_eq!(
        children(&cleo).await,
        [] as [u64; 0],
        "who invites has no say"
    );
    confirm(&ben, id).await.ok();

    assert_eq!(children(&cleo).await, [mia.number()]);
    assert_eq!(accepted().await, None);
    let history = ben.get(&format!("/api/child/{mia}/history")).await.json();
    let what = history["items"].as_array().unwrap().iter();
    let what = what.map(|entry| entry["what"].as_str().unwrap());
    assert_eq!(
        what.collect::<Vec<_>>(),
        [
            "guardian_joined",
            "invitation_confirmed",
            "guardian_invited"
        ]
    );
}

#[tokio::test]
async fn an_invitation_takes_effect_seven_days_after_it_was_shown_and_not_before() {
    let app = TestApp::new().await;
    let (ada, _) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    accept_as(&app, &token, "Cleo", CLEO).await;

    app.clock.advance(100 * DAY);
    complete_due(&app).await;
    let cleo = app.stepped_up(CLEO).await;
    assert_eq!(
        children(&cleo).await,
        [] as [u64; 0],
        "nobody showed it to Ben"
    );

    show_all(&app.stepped_up(BEN).await).await;
    let rest_of_day = app.rest_of_day();
    app.clock
        .advance(rest_of_day + 7 * DAY - Duration::from_secs(1));
    show_all(&app.stepped_up(BEN).await).await;
    complete_due(&app).await;
    assert_eq!(children(&app.stepped_up(CLEO).await).await, [] as [u64; 0]);
    app.clock.advance(Duration::from_secs(1));
    complete_due(&app).await;
    assert_eq!(children(&app.stepped_up(CLEO).await).await, [mia.number()]);
}

#[tokio::test]
async fn confirmations_from_before_the_acceptance_do_not_count() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    show_all(&ben).await;
    let id = invitations(&ben).await[0]["invitation_id"].clone();
    confirm(&ben, &id).await.ok();
    app.clock.advance(8 * DAY);

    accept_as(&app, &token, "Cleo", CLEO).await;

    let complete = async || {
        complete_due(&app).await;
        children(&app.stepped_up(CLEO).await).await
    };
    assert_eq!(complete().await, [] as [u64; 0]);
    let ben = app.stepped_up(BEN).await;
    assert_eq!(
        invitations(&ben).await[0]["answers"],
        json!({"shown": false, "confirmed": false})
    );
    show_all(&ben).await;
    let rest_of_day = app.rest_of_day();
    app.clock
        .advance(rest_of_day + 7 * DAY - Duration::from_secs(1));
    assert_eq!(complete().await, [] as [u64; 0]);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(complete().await, [mia.number()]);
}

#[tokio::test]
async fn a_confirmation_counts_for_the_shown_address_only() {
    for is_theirs in [true, false] {
        let app = TestApp::new().await;
        let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let body = json!({"children": [mia], "email": CLEO});
        ada.post("/api/invitations", &body).await.ok();
        let emails = app.take_emails().await;
        let cleos = emails.iter().find(|email| email.to.to_string() == CLEO);
        let token = token_in(&cleos.unwrap().text);
        let id = invitations(&ben).await[0]["invitation_id"].clone();
        confirm(&ben, &id).await.ok();

        let accepted = if is_theirs {
            accept_as(&app, &token, "Cleo", CLEO).await
        } else {
            let dan = app.guardian("dan@example.org").await;
            join(&dan, &token).await.ok();
            dan
        };

        let expected: &[u64] = if is_theirs { &[mia.number()] } else { &[] };
        assert_eq!(children(&accepted).await, expected);
    }
}

#[tokio::test]
async fn each_guardian_stops_an_invitation_for_their_own_children_and_sees_no_others() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let (mia, noah) = (
        app.child("Mia", &[ADA, BEN]).await,
        app.child("Noah", &[ADA]).await,
    );
    let stranger = app.guardian("eve@example.org").await;
    let token = invite(&ada, &[mia, noah]).await;

    let seen = invitations(&ben).await;
    assert_eq!(
        seen[0]["children"],
        json!([mia]),
        "not Noah, who isn't theirs"
    );
    let id = &seen[0]["invitation_id"];
    stop(&stranger, id).await.problem(404);
    confirm(&stranger, id).await.problem(404);
    assert_eq!(invitations(&stranger).await, [] as [Value; 0]);
    stop(&ben, id).await.ok();
    assert_eq!(invitations(&ben).await, [] as [Value; 0]);
    assert_eq!(invitations(&ada).await[0]["children"], json!([noah]));

    let cleo = accept_as(&app, &token, "Cleo", CLEO).await;
    assert_eq!(children(&cleo).await, [noah.number()]);
    let token = invite(&ada, &[mia]).await;
    stop(&ada, &invitations(&ada).await[0]["invitation_id"])
        .await
        .ok();
    let body = json!({"token": token, "name": "Dan", "email": "dan@example.org"});
    accept(&app, &body).await.problem(422);
}

#[tokio::test]
async fn a_confirmation_for_one_child_does_not_count_for_another() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    app.guardian("eve@example.org").await;
    let noah = app.child("Noah", &[ADA, "eve@example.org"]).await;
    let token = invite(&ada, &[mia, noah]).await;
    let cleo = accept_as(&app, &token, "Cleo", CLEO).await;
    show_all(&ben).await;
    let id = invitations(&ben).await[0]["invitation_id"].clone();
    confirm(&ben, &id).await.ok();
    assert_eq!(children(&cleo).await, [mia.number()]);

    // Ben gets Noah too, and Eve leaves: now only Ben has to agree.
    let email = BEN.parse().unwrap();
    let linked = LinkChild { child: noah, email };
    app.run_admin(linked).await.0.unwrap();
    let eve = app.stepped_up("eve@example.org").await;
    let path = format!("/api/child/{noah}/guardians/me");
    eve.send(Method::DELETE, &path, &[], None).await.ok();
    app.clock.advance(8 * DAY);
    complete_due(&app).await;

    let (ben, cleo) = (app.stepped_up(BEN).await, app.stepped_up(CLEO).await);
    assert_eq!(children(&cleo).await, [mia.number()]);
    let seen = invitations(&ben).await;
    assert_eq!(seen[0]["children"], json!([noah]));
    assert_eq!(
        seen[0]["answers"],
        json!({"shown": false, "confirmed": false})
    );
    confirm(&ben, &id).await.ok();
    assert_eq!(children(&cleo).await, [mia.number(), noah.number()]);
}

#[tokio::test]
async fn a_guardian_who_left_and_returned_is_asked_again() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    let id = invitations(&ben).await[0]["invitation_id"].clone();
    confirm(&ben, &id).await.ok();
    let path = format!("/api/child/{mia}/guardians/me");
    ben.send(Method::DELETE, &path, &[], None).await.ok();
    let email = BEN.parse().unwrap();
    let back = LinkChild { child: mia, email };
    app.run_admin(back).await.0.unwrap();

    let cleo = accept_as(&app, &token, "Cleo", CLEO).await;

    assert_eq!(children(&cleo).await, [] as [u64; 0]);
    confirm(&ben, &id).await.ok();
    assert_eq!(children(&cleo).await, [mia.number()]);
}

#[tokio::test]
async fn invitations_of_a_former_guardian_are_invalid() {
    let app = TestApp::new().await;
    let (ada, _) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    let path = format!("/api/child/{mia}/guardians/me");
    ada.send(Method::DELETE, &path, &[], None).await.ok();

    let body = json!({"token": token, "name": "Cleo", "email": CLEO});
    accept(&app, &body).await.problem(422);
    assert_eq!(
        invitations(&app.stepped_up(BEN).await).await,
        [] as [Value; 0]
    );
}

#[tokio::test]
async fn signing_out_everywhere_ends_the_invitations_that_the_guardian_made() {
    for by_administrator in [false, true] {
        let app = TestApp::new().await;
        app.guardian(ADA).await;
        let (ada, ben) = (app.stepped_up(ADA).await, app.guardian(BEN).await);
        let (mia, noah) = (
            app.child("Mia", &[ADA, BEN]).await,
            app.child("Noah", &[ADA]).await,
        );
        let (pending, accepted) = (invite(&ada, &[noah]).await, invite(&ada, &[mia]).await);
        let cleo = accept_as(&app, &accepted, "Cleo", CLEO).await;
        let id = invitations(&ben).await[0]["invitation_id"].clone();
        let bens = invite(&ben, &[mia]).await;

        if by_administrator {
            let email = ADA.parse().unwrap();
            let signed_out = app.run_admin(SignOutGuardian { email });
            signed_out.await.0.unwrap();
        } else {
            let phone = Device::by_email(&app, ADA, PHONE).await;
            phone.sign_out(&json!({"everywhere": true})).await.ok();
        }

        let eve = json!({"token": pending, "name": "Eve", "email": "eve@example.org"});
        accept(&app, &eve).await.problem(422);
        join(&ben, &pending).await.problem(422);
        confirm(&ben, &id).await.problem(404);
        assert_eq!(children(&cleo).await, [] as [u64; 0]);
        let left = invitations(&ben).await;
        assert_eq!(left.len(), 1);
        assert_eq!(left[0]["by"]["is_you"], true);
        open(&app, &bens).await.ok();
        complete_due(&app).await;
        let stored = Table::new("invitation").key();
        let stored = app.inner.store.keys_below(&stored, usize::MAX).unwrap();
        assert_eq!(stored.len(), 1);
        let again = invite(&app.stepped_up(ADA).await, &[noah]).await;
        open(&app, &again).await.ok();
    }
}

#[tokio::test]
async fn a_guardian_who_was_removed_after_accepting_gets_no_access() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    accept_as(&app, &token, "Cleo", CLEO).await;
    let id = invitations(&ben).await[0]["invitation_id"].clone();
    let email = CLEO.parse().unwrap();
    let removed = app.run_admin(RemoveGuardian { email }).await.0;
    assert!(removed.is_ok());

    confirm(&ben, &id).await.problem(404);
    complete_due(&app).await;

    let household = ben.get("/api/household").await.json();
    let guardians = household["children"][0]["guardians"].as_array().unwrap();
    assert_eq!(guardians.len(), 2);
    assert_eq!(invitations(&ada).await, [] as [Value; 0]);
}

#[tokio::test]
async fn the_remaining_guardians_decide_when_another_leaves() {
    let app = TestApp::new().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA, BEN]).await;
    let token = invite(&ada, &[mia]).await;
    let cleo = accept_as(&app, &token, "Cleo", CLEO).await;
    assert_eq!(children(&cleo).await, [] as [u64; 0]);

    let path = format!("/api/child/{mia}/guardians/me");
    ben.send(Method::DELETE, &path, &[], None).await.ok();

    assert_eq!(
        children(&cleo).await,
        [mia.number()],
        "nobody is left to ask"
    );
}

#[tokio::test]
async fn inviting_requires_a_step_up_and_ones_own_children_and_has_a_daily_limit() {
    let app = TestApp::new().await;
    let (ada, _) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let (mia, noah) = (
        app.child("Mia", &[ADA]).await,
        app.child("Noah", &[BEN]).await,
    );
    let not_stepped_up = app.not_stepped_up(ADA).await;
    let own = json!({"children": [mia]});

    not_stepped_up
        .post("/api/invitations", &own)
        .await
        .problem(403);
    ada.post("/api/invitations", &json!({"children": [mia, noah]}))
        .await
        .problem(404);
    let none = json!({"children": []});
    let none = ada.post("/api/invitations", &none).await;
    assert!(none.status.is_client_error());
    for _ in 0..3 {
        ada.post("/api/invitations", &own).await.ok();
    }
    ada.post("/api/invitations", &own).await.problem(422);
    for name in ["Leo", "Zoe"] {
        let other = app.child(name, &[ADA]).await;
        let other = json!({"children": [other]});
        ada.post("/api/invitations", &other).await.ok();
    }
    let sixth = app.child("Tom", &[ADA]).await;
    let sixth = json!({"children": [sixth]});
    ada.post("/api/invitations", &sixth).await.problem(422);
}

#[tokio::test]
async fn without_a_mail_server_the_invitation_link_is_shown_or_none_is_created() {
    let app = TestApp::with_mailer(Mailer::Nobody, LimitMode::Off).await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    let by_email = json!({"children": [mia], "email": BEN});
    ada.post("/api/invitations", &by_email).await.problem(422);
    assert_eq!(invitations(&ada).await, [] as [Value; 0]);
    let made = ada
        .post("/api/invitations", &json!({"children": [mia]}))
        .await
        .json();
    let rows = made["shown"]["qr_code"].as_array().unwrap().clone();
    assert!(rows.len() > 20, "{rows:?}");
}

#[tokio::test]
async fn invitations_do_not_work_if_the_administrator_manages_the_household() {
    let app = TestApp::where_the_administrator_arranges().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;

    ada.post("/api/invitations", &json!({"children": [mia]}))
        .await
        .problem(403);
    let token = format!("ivt_{}", "A".repeat(43));
    join(&ada, &token).await.problem(422);
}

#[tokio::test]
async fn an_invited_guardian_cannot_invite_for_a_day() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let by_email = json!({"children": [mia], "email": BEN});
    ada.post("/api/invitations", &by_email).await.ok();
    let token = token_in(&app.next_email().await.text);
    accept(&app, &json!({"token": token, "name": "Ben"}))
        .await
        .ok();
    let ben = app.stepped_up(BEN).await;
    let body = json!({"children": [mia]});

    let sentence = ben.post("/api/invitations", &body).await.problem(422);
    assert!(sentence.contains("24 hours"), "{sentence}");
    app.clock.advance(DAY - Duration::from_secs(1));
    let ben = app.stepped_up(BEN).await;
    ben.post("/api/invitations", &body).await.problem(422);
    app.clock.advance(Duration::from_secs(1));
    ben.post("/api/invitations", &body).await.ok();
    ada_invites(&app, mia).await;
}

/// A guardian added by the administrator can invite from the beginning.
async fn ada_invites(app: &TestApp, child: ChildId) {
    let ada = app.stepped_up(ADA).await;
    let body = json!({"children": [child]});
    ada.post("/api/invitations", &body).await.ok();
}

#[tokio::test]
async fn a_child_can_have_eight_guardians() {
    let app = TestApp::new().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let noah = app.child("Noah", &[ADA]).await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        tokens.push(invite(&ada, &[mia]).await);
    }
    let both = invite(&ada, &[noah, mia]).await.to_owned();
    let mut emails = vec![ADA.to_owned()];
    for number in 2..=7 {
        let email = format!("guardian{number}@example.org");
        app.guardian(&email).await;
        let linked = app.run_admin(LinkChild {
            child: mia,
            email: email.parse().unwrap(),
        });
        linked.await.0.unwrap();
        emails.push(email);
    }
    accept_as(&app, &tokens[0], "Eighth", "eighth@example.org").await;
    confirm_all(&app, &emails).await;
    assert_eq!(guardians_of(&app, mia).await, 8);
    let ninth = json!({"token": tokens[1], "name": "Ninth", "email": "ninth@example.org"});
    let sentence = accept(&app, &ninth).await.problem(409);
    assert!(sentence.contains("eight guardians"), "{sentence}");
    let tenth = accept_as(&app, &both, "Tenth", "tenth@example.org").await;

    assert_eq!(children(&tenth).await, [noah.number()]);
    assert_eq!(guardians_of(&app, mia).await, 8);
    let ada = app.stepped_up(ADA).await;
    let body = json!({"children": [mia]});
    ada.post("/api/invitations", &body).await.problem(409);
    app.add_guardian("eleventh@example.org", None).await;
    let linked = app.run_admin(LinkChild {
        child: mia,
        email: "eleventh@example.org".parse().unwrap(),
    });
    let Err(refused) = linked.await.0 else {
        panic!("a ninth guardian was added");
    };
    let refused = refused.to_string();
    assert!(refused.contains("eight guardians"), "{refused}");
}

/// Each of these guardians confirms every invitation.
async fn confirm_all(app: &TestApp, emails: &[String]) {
    for email in emails {
        let guardian = app.stepped_up(email).await;
        for seen in invitations(&guardian).await {
            confirm(&guardian, &seen["invitation_id"]).await.ok();
        }
    }
}

async fn guardians_of(app: &TestApp, child: ChildId) -> usize {
    let store = &app.inner.store;
    let guardians = app.inner.children.guardians_of(store, child);
    guardians.unwrap().len()
}

#[tokio::test]
async fn a_guardian_can_have_twenty_invitations() {
    let app = TestApp::new().await;
    app.guardian(ADA).await;
    let mut made = 0;
    for day in 0..8 {
        let ada = app.stepped_up(ADA).await;
        for number in 0..3 {
            let child = app.child(&format!("{day} {number}"), &[ADA]).await;
            let body = json!({"children": [child]});
            made += usize::from(ada.post("/api/invitations", &body).await.status == 201);
        }
        app.clock.advance(DAY);
    }

    assert_eq!(made, 20);
}

#[tokio::test]
async fn an_unverified_address_gets_at_most_three_emails_a_day() {
    let app = TestApp::with_rate_limits().await;
    let mut statuses = Vec::new();
    for number in 0..3 {
        let email = format!("guardian{number}@example.org");
        let guardian = app.named_guardian(&email, "Cheap pills at x.example").await;
        let child = app
            .child("Cheap pills at x.example", &[email.as_str()])
            .await;
        let body = json!({"children": [child], "email": CLEO});
        for _ in 0..2 {
            let made = guardian.post("/api/invitations", &body).await;
            statuses.push((made.status.as_u16(), made.body));
        }
        let address = json!({ "email": CLEO });
        let asked = guardian.put("/api/auth/address", &address).await;
        statuses.push((asked.status.as_u16(), String::new()));
    }

    let to_cleo = |sent: Vec<Email>| {
        let all = sent.into_iter();
        all.filter(|one| one.to.to_string() == CLEO)
            .collect::<Vec<_>>()
    };
    let sent = to_cleo(app.take_emails().await);
    assert_eq!(sent.len(), 3, "{statuses:?}");
    assert!(statuses.chunks(3).all(|of_one| of_one == &statuses[..3]));
    for email in sent {
        let text = format!("{} {} {}", email.subject, email.text, email.html);
        assert!(!text.contains("pills"), "{text}");
    }
    app.clock.advance(DAY);
    let guardian = app.stepped_up("guardian0@example.org").await;
    let child = app.child("Zoe", &["guardian0@example.org"]).await;
    let body = json!({"children": [child], "email": CLEO});
    guardian.post("/api/invitations", &body).await.ok();
    assert_eq!(to_cleo(app.take_emails().await).len(), 1);
}

#[tokio::test]
async fn guardians_who_only_typed_anothers_address_cause_three_codes_a_day_in_all() {
    let app = TestApp::with_rate_limits().await;
    let (ada, ben) = (app.guardian(ADA).await, app.guardian(BEN).await);
    let mia = app.child("Mia", &[ADA]).await;
    let ask = async |guardian: &Persona<'_>| {
        let asked = guardian.send(Method::POST, "/api/auth/step_up/email", &[], None);
        asked.await.ok();
    };

    for _ in 0..2 {
        let token = invite(&ada, &[mia]).await;
        let puppet = accept_as(&app, &token, "Ben", BEN).await;
        for _ in 0..4 {
            ask(&puppet).await;
        }
    }

    let to_ben = async || {
        let sent = app.take_emails().await.into_iter();
        sent.filter(|email| email.to.to_string() == BEN).count()
    };
    assert_eq!(to_ben().await, 3);
    ask(&ben).await;
    assert_eq!(to_ben().await, 1, "his own aren't counted");
}

#[tokio::test]
async fn codes_to_an_unverified_address_count_towards_its_emails_and_name_nobody() {
    let app = TestApp::with_rate_limits().await;
    let ada = app.guardian(ADA).await;
    let mia = app.child("Mia", &[ADA]).await;
    let token = invite(&ada, &[mia]).await;
    let eve = accept_as(&app, &token, "Cheap pills", CLEO).await;

    for _ in 0..5 {
        let asked = eve.send(Method::POST, "/api/auth/step_up/email", &[], None);
        asked.await.ok();
    }

    let sent = app.take_emails().await;
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|email| !email.text.contains("pills")));
}
