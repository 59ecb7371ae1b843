//! The options for notifications and the webhook.

use std::path::PathBuf;

use clap::Args;

use super::{Unsound, secret_in};
use crate::kernel::outgoing::ntfy::NtfyServer;
use crate::kernel::outgoing::push::PushHost;
use crate::kernel::outgoing::webhook::Webhook;
use crate::notifications::Servers;

#[derive(Clone, Debug, Args)]
pub struct NotificationOptions {
    /// The ntfy server that passes notifications on to parents' phones, such as https://ntfy.sh or one of your own. They have no
    /// words of a conversation and no names
    #[arg(long, env = "PORCHLIGHT_NTFY", value_name = "URL")]
    pub ntfy: Option<NtfyServer>,

    /// A file that holds an access token for the ntfy server
    #[arg(
        long,
        env = "PORCHLIGHT_NTFY_TOKEN_FILE",
        value_name = "FILE",
        requires = "ntfy"
    )]
    pub ntfy_token_file: Option<PathBuf>,

    /// A further push service, such as push.example.org, with its subdomains: one that parents' browsers use besides those of
    /// Google, Mozilla, Apple and Microsoft
    #[arg(
        long = "push-host",
        env = "PORCHLIGHT_PUSH_HOST",
        value_name = "HOST",
        value_delimiter = ','
    )]
    pub push_hosts: Vec<PushHost>,

    /// Where to send alerts as webhooks, such as https://home.example/api/webhook/ID: which kind, ids and times, no words and no
    /// names. Parents see it, and can refuse
    #[arg(
        long,
        env = "PORCHLIGHT_WEBHOOK",
        value_name = "URL",
        hide_env_values = true,
        requires = "webhook_key_file"
    )]
    pub webhook: Option<String>,

    /// A file that holds the key that signs webhooks: whsec_ and base64, as Standard Webhooks specifies it
    #[arg(
        long,
        env = "PORCHLIGHT_WEBHOOK_KEY_FILE",
        value_name = "FILE",
        requires = "webhook"
    )]
    pub webhook_key_file: Option<PathBuf>,
}

impl NotificationOptions {
    pub(super) fn check(self, warnings: &mut Vec<String>) -> Result<Servers, Unsound> {
        let ntfy = match (self.ntfy, &self.ntfy_token_file) {
            (Some(server), Some(file)) => Some(
                server
                    .with_token(&secret_in(file)?)
                    .map_err(|error| Unsound(error.to_string()))?,
            ),
            (server, _) => server,
        };
        let webhook = match (self.webhook, &self.webhook_key_file) {
            (Some(url), Some(file)) => {
                let webhook = Webhook::new(&url, &secret_in(file)?);
                Some(webhook.map_err(|error| Unsound(error.to_string()))?)
            }
            _ => None,
        };
        if ntfy.as_ref().is_some_and(|server| !server.is_protected()) {
            warnings.push(
                "The ntfy server is reached by plain http (--ntfy): whoever listens on the network learns the topics, and can \
                 read and write notifications."
                    .into(),
            );
        }
        if webhook.as_ref().is_some_and(|it| !it.is_protected()) {
            warnings.push(
                "The webhook is sent by plain http (--webhook): whoever listens on the network learns when there are alerts."
                    .into(),
            );
        }
        Ok(Servers {
            ntfy,
            webhook,
            push_hosts: self.push_hosts,
        })
    }
}
