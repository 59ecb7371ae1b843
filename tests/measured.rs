//! The test of a model that reads along, against scripted models.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use porchlight::admin::{
    AdminError, NamedReviewer, Operation, Reports, TestReviewer, TestedReviewer,
};
use porchlight::alerts::Concern;
use porchlight::alerts::reviewer::{
    CannotMeasure, ConcernFigures, Measured, Measuring, OrdinaryWeeks, ReviewerSettings, cases,
    figures_of,
};
use porchlight::kernel::host::pieces::pieces;
use serde_json::{Value, json};

use crate::support::reviewing::{
    ADA, Reviewed, by_text, case_of, completion_of, data_of, finding, perfect, settings_at,
};
use crate::support::upstream::{Answer, Received, Upstream};

async fn test(world: &Reviewed) -> Result<TestedReviewer, AdminError> {
    test_named(world, NamedReviewer::default()).await
}

async fn test_named(world: &Reviewed, named: NamedReviewer) -> Result<TestedReviewer, AdminError> {
    world.app.run_admin(TestReviewer(named)).await.0
}

async fn state(world: &Reviewed) -> Value {
    let page = world.of(ADA).await.get(&world.path("reviewer")).await;
    page.json()
}

fn sum(tested: &TestedReviewer, of: fn(&ConcernFigures) -> u64) -> u64 {
    tested.measured.figures.concerns.iter().map(of).sum()
}

#[tokio::test]
async fn a_perfect_model_finds_everything_and_parents_see_it() {
    let world = Reviewed::of_guardians(&[ADA], perfect()).await;
    let before = state(&world).await;

    let tested = test(&world).await.unwrap();

    assert_eq!(before["state"], "untested");
    let cases = cases();
    let worrying = cases.iter().filter(|case| case.concern.is_some());
    let worrying = 3 * worrying.count() as u64;
    assert_eq!(sum(&tested, |it| it.found), worrying);
    assert_eq!(sum(&tested, |it| it.missed), 0);
    assert_eq!(sum(&tested, |it| it.false_alarms), 0);
    assert_eq!(sum(&tested, |it| it.quotes_not_there), 0);
    assert!(!tested.unfit);
    assert!(tested.measured.no_answer.is_empty());
    assert_eq!(tested.measured.cases, cases.len() as u64);
    assert_eq!(tested.measured.requests, world.endpoint.count() as u64);
    let ordinary = tested.measured.ordinary_conversations;
    assert!(ordinary >= 60, "{ordinary}");
    assert_eq!(tested.measured.requests, 3 * cases.len() as u64 + ordinary);
    for figures in &tested.measured.figures.concerns {
        let of_concern = cases
            .iter()
            .filter(|it| it.concern == Some(figures.concern));
        assert_eq!(figures.found, 3 * of_concern.count() as u64);
    }
    let after = state(&world).await;
    assert_eq!(after["state"], "off");
    assert_eq!(after["figures"]["unfit"], false);
    assert_eq!(after["figures"]["false_alarms_a_week"], 0.0);
    assert_eq!(
        after["figures"]["concerns"].as_array().unwrap().len(),
        Concern::ALL.len()
    );
    assert_eq!(world.switch_on(ADA).await.status, 204);
}

#[tokio::test]
async fn requests_are_those_of_a_real_review() {
    let world = Reviewed::of_guardians(&[ADA], |_| completion_of(&json!([]))).await;
    world.test_model(30, 10, 12).await;
    world.switch_on(ADA).await;
    world.talk("a", &["I climbed on the roof."]).await;
    world.review().await;
    let real = world.endpoint.received().pop().unwrap();

    test(&world).await.unwrap();

    let tests = world.endpoint.received();
    let last = &tests[tests.len() - 1];
    assert_eq!(last.path, real.path);
    assert_eq!(last.header("authorization"), real.header("authorization"));
    let (real, last) = (real.json(), last.json());
    for part in ["model", "response_format", "stream"] {
        assert_eq!(last[part], real[part], "{part}");
    }
    assert_eq!(last["messages"][0], real["messages"][0]);
    let mandatory = data_of(&world.endpoint.received()[0])["blocked_topics"].clone();
    for received in &tests {
        let data = data_of(received);
        let topics = data["blocked_topics"].as_array().unwrap();
        assert!(topics.starts_with(mandatory.as_array().unwrap()));
    }
}

