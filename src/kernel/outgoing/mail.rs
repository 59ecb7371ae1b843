//! E-mail to parents, and the ways to send it.
//!
//! Most e-mails carry a sign-in link. [`Mailer`] hands an e-mail to a mail server ([`SmtpMailer`]), prints it (the
//! demonstration), keeps it (tests), or reports that no mail server is configured. Handing over either works, or fails in
//! one of two ways that the queue treats differently: [`MailError::Temporary`] is tried again, [`MailError::Permanent`] is
//! not.
//!
//! Nothing here may reveal the recipient of an e-mail: `Debug` of an [`EmailAddress`] and a [`Email`]
//! is redacted, and a [`MailError`] is built from our own words and the server's numeric code only.
//!
//! Only this module and its submodules use `mail-send` and `mail-builder`.

mod address;
mod draft;
mod fragment;
mod settings;
mod smtp;

use crate::kernel::host::words::plain;
use std::{
    fmt,
    io::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

pub use address::{EmailAddress, InvalidEmail};
#[cfg(test)]
pub use draft::tests::checks::check_in_each_language;
pub use draft::{Draft, LinkInText};
pub use fragment::{Fragment, escaped};
pub use settings::{InvalidSmtpSettings, NotAHelloName, SmtpSettings};
#[cfg(test)]
pub use smtp::tests::{fake_server, stopped_clock};
pub use smtp::{MailIds, MailServerSeen, NextMailIds, SmtpMailer};

/// An e-mail to one person, in plain text and in HTML.
#[derive(Clone)]
pub struct Email {
    pub to: EmailAddress,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Whether mail programs show that it is urgent.
    pub is_urgent: bool,
    /// The random part of its Message-ID; `None` for a new one.
    pub message_id: Option<u128>,
    /// The https link by which mail programs unsubscribe with one click (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// Redacted: the e-mail holds an address and a sign-in link.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

/// Why an e-mail was not handed over. The text is for the log and the administrator; it holds
/// neither an address nor a link nor anything the mail server said beyond its numeric code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It may work later: no answer, "try again" (4xx), or a configuration that an administrator can repair
    /// (certificate, user name, sender).
    #[error("{0}")]
    Temporary(String),
    /// Retrying is useless: the server refused this e-mail (5xx).
    #[error("{0}")]
    Permanent(String),
}

/// The outcome of an e-mail that was transmitted completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandedOver {
    /// The server has taken responsibility for it.
    Accepted,
    /// The server didn't reply. It counts as sent: the server may deliver it, and sending it again could make two.
    Unknown,
}

/// How e-mails are sent.
#[derive(Clone, Debug)]
pub enum Mailer {
    Smtp(Arc<SmtpMailer>),
    /// To standard output, for the demonstration and for trying things out.
    Console,
    /// Into a list that a test reads.
    Memory(Arc<Mutex<Vec<Email>>>),
    /// Nowhere: no mail server is configured; links are created with the command `sign-in-link`.
    Nobody,
}

impl Mailer {
    /// Hands the e-mail over. `at_final_dot` is called once all of it was sent: from then on the server may deliver it, and may
    /// take ten minutes to reply.
    pub async fn hand_over(
        &self,
        mail: &Email,
        at_final_dot: impl FnOnce() + Send,
    ) -> Result<HandedOver, MailError> {
        match self {
            Self::Smtp(server) => return server.hand_over(mail, at_final_dot).await,
            Self::Console => print(mail)?,
            Self::Memory(emails) => {
                emails
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(mail.clone());
            }
            Self::Nobody => {
                return Err(MailError::Permanent(
                    "No mail server is configured, so no email was sent.".to_owned(),
                ));
            }
        }
        at_final_dot();
        Ok(HandedOver::Accepted)
    }

    /// Sends the e-mail. Success means that it [counts as sent](HandedOver).
    pub async fn send(&self, mail: &Email) -> Result<(), MailError> {
        self.hand_over(mail, || ()).await.map(drop)
    }
}

fn print(mail: &Email) -> Result<(), MailError> {
    let mut stdout = std::io::stdout().lock();
    stdout
        .write_all(as_printed(mail).as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| {
            MailError::Temporary(format!(
                "The email could not be printed ({}).",
                error.kind()
            ))
        })
}

/// The plain-text part with a margin, which separates it from other output. A link in it can still be selected whole.
fn as_printed(mail: &Email) -> String {
    let mut page = format!(
        "\n  ┌ Email to {}\n  │ {}\n  │\n",
        mail.to,
        plain(&mail.subject)
    );
    for line in mail.text.trim_end().lines() {
        page.push_str(format!("  │ {}", plain(line)).trim_end());
        page.push('\n');
    }
    page.push_str("  └\n\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail() -> Email {
        Email {
            to: "parent@example.org".parse().unwrap(),
            subject: "Your sign-in link".to_owned(),
            text: "Hello,\r\n\r\nhttps://porchlight.example/#token=lnk_secret\n".to_owned(),
            html: "<p>Hello</p>".to_owned(),
            is_urgent: false,
            message_id: None,
            unsubscribe: None,
        }
    }

    #[test]
    fn a_printed_email_shows_its_text_with_a_margin_and_control_characters_as_signs() {
        let mut mail = mail();
        mail.subject.push('\u{1b}');

        assert_eq!(
            as_printed(&mail),
            "\n  ┌ Email to parent@example.org\n  │ Your sign-in link[U+001B]\n  │\n  │ Hello,\n  │\n  \
             │ https://porchlight.example/#token=lnk_secret\n  └\n\n"
        );
    }

    #[test]
    fn debug_output_reveals_neither_the_address_nor_the_link() {
        let shown = format!("{:?}", (mail(), mail().to));

        assert_eq!(shown, "(Email(…), EmailAddress(…))");
    }

    #[tokio::test]
    async fn without_a_mail_server_an_email_is_refused_for_good() {
        let refusal = Mailer::Nobody.send(&mail()).await.unwrap_err();

        assert!(matches!(refusal, MailError::Permanent(_)));
    }
}
