//! The options for https at home.

use std::fs;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use clap::Args;
use url::Url;

use super::{Unsound, secret_in};
use crate::kernel::host::https_name::HttpsName;
use crate::kernel::host::public_url::is_protected;
use crate::kernel::outgoing::acme::{
    AcmeSettings, DEFAULT_DIRECTORY, DnsService, DnsSettings, DnsToken,
};

/// The default address to listen on: all addresses, IPv6 and IPv4.
const EVERYWHERE: SocketAddr = SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 8443);

/// In which DuckDNS gives names away.
const DUCKDNS: &str = ".duckdns.org";

#[derive(Clone, Debug, Args)]
pub struct HttpsOptions {
    /// With --home: a public DNS name of yours, such as blue-lamp-7.dedyn.io. Porchlight leads it to this machine's address at
    /// home, and gets a certificate for it. The name is in public lists for good, so it must not contain a person's name
    #[arg(
        long,
        env = "PORCHLIGHT_HTTPS_NAME",
        value_name = "NAME",
        requires = "home",
        conflicts_with_all = ["tls_cert", "hsts"]
    )]
    pub https_name: Option<HttpsName>,

    /// The DNS provider that has the name: desec or duckdns
    #[arg(
        long,
        env = "PORCHLIGHT_DNS",
        value_name = "PROVIDER",
        requires = "https_name",
        requires = "dns_token_file"
    )]
    pub dns: Option<DnsService>,

    /// A file that holds the provider's token. Whoever has the token can become this server
    #[arg(
        long,
        env = "PORCHLIGHT_DNS_TOKEN_FILE",
        value_name = "FILE",
        requires = "dns"
    )]
    pub dns_token_file: Option<PathBuf>,

    /// For another provider: a program that is run with set or clear, A or TXT, the name and the value
    #[arg(
        long,
        env = "PORCHLIGHT_DNS_HOOK",
        value_name = "PROGRAM",
        requires = "https_name",
        conflicts_with = "dns"
    )]
    pub dns_hook: Option<PathBuf>,

    /// Where to listen for https. Default: port 8443 of all addresses of this machine
    #[arg(
        long,
        env = "PORCHLIGHT_HTTPS_LISTEN",
        value_name = "ADDRESS",
        requires = "https_name"
    )]
    pub https_listen: Option<SocketAddr>,

    /// The directory of the certificate authority (ACME). Default: Let's Encrypt's
    #[arg(
        long,
        env = "PORCHLIGHT_ACME_DIRECTORY",
        value_name = "URL",
        requires = "https_name"
    )]
    pub acme_directory: Option<Url>,

    /// Accept that authority's terms, which is required. Those of Let's Encrypt: https://letsencrypt.org/repository/
    #[arg(long, env = "PORCHLIGHT_ACME_ACCEPT_TERMS", requires = "https_name")]
    pub acme_accept_terms: bool,
}

/// Validated settings for https at home.
#[derive(Clone, Debug)]
pub struct HttpsConfig {
    pub acme: AcmeSettings,
    pub listen: SocketAddr,
}

impl HttpsOptions {
    pub(super) fn check(self, warnings: &mut Vec<String>) -> Result<Option<HttpsConfig>, Unsound> {
        let Some(name) = self.https_name else {
            return Ok(None);
        };
        let dns = match (self.dns, self.dns_token_file, self.dns_hook) {
            (Some(service), Some(file), _) => {
                if service == DnsService::DuckDns && !name.as_str().ends_with(DUCKDNS) {
                    return Err(Unsound(format!(
                        "{name} isn't a name of DuckDNS: those end with {DUCKDNS}."
                    )));
                }
                DnsSettings::Service(service, token_in(&file, warnings)?)
            }
            (_, _, Some(program)) => DnsSettings::Hook(hook(&program)?),
            _ => {
                return Err(Unsound(format!(
                    "Who has the name {name} must be known: --dns desec or --dns duckdns with --dns-token-file FILE, or --dns-hook \
                     PROGRAM."
                )));
            }
        };
        let default = || DEFAULT_DIRECTORY.parse().expect("it is a URL");
        let directory = self.acme_directory.unwrap_or_else(default);
        if !is_protected(&directory) {
            return Err(Unsound(
                "The certificate authority's directory (--acme-directory) must be an https URL."
                    .into(),
            ));
        }
        if !self.acme_accept_terms {
            warnings.push(
                "There will be no certificate before you accept the authority's terms. Read them (Let's Encrypt: \
                 https://letsencrypt.org/repository/), then add --acme-accept-terms."
                    .into(),
            );
        }
        Ok(Some(HttpsConfig {
            acme: AcmeSettings {
                name,
                dns,
                directory,
                accepts_terms: self.acme_accept_terms,
            },
            listen: self.https_listen.unwrap_or(EVERYWHERE),
        }))
    }
}

