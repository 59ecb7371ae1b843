//! The time that measuring takes. It is the machine's own, whatever the project's clock says.

use std::time::Instant;

#[derive(Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the benchmark measures time; nothing it makes depends on it"
    )]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// How many seconds have passed.
    #[expect(
        clippy::disallowed_methods,
        reason = "the benchmark measures time; nothing it makes depends on it"
    )]
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
