//! Whether an upstream works now, for the administrator.

use std::time::Duration;

use bytes::Bytes;
use hyper::Method;
use hyper::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use serde_json::{Value, json};

use super::client::{UpstreamClient, UpstreamError, UpstreamResponse, UpstreamStatus};
use super::upstream::{Upstream, UpstreamForm};
use crate::kernel::outgoing::https;

/// For the list of models.
const LISTING: Duration = Duration::from_secs(15);

/// For the answer of a model, which may have to be loaded first.
const CHATTING: Duration = Duration::from_secs(60);

/// The largest response, in bytes. The list of a provider with 500 models has about 1 MB.
const LARGEST: usize = 4 * 1024 * 1024;

static JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An upstream that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamSeen {
    /// The models that it lists.
    pub models: Vec<String>,
    /// The model that answered a request; `None` if none was asked.
    pub answered: Option<String>,
}

/// Why an upstream doesn't work, in a sentence for the administrator. It quotes nothing of a response's body, because some
/// servers repeat the key there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProbeError {
    #[error(transparent)]
    NoResponse(#[from] UpstreamError),
    #[error("The upstream began an answer that took too long, broke off, or is larger than 4 MB.")]
    Unfinished,
    #[error("The upstream refuses its key (status {0}).")]
    KeyRefused(u16),
    #[error("The upstream wants a key (status {0}). Remove it, and add it again with --key-file.")]
    KeyMissing(u16),
    #[error("There is nothing at {0} (status 404).{1}")]
    NothingThere(String, &'static str),
    #[error(
        "The model {0} takes no system messages, so rules can't reach it. Please choose another one, or give its server another \
         template for it."
    )]
    NoSystemMessages(String),
    #[error("The upstream does not have the model {0}.")]
    NoSuchModel(String),
    #[error(
        "The upstream redirects to {0}. Redirects are not followed; if that address is right, please add the upstream with it."
    )]
    Redirect(String),
    #[error("The upstream answered with a web page instead of JSON.{0}")]
    WebPage(&'static str),
    #[error("The upstream's answer is not one of {0}.{1}")]
    OtherApi(&'static str, &'static str),
    #[error(
        "The upstream refuses more requests (status 429): there were too many, or its account has no credit left."
    )]
    TooMany,
    #[error("The upstream answered with the status {0}.")]
    Status(u16),
}

/// Asks for the list of models, and asks `model` for one token, with a system message; without it, the first of the models that the upstream is
/// limited to.
pub async fn probe(
    client: &UpstreamClient,
    upstream: &Upstream,
    model: Option<&str>,
) -> Result<UpstreamSeen, ProbeError> {
    let probe = Probe { client, upstream };
    let model = model.or(upstream.models.first().map(String::as_str));
    let listed = within(LISTING, probe.list()).await;
    let Some(model) = model else {
        let models = listed?;
        return Ok(UpstreamSeen {
            models,
            answered: None,
        });
    };
    // Some servers have no list of models.
    let models = match listed {
        Ok(models) => Ok(models),
        Err(error @ ProbeError::NothingThere(..)) => Err(error),
        Err(error) => return Err(error),
    };
    match (within(CHATTING, probe.chat(model)).await, models) {
        (Ok(()), models) => Ok(UpstreamSeen {
            models: models.unwrap_or_default(),
            answered: Some(model.to_owned()),
        }),
        (Err(ProbeError::NothingThere(..)), Ok(_)) => {
            Err(ProbeError::NoSuchModel(model.to_owned()))
        }
        (Err(ProbeError::NothingThere(..)), Err(error)) => Err(error),
        (Err(error), _) => Err(error),
    }
}

async fn within<T>(
    deadline: Duration,
    asked: impl Future<Output = Result<T, ProbeError>>,
) -> Result<T, ProbeError> {
    let answered = tokio::time::timeout(deadline, asked).await;
    answered.unwrap_or(Err(UpstreamError::TimedOut.into()))
}

struct Probe<'a> {
    client: &'a UpstreamClient,
    upstream: &'a Upstream,
}

