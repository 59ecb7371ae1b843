//! Whether a child's conversations may be sent to the model: the guardians' consent.
//!
//! A consent names the model and its host. It needs the figures of that model, and for a host that isn't private the agreement of
//! the child's other guardians. It ends when the model, the host or the server's address changes, and any guardian can withdraw it.

use std::sync::Arc;

use super::assessing::{Model, NamedModel};
use super::error::ReviewerError;
use super::figures::ModelFigures;
use super::not_reviewed;
use super::notifying::OfReviewer;
use super::settings::{NoModel, ReviewerSettings};
use super::store::{self, Consent};
use crate::children::agreements::{Agreement, ByGuardian, Due, Notice};
use crate::children::history::{Changed, Details, Entry, History};
use crate::children::{ChildAccess, ChildId, Children};
use crate::identity::{
    Caller, GuardianId, Guardians, Identity, Notices, SignIns, SignedIn, SteppedUp,
};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::outgoing::queue::Kind;
use crate::kernel::store::Purpose::{Essential, Ordinary};
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Change, Purpose, Read, Store, StoreError, readable};
use crate::models::Upstreams;

/// Whether the reviewer is on for a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The administrator has named no model, or it has no server.
    Unavailable(NoModel),
    /// The model was not measured.
    Untested(Model),
    Off(Model, ModelFigures),
    /// Waits for other guardians.
    Waiting(Model, ModelFigures, Consent, Due),
    On(Permitted, ModelFigures, Consent),
}

/// What may be sent of a child's conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permitted {
    /// The only model to which it may be sent.
    pub model: Model,
    /// Messages before this time may not be sent.
    pub since: Timestamp,
}

#[derive(Clone)]
pub struct Consents {
    pub(super) store: Store,
    pub(super) clock: Clock,
    due: DueClock,
    pub(super) children: Children,
    guardians: Guardians,
    pub(super) sign_ins: SignIns,
    pub(super) history: History,
    notices: Notices,
    upstreams: Upstreams,
    pub settings: Arc<ReviewerSettings>,
    notice: Kind<ByGuardian<()>>,
}

impl Consents {
    pub fn new(
        identity: &Identity,
        children: Children,
        history: History,
        upstreams: Upstreams,
        settings: ReviewerSettings,
    ) -> Self {
        let (environment, guardians) = (&identity.environment, &identity.guardians);
        Self {
            notice: OfReviewer::register(&environment.queue, guardians, &children),
            store: environment.store.clone(),
            clock: environment.clock.clone(),
            due: environment.due.clone(),
            children,
            guardians: guardians.clone(),
            sign_ins: identity.sign_ins.clone(),
            history,
            notices: identity.notices.clone(),
            upstreams,
            settings: Arc::new(settings),
        }
    }

    pub fn model(&self, view: &impl Read) -> Result<Result<Model, NoModel>, StoreError> {
        self.settings.model(view, &self.upstreams)
    }

    /// An unreadable consent counts as none.
    pub fn status(&self, view: &impl Read, child: ChildId) -> Result<Status, StoreError> {
        let model = match self.model(view)? {
            Ok(model) => model,
            Err(why) => return Ok(Status::Unavailable(why)),
        };
        let Some(figures) = store::figures(view, &model.name, &model.host())? else {
            return Ok(Status::Untested(model));
        };
        let consent = readable(store::consent(view, child))?.flatten();
        let Some(consent) = consent.filter(|consent| consent.is_for(&model)) else {
            return Ok(Status::Off(model, figures));
        };
        // Whoever held one of the guardian's devices may have given it.
        if self.sign_outs_of(view, &consent.by)? != Some(consent.sign_out_count) {
            return Ok(Status::Off(model, figures));
        }
        let due = if model.is_private() {
            Due::AtOnce
        } else {
            self.agreed(view, child, &consent.by, &consent.agreement)?
        };
        if !due.is_due(self.due.due()) {
            return Ok(Status::Waiting(model, figures, consent, due));
        }
        let since = match due {
            Due::At(at) => at.max(consent.since),
            _ => consent.since,
        };
        Ok(Status::On(Permitted { model, since }, figures, consent))
    }

    /// When the child's guardians other than `by` have agreed.
    fn agreed(
        &self,
        view: &impl Read,
        child: ChildId,
        by: &GuardianId,
        agreement: &Agreement,
    ) -> Result<Due, StoreError> {
        let guardians = readable(self.children.guardians_of(view, child))?;
        // If somebody's link can't be read, they may not have agreed.
        let due = guardians.map(|all| agreement.due(all.iter().filter(|id| *id != by)));
        Ok(due.unwrap_or(Due::NotKnown))
    }

