//! Limits the number of connections in total and per household.
//!
//! When the limit is reached, a connection is closed in the network that holds most of them, in the household that has
//! most there, even a busy one. So an attacker's own connections are closed, even if they come from many addresses of a
//! network, and no client is refused because of one that holds no more connections. A tenth of all connections is
//! reserved for households (an IPv4 address, or 64 bits of an IPv6 address) from which somebody was signed in.
//!
//! A trusted proxy's connections count for the client whose request they carry.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ipnet::IpNet;
use tokio_util::sync::CancellationToken;

use super::{ConnectionLimits, activity::Activity};
use crate::kernel::http::networks::{household, network};

/// One in this many connections is reserved for households from which somebody called with a valid credential.
const KEPT_FOR_HOMES: usize = 10;

pub(super) struct Admission {
    max_connections: usize,
    max_per_address: usize,
    is_proxy: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    is_home: Arc<dyn Fn(IpAddr) -> bool + Send + Sync>,
    /// Evicts all connections.
    closed: CancellationToken,
    crowd: Mutex<Crowd>,
}

#[derive(Default)]
struct Crowd {
    next: u64,
    /// In the order of arrival.
    present: BTreeMap<u64, Present>,
    networks: HashMap<IpNet, Network>,
    /// The number of connections of homes, and of others.
    counts: [usize; 2],
}

struct Present {
    activity: Arc<Activity>,
    /// `None` for a proxy's connection without a request.
    owner: Option<Owner>,
}

/// The household that a connection counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Owner {
    household: IpNet,
    is_home: bool,
}

impl Owner {
    fn network(&self) -> IpNet {
        network(self.household.addr())
    }
}

#[derive(Default)]
struct Network {
    counts: [usize; 2],
    households: HashMap<IpNet, BTreeSet<u64>>,
}

/// A connection's permit, released on drop.
pub(super) struct Ticket {
    pub(super) activity: Arc<Activity>,
    pub(super) place: ConnectionSlot,
}

/// A connection's slot.
#[derive(Clone)]
pub(super) struct ConnectionSlot {
    number: u64,
    is_proxys: bool,
    admission: Arc<Admission>,
}

/// Marks a request through a proxy whose client already has the maximum number of connections.
#[derive(Clone, Copy, Debug)]
pub struct ShareExhausted;

/// A request through a proxy: the proxy's connection counts for its client until this is dropped.
pub(super) struct ProxiedRequest(ConnectionSlot);

impl Admission {
    pub(super) fn new(limits: &ConnectionLimits, closed: CancellationToken) -> Self {
        Self {
            max_connections: limits.max_connections,
            max_per_address: limits.max_per_address,
            is_proxy: Arc::clone(&limits.is_proxy),
            is_home: Arc::clone(&limits.is_home),
            closed,
            crowd: Mutex::default(),
        }
    }

    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn owner(&self, address: IpAddr) -> Owner {
        Owner {
            household: household(address),
            is_home: (self.is_home)(address),
        }
    }

    /// A ticket, or `None` if no slot is free for the peer and no connection has to be closed for it.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Ticket> {
        let peer = peer.to_canonical();
        let is_proxys = (self.is_proxy)(peer);
        let owner = (!is_proxys).then(|| self.owner(peer));
        let mut crowd = self.crowd();
        if owner.is_some_and(|owner| !crowd.has_share(&owner, self.max_per_address)) {
            return None;
        }
        if !crowd.has_room(owner.as_ref(), self.max_connections)
            && !crowd.make_room_for(owner.as_ref())
        {
            return None;
        }
        let activity = Arc::new(Activity::new(self.closed.child_token()));
        let number = crowd.next;
        crowd.next += 1;
        let present = Present {
            activity: Arc::clone(&activity),
            owner: None,
        };
        crowd.present.insert(number, present);
        crowd.assign(number, owner);
        Some(Ticket {
            activity,
            place: ConnectionSlot {
                number,
                is_proxys,
                admission: Arc::clone(self),
            },
        })
    }

    /// Evicts one idle connection, if there is one, to free its descriptor.
    pub(super) fn make_room(&self) {
        self.crowd().evict_idle(|_| true);
    }
}

