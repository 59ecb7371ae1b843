//! The servers besides the mail server to which something is sent.

use crate::kernel::outgoing::ntfy::NtfyServer;
use crate::kernel::outgoing::push::PushHost;
use crate::kernel::outgoing::webhook::Webhook;

/// The name of the mail server.
pub(super) const EMAIL: &str = "email";

/// The queue's name of the ntfy server.
pub(super) const NTFY: &str = "ntfy";

/// The name of the push services.
pub(super) const PUSH: &str = "push";

/// The queue's name of the webhook's server.
pub(super) const WEBHOOK: &str = "webhook";

#[derive(Clone, Debug, Default)]
pub struct Servers {
    /// Passes notifications on to guardians' phones.
    pub ntfy: Option<NtfyServer>,
    /// Gets the alerts of all children, unless a guardian refuses.
    pub webhook: Option<Webhook>,
    /// Push services besides those that browsers are known to use.
    pub push_hosts: Vec<PushHost>,
}
