//! The mail server's settings, written as one URL.
//!
//! * `smtps://user:password@mail.example.org` – TLS from the first byte, port 465
//! * `smtp://user:password@mail.example.org` – STARTTLS, which the server must offer, port 587
//! * `smtp://127.0.0.1` – a server on this machine: without TLS, port 25 unless another is given
//!
//! E-mails carry sign-in links, so an unprotected connection to another machine cannot be configured.

use std::{fmt, net::IpAddr, path::PathBuf};

/// A mail server, its protection and the credentials. `Display` and `Debug` hide user and password.
#[derive(Clone)]
pub struct SmtpSettings {
    pub(super) protection: Protection,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) credentials: Option<Credentials>,
    pub(super) ca_file: Option<PathBuf>,
    hello_name: Option<String>,
}

#[derive(Clone)]
pub(super) struct Credentials {
    pub(super) user: String,
    pub(super) password: String,
}

/// How the connection is protected from eavesdropping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    Tls,
    StartTls,
    /// Nothing leaves the machine.
    Loopback,
}

/// What is wrong with the mail settings, for the administrator. Never repeats the URL, which may
/// hold a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSmtpSettings {
    #[error("The mail server's URL must begin with smtps:// or smtp://.")]
    Scheme,
    #[error("The mail server's URL names no host, as in smtps://user:password@mail.example.org.")]
    NoHost,
    #[error("The mail server's host name is not one. International names are written as xn--….")]
    Host,
    #[error("The mail server's port must be a number from 1 to 65535.")]
    Port,
    #[error("The mail server's URL must end after the host and port.")]
    Path,
    #[error(
        "The mail server's URL needs both a user and a password, or neither: \
         smtps://user:password@mail.example.org. An @ in the user's name is fine; write a colon \
         as %3A and a percent sign as %25."
    )]
    Credentials,
    #[error("The file with the mail server's root certificate cannot be read: {0}.")]
    CaFile(String),
    #[error("No root certificates were found on this machine, so no mail server can be trusted.")]
    NoRoots,
}

impl SmtpSettings {
    /// Parses the URL, without name resolution or a connection.
    pub fn parse(url: &str) -> Result<Self, InvalidSmtpSettings> {
        let (scheme, rest) = url
            .trim()
            .split_once("://")
            .ok_or(InvalidSmtpSettings::Scheme)?;
        // Split at the last @, so that an e-mail address works as the user name.
        let (credentials, server) = match rest.rsplit_once('@') {
            Some((user_and_password, server)) => {
                (Some(read_credentials(user_and_password)?), server)
            }
            None => (None, rest),
        };
        let server = server.strip_suffix('/').unwrap_or(server);
        if server.contains(['/', '?', '#']) {
            return Err(InvalidSmtpSettings::Path);
        }
        let (host, port) = read_host_and_port(server)?;
        let protection = match scheme.to_ascii_lowercase().as_str() {
            "smtps" => Protection::Tls,
            "smtp" if is_loopback(&host) => Protection::Loopback,
            "smtp" => Protection::StartTls,
            _ => return Err(InvalidSmtpSettings::Scheme),
        };
        Ok(Self {
            port: port.unwrap_or(match protection {
                Protection::Tls => 465,
                Protection::StartTls => 587,
                Protection::Loopback => 25,
            }),
            protection,
            host,
            credentials,
            ca_file: None,
            hello_name: None,
        })
    }

    pub fn has_password(&self) -> bool {
        self.credentials.is_some()
    }

    /// Trusts the root certificates of this PEM file besides the system's own.
    #[must_use]
    pub fn with_ca_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.ca_file = Some(file.into());
        self
    }
}

/// Text that is not a valid EHLO name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "please write a host name, such as nas.example.org, or an address in brackets, such as [192.168.1.2]"
)]
pub struct NotAHelloName;

impl SmtpSettings {
    /// Sends this name in EHLO instead of the machine's own.
    #[must_use]
    pub fn with_hello_name(mut self, name: impl Into<String>) -> Self {
        self.hello_name = Some(name.into());
        self
    }

    /// Parses a name for [`Self::with_hello_name`] (RFC 5321, section 4.1.1.1).
    pub fn read_hello_name(text: &str) -> Result<String, NotAHelloName> {
        let name = text.trim();
        let literal = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let is_valid = match literal {
            Some(address) => {
                let address = address.strip_prefix("IPv6:").unwrap_or(address);
                address.parse::<IpAddr>().is_ok()
            }
            None => is_host_name(name),
        };
        is_valid.then(|| name.to_owned()).ok_or(NotAHelloName)
    }

    /// The name to send in EHLO: the machine's, if it is valid there.
    pub(super) fn hello_name(&self) -> String {
        let own = || {
            let system = rustix::system::uname();
            let name = system.nodename().to_string_lossy();
            if is_host_name(&name) {
                name.into_owned()
            } else {
                "[127.0.0.1]".to_owned()
            }
        };
        self.hello_name.clone().unwrap_or_else(own)
    }
}

fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    name.len() <= 253 && name.split('.').all(is_label)
}

fn read_credentials(user_and_password: &str) -> Result<Credentials, InvalidSmtpSettings> {
    user_and_password
        .split_once(':')
        .and_then(|(user, password)| {
            Some(Credentials {
                user: percent_decoded(user)?,
                password: percent_decoded(password)?,
            })
        })
        .ok_or(InvalidSmtpSettings::Credentials)
}

