//! Writes who looked.

use std::time::Duration;

use crate::app::App;
use crate::kernel::store::StoreError;

/// How often it is written: a crash loses what was noted since.
const WRITTEN_EVERY: Duration = Duration::from_secs(20);

pub async fn write_access_log(app: App) {
    loop {
        tokio::time::sleep(WRITTEN_EVERY).await;
        write(&app).await;
    }
}

/// A failure is only logged. On a full disk it stays in memory until there is space.
pub async fn write(app: &App) {
    match app.access_log.flush().await {
        Ok(()) | Err(StoreError::Full) => {}
        Err(error) => tracing::warn!(%error, "who looked could not be written; it is tried again"),
    }
}
