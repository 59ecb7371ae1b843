//! E-mails at once about what the reviewer finds.

use std::time::Duration;

use crate::support::family;
use crate::support::reviewing::{ADA, BEN, Reviewed, completion_of, data_of};
use porchlight::kernel::outgoing::mail::Email;
use serde_json::{Value, json};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const SUBJECT: &str = "Something to look at in Porchlight";

/// Ada and Ben get e-mails about Mia's alerts. It is 20:00.
async fn world() -> Reviewed {
    let world = Reviewed::tested(&[ADA, BEN], |received| {
        let data = data_of(received);
        let messages = data["conversation"].as_array().unwrap().iter();
        let findings = messages.filter_map(|message| {
            let text = message["text"].as_str().unwrap();
            let severity = if text.contains("now") { "urgent" } else { "look" };
            text.contains("roof").then(|| {
                json!({"concern": "danger", "message_id": message["id"], "quote": text, "severity": severity})
            })
        });
        completion_of(&findings.collect())
    })
    .await;
    world.switch_on(ADA).await.ok();
    for email in [ADA, BEN] {
        subscribe(&world, email, |_| {}).await;
    }
    world.app.take_emails().await;
    world
}

async fn subscribe(world: &Reviewed, email: &str, change: impl FnOnce(&mut Value)) {
    let mut settings = family::subscription_off();
    settings["at_once"]["email"] = json!(true);
    change(&mut settings["at_once"]);
    let by = world.of(email).await;
    by.put("/api/subscription", &settings).await.ok();
}

/// The e-mails about alerts that are sent now.
async fn emails(world: &Reviewed) -> Vec<Email> {
    world.review().await;
    world.app.inner.notifications.queue_due().await.unwrap();
    let mut emails = world.app.take_emails().await;
    emails.retain(|email| email.subject == SUBJECT);
    emails
}

/// Who gets an e-mail about alerts now.
async fn emailed(world: &Reviewed) -> Vec<String> {
    let emails = emails(world).await;
    let mut recipients = emails
        .iter()
        .map(|email| email.to.to_string())
        .collect::<Vec<_>>();
    recipients.sort();
    recipients
}

#[tokio::test]
async fn each_guardian_who_chose_that_kind_gets_an_email_about_a_finding() {
    let world = world().await;
    subscribe(&world, BEN, |at_once| at_once["kinds"] = json!(["phrase"])).await;
    world.talk("s", &["I climb on the roof"]).await;
    let sent = emails(&world).await;
    assert_eq!((sent.len(), sent[0].to.to_string()), (1, ADA.to_owned()));
    assert!(!sent[0].is_urgent && !sent[0].text.contains("Please look now."));
}

#[tokio::test]
async fn what_is_urgent_passes_the_quiet_hours_of_those_who_want_that() {
    let world = world().await;
    for (email, passes) in [(ADA, true), (BEN, false)] {
        subscribe(&world, email, |at_once| {
            at_once["quiet_hours"] = json!({"from": "19:00", "to": "23:00"});
            at_once["urgent_passes"] = json!(passes);
        })
        .await;
    }
    let said = ["I climb on the roof", "Be careful."];
    world.say("s", &said).await;
    world.review().await;
    world.pass(31 * MINUTE);
    assert!(emailed(&world).await.is_empty());
    assert_eq!(
        world.alerts(ADA).await[0]["flagged"]["severity"],
        "look",
        "a long conversation is reviewed before it has ended"
    );

    // The alert of the same conversation becomes urgent.
    let said = [said[0], said[1], "I am on the roof now"];
    world.talk("s", &said).await;
    let sent = emails(&world).await;
    assert_eq!((sent.len(), sent[0].to.to_string()), (1, ADA.to_owned()));
    let first = "\n\nPlease look now.\n\nAn AI reader flagged something in Mia's";
    assert!(
        sent[0].is_urgent && sent[0].text.contains(first),
        "{}",
        sent[0].text
    );
    assert!(!sent[0].text.contains("roof") && !sent[0].html.contains("roof"));
    let alerts = world.alerts(ADA).await;
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["flagged"]["severity"], "urgent");

    world.pass(3 * HOUR);
    assert_eq!(emailed(&world).await, [BEN]);
}

#[tokio::test]
async fn only_the_others_get_an_email_about_what_a_guardian_finds_not_worrying() {
    let world = world().await;
    let ada = world.of(ADA).await;
    let concerns = json!({"items": ["danger"]});
    ada.put(&world.path("not_worrying"), &concerns).await.ok();
    world.talk("concern", &["I climb on the roof"]).await;
    assert_eq!(emailed(&world).await, [BEN]);

    // One alert, while it waits for the end of the quiet hours.
    let none = json!({"items": []});
    ada.put(&world.path("not_worrying"), &none).await.ok();
    for email in [ADA, BEN] {
        subscribe(&world, email, |at_once| {
            at_once["quiet_hours"] = json!({"from": "19:00", "to": "23:00"});
        })
        .await;
    }
    world.talk("alert", &["I climb on another roof"]).await;
    assert!(emailed(&world).await.is_empty());
    let number = world.alerts(ADA).await[0]["alert_id"].clone();
    let path = world.path(&format!("alerts/{number}/not_worrying"));
    ada.put(&path, &json!({"not_worrying": true})).await.ok();
    world.pass(4 * HOUR);
    assert_eq!(emailed(&world).await, [BEN]);
}
