//! Who is calling: a guardian who signed in, or a voice assistant with its key.
//!
//! A guardian is an adult, added by the administrator by e-mail address. They sign in by a link sent by e-mail: it works once,
//! for thirty minutes, together with the address it was sent to, and is ended by five wrong addresses, or by newer links once there
//! would be more than three.
//! Signing in sets a cookie that only the sign-in endpoints use. It is exchanged for identity tokens, which are valid for ten
//! minutes and carried by every other call. Each use is checked against the store, so that signing out, or being removed, takes
//! effect at once.
//!
//! A request for a link with an unknown address is answered and written exactly like one with a known address, but no e-mail is
//! sent. With open sign-up, using such a link makes a new guardian: until then the address is unverified.
//!
//! If the administrator has configured an external OpenID Connect provider, a guardian can sign in with their account there
//! instead ([`methods::provider`]).
//!
//! A guardian can make ten recovery codes to keep on paper ([`methods::recovery_codes`]); one is enough to sign in. Actions that give
//! access, take data out or can't be undone require a proof besides the sign-in, which is then valid for ten minutes ([`SteppedUp`]).
//!
//! Three parts, from below: [`accounts`] (guardians, addresses, assistants' keys), [`sessions`] (sign-ins, tokens, step-up) and
//! [`methods`] of signing in. Their e-mails are sent by the [queue](crate::kernel::outgoing::queue). Above the three are
//! [`address_changes`] and [`access`], which ends a guardian's access in all of them.

mod access;
mod accounts;
mod address_changes;
pub mod api;
mod concurrency;
mod emails;
mod environment;
mod methods;
mod notices;
mod sessions;
mod store;

use std::sync::Arc;

use crate::kernel::host::addresses::{NameFault, NamedAddress};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::language::Language;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::zones::Zone;
use crate::kernel::http::ids::random_id;
use crate::kernel::http::limit::LimitMode;
use crate::kernel::outgoing::queue::Queue;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{ReadCache, Store, StoreError, TrackingReader};

pub use access::{NamedGuardian, SignOut};
pub use accounts::assistants::{
    Assistant, AssistantKey, AssistantKeyError, AssistantNameError, Assistants,
    KEYS as ASSISTANT_KEYS, KeyKind, RECORDS as ASSISTANT_RECORDS, RevokedAssistant,
    SignedAssistant, revoked as revoked_assistants,
};
pub use accounts::guardians::{
    BudgetOwner, Guardian, GuardianName, GuardianNameError, Guardians, RECORDS as GUARDIAN_RECORDS,
    guardians_in,
};
pub use accounts::reinstating::{
    HowMany, Named, ReinstateError, Suspended, all_suspended, reinstate, suspend_all,
};
pub use accounts::unverified::UnverifiedAddresses;
pub use address_changes::{AddressChange, AddressChanges, LinkUsed};
pub use emails::{EmailError, UnverifiedEmail, to_guardian};
pub use environment::Environment;
pub use methods::links::link::{LIFE as LINK_LIFE, LinkError};
pub use methods::links::{LinkRequests, Links};
pub use methods::pairing::{ClaimedPairing, PairingState, Pairings};
pub use methods::provider::{
    Completed, FlowEnd, ProviderAnswer, ProviderOffer, ProviderProblem, ProviderSeen,
    ProviderSettings, ProviderSignIns, probe as probe_provider,
};
pub use methods::recovery_codes::{CodesLeft, RecoveryCode, RecoveryCodes};
pub use methods::setup::Setup;
pub use notices::{NOTICE_GIVEN_UP_AFTER, Notices};
pub use sessions::other_device::{AskingDevice, OtherDevices};
pub use sessions::shown_digits::SeenDevice;
pub use sessions::sign_ins::{
    BeginSignInError, Device, IssuedIdentity, ListedSignIn, NewGuardian,
    RECORDS as SIGN_IN_RECORDS, Refresh, RefreshError, SignIn, SignInContext, SignInError,
    SignInValidity, SignIns, StepUpError, SteppedUp, Via, device, ended_in as ended_sign_ins_in,
};
use sessions::step_up_codes::StepUpCodes;

pub use accounts::write_budget::WriteBudgets;
pub use concurrency::{ConcurrencyLimit, Permit};
pub use sessions::tokens::{TokenKey, Tokens};
pub use store::{kinds, not_restored, remembered_public_url};

