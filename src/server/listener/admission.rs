//! Admits connections up to a limit in total and one for each address. When a limit is reached, the connection that
//! has been idle longest is evicted.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio_util::sync::CancellationToken;

use super::{ConnectionLimits, activity::Activity};

pub(super) struct Admission {
    max_connections: usize,
    max_per_address: usize,
    is_proxy: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Evicts all connections.
    closed: CancellationToken,
    crowd: Mutex<Crowd>,
}

#[derive(Default)]
struct Crowd {
    next: u64,
    /// In the order of arrival.
    present: BTreeMap<u64, Arc<Activity>>,
    per_address: HashMap<IpAddr, BTreeSet<u64>>,
}

/// A connection's permit, released on drop.
pub(super) struct Ticket {
    pub(super) activity: Arc<Activity>,
    number: u64,
    address: IpAddr,
    admission: Arc<Admission>,
}

impl Admission {
    pub(super) fn new(limits: &ConnectionLimits, closed: CancellationToken) -> Self {
        Self {
            max_connections: limits.max_connections,
            max_per_address: limits.max_per_address,
            is_proxy: Arc::clone(&limits.is_proxy),
            closed,
            crowd: Mutex::default(),
        }
    }

    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ticket, or nothing if all the places, or all that one address may have, are taken by connections
    /// that are being served.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Ticket> {
        let peer = peer.to_canonical();
        let address = network(peer);
        let mut crowd = self.crowd();
        let from_there = crowd.per_address.get(&address).map_or(0, BTreeSet::len);
        let has_its_share = from_there >= self.max_per_address && !(self.is_proxy)(peer);
        if has_its_share && !crowd.evict_one_of(address) {
            return None;
        }
        if crowd.present.len() >= self.max_connections && !crowd.evict_one() {
            return None;
        }
        let activity = Arc::new(Activity::new(self.closed.child_token()));
        let number = crowd.next;
        crowd.next += 1;
        crowd.present.insert(number, Arc::clone(&activity));
        crowd.per_address.entry(address).or_default().insert(number);
        Some(Ticket {
            activity,
            number,
            address,
            admission: Arc::clone(self),
        })
    }

    /// Evicts one idle connection, if there is one, to free its descriptor.
    pub(super) fn make_room(&self) {
        self.crowd().evict_one();
    }
}

impl Crowd {
    /// The one that came first among those with no request in flight. A parent's connection that
    /// is idle may be among them; the browser then opens another.
    fn evict_one(&mut self) -> bool {
        let evicted = self
            .present
            .iter()
            .find_map(|(number, activity)| activity.evict().then_some(*number));
        // Removed here, as its ticket is given back a moment later.
        evicted
            .and_then(|number| self.present.remove(&number))
            .is_some()
    }

    /// Of those from this address with no request in flight the one that was idle longest.
    fn evict_one_of(&mut self, address: IpAddr) -> bool {
        let Some(from_there) = self.per_address.get_mut(&address) else {
            return false;
        };
        let present = |number| self.present.get(number).map(|activity| (*number, activity));
        let mut idle = from_there
            .iter()
            .filter_map(present)
            .filter_map(|(number, activity)| Some((activity.idle_since()?, number)))
            .collect::<Vec<_>>();
        idle.sort();
        // One may have begun a request meanwhile.
        let evicted = idle
            .into_iter()
            .map(|(_, number)| number)
            .find(|number| self.present.get(number).is_some_and(|it| it.evict()));
        if let Some(number) = evicted {
            from_there.remove(&number);
            self.present.remove(&number);
        }
        evicted.is_some()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut crowd = self.admission.crowd();
        crowd.present.remove(&self.number);
        if let Some(from_there) = crowd.per_address.get_mut(&self.address) {
            from_there.remove(&self.number);
            if from_there.is_empty() {
                crowd.per_address.remove(&self.address);
            }
        }
    }
}

