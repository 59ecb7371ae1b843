//! `porchlight sign-in-link GUARDIAN` and `porchlight token GUARDIAN`

use clap::Args;

use super::{Context, Outcome, qr};
use crate::admin::{Answer, Request};
use crate::identity::GuardianName;
use crate::kernel::public_url::PublicUrl;

#[derive(Args)]
pub struct Access {
    /// The guardian's address or id
    #[arg(value_name = "EMAIL")]
    email: GuardianName,
    /// The server's URL, if no server is running that knows it
    #[arg(long, env = "PORCHLIGHT_PUBLIC_URL", value_name = "URL")]
    public_url: Option<PublicUrl>,
}

impl Access {
    pub async fn sign_in_link(self, context: &Context) -> Outcome {
        let request = Request::SignInLink { email: self.email };
        let answer = context.answer(request, self.public_url, &|_| {}).await?;
        context.print(&answer)?;
        if let Answer::SignInLink { link, .. } = &answer
            && !context.json
        {
            qr::show_on_terminal(link);
        }
        Ok(())
    }

    pub async fn token(self, context: &Context) -> Outcome {
        let request = Request::Token { email: self.email };
        context.print(&context.answer(request, self.public_url, &|_| {}).await?)
    }
}
