//! Rate limits of expensive requests, for each household and for the network around it.
//!
//! A family behind one address never reaches these limits. Somebody who guesses addresses or tokens, or triggers e-mails,
//! soon does. A household is one IPv4 address, or the 64 bits that an IPv6 connection is given (RFC 6177); the
//! network around it is an IPv4 /24 or an IPv6 /48, and may make [`NEIGHBOURS`] times as many requests, so that owning many
//! addresses doesn't help. A household from which a guardian was signed in ([`homes`]) has counts that nobody else
//! can use up.
//!
//! An operation says beside its handler which one it counts against ([`counting`](super::counting)). Guardians and assistants have limits
//! of their own ([`credentials`](super::credentials)).

mod homes;

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use ipnet::IpNet;
use poem::http::{StatusCode, header};
use poem::{Request, Response, Result};

use crate::kernel::host::clock::Clock;
use crate::kernel::http::limit::{Limit, LimitKey, LimitMode, Rate, TooMany, take_all};
use crate::kernel::http::networks::{household, network, region};
use crate::kernel::http::origin::Origin;
use crate::kernel::http::problem::{Code, Refusal};

pub use homes::Homes;

/// A network's limit, as a multiple of a household's limit.
const NEIGHBOURS: NonZeroU32 = NonZeroU32::new(8).expect("eight isn't zero");

/// Requests for sign-in e-mails: four adults who each ask twice because the e-mail is slow, and one more each minute.
/// Each sends an e-mail to somebody who may not want it.
const LINKS: Rate = Rate::new(10, Duration::from_secs(60));

/// Links opened and recovery codes typed: four adults on five devices each, typing errors included (five wrong addresses end a
/// link anyway). A token has 256 bits, so this limits load, not guessing.
const SIGN_INS: Rate = Rate::new(20, Duration::from_secs(15));

/// Tokens issued, and sign-outs: a tab requests a token as it opens and then one every nine minutes, so this is a
/// browser that restores a hundred tabs, and then a reload every second.
const TOKENS: Rate = Rate::new(120, Duration::from_secs(1));

/// Steps at an external provider, two for each sign-in: fifteen sign-ins at once, then one every twelve
/// seconds. In the second step the server calls the provider.
const PROVIDER: Rate = Rate::new(30, Duration::from_secs(6));

/// Invalid credentials: a forgotten tab's or a script's expired token, tried again every second.
const WRONG_CREDENTIALS: Rate = Rate::new(60, Duration::from_secs(1));

/// The rate limit that an expensive request counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedRequest {
    /// Sends a sign-in e-mail.
    Link,
    /// Redeems a secret.
    SignIn,
    /// Issues a token, or ends a sign-in.
    Token,
    /// Calls an external provider.
    Provider,
}

struct Counts {
    homes: Limit<IpNet>,
    households: Limit<IpNet>,
    networks: Limit<IpNet>,
}

impl Counts {
    fn new(rate: Rate, limit_mode: LimitMode, clock: &Clock) -> Self {
        Self {
            homes: Limit::new(rate, limit_mode, clock.clone()),
            households: Limit::new(rate, limit_mode, clock.clone()),
            networks: Limit::new(rate.times(NEIGHBOURS), limit_mode, clock.clone()),
        }
    }

    /// Counts one request from this place. A request that exceeds the household's limit isn't counted for the network, so
    /// that one household doesn't block its neighbours; and one that exceeds the network's limit isn't counted
    /// for the household, so that the owner of a network doesn't fill the table of households.
    fn take(&self, from: &ClientNetworks) -> Result<(), TooMany> {
        if from.is_home {
            self.homes.take(from.household)
        } else {
            take_all([
                (&self.households, from.household),
                (&self.networks, from.network),
            ])
        }
    }
}

/// The origin of a request.
#[derive(Clone, Copy, Debug)]
pub struct ClientNetworks {
    pub household: IpNet,
    pub network: IpNet,
    /// Whether a guardian was signed in from the household lately.
    pub is_home: bool,
}

