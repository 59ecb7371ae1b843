//! The endpoint around all operations of the API and of the gateway: it applies the limits before each, and logs the response after it.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, LazyLock};

use poem::endpoint::{BoxEndpoint, DynEndpoint};
use poem::http::uri::PathAndQuery;
use poem::http::{Method, StatusCode, header};
use poem::{Endpoint, EndpointExt as _, Request, Response, Result, Route, RouteMethod};
use poem_openapi::OpenApi;

use super::body::PendingBody;
use super::envelope;
use super::listener::{Held, length_of};
use super::memory::{Charge, MemoryBudget, Payer};
use super::methods::Methods;
use crate::children::access_log::AccessLog;
use crate::children::accessed;
use crate::identity::SignedIn;
use crate::identity::api::{
    ClientNetworks, CredentialOwner, RequestLimits, RequestServices, verify_credential,
};
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
        let sender = self.sender(&mut request, from);
        if is_read(request.method()) {
            self.require_capacity(&sender)?;
        }
        // Held until the response is complete: the bytes stay in memory as long.
        let body = self.pending_body(&mut request, &sender)?;
        let (method, path) = (
            request.method().clone(),
            request.uri().path_and_query().cloned(),
        );
        // `BoxEndpoint::call` is an `async fn`, whose future would store the request several times.
        let operation = DynEndpoint::call(&*self.operations, request);
        let (answer, accessed) = accessed::collect(operation).await;
        if let Some(body) = body {
            body.discard();
        }
        envelope::log_operation(&method, &answer);
        if let (Some(reader), Ok(response)) = (sender.signed_in(), &answer)
            && response.status().is_success()
        {
            self.access_log.record(reader, is_read(&method), &accessed);
        }
        if let Some(from) = from {
            if carries_credential && status_of(&answer) == StatusCode::UNAUTHORIZED {
                self.limits.note_wrong_credential(from)?;
            }
            if matches!(sender, Sender::Caller(_)) {
                self.limits.note_caller(from);
            }
        }
        let answer = envelope::name_methods(
            self.methods,
            path.as_ref().map_or("", PathAndQuery::path),
            answer,
        )?;
        self.charge_answer(answer, &sender, is_read(&method))
    }
}

/// Whose request it is.
enum Sender {
    /// The owner of the valid credential that it carries.
    Caller(CredentialOwner),
    Stranger(ClientNetworks),
}

impl Sender {
    fn signed_in(&self) -> Option<&SignedIn> {
        match self {
            Self::Caller(owner) => owner.signed_in(),
            Self::Stranger(_) => None,
        }
    }
}

impl Calls {
    fn sender(&self, request: &mut Request, from: Option<IpAddr>) -> Sender {
        verify_credential(request).map_or_else(
            || {
                let from = from.unwrap_or(IpAddr::from(Ipv4Addr::UNSPECIFIED));
                Sender::Stranger(self.limits.place(from))
            },
            Sender::Caller,
        )
    }

    /// Opens a charge of zero bytes for who sent the request.
    fn open_charge(&self, sender: &Sender) -> Result<Charge, Refusal> {
        let payer = match sender {
            Sender::Caller(owner) => Payer::Caller {
                caller: owner.caller(),
                owner: owner.budget_owner(&self.services.identity)?,
            },
            Sender::Stranger(place) => Payer::Stranger(*place),
        };
        Ok(self.budget.open(&payer))
    }

    /// Refuses to read more for a caller whose responses in flight exhaust the budget. Responses without a credential are small or shared.
    fn require_capacity(&self, sender: &Sender) -> Result<(), Refusal> {
        match sender {
            Sender::Caller(_) if self.budget.is_scarce() => {
                Ok(self.open_charge(sender)?.require_capacity()?)
            }
            _ => Ok(()),
        }
    }

    /// Hands the request its body, if it has one, for the operation to read.
    fn pending_body(
        &self,
        request: &mut Request,
        sender: &Sender,
    ) -> Result<Option<Arc<PendingBody>>, Refusal> {
        let largest = match sender {
            Sender::Caller(_) => usize::MAX,
            Sender::Stranger(_) => LARGEST_OF_STRANGERS,
        };
        let Some(body) = PendingBody::of(request, largest, || self.open_charge(sender))? else {
            return Ok(None);
        };
        let body = Arc::new(body);
        let reader: Arc<dyn ReadBody> = body.clone();
        request.extensions_mut().insert(reader);
        Ok(Some(body))
    }

    /// Charges the response to its caller until its last byte is sent. A read may be refused; the response to a write is always sent.
    fn charge_answer(
        &self,
        mut answer: Response,
        sender: &Sender,
        may_refuse: bool,
    ) -> Result<Response> {
        if matches!(sender, Sender::Stranger(_)) {
            return Ok(answer);
        }
        let bytes = length_of(&mut answer).map_or(ENDLESS, |bytes| {
            usize::try_from(bytes).unwrap_or(usize::MAX)
        });
        if bytes <= NOT_CHARGED {
            return Ok(answer);
        }
        let charge = self.open_charge(sender).and_then(|mut charge| {
            if may_refuse {
                charge.add_answer(bytes)?;
            } else {
                charge.add_in_any_case(bytes);
            }
            Ok(charge)
        });
        match charge {
            Ok(charge) => _ = answer.extensions_mut().insert(Held::new(charge)),
            Err(refusal) if may_refuse => return Err(refusal.into()),
            Err(_) => {}
        }
        Ok(answer)
    }
}

/// The operations by path and method. poem-openapi's own endpoint would also parse each request's query, which
/// [`Query`](crate::kernel::http::wire::Query) does where it is needed.
pub fn routes<T: OpenApi>(operations: T) -> BoxEndpoint<'static, Response> {
    let mut paths = HashMap::new();
    operations.add_routes(&mut paths);
    let routes = paths
        .into_iter()
        .fold(Route::new(), |routes, (path, methods)| {
            let methods = methods.into_iter();
            let by_method = methods.fold(RouteMethod::new(), |by_method, (method, operation)| {
                by_method.method(method, operation)
            });
            routes.at(path, by_method)
        });
    routes.boxed()
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
