//! The options for an OpenID Connect provider.

use std::path::PathBuf;

use clap::Args;

use super::{Unsound, secret_in};
use crate::identity::ProviderSettings;

/// The provider, as it is asked for.
#[derive(Clone, Debug, Args)]
pub struct ProviderOptions {
    /// Let parents sign in with their account at this OpenID Connect provider, too: its issuer, such as
    /// https://id.example.org. It must know the address PUBLIC-URL/api/auth/oidc/callback
    #[arg(long, env = "PORCHLIGHT_OIDC_ISSUER", value_name = "URL")]
    pub oidc_issuer: Option<String>,

    /// The client id under which the provider knows Porchlight
    #[arg(
        long,
        env = "PORCHLIGHT_OIDC_CLIENT_ID",
        value_name = "ID",
        requires = "oidc_issuer"
    )]
    pub oidc_client_id: Option<String>,

    /// The client's secret at the provider
    #[arg(
        long,
        env = "PORCHLIGHT_OIDC_CLIENT_SECRET",
        value_name = "SECRET",
        hide_env_values = true,
        requires = "oidc_issuer"
    )]
    pub oidc_client_secret: Option<String>,

    /// A file that holds the client's secret
    #[arg(
        long,
        env = "PORCHLIGHT_OIDC_CLIENT_SECRET_FILE",
        value_name = "FILE",
        conflicts_with = "oidc_client_secret",
        requires = "oidc_issuer"
    )]
    pub oidc_client_secret_file: Option<PathBuf>,

    /// What the button for the provider says: “Sign in with …”
    #[arg(
        long,
        env = "PORCHLIGHT_OIDC_NAME",
        default_value = "your account",
        value_name = "NAME"
    )]
    pub oidc_name: String,

    /// Another audience that the provider may name in its ID tokens beside the client id, such as a project's id; may be
    /// given more than once
    #[arg(
        long,
        env = "PORCHLIGHT_OIDC_AUDIENCE",
        value_name = "AUDIENCE",
        value_delimiter = ',',
        requires = "oidc_issuer"
    )]
    pub oidc_audience: Vec<String>,

    /// Trust addresses about which the provider doesn't say whether it verified them (no email_verified), because only
    /// you give out its accounts
    #[arg(long, env = "PORCHLIGHT_OIDC_TRUST_EMAIL", requires = "oidc_issuer")]
    pub oidc_trust_email: bool,
}

impl ProviderOptions {
    pub(super) fn check(self) -> Result<Option<ProviderSettings>, Unsound> {
        let Some(issuer) = &self.oidc_issuer else {
            return Ok(None);
        };
        let secret = match &self.oidc_client_secret_file {
            Some(file) => Some(secret_in(file)?),
            None => self.oidc_client_secret,
        };
        let client_id = self.oidc_client_id.as_deref().unwrap_or_default();
        let settings = ProviderSettings::new(issuer, client_id, secret, &self.oidc_name)
            .map(|settings| settings.with_audiences(self.oidc_audience))
            .and_then(|settings| {
                if self.oidc_trust_email {
                    settings.trusting_email()
                } else {
                    Ok(settings)
                }
            });
        settings
            .map(Some)
            .map_err(|error| Unsound(error.to_string()))
    }
}
