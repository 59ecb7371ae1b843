//! The statuses that an operation declares.

use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;

use super::{JSON, Problem, Refusal};

/// The bits of [`Refused`], one for each status of the contract.
const STATUSES: [(u32, u16, &str); 12] = [
    (MALFORMED, 400, "The request is malformed."),
    (UNAUTHORIZED, 401, "The credential is missing or invalid."),
    (
        FORBIDDEN,
        403,
        "Not allowed for this kind of credential, or only after stepping up.",
    ),
    (
        NOT_FOUND,
        404,
        "Not found, or not accessible to the caller.",
    ),
    (
        CONFLICT,
        409,
        "The request conflicts with the current state.",
    ),
    (CHANGED, 412, "It was changed meanwhile."),
    (TOO_LARGE, 413, "The request is too large."),
    (MEDIA_TYPE, 415, "The request is of the wrong media type."),
    (RULE, 422, "The request violates a rule of the product."),
    (
        TOO_MANY,
        429,
        "Too many requests, or too many changes by the guardian today.",
    ),
    (NOT_NOW, 503, "The server cannot do this at the moment."),
    (FULL, 507, "The disk is full."),
];

pub const MALFORMED: u32 = 1 << 0;
pub const UNAUTHORIZED: u32 = 1 << 1;
const FORBIDDEN: u32 = 1 << 2;
pub const NOT_FOUND: u32 = 1 << 3;
pub const CONFLICT: u32 = 1 << 4;
pub const CHANGED: u32 = 1 << 5;
const TOO_LARGE: u32 = 1 << 6;
const MEDIA_TYPE: u32 = 1 << 7;
pub const RULE: u32 = 1 << 8;
const TOO_MANY: u32 = 1 << 9;
const NOT_NOW: u32 = 1 << 10;
const FULL: u32 = 1 << 11;

/// The statuses of every operation.
pub const PUBLIC: u32 = TOO_MANY | NOT_NOW;
/// The statuses of an operation that needs a credential.
pub const SIGNED_IN: u32 = PUBLIC | UNAUTHORIZED | FORBIDDEN;
/// The statuses of an operation on one child's data.
pub const CHILD: u32 = SIGNED_IN | NOT_FOUND;
/// The statuses of an operation with a body.
pub const BODY: u32 = MALFORMED | TOO_LARGE | MEDIA_TYPE;
/// The statuses of an operation that writes.
pub const WRITE: u32 = FULL;
/// The statuses of an operation that our own pages call with their cookie.
pub const COOKIE: u32 = PUBLIC | FORBIDDEN;

/// A [`Refusal`] with one of the statuses in `SET`.
#[derive(Debug)]
pub struct Refused<const SET: u32>(Refusal);

impl<const SET: u32, E: Into<Refusal>> From<E> for Refused<SET> {
    fn from(error: E) -> Self {
        let refusal = error.into();
        debug_assert!(
            STATUSES
                .iter()
                .any(|(bit, status, _)| SET & bit != 0 && *status == refusal.status),
            "the operation's signature does not list {}",
            refusal.status
        );
        Self(refusal)
    }
}

impl<const SET: u32> From<Refused<SET>> for poem::Error {
    fn from(refused: Refused<SET>) -> Self {
        refused.0.into()
    }
}

impl<const SET: u32> ApiResponse for Refused<SET> {
    fn meta() -> MetaResponses {
        listed(SET)
    }

    fn register(registry: &mut Registry) {
        Problem::register(registry);
    }
}

/// The contract's description of the statuses in a set. It isn't in [`Refused`], which is instantiated for each set.
fn listed(set: u32) -> MetaResponses {
    let problem = |status, description| MetaResponse {
        description,
        status,
        status_range: None,
        content: vec![MetaMediaType {
            content_type: JSON,
            schema: Problem::schema_ref(),
        }],
        headers: matches!(status, None | Some(429 | 503))
            .then(retry_after)
            .into_iter()
            .collect(),
    };
    let listed = STATUSES.iter().filter(|(bit, ..)| set & bit != 0);
    let listed = listed.map(|(_, status, description)| problem(Some(*status), *description));
    let mut responses = listed.collect::<Vec<_>>();
    responses.sort_by_key(|response| response.status);
    responses.push(problem(None, OF_ANY_REQUEST));
    MetaResponses { responses }
}

/// What the server can answer to any request.
const OF_ANY_REQUEST: &str = "Any request can be answered so: the server doesn't answer requests for this host name (421), the URL or the headers are too \
     long (431), it is none of the contract's (400, 405), there are too many (429, with Retry-After), or the server cannot do this at the moment (503, \
     with Retry-After). Those with a body: it is too large (413) or not JSON (415). Changes: the disk is full (507).";

fn retry_after() -> MetaHeader {
    MetaHeader {
        name: "Retry-After".to_owned(),
        description: Some("After how many seconds a retry may succeed.".to_owned()),
        required: false,
        deprecated: false,
        schema: u32::schema_ref(),
    }
}
