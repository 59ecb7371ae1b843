//! The steps of handing an e-mail over, and what a failure in each of them means.

use std::io;
use std::pin::Pin;

use mail_send::smtp::AssertReply as _;
use mail_send::{Credentials, Error, SmtpClient};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};

use super::SmtpMailer;
use crate::kernel::outgoing::certificate::complaint;
use crate::kernel::outgoing::mail::{EmailAddress, HandedOver, MailError, settings::Protection};

/// Authentication required, refused, too weak, or only under TLS (RFC 4954 §6): in any step a problem of the
/// configuration.
const ABOUT_SIGNING_IN: [u16; 4] = [530, 534, 535, 538];

/// Replies of servers that reject the EHLO name: 504 and 550 (not fully qualified), 501 (not a name), 421 (closes the
/// connection).
const ABOUT_THE_NAME: [u16; 4] = [421, 501, 504, 550];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Connecting,
    Greeting,
    StartTls,
    Tls,
    SigningIn,
    Sender,
    Recipient,
    Content,
}

impl SmtpMailer {
    /// Sends the whole e-mail. Returns a future that waits for the server's reply to it.
    pub(super) async fn transmit(
        &self,
        to: &EmailAddress,
        message: &[u8],
    ) -> Result<Answer, MailError> {
        let mut client = self.connect().await?;
        match (self.settings.protection, &self.tls) {
            (Protection::Tls, Some(tls)) => {
                let mut client = client
                    .into_tls(tls, &self.settings.host)
                    .await
                    .map_err(|error| failure(Step::Tls, &error))?;
                self.greet(&mut client).await?;
                self.run_session(client, to, message).await
            }
            (Protection::StartTls, Some(tls)) => {
                self.greet(&mut client).await?;
                client
                    .ehlo(&self.settings.hello_name())
                    .await
                    .map_err(|error| self.hello_failure(&error))?;
                // Regardless of whether the server offers it: a server without it answers 5xx, and if an attacker in between
                // hid the offer, it may still work.
                let client = client
                    .start_tls(tls, &self.settings.host)
                    .await
                    .map_err(|error| failure(Step::StartTls, &error))?;
                self.run_session(client, to, message).await
            }
            (Protection::Loopback, _) => {
                self.greet(&mut client).await?;
                self.run_session(client, to, message).await
            }
            (Protection::Tls | Protection::StartTls, None) => Err(MailError::Temporary(
                "The connection to the mail server cannot be protected.".to_owned(),
            )),
        }
    }

    pub(super) async fn connect(&self) -> Result<SmtpClient<TcpStream>, MailError> {
        let server = (self.settings.host.as_str(), self.settings.port);
        let stream = tokio::time::timeout(self.step_deadline, TcpStream::connect(server))
            .await
            .map_err(|_| failure(Step::Connecting, &Error::Timeout))?
            .map_err(|error| failure(Step::Connecting, &Error::Io(error)))?;
        Ok(SmtpClient {
            stream,
            timeout: self.step_deadline,
        })
    }

    /// The error for a failed EHLO with [`SmtpSettings::hello_name`](super::SmtpSettings).
    pub(super) fn hello_failure(&self, error: &Error) -> MailError {
        match error {
            Error::UnexpectedReply(reply) if ABOUT_THE_NAME.contains(&reply.code) => {
                MailError::Temporary(format!(
                    "The mail server turned us away when Porchlight gave {} as this machine's name (SMTP code {}). \
                     --smtp-hello-name says another, such as its full name.",
                    self.settings.hello_name(),
                    reply.code
                ))
            }
            error => failure(Step::Greeting, error),
        }
    }

