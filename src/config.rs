//! Parses flags and environment variables into one validated configuration.

mod backup;
mod home;
mod hosts;
mod https;
mod log;
mod mail;
mod notifications;
mod provider;
mod proxies;
mod reviewer;
mod transport;
mod typed;
mod whether;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use ipnet::IpNet;

use typed::Typed;

pub use backup::{BackupConfig, BackupOptions};
pub use home::HomeOptions;
pub use https::{HttpsConfig, HttpsOptions};
pub use log::LogLevels;
pub use mail::{MailConfig, MailTo};
pub use notifications::NotificationOptions;
pub use provider::ProviderOptions;
pub use reviewer::{ReviewerModelOptions, ReviewerOptions};
pub use whether::on_or_off;

use crate::alerts::reviewer::ReviewerSettings;
use crate::assistants::deliveries::Quota;
use crate::assistants::gateway::{Budget, Origin};
use crate::children::child_notice::Helpline;
use crate::identity::ProviderSettings;
use crate::kernel::host::home_network::HomeNetwork;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::text_file::text_of;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::limit::LimitMode;
use crate::kernel::outgoing::mail::{EmailAddress, SmtpSettings};
use crate::notifications::Servers;

/// The default address to listen on: this machine only.
const HERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

/// The options of `serve` and `check`.
///
/// Each can also come from the environment, and what holds a password also from a file.
#[derive(Clone, Debug, Args)]
pub struct ServeOptions {
    /// Where to listen. Default: 127.0.0.1:8080, or with --home all addresses of this machine
    #[arg(long, env = "PORCHLIGHT_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,

    /// What the home network needs.
    #[command(flatten)]
    pub home: HomeOptions,

    #[command(flatten)]
    pub https: HttpsOptions,

    /// The address under which the family reaches this server, such as https://porchlight.example.
    /// Links in e-mails begin with it. Default: the address it listens on
    #[arg(long, env = "PORCHLIGHT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Show a demonstration family, in a store made for it; e-mails are printed here
    #[arg(long, env = "PORCHLIGHT_DEMO")]
    pub demo: bool,

    /// Play a live conversation with a child of the demonstration family
    #[arg(long, env = "PORCHLIGHT_DEMO_LIVE", requires = "demo")]
    pub demo_live: bool,

