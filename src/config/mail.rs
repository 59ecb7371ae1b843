//! How e-mails are sent.

use super::{ServeOptions, Unsound, secret_in};
use crate::kernel::outgoing::mail::{EmailAddress, SmtpSettings};

/// Where e-mails go without a mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MailTo {
    /// To standard output.
    Console,
}

/// How e-mails are sent.
#[derive(Clone, Debug)]
pub enum MailConfig {
    /// By a mail server.
    Smtp {
        settings: SmtpSettings,
        /// The sender's address.
        from: EmailAddress,
    },
    /// Printed to standard output.
    Console,
    /// Not at all.
    Nobody,
}

impl ServeOptions {
    /// Determines from the options how e-mails are sent.
    pub(super) fn mail_config(&self, warnings: &mut Vec<String>) -> Result<MailConfig, Unsound> {
        if self.demo || self.mail == Some(MailTo::Console) {
            return Ok(MailConfig::Console);
        }
        let Some(url) = self.smtp_url()? else {
            warnings.push(
                "No mail server is configured (--smtp), so nobody gets emails: \
                 `porchlight sign-in-link EMAIL` prints the way in."
                    .into(),
            );
            return Ok(MailConfig::Nobody);
        };
        let mut settings = SmtpSettings::parse(&url).map_err(|error| Unsound(error.to_string()))?;
        if let Some(file) = &self.smtp_ca_file {
            settings = settings.with_ca_file(file);
        }
        if let Some(name) = &self.smtp_hello_name {
            settings = settings.with_hello_name(name);
        }
        let from = self.mail_from.clone().ok_or_else(|| {
            Unsound("Please say which address emails come from (--mail-from).".into())
        })?;
        Ok(MailConfig::Smtp { settings, from })
    }

    fn smtp_url(&self) -> Result<Option<String>, Unsound> {
        match &self.smtp_file {
            Some(file) => secret_in(file).map(Some),
            None => Ok(self.smtp.clone()),
        }
    }
}
