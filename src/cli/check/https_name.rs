//! `porchlight check`: the home's name for https, step by step: name, address, certificate, reachability.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use super::online::Answers;
use crate::cli::Context;
use crate::cli::serve::own_ipv4;
use crate::config::{Config, HttpsConfig};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::https_name::HttpsName;
use crate::kernel::outgoing::acme::{
    AcmeClient, CertificateStatus, HttpsFolder, HttpsStatus, PointsTo,
};
use crate::kernel::outgoing::handshake::certificate_ends_at;

/// For the home's resolver.
const RESOLVING: Duration = Duration::from_secs(10);

/// What `check` says without asking anybody.
pub struct Offline {
    pub facts: Vec<(&'static str, String)>,
    pub warnings: Vec<String>,
}

pub fn check(context: &Context, config: &Config) -> Offline {
    let Some(https) = &config.https else {
        return Offline {
            facts: vec![("https name", "none".to_owned())],
            warnings: Vec::new(),
        };
    };
    let name = &https.acme.name;
    let folder = HttpsFolder::within(&context.client.data);
    let shown = ("https name", format!("{name} with {}", https.acme.dns));
    let listen = ("https listen", https.listen.to_string());
    let terms = if https.acme.accepts_terms {
        ", whose terms are accepted"
    } else {
        ""
    };
    let authority = ("certified", format!("by {}{terms}", https.acme.directory));
    match HttpsStatus::read(&folder, name, Clock::System.now()) {
        Ok(status) => {
            let mut facts = vec![
                shown,
                listen,
                authority,
                ("leads to", leads_to(&status)),
                ("certificate", certificate(&status.certificate)),
            ];
            if status.names_not_compared {
                let script = "names in a script other than Latin were not looked for in it";
                facts.push(("not compared", script.to_owned()));
            }
            Offline {
                facts,
                warnings: warnings(https, &status, own(config)),
            }
        }
        Err(error) => Offline {
            facts: vec![shown, listen, authority],
            warnings: vec![format!(
                "How things stand with {name} cannot be read: {error}."
            )],
        },
    }
}

fn own(config: &Config) -> Option<Ipv4Addr> {
    config.home.as_ref().and_then(own_ipv4)
}

fn leads_to(status: &HttpsStatus) -> String {
    match status.address {
        _ if status.leads_elsewhere => "another address than this machine's".to_owned(),
        Some(address) => address.to_string(),
        None => "nowhere yet".to_owned(),
    }
}

fn day(at: Timestamp) -> String {
    at.to_chrono().format("%Y-%m-%d").to_string()
}

fn certificate(status: &CertificateStatus) -> String {
    match status {
        CertificateStatus::Missing => "none yet".to_owned(),
        CertificateStatus::NotYetValid { from } => format!("valid from {}", day(*from)),
        CertificateStatus::Valid {
            until,
            renewed_from,
            ..
        } => format!(
            "valid until {}, renewed from {}",
            day(*until),
            day(*renewed_from)
        ),
        CertificateStatus::Expired { at } => format!("expired on {}", day(*at)),
    }
}

fn warnings(https: &HttpsConfig, status: &HttpsStatus, own: Option<Ipv4Addr>) -> Vec<String> {
    let name = &https.acme.name;
    let mut warnings = Vec::new();
    if let Some(failure) = &status.address_failure {
        warnings.push(format!(
            "{name} could not be led to this machine since {}. {} It is tried again at {}, or five minutes after a restart.",
            failure.since, failure.problem, failure.next_at
        ));
    } else if status.leads_elsewhere {
        warnings.push(format!(
            "{name} leads elsewhere. Does another server use the same name or token?"
        ));
    } else if let (Some(led), Some(own)) = (status.address, own)
        && led != own
    {
        warnings.push(format!(
            "{name} leads to {led}, but this machine's address is {own}. A running server follows within a minute."
        ));
    }
    if status.waits_for_setup {
        warnings.push(format!(
            "The first certificate for {name} is asked for once there are a guardian and a child: only then it is known whose names must \
             not be in it."
        ));
    }
    if let Some(failure) = &status.certificate_failure {
        warnings.push(format!(
            "There is no new certificate since {}. {} It is tried again at {}, or five minutes after a restart if that is earlier.",
            failure.since, failure.problem, failure.next_at
        ));
    }
    match &status.certificate {
        CertificateStatus::NotYetValid { from } => warnings.push(format!(
            "The certificate for {name} isn't valid before {from}: this machine's clock is probably behind. Set it."
        )),
        CertificateStatus::Valid {
            until,
            is_urgent: true,
            ..
        } => warnings.push(format!(
            "The certificate for {name} is valid only until {}. Does the server run, and is its clock right?",
            day(*until)
        )),
        CertificateStatus::Expired { at } => warnings.push(format!(
            "The certificate for {name} expired on {}, so browsers warn. Parents can sign in at the plain address again. Does the server \
             run, and is its clock right?",
            day(*at)
        )),
        CertificateStatus::Missing | CertificateStatus::Valid { .. } => {}
    }
    warnings
}

/// Asks the provider, this machine's resolver and the running server, in this order.
pub async fn ask(context: &Context, config: &Config, answers: &mut Answers) {
    let (Some(https), Some(own)) = (&config.https, own(config)) else {
        return;
    };
    let name = &https.acme.name;
    let provider = https.acme.dns.provider(name, &AcmeClient::default());
    match provider.points_to().await {
        Ok(PointsTo::Address(address)) if address == own => answers
            .facts
            .push(("name now", format!("leads to {own}, as its provider says"))),
        Ok(PointsTo::Address(address)) => answers.failures.push(format!(
            "Step 1, the name: {name} leads to {address}, as its provider says, and this machine's address is {own}. If the server \
             runs, does another one use the same name or token?"
        )),
        Ok(PointsTo::Elsewhere) => answers.failures.push(format!(
            "Step 1, the name: its provider has no single address for {name}, or one of IPv6. Start the server; if it runs, wait a minute. \
             Remove an AAAA record there by hand."
        )),
        Ok(PointsTo::Unknown) => answers
            .facts
            .push(("name now", "its provider doesn't say where it leads".to_owned())),
        Err(problem) => answers
            .failures
            .push(format!("Step 1, the name: {problem}")),
    }
    let target = (name.as_str(), https.listen.port());
    let resolved = tokio::time::timeout(RESOLVING, tokio::net::lookup_host(target)).await;
    let found = match resolved {
        Ok(Ok(found)) => found.map(|it| it.ip()).collect(),
        _ => Vec::new(),
    };
    match found_here(name.as_str(), own, &found) {
        Ok(fact) => answers.facts.push(("name here", fact)),
        Err(warning) => answers.warnings.push(warning),
    }
    let at = SocketAddr::new(own.into(), https.listen.port());
    match certificate_ends_at(at, name.as_str(), "The https address").await {
        Ok(ends) => {
            let until = ends.map_or_else(String::new, |ends| format!(", until {}", day(ends)));
            answers
                .facts
                .push(("https now", format!("answers with a valid certificate{until}")));
        }
        Err(_) if is_first_awaited(context, name) => answers.warnings.push(format!(
            "Steps 3 and 4, certificate and reachability: there is no certificate for {name} yet. A running server gets the first one \
             within some minutes: look again then."
        )),
        Err(sentence) => answers.failures.push(format!(
            "Steps 3 and 4, certificate and reachability: {sentence} `porchlight check` says whether there is a certificate; the server \
             must run, and a firewall on this machine must let port {} in.",
            https.listen.port()
        )),
    }
}

/// Whether there is no certificate yet, and nothing that prevents one.
fn is_first_awaited(context: &Context, name: &HttpsName) -> bool {
    let folder = HttpsFolder::within(&context.client.data);
    let status = HttpsStatus::read(&folder, name, Clock::System.now());
    status.is_ok_and(|status| {
        status.certificate == CertificateStatus::Missing && status.certificate_failure.is_none()
    })
}

/// What this machine's resolver says of the name: a warning unless it is this machine's address alone.
fn found_here(name: &str, own: Ipv4Addr, found: &[IpAddr]) -> Result<String, String> {
    let other = found.iter().find(|it| **it != IpAddr::V4(own));
    match other {
        Some(other) => Err(format!(
            "Step 2, the address: this network finds {other} for {name}, and this machine's address is {own}. After a change that takes \
             some minutes. Does another server use the same name or token?"
        )),
        None if found.is_empty() => Err(format!(
            "Step 2, the address: this network doesn't find {own} for {name}. A new name needs some minutes. Many routers filter answers \
             with addresses at home (DNS rebind protection): allow {name} there, as docs/https-at-home.md shows."
        )),
        None => Ok(format!("{own}, in this network")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::acme::{AcmeSettings, DnsSettings};

    fn https() -> HttpsConfig {
        HttpsConfig {
            acme: AcmeSettings {
                name: "blue-lamp.dedyn.io".parse().unwrap(),
                dns: DnsSettings::Hook("/usr/bin/hook".into()),
                directory: "https://ca.example/directory".parse().unwrap(),
                accepts_terms: true,
            },
            listen: "[::]:8443".parse().unwrap(),
        }
    }

    #[test]
    fn another_address_in_this_network_is_a_warning() {
        let own = "192.168.1.20".parse().unwrap();
        for (found, words) in [
            (&["192.168.1.20"][..], Ok("192.168.1.20")),
            (&[], Err("rebind")),
            (&["192.168.1.20", "203.0.113.9"], Err("finds 203.0.113.9")),
            (&["2001:db8::1"], Err("finds 2001:db8::1")),
        ] {
            let found = found.iter().map(|it| it.parse().unwrap());
            let said = found_here("blue-lamp.dedyn.io", own, &found.collect::<Vec<_>>());
            match (&said, words) {
                (Ok(said), Ok(words)) | (Err(said), Err(words)) if said.contains(words) => {}
                _ => panic!("{said:?}"),
            }
        }
    }

    #[test]
    fn each_step_that_fails_has_a_sentence_with_what_to_do() {
        let own = "192.168.1.20".parse().ok();
        let at = Timestamp::parse("2027-01-02T00:00:00Z").unwrap();
        let good = HttpsStatus {
            address: own,
            leads_elsewhere: false,
            address_failure: None,
            certificate: CertificateStatus::Valid {
                until: at,
                renewed_from: at,
                is_urgent: false,
            },
            waits_for_setup: false,
            names_not_compared: false,
            certificate_failure: None,
        };
        let with = |certificate| HttpsStatus {
            certificate,
            ..good.clone()
        };
        let cases = [
            (good.clone(), None),
            (
                HttpsStatus {
                    waits_for_setup: true,
                    ..with(CertificateStatus::Missing)
                },
                Some("a guardian and a child"),
            ),
            (
                HttpsStatus {
                    leads_elsewhere: true,
                    ..good.clone()
                },
                Some("same name or token"),
            ),
            (
                HttpsStatus {
                    address: "192.168.1.9".parse().ok(),
                    ..good.clone()
                },
                Some("follows within a minute"),
            ),
            (
                with(CertificateStatus::NotYetValid { from: at }),
                Some("clock is probably behind"),
            ),
            (
                with(CertificateStatus::Expired { at }),
                Some("plain address"),
            ),
            (
                with(CertificateStatus::Valid {
                    until: at,
                    renewed_from: at,
                    is_urgent: true,
                }),
                Some("only until 2027-01-02"),
            ),
        ];

        for (status, expected) in cases {
            let said = warnings(&https(), &status, own);
            match expected {
                None => assert_eq!(said, Vec::<String>::new()),
                Some(words) => assert!(said.len() == 1 && said[0].contains(words), "{said:?}"),
            }
        }
    }
}
