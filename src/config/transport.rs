//! Checks whether connections are encrypted.

use std::net::SocketAddr;

use super::{ServeOptions, Unsound};

impl ServeOptions {
    pub(super) fn check_transport(
        &self,
        listen: SocketAddr,
        warnings: &mut Vec<String>,
    ) -> Result<(), Unsound> {
        let Some(url) = &self.public_url else {
            if !listen.ip().is_loopback() {
                warnings.push(
                    "It listens on the network without a public URL (--public-url), \
                     so links lead to this machine alone."
                        .into(),
                );
            }
            return Ok(());
        };
        if url.is_https() || url.is_loopback() {
            return Ok(());
        }
        if !self.insecure_http {
            return Err(Unsound(format!(
                "{url} is plain http, so whoever shares the network could read along. Use https \
                 (--tls-cert and --tls-key, or a reverse proxy), or say --insecure-http."
            )));
        }
        warnings.push(format!(
            "{url} is plain http: whoever shares the network can read along and sign in as a parent."
        ));
        Ok(())
    }
}