#[tokio::test]
async fn a_model_that_finds_nothing_is_unfit() {
    let world = Reviewed::of_guardians(&[ADA], |_| completion_of(&json!([]))).await;

    let tested = test(&world).await.unwrap();

    assert_eq!(sum(&tested, |it| it.found), 0);
    assert!(sum(&tested, |it| it.missed) >= 3 * 60);
    assert_eq!(tested.measured.figures.false_alarms_in_weeks, 0);
    assert!(tested.unfit);
    assert_eq!(state(&world).await["figures"]["unfit"], true);
}

#[tokio::test]
async fn a_model_that_flags_everything_is_unfit() {
    let world = Reviewed::of_guardians(&[ADA], |received| {
        let data = data_of(received);
        let message = &data["conversation"][0];
        let quote = message["text"].as_str().unwrap();
        let findings = Concern::ALL.map(|concern| finding(concern, message, quote));
        completion_of(&json!(findings))
    })
    .await;

    let tested = test(&world).await.unwrap();

    assert_eq!(sum(&tested, |it| it.missed), 0);
    let harmless = cases().iter().filter(|case| case.concern.is_none()).count() as u64;
    let false_alarms = sum(&tested, |it| it.false_alarms);
    assert!(
        false_alarms >= 3 * harmless * Concern::ALL.len() as u64,
        "{false_alarms}"
    );
    let in_weeks = tested.measured.figures.false_alarms_in_weeks;
    let ordinary = tested.measured.ordinary_conversations;
    assert_eq!(in_weeks, ordinary * Concern::ALL.len() as u64);
    assert!((tested.false_alarms_a_week - in_weeks as f64 / 12.0).abs() < 1e-9);
    assert!(tested.unfit);
}

#[tokio::test]
async fn a_model_that_misquotes_finds_nothing_and_its_quotes_are_counted() {
    let cases = by_text();
    let world = Reviewed::of_guardians(&[ADA], move |received| {
        let data = data_of(received);
        let Some(case) = case_of(&cases, &data) else {
            return completion_of(&json!([]));
        };
        let message = &data["conversation"][0];
        let concern = case.concern.unwrap_or(Concern::Danger);
        let invented = finding(concern, message, "What nobody ever said in here");
        completion_of(&json!([invented]))
    })
    .await;

    let tested = test(&world).await.unwrap();

    let cases = 3 * tested.measured.cases;
    assert_eq!(sum(&tested, |it| it.quotes_not_there), cases);
    assert_eq!(sum(&tested, |it| it.found), 0);
    assert_eq!(sum(&tested, |it| it.false_alarms), 0);
    let of = |concern| {
        let mut all = tested.measured.figures.concerns.iter();
        *all.find(|it| it.concern == concern).unwrap()
    };
    let home = of(Concern::HurtAtHome);
    assert_eq!(home.quotes_not_there, home.missed);
    assert!(of(Concern::Danger).quotes_not_there > of(Concern::Danger).missed);
    assert!(tested.unfit);
}

#[tokio::test]
async fn a_finding_of_another_concern_is_missed_and_a_false_alarm() {
    let cases = by_text();
    let world = Reviewed::of_guardians(&[ADA], move |received| {
        let data = data_of(received);
        let case = case_of(&cases, &data);
        let findings = case.and_then(|case| {
            let message = &data["conversation"][*case.passages.first()?];
            let told = match case.concern? {
                Concern::HurtAtHome => Concern::Hurt,
                _ => return None,
            };
            let quote = message["text"].as_str().unwrap();
            Some(json!([finding(told, message, quote)]))
        });
        completion_of(&findings.unwrap_or_else(|| json!([])))
    })
    .await;

    let tested = test(&world).await.unwrap();

    let of = |concern| {
        let mut all = tested.measured.figures.concerns.iter();
        *all.find(|it| it.concern == concern).unwrap()
    };
    let home = of(Concern::HurtAtHome);
    assert!(home.found == 0 && home.missed > 0);
    assert_eq!(of(Concern::Hurt).false_alarms, home.missed);
}

#[tokio::test]
async fn an_answer_by_another_schema_is_no_answer_and_nothing_is_found_in_it() {
    let perfect = perfect();
    let count = AtomicUsize::new(0);
    let world = Reviewed::of_guardians(&[ADA], move |received| {
        if count.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) {
            completion_of(&json!("All is well."))
        } else {
            perfect(received)
        }
    })
    .await;

    let tested = test(&world).await.unwrap();

    let measured = &tested.measured;
    let reasons = measured.no_answer.iter().collect::<Vec<_>>();
    let [(why, count)] = reasons[..] else {
        panic!("{reasons:?}");
    };
    assert!(why.contains("does not follow the schema"), "{why}");
    assert_eq!(*count, measured.requests.div_ceil(3));
    assert!(measured.no_answer_in_weeks > 0 && measured.no_answer_in_weeks < *count);
    assert_eq!(measured.figures.weeks, 8, "a third of twelve says nothing");
    let missed = sum(&tested, |it| it.missed);
    assert!(missed > 0 && missed < sum(&tested, |it| it.found));
}

