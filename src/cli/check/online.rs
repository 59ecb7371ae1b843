//! `porchlight check --online`: whether the servers that are configured currently work. Sends no e-mail and no notification.

use std::time::Duration;

use crate::cli::serve;
use crate::config::{Config, MailConfig};
use crate::identity::{ProviderSeen, probe_provider};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::outgoing::handshake::certificate_ends;
use crate::kernel::outgoing::mail::MailServerSeen;
use crate::kernel::outgoing::post::PostClient;

/// Certificates that expire within this time get a warning: automatic renewal happens earlier.
const SOON: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The tolerated clock difference: beyond it, identity tokens are rejected.
const APART: Duration = Duration::from_secs(60);

/// The results of the checks.
#[derive(Default)]
pub struct Answers {
    /// The label and the sentence of each fact.
    pub facts: Vec<(&'static str, String)>,
    /// Problems that may occur soon.
    pub warnings: Vec<String>,
    /// Problems that exist now.
    pub failures: Vec<String>,
}

/// Checks the mail server, the ntfy server, the webhook's server and the OpenID Connect provider, if they are configured.
pub async fn ask(config: &Config) -> Answers {
    let now = Clock::System.now();
    let mut answers = Answers::default();
    if let MailConfig::Smtp { settings, from } = &config.mail {
        let seen = match serve::smtp_mailer(settings, from) {
            Ok(mailer) => mailer.probe().await.map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match seen {
            Ok(seen) => answers.mail_server(&seen, now),
            Err(sentence) => answers.failures.push(sentence),
        }
    }
    if let Some(server) = &config.servers.ntfy {
        let seen = match certificate_ends(server.url(), "The ntfy server").await {
            Ok(ends) => server.probe(&PostClient::default()).await.map(|()| ends),
            Err(sentence) => Err(sentence),
        };
        answers.server("ntfy now", "is healthy", "The ntfy server's", seen, now);
    }
    if let Some(webhook) = &config.servers.webhook {
        let seen = certificate_ends(webhook.url(), "The webhook server").await;
        answers.server(
            "webhook now",
            "can be reached",
            "The webhook server's",
            seen,
            now,
        );
    }
    if let Some(provider) = &config.provider {
        match probe_provider(provider, &Clock::System).await {
            Ok(seen) => answers.provider(&seen, now),
            Err(sentence) => answers.failures.push(sentence),
        }
    }
    answers
}

impl Answers {
    fn mail_server(&mut self, seen: &MailServerSeen, now: Timestamp) {
        let took = if seen.signed_in {
            "accepts the user name, the password and the sender"
        } else {
            "accepts the sender"
        };
        let certificate = self.certificate("The mail server's", seen.certificate_ends, now);
        self.facts
            .push(("mail server", format!("{took}; {certificate}")));
    }

    /// A server of which only the certificate is known.
    fn server(
        &mut self,
        label: &'static str,
        works: &str,
        whose: &str,
        seen: Result<Option<Timestamp>, String>,
        now: Timestamp,
    ) {
        match seen {
            Ok(ends) => {
                let certificate = self.certificate(whose, ends, now);
                self.facts.push((label, format!("{works}; {certificate}")));
            }
            Err(sentence) => self.failures.push(sentence),
        }
    }

    fn provider(&mut self, seen: &ProviderSeen, now: Timestamp) {
        let certificate = self.certificate("The provider's", seen.certificate_ends, now);
        let clock = match seen.clock {
            None => "does not say what time it is".to_owned(),
            Some(said) => {
                let apart = now.since(said).max(said.since(now));
                if apart > APART {
                    self.warnings.push(format!(
                        "The provider's clock and this machine's are {} apart. Signing in there may fail.",
                        humantime::format_duration(Duration::from_secs(apart.as_secs()))
                    ));
                }
                format!("its clock is {} s from this machine's", apart.as_secs())
            }
        };
        let sentence = format!("says who it is and has keys; {certificate}; {clock}");
        self.facts.push(("provider now", sentence));
    }

    /// The expiry of a certificate; one that expires soon gets a warning.
    fn certificate(&mut self, whose: &str, ends: Option<Timestamp>, now: Timestamp) -> String {
        let Some(ends) = ends else {
            return "no certificate".to_owned();
        };
        let day = ends.to_chrono().format("%Y-%m-%d");
        if ends < now.after(SOON) {
            self.warnings
                .push(format!("{whose} certificate is valid only until {day}."));
        }
        format!("its certificate is valid until {day}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_certificate_that_expires_soon_and_a_wrong_clock_give_warnings() {
        let now = at("2026-11-25T20:00:00Z");
        let mut answers = Answers::default();

        answers.mail_server(
            &MailServerSeen {
                certificate_ends: Some(at("2026-12-01T00:00:00Z")),
                signed_in: true,
            },
            now,
        );
        answers.provider(
            &ProviderSeen {
                certificate_ends: Some(at("2027-12-01T00:00:00Z")),
                clock: Some(at("2026-11-25T20:05:00Z")),
            },
            now,
        );

        assert_eq!(
            answers.warnings,
            [
                "The mail server's certificate is valid only until 2026-12-01.",
                "The provider's clock and this machine's are 5m apart. Signing in there may fail.",
            ]
        );
        assert_eq!(
            answers.facts[1].1,
            "says who it is and has keys; its certificate is valid until 2027-12-01; its clock is 300 s from this machine's"
        );
    }
}
