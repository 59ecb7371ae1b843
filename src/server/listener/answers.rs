//! Which peers may connect, remembered for a moment: finding out asks the kernel, and a peer that connects again and again must not
//! hold up the others.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::Instant;

/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(5);

/// The number of answers at which all are forgotten.
const MOST: usize = 4096;

#[derive(Default)]
pub(super) struct Answers(HashMap<SocketAddr, (bool, Instant)>);

impl Answers {
    /// The answer for this peer's address; `ask` finds it out.
    pub(super) fn get(&mut self, peer: SocketAddr, ask: impl Fn(SocketAddr) -> bool) -> bool {
        let mut address = peer;
        address.set_port(0);
        let now = Instant::now();
        let known = self.0.get(&address);
        if let Some((answer, _)) = known.filter(|(_, at)| now.duration_since(*at) < HOLDS) {
            return *answer;
        }
        if self.0.len() >= MOST {
            self.0.clear();
        }
        let answer = ask(peer);
        self.0.insert(address, (answer, now));
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_kernel_is_asked_once_for_an_address_that_connects_again_and_again() {
        let mut answers = Answers::default();
        let asked = Cell::new(0);
        let mut come = |peer: &str| {
            answers.get(peer.parse().unwrap(), |peer| {
                asked.set(asked.get() + 1);
                peer.ip().is_loopback()
            })
        };

        let same = (1..=100).map(|port| come(&format!("192.0.2.1:{port}")));
        assert!(!same.into_iter().any(|may| may));
        assert!(come("127.0.0.1:1"));
        assert_eq!(asked.get(), 2);
        tokio::time::advance(HOLDS).await;
        come("192.0.2.1:1");

        assert_eq!(asked.get(), 3, "an answer doesn't hold for long");
    }
}