impl ConnectionSlot {
    /// Counts a request that a proxy forwarded for this client. `Err` also if all slots are taken.
    pub(super) fn begin_proxied(&self, client: IpAddr) -> Result<ProxiedRequest, ShareExhausted> {
        let owner = self.admission.owner(client);
        let mut crowd = self.admission.crowd();
        if !crowd.has_share(&owner, self.admission.max_per_address) {
            return Err(ShareExhausted);
        }
        // The connection already has its slot; only the client's share may be exhausted.
        if !crowd.may_own(&owner, self.admission.max_connections)
            && !crowd.make_room_for(Some(&owner))
        {
            return Err(ShareExhausted);
        }
        crowd.assign(self.number, Some(owner));
        Ok(ProxiedRequest(self.clone()))
    }

    /// Whether the peer is a trusted proxy.
    pub(super) fn is_proxys(&self) -> bool {
        self.is_proxys
    }
}

impl Drop for ProxiedRequest {
    fn drop(&mut self) {
        self.0.admission.crowd().assign(self.0.number, None);
    }
}

impl Crowd {
    fn of_household(&self, owner: &Owner) -> usize {
        let network = self.networks.get(&owner.network());
        let household = network.and_then(|network| network.households.get(&owner.household));
        household.map_or(0, BTreeSet::len)
    }

    /// Whether the household may have one more connection; evicts an idle one of its own for it.
    fn has_share(&mut self, owner: &Owner, max_per_address: usize) -> bool {
        self.of_household(owner) < max_per_address || self.evict_idle_of(owner)
    }

    /// Whether there is a slot without closing another connection. Strangers can't use the slots reserved for homes.
    fn has_room(&self, owner: Option<&Owner>, max_connections: usize) -> bool {
        let present = self.present.len();
        match owner {
            Some(owner) if !owner.is_home => {
                let strangers = self.counts[0];
                let others = (present - strangers).max(max_connections / KEPT_FOR_HOMES);
                strangers + others < max_connections
            }
            _ => present < max_connections,
        }
    }

    /// Whether one of the present connections may be assigned to this owner.
    fn may_own(&self, owner: &Owner, max_connections: usize) -> bool {
        let kept = max_connections / KEPT_FOR_HOMES;
        owner.is_home || self.counts[0] + kept < max_connections
    }

    fn assign(&mut self, number: u64, owner: Option<Owner>) {
        let Some(present) = self.present.get_mut(&number) else {
            return;
        };
        let before = std::mem::replace(&mut present.owner, owner);
        if let Some(before) = before {
            self.leave(number, &before);
        }
        if let Some(owner) = owner {
            self.counts[usize::from(owner.is_home)] += 1;
            let network = self.networks.entry(owner.network()).or_default();
            network.counts[usize::from(owner.is_home)] += 1;
            let household = network.households.entry(owner.household).or_default();
            household.insert(number);
        }
    }

    fn leave(&mut self, number: u64, owner: &Owner) {
        self.counts[usize::from(owner.is_home)] -= 1;
        let Some(network) = self.networks.get_mut(&owner.network()) else {
            return;
        };
        network.counts[usize::from(owner.is_home)] -= 1;
        if let Some(household) = network.households.get_mut(&owner.household) {
            household.remove(&number);
            if household.is_empty() {
                network.households.remove(&owner.household);
            }
        }
        if network.households.is_empty() {
            self.networks.remove(&owner.network());
        }
    }

    fn remove(&mut self, number: u64) {
        self.assign(number, None);
        self.present.remove(&number);
    }

    /// Frees a slot for a new connection; `None` is a trusted proxy. Strangers never evict homes.
    fn make_room_for(&mut self, newcomer: Option<&Owner>) -> bool {
        let comes_home = newcomer.is_none_or(|owner| owner.is_home);
        if comes_home && self.counts[0] > 0 {
            return self.evict_of_most(false, None);
        }
        self.evict_of_most(comes_home, newcomer)
    }

