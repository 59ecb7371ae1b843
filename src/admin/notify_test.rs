//! Tests the channels of messages to guardians.

use super::{AdminError, Answer};
use crate::app::App;
use crate::identity::GuardianName;

/// Sends one message by each channel. Without a server, this process doesn't know the servers' settings, and returns the recipient.
pub(super) async fn test(app: &App, whom: &GuardianName) -> Result<Answer, AdminError> {
    let guardian = app.identity.guardians.named(&app.store, whom)?;
    let to = app.subscriptions.test_recipient(&app.store, guardian)?;
    Ok(match app.subscriptions.test(&to).await {
        Some(tested) => Answer::ChannelsTested(tested),
        None => Answer::TestRecipient(Box::new(to)),
    })
}
