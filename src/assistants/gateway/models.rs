//! The upstream's models, as the key's client may choose them: with the children's names if the key has several.

use bytes::Bytes;
use hyper::header::HeaderValue;
use hyper::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Duration, timeout};

use super::body::model_of_show;
use super::child_selection::{names, offers, select_child};
use super::error::GatewayError;
use super::response::{GatewayBody, GatewayResponse, json as json_response};
use super::service::Gateway;
use super::upstream_response::{pass_on_headers, upstreams_error};
use crate::identity::SignedAssistant;
use crate::kernel::http::problem::JSON;
use crate::kernel::outgoing::https;
use crate::models::{Upstream, UpstreamForm, UpstreamResponse};

/// Of a list of models, in bytes. The longest that a provider answers has some hundred models.
const LARGEST_LIST: usize = 4 * 1024 * 1024;

const LIST_TIME: Duration = Duration::from_secs(30);

impl Gateway {
    /// `GET /v1/models`.
    pub async fn models(
        &self,
        assistant: &SignedAssistant,
    ) -> Result<GatewayResponse, GatewayError> {
        let list = self.openai_models(assistant).await?;
        Ok(json_response(StatusCode::OK, &list))
    }

    /// `GET /v1/models/{id}`.
    pub async fn model(
        &self,
        assistant: &SignedAssistant,
        id: &str,
    ) -> Result<GatewayResponse, GatewayError> {
        let list = self.openai_models(assistant).await?;
        let models = list["data"].as_array();
        let found = models.and_then(|models| models.iter().find(|model| model["id"] == id));
        let found = found.ok_or_else(|| GatewayError::model_not_found(id))?;
        Ok(json_response(StatusCode::OK, found))
    }

    async fn openai_models(&self, assistant: &SignedAssistant) -> Result<Value, GatewayError> {
        let upstream = self.upstream_of(assistant)?;
        let path = match upstream.form {
            UpstreamForm::OpenAi => "/models",
            UpstreamForm::Ollama => "/v1/models",
        };
        self.list(assistant, &upstream, path, "data", &["id"]).await
    }

    /// Ollama's `GET /api/tags`.
    pub async fn tags(&self, assistant: &SignedAssistant) -> Result<GatewayResponse, GatewayError> {
        let upstream = self.ollama_of(assistant)?;
        let list = self.list(
            assistant,
            &upstream,
            "/api/tags",
            "models",
            &["name", "model"],
        );
        Ok(json_response(StatusCode::OK, &list.await?))
    }

    /// Ollama's `GET /api/version`.
    pub async fn version(
        &self,
        assistant: &SignedAssistant,
    ) -> Result<GatewayResponse, GatewayError> {
        let upstream = self.ollama_of(assistant)?;
        self.check_rate_limit(assistant)?;
        let _slot = self.admit(assistant, None).await?;
        let answer = self.ask(&upstream, Method::GET, "/api/version", Bytes::new());
        pass_on(&upstream, answer.await?).await
    }

    /// Ollama's `POST /api/show`.
    pub async fn show(
        &self,
        assistant: &SignedAssistant,
        body: &[u8],
    ) -> Result<GatewayResponse, GatewayError> {
        let upstream = self.ollama_of(assistant)?;
        self.check_rate_limit(assistant)?;
        let _slot = self.admit(assistant, None).await?;
        let children = self.children_of(assistant)?;
        let sent = model_of_show(body)?;
        let model = select_child(&sent, None, &children).model;
        if !offers(&upstream, model) {
            return Err(GatewayError::model_not_found(model));
        }
        let body = json!({"model": model}).to_string().into();
        let answer = self.ask(&upstream, Method::POST, "/api/show", body);
        pass_on(&upstream, answer.await?).await
    }

    /// The key's upstream if it is Ollama.
    pub fn ollama_of(&self, assistant: &SignedAssistant) -> Result<Upstream, GatewayError> {
        let upstream = self.upstream_of(assistant)?;
        match upstream.form {
            UpstreamForm::Ollama => Ok(upstream),
            UpstreamForm::OpenAi => Err(GatewayError::not_found(
                "The model behind this key isn't an Ollama. Please use the address that ends with /gateway/v1.",
            )),
        }
    }

    /// A list of models, from a field of the upstream's answer.
    async fn list(
        &self,
        assistant: &SignedAssistant,
        upstream: &Upstream,
        path: &str,
        field: &str,
        named_by: &[&str],
    ) -> Result<Value, GatewayError> {
        self.check_rate_limit(assistant)?;
        let _slot = self.admit(assistant, None).await?;
        let children = self.children_of(assistant)?;
        let answer = self.ask(upstream, Method::GET, path, Bytes::new()).await?;
        if !answer.status.is_success() {
            return Err(upstreams_error(upstream, answer).await);
        }
        let mut list = serde_json::from_slice::<Value>(&read(answer).await?)
            .map_err(|_| GatewayError::upstream_invalid())?;
        let Some(models) = list.get_mut(field).and_then(Value::as_array_mut) else {
            return Err(GatewayError::upstream_invalid());
        };
        let mut offered = Vec::new();
        for model in models.drain(..) {
            let Some(name) = model[named_by[0]].as_str().map(str::to_owned) else {
                continue;
            };
            if !offers(upstream, &name) {
                continue;
            }
            for shown in names(&name, &children) {
                let mut model = model.clone();
                for field in named_by {
                    model[*field] = shown.as_str().into();
                }
                offered.push(model);
            }
        }
        *models = offered;
        Ok(list)
    }

    pub async fn ask(
        &self,
        upstream: &Upstream,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<UpstreamResponse, GatewayError> {
        let json = HeaderValue::from_static(JSON);
        let content_type = (!body.is_empty()).then_some(&json);
        let asked = self
            .client
            .send(upstream, method, path, Some(&json), content_type, body);
        Ok(asked.await?)
    }
}

pub async fn pass_on(
    upstream: &Upstream,
    answer: UpstreamResponse,
) -> Result<GatewayResponse, GatewayError> {
    if !answer.status.is_success() {
        return Err(upstreams_error(upstream, answer).await);
    }
    let (status, headers) = (answer.status, answer.headers.clone());
    let mut response = Response::new(GatewayBody::Whole(read(answer).await?));
    *response.status_mut() = status;
    pass_on_headers(&headers, response.headers_mut());
    Ok(response)
}

async fn read(answer: UpstreamResponse) -> Result<Bytes, GatewayError> {
    let body = https::read_body(answer.body, LARGEST_LIST);
    match timeout(LIST_TIME, body).await {
        Ok(body) => body.ok_or_else(GatewayError::upstream_invalid),
        Err(_) => Err(GatewayError::upstream_too_slow("half a minute")),
    }
}
