//! The endpoints for how long a child's conversations are kept.

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use super::Tag;
use super::requests::RequestView;
use crate::children::api::no_words;
use crate::children::{ChildAccess, ChildId, Children, ChildrenError, Period};
use crate::household::requests::{ChildRequests, RetentionStatus};
use crate::identity::api::AsGuardian;
use crate::kernel::host::language::Language;
use crate::kernel::http::problem::{BODY, CHILD, CONFLICT, RULE, Refused, WRITE};
use crate::kernel::http::wire::{Body, Text, documented, given};
use crate::rules::Profile;
use crate::rules::age::BirthMonth;

/// A new child.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, skip_serializing_if_is_none)]
pub struct AddChildRequest {
    /// Trimmed; not empty and without control characters.
    pub(super) name: Text<200>,
    /// For how many days its conversations are kept; for ever if it is omitted.
    #[serde(default, deserialize_with = "given")]
    pub(super) retention_days: Option<Period>,
    /// The month in which it was born.
    #[serde(default, deserialize_with = "given")]
    born: Option<BirthMonth>,
    /// The language that it speaks with its assistants.
    #[serde(default, deserialize_with = "given")]
    language: Option<Language>,
}

impl AddChildRequest {
    pub(super) fn profile(&self) -> Profile {
        Profile {
            born: self.born,
            language: self.language,
        }
    }
}

/// For how many days sessions are kept, or `null` for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
struct DaysOrForEver(Option<Period>);

impl DaysOrForEver {
    /// For a field that may be `null`, but not left out.
    fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

documented!(
    DaysOrForEver,
    "DaysOrForEver",
    MetaSchema {
        description: Some("A number of days; `null` is for ever."),
        nullable: true,
        enum_items: Period::ALL
            .map(|period| period.days().into())
            .into_iter()
            .chain([serde_json::Value::Null])
            .collect(),
        ..MetaSchema::new("integer")
    }
);

/// How many conversations are older than each period, and kept by no guardian.
#[derive(Debug, Object, Serialize)]
struct TooOld {
    /// Older than 30 days.
    days_30: u64,
    /// Older than 90 days.
    days_90: u64,
    /// Older than 365 days.
    days_365: u64,
}

/// For how long a child's conversations are kept.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Retention", skip_serializing_if_is_none)]
struct RetentionView {
    /// For how many days they are kept; `null` for ever.
    days: DaysOrForEver,
    /// The number of conversations that become too old within the next week, and of those that already are.
    within_a_week: u64,
    /// How many conversations each period would delete.
    would_delete: TooOld,
    /// A request for a shorter time, which waits for other guardians; omitted without one.
    pending: Option<RequestView>,
}

/// For how long a child's conversations are to be kept.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
struct ChooseRetentionRequest {
    /// The number of days; `null` for ever.
    #[serde(deserialize_with = "DaysOrForEver::required")]
    days: DaysOrForEver,
}

/// Deletes nothing, so that trying the example doesn't either.
impl Example for ChooseRetentionRequest {
    fn example() -> Self {
        Self {
            days: DaysOrForEver(None),
        }
    }
}

pub struct RetentionPeriodApi {
    pub children: Children,
    pub requests: ChildRequests,
}

impl RetentionPeriodApi {
    async fn view(
        &self,
        guardian: &AsGuardian,
        access: ChildAccess,
    ) -> Result<RetentionView, ChildrenError> {
        let RetentionStatus {
            period,
            expiring,
            pending,
        } = self.requests.retention_status(&access, &guardian.0).await?;
        let within_a_week = period.and_then(|period| expiring.get(&period));
        let too_old = |period| expiring.get(&period).map_or(0, |count| count.now);
        Ok(RetentionView {
            days: DaysOrForEver(period),
            within_a_week: within_a_week.map_or(0, |count| count.within_a_week),
            would_delete: TooOld {
                days_30: too_old(Period::Days30),
                days_90: too_old(Period::Days90),
                days_365: too_old(Period::Days365),
            },
            pending: pending.map(RequestView::from),
        })
    }
}

#[OpenApi(tag = "Tag::Household")]
impl RetentionPeriodApi {
    /// Get for how long a child's conversations are kept
    ///
    /// Older ones are deleted every night: they are moved to 'Recently deleted'. The age of a conversation counts from the latest
    /// of its newest message, its last arrival, and the last time at which it was moved or restored, or a guardian stopped
    /// keeping it.
    #[oai(
        path = "/child/:childId/retention",
        method = "get",
        operation_id = "getRetention",
        transform = "no_words"
    )]
    async fn retention(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<RetentionView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(Body(self.view(&guardian, access).await?))
    }

    /// Choose for how long a child's conversations are kept
    ///
    /// A longer time takes effect at once. Requires stepping up for a shorter time (403 otherwise). For a child with other guardians
    /// it takes effect once all of them have confirmed it, or seven days after it was shown to each of them; until then it is in
    /// `pending`. Choosing another shorter time changes the request: the answers so far are forgotten, and the seven days begin
    /// anew. 409 if another guardian's request is pending. Requests about one child can be made or changed at most three times in
    /// seven days.
    #[oai(
        path = "/child/:childId/retention",
        method = "put",
        operation_id = "chooseRetention"
    )]
    async fn choose(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<ChooseRetentionRequest>,
    ) -> Result<Body<RetentionView>, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let chosen = self
            .requests
            .set_retention_period(&guardian.0, child.0, body.0.days.0);
        chosen.await?;
        Ok(Body(self.view(&guardian, access).await?))
    }
}
