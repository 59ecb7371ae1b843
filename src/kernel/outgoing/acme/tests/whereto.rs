//! Where the name leads.

use super::*;

const MINUTE: Duration = Duration::from_secs(60);
const OTHER: Ipv4Addr = Ipv4Addr::new(203, 0, 113, 9);

#[tokio::test]
async fn a_changed_address_is_followed_and_one_that_others_changed_is_corrected() {
    let world = World::new().await;
    world.records.says_address.store(true, Ordering::SeqCst);
    world.run_due().await;
    let moved = Ipv4Addr::new(192, 168, 1, 77);

    *world.address.lock().unwrap() = Some(moved);
    world.clock.advance(Duration::from_secs(60));
    world.run_due().await;
    assert_eq!(*world.records.address.lock().unwrap(), Some(moved));
    assert!(world.status.is_usable());

    *world.records.address.lock().unwrap() = Some(Ipv4Addr::new(203, 0, 113, 9));
    *world.records.fails.lock().unwrap() = None;
    world.clock.advance(Duration::from_secs(2 * 60 * 60));
    world.run_due().await;
    assert_eq!(*world.records.address.lock().unwrap(), Some(moved));
    assert_eq!(world.status.fault(), Some(NameFault::LeadsElsewhere));
    world.clock.advance(Duration::from_secs(5 * 60));
    world.run_due().await;
    assert!(world.status.is_usable(), "the provider has confirmed it");

    *world.address.lock().unwrap() = None;
    world.run_due().await;
    let failure = world.seen().address_failure.unwrap();
    assert_eq!(failure.problem, CertificateProblem::NoAddress);
    assert!(!world.status.is_usable());

    *world.address.lock().unwrap() = Some(moved);
    world.run_due().await;
    assert!(
        world.status.is_usable(),
        "a network that is back needs no wait"
    );
}

#[tokio::test]
async fn a_name_that_somebody_leads_elsewhere_again_and_again_is_not_usable_until_the_provider_confirms_it()
 {
    let world = World::new().await;
    world.records.says_address.store(true, Ordering::SeqCst);
    world.run_due().await;

    for round in 0..3 {
        *world.records.address.lock().unwrap() = Some(OTHER);
        world
            .clock
            .advance(if round == 0 { 60 * MINUTE } else { 5 * MINUTE });
        world.run_due().await;
        assert!(!world.status.is_usable(), "{round}");
        assert_eq!(*world.records.address.lock().unwrap(), Some(HOME));

        world.clock.advance(MINUTE);
        world.run_due().await;
        assert!(world.seen().leads_elsewhere, "nobody has asked again");

        world.clock.advance(4 * MINUTE);
        world.run_due().await;
        assert!(world.status.is_usable(), "{round}");
    }
}

#[tokio::test]
async fn where_the_provider_does_not_say_the_address_is_set_again_each_hour() {
    let world = World::new().await;
    world.run_due().await;
    *world.records.address.lock().unwrap() = Some(OTHER);

    world.clock.advance(59 * MINUTE);
    world.run_due().await;
    assert_eq!(*world.records.address.lock().unwrap(), Some(OTHER));
    world.clock.advance(MINUTE);
    world.run_due().await;

    assert_eq!(*world.records.address.lock().unwrap(), Some(HOME));
    assert!(world.status.is_usable());
}

#[tokio::test]
async fn that_a_device_reached_the_name_is_kept_over_a_restart_and_not_over_a_change_of_address() {
    let mut world = World::new().await;
    world.run_due().await;
    world.status.note_reached();
    world.run_due().await;

    world.status = NameStatus::default();
    world.run_due().await;
    assert!(world.status.was_reached());

    *world.address.lock().unwrap() = Some(Ipv4Addr::new(10, 0, 0, 7));
    world.run_due().await;
    assert!(!world.status.was_reached());
    world.status = NameStatus::default();
    world.run_due().await;
    assert!(!world.status.was_reached());
}

#[tokio::test]
async fn an_address_is_followed_while_an_order_waits_for_the_authority() {
    let world = World::new().await;
    world
        .authority
        .set_faults(|_, path| (path == "/order").then_some(Fault::Lost));
    let mut keeper = world.keeper();
    keeper.run_due().await.unwrap();
    let moved = Ipv4Addr::new(192, 168, 1, 77);
    *world.address.lock().unwrap() = Some(moved);

    keeper.run_due().await.unwrap();

    assert_eq!(world.seen().address, Some(moved));
    assert_eq!((world.problem(), world.issued()), (None, 0));
}
