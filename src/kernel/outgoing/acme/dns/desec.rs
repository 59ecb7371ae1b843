//! deSEC's API (<https://desec.readthedocs.io/en/latest/dns/rrsets.html>): record sets are read, and replaced as a whole.

use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Answer, DnsProblem, DnsProvider, DnsToken, PointsTo, problem_of};
use crate::kernel::host::https_name::HttpsName;
use crate::kernel::outgoing::acme::client::Client;

const API: &str = "https://desec.io/api/v1/";

pub struct Desec {
    name: HttpsName,
    token: DnsToken,
    client: Client,
    api: Url,
}

/// The domain that holds a name's records.
#[derive(Deserialize)]
struct Domain {
    name: String,
    /// The smallest time to live, in seconds, that its records may have.
    minimum_ttl: u32,
}

#[derive(Serialize)]
struct NewRecords<'a> {
    subname: &'a str,
    r#type: &'a str,
    ttl: u32,
    records: &'a [String],
}

#[derive(Deserialize)]
struct Records {
    records: Vec<String>,
}

impl Desec {
    pub fn new(name: HttpsName, token: DnsToken, client: Client) -> Self {
        Self {
            name,
            token,
            client,
            api: API.parse().expect("it is a URL"),
        }
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Vec<u8>,
    ) -> Result<Response<Bytes>, DnsProblem> {
        let url = self.api.join(path).map_err(|_| DnsProblem::Refused)?;
        let mut authorization = HeaderValue::try_from(format!("Token {}", self.token.reveal()))
            .expect("a token is visible ASCII");
        authorization.set_sensitive(true);
        let request = Request::builder()
            .method(method)
            .uri(url.as_str())
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_TYPE, "application/json")
            .body(Bytes::from(body))
            .map_err(|_| DnsProblem::Refused)?;
        Ok(self.client.send(request).await?)
    }

    async fn domain(&self) -> Result<Domain, DnsProblem> {
        let path = format!("domains/?owns_qname={}", self.name);
        let domains = read::<Vec<Domain>>(&self.ask(Method::GET, &path, Vec::new()).await?)?;
        let own = domains.into_iter().next().ok_or(DnsProblem::NotOurs)?;
        let is_safe = own.name.parse::<HttpsName>().is_ok();
        if is_safe {
            Ok(own)
        } else {
            Err(DnsProblem::Refused)
        }
    }

    /// A name within a domain; empty for the domain itself.
    fn within(name: &str, domain: &Domain) -> Result<String, DnsProblem> {
        let sub = name.strip_suffix(&domain.name);
        match sub.ok_or(DnsProblem::Refused)? {
            "" => Ok(String::new()),
            sub => Ok(sub.strip_suffix('.').ok_or(DnsProblem::Refused)?.to_owned()),
        }
    }

    async fn records(
        &self,
        domain: &Domain,
        sub: &str,
        kind: &str,
    ) -> Result<Vec<String>, DnsProblem> {
        let sub = if sub.is_empty() { "@" } else { sub };
        let path = format!("domains/{}/rrsets/{sub}/{kind}/", domain.name);
        let answer = self.ask(Method::GET, &path, Vec::new()).await?;
        match answer.status() {
            StatusCode::NOT_FOUND => Ok(Vec::new()),
            _ => Ok(read::<Records>(&answer)?.records),
        }
    }

    /// Creates, replaces or (without records) removes a record set.
    async fn replace(
        &self,
        domain: &Domain,
        sub: &str,
        kind: &str,
        records: &[String],
    ) -> Result<(), DnsProblem> {
        let new = [NewRecords {
            subname: sub,
            r#type: kind,
            ttl: domain.minimum_ttl,
            records,
        }];
        let body = serde_json::to_vec(&new).expect("texts and numbers are JSON");
        let path = format!("domains/{}/rrsets/", domain.name);
        let answer = self.ask(Method::PATCH, &path, body).await?;
        if answer.status().is_success() {
            Ok(())
        } else {
            Err(problem_of(answer.status()))
        }
    }

    /// Changes the values of the challenge's record, unless they are as wanted.
    async fn change_challenges(
        &self,
        change: impl FnOnce(&mut Vec<String>),
    ) -> Result<(), DnsProblem> {
        let domain = self.domain().await?;
        let sub = Self::within(&self.name.challenge(), &domain)?;
        let mut records = self.records(&domain, &sub, "TXT").await?;
        let before = records.clone();
        change(&mut records);
        if records == before {
            return Ok(());
        }
        self.replace(&domain, &sub, "TXT", &records).await
    }
}

fn read<'a, T: Deserialize<'a>>(answer: &'a Response<Bytes>) -> Result<T, DnsProblem> {
    if !answer.status().is_success() {
        return Err(problem_of(answer.status()));
    }
    serde_json::from_slice(answer.body()).map_err(|_| DnsProblem::Refused)
}

fn quoted(value: &str) -> String {
    format!("\"{value}\"")
}