random_id!(GuardianId, "gdn_", "A guardian's id.");
random_id!(AssistantId, "asi_", "An assistant's id.");
random_id!(SignInId, "sgn_", "A sign-in's id.");

/// A guardian who is signed in: proof that a request's identity token is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    guardian: GuardianId,
    sign_in: SignInId,
    by_command_line: bool,
}

impl SignedIn {
    pub fn guardian(&self) -> &GuardianId {
        &self.guardian
    }

    pub fn sign_in(&self) -> &SignInId {
        &self.sign_in
    }

    /// Whether the administrator made the identity token, with `porchlight token`.
    pub fn is_by_command_line(&self) -> bool {
        self.by_command_line
    }
}

/// The id of a guardian or assistant, either of which may have access to children.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    Guardian(GuardianId),
    Assistant(AssistantId),
}

impl Caller {
    pub fn into_guardian(self) -> Option<GuardianId> {
        match self {
            Self::Guardian(id) => Some(id),
            Self::Assistant(_) => None,
        }
    }

    pub fn into_assistant(self) -> Option<AssistantId> {
        match self {
            Self::Assistant(id) => Some(id),
            Self::Guardian(_) => None,
        }
    }
}

impl From<&SignedIn> for Caller {
    fn from(signed_in: &SignedIn) -> Self {
        Self::Guardian(signed_in.guardian.clone())
    }
}

impl From<&SignedAssistant> for Caller {
    fn from(assistant: &SignedAssistant) -> Self {
        Self::Assistant(assistant.id().clone())
    }
}

/// The maximum size of the cache of budgets' owners, in bytes: some two hundred guardians.
const BUDGET_OWNERS_BYTES: u64 = 64 * 1024;

#[derive(Clone)]
pub struct Identity {
    pub guardians: Guardians,
    pub tokens: Arc<Tokens>,
    pub assistants: Assistants,
    pub links: Links,
    pub recovery_codes: RecoveryCodes,
    pub sign_ins: SignIns,
    /// Sign-in links by e-mail.
    pub link_requests: LinkRequests,
    pub notices: Notices,
    /// Limits e-mails to addresses that may be anybody's.
    pub unverified: UnverifiedAddresses,
    pub provider: ProviderSignIns,
    pub setup: Setup,
    /// Signs another device in.
    pub pairings: Pairings,
    /// Steps up with another device.
    pub other_devices: OtherDevices,
    pub address_changes: AddressChanges,
    step_up_codes: StepUpCodes,
    pub write_budgets: WriteBudgets,
    /// What it and the features above it are built from.
    pub environment: Environment,
    budget_owners: ReadCache<GuardianId, BudgetOwner>,
}

/// The administrator's settings.
#[derive(Clone, Debug)]
pub struct IdentitySettings {
    pub public_url: PublicUrl,
    /// The home's name for https.
    pub named: Option<NamedAddress>,
    /// Whether an unknown address may sign in. Its owner becomes a guardian without children by using a link.
    pub open_sign_up: bool,
    pub provider: Option<ProviderSettings>,
    pub limits: LimitMode,
    /// The time zone of times in e-mails, and of children whose guardians have not chosen one.
    pub time_zone: Zone,
}

impl IdentitySettings {
    /// The defaults: only added guardians can sign in, by links alone, within the usual limits.
    pub fn usual(public_url: PublicUrl) -> Self {
        Self {
            public_url,
            named: None,
            open_sign_up: false,
            provider: None,
            limits: LimitMode::Usual,
            time_zone: Zone::UTC,
        }
    }
}

impl Identity {
    /// See [`Guardians::budget_owner`].
    pub fn budget_owner(&self, guardian: &GuardianId) -> Result<BudgetOwner, StoreError> {
        let read = |view: &TrackingReader<'_>| Guardians::budget_owner(view, guardian);
        self.budget_owners.get(guardian.clone(), read)
    }