    /// The mail server: smtps://user:password@host (TLS), smtp://user:password@host (STARTTLS)
    #[arg(
        long,
        env = "PORCHLIGHT_SMTP",
        value_name = "URL",
        hide_env_values = true
    )]
    pub smtp: Option<String>,

    /// A file that holds the mail server's URL
    #[arg(
        long,
        env = "PORCHLIGHT_SMTP_FILE",
        value_name = "FILE",
        conflicts_with = "smtp"
    )]
    pub smtp_file: Option<PathBuf>,

    /// A certificate in PEM to trust beside the system's, for a mail server of one's own
    #[arg(long, env = "PORCHLIGHT_SMTP_CA_FILE", value_name = "FILE")]
    pub smtp_ca_file: Option<PathBuf>,

    /// The name of this machine in the SMTP greeting (EHLO). Default: its host name
    #[arg(
        long,
        env = "PORCHLIGHT_SMTP_HELLO_NAME",
        value_name = "NAME",
        value_parser = SmtpSettings::read_hello_name
    )]
    pub smtp_hello_name: Option<String>,

    /// The address that e-mails come from
    #[arg(long, env = "PORCHLIGHT_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<EmailAddress>,

    /// Print e-mails here instead of sending them
    #[arg(long, env = "PORCHLIGHT_MAIL", value_name = "WHERE", conflicts_with_all = ["smtp", "smtp_file"])]
    pub mail: Option<MailTo>,

    /// The certificate chain, in PEM, to answer https oneself; reloaded when it changes
    #[arg(
        long,
        env = "PORCHLIGHT_TLS_CERT",
        value_name = "FILE",
        requires = "tls_key"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's private key, in PEM
    #[arg(
        long,
        env = "PORCHLIGHT_TLS_KEY",
        value_name = "FILE",
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,

    /// Allow a public URL that is neither https nor this machine: anybody on the network can read the traffic
    #[arg(long, env = "PORCHLIGHT_INSECURE_HTTP")]
    pub insecure_http: bool,

    /// Let browsers refuse plain http to this host for two years after a visit (HSTS): on all of its ports, not only here
    #[arg(long, env = "PORCHLIGHT_HSTS")]
    pub hsts: bool,

    /// Another name under which to answer; may be given more than once
    #[arg(
        long = "allow-host",
        env = "PORCHLIGHT_ALLOW_HOST",
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = hosts::host_name
    )]
    pub allow_hosts: Vec<String>,

    /// Let anybody sign in; an address that nobody added sees no children
    #[arg(long, env = "PORCHLIGHT_OPEN_SIGN_UP")]
    pub open_sign_up: bool,

    /// Whether parents arrange in the browser what concerns their children: add one, connect an assistant. With
    /// --open-sign-up only the command line does
    #[arg(
        long,
        env = "PORCHLIGHT_GUARDIANS_MANAGE",
        value_name = "WHETHER",
        default_value = "on",
        action = ArgAction::Set,
        value_parser = on_or_off
    )]
    pub guardians_manage: bool,

    /// Scheduled backups.
    #[command(flatten)]
    pub backups: BackupOptions,

    /// A network of trusted reverse proxies, such as 10.0.0.0/8, or one's address: their X-Forwarded-For is used.
    /// May be given more than once
    #[arg(long = "trusted-proxy", env = "PORCHLIGHT_TRUSTED_PROXY", value_name = "CIDR", value_delimiter = ',', value_parser = proxies::network)]
    pub trusted_proxies: Vec<IpNet>,

    /// How often a household may ask for links, sign in and so on: on, off (for load tests), or a number
    /// such as 10 to let through so many times as much
    #[arg(
        long,
        env = "PORCHLIGHT_LIMITS",
        default_value = "on",
        value_name = "LIMITS"
    )]
    pub limits: LimitMode,

    /// How much one assistant's key may store for one child in a day (UTC): bytes and messages, or off (for load
    /// tests)
    #[arg(
        long,
        env = "PORCHLIGHT_ASSISTANT_QUOTA",
        default_value = "20MB,50000",
        value_name = "SIZE,MESSAGES"
    )]
    pub assistant_quota: Quota,

    /// How many requests one assistant's key may send through the gateway in a day (UTC)
    #[arg(
        long,
        env = "PORCHLIGHT_GATEWAY_BUDGET",
        default_value = "5000",
        value_name = "REQUESTS"
    )]
    pub gateway_budget: Budget,

    /// An origin whose pages may use the gateway, such as https://chat.example.org: for an app that runs in a browser. May be given
    /// more than once
    #[arg(
        long = "gateway-origin",
        env = "PORCHLIGHT_GATEWAY_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub gateway_origins: Vec<Origin>,

    #[command(flatten)]
    pub reviewer: ReviewerOptions,

    /// Where a child finds help, such as "Childline 0800 1111": the last words of the page that parents show an older child
    #[arg(long, env = "PORCHLIGHT_HELPLINE", value_name = "NAME NUMBER")]
    pub helpline: Option<Helpline>,

    /// The time zone of children whose parents have not said any, such as Europe/Berlin. Default: this machine's, else UTC
    #[arg(long, env = "PORCHLIGHT_TIME_ZONE", value_name = "NAME")]
    pub time_zone: Option<Zone>,

    #[command(flatten)]
    pub notifications: NotificationOptions,

    #[command(flatten)]
    pub provider: ProviderOptions,

    /// What is logged: off, error, warn, info, debug or trace, also for a part of the program alone, such as
    /// info,porchlight::identity=debug. Never what was said, an address or a secret
    #[arg(
        long,
        env = "PORCHLIGHT_LOG",
        value_name = "LEVELS",
        default_value = "info"
    )]
    pub log: LogLevels,

    /// The options with a secret that were given on the command line, where other users of this machine can read them.
    #[arg(skip)]
    typed: Vec<Typed>,
}