impl Probe<'_> {
    async fn list(&self) -> Result<Vec<String>, ProbeError> {
        let (path, list, name) = match self.upstream.form {
            UpstreamForm::OpenAi => ("/models", "data", "id"),
            UpstreamForm::Ollama => ("/api/tags", "models", "name"),
        };
        let answer = self.ask(Method::GET, path, None).await?;
        let Some(models) = answer[list].as_array() else {
            return Err(self.other_api());
        };
        let names = models.iter().filter_map(|model| model[name].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Asks with a system message, as every request with rules has one.
    async fn chat(&self, model: &str) -> Result<(), ProbeError> {
        let (system, user) = (
            json!({"role": "system", "content": "Answer with one word."}),
            json!({"role": "user", "content": "Hi"}),
        );
        let asked = self.ask_model(model, &json!([system, user])).await;
        // Some templates raise an exception, which some servers answer with 500. Other statuses say that the model isn't ready.
        if let Err(ProbeError::Status(400 | 422 | 500)) = &asked
            && self.ask_model(model, &json!([user])).await.is_ok()
        {
            return Err(ProbeError::NoSystemMessages(model.to_owned()));
        }
        asked
    }

    async fn ask_model(&self, model: &str, messages: &Value) -> Result<(), ProbeError> {
        let body = json!({"model": model, "messages": messages, "stream": false});
        let (path, proof, limited) = match self.upstream.form {
            UpstreamForm::OpenAi => ("/chat/completions", "choices", ("max_tokens", json!(1))),
            UpstreamForm::Ollama => (
                "/api/chat",
                "message",
                ("options", json!({"num_predict": 1})),
            ),
        };
        let (name, limit) = limited;
        let mut short = body.clone();
        short[name] = limit;
        let answer = match self.ask(Method::POST, path, Some(&short)).await {
            // Reasoning models refuse `max_tokens`.
            Err(ProbeError::Status(400)) => self.ask(Method::POST, path, Some(&body)).await?,
            answer => answer?,
        };
        if answer[proof].is_null() {
            Err(self.other_api())
        } else {
            Ok(())
        }
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, ProbeError> {
        let content_type = body.map(|_| &JSON);
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let sent = self
            .client
            .send(self.upstream, method, path, Some(&JSON), content_type, body);
        let response = sent.await?;
        self.check(&response, path)?;
        let is_html = response
            .headers
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let read = https::read_body(response.body, LARGEST).await;
        let read = read.ok_or(ProbeError::Unfinished)?;
        match serde_json::from_slice(&read) {
            Ok(answer) => Ok(answer),
            Err(_) if is_html => Err(ProbeError::WebPage(self.hint())),
            Err(_) => Err(self.other_api()),
        }
    }

    /// Checks the status.
    fn check(&self, response: &UpstreamResponse, path: &str) -> Result<(), ProbeError> {
        Err(match UpstreamStatus::of(response.status) {
            UpstreamStatus::Success => return Ok(()),
            UpstreamStatus::Redirect => {
                let location = response.headers.get(LOCATION);
                let location = location.and_then(|location| location.to_str().ok());
                let to = location.and_then(|to| self.upstream.url.redirected_to(path, to));
                ProbeError::Redirect(to.unwrap_or_else(|| "no address".to_owned()))
            }
            UpstreamStatus::Key(status) if self.upstream.key.is_none() => {
                ProbeError::KeyMissing(status)
            }
            UpstreamStatus::Key(status) => ProbeError::KeyRefused(status),
            UpstreamStatus::NothingThere => {
                ProbeError::NothingThere(format!("{}{path}", self.upstream.url), self.hint())
            }
            UpstreamStatus::TooMany => ProbeError::TooMany,
            UpstreamStatus::Other(status) => ProbeError::Status(status),
        })
    }

    fn other_api(&self) -> ProbeError {
        let api = match self.upstream.form {
            UpstreamForm::OpenAi => "OpenAI's API",
            UpstreamForm::Ollama => "Ollama's API",
        };
        ProbeError::OtherApi(api, self.hint())
    }

    /// What may be wrong with the URL.
    fn hint(&self) -> &'static str {
        match self.upstream.form {
            UpstreamForm::OpenAi if !self.upstream.url.ends_with_v1() => {
                " Does its URL lack /v1 at the end?"
            }
            UpstreamForm::OpenAi => "",
            UpstreamForm::Ollama => " A server that isn't Ollama is added without --ollama.",
        }
    }
}
