//! The endpoint around all API operations: it applies the limits before each, and logs the answer after it.

use std::sync::Arc;

use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::http::uri::PathAndQuery;
use poem::{Endpoint, Request, Response, Result};

use super::body::ReadBody;
use super::envelope;
use super::limits::RequestLimits;
use super::methods::Methods;
use crate::identity::Identity;

/// The operations behind what guards them.
pub struct Calls {
    /// The rate limits.
    pub limits: RequestLimits,
    /// The limits on bodies.
    pub read_body: ReadBody,
    /// Which methods each address takes.
    pub methods: &'static Methods,
    /// Checks credentials; stored in each request's extensions.
    pub identity: Arc<Identity>,
    /// The operations.
    pub operations: BoxEndpoint<'static, Response>,
}

impl Endpoint for Calls {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let admitted = self.limits.admit(&mut request)?;
        // Held until the answer is made: the bytes are in memory as long.
        let _room = self.read_body.read(&mut request).await?;
        request.extensions_mut().insert(Arc::clone(&self.identity));
        let (method, path) = (
            request.method().clone(),
            request.uri().path_and_query().cloned(),
        );
        let answer = DynEndpoint::call(&*self.operations, request).await;
        envelope::log_operation(&method, &answer);
        self.limits.note_answer(admitted.as_ref(), &answer)?;
        envelope::name_methods(
            self.methods,
            path.as_ref().map_or("", PathAndQuery::path),
            answer,
        )
    }
}
