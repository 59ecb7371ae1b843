//! DuckDNS: one URL that changes everything of a name, and answers `OK` or `KO`. A name has one address and one TXT value, which
//! also answers below the name. It says nothing of what is set.

use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use hyper::{Request, StatusCode};
use url::Url;

use super::{Answer, DnsProblem, DnsProvider, DnsToken, PointsTo, problem_of};
use crate::kernel::host::https_name::HttpsName;
use crate::kernel::outgoing::acme::client::Client;

/// The domain in which it gives names away.
pub const DOMAIN: &str = ".duckdns.org";

const API: &str = "https://www.duckdns.org";

pub struct DuckDns {
    /// The name without the domain.
    label: String,
    token: DnsToken,
    client: Client,
    api: Url,
}

impl DuckDns {
    pub fn new(name: &HttpsName, token: DnsToken, client: Client) -> Self {
        let label = name.as_str().trim_end_matches(DOMAIN);
        Self {
            // Of a name below the family's, the record is that of the family's.
            label: label.rsplit('.').next().unwrap_or_default().to_owned(),
            token,
            client,
            api: API.parse().expect("it is a URL"),
        }
    }

    async fn update(&self, more: &[(&str, &str)]) -> Result<(), DnsProblem> {
        let mut url = self.api.join("/update").expect("a path joins every origin");
        url.query_pairs_mut()
            .append_pair("domains", &self.label)
            .append_pair("token", self.token.reveal())
            .extend_pairs(more);
        let request = Request::get(url.as_str()).body(Bytes::new());
        let request = request.map_err(|_| DnsProblem::Refused)?;
        let answer = self.client.send(request).await?;
        match (answer.status(), answer.body().trim_ascii()) {
            (StatusCode::OK, body) if body.starts_with(b"OK") => Ok(()),
            // It doesn't tell a wrong token from another's name.
            (StatusCode::OK, body) if body.starts_with(b"KO") => Err(DnsProblem::Token),
            (StatusCode::OK, _) => Err(DnsProblem::Refused),
            (status, _) => Err(problem_of(status)),
        }
    }
}

impl DnsProvider for DuckDns {
    fn set_address(&self, address: Ipv4Addr, _: Option<Ipv4Addr>) -> Answer<'_, ()> {
        Box::pin(async move { self.update(&[("ip", &address.to_string())]).await })
    }

    fn points_to(&self) -> Answer<'_, PointsTo> {
        Box::pin(async { Ok(PointsTo::Unknown) })
    }

    fn add_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move { self.update(&[("txt", value)]).await })
    }

    fn clear_challenge<'a>(&'a self, value: &'a str) -> Answer<'a, ()> {
        Box::pin(async move { self.update(&[("txt", value), ("clear", "true")]).await })
    }

    fn propagation_time(&self) -> Duration {
        Duration::from_secs(60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::acme::tests::scripted::Server;

    async fn provider(server: &Server) -> DuckDns {
        let token = DnsToken::new("0a1b2c3d-aaaa-bbbb").unwrap();
        let name = "blue-lamp.duckdns.org".parse().unwrap();
        let mut provider = DuckDns::new(&name, token, Client::default());
        provider.api = server.url().parse().unwrap();
        provider
    }

    #[tokio::test]
    async fn everything_is_one_request_with_the_token() {
        let server = Server::start(|_| (200, "OK".into())).await;
        let provider = provider(&server).await;

        provider
            .set_address([192, 168, 1, 20].into(), None)
            .await
            .unwrap();
        provider.add_challenge("v-1").await.unwrap();
        provider.clear_challenge("v-1").await.unwrap();

        let all = "domains=blue-lamp&token=0a1b2c3d-aaaa-bbbb";
        assert_eq!(
            server.requests(),
            [
                format!("GET /update?{all}&ip=192.168.1.20"),
                format!("GET /update?{all}&txt=v-1"),
                format!("GET /update?{all}&txt=v-1&clear=true"),
            ]
        );
    }

    #[tokio::test]
    async fn a_refusal_is_named_and_doesnt_contain_the_token() {
        for (status, body, expected) in [
            (200, "KO", DnsProblem::Token),
            (200, "<html>", DnsProblem::Refused),
            (429, "", DnsProblem::RateLimited),
            (502, "", DnsProblem::Unreachable),
        ] {
            let server = Server::start(move |_| (status, body.into())).await;
            let provider = provider(&server).await;
            let refused = provider.add_challenge("v").await.unwrap_err();
            assert_eq!(refused, expected, "{status} {body}");
            assert!(!refused.to_string().contains("0a1b2c3d"));
        }
        assert!(!format!("{:?}", DnsToken::new("0a1b2c3d-aaaa").unwrap()).contains("0a1b"));
    }
}