#[tokio::test]
async fn a_model_that_never_follows_the_schema_is_unfit() {
    let world = Reviewed::of_guardians(&[ADA], |_| completion_of(&json!("All is well."))).await;

    let tested = test(&world).await.unwrap();

    let measured = &tested.measured;
    assert_eq!(measured.no_answer.values().sum::<u64>(), measured.requests);
    assert_eq!(measured.figures.weeks, 0);
    assert_eq!(sum(&tested, |it| it.found), 0);
    assert!(tested.unfit);
}

#[tokio::test]
async fn a_model_that_cannot_be_reached_ends_the_test_at_once() {
    let mut world = Reviewed::of_guardians(&[ADA], perfect()).await;
    // Nothing listens at this port, which only root may use.
    world.app.review_with(settings_at("http://127.0.0.1:9/v1"));

    let refused = test(&world).await.unwrap_err().to_string();

    assert_eq!(
        refused,
        "The model gave no answer 3 times in a row, after 0 answers, so the test was ended. Nothing was stored. The upstream \
         cannot be reached: no program listens at that port."
    );
    assert_eq!(state(&world).await["state"], "untested");
}

#[tokio::test]
async fn a_server_that_refuses_everything_ends_the_test_at_once() {
    for (status, sentence) in [
        (401, "refuses the key"),
        (404, "does not have this model"),
        (400, "the status 400"),
        (429, "refuses more requests"),
        (500, "the status 500"),
    ] {
        let answer = move |_: &Received| Answer::json(&json!({})).status(status);
        let world = Reviewed::of_guardians(&[ADA], answer).await;

        let refused = test(&world).await.unwrap_err().to_string();

        assert!(refused.contains(sentence), "{refused}");
        assert_eq!(world.endpoint.count(), 3);
        assert_eq!(state(&world).await["state"], "untested");
    }
}

#[tokio::test]
async fn a_test_that_is_stopped_stores_nothing() {
    let count = AtomicUsize::new(0);
    let world = Reviewed::of_guardians(&[ADA], move |_| {
        if count.fetch_add(1, Ordering::Relaxed) == 40 {
            return Answer::silence();
        }
        completion_of(&json!([]))
    })
    .await;
    let (pieces, receiver) = pieces();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let reports = Reports::new(
        {
            let reported = reported.clone();
            move |made| reported.lock().unwrap().push(made)
        },
        pieces,
    );

    let stopping = async {
        while world.endpoint.count() < 41 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(receiver);
    };
    let testing = TestReviewer(NamedReviewer::default()).run(&world.app.inner, &reports);
    let (stopped, ()) = tokio::join!(testing, stopping);

    let sentence = stopped.err().unwrap().to_string();
    assert_eq!(sentence, "The test was stopped. Nothing was stored.");
    assert_eq!(state(&world).await["state"], "untested");
    let reported = reported.lock().unwrap();
    let last = reported.last().unwrap();
    assert_eq!(last.done, 40);
    assert!(last.total > 597, "{}", last.total);
    assert_eq!(world.endpoint.count(), 41, "nothing more is sent");
}

#[tokio::test]
async fn another_model_or_host_can_be_tested_and_has_figures_of_its_own() {
    let world = Reviewed::of_guardians(&[ADA], |_| completion_of(&json!([]))).await;
    let other = Upstream::answering(perfect()).await;
    let named = |model: Option<&str>, url: Option<String>| NamedReviewer {
        model: model.map(str::to_owned),
        key: url.as_ref().map(|_| "sk-other".to_owned()),
        url: url.map(|url| url.parse().unwrap()),
    };

    let elsewhere = named(Some("large"), Some(format!("{}/v1", other.url())));
    let elsewhere = test_named(&world, elsewhere).await.unwrap();
    let here = test_named(&world, named(Some("small"), None))
        .await
        .unwrap();

    assert!(!elsewhere.unfit);
    assert_eq!(elsewhere.measured.figures.model, "large");
    assert_eq!(
        elsewhere.measured.figures.host,
        other.url().replace("http://", "")
    );
    let request = &other.received()[0];
    assert_eq!(request.header("authorization"), "Bearer sk-other");
    assert_eq!(here.measured.figures.host, world.host());
    let request = &world.endpoint.received()[0];
    assert_eq!(request.json()["model"], "small");
    assert_eq!(request.header("authorization"), "Bearer sk-reader");
    // The family's own model is as untested as before.
    assert_eq!(state(&world).await["state"], "untested");
    let consents = &world.app.inner.reviewer.consents;
    let own = consents.model(&world.app.inner.store).unwrap().unwrap();
    assert_eq!(figures_of(&world.app.inner.store, &own).unwrap(), None);
}

