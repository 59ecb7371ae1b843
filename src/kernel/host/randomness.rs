//! Randomness as a value that is passed in, for the same reason as the [clock](crate::kernel::host::clock).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// A source of random bytes.
#[derive(Clone, Debug)]
pub enum Randomness {
    /// The operating system's generator, fit for secrets.
    System,
    /// A repeatable sequence for tests; clones continue the same one.
    Repeatable(Arc<AtomicU64>),
}

impl Randomness {
    /// A sequence that starts at the same value in each test.
    pub fn repeatable() -> Self {
        Self::Repeatable(Arc::new(AtomicU64::new(0)))
    }

    /// 32 fresh random bytes.
    pub fn bytes(&self) -> [u8; 32] {
        match self {
            Self::System => {
                let mut bytes = [0; 32];
                #[expect(
                    clippy::disallowed_methods,
                    reason = "the one place that asks the machine"
                )]
                let filled = getrandom::fill(&mut bytes);
                filled.expect("a system without random bytes cannot keep a secret, so stop here");
                bytes
            }
            Self::Repeatable(counter) => {
                Sha256::digest(counter.fetch_add(1, Ordering::SeqCst).to_be_bytes()).into()
            }
        }
    }

    /// `count` random decimal digits, at most 9, with leading zeros.
    pub fn digits(&self, count: u32) -> String {
        let [a, b, c, d, e, f, g, h, ..] = self.bytes();
        let number = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        // 2^64 is so much larger than 10^9 that the bias of the remainder is negligible.
        let number = number % 10_u64.pow(count);
        format!("{number:0width$}", width = count as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_as_many_as_asked_for_with_leading_zeros() {
        let randomness = Randomness::repeatable();
        for count in [3, 6] {
            let all = (0..500).map(|_| randomness.digits(count));
            let all = all.collect::<Vec<_>>();

            assert!(all.iter().all(|digits| digits.len() == count as usize));
            assert!(all.iter().any(|digits| digits.starts_with('0')));
        }
    }
}