impl DnsProvider for Desec {
    fn set_address(&self, address: Ipv4Addr, _: Option<Ipv4Addr>) -> Answer<'_, ()> {
        Box::pin(async move {
            let domain = self.domain().await?;
            let sub = Self::within(self.name.as_str(), &domain)?;
            self.replace(&domain, &sub, "A", &[address.to_string()])
                .await
        })
    }

    fn points_to(&self) -> Answer<'_, PointsTo> {
        Box::pin(async move {
            let domain = self.domain().await?;
            let sub = Self::within(self.name.as_str(), &domain)?;
            let records = self.records(&domain, &sub, "A").await?;
            // This server sets none.
            let has_other = !self.records(&domain, &sub, "AAAA").await?.is_empty();
            Ok(match records.as_slice() {
                [one] if !has_other => one.parse().map_or(PointsTo::Elsewhere, PointsTo::Address),
                _ => PointsTo::Elsewhere,
            })
        })
    }

    fn add_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(self.change_challenges(move |records| {
            let value = quoted(value);
            if !records.contains(&value) {
                records.push(value);
            }
        }))
    }

    fn clear_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(self.change_challenges(move |records| {
            let value = quoted(value);
            records.retain(|it| *it != value);
        }))
    }

    /// Its documents say one minute; Certbot's plug-in waits 80 seconds.
    fn propagation_time(&self) -> Duration {
        Duration::from_secs(80)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::acme::tests::scripted::Server;

    const DOMAIN: &str = r#"[{"name": "lamp.dedyn.io", "minimum_ttl": 60, "keys": []}]"#;

    fn provider(server: &Server) -> Desec {
        let token = DnsToken::new("i-T3b1h_OI-H9ab8tRS98stGtURe").unwrap();
        let name = "porch.lamp.dedyn.io".parse().unwrap();
        let mut provider = Desec::new(name, token, Client::default());
        provider.api = format!("{}/api/v1/", server.url()).parse().unwrap();
        provider
    }

    #[tokio::test]
    async fn a_challenge_is_added_to_others_and_removed_alone() {
        let server = Server::start(|request| match request {
            it if it.starts_with("GET /api/v1/domains/?owns") => (200, DOMAIN.into()),
            it if it.starts_with("GET") => (200, r#"{"records": ["\"other\""]}"#.into()),
            _ => (200, "[]".into()),
        })
        .await;
        let provider = provider(&server);

        provider.add_challenge("mine").await.unwrap();
        provider.clear_challenge("other").await.unwrap();

        let changes = server.requests();
        let changes = changes.iter().filter(|it| it.starts_with("PATCH"));
        let rest = r#""subname":"_acme-challenge.porch","type":"TXT","ttl":60,"records""#;
        assert_eq!(
            changes.collect::<Vec<_>>(),
            [
                &format!(
                    r#"PATCH /api/v1/domains/lamp.dedyn.io/rrsets/ [{{{rest}:["\"other\"","\"mine\""]}}]"#
                ),
                &format!(r#"PATCH /api/v1/domains/lamp.dedyn.io/rrsets/ [{{{rest}:[]}}]"#),
            ]
        );
        assert!(
            server
                .heads()
                .iter()
                .all(|head| { head.contains("authorization: token i-t3b1h_oi-h9ab8trs98stgture") })
        );
    }

    #[tokio::test]
    async fn the_address_is_set_and_read_where_the_name_is() {
        let server = Server::start(|request| match request {
            it if it.starts_with("GET /api/v1/domains/?owns") => (200, DOMAIN.into()),
            it if it.ends_with("/rrsets/porch/A/") => (200, r#"{"records": ["10.0.0.9"]}"#.into()),
            it if it.starts_with("GET") => (404, "{}".into()),
            _ => (200, "[]".into()),
        })
        .await;
        let provider = provider(&server);

        provider
            .set_address([10, 0, 0, 9].into(), None)
            .await
            .unwrap();

        assert_eq!(
            provider.points_to().await,
            Ok(PointsTo::Address([10, 0, 0, 9].into()))
        );
        assert!(server.requests().contains(
            &r#"PATCH /api/v1/domains/lamp.dedyn.io/rrsets/ [{"subname":"porch","type":"A","ttl":60,"records":["10.0.0.9"]}]"#
                .to_owned()
        ));
    }

    #[tokio::test]
    async fn a_name_with_an_ipv6_address_leads_elsewhere() {
        let server = Server::start(|request| match request {
            it if it.starts_with("GET /api/v1/domains/?owns") => (200, DOMAIN.to_owned()),
            it if it.ends_with("/A/") => (200, r#"{"records": ["10.0.0.9"]}"#.into()),
            _ => (200, r#"{"records": ["2001:db8::1"]}"#.into()),
        })
        .await;

        assert_eq!(provider(&server).points_to().await, Ok(PointsTo::Elsewhere));
    }

    #[tokio::test]
    async fn what_the_provider_refuses_is_told_apart() {
        for (status, body, expected) in [
            (401, "{}", DnsProblem::Token),
            (403, "{}", DnsProblem::NotOurs),
            (200, "[]", DnsProblem::NotOurs),
            (
                200,
                r#"[{"name": "../../x", "minimum_ttl": 1}]"#,
                DnsProblem::Refused,
            ),
            (429, "{}", DnsProblem::RateLimited),
            (503, "", DnsProblem::Unreachable),
        ] {
            let server = Server::start(move |_| (status, body.into())).await;
            let refused = provider(&server).add_challenge("v").await;
            assert_eq!(refused, Err(expected), "{status} {body}");
        }
    }
}
