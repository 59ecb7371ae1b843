//! A DNS provider whose records are in memory.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::kernel::outgoing::acme::dns::{Answer, DnsProblem, DnsProvider, PointsTo};

#[derive(Default)]
pub struct Records {
    pub txt: Arc<Mutex<Vec<String>>>,
    /// All values that were ever added.
    pub published: Mutex<Vec<String>>,
    pub address: Mutex<Option<Ipv4Addr>>,
    pub fails: Mutex<Option<DnsProblem>>,
    pub says_address: AtomicBool,
}

impl Records {
    fn act(&self, act: impl FnOnce()) -> Result<(), DnsProblem> {
        match *self.fails.lock().unwrap() {
            Some(problem) => Err(problem),
            None => {
                act();
                Ok(())
            }
        }
    }
}

impl DnsProvider for Records {
    fn set_address(&self, address: Ipv4Addr, _: Option<Ipv4Addr>) -> Answer<'_, ()> {
        Box::pin(async move { self.act(|| *self.address.lock().unwrap() = Some(address)) })
    }

    fn points_to(&self) -> Answer<'_, PointsTo> {
        Box::pin(async {
            self.act(|| ())?;
            let says = self.says_address.load(Ordering::SeqCst);
            let address = *self.address.lock().unwrap();
            Ok(match address {
                _ if !says => PointsTo::Unknown,
                Some(address) => PointsTo::Address(address),
                None => PointsTo::Elsewhere,
            })
        })
    }

    fn add_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move {
            self.act(|| {
                self.txt.lock().unwrap().push(value.to_owned());
                self.published.lock().unwrap().push(value.to_owned());
            })
        })
    }

    fn clear_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move { self.act(|| self.txt.lock().unwrap().retain(|it| it != value)) })
    }

    fn propagation_time(&self) -> Duration {
        Duration::ZERO
    }
}
