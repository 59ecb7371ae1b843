//! When a certificate is ordered, and which one replaces the old one.

use super::*;

#[tokio::test]
async fn a_clock_that_is_wrong_by_a_day_loses_nothing() {
    let world = World::new().await;
    world.run_due().await;
    let first = world.certificate();
    let now = Clock::Manual(world.clock.clone()).now();

    world.clock.set(now.before(DAY));
    world.run_due().await;
    assert_eq!(
        world.seen().certificate,
        CertificateStatus::NotYetValid { from: now }
    );
    assert!(!world.status.is_usable());
    assert_eq!(world.certificate(), first);

    world.clock.set(now.after(DAY));
    world.run_due().await;
    world.clock.set(now);
    world.run_due().await;
    assert_eq!((world.certificate(), world.issued()), (first, 1));
    assert!(world.status.is_usable());
}

#[tokio::test]
async fn only_a_certificate_that_is_valid_now_and_ends_later_replaces_the_old_one() {
    let world = World::new().await;
    world.run_due().await;
    let first = world.certificate();
    world.clock.advance(61 * DAY);
    let now = Clock::Manual(world.clock.clone()).now();
    for (from, until) in [
        (now.before(90 * DAY), now),
        (now.after(DAY), now.after(91 * DAY)),
        // As long as the old one.
        (now.before(61 * DAY), now.after(29 * DAY)),
    ] {
        world.authority.state.lock().unwrap().validity = (from, until);
        world.run_due().await;
        assert_eq!(
            world.problem(),
            Some(CertificateProblem::CertificateTimes),
            "{until}"
        );
        assert!(world.certificate() == first, "{until}");
        let failure = world.seen().certificate_failure.unwrap();
        world.clock.advance(failure.next_at.since(failure.tried_at));
    }
    world.issue_from_now();
    world.run_due().await;
    assert_eq!(world.problem(), None);
    assert!(world.certificate() != first);
}

#[tokio::test]
async fn a_certificate_that_is_old_as_it_is_issued_is_replaced_once_a_day() {
    let world = World::new().await;
    for day in 1..4 {
        let now = Clock::Manual(world.clock.clone()).now();
        let validity = (now.before(60 * DAY), now.after(20 * DAY));
        world.authority.state.lock().unwrap().validity = validity;
        for _ in 0..3 {
            world.run_due().await;
            assert_eq!(world.issued(), day);
            world.clock.advance(Duration::from_secs(60));
        }
        world.clock.advance(DAY);
    }
}

#[tokio::test]
async fn a_clock_that_cannot_be_trusted_renews_nothing_and_orders_a_first_certificate() {
    let world = World::new().await;
    world.trusts_clock.store(false, Ordering::SeqCst);
    world.run_due().await;
    assert_eq!(world.issued(), 1);

    world.clock.advance(61 * DAY);
    world.issue_from_now();
    world.run_due().await;
    assert_eq!(world.issued(), 1);

    world.trusts_clock.store(true, Ordering::SeqCst);
    world.run_due().await;
    assert_eq!(world.issued(), 2);
}

#[tokio::test]
async fn an_order_has_one_authorization_and_it_is_for_the_name() {
    for (authorizations, identifier) in [(0, None), (2, None), (1, Some("evil.example"))] {
        let world = World::new().await;
        {
            let mut state = world.authority.state.lock().unwrap();
            (state.authorizations, state.identifier) = (authorizations, identifier);
        }

        world.run_due().await;

        assert_eq!(
            world.problem(),
            Some(CertificateProblem::NotAcme),
            "{identifier:?}"
        );
        assert!(world.records.published.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn names_in_another_script_are_said() {
    let world = World::new().await;
    assert!(!world.seen().names_not_compared);

    world.run_due().await;

    assert!(world.seen().names_not_compared);
}
