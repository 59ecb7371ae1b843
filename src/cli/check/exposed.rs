//! `porchlight check`: whether other devices reach a model without Porchlight.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::Context;
use crate::admin::{ListUpstreams, UpstreamEntry};
use crate::config::Config;

/// A server on this machine accepts a connection at once.
const CONNECT: Duration = Duration::from_secs(1);

/// The warnings about models on this machine that listen on the home network.
pub async fn warnings(context: &Context, config: &Config) -> Vec<String> {
    let Some(upstreams) = context.find(ListUpstreams).await else {
        return Vec::new();
    };
    let home = config.home.clone().unwrap_or_default();
    let own = home.own_addresses().unwrap_or_default();
    let own = own.iter().map(|own| own.address).collect::<Vec<_>>();
    let warned = upstreams.entries.iter().map(|it| warning(it, &own));
    join_all(warned).await.into_iter().flatten().collect()
}

/// The warning about this upstream if it runs on this machine, and accepts connections at one of these addresses. Nothing is sent.
/// Devices without the upstream's key can't use it.
async fn warning(upstream: &UpstreamEntry, own: &[IpAddr]) -> Option<String> {
    let port = upstream.url.port_on(own).filter(|_| !upstream.has_key)?;
    let tried = own.iter().map(|address| async move {
        let address = SocketAddr::new(*address, port);
        let connected = timeout(CONNECT, TcpStream::connect(address)).await;
        connected.ok()?.ok().map(|_| address)
    });
    let open = join_all(tried).await.into_iter().flatten().next()?;
    let name = &upstream.name;
    Some(format!(
        "Other devices at home may reach the model without Porchlight. The server of {name} also listens at {open}, where it gets no \
         rules, and nothing is kept. Let it listen at 127.0.0.1 only."
    ))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;
    use crate::kernel::host::clock::Timestamp;
    use crate::models::UpstreamForm;

    fn upstream(url: &str, has_key: bool) -> UpstreamEntry {
        UpstreamEntry {
            name: "home".to_owned(),
            url: url.parse().unwrap(),
            form: UpstreamForm::Ollama,
            has_key,
            models: Vec::new(),
            added_at: Timestamp::from_micros(0),
            assistants: Vec::new(),
        }
    }

    #[tokio::test]
    async fn a_model_that_listens_on_the_home_network_is_named() {
        // Stands for this machine's address at home.
        let own = ["127.0.0.9".parse().unwrap()];
        let everywhere = TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = everywhere.local_addr().unwrap().port();

        for host in ["127.0.0.1", "localhost", "127.0.0.9", "0.0.0.0"] {
            let url = format!("http://{host}:{port}");
            let warned = warning(&upstream(&url, false), &own).await.unwrap();
            assert!(warned.contains(&format!("127.0.0.9:{port}")), "{warned}");
        }
        let url = format!("http://127.0.0.1:{port}");
        assert_eq!(warning(&upstream(&url, true), &own).await, None);
        assert_eq!(warning(&upstream(&url, false), &[]).await, None);
        let elsewhere = format!("http://192.0.2.7:{port}");
        assert_eq!(warning(&upstream(&elsewhere, false), &own).await, None);
    }

    #[tokio::test]
    async fn a_model_that_listens_on_this_machine_only_is_not() {
        let own = ["127.0.0.9".parse().unwrap()];
        let here = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", here.local_addr().unwrap());

        assert_eq!(warning(&upstream(&url, false), &own).await, None);
    }
}