#[derive(Clone, Debug)]
pub struct TlsConfig {
    pub cert: PathBuf,
    pub key: PathBuf,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub listen: SocketAddr,
    /// Restricts the server to the home network.
    pub home: Option<HomeNetwork>,
    /// The name with a certificate, besides the plain address.
    pub https: Option<HttpsConfig>,
    pub public_url: Option<PublicUrl>,
    /// Whether to show the demonstration.
    pub demo: bool,
    /// Whether to play a live conversation in it.
    pub demo_live: bool,
    /// How e-mails are sent.
    pub mail: MailConfig,
    /// Where notifications and webhooks are sent.
    pub servers: Servers,
    /// The certificate, if the server itself terminates TLS.
    pub tls: Option<TlsConfig>,
    /// Further host names that the server answers.
    pub allow_hosts: Vec<String>,
    /// Whether browsers are instructed to use https only for this host.
    pub hsts: bool,
    /// Whether anybody may sign in.
    pub open_sign_up: bool,
    /// Whether guardians manage children and assistants in the browser.
    pub guardians_manage: bool,
    pub backup: Option<BackupConfig>,
    pub trusted_proxies: Vec<IpNet>,
    pub limits: LimitMode,
    /// How much an assistant's key may store.
    pub assistant_quota: Quota,
    /// How many requests a key may send through the gateway in a day.
    pub gateway_budget: Budget,
    /// The origins whose pages may use the gateway.
    pub gateway_origins: Vec<Origin>,
    /// Which model reads along, if any.
    pub reviewer: ReviewerSettings,
    /// Where a child finds help.
    pub helpline: Option<Helpline>,
    /// The time zone of children whose guardians have not chosen one.
    pub time_zone: Zone,
    /// The external provider.
    pub provider: Option<ProviderSettings>,
    pub log: LogLevels,
    /// Warnings that don't prevent the start.
    pub warnings: Vec<String>,
}

/// Why a configuration is invalid, in a sentence for the administrator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsound(String);

impl ServeOptions {
    /// Turns the options into a configuration.
    ///
    /// # Errors
    ///
    /// [`Unsound`] says what to change.
    pub fn check(self) -> Result<Config, Unsound> {
        let home = self.home.check(self.demo)?;
        let listen = self.listen.unwrap_or(match home {
            Some(_) => home::EVERYWHERE,
            None => HERE,
        });
        if self.demo && !listen.ip().is_loopback() {
            return Err(Unsound(
                "The demonstration only listens on this machine (127.0.0.1), \
                 because everybody knows its address."
                    .into(),
            ));
        }
        let is_https = self.public_url.as_ref().is_some_and(PublicUrl::is_https);
        if self.demo_live && (self.tls_cert.is_some() || is_https) {
            return Err(Unsound(
                "The live conversation (--demo-live) speaks plain http: leave https out.".into(),
            ));
        }
        let mut warnings = Vec::new();
        let https = self.https.clone().check(&mut warnings)?;
        let mail = self.mail_config(&mut warnings)?;
        // With --home, each start mentions plain http.
        if home.is_none() {
            self.check_transport(listen, &mut warnings)?;
        }
        let backup = self.backups.clone().check(&mail, &mut warnings)?;
        let servers = self.notifications.clone().check(&mut warnings)?;
        let provider = self.provider.clone().check()?;
        let reviewer = self.reviewer.clone().check(&mut warnings)?;
        let time_zone = self.time_zone.clone().or_else(Zone::of_the_system);
        if time_zone.is_none() {
            warnings.push(
                "This machine's time zone has no name, so quiet hours and days are those of UTC until parents say another. \
                 Please name it: --time-zone Europe/Berlin.".into(),
            );
        }
        let time_zone = time_zone.unwrap_or(Zone::UTC);
        self.warn_of_typed_secrets(&mail, &mut warnings);
        self.check_proxies(&mut warnings);
        if self.limits == LimitMode::Off {
            warnings.push(
                "The limits are off (--limits): strangers may try as often as they like.".into(),
            );
        }
        if self.assistant_quota == Quota::Off {
            warnings.push(
                "The quota of assistants is off (--assistant-quota): a key that was stolen can fill the disk.".into(),
            );
        }
        let tls = self
            .tls_cert
            .zip(self.tls_key)
            .map(|(cert, key)| TlsConfig { cert, key });
        Ok(Config {
            listen,
            home,
            https,
            public_url: self.public_url,
            demo: self.demo,
            demo_live: self.demo_live,
            mail,
            servers,
            tls,
            allow_hosts: self.allow_hosts,
            hsts: self.hsts,
            open_sign_up: self.open_sign_up,
            guardians_manage: self.guardians_manage && !self.open_sign_up,
            backup,
            trusted_proxies: self.trusted_proxies,
            limits: self.limits,
            assistant_quota: self.assistant_quota,
            gateway_budget: self.gateway_budget,
            gateway_origins: self.gateway_origins,
            reviewer,
            helpline: self.helpline,
            time_zone,
            provider,
            log: self.log,
            warnings,
        })
    }
}