    /// Generates the key of the identity tokens on the first start. Fails if the store cannot be read or written.
    pub async fn start(
        store: Store,
        clock: Clock,
        due: DueClock,
        randomness: Randomness,
        queue: Queue,
        settings: IdentitySettings,
    ) -> Result<Self, StoreError> {
        let IdentitySettings {
            public_url,
            named,
            open_sign_up,
            provider,
            limits,
            time_zone,
        } = settings;
        let environment = Environment {
            store: store.clone(),
            clock: clock.clone(),
            due,
            randomness: randomness.clone(),
            queue,
            public_url: public_url.clone(),
            named,
            limits,
            time_zone,
        };
        let tokens = Tokens::start(&store, &randomness, public_url.clone(), clock.clone());
        let tokens = Arc::new(tokens.await?);
        let guardians = Guardians {
            clock: clock.clone(),
            randomness: randomness.clone(),
            open_sign_up,
        };
        let assistants = Assistants::new(store.clone(), clock.clone(), randomness.clone(), limits);
        let links = Links {
            store: store.clone(),
            clock: clock.clone(),
            randomness: randomness.clone(),
            addresses: environment.addresses(),
            guardians: guardians.clone(),
        };
        let recovery_codes = RecoveryCodes::new(clock.clone(), randomness.clone(), limits);
        let unverified = UnverifiedAddresses::new(clock.clone(), guardians.clone(), limits);
        let step_up_codes = StepUpCodes::new(&environment, guardians.clone(), unverified.clone());
        let notices = Notices::new(&environment, &guardians);
        let sign_ins = SignIns::new(
            &environment,
            tokens.clone(),
            guardians.clone(),
            step_up_codes.clone(),
            notices.clone(),
        );
        let setup = Setup {
            store: store.clone(),
            randomness: randomness.clone(),
            addresses: environment.addresses(),
            guardians: guardians.clone(),
            recovery_codes: recovery_codes.clone(),
            sign_ins: sign_ins.clone(),
            link: Arc::default(),
        };
        let link_requests = LinkRequests::new(&environment, links.clone(), unverified.clone());
        let pairings = Pairings {
            store: store.clone(),
            clock: clock.clone(),
            randomness: randomness.clone(),
            addresses: environment.addresses(),
            guardians: guardians.clone(),
            sign_ins: sign_ins.clone(),
            under_way: Arc::default(),
        };
        let other_devices = OtherDevices::new(clock.clone(), randomness.clone(), sign_ins.clone());
        let provider =
            ProviderSignIns::new(&environment, provider, guardians.clone(), sign_ins.clone());
        let address_changes = AddressChanges::new(
            &environment,
            guardians.clone(),
            links.clone(),
            link_requests.clone(),
            step_up_codes.clone(),
            &unverified,
        );
        Ok(Self {
            guardians,
            tokens,
            assistants,
            links,
            recovery_codes,
            sign_ins,
            link_requests,
            notices,
            unverified,
            provider,
            setup,
            pairings,
            other_devices,
            address_changes,
            step_up_codes,
            write_budgets: WriteBudgets::new(store.clone(), clock, limits),
            budget_owners: ReadCache::within(BUDGET_OWNERS_BYTES, &store),
            environment,
        })
    }

    /// Stores the language of e-mails and notifications to this guardian.
    pub async fn replace_language(
        &self,
        by: &SignedIn,
        language: Language,
    ) -> Result<(), SignInError> {
        let (guardians, id) = (self.guardians.clone(), by.guardian().clone());
        let chosen = self
            .environment
            .store
            .commit(move |change| guardians.set_language(change, &id, language));
        if chosen.await? {
            Ok(())
        } else {
            Err(SignInError::Gone)
        }
    }

    /// `None` without a record of codes: none were made, or they ended with a sign-out everywhere or a restored backup.
    pub fn codes_left(&self, signed_in: &SignedIn) -> Result<Option<CodesLeft>, StoreError> {
        self.recovery_codes
            .left(&self.environment.store, signed_in.guardian())
    }

    pub fn sends_email(&self) -> bool {
        self.environment.queue.sends_email()
    }

    /// Stores the public URL for commands that run without the server.
    pub async fn remember_public_url(&self) -> Result<(), StoreError> {
        store::remember_public_url(&self.environment.store, &self.environment.public_url).await
    }

    /// The name's URL and why it can't be used, for a guardian who has signed in there.
    pub fn unusable_name_of(&self, guardian: &Guardian) -> Option<(&PublicUrl, NameFault)> {
        let named = self.environment.named.as_ref()?;
        let fault = named.status.fault().filter(|_| guardian.uses_name)?;
        Some((&named.url, fault))
    }

    /// The URL by which a request came, as its cookies and its origin must have it.
    pub fn url_at(&self, is_at_name: bool) -> &PublicUrl {
        match &self.environment.named {
            Some(named) if is_at_name => &named.url,
            _ => &self.environment.public_url,
        }
    }

    pub fn public_url(&self) -> &PublicUrl {
        &self.environment.public_url
    }
}
