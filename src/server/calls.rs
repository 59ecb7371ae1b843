//! The endpoint around all operations of the API and of the gateway: it applies the limits before each, and logs the response after it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem::http::uri::PathAndQuery;
use poem::{Endpoint, Request, Response, Result};
use poem_openapi::OperationId;

use super::body::{ReadBody, TooManyBytes};
use super::envelope;
use super::limits::RequestLimits;
use super::listener::{Held, length_of};
use super::memory::{Charge, MemoryBudget, Payer};
use super::methods::{Access, Methods};
use crate::children::accessed::{self, Accessed};
use crate::identity::api::{signed_in, verify_credential};
use crate::identity::{Identity, SignedIn};
use crate::kernel::origin::ClientAddress;
use crate::looks::Looks;

/// The maximum size of a body without a credential, in bytes.
pub const LARGEST_PUBLIC_BODY: usize = 4096;

/// The charge for an endless response, in bytes: what its connection buffers of it.
const ENDLESS: usize = 64 * 1024;

/// The operations and the checks before them.
pub struct Calls {
    pub limits: Arc<RequestLimits>,
    pub read_body: ReadBody,
    /// The maximum size of a body with a credential, in bytes.
    pub largest_body: fn(path: &str) -> usize,
    /// The budget that bodies and responses in memory are charged to.
    pub budget: MemoryBudget,
    /// The methods of each path.
    pub methods: &'static Methods,
    /// Checks credentials; stored in each request's extensions.
    pub identity: Arc<Identity>,
    /// Counts who reads what a child said.
    pub looks: Looks,
    pub operations: BoxEndpoint<'static, Response>,
}

impl Endpoint for Calls {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let admitted = self.limits.admit(&mut request)?;
        request.extensions_mut().insert(Arc::clone(&self.identity));
        let payer = self.payer(&mut request);
        let has_credential = matches!(payer, Payer::Caller { .. });
        // Held until the response is complete: the bytes stay in memory as long.
        let _body = self.read_body(&mut request, &payer).await?;
        let answer_charge = self.open_answer(&request, &payer)?;
        let (method, path) = (
            request.method().clone(),
            request.uri().path_and_query().cloned(),
        );
        let reader = signed_in(&request).cloned();
        let (answer, accessed) = accessed::collect(self.operations.call(request)).await;
        envelope::log_operation(&method, &answer);
        if let (Some(reader), Ok(response)) = (&reader, &answer) {
            self.note_look(reader, response, &accessed);
        }
        self.limits
            .note_answer(admitted.as_ref(), has_credential, &answer)?;
        let answer = envelope::name_methods(
            self.methods,
            path.as_ref().map_or("", PathAndQuery::path),
            answer,
        )?;
        match answer_charge {
            Some(charge) => charged(answer, charge, is_read(&method)),
            None => Ok(answer),
        }
    }
}

impl Calls {
    fn note_look(&self, reader: &SignedIn, response: &Response, accessed: &Accessed) {
        let operation = response.data::<OperationId>();
        if let Some(operation) = operation
            && response.status().is_success()
        {
            self.looks.note(reader, operation.0, accessed);
        }
    }

    fn payer(&self, request: &mut Request) -> Payer {
        match verify_credential(request) {
            Some((caller, owner)) => Payer::Caller { caller, owner },
            None => {
                let address = request.data::<ClientAddress>();
                let unknown = IpAddr::from(Ipv4Addr::UNSPECIFIED);
                let address = address.map_or(unknown, |ClientAddress(address)| *address);
                Payer::Stranger(self.limits.place(address))
            }
        }
    }

    /// Reads the body if the operation accepts one from this caller. Otherwise the operation, or the router, refuses
    /// the request without it.
    async fn read_body(&self, request: &mut Request, payer: &Payer) -> Result<Option<Charge>> {
        let body = request.take_body();
        if body.is_empty() {
            return Ok(None);
        }
        request.set_body(body);
        let path = request.uri().path();
        let limit = match (self.methods.access(request.method(), path), payer) {
            (Some(Access::Public), _) => LARGEST_PUBLIC_BODY,
            (Some(Access::Credential), Payer::Caller { .. }) => (self.largest_body)(path),
            (Some(Access::Credential), Payer::Stranger(_)) | (None, _) => {
                self.read_body.discard(request);
                return Ok(None);
            }
        };
        let charge = self.budget.open(payer);
        self.read_body.read(request, limit, charge).await.map(Some)
    }

    /// Opens the charge for the response, and refuses to read more for a caller whose responses in flight exhaust the budget.
    fn open_answer(&self, request: &Request, payer: &Payer) -> Result<Option<Charge>> {
        let Payer::Caller { .. } = payer else {
            // Responses without a credential are small or shared.
            return Ok(None);
        };
        let mut charge = self.budget.open(payer);
        if is_read(request.method()) {
            charge.add(1).map_err(|_| TooManyBytes)?;
        }
        Ok(Some(charge))
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// Charges the response until its last byte is sent. A read may be refused; the response to a write is always sent.
fn charged(mut answer: Response, mut charge: Charge, may_refuse: bool) -> Result<Response> {
    let bytes = length_of(&mut answer).map_or(ENDLESS, |bytes| {
        usize::try_from(bytes).unwrap_or(usize::MAX)
    });
    if may_refuse {
        charge.add_answer(bytes).map_err(|_| TooManyBytes)?;
    } else {
        charge.add_in_any_case(bytes);
    }
    answer.extensions_mut().insert(Held::new(charge));
    Ok(answer)
}