/// The contents of a file, without the trailing newline.
fn secret_in(file: &Path) -> Result<String, Unsound> {
    let text = text_of(file)
        .map_err(|error| Unsound(format!("{} cannot be read: {error}.", file.display())))?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn check(arguments: &[&str]) -> Result<Config, Unsound> {
        let line = Line::try_parse_from([&["serve"], arguments].concat()).unwrap();
        line.options.check()
    }

    #[test]
    fn check_warns_of_proxies_that_are_missing_or_too_many() {
        let warnings = |more: &[&str]| {
            let behind_https = ["--public-url", "https://porchlight.example"];
            let config = check(&[&behind_https[..], more].concat()).unwrap();
            config
                .warnings
                .join("\n")
                .matches("--trusted-proxy")
                .count()
        };

        assert_eq!(warnings(&[]), 1, "none is trusted");
        assert_eq!(warnings(&["--tls-cert", "c", "--tls-key", "k"]), 0);
        assert_eq!(warnings(&["--trusted-proxy", "10.0.0.0/8"]), 0);
        assert_eq!(warnings(&["--trusted-proxy", "0.0.0.0/0"]), 1);
        assert_eq!(warnings(&["--trusted-proxy", "::/0"]), 1);
    }

    #[test]
    fn a_newcomers_configuration_is_sound_and_says_that_nobody_gets_emails() {
        let config = check(&[]).unwrap();

        assert!(matches!(config.mail, MailConfig::Nobody));
        assert!(config.warnings[0].contains("nobody gets emails"));
    }

    #[test]
    fn plain_http_on_the_network_must_be_asked_for_and_is_warned_of() {
        let url = ["--public-url", "http://nas.local:8080"];

        assert!(check(&url).is_err());
        let config = check(&[&url[..], &["--insecure-http"]].concat()).unwrap();
        assert!(
            config
                .warnings
                .iter()
                .any(|warning| warning.contains("plain http"))
        );
    }

    #[test]
    fn https_and_this_machine_need_no_leave() {
        for url in [
            "https://porchlight.example",
            "http://localhost:8080",
            "http://[::1]:1",
        ] {
            assert!(check(&["--public-url", url]).is_ok(), "{url}");
        }
    }

    #[test]
    fn the_demonstration_stays_on_this_machine() {
        assert!(check(&["--demo", "--listen", "0.0.0.0:8080"]).is_err());
        assert!(check(&["--demo"]).is_ok());
        assert!(check(&["--demo", "--demo-live"]).is_ok());
        assert!(check(&["--demo", "--demo-live", "--public-url", "https://x.example"]).is_err());
    }

    #[test]
    fn a_mail_server_needs_a_sender() {
        let server = ["--smtp", "smtps://me:secret@mail.example"];

        let refused = check(&server).unwrap_err();
        assert!(refused.to_string().contains("--mail-from"));
        assert!(check(&[&server[..], &["--mail-from", "porch@light.example"]].concat()).is_ok());
    }

    #[test]
    fn debug_output_keeps_the_password() {
        let arguments = [
            "--smtp",
            "smtps://me:s3cret@mail.example",
            "--mail-from",
            "porch@light.example",
        ];

        let config = check(&arguments).unwrap();

        assert!(!format!("{config:?}").contains("s3cret"));
    }

    #[test]
    fn a_provider_needs_a_client_id_and_keeps_its_secret() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        std::fs::write(&file, "s3cret\n").unwrap();
        let issuer = ["--oidc-issuer", "https://id.example.org"];
        let client = [
            "--oidc-client-id",
            "porchlight",
            "--oidc-client-secret-file",
        ];

        assert!(
            check(&issuer)
                .unwrap_err()
                .to_string()
                .contains("--oidc-client-id")
        );
        let file = file.to_str().unwrap();
        let config = check(&[&issuer[..], &client, &[file]].concat()).unwrap();
        let shown = format!("{config:?} {}", config.provider.as_ref().unwrap());
        assert!(shown.contains("https://id.example.org as porchlight, with a secret"));
        assert!(!shown.contains("s3cret"));
        assert!(check(&["--oidc-issuer", "http://id.example.org"]).is_err());
    }

    #[test]
    fn the_servers_of_notifications_keep_their_secrets_and_plain_http_is_warned_of() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            file.to_str().unwrap().to_owned()
        };
        let token = write("token", "tk_s3cret\n");
        let key = write("key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
        let ntfy = |url| ["--ntfy", url, "--ntfy-token-file", &token];
        let webhook = |url| ["--webhook", url, "--webhook-key-file", &key];
        let plain = |warnings: &[String]| {
            let is_plain = |it: &&String| it.contains("plain http");
            warnings.iter().filter(is_plain).count()
        };

        let urls = ("https://ntfy.sh", "https://home.example/api/webhook/s3cret");
        let config = check(&[ntfy(urls.0), webhook(urls.1)].concat()).unwrap();
        let shown = format!("{:?} {:?}", config.servers, config.warnings);
        assert!(
            !shown.contains("s3cret") && !shown.contains("MfKQ"),
            "{shown}"
        );
        assert_eq!(plain(&config.warnings), 0);
        let urls = ("http://nas.local:90", "http://homeassistant.local:8123/a");
        let config = check(&[ntfy(urls.0), webhook(urls.1)].concat()).unwrap();
        assert_eq!(plain(&config.warnings), 2);
        let swapped = [
            "--webhook",
            "https://home.example",
            "--webhook-key-file",
            &token,
        ];
        let refused = check(&swapped).unwrap_err().to_string();
        assert!(
            refused.contains("whsec_") && !refused.contains("s3cret"),
            "{refused}"
        );
    }

    #[test]
    fn proxies_are_networks_or_addresses() {
        let config = check(&[
            "--trusted-proxy",
            "10.1.2.3/8,192.0.2.1",
            "--trusted-proxy",
            "::1",
        ]);
        let shown = config
            .unwrap()
            .trusted_proxies
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>();

        assert_eq!(shown, ["10.0.0.0/8", "192.0.2.1/32", "::1/128"]);
        let bad = Line::try_parse_from(["serve", "--trusted-proxy", "everybody"]);
        assert!(bad.is_err());
    }

    #[test]
    fn the_quota_of_assistants_is_on_unless_said_and_off_is_warned_of() {
        assert_eq!(check(&[]).unwrap().assistant_quota, Quota::default());
        let config = check(&["--assistant-quota", "off"]).unwrap();
        assert!(
            config
                .warnings
                .iter()
                .any(|warning| warning.contains("--assistant-quota"))
        );
        assert!(Line::try_parse_from(["serve", "--assistant-quota", "20MB"]).is_err());
    }

    #[test]
    fn limits_are_on_unless_said_and_off_is_warned_of() {
        assert_eq!(check(&[]).unwrap().limits, LimitMode::Usual);
        let config = check(&["--limits", "off"]).unwrap();
        assert!(
            config
                .warnings
                .iter()
                .any(|warning| warning.contains("limits are off"))
        );
    }
}
