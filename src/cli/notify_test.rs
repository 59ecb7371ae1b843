//! `porchlight notify-test`

use clap::Args;

use super::{Context, Outcome, serve};
use crate::admin::{AdminError, TestChannels, TestedChannels};
use crate::config::ServeOptions;
use crate::identity::GuardianName;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::post::PostClient;
use crate::kernel::outgoing::queue::Transport;
use crate::notifications::{ChannelsTested, Tested, test_channels};

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
    let tested = match context.run(TestChannels { email }).await? {
        TestedChannels::Sent(tested) => tested,
        TestedChannels::NotSent(to) => {
            let config = options.check();
            let config = config.map_err(AdminError::new)?;
            let transport = Transport {
                mailer: serve::mailer(&config)?,
                client: PostClient::default(),
            };
            let (clock, randomness) = (Clock::System, Randomness::System);
            test_channels(&transport, &config.servers, &clock, &randomness, &to).await
        }
    };
    context.print(&tested, sentences);
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

/// What became of the message of each channel.
fn sentences(tested: &ChannelsTested) -> String {
    let line = |(channel, tested): (&str, &Tested)| {
        let (Tested::Sent(sentence) | Tested::NotSent(sentence) | Tested::Failed(sentence)) =
            tested;
        format!("{channel:<8} {sentence}\n")
    };
    tested.all().map(line).concat()
}
