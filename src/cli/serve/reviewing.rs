//! Reviews conversations while the server runs.

use std::time::Duration;

use crate::app::App;

/// How often it is checked whether something is due.
const LOOK: Duration = Duration::from_secs(20);

pub async fn review(app: App) {
    loop {
        match app.reviewer.reviewing.review_next().await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(%error, "conversations could not be reviewed; it is tried again");
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}
