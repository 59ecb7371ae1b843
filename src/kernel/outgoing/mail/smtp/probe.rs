//! Checks whether a mail server would accept an e-mail, without sending one.

use mail_send::{Credentials, SmtpClient};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::SmtpMailer;
use super::conversation::{Step, failure};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::certificate::valid_until;
use crate::kernel::outgoing::mail::{MailError, settings::Protection};

/// What a check of a mail server found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailServerSeen {
    /// When its certificate expires; `None` without TLS.
    pub certificate_ends: Option<Timestamp>,
    /// Whether it accepted a user name and a password.
    pub signed_in: bool,
}

impl SmtpMailer {
    /// Connects, authenticates and sends `MAIL FROM`, within the time limit for one e-mail.
    ///
    /// # Errors
    ///
    /// The same as for an e-mail.
    pub async fn probe(&self) -> Result<MailServerSeen, MailError> {
        let asked = tokio::time::timeout(self.email_deadline, self.ask());
        asked.await.unwrap_or_else(|_| {
            Err(MailError::Temporary(
                "The mail server was too slow to answer.".to_owned(),
            ))
        })
    }

    async fn ask(&self) -> Result<MailServerSeen, MailError> {
        let mut client = self.connect().await?;
        let certificate_ends = match (self.settings.protection, &self.tls) {
            (Protection::Tls, Some(tls)) => {
                let client = client.into_tls(tls, &self.settings.host).await;
                let mut client = client.map_err(|error| failure(Step::Tls, &error))?;
                let ends = certificate_ends(&client);
                self.greet(&mut client).await?;
                self.ask_as_sender(client).await?;
                ends
            }
            (Protection::StartTls, Some(tls)) => {
                self.greet(&mut client).await?;
                let greeted = client.ehlo(&self.settings.hello_name()).await;
                greeted.map_err(|error| self.hello_failure(&error))?;
                let client = client.start_tls(tls, &self.settings.host).await;
                let client = client.map_err(|error| failure(Step::StartTls, &error))?;
                let ends = certificate_ends(&client);
                self.ask_as_sender(client).await?;
                ends
            }
            (Protection::Loopback, _) | (_, None) => {
                self.greet(&mut client).await?;
                self.ask_as_sender(client).await?;
                None
            }
        };
        Ok(MailServerSeen {
            certificate_ends,
            signed_in: self.settings.credentials.is_some(),
        })
    }

    async fn ask_as_sender<S>(&self, mut client: SmtpClient<S>) -> Result<(), MailError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let capabilities = client.ehlo(&self.settings.hello_name()).await;
        let capabilities = capabilities.map_err(|error| self.hello_failure(&error))?;
        if let Some(credentials) = &self.settings.credentials {
            let credentials =
                Credentials::new(credentials.user.as_str(), credentials.password.as_str());
            let accepted = client.authenticate(&credentials, &capabilities).await;
            accepted.map_err(|error| failure(Step::SigningIn, &error))?;
        }
        client
            .mail_from(self.from.as_str(), &Default::default())
            .await
            .map_err(|error| failure(Step::Sender, &error))?;
        // The reply to QUIT doesn't matter.
        let _ = client.quit().await;
        Ok(())
    }
}

fn certificate_ends(client: &SmtpClient<TlsStream<TcpStream>>) -> Option<Timestamp> {
    let (_, session) = client.stream.get_ref();
    session
        .peer_certificates()
        .and_then(|chain| valid_until(chain.first()?))
}
