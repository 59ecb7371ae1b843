//! Ends and judges conversations that are over, and tells guardians what waited.

use std::time::Duration;

use crate::app::App;

/// The interval of the check for sessions that have ended by themselves.
const SILENCE: Duration = Duration::from_secs(20);

/// Again and again: ends sessions that no assistant has completed and that receive no more messages, judges what is over for alerts,
/// and queues the messages to guardians that are due.
pub async fn end_silent_sessions(app: App) {
    loop {
        if let Err(error) = app.assistant.end_silent_sessions().await {
            tracing::warn!(%error, "sessions that are over could not be ended; it is tried again");
        }
        if let Err(error) = app.alerts.judge().await {
            tracing::warn!(%error, "alerts could not be judged; it is tried again");
        }
        if let Err(error) = app.notifications.queue_due().await {
            tracing::warn!(%error, "messages that are due could not be queued; it is tried again");
        }
        tokio::time::sleep(SILENCE).await;
    }
}

/// Ends conversations through the gateway in which nothing was said for a while.
pub async fn end_idle_conversations(app: App) {
    loop {
        tokio::time::sleep(SILENCE).await;
        app.gateway.conversations.end_idle().await;
    }
}
