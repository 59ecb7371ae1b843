//! Limits the rate of HTTP/2 frames that make no progress.
//!
//! PRIORITY, WINDOW_UPDATE, PING, SETTINGS and RST_STREAM frames and compressed headers cost the server far more than
//! the client. A connection has a credit for them, which grows with the requests that it finishes and
//! with the data that it reads. Once the credit is used up, the connection draws on a budget of its whole network, and isn't
//! read while that is used up, too. So a flood slows down only its sender, even over many connections, and no frame of
//! an ordinary client ever waits.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::time::Instant;

/// The credit of a connection before its first request is finished.
pub(super) const FIRST_CREDIT: i64 = 512;

/// The maximum credit of a connection.
pub(super) const MOST_CREDIT: i64 = 1024;

/// The credit for a finished request: its own frames, and headers of up to 4 KiB.
pub(super) const OF_A_REQUEST: i64 = 64;

/// The number of bytes written that earn one unit of credit.
pub(super) const BYTES_OF_ONE: usize = 1024;

/// The number of bytes of compressed headers that cost as much as a frame: at worst each byte is a header.
const HEADER_BYTES: usize = 64;

/// A DATA frame of at least this many bytes costs nothing.
const SUBSTANTIAL: usize = 1024;

/// A read of fewer bytes that completes no frame costs as much as a frame.
const CRUMB: usize = 256;

/// The interval per frame of a network's budget: a thousand a second, which take a core some milliseconds.
const EVERY: Duration = Duration::from_millis(1);

/// How far ahead of that rate a network may be.
const AHEAD: Duration = Duration::from_secs(2);

/// The number of networks with separate budgets. An idle one equals one that was never seen.
const NETWORKS: usize = 4096;

/// The budgets of the networks, as the time at which each will be idle again.
#[derive(Default)]
pub(super) struct FrameBudget(Mutex<HashMap<IpNet, Instant>>);

impl FrameBudget {
    /// Takes this much from a network's budget, or returns when to try again.
    pub(super) fn take(&self, network: IpNet, units: i64) -> Result<(), Instant> {
        let now = Instant::now();
        let mut networks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if networks.len() >= NETWORKS && !networks.contains_key(&network) {
            networks.retain(|_, idle_at| *idle_at > now);
        }
        let is_crowded = networks.len() >= NETWORKS && !networks.contains_key(&network);
        let key = if is_crowded {
            IpNet::default()
        } else {
            network
        };
        let idle_at = networks.entry(key).or_insert(now);
        if *idle_at > now + AHEAD {
            return Err(*idle_at - AHEAD);
        }
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        *idle_at = (*idle_at).max(now) + EVERY * units;
        Ok(())
    }
}

/// Parses the frame headers in the bytes that a client sends (RFC 9113, section 4.1).
pub(super) struct FrameCounter {
    /// The remaining bytes of the preface or of a frame's payload.
    skip: usize,
    header: [u8; 9],
    filled: usize,
}

impl FrameCounter {
    pub(super) fn new() -> Self {
        Self {
            skip: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".len(),
            header: [0; 9],
            filled: 0,
        }
    }

    /// The cost of these bytes.
    pub(super) fn cost(&mut self, mut bytes: &[u8]) -> i64 {
        let is_crumb = bytes.len() < CRUMB;
        let (mut cost, mut frames) = (0, 0);
        while !bytes.is_empty() {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            bytes = &bytes[skipped..];
            let taken = (self.header.len() - self.filled).min(bytes.len());
            self.header[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
            self.filled += taken;
            bytes = &bytes[taken..];
            if self.filled == self.header.len() {
                self.filled = 0;
                frames += 1;
                cost += self.begin_frame();
            }
        }
        if is_crumb && frames == 0 {
            cost += 1;
        }
        cost
    }

    fn begin_frame(&mut self) -> i64 {
        const DATA: u8 = 0;
        const HEADERS: u8 = 1;
        const CONTINUATION: u8 = 9;
        let [a, b, c, kind, ..] = self.header;
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        self.skip = length;
        match kind {
            DATA if length >= SUBSTANTIAL => 0,
            HEADERS | CONTINUATION => i64::try_from(1 + length / HEADER_BYTES).unwrap_or(i64::MAX),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, length: usize) -> Vec<u8> {
        let mut frame = (length as u32).to_be_bytes()[1..].to_vec();
        frame.extend([kind, 0, 0, 0, 0, 1]);
        frame.resize(9 + length, b'x');
        frame
    }

    #[test]
    fn frames_are_counted_however_they_are_cut() {
        let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        let frames = [
            (4, 0, 1),
            (2, 5, 1),
            (8, 4, 1),
            (1, 30, 1),
            (1, 640, 11),
            (9, 6400, 101),
            (0, 16_384, 0),
            (0, 1, 1),
            (0, 0, 1),
            (250, 0, 1),
        ];
        for (kind, length, _) in frames {
            bytes.extend(frame(kind, length));
        }
        let expected = frames.iter().map(|(_, _, cost)| cost).sum::<i64>();

        for piece in [256, 1000, 4096, bytes.len()] {
            let mut counter = FrameCounter::new();
            let cost = bytes.chunks(piece).map(|piece| counter.cost(piece));
            let last_is_crumb = i64::from(!bytes.len().is_multiple_of(piece));

            let cost = cost.sum::<i64>();
            assert!(
                (expected..=expected + last_is_crumb).contains(&cost),
                "{piece}"
            );
        }
    }

    #[test]
    fn crumbs_cost_as_much_as_frames() {
        let mut counter = FrameCounter::new();

        let bytes = frame(0, 16_384);
        let cost = bytes[..1000].chunks(1).map(|byte| counter.cost(byte));

        assert!(cost.sum::<i64>() >= 990);
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_spends_a_burst_and_then_a_thousand_a_second_and_others_spend_theirs() {
        let budget = FrameBudget::default();
        let [network, other] = ["2001:db8::/48", "192.0.2.0/24"].map(|net| net.parse().unwrap());
        budget.take(network, 5000).unwrap();

        let again_at = budget.take(network, 1).unwrap_err();

        assert_eq!(again_at - Instant::now(), Duration::from_secs(3));
        budget.take(other, 1).unwrap();
        tokio::time::advance(Duration::from_secs(3)).await;
        budget.take(network, 1).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn more_networks_than_have_budgets_of_their_own_share_one() {
        let budget = FrameBudget::default();
        for network in 0..10_000_u32 {
            let network = IpNet::from(std::net::IpAddr::from((network << 8).to_be_bytes()));
            let _ = budget.take(network, 10_000);
        }

        assert_eq!(budget.0.lock().unwrap().len(), NETWORKS + 1);
    }
}
