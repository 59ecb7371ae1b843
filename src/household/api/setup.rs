//! The endpoints of the setup.

use poem::Request;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::Deserialize;

use crate::children::Period;
use crate::household::{ChildProfiles, NewChild, ProfileError};
use crate::identity::api::{
    AsGuardian, GuardianCreated, IssuedIdentityView, SignedInAnswer, device_of,
    require_same_origin, sign_in_limit, uncounted,
};
use crate::identity::{Caller, Guardian, Identity};
use crate::kernel::host::language::Language;
use crate::kernel::host::name::valid_name;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::problem::{
    BODY, CONFLICT, COOKIE, Code, RULE, Refusal, Refused, RefusedAt, SIGNED_IN, UNAUTHORIZED, WRITE,
};
use crate::kernel::http::wire::{Body, Done, Text, given};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::Change;
use crate::rules::Profile;
use crate::rules::age::BirthMonth;

/// The maximum number of children added during setup.
const CHILDREN: usize = 20;

#[derive(Tags)]
enum Tag {
    /// The setup.
    #[oai(rename = "setup")]
    Setup,
}

/// A setup link, to continue the setup.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SetupSignInRequest {
    /// The link's token, `set_…`.
    token: Text<200>,
}

/// A child of the first guardian.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "SetupChild",
    deny_unknown_fields,
    skip_serializing_if_is_none
)]
struct SetupChildRequest {
    /// The child's name.
    name: Text<200>,
    /// The month in which it was born.
    #[serde(default, deserialize_with = "given")]
    born: Option<BirthMonth>,
    /// The language that it speaks with its assistants.
    #[serde(default, deserialize_with = "given")]
    language: Option<Language>,
}

/// The first guardian and their children.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, skip_serializing_if_is_none)]
struct SetupRequest {
    /// The link's token, `set_…`.
    token: Text<200>,
    /// The first guardian's name.
    name: Text<200>,
    /// Their address. It is unverified until they use a link or code from an e-mail to it.
    email: EmailAddress,
    /// The children, one to twenty.
    #[oai(validator(min_items = 1, max_items = 20))]
    children: Vec<SetupChildRequest>,
    /// The children's time zone, by its name in the time zone database: the one of the device. If it is unknown or omitted, the
    /// server's is used.
    #[serde(default, deserialize_with = "given")]
    time_zone: Option<Text<64>>,
    /// For how many days the children's conversations are kept; for ever if it is omitted.
    #[serde(default, deserialize_with = "given")]
    retention_days: Option<Period>,
}

#[derive(ApiResponse)]
enum SetupSignIn {
    /// Signed in as the guardian who began the setup with this link.
    #[oai(status = 200)]
    Issued(
        Body<IssuedIdentityView>,
        #[oai(header = "Set-Cookie")] String,
    ),
    /// Nobody has begun the setup yet.
    #[oai(status = 204)]
    NotBegun,
}

pub struct SetupApi {
    pub identity: Identity,
    pub profiles: ChildProfiles,
}

#[OpenApi(tag = "Tag::Setup")]
impl SetupApi {
    /// Begin the setup
    ///
    /// Adds the first guardian and the children, and sets the sign-in cookie, which `/auth/token` requires. 401 unless it is the
    /// current link; 409 if somebody has begun with it. Same-origin requests only.
    #[oai(
        path = "/setup",
        method = "post",
        operation_id = "beginSetup",
        transform = "sign_in_limit"
    )]
    async fn begin(
        &self,
        request: &Request,
        body: Body<SetupRequest>,
    ) -> Result<GuardianCreated, Refused<{ COOKIE | BODY | WRITE | UNAUTHORIZED | CONFLICT | RULE }>>
    {
        require_same_origin(&self.identity, request)?;
        let SetupRequest {
            token,
            name,
            email,
            children,
            time_zone,
            retention_days,
        } = body.0;
        let name = valid_name(&name).refused_at("/name")?;
        // A browser may know zones that this server doesn't, which must not prevent the setup.
        let zone = time_zone.and_then(|name| name.parse::<Zone>().ok());
        let mut new = Vec::new();
        for (position, child) in children.iter().enumerate() {
            let name = valid_name(&child.name);
            let name = name.refused_at(format!("/children/{position}/name"))?;
            new.push(NewChild {
                name,
                period: retention_days,
                time_zone: zone.clone(),
                profile: Profile {
                    born: child.born,
                    language: child.language,
                },
            });
        }
        if !(1..=CHILDREN).contains(&new.len()) {
            let sentence = "Please name one child at least, and twenty at most.";
            return Err(
                Refusal::against_a_rule(Code::ChildNamesOutOfRange, sentence)
                    .at("/children")
                    .into(),
            );
        }
        let profiles = self.profiles.clone();
        let with = move |change: &mut Change, guardian: &Guardian| {
            for (position, child) in new.into_iter().enumerate() {
                let guardian = Caller::Guardian(guardian.id.clone());
                match profiles.create(change, child, [guardian]) {
                    Err(ProfileError::Profile(error)) => {
                        return Err(Refusal::from(error).at(format!("/children/{position}/born")));
                    }
                    created => created?,
                };
            }
            Ok::<_, Refusal>(())
        };
        let begun = self
            .identity
            .setup
            .begin(&token, name, email, device_of(request), with);
        Ok(SignedInAnswer::new(begun.await?, request, &self.identity).into())
    }

    /// Continue the setup in another browser
    ///
    /// Signs in the guardian who began with this link; 204 if nobody has begun, 401 unless it is the current link. Same-origin
    /// requests only.
    #[oai(
        path = "/setup/sign_in",
        method = "post",
        operation_id = "signInWithSetupLink",
        transform = "sign_in_limit"
    )]
    async fn sign_in(
        &self,
        request: &Request,
        body: Body<SetupSignInRequest>,
    ) -> Result<SetupSignIn, Refused<{ COOKIE | BODY | WRITE | UNAUTHORIZED }>> {
        require_same_origin(&self.identity, request)?;
        let setup = &self.identity.setup;
        match setup.sign_in(&body.0.token, device_of(request)).await? {
            Some(signed_in) => {
                let SignedInAnswer::Issued(body, cookie) =
                    SignedInAnswer::new(signed_in, request, &self.identity);
                Ok(SetupSignIn::Issued(body, cookie))
            }
            None => Ok(SetupSignIn::NotBegun),
        }
    }

    /// Complete the setup
    ///
    /// The guardian has saved their recovery codes; the link becomes invalid. Does nothing if the setup is already complete;
    /// 422 if no codes were created.
    #[oai(
        path = "/setup/finish",
        method = "post",
        operation_id = "finishSetup",
        transform = "uncounted"
    )]
    async fn finish(
        &self,
        guardian: AsGuardian,
    ) -> Result<Done, Refused<{ SIGNED_IN | RULE | WRITE }>> {
        self.identity.setup.finish(&guardian.0).await?;
        Ok(Done)
    }
}
