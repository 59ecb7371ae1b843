//! How often one household, and one network around it, may ask for what costs something.
//!
//! The numbers are such that a family behind one address never meets them, and that one who tries
//! addresses or tokens out, or has letters sent, soon does. A household is one IPv4 address, or the 64 bits
//! that an IPv6 connection is given (RFC 6177); the network around it is an IPv4 /24 or an IPv6 /48, and
//! may do [`NEIGHBOURS`] times as much, so that it holds who owns many addresses.
//!
//! What is limited for a person or an assistant rather than a place is `identity`'s affair.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use ipnet::IpNet;
use poem::http::{StatusCode, header};
use poem::{Request, Response, Result};

use super::address::below_api;
use super::client::ClientAddress;
use crate::kernel::clock::Clock;
use crate::kernel::limit::{Leniency, Limit, Rate, TooMany};
use crate::kernel::problem::Refusal;

/// How many households' worth a network around them may do.
const NEIGHBOURS: NonZeroU32 = NonZeroU32::new(8).expect("eight isn't zero");

/// Letters asked for: four adults who each ask twice because the letter is slow, and one more each minute.
/// Each costs a letter to somebody who may not want it.
const LINKS: Rate = Rate::new(10, Duration::from_secs(60));

/// Links opened: four adults on five devices each, mistyping included (five wrong addresses end a link
/// anyway). A token has 256 bits, so this is about load and not about guessing.
const SIGN_INS: Rate = Rate::new(20, Duration::from_secs(15));

/// Tokens minted, and sign-ins ended: a tab mints one as it opens and then one in nine minutes, so this is a
/// browser that restores a hundred tabs, and then reloading once a second.
const TOKENS: Rate = Rate::new(120, Duration::from_secs(1));

/// Steps at an external provider, two for each sign-in: fifteen sign-ins at once, then one in twelve
/// seconds. The second step makes us call the provider.
const PROVIDER: Rate = Rate::new(30, Duration::from_secs(6));

/// Credentials that don't hold: a forgotten tab's or a script's expired token, tried again each second.
const WRONG_CREDENTIALS: Rate = Rate::new(60, Duration::from_secs(1));

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Link,
    SignIn,
    Token,
    Provider,
}

impl Kind {
    /// What a request to this path below `/api` counts as, if anything; with whatever method, as a `HEAD`
    /// does what a `GET` does.
    fn of(path: &str) -> Option<Self> {
        match path {
            "/auth/link" => Some(Self::Link),
            "/auth/sign-in" => Some(Self::SignIn),
            "/auth/token" | "/auth/sign-out" => Some(Self::Token),
            "/auth/oidc/start" | "/auth/oidc/callback" => Some(Self::Provider),
            _ => None,
        }
    }
}

/// One kind's counts.
struct Counts {
    households: Limit<IpNet>,
    networks: Limit<IpNet>,
}

impl Counts {
    fn new(rate: Rate, leniency: Leniency, clock: &Clock) -> Self {
        Self {
            households: Limit::new(rate, leniency, clock.clone()),
            networks: Limit::new(rate.times(NEIGHBOURS), leniency, clock.clone()),
        }
    }

    /// Counts one more from this address. What its household is refused isn't counted for the network, so
    /// that one who hammers doesn't keep the neighbours out.
    fn take(&self, address: IpAddr) -> Result<(), TooMany> {
        self.households.take(&around(address, 32, 64))?;
        self.networks.take(&around(address, 24, 48))
    }
}

/// The network around an address that shares this many bits with it.
fn around(address: IpAddr, bits_of_v4: u8, bits_of_v6: u8) -> IpNet {
    let bits = match address {
        IpAddr::V4(_) => bits_of_v4,
        IpAddr::V6(_) => bits_of_v6,
    };
    IpNet::new(address, bits)
        .expect("the prefix is no longer than the address")
        .trunc()
}

/// The limits by address and network.
pub struct Limits {
    links: Counts,
    sign_ins: Counts,
    tokens: Counts,
    provider: Counts,
    wrong_credentials: Counts,
}

impl Limits {
    /// Limits that have counted nothing yet.
    pub fn new(leniency: Leniency, clock: &Clock) -> Self {
        let counts = |rate| Counts::new(rate, leniency, clock);
        Self {
            links: counts(LINKS),
            sign_ins: counts(SIGN_INS),
            tokens: counts(TOKENS),
            provider: counts(PROVIDER),
            wrong_credentials: counts(WRONG_CREDENTIALS),
        }
    }

    /// Lets a request through, or says that there were too many. Gives the address to which an answer to its
    /// credential [counts](Self::count_refused), if it carries one.
    pub fn admit(&self, request: &Request) -> Result<Option<IpAddr>> {
        let Some(ClientAddress(address)) = request.data().copied() else {
            return Ok(None);
        };
        if let Some(kind) = below_api(request.uri().path()).and_then(Kind::of)
            && let Err(too_many) = self.of(kind).take(address)
        {
            return Err(match kind {
                Kind::Provider if is_read_by_a_person(request) => {
                    poem::Error::from_response(explained(too_many))
                }
                _ => refusal(too_many).into(),
            });
        }
        let carries_one = request.headers().contains_key(header::AUTHORIZATION);
        Ok(carries_one.then_some(address))
    }

    /// Counts an answer that a credential doesn't hold.
    ///
    /// Who sends one that holds is never held up by others at their address who send wrong ones: the answer to
    /// those is replaced, and nothing else.
    pub fn count_refused(&self, from: Option<IpAddr>, answer: &Result<Response>) -> Result<()> {
        let Some(address) = from else {
            return Ok(());
        };
        let status = match answer {
            Ok(response) => response.status(),
            Err(error) => error.status(),
        };
        if status == StatusCode::UNAUTHORIZED {
            self.wrong_credentials.take(address).map_err(refusal)?;
        }
        Ok(())
    }

    fn of(&self, kind: Kind) -> &Counts {
        match kind {
            Kind::Link => &self.links,
            Kind::SignIn => &self.sign_ins,
            Kind::Token => &self.tokens,
            Kind::Provider => &self.provider,
        }
    }
}

/// Whether a browser opens this as a page. Not by `Sec-Fetch-Mode`, which it leaves out on plain http.
fn is_read_by_a_person(request: &Request) -> bool {
    let accepted = request.header(header::ACCEPT).unwrap_or_default();
    accepted.contains("text/html")
}

/// Leads to where a person reads it, as all that goes wrong on the way through the provider.
fn explained(too_many: TooMany) -> Response {
    Response::builder()
        .status(StatusCode::FOUND)
        .header(header::LOCATION, "/login#error=too_many")
        .header(header::RETRY_AFTER, too_many.seconds)
        .finish()
}

fn refusal(too_many: TooMany) -> Refusal {
    Refusal::too_many(
        "There were too many requests from your network in a short time. \
         Please wait a little and try again.",
        too_many.seconds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::clock::{ManualClock, Timestamp};

    fn links() -> Counts {
        let clock = ManualClock::at(Timestamp::from_micros(0));
        Counts::new(LINKS, Leniency::Usual, &Clock::Manual(clock))
    }

    fn let_through<'a>(counts: &Counts, addresses: impl Iterator<Item = &'a str>) -> usize {
        let addresses = addresses.map(|address| address.parse().unwrap());
        addresses
            .filter(|address| counts.take(*address).is_ok())
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
}
