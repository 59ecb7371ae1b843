//! `porchlight notify-test`

use clap::Args;

use super::{Context, Outcome, serve};
use crate::admin::{AdminError, Answer, Request};
use crate::config::ServeOptions;
use crate::identity::GuardianName;
use crate::kernel::clock::Clock;
use crate::kernel::post::PostClient;
use crate::kernel::queue::Transport;
use crate::kernel::randomness::Randomness;
use crate::subscriptions::{Tested, test_channels};

#[derive(Args)]
pub struct NotifyTest {
    /// The guardian's address or id
    #[arg(value_name = "EMAIL")]
    email: GuardianName,

    #[command(flatten)]
    options: ServeOptions,
}

/// Sends the messages: the running server with its own settings, or else this process with the given ones.
pub async fn run(context: &Context, command: NotifyTest) -> Outcome {
    let NotifyTest { email, options } = command;
    let request = Request::TestChannels { email };
    let answer = match context.answer(request, None, &|_| {}).await? {
        Answer::TestRecipient(to) => {
            let config = options.check();
            let config = config.map_err(|error| AdminError::new(error.to_string()))?;
            let transport = Transport {
                mailer: serve::mailer(&config)?,
                client: PostClient::default(),
            };
            let tested = test_channels(
                &transport,
                &config.servers,
                &Clock::System,
                &Randomness::System,
                &to,
            );
            Answer::ChannelsTested(tested.await)
        }
        answer => answer,
    };
    context.print(&answer)?;
    let Answer::ChannelsTested(tested) = &answer else {
        return Ok(());
    };
    let all = tested.all();
    let failed = all.iter().filter(|(_, it)| matches!(it, Tested::Failed(_)));
    match failed.count() {
        0 => Ok(()),
        1 => Err(AdminError::new("One of the messages was not sent.")),
        count => Err(AdminError::new(format!(
            "{count} of the messages were not sent."
        ))),
    }
}