fn token_in(file: &Path, warnings: &mut Vec<String>) -> Result<DnsToken, Unsound> {
    let token = DnsToken::new(&secret_in(file)?);
    let token = token.ok_or_else(|| {
        Unsound(format!(
            "{} holds no token of a DNS provider: one line of letters, digits, hyphens and underscores.",
            file.display()
        ))
    })?;
    let is_open = fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o007 != 0);
    if is_open {
        warnings.push(format!(
            "Everybody on this machine can read {}, and whoever has the token can become this server. Restrict it: chmod o= {0}",
            file.display()
        ));
    }
    Ok(token)
}

fn hook(program: &Path) -> Result<PathBuf, Unsound> {
    let absolute = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
    let found = fs::metadata(&absolute);
    if found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0) {
        Ok(absolute)
    } else {
        Err(Unsound(format!(
            "{} is no program that can be run (--dns-hook).",
            program.display()
        )))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use clap::Parser;

    use crate::config::{Config, ServeOptions, Unsound};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn check(arguments: &[&str]) -> Result<Config, Unsound> {
        let line = [&["serve", "--home", "--home-on", "lo"], arguments].concat();
        Line::try_parse_from(line).unwrap().options.check()
    }

    #[test]
    fn a_name_needs_a_provider_and_a_token_that_nobody_sees() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            // Whatever the umask is: another test may have changed the process's.
            let everybody = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(&path, everybody).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let token = file("token", "s3cret-T0ken_of-deSEC\n");
        let broken = file("broken", "two words\n");
        let missing = folder.path().join("missing");
        let missing = missing.to_str().unwrap();
        let name = ["--https-name", "blue-lamp.dedyn.io"];
        let desec = ["--dns", "desec", "--dns-token-file"];

        let config = check(&[&name[..], &desec, &[&token]].concat()).unwrap();
        assert!(!format!("{config:?}").contains("s3cret"));
        let warned = config.warnings.join("\n");
        assert!(
            warned.contains("--acme-accept-terms") && warned.contains("chmod"),
            "{warned}"
        );
        let https = config.https.unwrap();
        assert_eq!(https.listen.to_string(), "[::]:8443");

        for (more, expected) in [
            (vec![], "--dns-token-file"),
            ([&desec[..], &[&broken]].concat(), "holds no token"),
            ([&desec[..], &[missing]].concat(), "cannot be read"),
            (
                vec!["--dns", "duckdns", "--dns-token-file", &token],
                "DuckDNS",
            ),
            (vec!["--dns-hook", missing], "no program"),
            (
                [
                    &desec[..],
                    &[&token, "--acme-directory", "http://ca.example"],
                ]
                .concat(),
                "https URL",
            ),
        ] {
            let refused = check(&[&name[..], &more].concat()).unwrap_err().to_string();
            assert!(
                refused.contains(expected) && !refused.contains("s3cret"),
                "{refused}"
            );
        }
    }

    #[test]
    fn names_that_no_authority_certifies_are_refused_where_they_are_typed() {
        for name in ["nas.local", "192.168.1.20", "mia_home.dedyn.io", "nas"] {
            let line = ["serve", "--home", "--https-name", name];
            assert!(Line::try_parse_from(line).is_err(), "{name}");
        }
        assert!(Line::try_parse_from(["serve", "--https-name", "a.dedyn.io"]).is_err());
    }
}
