//! A clock for tests that combine timers with real sockets.

/// Stops Tokio's paused clock from advancing to the next timer while all tasks wait for sockets.
pub struct StoppedClock(
    #[expect(dead_code, reason = "dropped with it")] std::sync::mpsc::Sender<()>,
);

impl StoppedClock {
    pub fn stop() -> Self {
        let (held, end) = std::sync::mpsc::channel::<()>();
        // Tokio's paused clock doesn't advance while a blocking task is running.
        tokio::task::spawn_blocking(move || end.recv());
        Self(held)
    }
}
