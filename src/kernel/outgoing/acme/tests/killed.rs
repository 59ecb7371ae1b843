//! What is on the disk when a process is killed, and what else is read from there.

use std::path::Path;

use super::*;
use crate::kernel::outgoing::acme::folder::OrderFile;

/// A process that is killed before or after each request of a renewal leaves the old certificate in use, and the next one gets a new
/// one.
#[tokio::test]
async fn a_renewal_that_is_killed_at_any_request_loses_nothing() {
    let mut steps = 0;
    for at in 1.. {
        let mut was_hit = false;
        for lose_answer in [false, true] {
            let world = World::new().await;
            world.run_due().await;
            let first = world.certificate();
            world.clock.advance(61 * DAY);
            world.issue_from_now();
            let hit = Arc::new(tokio::sync::Notify::new());
            let told = hit.clone();
            world.authority.set_faults(move |number, _| {
                (number == at).then(|| {
                    told.notify_one();
                    if lose_answer {
                        Fault::AnswerLost
                    } else {
                        Fault::Lost
                    }
                })
            });
            let mut keeper = world.keeper();
            let was_killed = tokio::select! {
                looked = keeper.run_once() => {
                    looked.unwrap();
                    false
                }
                () = hit.notified() => true,
            };
            drop(keeper);
            if !was_killed {
                break;
            }
            was_hit = true;
            let kept = world.certificate();
            assert!(kept == first, "request {at}");
            world.authority.no_faults();

            world.run_due().await;

            assert_eq!(world.problem(), None, "request {at}, {lose_answer}");
            assert_ne!(world.certificate(), first, "request {at}, {lose_answer}");
            assert!(world.records.txt.lock().unwrap().is_empty(), "request {at}");
            assert_eq!(world.authority.state.lock().unwrap().accounts.len(), 1);
        }
        if !was_hit {
            break;
        }
        steps = at;
    }
    assert!(steps >= 8, "{steps}");
}

#[tokio::test]
async fn an_order_whose_certificate_is_in_use_is_not_continued() {
    let world = World::new().await;
    world.run_due().await;
    let pem = String::from_utf8(world.certificate()).unwrap();
    let (key, _) = pem.split_once("-----BEGIN CERTIFICATE").unwrap();
    let order = OrderFile {
        directory: world.authority.directory(),
        name: NAME.to_owned(),
        url: format!("{}/order/0", world.authority.server.url()),
        key: key.to_owned(),
    };
    world.folder().save_order(&order).unwrap();
    world.clock.advance(61 * DAY);
    world.issue_from_now();

    world.run_due().await;

    assert_eq!((world.problem(), world.issued()), (None, 2));
}

#[tokio::test]
async fn a_torn_file_counts_as_none() {
    let world = World::new().await;
    world.run_due().await;
    let path = |file| world.data.path().join("https").join(file);
    for file in ["account.json", "state.json", "order.json"] {
        std::fs::write(path(file), b"{\"na").unwrap();
    }
    world.clock.advance(61 * DAY);
    world.issue_from_now();

    world.run_due().await;

    assert_eq!((world.problem(), world.issued()), (None, 2));
}

#[test]
fn sentences_say_what_to_do_and_name_no_secret() {
    let problems = [
        CertificateProblem::Terms,
        CertificateProblem::PersonsName,
        CertificateProblem::NoAddress,
        CertificateProblem::Dns(DnsProblem::Token),
        CertificateProblem::NotSeen,
        CertificateProblem::Disk("no space".into()),
    ];
    for problem in problems {
        let written = serde_json::to_string(&problem).unwrap();
        assert_eq!(
            serde_json::from_str::<CertificateProblem>(&written).unwrap(),
            problem
        );
        assert!(problem.to_string().ends_with('.'), "{problem}");
    }
}

#[tokio::test]
async fn a_certificate_of_another_name_is_none() {
    let made = rcgen::generate_simple_self_signed(vec![NAME.to_owned()]).unwrap();
    let pem = format!("{}{}", made.signing_key.serialize_pem(), made.cert.pem());
    let read = Certificate::read(pem.as_bytes()).unwrap();
    assert!(read.is_for(&NAME.parse().unwrap()));
    assert!(!read.is_for(&"red-lamp.dedyn.io".parse().unwrap()));
    let other = rcgen::KeyPair::generate().unwrap().serialize_pem();
    assert!(Certificate::read(format!("{other}{}", made.cert.pem()).as_bytes()).is_none());
    let nothing = HttpsFolder::within(Path::new("/nowhere"));
    assert_eq!(nothing.read_certificate().unwrap(), None);
}

#[tokio::test]
async fn the_first_certificate_waits_until_the_family_is_known() {
    let world = World::new().await;
    world.is_set_up.store(false, Ordering::SeqCst);
    world.run_due().await;
    assert!(world.seen().waits_for_setup);
    assert_eq!(world.authority.server.requests(), Vec::<String>::new());
    assert_eq!(
        world.seen().address,
        Some(HOME),
        "an address tells nobody's name"
    );

    world.is_set_up.store(true, Ordering::SeqCst);
    world.run_due().await;
    assert_eq!((world.seen().waits_for_setup, world.issued()), (false, 1));
}
