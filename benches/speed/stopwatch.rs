//! Elapsed real time, read from the operating system rather than from the server's injectable `Clock`.

use std::time::Instant;

#[derive(Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the benchmark measures elapsed time; no stored data depends on it"
    )]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the seconds since the start.
    #[expect(
        clippy::disallowed_methods,
        reason = "the benchmark measures elapsed time; no stored data depends on it"
    )]
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
