//! API for guardians: the reviewer of a child's conversations.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::assessing::{Model, NamedModel};
use super::consents::Status;
use super::figures::{ConcernFigures, ModelFigures};
use super::store::Consent;
use super::{Reviewer, ReviewerError};
use crate::alerts::Concern;
use crate::children::api::no_words;
use crate::children::history::api::AuthorView;
use crate::children::{ChildAccess, ChildId};
use crate::identity::SignIns;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, CHILD, CONFLICT, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, Text};

#[derive(Tags)]
enum Tag {
    /// A model of the family's own that reads along.
    #[oai(rename = "reviewer")]
    Reviewer,
}

/// Whether a model reads a child's conversations.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "ReviewerState", rename_all = "snake_case")]
enum StateView {
    /// The administrator has named no model, or it has no server.
    Unavailable,
    /// The model was not tested yet, so it can't be switched on.
    Untested,
    Off,
    /// A guardian switched it on, and other guardians haven't agreed. Nothing is sent.
    Waiting,
    On,
}

/// How good the model was with one concern, on conversations whose answers are known.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ConcernFigures")]
struct ConcernFiguresView {
    concern: Concern,
    found: u64,
    missed: u64,
    false_alarms: u64,
    /// Findings that were dropped because nobody said what they quote.
    quotes_not_there: u64,
    /// How long an answer took.
    seconds: f64,
}

impl From<ConcernFigures> for ConcernFiguresView {
    fn from(figures: ConcernFigures) -> Self {
        Self {
            concern: figures.concern,
            found: figures.found,
            missed: figures.missed,
            false_alarms: figures.false_alarms,
            quotes_not_there: figures.quotes_not_there,
            seconds: figures.millis as f64 / 1_000.0,
        }
    }
}

/// How good the model is.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ReviewerFigures")]
struct FiguresView {
    tested_at: Timestamp,
    concerns: Vec<ConcernFiguresView>,
    /// False alarms in a week of ordinary conversations.
    false_alarms_a_week: f64,
    /// Whether it has more than two false alarms a week, or finds less than half. Then it can't be switched on.
    unfit: bool,
}

impl From<ModelFigures> for FiguresView {
    fn from(figures: ModelFigures) -> Self {
        Self {
            tested_at: figures.at,
            false_alarms_a_week: figures.false_alarms_a_week(),
            unfit: figures.is_unfit(),
            concerns: figures.concerns.into_iter().map(Into::into).collect(),
        }
    }
}

/// The reviewer of a child's conversations.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Reviewer", skip_serializing_if_is_none)]
struct ReviewerView {
    state: StateView,
    /// The model's name; omitted if the administrator has named none.
    model: Option<String>,
    /// Where every word goes: the host of the model's server.
    host: Option<String>,
    /// Whether that host is on the home network, as far as its name tells. For another one, the other guardians must agree.
    private: Option<bool>,
    /// Omitted while the model was not tested.
    figures: Option<FiguresView>,
    /// The guardian who switched it on; omitted if it is off.
    by: Option<AuthorView>,
    /// When it was switched on.
    since: Option<Timestamp>,
    /// Whether the caller was shown this, or confirmed it; omitted if it is off.
    shown: Option<bool>,
    /// Whether the caller confirmed it, or switched it on.
    confirmed: Option<bool>,
    /// Of `waiting`: when it begins unless a guardian switches it off: a whole day (UTC), more than seven days after it was shown
    /// to every other guardian. Omitted until then; the caller is told of another guardian's day once it is over.
    due_at: Option<Timestamp>,
    /// Whether it was on, and ended because the model or its host changed.
    ended: bool,
    /// Whether all of the guardians get alerts if the child is hurt or threatened at home.
    at_home: bool,
    /// The guardian who asked for that.
    at_home_by: Option<AuthorView>,
    /// The number of conversations of the last 30 days that were not reviewed, because the model did not answer for a day, its
    /// budget was used up, or a guardian switched it off while they waited.
    not_reviewed: u64,
}

/// The model and the host that the caller has read about.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NamedReviewer", deny_unknown_fields)]
struct NamedView {
    model: Text<200>,
    host: Text<300>,
}

impl From<NamedView> for NamedModel {
    fn from(named: NamedView) -> Self {
        Self {
            model: named.model.into_string(),
            host: named.host.into_string(),
        }
    }
}

/// Whether the guardians get alerts if the child is hurt at home.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "ReviewerAtHome", deny_unknown_fields)]
struct AtHomeView {
    on: bool,
}

pub struct ReviewerApi {
    pub reviewer: Reviewer,
    pub sign_ins: SignIns,
}