#[tokio::test]
async fn without_a_model_the_command_says_what_to_do() {
    let mut world = Reviewed::of_guardians(&[ADA], perfect()).await;
    world.app.review_with(ReviewerSettings::default());

    let unnamed = test(&world).await.unwrap_err().to_string();
    let named = NamedReviewer {
        model: Some("reader".to_owned()),
        ..NamedReviewer::default()
    };
    let without_upstream = test_named(&world, named.clone()).await;
    world
        .add_upstream("home", &format!("{}/v1", world.endpoint.url()))
        .await;
    let with_upstream = test_named(&world, named).await.unwrap();

    assert!(unnamed.contains("--reviewer-model"), "{unnamed}");
    let without_upstream = without_upstream.unwrap_err().to_string();
    assert!(
        without_upstream.contains("porchlight upstream add"),
        "{without_upstream}"
    );
    assert!(!with_upstream.unfit);
    assert_eq!(with_upstream.measured.figures.host, world.host());
}

/// Tests the family's model, without a pause before a request is sent again.
async fn measure(world: &Reviewed) -> Result<Measured, CannotMeasure> {
    let app = &world.app.inner;
    let reviewing = &app.reviewer.reviewing;
    let model = reviewing.consents.model(&app.store);
    let weeks = OrdinaryWeeks {
        weeks: 1,
        conversations: Vec::new(),
    };
    let measuring = Measuring {
        client: &reviewing.client,
        model: &model.unwrap().unwrap(),
        rng: &reviewing.rng,
        clock: &app.clock,
        turns: &reviewing.turns,
        pause: Duration::ZERO,
        on_progress: &|_| {},
    };
    measuring.run(&cases()[..20], &weeks).await
}

#[tokio::test]
async fn a_request_that_is_refused_for_now_is_sent_again() {
    let count = AtomicUsize::new(0);
    let world = Reviewed::of_guardians(&[ADA], move |_| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let answer = completion_of(&json!([]));
        match number {
            5..8 => answer.status(429),
            30 => answer.status(503),
            40 => Answer::bytes(b""),
            _ => answer,
        }
    })
    .await;

    let measured = measure(&world).await.unwrap();

    assert_eq!(measured.no_answer.len(), 0, "{:?}", measured.no_answer);
    assert_eq!(measured.requests, 60);
    assert_eq!(world.endpoint.count(), 60 + 5);
}

#[tokio::test]
async fn a_server_that_stops_answering_ends_the_test() {
    let count = AtomicUsize::new(0);
    let world = Reviewed::of_guardians(&[ADA], move |_| {
        let answer = completion_of(&json!([]));
        match count.fetch_add(1, Ordering::Relaxed) {
            0..10 => answer,
            _ => answer.status(429),
        }
    })
    .await;

    let ended = measure(&world).await.unwrap_err();

    assert_eq!(ended.answered, 10);
    let sentence = ended.to_string();
    assert!(sentence.contains("refuses more requests"), "{sentence}");
    assert_eq!(world.endpoint.count(), 10 + 3 * 4);
}

#[tokio::test]
async fn while_a_model_thinks_the_command_hears_that_the_test_goes_on() {
    let world = Reviewed::of_guardians(&[ADA], |_| Answer::silence()).await;
    let (pieces, receiver) = pieces();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let reports = Reports::new(
        {
            let reported = reported.clone();
            move |made| reported.lock().unwrap().push(made.done)
        },
        pieces,
    );

    let stopping = async {
        while world.endpoint.count() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::pause();
        while reported
            .lock()
            .unwrap()
            .last()
            .is_none_or(|done| *done == 0)
        {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        tokio::time::resume();
        drop(receiver);
    };
    let testing = TestReviewer(NamedReviewer::default()).run(&world.app.inner, &reports);
    let (stopped, ()) = tokio::join!(testing, stopping);

    assert!(stopped.is_err());
    let reported = reported.lock().unwrap();
    let while_thinking = reported.iter().filter(|done| **done == 0).count();
    // Five minutes, after which the model took too long.
    assert!((28..=30).contains(&while_thinking), "{while_thinking}");
}