    /// Takes the network with the most connections, and in it the household with the most, and evicts one of its connections.
    /// Counts either homes alone or others alone. A connection with a running request is evicted only if the newcomer's household
    /// then still has fewer connections.
    fn evict_of_most(&mut self, homes: bool, newcomer: Option<&Owner>) -> bool {
        let kind = usize::from(homes);
        let networks = self.networks.iter();
        let most = networks.max_by_key(|(_, network)| network.counts[kind]);
        let Some((net, network)) = most.filter(|(_, network)| network.counts[kind] > 0) else {
            return self.evict_idle(|owner| owner.is_none_or(|owner| owner.is_home == homes));
        };
        let is_kind = |number: &&u64| {
            let owner = self.present.get(number).and_then(|it| it.owner);
            owner.is_some_and(|owner| owner.is_home == homes)
        };
        let households = network.households.iter();
        let candidates = households
            .map(|(household, numbers)| {
                (
                    household,
                    numbers.iter().filter(is_kind).collect::<Vec<_>>(),
                )
            })
            .max_by_key(|(_, numbers)| numbers.len());
        let (household, numbers) = candidates.unwrap_or((net, Vec::new()));
        let has_fewer = newcomer.is_none_or(|newcomer| {
            let of_network = self.networks.get(&newcomer.network());
            let of_network = of_network.map_or(0, |network| network.counts[kind]);
            if newcomer.network() == *net {
                newcomer.household != *household && self.of_household(newcomer) + 1 < numbers.len()
            } else {
                of_network + 1 < network.counts[kind]
            }
        });
        let mut numbers = numbers.into_iter().copied().collect::<Vec<_>>();
        numbers.sort_by_key(|number| {
            self.idle_since(*number)
                .map_or((1, None), |it| (0, Some(it)))
        });
        let evicted = numbers.into_iter().find(|number| {
            let activity = self.present.get(number).map(|present| &present.activity);
            activity.is_some_and(|it| it.evict() || (has_fewer && it.evict_busy()))
        });
        match evicted {
            Some(number) => {
                self.remove(number);
                true
            }
            None => self.evict_idle(|owner| owner.is_none_or(|owner| owner.is_home == homes)),
        }
    }

    fn idle_since(&self, number: u64) -> Option<tokio::time::Instant> {
        self.present.get(&number)?.activity.idle_since()
    }

    /// Evicts the oldest connection without a request in flight. It may be a parent's idle connection; the browser
    /// then opens another.
    fn evict_idle(&mut self, may_leave: impl Fn(Option<Owner>) -> bool) -> bool {
        let mut candidates = self.present.iter().filter(|(_, it)| may_leave(it.owner));
        let evicted = candidates.find_map(|(number, it)| it.activity.evict().then_some(*number));
        // Removed here, because its ticket is dropped only a moment later.
        if let Some(number) = evicted {
            self.remove(number);
        }
        evicted.is_some()
    }