impl ReviewerApi {
    fn view(
        &self,
        guardian: &AsGuardian,
        access: &ChildAccess,
    ) -> Result<ReviewerView, ReviewerError> {
        let (consents, child) = (&self.reviewer.consents, access.child());
        consents.check_readable(&consents.store, child)?;
        let author = |id| {
            let reader = &guardian.0;
            consents.history.author(&consents.store, access, reader, id)
        };
        let (mut due_at, mut at_home_by) = (None, None);
        let (state, model, figures, consent) = match consents.status(&consents.store, child)? {
            Status::Unavailable(_) => (StateView::Unavailable, None, None, None),
            Status::Untested(model) => (StateView::Untested, Some(model), None, None),
            Status::Off(model, figures) => (StateView::Off, Some(model), Some(figures), None),
            Status::Waiting(model, figures, consent, _) => {
                due_at = consents.due_known_to(guardian.0.guardian(), child, &consent)?;
                let of = (Some(model), Some(figures), Some(consent));
                (StateView::Waiting, of.0, of.1, of.2)
            }
            Status::On(permitted, figures, consent) => {
                let of = (Some(permitted.model), Some(figures), Some(consent));
                (StateView::On, of.0, of.1, of.2)
            }
        };
        let at_home = consents.at_home(&consents.store, child)?;
        if let Some(asked) = &at_home {
            at_home_by = author(&asked.by)?;
        }
        let by = match &consent {
            Some(consent) => author(&consent.by)?,
            None => None,
        };
        let reader = guardian.0.guardian();
        let of_consent = |of: fn(&Consent, &_) -> bool| consent.as_ref().map(|it| of(it, reader));
        Ok(ReviewerView {
            state,
            host: model.as_ref().map(Model::host),
            private: model.as_ref().map(Model::is_private),
            model: model.map(|model| model.name),
            figures: figures.map(FiguresView::from),
            by: by.map(AuthorView::from),
            since: consent.as_ref().map(|consent| consent.at),
            shown: of_consent(|consent, reader| consent.agreement.was_shown_to(reader)),
            confirmed: of_consent(Consent::is_confirmed_by),
            due_at,
            ended: consents.has_ended(&consents.store, child)?,
            at_home: at_home.is_some(),
            at_home_by: at_home_by.map(AuthorView::from),
            not_reviewed: self.reviewer.reviewing.count_not_reviewed(child)?,
        })
    }
}

#[OpenApi(tag = "Tag::Reviewer")]
impl ReviewerApi {
    /// Get the reviewer of a child's conversations
    ///
    /// A model that the administrator named, which points at messages in conversations that have ended. It can be wrong.
    #[oai(
        path = "/child/:childId/reviewer",
        method = "get",
        operation_id = "getReviewer",
        transform = "no_words"
    )]
    async fn reviewer(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<ReviewerView>, Refused<{ CHILD }>> {
        let children = &self.reviewer.consents.children;
        let access = children.of(&guardian.0, child.0)?;
        Ok(Body(self.view(&guardian, &access)?))
    }

    /// Switch the reviewer on
    ///
    /// Requires stepping up (403 otherwise). `model` and `host` are those that the caller has read about; 409 if they are others
    /// by now, or the model was not tested or is `unfit`. If the host isn't private, it begins once every other guardian has
    /// confirmed it, or seven days after it was shown to each of them. It ends when the model, its host or its address changes.
    #[oai(
        path = "/child/:childId/reviewer",
        method = "put",
        operation_id = "switchReviewerOn"
    )]
    async fn switch_on(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NamedView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | CONFLICT | WRITE }>> {
        let consents = &self.reviewer.consents;
        consents.children.of(&guardian.0, child.0)?;
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        consents.switch_on(&by, child.0, body.0.into()).await?;
        Ok(Done)
    }

    /// Switch the reviewer off
    ///
    /// Also if another guardian switched it on. What waits for a review is not sent any more, and counts as not reviewed.
    #[oai(
        path = "/child/:childId/reviewer",
        method = "delete",
        operation_id = "switchReviewerOff"
    )]
    async fn switch_off(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        let consents = &self.reviewer.consents;
        consents.switch_off(&guardian.0, child.0).await?;
        Ok(Done)
    }

    /// Confirm the reviewer that another guardian switched on
    ///
    /// Requires stepping up (403 otherwise). 409 if the model or the host are others than the caller has read about, or the model
    /// is `unfit`.
    #[oai(
        path = "/child/:childId/reviewer/confirmation",
        method = "put",
        operation_id = "confirmReviewer"
    )]
    async fn confirm(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NamedView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | CONFLICT | WRITE }>> {
        let consents = &self.reviewer.consents;
        consents.children.of(&guardian.0, child.0)?;
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        consents.confirm(&by, child.0, body.0.into()).await?;
        Ok(Done)
    }

    /// Record that the caller was shown the reviewer that waits
    ///
    /// Does nothing if the model or the host are others by now.
    #[oai(
        path = "/child/:childId/reviewer/shown",
        method = "put",
        operation_id = "noteReviewerShown"
    )]
    async fn record_shown(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NamedView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let consents = &self.reviewer.consents;
        let named = body.0.into();
        consents.record_shown(&guardian.0, child.0, named).await?;
        Ok(Done)
    }

    /// Decide whether the guardians get alerts if the child is hurt at home
    ///
    /// For all of the child's guardians, including the one that such an alert is about. Requires stepping up to begin (403
    /// otherwise).
    #[oai(
        path = "/child/:childId/reviewer/at_home",
        method = "put",
        operation_id = "switchReviewerAtHome"
    )]
    async fn at_home(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<AtHomeView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let consents = &self.reviewer.consents;
        let told = consents.tell_of_home(&guardian.0, child.0, body.0.on);
        told.await?;
        Ok(Done)
    }
}