impl ClientNetworks {
    pub fn of(address: IpAddr, is_home: bool) -> Self {
        Self {
            household: household(address),
            network: network(address),
            is_home,
        }
    }
}

/// While a table is full, new networks are counted by the region around them.
impl LimitKey for IpNet {
    fn group(&self) -> impl Hash {
        region(self.addr())
    }
}

pub struct RequestLimits {
    callers: Homes,
    links: Counts,
    sign_ins: Counts,
    tokens: Counts,
    provider: Counts,
    wrong_credentials: Counts,
    homes: Homes,
}

impl RequestLimits {
    /// Creates limits with empty counts. The households of requests with a valid credential are recorded in `callers`.
    pub fn new(limit_mode: LimitMode, clock: &Clock, callers: Homes) -> Self {
        let counts = |rate| Counts::new(rate, limit_mode, clock);
        Self {
            callers,
            links: counts(LINKS),
            sign_ins: counts(SIGN_INS),
            tokens: counts(TOKENS),
            provider: counts(PROVIDER),
            wrong_credentials: counts(WRONG_CREDENTIALS),
            homes: Homes::default(),
        }
    }

    /// Counts a 401 for a credential against its address. Only the 401 itself becomes a 429, so invalid credentials never delay
    /// valid ones from the same address.
    pub fn note_wrong_credential(&self, from: IpAddr) -> Result<(), Refusal> {
        let counted = self.wrong_credentials.take(&self.place(from));
        counted.map_err(refusal)
    }

    /// Records the household of a request with a valid credential.
    pub fn note_caller(&self, from: IpAddr) {
        self.callers.add(household(from));
    }

    pub fn place(&self, address: IpAddr) -> ClientNetworks {
        ClientNetworks::of(address, self.homes.include(address))
    }

    fn of(&self, kind: LimitedRequest) -> &Counts {
        match kind {
            LimitedRequest::Link => &self.links,
            LimitedRequest::SignIn => &self.sign_ins,
            LimitedRequest::Token => &self.tokens,
            LimitedRequest::Provider => &self.provider,
        }
    }

    /// Counts a request, or refuses it. A request for a link gets its [`Origin`] as an extension.
    pub(super) fn take(
        &self,
        kind: LimitedRequest,
        request: &mut Request,
        from: IpAddr,
    ) -> Result<()> {
        let from = self.place(from);
        self.of(kind).take(&from).map_err(|too_many| match kind {
            LimitedRequest::Provider if is_read_by_a_person(request) => {
                poem::Error::from_response(explained())
            }
            _ => refusal(too_many).into(),
        })?;
        if kind == LimitedRequest::Link {
            request.extensions_mut().insert(Origin {
                network: from.network,
                is_home: from.is_home,
            });
        }
        Ok(())
    }

    /// Records from where somebody signed in.
    pub(super) fn note_sign_in(&self, from: IpAddr) {
        self.homes.add(household(from));
        self.note_caller(from);
    }
}

/// Whether a browser opens this as a page. Not by `Sec-Fetch-Mode`, which browsers omit on plain http.
fn is_read_by_a_person(request: &Request) -> bool {
    let accepted = request.header(header::ACCEPT).unwrap_or_default();
    accepted.contains("text/html")
}

/// Redirects to the page that shows the message, as for every other failure at the provider.
fn explained() -> Response {
    Response::builder()
        .status(StatusCode::FOUND)
        .header(header::LOCATION, "/login#error=too_many")
        .finish()
}

