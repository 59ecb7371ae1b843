//! The gateway's endpoint: the checks of every call, and errors in the form of the API that the client speaks.

use std::sync::{Arc, LazyLock};

use poem::http::header;
use poem::{Endpoint, EndpointExt, Request, Response, Result};
use serde_json::Value;

use super::calls::Calls;
use super::envelope;
use super::methods::Methods;
use crate::assistants::gateway::api::{GatewayApi, InDialect, OPERATIONS, error_response};
use crate::assistants::gateway::{self, Gateway, Origins};

/// The gateway behind the same limits and budgets as the API's calls.
pub fn endpoint(calls: &Calls, gateway: Gateway, origins: Origins) -> impl Endpoint + use<> {
    static METHODS: LazyLock<Methods> = LazyLock::new(|| Methods::listed(&OPERATIONS));
    let calls = TranslatedErrors(Calls {
        limits: Arc::clone(&calls.limits),
        budget: calls.budget.clone(),
        methods: &METHODS,
        services: Arc::clone(&calls.services),
        access_log: calls.access_log.clone(),
        operations: GatewayApi(gateway).boxed(),
    });
    ForPages { origins, calls }
}

/// Lets pages of the named origins call the gateway.
struct ForPages {
    origins: Origins,
    calls: TranslatedErrors,
}

impl Endpoint for ForPages {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let Some(origin) = self.origins.allowed(request.headers()) else {
            return self.calls.call(request).await;
        };
        let mut response = match gateway::preflight(request.method(), request.headers()) {
            Some((status, headers)) => {
                let mut response = Response::builder().status(status).finish();
                *response.headers_mut() = headers;
                response
            }
            None => self.calls.call(request).await?,
        };
        gateway::allow(origin, response.headers_mut());
        Ok(response)
    }
}

struct TranslatedErrors(Calls);

impl Endpoint for TranslatedErrors {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = request.uri().path().to_owned();
        let response = envelope::into_error_response(self.0.call(request)).await;
        let (status, is_error) = (response.status(), response.status().as_u16() >= 400);
        if !is_error || response.data::<InDialect>().is_some() {
            return Ok(response);
        }
        let (parts, body) = response.into_parts();
        let problem = body.into_bytes().await.unwrap_or_default();
        let problem = serde_json::from_slice::<Value>(&problem).unwrap_or_default();
        let detail = problem["detail"]
            .as_str()
            .unwrap_or("The request was refused.");
        let mut response = error_response(&path, status, detail);
        for name in [header::RETRY_AFTER, header::ALLOW] {
            if let Some(value) = parts.headers.get(&name) {
                response.headers_mut().insert(name, value.clone());
            }
        }
        Ok(response)
    }
}
