//! API for guardians: trying the rules.

mod answers;
mod preview;
mod views;

use std::borrow::Cow;
use std::collections::BTreeSet;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::record::TryId;
use super::{Tries, TriesError};
use crate::children::api::no_words;
use crate::children::{ChildAccess, ChildId};
use crate::identity::AssistantId;
use crate::identity::api::AsGuardian;
use crate::kernel::host::language::{Language, UnknownLanguage};
use crate::kernel::http::problem::{BODY, CHILD, CONFLICT, MALFORMED, RULE, Refused, WRITE};
use crate::kernel::http::wire::{
    Body, Created, Done, Listed, Page, PageMarker, PageSize, Query, QueryValue, Text,
};
use crate::kernel::store::JsonRows;
use answers::{TryVerdictView, WithAnswersView};
use preview::PreviewView;
use views::TryView;

#[derive(Tags)]
enum Tag {
    /// Made-up questions to the family's own model.
    #[oai(rename = "tries")]
    Tries,
}

impl QueryValue for Language {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        text.parse()
            .map_err(|error: UnknownLanguage| error.to_string().into())
    }
}

/// Whose model is asked, and what is not asked.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct StartTryRequest {
    /// The id of an assistant that talks with the child through the gateway.
    assistant: AssistantId,
    /// The language of the questions.
    language: Language,
    /// The ids of the questions of `previewTry` that may be asked: no other one is, also if the topics have changed since. Omitted:
    /// all.
    #[oai(validator(max_items = 200))]
    questions: Option<Vec<Text<100>>>,
}

pub struct TriesApi {
    pub tries: Tries,
}

impl TriesApi {
    fn access(&self, guardian: &AsGuardian, child: ChildId) -> Result<ChildAccess, TriesError> {
        Ok(self.tries.children.of(&guardian.0, child)?)
    }
}

#[OpenApi(tag = "Tag::Tries")]
impl TriesApi {
    /// Get what a try would ask
    ///
    /// The questions, in the order in which they are asked, how many requests and about how many tokens they take, and where they
    /// go. They stay the same until the caller starts a try, or the topics change. 409 if the assistant doesn't reach its model
    /// through the gateway, has no model, or it isn't known which one.
    #[oai(
        path = "/child/:childId/tries/preview",
        method = "get",
        operation_id = "previewTry",
        transform = "no_words"
    )]
    async fn preview(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The assistant's id.
        assistant: Query<Text<36>>,
        /// The language of the questions; English by default.
        language: Query<Option<Language>>,
    ) -> Result<Body<PreviewView>, Refused<{ CHILD | MALFORMED | CONFLICT }>> {
        let access = self.access(&guardian, child.0)?;
        let language = language.0.unwrap_or_default();
        let by = guardian.0.guardian();
        let assistant = AssistantId::from_text(&assistant.0);
        let preview = self
            .tries
            .preview(&access, by, &assistant, language)
            .await?;
        Ok(Body(preview.into()))
    }

    /// Start a try of a child's rules
    ///
    /// Requires stepping up (403 otherwise). One a day (UTC) for each guardian and child (429 otherwise); one that got no answer
    /// doesn't count, up to three starts a day. It runs in the background, one after the other for each model's server: see `state`. All of the child's
    /// guardians see it, and that it was started is in the history. It asks what `previewTry` says.
    ///
    /// A try isn't the child talking: it also runs while talking is not allowed, and the child's own requests come first in its
    /// daily budget.
    #[oai(
        path = "/child/:childId/tries",
        method = "post",
        operation_id = "startTry"
    )]
    async fn start(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<StartTryRequest>,
    ) -> Result<Created<TryView>, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let access = self.access(&guardian, child.0)?;
        let StartTryRequest {
            assistant,
            language,
            questions,
        } = body.0;
        let questions = questions.map(|questions| {
            let ids = questions.into_iter().map(Text::into_string);
            ids.collect::<BTreeSet<_>>()
        });
        let by = &guardian.0;
        let started = self
            .tries
            .start(by, &access, &assistant, language, questions.as_ref());
        let view = TryView::of(&self.tries, &access, by, started.await?)?;
        Ok(Created(view))
    }

    /// List the tries of a child's rules, newest first
    ///
    /// Without those that the caller has hidden.
    #[oai(
        path = "/child/:childId/tries",
        method = "get",
        operation_id = "listTries",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<Page<TryView>>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.access(&guardian, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let by = guardian.0.guardian();
        let page = self.tries.list(&access, by, before, limit)?;
        let mut views = Vec::with_capacity(page.tries.len());
        for one in page.tries {
            views.push(TryView::of(&self.tries, &access, &guardian.0, one)?);
        }
        let answer = Page::<TryView>::new(views, page.next);
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }

    /// Get a try with its questions and answers
    ///
    /// The answers that are not as expected come first, then those that wait for the caller, then questions without an answer.
    /// They are made up: the child said none of this. After `answers_until` there are no answers any more.
    #[oai(
        path = "/child/:childId/tries/:tryId",
        method = "get",
        operation_id = "getTry",
        transform = "no_words"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The try's id.
        #[oai(name = "tryId")]
        id: Path<TryId>,
    ) -> Result<Listed<WithAnswersView>, Refused<{ CHILD }>> {
        let access = self.access(&guardian, child.0)?;
        let found = self.tries.get(&access, guardian.0.guardian(), id.0)?;
        let unreadable = found.unreadable;
        let view = WithAnswersView::of(&self.tries, &access, &guardian.0, found)?;
        Ok(JsonRows::of(&view, unreadable).into())
    }

    /// Stop one's own try, or hide a try from oneself
    ///
    /// A try of the caller's own that waits or runs is stopped, and stays with what was answered. Any other try is hidden from the
    /// caller alone.
    #[oai(
        path = "/child/:childId/tries/:tryId",
        method = "delete",
        operation_id = "deleteTry"
    )]
    async fn delete(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The try's id.
        #[oai(name = "tryId")]
        id: Path<TryId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        let access = self.access(&guardian, child.0)?;
        let by = guardian.0.guardian().clone();
        self.tries.stop_or_hide(access, by, id.0).await?;
        Ok(Done)
    }

    /// Judge an answer
    ///
    /// For the caller alone: other guardians don't see it, and it changes the figures of no other guardian.
    #[oai(
        path = "/child/:childId/tries/:tryId/answers/:number/verdict",
        method = "put",
        operation_id = "judgeTryAnswer"
    )]
    async fn judge(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The try's id.
        #[oai(name = "tryId")]
        id: Path<TryId>,
        /// The answer's `n`.
        #[oai(name = "number")]
        number: Path<TryId>,
        body: Body<TryVerdictView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.access(&guardian, child.0)?;
        let by = guardian.0.guardian().clone();
        let n = u32::try_from(number.0.number()).map_err(|_| TriesError::NoSuchTry)?;
        let set = self.tries.set_verdict(access, by, id.0, n, body.0.into());
        set.await?;
        Ok(Done)
    }
}