    /// Evicts the connection of this household that was idle longest.
    fn evict_idle_of(&mut self, owner: &Owner) -> bool {
        let network = self.networks.get(&owner.network());
        let household = network.and_then(|network| network.households.get(&owner.household));
        let mut idle = household
            .into_iter()
            .flatten()
            .filter_map(|number| Some((self.idle_since(*number)?, *number)))
            .collect::<Vec<_>>();
        idle.sort();
        // One of them may have begun a request meanwhile.
        let evicted = idle.into_iter().map(|(_, number)| number).find(|number| {
            let present = self.present.get(number);
            present.is_some_and(|present| present.activity.evict())
        });
        if let Some(number) = evicted {
            self.remove(number);
        }
        evicted.is_some()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.place.admission.crowd().remove(self.place.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home() -> IpAddr {
        IpAddr::from([198, 51, 100, 1])
    }

    fn admission(max_connections: usize, max_per_address: usize) -> Arc<Admission> {
        let limits = ConnectionLimits {
            max_connections,
            max_per_address,
            is_proxy: Arc::new(|address| address == IpAddr::from([10, 0, 0, 1])),
            is_home: Arc::new(|address| address == home()),
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
        // The first one connected before the second, and was used after it.
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        drop(first.activity.begin_request());
        let is_evicted = |ticket: &Ticket| ticket.activity.is_evicted();

        let third = come();
        let evicted = [&neighbour, &busy, &first, &second, &third].map(is_evicted);
        assert_eq!(evicted, [false, false, false, true, false]);

        // The slot of an evicted connection is freed only once.
        drop(second);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        let _fourth = come();
        assert!(is_evicted(&first));
        assert_eq!(admission.crowd().present.len(), 4);
        assert_eq!(admission.crowd().of_household(&admission.owner(address)), 3);
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
        assert!(crowd.present.is_empty() && crowd.networks.is_empty());
        assert_eq!(crowd.counts, [0, 0]);
    }

    struct Busy {
        ticket: Ticket,
        _request: crate::server::listener::activity::InFlight,
    }

    impl Busy {
        fn is_evicted(&self) -> bool {
            self.ticket.activity.is_evicted()
        }
    }

    fn busy(admission: &Arc<Admission>, address: &str) -> Option<Busy> {
        let ticket = admission.admit(address.parse().unwrap())?;
        let _request = ticket.activity.begin_request();
        Some(Busy { ticket, _request })
    }

    fn count(connections: &[Busy]) -> usize {
        connections.iter().filter(|it| !it.is_evicted()).count()
    }

    #[tokio::test]
    async fn one_network_that_holds_all_connections_makes_way_for_others() {
        let admission = admission(100, 64);
        let mut attackers = Vec::new();
        for subnet in 0..1000 {
            attackers.extend(busy(&admission, &format!("2001:db8:0:{subnet:x}::1")));
        }
        assert_eq!(count(&attackers), 90, "a tenth is kept for homes");

        let parents = (0..40).map(|host| busy(&admission, &format!("192.0.{host}.1")).unwrap());
        let parents = parents.collect::<Vec<_>>();
        for subnet in 1000..2000 {
            attackers.extend(busy(&admission, &format!("2001:db8:0:{subnet:x}::1")));
        }

        assert_eq!((count(&parents), count(&attackers)), (40, 50));
    }

    #[tokio::test]
    async fn a_neighbour_gets_room_where_one_household_has_most() {
        let admission = admission(10, 64);
        let attacker = (0..9).map(|_| busy(&admission, "192.0.2.1").unwrap());
        let attacker = attacker.collect::<Vec<_>>();
        let neighbours = (2..5).map(|host| busy(&admission, &format!("192.0.2.{host}")).unwrap());
        let neighbours = neighbours.collect::<Vec<_>>();

        assert!(busy(&admission, "192.0.2.1").is_none());

        assert_eq!((count(&neighbours), count(&attacker)), (3, 6));
    }

    #[tokio::test]
    async fn a_tenth_is_for_homes_and_strangers_make_way_for_more() {
        let admission = admission(20, 64);
        let strangers = (0..18).map(|net| busy(&admission, &format!("192.0.{net}.1")).unwrap());
        let strangers = strangers.collect::<Vec<_>>();
        assert!(busy(&admission, "192.0.99.1").is_none(), "all hold as much");

        let at_home = (0..12).map(|_| busy(&admission, &home().to_string()).unwrap());
        let at_home = at_home.collect::<Vec<_>>();

        assert_eq!((count(&at_home), count(&strangers)), (12, 8));
        for net in 100..120 {
            assert!(busy(&admission, &format!("192.0.{net}.1")).is_none());
        }
        assert_eq!(count(&at_home), 12);
    }

    #[tokio::test]
    async fn through_a_proxy_one_client_gets_its_share_and_no_more() {
        let admission = admission(99, 2);
        let proxied = |client: &str| {
            let ticket = admission.admit([10, 0, 0, 1].into()).unwrap();
            let in_flight = ticket.activity.begin_request();
            let request = ticket.place.begin_proxied(client.parse().unwrap());
            (request, in_flight, ticket)
        };
        let first = [(); 2].map(|()| proxied("2001:db8::1"));

        assert!(first.iter().all(|(request, ..)| request.is_ok()));
        assert!(proxied("2001:db8::2").0.is_err());
        assert!(proxied("2001:db8:0:1::1").0.is_ok());
        drop(first);
        assert!(proxied("2001:db8::2").0.is_ok());
        assert!(admission.crowd().networks.is_empty());
    }

    #[tokio::test]
    async fn through_a_proxy_the_client_with_most_makes_way() {
        let admission = admission(10, 64);
        let proxied = |client: &str| {
            let ticket = admission.admit([10, 0, 0, 1].into())?;
            let in_flight = ticket.activity.begin_request();
            let request = ticket.place.begin_proxied(client.parse().unwrap()).ok()?;
            Some((ticket, in_flight, request))
        };
        let attackers = (0..20).filter_map(|subnet| proxied(&format!("2001:db8:0:{subnet}::1")));
        let attackers = attackers.collect::<Vec<_>>();

        let parents = (0..4).map(|net| proxied(&format!("192.0.{net}.1")).unwrap());
        let parents = parents.collect::<Vec<_>>();

        let left = |all: &[(Ticket, _, _)]| {
            let evicted = all
                .iter()
                .filter(|(ticket, ..)| ticket.activity.is_evicted());
            all.len() - evicted.count()
        };
        assert_eq!(left(&parents), 4);
        assert!(left(&attackers) <= 6, "{}", left(&attackers));
    }
}
