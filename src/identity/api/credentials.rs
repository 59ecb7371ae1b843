//! The credentials that calls carry, and who calls with them.
//!
//! poem-openapi's own way to a bearer token copies it twice and looks at each of its bytes three times. A guardian's has
//! five hundred of them, and carries every call.

use std::sync::Arc;

use poem::http::{Method, StatusCode, header};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::identity::sign_in::Recognised;
use crate::identity::{Identity, SignedAssistant, SignedIn};
use crate::kernel::problem::Refusal;

fn guardian(_: &Request, recognised: Recognised) -> Result<AsGuardian, Refusal> {
    match recognised {
        Recognised::Guardian(guardian) => Ok(AsGuardian(guardian)),
        Recognised::Assistant(_) => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "An assistant's key may not do this; it takes a parent who is signed in.",
        )),
    }
}

fn assistant(request: &Request, recognised: Recognised) -> Result<AsAssistant, Refusal> {
    match recognised {
        Recognised::Assistant(assistant) => {
            if request.method() != Method::GET {
                identity(request).take_write(assistant.id())?;
            }
            Ok(AsAssistant(assistant))
        }
        Recognised::Guardian(_) => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "Only a voice assistant with its own key may do this.",
        )),
    }
}

/// Whose credential the request carries, of whichever kind.
fn recognise(request: &Request) -> Result<Recognised, Refusal> {
    let recognised = match bearer(request) {
        Some(token) => identity(request).recognise(token)?,
        None => None,
    };
    recognised.ok_or_else(Refusal::not_signed_in)
}

/// The token in `Authorization: Bearer` (RFC 6750, section 2.1).
fn bearer(request: &Request) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?;
    let (scheme, token) = str::from_utf8(value.as_bytes()).ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("Bearer")
        .then(|| token.trim_start())
}

fn identity(request: &Request) -> &Identity {
    request
        .data::<Arc<Identity>>()
        .expect("the server hands identity to every request")
}

/// What operations ask for, and the contract describes with the same words.
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
                Ok($check(request, recognise(request)?)?)
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
