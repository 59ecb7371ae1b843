//! Who is calling: a guardian who signed in, or a voice assistant with its key.
//!
//! A guardian is an adult whom the administrator added by e-mail address. They sign in by a link in a
//! letter: it works once, for thirty minutes, together with the address it was sent to, and is ended by
//! five wrong addresses or by a fourth link. Signing in leaves a cookie that only the sign-in calls see;
//! it mints identity tokens of ten minutes, which every other call carries. Each use is checked against
//! the store, so that signing out, or being removed, holds at once.
//!
//! Asking for a link with an address nobody added is answered and written down exactly as with a known
//! one; only the letter is missing ([`outbox`]). Where anybody may sign up, a stranger becomes a guardian
//! when a link is used: until then the address is unproven.
//!
//! Where the administrator has configured an external OpenID Connect provider, a guardian can sign in with
//! their account there instead ([`provider`]). However often somebody asks, there are limits ([`limits`]).

pub mod api;
mod assistants;
mod guardians;
mod letter;
mod limits;
mod link;
mod links;
mod outbox;
mod provider;
mod sign_in;
mod sign_ins;
mod store;
mod token;

use std::sync::Arc;

use crate::kernel::cache::{self, Cache};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::ids::{AssistantId, GuardianId, SignInId};
use crate::kernel::limit::{Leniency, TooMany};
use crate::kernel::mail::{EmailAddress, Mailer};
use crate::kernel::problem::Refusal;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{ReadCache, Store, StoreError};

pub use assistants::{Assistant, AssistantKey, RevokedAssistant, SignedAssistant};
pub use guardians::{Guardian, NamedGuardian};
pub use link::{LIFE as LINK_LIFE, LinkError};
pub use provider::{ProviderAnswer, ProviderProblem, ProviderSettings};
pub use sign_in::{IssuedIdentity, Refresh, SignIn, Via};
pub use store::{NOT_RESTORED, kinds, remembered_public_url, restored_assistants};
pub use token::TokenKey;

/// The most memory for the keys of assistants, in bytes.
const CACHE_BYTES: u64 = 256 * 1024;

/// Why something about identity was refused.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The link doesn't sign anybody in.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The cookie belongs to no sign-in.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInGone,
    /// The sign-in ended, as the clock has it.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInEnded,
    /// The clock shows an earlier time than it did when the sign-in was last used.
    #[error(
        "The clock of this server is behind: it shows a time before you last signed in. You stay signed in; please try \
         again when the clock is right."
    )]
    ClockIsBehind,
    /// Too many links were asked for with this address, known or not.
    #[error(
        "Several sign-in links were asked for with this address. Please look for the latest letter, \
         or try again in a few minutes."
    )]
    TooManyLinks(TooMany),
    /// An assistant writes too often.
    #[error(
        "The assistant sends more than Porchlight takes at once. Please try again in a moment."
    )]
    TooManyWrites(TooMany),
    /// The sign-in isn't there, or isn't theirs.
    #[error("There is no such sign-in.")]
    NoSuchSignIn,
    /// Too many letters wait to be sent.
    #[error("Too many letters are waiting to be sent. Please try again in a few minutes.")]
    OutboxFull,
    /// A guardian with this address exists.
    #[error("A guardian with the address {0} exists already.")]
    GuardianExists(EmailAddress),
    /// There is no guardian with this address.
    #[error("There is no guardian with the address {0}.")]
    NoSuchGuardian(EmailAddress),
    /// An assistant of this name exists.
    #[error("An assistant named “{0}” exists already.")]
    AssistantExists(String),
    /// There is no assistant of this name.
    #[error("There is no assistant named “{0}”.")]
    NoSuchAssistant(String),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<IdentityError> for Refusal {
    fn from(error: IdentityError) -> Self {
        let sentence = error.to_string();
        match error {
            IdentityError::Store(error) => error.into(),
            IdentityError::Link(LinkError::WrongEmail) => Self::unauthorized(sentence).at("/email"),
            IdentityError::Link(_) => Self::unauthorized(sentence).at("/token"),
            IdentityError::SignInGone | IdentityError::SignInEnded => Self::unauthorized(sentence),
            IdentityError::ClockIsBehind => Self::not_now(sentence, 60),
            IdentityError::OutboxFull => Self::too_many(sentence, 300),
            IdentityError::TooManyLinks(too_many) | IdentityError::TooManyWrites(too_many) => {
                Self::too_many(sentence, too_many.seconds)
            }
            IdentityError::GuardianExists(_) | IdentityError::AssistantExists(_) => {
                Self::conflict(sentence)
            }
            IdentityError::NoSuchGuardian(_)
            | IdentityError::NoSuchAssistant(_)
            | IdentityError::NoSuchSignIn => Self::not_there(),
        }
    }
}

