//! `porchlight setup-link`, `sign-in-link GUARDIAN` and `token GUARDIAN`

use super::guardian::not_confirmed;
use super::output::Secret;
use super::{Context, Outcome, qr};
use crate::admin::{GetSetupLink, GuardianEntry, MakeSignInLink, MakeToken, SignInArguments};

/// What to do if the secret could not be shown.
const AGAIN: &str = "Please run the command again.";

pub async fn setup_link(context: &Context) -> Outcome {
    let made = context.ask_for_secret(GetSetupLink, |made| Secret {
        secret: made.link.clone(),
        before: String::new(),
        after: "\nIt works until somebody is set up; the next start makes another.\n".to_owned(),
        if_unseen: AGAIN.to_owned(),
    });
    show_code(context, &made.await?.link);
    Ok(())
}

pub async fn sign_in_link(context: &Context, access: SignInArguments) -> Outcome {
    let made = context.ask_for_secret(MakeSignInLink(access), |made| Secret {
        secret: made.link.clone(),
        before: before(made.unconfirmed.as_ref()),
        after: format!(
            "\nIt works once, for {} minutes, with the guardian's e-mail address.\n",
            made.expires_in / 60
        ),
        if_unseen: AGAIN.to_owned(),
    });
    show_code(context, &made.await?.link);
    Ok(())
}

pub async fn token(context: &Context, access: SignInArguments) -> Outcome {
    let made = context.ask_for_secret(MakeToken(access), |made| Secret {
        secret: made.identity_token.clone(),
        before: before(made.unconfirmed.as_ref()),
        after: format!("\nIt holds for {} minutes.\n", made.expires_in / 60),
        if_unseen: AGAIN.to_owned(),
    });
    made.await.map(drop)
}

fn before(unconfirmed: Option<&GuardianEntry>) -> String {
    unconfirmed.map_or_else(String::new, not_confirmed)
}

fn show_code(context: &Context, link: &str) {
    if !context.json {
        qr::show_on_terminal(link);
    }
}