/// One household: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives out
/// (RFC 6177); the other 64 are the household's to vary.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(max_connections: usize, max_per_address: usize) -> Arc<Admission> {
        let limits = ConnectionLimits {
            max_connections,
            max_per_address,
            is_proxy: Arc::new(|address| address == IpAddr::from([10, 0, 0, 1])),
            ..ConnectionLimits::default()
        };
        Arc::new(Admission::new(&limits, CancellationToken::new()))
    }

    #[tokio::test]
    async fn one_household_gets_its_share_and_no_more() {
        for (first, second) in [
            ("192.0.2.1", "192.0.2.1"),
            ("192.0.2.1", "::ffff:192.0.2.1"),
            ("2001:db8::1", "2001:db8::ffff:1:2:3"),
        ] {
            let admission = admission(9, 1);
            let ticket = admission.admit(first.parse().unwrap()).unwrap();
            let request = ticket.activity.begin_request();

            assert!(
                admission.admit(second.parse().unwrap()).is_none(),
                "{second}"
            );
            assert!(
                admission
                    .admit("2001:db8:0:1::1".parse().unwrap())
                    .is_some()
            );
            drop((request, ticket));
            assert!(
                admission.admit(second.parse().unwrap()).is_some(),
                "{second}"
            );
        }
    }

    #[tokio::test]
    async fn a_household_that_gives_one_place_back_gets_one() {
        let admission = admission(9, 2);
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        let come = || {
            let ticket = admission.admit(address)?;
            Some((ticket.activity.begin_request(), ticket))
        };
        let [leaves, _stays] = [(); 2].map(|()| come().unwrap());

        drop(leaves);

        let _comes = come().unwrap();
        assert!(come().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn of_one_address_who_was_idle_longest_makes_room() {
        let admission = admission(9, 3);
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        let neighbour = admission.admit("192.0.2.2".parse().unwrap()).unwrap();
        let come = || admission.admit(address).unwrap();
        let (busy, first, second) = (come(), come(), come());
        let _request = busy.activity.begin_request();
        // The first one came before the second, and was used after it.
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        drop(first.activity.begin_request());
        let is_evicted = |ticket: &Ticket| ticket.activity.is_evicted();

        let third = come();
        let evicted = [&neighbour, &busy, &first, &second, &third].map(is_evicted);
        assert_eq!(evicted, [false, false, false, true, false]);

        // The place of one that was sent away is given back once.
        drop(second);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        let _fourth = come();
        assert!(is_evicted(&first));
        assert_eq!(admission.crowd().present.len(), 4);
        assert_eq!(admission.crowd().per_address[&address].len(), 3);
    }

    #[tokio::test]
    async fn behind_a_trusted_proxy_is_everybody() {
        let admission = admission(9, 1);
        let proxy: IpAddr = "::ffff:10.0.0.1".parse().unwrap();

        let tickets: Vec<_> = (0..3).map(|_| admission.admit(proxy)).collect();

        assert!(tickets.iter().all(Option::is_some));
    }

    #[tokio::test]
    async fn a_full_house_sends_away_the_first_who_waits() {
        let admission = admission(2, 9);
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        let busy = admission.admit(address).unwrap();
        let _request = busy.activity.begin_request();
        let waiting = admission.admit(address).unwrap();

        let newcomer = admission.admit(address).unwrap();

        waiting.activity.evicted().await;
        let _request = newcomer.activity.begin_request();
        assert!(admission.admit(address).is_none(), "all are being served");
    }

    #[tokio::test]
    async fn room_is_made_by_sending_away_the_first_who_waits() {
        let admission = admission(9, 9);
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        let busy = admission.admit(address).unwrap();
        let _request = busy.activity.begin_request();
        let [waiting, another] = [(); 2].map(|()| admission.admit(address).unwrap());

        admission.make_room();

        assert_eq!(admission.crowd().present.len(), 2);
        waiting.activity.evicted().await;
        let _request = another.activity.begin_request();
        admission.make_room();
        assert_eq!(admission.crowd().present.len(), 2, "all are being served");
    }

    #[tokio::test]
    async fn every_ticket_is_given_back() {
        let admission = admission(2, 9);
        let address: IpAddr = "192.0.2.1".parse().unwrap();

        drop((0..5).map(|_| admission.admit(address)).collect::<Vec<_>>());

        let crowd = admission.crowd();
        assert!(crowd.present.is_empty() && crowd.per_address.is_empty());
    }
}
