//! The conversation with a mail server: one connection for one e-mail.
//!
//! Each step has a deadline ([`SmtpMailer::step_deadline`]) and so has the whole
//! ([`SmtpMailer::email_deadline`]), because a server may also be slow one byte at a time. Once all of the e-mail was sent, the
//! server has ten minutes to answer ([`SmtpMailer::answer_deadline`]), because content filters run meanwhile. If it doesn't
//! answer, or closes the connection, it is unknown whether the e-mail is delivered.
//! The meaning of a failure depends on its step: the same `550` means "your configuration" when
//! we sign in or name the sender, and "this e-mail" when we name the recipient.

mod conversation;
mod probe;
#[cfg(test)]
pub mod tests;
mod trust;

use std::{fmt, sync::Arc, time::Duration};

use mail_builder::{
    MessageBuilder,
    headers::{address::Address, raw::Raw},
};
use tokio_rustls::TlsConnector;

use super::{
    Email, EmailAddress, HandedOver, InvalidSmtpSettings, MailError, SmtpSettings,
    settings::Protection,
};
use trust::tls_connector;

pub use probe::MailServerSeen;

/// The sender's name that a recipient sees.
const SENDER_NAME: &str = "Porchlight";

/// The values that are unique to each sent message.
#[derive(Clone, Copy, Debug)]
pub struct MailIds {
    /// Seconds since 1970, for `Date`.
    pub sent_at: i64,
    /// Random, for `Message-ID`: two e-mails with the same id are taken for one.
    pub serial: u128,
}

/// Generates the values from the clock and the randomness.
pub type NextMailIds = Arc<dyn Fn() -> MailIds + Send + Sync>;

/// Hands e-mails to one mail server.
pub struct SmtpMailer {
    settings: SmtpSettings,
    from: EmailAddress,
    next_ids: NextMailIds,
    /// `None` exactly when the server is on this machine and TLS isn't used.
    tls: Option<TlsConnector>,
    /// The deadline of one step (connecting, TLS, a command and its answer). `mail-send` would
    /// wait an hour; a working server answers within a second, and greylisting ones within five.
    pub step_deadline: Duration,
    /// The deadline for sending all of one e-mail: what six slow steps need.
    pub email_deadline: Duration,
    /// The deadline for the answer after that (RFC 5321, section 4.5.3.2.6).
    pub answer_deadline: Duration,
}

impl SmtpMailer {
    /// Prepares for a mail server: reads root certificates, but doesn't connect yet.
    ///
    /// # Errors
    /// `CaFile` and `NoRoots` if there are no roots to verify the server's certificate with.
    pub fn new(
        settings: SmtpSettings,
        from: EmailAddress,
        next_ids: NextMailIds,
    ) -> Result<Self, InvalidSmtpSettings> {
        let tls = match settings.protection {
            Protection::Loopback => None,
            Protection::Tls | Protection::StartTls => Some(tls_connector(&settings)?),
        };
        Ok(Self {
            settings,
            from,
            next_ids,
            tls,
            step_deadline: Duration::from_secs(10),
            email_deadline: Duration::from_secs(60),
            answer_deadline: Duration::from_secs(10 * 60),
        })
    }

    /// Hands the e-mail over: sends it within [`Self::email_deadline`], calls `at_final_dot`, and waits for the answer.
    pub async fn hand_over(
        &self,
        mail: &Email,
        at_final_dot: impl FnOnce() + Send,
    ) -> Result<HandedOver, MailError> {
        let message = composed(mail, &self.from, (self.next_ids)())?;
        let sent =
            tokio::time::timeout(self.email_deadline, self.transmit(&mail.to, &message)).await;
        let answer = sent.unwrap_or_else(|_| {
            Err(MailError::Temporary(
                "The mail server was too slow to take the email.".to_owned(),
            ))
        })?;
        at_final_dot();
        self.judge(answer).await
    }
}

/// Builds the MIME message with both texts as alternatives. By default `Message-ID` would end in the machine's host name, so
/// it is set here.
fn composed(mail: &Email, from: &EmailAddress, mail_ids: MailIds) -> Result<Vec<u8>, MailError> {
    let mut message = MessageBuilder::new()
        .from(Address::new_address(Some(SENDER_NAME), from.as_str()))
        .to(Address::new_address(None::<&str>, mail.to.as_str()))
        .subject(mail.subject.as_str())
        .date(mail_ids.sent_at)
        .message_id(format!("{:032x}@{}", mail.message_id.unwrap_or(mail_ids.serial), from.domain()))
        // RFC 3834 §5: suppresses out-of-office replies.
        .header("Auto-Submitted", Raw::new("auto-generated"))
        .text_body(mail.text.as_str())
        .html_body(mail.html.as_str());
    if mail.is_urgent {
        // RFC 4021, section 2.1.54. `X-Priority` would make it look like spam to some filters.
        message = message.header("Importance", Raw::new("high"));
    }
    if let Some(url) = &mail.unsubscribe {
        message = message
            .header("List-Unsubscribe", Raw::new(format!("<{url}>")))
            .header(
                "List-Unsubscribe-Post",
                Raw::new("List-Unsubscribe=One-Click"),
            );
    }
    message
        .write_to_vec()
        .map_err(|_| MailError::Permanent("The email could not be composed.".to_owned()))
}

impl fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpMailer({})", self.settings)
    }
}