    /// Waits for the server's greeting, which `mail-send` would do without a deadline.
    pub(super) async fn greet<S>(&self, client: &mut SmtpClient<S>) -> Result<(), MailError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let reply = tokio::time::timeout(self.step_deadline, client.read())
            .await
            .unwrap_or(Err(Error::Timeout))
            .and_then(|reply| reply.assert_positive_completion());
        reply.map_err(|error| failure(Step::Greeting, &error))
    }

    async fn run_session<S>(
        &self,
        mut client: SmtpClient<S>,
        to: &EmailAddress,
        message: &[u8],
    ) -> Result<Answer, MailError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let capabilities = client
            .ehlo(&self.settings.hello_name())
            .await
            .map_err(|error| self.hello_failure(&error))?;
        if let Some(credentials) = &self.settings.credentials {
            let credentials =
                Credentials::new(credentials.user.as_str(), credentials.password.as_str());
            client
                .authenticate(&credentials, &capabilities)
                .await
                .map_err(|error| failure(Step::SigningIn, &error))?;
        }
        client
            .mail_from(self.from.as_str(), &Default::default())
            .await
            .map_err(|error| failure(Step::Sender, &error))?;
        client
            .rcpt_to(to.as_str(), &Default::default())
            .await
            .map_err(|error| failure(Step::Recipient, &error))?;
        // `SmtpClient::data` would apply the ordinary deadline to the final reply.
        let written = async {
            client.cmd(b"DATA\r\n").await?.assert_code(354)?;
            tokio::time::timeout(self.step_deadline, client.write_message(message))
                .await
                .map_err(|_| Error::Timeout)?
                .map_err(Error::Io)
        };
        written
            .await
            .map_err(|error: Error| failure(Step::Content, &error))?;
        Ok(Box::pin(async move {
            let reply = client.read().await;
            // The server has decided. A failing QUIT must neither delay nor undo that.
            tokio::spawn(async move {
                let _ = client.quit().await;
            });
            reply?.assert_positive_completion()
        }))
    }

    /// Waits for the reply to an e-mail that was sent completely, and interprets it.
    pub(super) async fn judge(&self, answer: Answer) -> Result<HandedOver, MailError> {
        match tokio::time::timeout(self.answer_deadline, answer).await {
            Ok(Ok(())) => Ok(HandedOver::Accepted),
            Ok(Err(Error::UnexpectedReply(reply))) => Err(refusal(Step::Content, reply.code)),
            Ok(Err(_)) | Err(_) => {
                tracing::warn!(
                    "the mail server never said what became of an email that it was sent whole: it counts as sent"
                );
                Ok(HandedOver::Unknown)
            }
        }
    }
}

/// Waits for the reply to an e-mail that was sent completely.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// Converts a failure. Of the server's reply only the codes are kept, because the text often repeats
/// the address.
pub(super) fn failure(step: Step, error: &Error) -> MailError {
    match error {
        Error::UnexpectedReply(reply) | Error::AuthenticationFailed(reply) => {
            refusal(step, reply.code)
        }
        Error::Timeout => {
            MailError::Temporary("The mail server did not answer in time.".to_owned())
        }
        Error::Io(error) => MailError::Temporary(match (step, error.kind()) {
            (_, io::ErrorKind::ConnectionRefused) => {
                "Nothing listens at the mail server's address and port.".to_owned()
            }
            (Step::Connecting, kind) => format!("The mail server cannot be reached ({kind})."),
            (Step::Tls | Step::StartTls, kind) => {
                format!("The connection to the mail server could not be protected ({kind}).")
            }
            (_, kind) => format!("The connection to the mail server broke ({kind})."),
        }),
        Error::Tls(error) => MailError::Temporary(complaint("The mail server's", error)),
        Error::UnparseableReply => MailError::Temporary(
            "The mail server hung up, or answered in a way that is not SMTP.".to_owned(),
        ),
        _ => MailError::Temporary(match step {
            Step::SigningIn => {
                "The mail server offers no way of signing in that Porchlight knows.".to_owned()
            }
            _ => "The mail server could not be spoken to.".to_owned(),
        }),
    }
}

fn refusal(step: Step, code: u16) -> MailError {
    let refused = match step {
        Step::Connecting | Step::Tls | Step::Greeting => "turned us away",
        Step::StartTls => "does not offer STARTTLS, without which no email is sent",
        Step::SigningIn => "refused the user name and password",
        Step::Sender => "refused the sender's address",
        Step::Recipient => "refused the recipient's address",
        Step::Content => "refused the email",
    };
    let sentence = format!("The mail server {refused} (SMTP code {code}).");
    let about_this_email = matches!(step, Step::Recipient | Step::Content);
    if about_this_email && (500..600).contains(&code) && !ABOUT_SIGNING_IN.contains(&code) {
        MailError::Permanent(sentence)
    } else {
        MailError::Temporary(sentence)
    }
}
