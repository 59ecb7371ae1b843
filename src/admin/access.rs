//! How guardians get in.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::AdminError;
use super::access_log;
use super::changing::change;
use super::guardians::{GuardianEntry, guardian_entry};
use super::operation::{Operation, Reports};
use crate::app::App;
use crate::identity::{self, GuardianName, HowMany, LINK_LIFE, Named, Suspended};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::store::{Change, Purpose};

#[derive(Clone, Serialize, Deserialize)]
pub struct GetSetupLink;

#[derive(Serialize, Deserialize)]
pub struct SetupLink {
    pub link: String,
}

impl Operation for GetSetupLink {
    type Answer = SetupLink;

    async fn run(self, app: &App, _: &Reports) -> Result<SetupLink, AdminError> {
        match app.identity.setup.link()? {
            Some(link) => Ok(SetupLink { link }),
            None if app.identity.setup.is_over()? => Err(AdminError::new(
                "This Porchlight is set up. `porchlight sign-in-link EMAIL` is a guardian's way in.",
            )),
            None => Err(AdminError::new(
                "The link of the first run is made when the server starts: porchlight serve",
            )),
        }
    }
}

/// A guardian to make a link or a token for.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct SignInArguments {
    /// The guardian's address or id
    #[arg(value_name = "EMAIL")]
    pub email: GuardianName,
    /// The server's URL, if no server is running that knows it
    #[arg(long, env = "PORCHLIGHT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct MakeSignInLink(pub SignInArguments);

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub struct SignInLink {
    pub link: String,
    /// The validity in seconds.
    pub expires_in: u64,
    /// The guardian, if they have not confirmed the address that they typed.
    pub unconfirmed: Option<GuardianEntry>,
}

impl Operation for MakeSignInLink {
    type Answer = SignInLink;
    const TELLS_URL: bool = true;

    async fn run(self, app: &App, _: &Reports) -> Result<SignInLink, AdminError> {
        let whom = self.0.email;
        let link = app.identity.links.link_for(&whom).await?;
        access_log::record_link(app, &whom).await?;
        Ok(SignInLink {
            link,
            expires_in: LINK_LIFE.as_secs(),
            unconfirmed: unconfirmed(app, &whom)?,
        })
    }

    fn public_url(&self) -> Option<PublicUrl> {
        self.0.public_url.clone()
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct MakeToken(pub SignInArguments);

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub struct Token {
    pub identity_token: String,
    /// The validity in seconds.
    pub expires_in: u64,
    /// The guardian, if they have not confirmed the address that they typed.
    pub unconfirmed: Option<GuardianEntry>,
}

impl Operation for MakeToken {
    type Answer = Token;
    const TELLS_URL: bool = true;

    async fn run(self, app: &App, _: &Reports) -> Result<Token, AdminError> {
        let whom = self.0.email;
        let issued = app.identity.sign_ins.token_for(&whom).await?;
        Ok(Token {
            identity_token: issued.identity_token,
            expires_in: issued.expires_in,
            unconfirmed: unconfirmed(app, &whom)?,
        })
    }

    fn public_url(&self) -> Option<PublicUrl> {
        self.0.public_url.clone()
    }
}

fn unconfirmed(app: &App, whom: &GuardianName) -> Result<Option<GuardianEntry>, AdminError> {
    let guardian = app.identity.guardians.named(&app.store, whom)?;
    let entry = (!guardian.verified).then(|| guardian_entry(app, &app.store, guardian));
    Ok(entry.transpose()?)
}

/// Reinstates guardians and assistants that a restored backup suspended.
#[derive(Clone, Serialize, Deserialize)]
pub struct Reinstate(pub Named);

#[derive(Serialize, Deserialize)]
pub struct Reinstated {
    pub reinstated: HowMany,
    /// The ones that are still suspended.
    pub suspended: Suspended,
}

impl Operation for Reinstate {
    type Answer = Reinstated;

    async fn run(self, app: &App, _: &Reports) -> Result<Reinstated, AdminError> {
        let reinstate = move |_: &App, change: &mut Change| {
            Ok(Reinstated {
                reinstated: identity::reinstate(change, &self.0)?,
                suspended: identity::all_suspended(change)?,
            })
        };
        change(app, Purpose::Essential, reinstate).await
    }
}
