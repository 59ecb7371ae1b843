//! The options for the model that reads along.

use std::path::PathBuf;

use clap::Args;

use super::{Unsound, secret_in};
use crate::alerts::reviewer::{NamedReviewer, ReviewerSettings, TokenBudget};
use crate::models::{InvalidUpstream, UpstreamUrl, valid_models};

#[derive(Clone, Debug, Args)]
pub struct ReviewerModelOptions {
    /// The model that reads along with children whose parents want that, such as llama3.1:8b
    #[arg(long, env = "PORCHLIGHT_REVIEWER_MODEL", value_name = "MODEL")]
    pub reviewer_model: Option<String>,

    /// Where that model is, such as https://api.example.org/v1. Default: the gateway's upstream
    #[arg(
        long,
        env = "PORCHLIGHT_REVIEWER_URL",
        value_name = "URL",
        requires = "reviewer_model"
    )]
    pub reviewer_url: Option<UpstreamUrl>,

    /// A file that holds the key for that address
    #[arg(
        long,
        env = "PORCHLIGHT_REVIEWER_KEY_FILE",
        value_name = "FILE",
        requires = "reviewer_url"
    )]
    pub reviewer_key_file: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub struct ReviewerOptions {
    #[command(flatten)]
    pub named: ReviewerModelOptions,

    /// How many tokens that model may use for one child in a day (UTC)
    #[arg(
        long,
        env = "PORCHLIGHT_REVIEWER_BUDGET",
        default_value = "300000",
        value_name = "TOKENS"
    )]
    pub reviewer_budget: TokenBudget,
}

impl ReviewerModelOptions {
    /// Reads the key, and checks everything.
    ///
    /// # Errors
    ///
    /// [`Unsound`] says what to change.
    pub fn check(self, warnings: &mut Vec<String>) -> Result<NamedReviewer, Unsound> {
        let models = self.reviewer_model.into_iter().collect::<Vec<_>>();
        let model = valid_models(&models).map_err(invalid)?.pop();
        let key = self.reviewer_key_file.as_deref().map(secret_in);
        let key = key.transpose()?;
        if let Some(url) = &self.reviewer_url
            && !url.is_private()
            && url.to_string().starts_with("http:")
        {
            warnings.push(format!(
                "The reviewer's address {} is plain http: everybody on the way can read what children say. Please use https.",
                url.host()
            ));
        }
        let named = NamedReviewer {
            model,
            url: self.reviewer_url,
            key,
        };
        named.server().map_err(invalid)?;
        Ok(named)
    }
}

impl ReviewerOptions {
    pub(super) fn check(self, warnings: &mut Vec<String>) -> Result<ReviewerSettings, Unsound> {
        let named = self.named.check(warnings)?;
        Ok(ReviewerSettings {
            server: named.server().map_err(invalid)?,
            model: named.model,
            budget: self.reviewer_budget,
        })
    }
}

fn invalid(error: InvalidUpstream) -> Unsound {
    Unsound(error.to_string())
}