/// A guardian who is signed in: the proof that a request's identity token holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    guardian: GuardianId,
    sign_in: SignInId,
}

impl SignedIn {
    /// Who it is.
    pub fn guardian(&self) -> &GuardianId {
        &self.guardian
    }

    /// Through which sign-in.
    pub fn sign_in(&self) -> &SignInId {
        &self.sign_in
    }
}

/// The id of whoever may see children: both doors lead to `children`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A guardian, signed in.
    Guardian(GuardianId),
    /// A voice assistant with its key.
    Assistant(AssistantId),
}

/// Identity's façade. Clones share it.
#[derive(Clone)]
pub struct Identity {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    mailer: Mailer,
    settings: Arc<IdentitySettings>,
    tokens: Arc<token::Tokens>,
    verified: ReadCache<String, token::Verified>,
    /// When sign-ins were last used, which the store learns hourly.
    last_uses: Arc<Cache<SignInId, Timestamp>>,
    assistants: ReadCache<SecretHash, AssistantId>,
    provider: Option<Arc<provider::Provider>>,
    limits: Arc<limits::Limits>,
    outbox: Arc<outbox::Outbox>,
}

/// What the administrator decides about identity.
#[derive(Clone, Debug)]
pub struct IdentitySettings {
    /// Where our pages are.
    pub public_url: PublicUrl,
    /// Whether an address that nobody added may sign in. Its owner becomes a guardian without children by
    /// using a link.
    pub open_sign_up: bool,
    /// The external provider, where one is configured.
    pub provider: Option<ProviderSettings>,
    /// How strict the limits are.
    pub limits: Leniency,
}

impl IdentitySettings {
    /// The usual decisions: only guardians who were added, by links alone, within the usual limits.
    pub fn usual(public_url: PublicUrl) -> Self {
        Self {
            public_url,
            open_sign_up: false,
            provider: None,
            limits: Leniency::Usual,
        }
    }
}

impl Identity {
    /// Sets identity up, making the key of the identity tokens when there is none.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written.
    pub async fn start(
        store: Store,
        clock: Clock,
        randomness: Randomness,
        mailer: Mailer,
        settings: IdentitySettings,
    ) -> Result<Self, StoreError> {
        let key = store::token_key(&store, &randomness).await?;
        let tokens = token::Tokens::new(&key, settings.public_url.clone(), clock.clone());
        let provider = settings.provider.clone().map(|provider| {
            let provider = provider::Provider::new(provider, &settings.public_url, clock.clone());
            Arc::new(provider)
        });
        let limits = limits::Limits::new(settings.limits, &clock);
        let verified = ReadCache::within(token::CACHE_BYTES, &store);
        let outbox = outbox::Outbox::new(&mailer);
        let assistants = ReadCache::within(CACHE_BYTES, &store);
        Ok(Self {
            store,
            clock,
            randomness,
            mailer,
            settings: Arc::new(settings),
            tokens: Arc::new(tokens),
            verified,
            last_uses: Arc::new(cache::of_items(sign_in::LAST_USES)),
            assistants,
            provider,
            limits: Arc::new(limits),
            outbox: Arc::new(outbox),
        })
    }

    /// Notes where our pages are, for commands that run without the server.
    ///
    /// # Errors
    ///
    /// The store's.
    pub async fn remember_public_url(&self) -> Result<(), StoreError> {
        store::remember_public_url(&self.store, &self.settings.public_url).await
    }

    /// Where our pages are.
    pub fn public_url(&self) -> &PublicUrl {
        &self.settings.public_url
    }

    /// The public half of the key of the identity tokens, as a JSON Web Key Set (RFC 7517).
    pub fn jwks(&self) -> String {
        self.tokens.jwks()
    }
}