/// `None` for empty text, a stray `%`, bytes that aren't UTF-8, and control characters: a NUL would
/// change the meaning of `AUTH PLAIN`.
fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded)
        .ok()
        .filter(|text| !text.is_empty() && !text.contains(char::is_control))
}

fn read_host_and_port(server: &str) -> Result<(String, Option<u16>), InvalidSmtpSettings> {
    let (host, port) = if let Some(rest) = server.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').ok_or(InvalidSmtpSettings::Host)?;
        host.parse::<IpAddr>()
            .map_err(|_| InvalidSmtpSettings::Host)?;
        match rest {
            "" => (host, None),
            _ => (
                host,
                Some(rest.strip_prefix(':').ok_or(InvalidSmtpSettings::Port)?),
            ),
        }
    } else {
        match server.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (server, None),
        }
    };
    if host.is_empty() {
        return Err(InvalidSmtpSettings::NoHost);
    }
    if rustls::pki_types::ServerName::try_from(host).is_err() {
        return Err(InvalidSmtpSettings::Host);
    }
    let port = port
        .map(|port| port.parse().ok().filter(|port| *port != 0))
        .map(|port| port.ok_or(InvalidSmtpSettings::Port))
        .transpose()?;
    Ok((host.to_owned(), port))
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

impl fmt::Display for SmtpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.protection {
            Protection::Tls => "smtps",
            Protection::StartTls | Protection::Loopback => "smtp",
        };
        let credentials = if self.credentials.is_some() {
            "***:***@"
        } else {
            ""
        };
        let (open, close) = if self.host.contains(':') {
            ("[", "]")
        } else {
            ("", "")
        };
        write!(
            f,
            "{scheme}://{credentials}{open}{}{close}:{}",
            self.host, self.port
        )
    }
}

impl fmt::Debug for SmtpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SmtpSettings({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_and_the_host_decide_about_protection_and_port() {
        use Protection::{Loopback, StartTls, Tls};
        for (url, protection, shown) in [
            (
                "smtps://mail.example.org",
                Tls,
                "smtps://mail.example.org:465",
            ),
            (
                "SMTPS://u:p@mail.example.org/",
                Tls,
                "smtps://***:***@mail.example.org:465",
            ),
            (
                "smtp://mail.example.org",
                StartTls,
                "smtp://mail.example.org:587",
            ),
            (
                "smtp://mail.example.org:25",
                StartTls,
                "smtp://mail.example.org:25",
            ),
            ("smtp://192.168.1.2:25", StartTls, "smtp://192.168.1.2:25"),
            ("smtp://127.0.0.1:1025", Loopback, "smtp://127.0.0.1:1025"),
            ("smtp://localhost", Loopback, "smtp://localhost:25"),
            ("smtp://[::1]:2525", Loopback, "smtp://[::1]:2525"),
            ("smtps://localhost", Tls, "smtps://localhost:465"),
        ] {
            let settings = SmtpSettings::parse(url).unwrap();

            assert_eq!(settings.protection, protection, "{url}");
            assert_eq!(settings.to_string(), shown, "{url}");
        }
    }

    #[test]
    fn user_and_password_are_percent_decoded_and_never_shown() {
        let settings =
            SmtpSettings::parse("smtps://anna@example.org:p%40ss%3a%C3%BC/#%25@mail.example.org")
                .unwrap();

        let credentials = settings.credentials.as_ref().unwrap();
        assert_eq!(credentials.user, "anna@example.org");
        assert_eq!(credentials.password, "p@ss:ü/#%");
        assert_eq!(
            format!("{settings:?}"),
            "SmtpSettings(smtps://***:***@mail.example.org:465)"
        );
    }

    #[test]
    fn what_is_wrong_is_said_without_repeating_the_url() {
        use InvalidSmtpSettings as Wrong;
        for (url, wrong) in [
            ("mail.example.org", Wrong::Scheme),
            ("http://mail.example.org", Wrong::Scheme),
            ("smtps://", Wrong::NoHost),
            ("smtps://u:secret@", Wrong::NoHost),
            ("smtps://:465", Wrong::NoHost),
            ("smtps://mail example.org", Wrong::Host),
            ("smtps://müller.example", Wrong::Host),
            ("smtps://[mail.example.org]", Wrong::Host),
            ("smtps://[::1", Wrong::Host),
            ("smtps://mail.example.org:0", Wrong::Port),
            ("smtps://mail.example.org:smtp", Wrong::Port),
            ("smtps://mail.example.org:70000", Wrong::Port),
            ("smtps://mail.example.org/inbox", Wrong::Path),
            ("smtps://mail.example.org?tls=no", Wrong::Path),
            ("smtps://user@mail.example.org", Wrong::Credentials),
            ("smtps://user:@mail.example.org", Wrong::Credentials),
            ("smtps://:secret@mail.example.org", Wrong::Credentials),
            ("smtps://u:sec%ret@mail.example.org", Wrong::Credentials),
            ("smtps://u:secret%00@mail.example.org", Wrong::Credentials),
            ("smtps://u:secret%FF@mail.example.org", Wrong::Credentials),
        ] {
            let error = SmtpSettings::parse(url).unwrap_err();

            assert_eq!(error, wrong, "{url}");
            assert!(!error.to_string().contains("secret"), "{url}");
        }
    }
}
