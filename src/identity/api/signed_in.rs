//! What answers a sign-in: the first identity token, and the cookie for further ones.

use poem::Request;
use poem_openapi::{ApiResponse, Object};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::browser::is_at_name;
use super::cookies::SIGN_IN;
use crate::identity::{GuardianId, Identity, IssuedIdentity, Refresh};
use crate::kernel::host::addresses::NameFault;
use crate::kernel::host::language::Language;
use crate::kernel::http::wire::Body;
use crate::kernel::outgoing::mail::EmailAddress;

/// The signed-in guardian.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[oai(rename = "Guardian", skip_serializing_if_is_none)]
struct GuardianView {
    /// Never changes.
    id: GuardianId,
    /// The address to which sign-in links are sent, once it is verified.
    email: EmailAddress,
    /// `true` while the address is unverified: they typed it and have not used a link or code from an e-mail to it.
    email_unverified: Option<bool>,
    /// The number of unacknowledged sign-ins on other devices; omitted if zero.
    new_sign_ins: Option<u64>,
    /// `true` when recovery codes were made on another device since this one signed in, until the notice is dismissed on this
    /// device.
    new_recovery_codes: Option<bool>,
    /// The guardian's name; omitted if none was given.
    name: Option<String>,
    /// The language of e-mails and notifications to them; omitted until they signed in or chose one.
    language: Option<Language>,
    /// The server's name for https, while it cannot be used, for a guardian who has signed in there and who is at the plain address
    /// now, which isn't encrypted.
    unusable_name: Option<UnusableName>,
    /// The plain address, where the guardian has just been signed out everywhere because they signed in at the server's name for
    /// https.
    signed_out_url: Option<String>,
}

/// The server's name for https, which cannot be used now.
#[derive(Debug, Object, Serialize, Deserialize)]
struct UnusableName {
    url: String,
    fault: NameFault,
}

/// A new identity token.
#[derive(Debug, Object, Serialize, Deserialize)]
#[oai(rename = "IssuedIdentity")]
pub struct IssuedIdentityView {
    /// An OpenID Connect ID token, for `Authorization: Bearer`.
    identity_token: String,
    /// Its lifetime in seconds.
    expires_in: u64,
    guardian: GuardianView,
}

impl IssuedIdentityView {
    pub fn new(issued: IssuedIdentity, request: &Request, identity: &Identity) -> Self {
        let guardian = issued.guardian;
        let unusable_name = (!is_at_name(request))
            .then(|| identity.unusable_name_of(&guardian))
            .flatten()
            .map(|(url, fault)| UnusableName {
                url: url.origin().to_string(),
                fault,
            });
        Self {
            identity_token: issued.identity_token,
            expires_in: issued.expires_in,
            guardian: GuardianView {
                id: guardian.id,
                email: guardian.email,
                email_unverified: (!guardian.verified).then_some(true),
                new_sign_ins: Some(issued.new_sign_ins).filter(|new| *new > 0),
                new_recovery_codes: issued.new_recovery_codes.then_some(true),
                name: guardian.name,
                language: guardian.language,
                unusable_name,
                signed_out_url: issued
                    .ended_plain
                    .then(|| identity.public_url().origin().to_string()),
            },
        }
    }
}

#[derive(ApiResponse)]
pub enum SignedInAnswer {
    /// Signed in.
    #[oai(status = 200)]
    Issued(
        Body<IssuedIdentityView>,
        #[oai(header = "Set-Cookie")] String,
    ),
}

impl SignedInAnswer {
    /// Also sets this sign-in's cookie.
    pub fn new(
        (issued, refresh): (IssuedIdentity, Refresh),
        request: &Request,
        identity: &Identity,
    ) -> Self {
        let cookie = SIGN_IN.holding(refresh.reveal(), request, identity);
        let issued = IssuedIdentityView::new(issued, request, identity);
        Self::Issued(Body(issued), cookie)
    }
}

#[derive(ApiResponse)]
pub enum GuardianCreated {
    /// The guardian was created, and is signed in.
    #[oai(status = 201)]
    Issued(
        Body<IssuedIdentityView>,
        #[oai(header = "Set-Cookie")] String,
    ),
}

impl From<SignedInAnswer> for GuardianCreated {
    fn from(SignedInAnswer::Issued(issued, cookie): SignedInAnswer) -> Self {
        Self::Issued(issued, cookie)
    }
}
