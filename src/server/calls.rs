//! The endpoint around all operations of the API and of the gateway: it applies the limits before each, and logs the response after it.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};

use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::http::uri::PathAndQuery;
use poem::http::{Method, StatusCode, header};
use poem::{Endpoint, Request, Response, Result};

use super::body::PendingBody;
use super::envelope;
use super::limits::RequestLimits;
use super::listener::{Held, length_of};
use super::memory::{Charge, MemoryBudget, Payer};
use super::methods::Methods;
use crate::children::access_log::AccessLog;
use crate::children::accessed;
use crate::identity::api::{RequestServices, signed_in, verify_credential};
use crate::kernel::http::origin::ClientAddress;
use crate::kernel::http::problem::Refusal;
use crate::kernel::http::wire::ReadBody;

/// The maximum size of a body without a valid credential, in bytes.
const LARGEST_OF_STRANGERS: usize = 4096;

/// Responses of up to so many bytes aren't charged: a connection's buffers have more, and the number of connections is limited.
const NOT_CHARGED: usize = 8 * 1024;

/// The charge for an endless response, in bytes: what its connection buffers of it.
const ENDLESS: usize = 64 * 1024;

/// The operations and the checks before them.
pub struct Calls {
    pub limits: Arc<RequestLimits>,
    /// Verifies credentials and counts requests; stored in each request's extensions.
    pub services: Arc<RequestServices>,
    /// The budget that bodies and responses in memory are charged to.
    pub budget: MemoryBudget,
    /// The methods of each path.
    pub methods: &'static LazyLock<Methods>,
    /// Counts who reads what a child said.
    pub access_log: AccessLog,
    pub operations: BoxEndpoint<'static, Response>,
}

impl Endpoint for Calls {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let from = request.data::<ClientAddress>().map(|from| from.0);
        let carries_credential = request.headers().contains_key(header::AUTHORIZATION);
        request.extensions_mut().insert(Arc::clone(&self.services));
        let payer = self.payer(&mut request, from);
        let answer_charge = self.open_answer(&request, &payer)?;
        // Held until the response is complete: the bytes stay in memory as long.
        let body = self.pending_body(&mut request, &payer);
        let (method, path) = (
            request.method().clone(),
            request.uri().path_and_query().cloned(),
        );
        let reader = signed_in(&request).cloned();
        // `BoxEndpoint::call` is an `async fn`, whose future would store the request several times.
        let operation = DynEndpoint::call(&*self.operations, request);
        let (answer, accessed) = accessed::collect(operation).await;
        if let Some(body) = body {
            body.discard();
        }
        envelope::log_operation(&method, &answer);
        if let (Some(reader), Ok(response)) = (&reader, &answer)
            && response.status().is_success()
        {
            self.access_log.note(reader, is_read(&method), &accessed);
        }
        if let Some(from) = from {
            if carries_credential && status_of(&answer) == StatusCode::UNAUTHORIZED {
                self.limits.note_wrong_credential(from)?;
            }
            if matches!(payer, Payer::Caller { .. }) {
                self.limits.note_caller(from);
            }
        }
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
    fn payer(&self, request: &mut Request, from: Option<IpAddr>) -> Payer {
        match verify_credential(request) {
            Some((caller, owner)) => Payer::Caller { caller, owner },
            None => {
                let from = from.unwrap_or(IpAddr::from(Ipv4Addr::UNSPECIFIED));
                Payer::Stranger(self.limits.place(from))
            }
        }
    }

    /// Hands the request its body, if it has one, for the operation to read.
    fn pending_body(&self, request: &mut Request, payer: &Payer) -> Option<Arc<PendingBody>> {
        let largest = match payer {
            Payer::Caller { .. } => usize::MAX,
            Payer::Stranger(_) => LARGEST_OF_STRANGERS,
        };
        let charge = || self.budget.open(payer);
        let body = Arc::new(PendingBody::of(request, largest, charge)?);
        let reader: Arc<dyn ReadBody> = body.clone();
        request.extensions_mut().insert(reader);
        Some(body)
    }

    /// Opens the charge for the response, and refuses to read more for a caller whose responses in flight exhaust the budget.
    fn open_answer(&self, request: &Request, payer: &Payer) -> Result<Option<Charge>, Refusal> {
        let Payer::Caller { .. } = payer else {
            // Responses without a credential are small or shared.
            return Ok(None);
        };
        let charge = self.budget.open(payer);
        if is_read(request.method()) {
            charge.require_capacity()?;
        }
        Ok(Some(charge))
    }
}

fn status_of(answer: &Result<Response>) -> StatusCode {
    match answer {
        Ok(response) => response.status(),
        Err(error) => error.status(),
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
    if bytes <= NOT_CHARGED {
        return Ok(answer);
    }
    if may_refuse {
        charge.add_answer(bytes).map_err(Refusal::from)?;
    } else {
        charge.add_in_any_case(bytes);
    }
    answer.extensions_mut().insert(Held::new(charge));
    Ok(answer)
}
