//! The administrator's settings for an external provider.

use std::fmt;

use openidconnect::IssuerUrl;
use url::Url;

use crate::kernel::host::public_url::is_protected;

/// An external provider. `Debug` and `Display` mask the secret.
#[derive(Clone)]
pub struct ProviderSettings {
    issuer: IssuerUrl,
    pub client_id: String,
    client_secret: Option<String>,
    /// The button's text.
    pub name: String,
    /// The audiences that an ID token may name besides `client_id`.
    pub(super) audiences: Vec<String>,
    /// Whether an address is accepted without `email_verified`.
    pub(super) trusts_email: bool,
}

/// Why the settings are invalid, for the administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProvider {
    #[error(
        "The OpenID Connect issuer must be an address such as https://id.example.org, as the provider \
         writes it, without a question mark, a # or a user's name."
    )]
    NotAnIssuer,
    /// The issuer is plain http on the network.
    #[error(
        "The OpenID Connect issuer must begin with https://: whoever shares the network could \
         otherwise sign in as a parent."
    )]
    PlainHttp,
    /// The client id is missing.
    #[error(
        "Please say under which client id the OpenID Connect provider knows Porchlight (--oidc-client-id)."
    )]
    NoClientId,
    /// The button's text is empty or too long.
    #[error("The name on the sign-in button (--oidc-name) must have 1 to 60 characters.")]
    Name,
    /// Addresses can't be trusted at an issuer where anybody can have an account with any address.
    #[error(
        "This OpenID Connect issuer has accounts of everybody at Microsoft, with any address, so its addresses \
         can't be trusted (--oidc-trust-email). Please name the issuer of your own tenant, such as \
         https://login.microsoftonline.com/TENANT-ID/v2.0."
    )]
    MultiTenant,
}

/// The hosts of Microsoft's issuers: worldwide, formerly, for the government of the United States, and in China.
const MICROSOFT: [&str; 5] = [
    "login.microsoftonline.com",
    "login.windows.net",
    "sts.windows.net",
    "login.microsoftonline.us",
    "login.partner.microsoftonline.cn",
];

/// Microsoft's tenants of several organizations. The last is the id of `consumers`.
const MULTI_TENANT: [&str; 4] = [
    "common",
    "organizations",
    "consumers",
    "9188040d-6c67-4c5b-b112-36a304b66dad",
];

impl ProviderSettings {
    /// Checks the settings, without any request.
    pub fn new(
        issuer: &str,
        client_id: &str,
        client_secret: Option<String>,
        name: &str,
    ) -> Result<Self, InvalidProvider> {
        let url = Url::parse(issuer).map_err(|_| InvalidProvider::NotAnIssuer)?;
        let plain = url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if !plain || !matches!(url.scheme(), "http" | "https") {
            return Err(InvalidProvider::NotAnIssuer);
        }
        if !is_protected(&url) {
            return Err(InvalidProvider::PlainHttp);
        }
        if client_id.trim().is_empty() {
            return Err(InvalidProvider::NoClientId);
        }
        let name = name.trim();
        if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
            return Err(InvalidProvider::Name);
        }
        Ok(Self {
            // Kept as it was written: issuers are compared character by character (Discovery 1.0, section 4.3).
            issuer: IssuerUrl::new(issuer.to_owned()).map_err(|_| InvalidProvider::NotAnIssuer)?,
            client_id: client_id.trim().to_owned(),
            client_secret: client_secret.filter(|secret| !secret.is_empty()),
            name: name.to_owned(),
            audiences: Vec::new(),
            trusts_email: false,
        })
    }

    /// Accepts ID tokens that also name these audiences.
    pub fn with_audiences(self, audiences: Vec<String>) -> Self {
        let audiences = audiences.iter().map(|audience| audience.trim().to_owned());
        Self {
            audiences: audiences.collect(),
            ..self
        }
    }

    /// Trusts addresses for which the provider doesn't say whether they are verified. Fails with [`InvalidProvider::MultiTenant`]
    /// if anybody can have an account with any address there.
    pub fn trusting_email(self) -> Result<Self, InvalidProvider> {
        let url = self.issuer.url();
        let tenant = url.path_segments().and_then(|mut segments| segments.next());
        let is_multi_tenant = tenant
            .is_some_and(|tenant| MULTI_TENANT.contains(&tenant.to_ascii_lowercase().as_str()));
        if is_multi_tenant && url.host_str().is_some_and(|host| MICROSOFT.contains(&host)) {
            return Err(InvalidProvider::MultiTenant);
        }
        Ok(Self {
            trusts_email: true,
            ..self
        })
    }

    pub(super) fn issuer(&self) -> &IssuerUrl {
        &self.issuer
    }

    pub(super) fn client_secret(&self) -> Option<&str> {
        self.client_secret.as_deref()
    }
}

impl fmt::Display for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secret = match self.client_secret {
            Some(_) => "with a secret",
            None => "without a secret",
        };
        let issuer = self.issuer.as_str();
        write!(
            f,
            "{issuer} as {}, {secret} (“{}”)",
            self.client_id, self.name
        )?;
        if !self.audiences.is_empty() {
            write!(f, ", also for {}", self.audiences.join(" and "))?;
        }
        if self.trusts_email {
            write!(f, ", trusting addresses without email_verified")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderSettings({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(issuer: &str) -> Result<ProviderSettings, InvalidProvider> {
        ProviderSettings::new(issuer, "porchlight", Some("s3cret".into()), "Example")
    }

    #[test]
    fn an_issuer_is_https_or_this_machine() {
        for good in [
            "https://id.example.org",
            "https://id.example.org/realms/home/",
            "http://127.0.0.1:4000",
            "http://localhost:4000",
            "http://[::1]:4000/oidc",
        ] {
            assert_eq!(settings(good).unwrap().issuer().as_str(), good);
        }
        for (bad, reason) in [
            ("http://id.example.org", InvalidProvider::PlainHttp),
            ("http://localhost.example", InvalidProvider::PlainHttp),
            ("id.example.org", InvalidProvider::NotAnIssuer),
            ("file:///etc/passwd", InvalidProvider::NotAnIssuer),
            ("https://me:pw@id.example.org", InvalidProvider::NotAnIssuer),
            ("https://id.example.org/?a", InvalidProvider::NotAnIssuer),
            ("https://id.example.org/#a", InvalidProvider::NotAnIssuer),
        ] {
            assert_eq!(settings(bad).unwrap_err(), reason, "{bad}");
        }
    }

    #[test]
    fn addresses_are_trusted_only_where_one_organization_gives_out_the_accounts() {
        let trusting = |issuer: &str| settings(issuer).unwrap().trusting_email().err();
        for multi_tenant in [
            "https://login.microsoftonline.com/common/v2.0",
            "https://login.microsoftonline.com/Organizations/v2.0/",
            "https://login.microsoftonline.com/consumers",
            "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
            "https://login.microsoftonline.us/common/v2.0",
        ] {
            let refused = trusting(multi_tenant);
            assert_eq!(
                refused,
                Some(InvalidProvider::MultiTenant),
                "{multi_tenant}"
            );
        }
        for own in [
            "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0",
            "https://nas.example.org/webman/sso",
            "https://id.example.org/common",
        ] {
            assert_eq!(trusting(own), None, "{own}");
        }
    }

    #[test]
    fn the_secret_is_masked() {
        let settings = settings("https://id.example.org").unwrap();

        assert!(!format!("{settings} {settings:?}").contains("s3cret"));
    }
}
