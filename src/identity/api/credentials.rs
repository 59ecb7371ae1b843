//! The credentials of API calls, and verifying them.
//!
//! poem-openapi's own security scheme refuses a request without a credential by itself, and doesn't say which one is wanted.

use std::sync::Arc;

use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use super::counting::{RequestServices, is_counted};
use crate::identity::{
    AssistantKeyError, Assistants, BudgetOwner, Caller, Identity, KeyKind, SignedAssistant,
    SignedIn,
};
use crate::kernel::host::secret::SecretKind;
use crate::kernel::http::problem::{Code, Refusal};
use crate::kernel::store::StoreError;

/// The length counted for a body without `Content-Length`.
const UNKNOWN_LENGTH: u64 = 64 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Guardian,
    Assistant,
}

impl For {
    /// The refusal of a valid credential of the other kind.
    fn forbid(self, sent: Form) -> Refusal {
        self.refuse_form(StatusCode::FORBIDDEN, sent)
    }

    /// The refusal of an invalid credential, by its form.
    fn refuse(self, sent: Option<Form>) -> Refusal {
        match (self, sent) {
            (Self::Guardian, None | Some(Form::IdentityToken)) => Refusal::not_signed_in(),
            (Self::Assistant, Some(Form::AssistantKey)) => AssistantKeyError::Ended.into(),
            (Self::Assistant, None) => Refusal::unauthorized(
                Code::AssistantKeyMissing,
                "This call takes an assistant's key, which `porchlight assistant add` prints.",
            ),
            (_, Some(sent)) => self.refuse_form(StatusCode::UNAUTHORIZED, sent),
        }
    }

    /// Names the credential that the operation accepts, and where to get one.
    fn refuse_form(self, status: StatusCode, sent: Form) -> Refusal {
        let sent = sent.name();
        let refusal = match self {
            Self::Guardian => Refusal::new(
                status,
                Code::NotAnIdentityToken,
                format!(
                    "This call takes a parent's identity token, which `porchlight token EMAIL` prints, not {sent}."
                ),
            ),
            Self::Assistant => Refusal::new(
                status,
                Code::NotAnAssistantKey,
                format!(
                    "This call takes an assistant's key, which `porchlight assistant add` prints, not {sent}."
                ),
            ),
        };
        refusal.with("sent", sent)
    }
}

/// A valid credential.
#[derive(Clone)]
enum Recognised {
    Guardian(SignedIn),
    Assistant(SignedAssistant),
}

/// Whose valid credential a request carries.
#[derive(Clone)]
pub struct CredentialOwner(Arc<Recognised>);

impl CredentialOwner {
    pub fn caller(&self) -> Caller {
        match &*self.0 {
            Recognised::Guardian(guardian) => Caller::Guardian(guardian.guardian().clone()),
            Recognised::Assistant(assistant) => Caller::Assistant(assistant.id().clone()),
        }
    }

    pub fn signed_in(&self) -> Option<&SignedIn> {
        match &*self.0 {
            Recognised::Guardian(guardian) => Some(guardian),
            Recognised::Assistant(_) => None,
        }
    }

    /// The budget that the request counts against: the guardian's, or that of the guardian who made the key. An assistant that
    /// the administrator added has none.
    pub fn budget_owner(&self, identity: &Identity) -> Result<Option<BudgetOwner>, StoreError> {
        let guardian = match &*self.0 {
            Recognised::Guardian(guardian) => Some(guardian.guardian()),
            Recognised::Assistant(assistant) => assistant.made_by(),
        };
        guardian.map(|id| identity.budget_owner(id)).transpose()
    }
}

/// The result of verifying the request's credential, stored among its extensions.
#[derive(Clone)]
struct Verified(Option<CredentialOwner>);

/// Verifies the request's credential before anything else is done, and returns whose it is if it is valid. The operation doesn't
/// verify it again.
pub fn verify_credential(request: &mut Request) -> Option<CredentialOwner> {
    let token = bearer(request)?;
    // If it cannot be verified now, the operation reports why.
    let recognised = verify(identity(request), token).ok()?;
    let owner = recognised.map(|recognised| CredentialOwner(Arc::new(recognised)));
    request.extensions_mut().insert(Verified(owner.clone()));
    owner
}

/// What a text sent as a credential looks like, valid or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    IdentityToken,
    AssistantKey,
    SignInLink,
    Cookie,
    Unknown,
}

impl Form {
    /// Recognises the form by the prefix; a link may have been pasted with or without its URL.
    fn of(credential: &str) -> Self {
        let begins = |kind: SecretKind| credential.starts_with(kind.prefix());
        if begins(SecretKind::AssistantKey) {
            Self::AssistantKey
        } else if begins(SecretKind::Link) || credential.contains("#token=") {
            Self::SignInLink
        } else if begins(SecretKind::Refresh) || begins(SecretKind::ProviderFlow) {
            Self::Cookie
        } else if credential.split('.').count() == 3 {
            Self::IdentityToken
        } else {
            Self::Unknown
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::IdentityToken => "a parent's identity token",
            Self::AssistantKey => "an assistant's key",
            Self::SignInLink => "a sign-in link",
            Self::Cookie => "a cookie",
            Self::Unknown => "this text, which is no credential of Porchlight's",
        }
    }
}

