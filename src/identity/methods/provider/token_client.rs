//! The client of the token endpoint.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use serde_json::{Map, json};

use super::claims::{AsSigned, with_types};
use super::http::{HttpClient, Unreachable};

/// A client for one request to the token endpoint. If it replaces claims in the ID token, it keeps the token as it was signed.
pub struct TokenClient<'c> {
    http: &'c HttpClient,
    as_signed: Mutex<Option<AsSigned>>,
}

impl<'c> TokenClient<'c> {
    pub fn new(http: &'c HttpClient) -> Self {
        Self {
            http,
            as_signed: Mutex::default(),
        }
    }

    pub fn into_token(self) -> Option<AsSigned> {
        let token = self.as_signed.into_inner();
        token.unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, body: &[u8]) -> Option<Vec<u8>> {
        let mut members = serde_json::from_slice::<Map<_, _>>(body).ok()?;
        let token = members.get_mut("id_token")?;
        let signed = token.as_str()?.to_owned();
        *token = json!(with_types(&signed)?);
        let mut as_signed = self
            .as_signed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *as_signed = Some(AsSigned(signed));
        serde_json::to_vec(&members).ok()
    }
}

impl<'s> AsyncHttpClient<'s> for TokenClient<'_> {
    type Error = Unreachable;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unreachable>> + Send + 's>>;

    fn call(&'s self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let answer = self.http.call(request).await?;
            let read = self.read(answer.body());
            Ok(answer.map(|body| read.unwrap_or(body)))
        })
    }
}
