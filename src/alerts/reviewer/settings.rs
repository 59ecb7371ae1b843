//! The administrator's settings: which model reviews, and where it is.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::assessing::Model;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};
use crate::models::{InvalidUpstream, Upstream, UpstreamForm, UpstreamKey, UpstreamUrl, Upstreams};

/// How many tokens reviews may use per child and day (UTC): the administrator's `--reviewer-budget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenBudget(u64);

/// The longest message, and what else is in a request about it.
const LEAST: u64 = 50_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidBudget {
    #[error(transparent)]
    NotANumber(#[from] ParseIntError),
    #[error("a reviewer needs at least {LEAST} tokens a child and day")]
    TooSmall,
}

impl Default for TokenBudget {
    /// Some ten hours of talk.
    fn default() -> Self {
        Self(300_000)
    }
}

impl FromStr for TokenBudget {
    type Err = InvalidBudget;

    fn from_str(text: &str) -> Result<Self, InvalidBudget> {
        let tokens = text.parse()?;
        if tokens < LEAST {
            return Err(InvalidBudget::TooSmall);
        }
        Ok(Self(tokens))
    }
}

impl fmt::Display for TokenBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TokenBudget {
    pub fn tokens(self) -> u64 {
        self.0
    }
}

/// A model, as the administrator names it. Each part may be left out.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct NamedReviewer {
    pub model: Option<String>,
    /// Its server's.
    pub url: Option<UpstreamUrl>,
    pub key: Option<String>,
}

impl NamedReviewer {
    /// The server. Fails if the key is invalid.
    pub fn server(&self) -> Result<Option<ReviewerServer>, InvalidUpstream> {
        let key = self.key.as_ref().map(|key| key.parse()).transpose()?;
        let server = self.url.clone().map(|url| ReviewerServer { url, key });
        Ok(server)
    }
}

/// The reviewer's server, if it isn't one of the gateway's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewerServer {
    pub url: UpstreamUrl,
    pub key: Option<UpstreamKey>,
}

impl ReviewerServer {
    pub fn upstream(&self) -> Upstream {
        Upstream {
            name: "reviewer".to_owned(),
            url: self.url.clone(),
            key: self.key.clone(),
            models: Vec::new(),
            form: UpstreamForm::OpenAi,
            added_at: Timestamp::from_micros(0),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewerSettings {
    /// `None` while the administrator names none.
    pub model: Option<String>,
    /// `None` for the gateway's upstream.
    pub server: Option<ReviewerServer>,
    pub budget: TokenBudget,
}

/// Why there is no model that reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoModel {
    #[error("The administrator has named no model (--reviewer-model).")]
    NotNamed,
    #[error(
        "The gateway has no upstream with the reviewer's model. Please add one (porchlight upstream add), or say where the model is \
         (--reviewer-url)."
    )]
    NoUpstream,
    #[error(
        "Several of the gateway's upstreams may have the reviewer's model. Please say which one (--reviewer-url), or name its models \
         (porchlight upstream add --model)."
    )]
    SeveralUpstreams,
}

impl ReviewerSettings {
    /// The model that reviews now.
    pub fn model(
        &self,
        view: &impl Read,
        upstreams: &Upstreams,
    ) -> Result<Result<Model, NoModel>, StoreError> {
        let Some(name) = self.model.clone() else {
            return Ok(Err(NoModel::NotNamed));
        };
        if let Some(server) = &self.server {
            let upstream = server.upstream();
            return Ok(Ok(Model { name, upstream }));
        }
        let (mut all, _) = upstreams.list(view)?;
        if all.iter().any(|upstream| upstream.models.contains(&name)) {
            all.retain(|upstream| upstream.models.contains(&name));
        } else {
            all.retain(|upstream| upstream.models.is_empty());
        }
        let mut all = all.into_iter();
        Ok(match (all.next(), all.next()) {
            (None, _) => Err(NoModel::NoUpstream),
            (Some(upstream), None) => Ok(Model { name, upstream }),
            (Some(_), Some(_)) => Err(NoModel::SeveralUpstreams),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_enough_for_the_longest_message() {
        assert_eq!("50000".parse(), Ok(TokenBudget(50_000)));
        assert_eq!("49999".parse::<TokenBudget>(), Err(InvalidBudget::TooSmall));
        for text in ["", "-1", "many", "1e9"] {
            assert!(text.parse::<TokenBudget>().is_err(), "{text}");
        }
    }
}
