//! A clock for tests in which timers and real sockets meet.

/// Stops Tokio's paused clock from advancing to the next timer while all tasks wait for sockets.
pub(super) struct StoppedClock(
    #[expect(dead_code, reason = "dropped with it")] std::sync::mpsc::Sender<()>,
);

impl StoppedClock {
    pub(super) fn new() -> Self {
        let (held, end) = std::sync::mpsc::channel::<()>();
        // Tokio's clock stands still while there is such a task.
        tokio::task::spawn_blocking(move || end.recv());
        Self(held)
    }
}