    /// When a consent that waits takes effect, as far as this guardian may know.
    pub fn due_known_to(
        &self,
        reader: &GuardianId,
        child: ChildId,
        consent: &Consent,
    ) -> Result<Option<Timestamp>, StoreError> {
        let known = consent.agreement.known_to(reader, self.clock.now());
        Ok(
            match self.agreed(&self.store, child, &consent.by, &known)? {
                Due::At(at) => Some(at),
                Due::AtOnce | Due::NotKnown => None,
            },
        )
    }

    /// What of the child's conversations may be sent now.
    pub fn permitted(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<Permitted>, StoreError> {
        Ok(match self.status(view, child)? {
            Status::On(permitted, ..) => Some(permitted),
            _ => None,
        })
    }

    /// How often the guardian has signed out everywhere; `None` without a readable guardian.
    fn sign_outs_of(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
    ) -> Result<Option<u32>, StoreError> {
        let guardian = readable(self.guardians.find_by_id(view, guardian))?.flatten();
        Ok(guardian.map(|guardian| guardian.sign_out_count))
    }

    /// Fails if what the guardians chose is unreadable, which then counts as nothing.
    pub fn check_readable(&self, view: &impl Read, child: ChildId) -> Result<(), StoreError> {
        store::consent(view, child)?;
        store::at_home(view, child)?;
        Ok(())
    }

    /// Whether an earlier consent has ended because the model or its host changed.
    pub fn has_ended(&self, view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
        let consent = readable(store::consent(view, child))?.flatten();
        let Some(consent) = consent else {
            return Ok(false);
        };
        let model = self.model(view)?;
        Ok(!model.is_ok_and(|model| consent.is_for(&model)))
    }

    /// Switches the reviewer on, or asks the other guardians. If another guardian did so before, this confirms it.
    ///
    /// Fails with [`ReviewerError::Changed`] if the guardian has read about another model or host, with
    /// [`ReviewerError::NoModel`] and [`ReviewerError::Untested`], and if the model is unfit.
    pub async fn switch_on(
        &self,
        by: &SteppedUp,
        child: ChildId,
        named: NamedModel,
    ) -> Result<(), ReviewerError> {
        self.change(
            Ordinary,
            by.guardian(),
            child,
            move |consents, change, access, by| {
                let model = match consents.status(change, child)? {
                    Status::Unavailable(why) => return Err(why.into()),
                    Status::Untested(_) => return Err(ReviewerError::Untested),
                    Status::Off(model, figures) => {
                        figures.require_fit()?;
                        model
                    }
                    status => return consents.agree(change, access, by, &named, status),
                };
                if !named.is(&model) {
                    return Err(ReviewerError::Changed);
                }
                let now = consents.clock.now();
                let sign_outs = consents.sign_outs_of(change, by)?.unwrap_or_default();
                let mut consent = Consent::new(by, sign_outs, now, &model);
                consent.agreement.show(by, now);
                // What was said before isn't sent.
                store::clear_queue(change, child)?;
                store::put_consent(change, child, &consent)?;
                let details = format!("{} · {}", model.name, model.host());
                let details = Details::of_value(Some(details));
                consents.record(change, access, Changed::ReviewerOn, by, Some(details))?;
                let notice = Notice {
                    kind: &consents.notice,
                    subject: &child.to_string(),
                    about: (),
                };
                let (children, notices) = (&consents.children, &consents.notices);
                Ok(children.notify_others(change, notices, by, &[child], &notice)?)
            },
        )
        .await
    }

    /// Confirms what another guardian switched on. Fails with [`ReviewerError::Changed`] if that isn't what the guardian has read
    /// about.
    pub async fn confirm(
        &self,
        by: &SteppedUp,
        child: ChildId,
        named: NamedModel,
    ) -> Result<(), ReviewerError> {
        self.change(
            Ordinary,
            by.guardian(),
            child,
            move |consents, change, access, by| {
                let status = consents.status(change, child)?;
                consents.agree(change, access, by, &named, status)
            },
        )
        .await
    }

    /// Fails with [`ReviewerError::Changed`] unless a guardian switched on what is `named`.
    fn agree(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        by: &GuardianId,
        named: &NamedModel,
        status: Status,
    ) -> Result<(), ReviewerError> {
        let (model, mut consent, waited) = match status {
            Status::Waiting(model, figures, consent, _) => {
                figures.require_fit()?;
                (model, consent, true)
            }
            Status::On(permitted, _, consent) => (permitted.model, consent, false),
            _ => return Err(ReviewerError::Changed),
        };
        if !named.is(&model) {
            return Err(ReviewerError::Changed);
        }
        if consent.is_confirmed_by(by) {
            return Ok(());
        }
        let child = access.child();
        let now = self.clock.now();
        // What was said while it waited isn't sent.
        if waited {
            store::clear_queue(change, child)?;
            consent.since = now;
        }
        consent.agreement.confirm(by, now);
        store::put_consent(change, child, &consent)?;
        self.record(change, access, Changed::ReviewerConfirmed, by, None)
    }

    /// Records that the guardian was shown what another one switched on. Does nothing if that isn't what they have read about.
    pub async fn record_shown(
        &self,
        by: &SignedIn,
        child: ChildId,
        named: NamedModel,
    ) -> Result<(), ReviewerError> {
        self.change(
            Ordinary,
            by.guardian(),
            child,
            move |consents, change, _, by| {
                // The others would learn when this guardian's page was open.
                change.publish_nothing();
                if let Status::Waiting(model, _, mut consent, _) = consents.status(change, child)?
                    && named.is(&model)
                    && !consent.agreement.was_shown_to(by)
                {
                    consent.agreement.show(by, consents.clock.now());
                    store::put_consent(change, child, &consent)?;
                }
                Ok(())
            },
        )
        .await
    }

    /// Withdraws the consent, also another guardian's, and also an unreadable one. The conversations that wait for a review count
    /// as not reviewed. Idempotent.
    pub async fn switch_off(&self, by: &SignedIn, child: ChildId) -> Result<(), ReviewerError> {
        self.change(
            Essential,
            by.guardian(),
            child,
            move |consents, change, access, by| {
                // What it was on for, and waits, isn't sent any more.
                if consents.permitted(change, child)?.is_some() {
                    let waiting = store::count_queued(change, child)?;
                    not_reviewed::add(change, child, consents.clock.now(), waiting)?;
                }
                if store::remove_consent(change, child)? {
                    consents.record(change, access, Changed::ReviewerOff, by, None)?;
                }
                Ok(())
            },
        )
        .await
    }

    /// Ends the consents whose model or host has changed, so that changing them back doesn't renew one.
    pub async fn end_changed(&self) -> Result<(), StoreError> {
        let ended = |view: &Store, child| -> Result<bool, StoreError> {
            let consent = readable(store::consent(view, child))?.flatten();
            let is_open = consent.is_some_and(|consent| consent.ended_at.is_none());
            Ok(is_open && self.has_ended(view, child)?)
        };
        for child in store::children_with_consent(&self.store)? {
            if !ended(&self.store, child)? {
                continue;
            }
            let consents = self.clone();
            let done = self.store.commit_for(Purpose::Essential, move |change| {
                let consent = store::consent(change, child)?;
                if let Some(consent) = consent
                    && consents.has_ended(change, child)?
                {
                    let ended_at = Some(consents.clock.now());
                    let consent = Consent {
                        ended_at,
                        ..consent
                    };
                    store::put_consent(change, child, &consent)?;
                }
                Ok::<_, StoreError>(())
            });
            done.await?;
        }
        Ok(())
    }

    pub(super) async fn change(
        &self,
        purpose: Purpose,
        by: &GuardianId,
        child: ChildId,
        run: impl FnOnce(&Self, &mut Change, &ChildAccess, &GuardianId) -> Result<(), ReviewerError>
        + Send
        + 'static,
    ) -> Result<(), ReviewerError> {
        let (consents, by) = (self.clone(), by.clone());
        let done = self.store.commit_for(purpose, move |change| {
            let caller = Caller::Guardian(by.clone());
            let access = consents.children.access_in(change, &caller, child)?;
            run(&consents, change, &access, &by)
        });
        done.await
    }

    pub(super) fn record(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        what: Changed,
        by: &GuardianId,
        details: Option<Details>,
    ) -> Result<(), ReviewerError> {
        let entry = Entry::new(self.clock.now(), what, Some(by.clone()));
        Ok(self.history.record(change, access, entry.with(details))?)
    }
}
