//! `porchlight setup-link`

use super::{Context, Outcome, qr};
use crate::admin::{Answer, Request};

/// Prints the setup link of a new server, and shows it as a QR code on a terminal.
pub async fn run(context: &Context) -> Outcome {
    let answer = context.answer(Request::SetupLink, None, &|_| {}).await?;
    context.print(&answer)?;
    if let Answer::SetupLink { link } = &answer
        && !context.json
    {
        qr::show_on_terminal(link);
    }
    Ok(())
}