fn refusal(too_many: TooMany) -> Refusal {
    Refusal::too_many(
        Code::RateLimited,
        "There were too many requests from your network in a short time. \
         Please wait a little and try again.",
        too_many.seconds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::{ManualClock, Timestamp};

    fn links() -> Counts {
        let clock = ManualClock::at(Timestamp::from_micros(0));
        Counts::new(LINKS, LimitMode::Usual, &Clock::Manual(clock))
    }

    fn place(address: &str) -> ClientNetworks {
        ClientNetworks::of(address.parse().unwrap(), false)
    }

    fn let_through<'a>(counts: &Counts, addresses: impl Iterator<Item = &'a str>) -> usize {
        addresses
            .filter(|address| counts.take(&place(address)).is_ok())
            .count()
    }

    #[test]
    fn a_household_is_an_ipv4_address_or_64_bits_of_ipv6() {
        let counts = links();
        let household = ["2001:db8::1", "2001:db8::ffff:1:2:3"].into_iter();

        assert_eq!(let_through(&counts, household.cycle().take(30)), 10);
        assert_eq!(let_through(&counts, ["192.0.2.1"; 30].into_iter()), 10);
        assert_eq!(let_through(&counts, ["192.0.2.2"; 30].into_iter()), 10);
        assert_eq!(
            let_through(&counts, ["2001:db8:0:1::1"; 30].into_iter()),
            10
        );
    }

    #[test]
    fn who_owns_a_network_is_held_by_it() {
        for hosts in [
            (0..250)
                .map(|host| format!("192.0.2.{host}"))
                .collect::<Vec<_>>(),
            (0..250)
                .map(|subnet| format!("2001:db8:0:{subnet}::1"))
                .collect(),
        ] {
            let counts = links();

            assert_eq!(let_through(&counts, hosts.iter().map(String::as_str)), 80);
            assert_eq!(
                let_through(&counts, ["198.51.100.7", "2001:db8:1::1"].into_iter()),
                2
            );
        }
    }

    #[test]
    fn who_hammers_alone_does_not_keep_the_neighbours_out() {
        let counts = links();

        let_through(&counts, ["192.0.2.1"; 1000].into_iter());

        assert_eq!(let_through(&counts, ["192.0.2.2"; 10].into_iter()), 10);
    }

    #[test]
    fn a_network_that_is_held_makes_no_counts_for_its_households() {
        let counts = links();
        let hosts = (0..20_000).map(|subnet| format!("2001:db8:0:{subnet:x}::1"));
        let hosts = hosts.collect::<Vec<_>>();

        assert_eq!(let_through(&counts, hosts.iter().map(String::as_str)), 80);

        // If the table were full, these would share one count.
        let others = (0..100).map(|network| format!("2001:db8:{:x}::1", network + 1));
        let others = others.collect::<Vec<_>>();
        assert_eq!(let_through(&counts, others.iter().map(String::as_str)), 100);
    }

    #[test]
    fn who_has_more_addresses_than_there_are_places_is_held_and_keeps_no_home_out() {
        let counts = links();
        let home = ClientNetworks {
            is_home: true,
            ..place("192.0.2.1")
        };
        // One address in each of 40,000 networks.
        let botnet = (0..40_000_u32).map(|number| {
            let [_, a, b, c] = number.to_be_bytes();
            format!("{}.{b}.{c}.7", 11 + a)
        });
        let botnet = botnet.collect::<Vec<_>>();
        let attack = || let_through(&counts, botnet.iter().map(String::as_str));

        let rounds = [(); 12].map(|()| attack());

        let places = 16_384 + 1024;
        assert!(rounds.iter().sum::<usize>() <= 10 * places, "{rounds:?}");
        assert_eq!(rounds[11], 0, "nobody's count was reset: {rounds:?}");
        assert!((0..10).all(|_| counts.take(&home).is_ok()));
        assert!(counts.take(&home).is_err(), "a home has its limit, too");
        // In other regions, most new addresses find a shared count that isn't used up.
        let elsewhere = (0..200).map(|number| format!("{number}.200.0.1"));
        let elsewhere = elsewhere.collect::<Vec<_>>();
        let admitted = let_through(&counts, elsewhere.iter().map(String::as_str));
        assert!(admitted > 150, "{admitted}");
    }
}