fn guardian(request: &Request) -> Result<AsGuardian, Refusal> {
    match recognise(request, For::Guardian)? {
        Recognised::Guardian(guardian) => {
            if is_counted(request) {
                let budgets = &identity(request).write_budgets;
                budgets.take(guardian.guardian(), body_length(request))?;
            }
            Ok(AsGuardian(guardian))
        }
        Recognised::Assistant(_) => Err(For::Guardian.forbid(Form::AssistantKey)),
    }
}

fn assistant(request: &Request) -> Result<AsAssistant, Refusal> {
    match recognise(request, For::Assistant)? {
        Recognised::Assistant(assistant) if !assistant.opens(KeyKind::AssistantApi) => {
            Err(Refusal::forbidden(
                Code::KeyForGateway,
                "This key is for the gateway. An assistant with a plug-in needs a key of its own.",
            ))
        }
        Recognised::Assistant(assistant) => {
            if request.method() != Method::GET {
                identity(request).assistants.take_write(assistant.id())?;
            }
            Ok(AsAssistant(assistant))
        }
        Recognised::Guardian(_) => Err(For::Assistant.forbid(Form::IdentityToken)),
    }
}

/// The assistant whose key of either kind the request carries, for APIs outside the contract. Unlike an operation, it counts no
/// write.
pub fn assistant_of(request: &Request) -> Result<SignedAssistant, Refusal> {
    match recognise(request, For::Assistant)? {
        Recognised::Assistant(assistant) => Ok(assistant),
        Recognised::Guardian(_) => Err(For::Assistant.forbid(Form::IdentityToken)),
    }
}

/// The assistant whose valid key is in these headers.
pub fn verify_key(assistants: &Assistants, headers: &HeaderMap) -> Option<SignedAssistant> {
    assistants.verify(bearer_of(headers)?).ok().flatten()
}

/// The request's `Content-Length`.
fn body_length(request: &Request) -> u64 {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or(UNKNOWN_LENGTH)
}

/// Verifies the request's credential, of either kind.
fn recognise(request: &Request, wanted: For) -> Result<Recognised, Refusal> {
    let verified = request.data::<Verified>();
    if let Some(Verified(Some(owner))) = verified {
        return Ok(Recognised::clone(&owner.0));
    }
    let Some(token) = bearer(request) else {
        return Err(wanted.refuse(None));
    };
    let recognised = match verified {
        Some(_) => None,
        None => verify(identity(request), token)?,
    };
    recognised.ok_or_else(|| wanted.refuse(Some(Form::of(token))))
}

fn verify(identity: &Identity, token: &str) -> Result<Option<Recognised>, Refusal> {
    if token.starts_with(SecretKind::AssistantKey.prefix()) {
        let assistant = identity.assistants.verify(token)?;
        return Ok(assistant.map(Recognised::Assistant));
    }
    Ok(identity.sign_ins.verify(token)?.map(Recognised::Guardian))
}

fn bearer(request: &Request) -> Option<&str> {
    bearer_of(request.headers())
}

/// The token in `Authorization: Bearer` (RFC 6750, section 2.1).
pub fn bearer_of(headers: &HeaderMap) -> Option<&str> {
    const SCHEME: &str = "Bearer ";
    let value = str::from_utf8(headers.get(header::AUTHORIZATION)?.as_bytes()).ok()?;
    let (scheme, token) = value.split_at_checked(SCHEME.len())?;
    scheme
        .eq_ignore_ascii_case(SCHEME)
        .then(|| token.trim_start())
}

fn identity(request: &Request) -> &Identity {
    let services = request.data::<Arc<RequestServices>>();
    let services = services.expect("the server hands them to every request");
    &services.identity
}

/// Defines a credential extractor and its security scheme. The description in the OpenAPI document is also its doc comment.
macro_rules! credential {
    ($type:ident($who:ty), $check:ident, $name:literal, $format:literal, $description:literal) => {
        #[doc = $description]
        pub struct $type(pub $who);

        impl<'a> ApiExtractor<'a> for $type {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];

            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                let scheme = MetaSecurityScheme {
                    ty: "http",
                    description: Some($description),
                    name: None,
                    key_in: None,
                    scheme: Some("bearer"),
                    bearer_format: Some($format),
                    flows: None,
                    openid_connect_url: None,
                };
                registry.create_security_scheme($name, scheme);
            }

            fn security_schemes() -> Vec<&'static str> {
                vec![$name]
            }

            async fn from_request(
                request: &'a Request,
                _body: &mut RequestBody,
                _options: ExtractParamOptions<()>,
            ) -> poem::Result<Self> {
                Ok($check(request)?)
            }
        }
    };
}

credential!(
    AsGuardian(SignedIn),
    guardian,
    "guardian",
    "JWT",
    "A guardian's identity token, from `POST /auth/token` or `porchlight token EMAIL`."
);
credential!(
    AsAssistant(SignedAssistant),
    assistant,
    "assistant",
    "ast_…",
    "A voice assistant's key, from `porchlight assistant add`."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_token_is_what_stands_behind_the_schemes_name() {
        let cases = [
            ("Bearer abc", Some("abc")),
            ("bearer abc", Some("abc")),
            ("BEARER   abc", Some("abc")),
            ("Bearer", None),
            ("Bearer\tabc", None),
            ("Basic abc", None),
            ("abc", None),
            ("", None),
        ];

        for (value, expected) in cases {
            let request = Request::builder()
                .header(header::AUTHORIZATION, value)
                .finish();
            assert_eq!(bearer(&request), expected, "{value}");
        }
        assert_eq!(bearer(&Request::default()), None);
    }
}
