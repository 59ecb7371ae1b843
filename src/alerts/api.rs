//! API for guardians: alerts and watched phrases.

mod views;
mod worrying;

use poem_openapi::param::Path;
use poem_openapi::{OpenApi, Tags};

use super::{Alerts, Concern, Detail, Marking, WatchedPhrase};
use crate::children::accessed::{Shown, record_shown};
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::host::reading_time::reading_time;
use crate::kernel::http::problem::{
    BODY, CHANGED, CHILD, MALFORMED, RULE, Refused, RefusedAt, SIGNED_IN, WRITE,
};
use crate::kernel::http::version::Version;
use crate::kernel::http::wire::{
    AtMost, Body, Done, IfMatch, Listed, Page, PageMarker, PageSize, Query,
};
use crate::kernel::store::JsonRows;
use crate::rules::api::Tagged;

use views::{
    AlertId, AlertPageView, DealtWithView, PhraseView, SeenRequest, TriedView, TryRequest,
    UnseenView,
};

pub use views::AlertView;
use worrying::{NotWorryingView, ReplaceConcerns};

#[derive(Tags)]
enum Tag {
    /// The guardians' alerts and watched phrases.
    #[oai(rename = "alerts")]
    Alerts,
}

pub struct AlertsApi {
    pub children: Children,
    pub alerts: Alerts,
}

#[OpenApi(tag = "Tag::Alerts")]
impl AlertsApi {
    /// List a child's alerts, newest first
    ///
    /// Returns the alerts for all of the child's guardians and those for the caller alone. Alerts are kept for 400 days.
    #[oai(
        path = "/child/:childId/alerts",
        method = "get",
        operation_id = "listAlerts"
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
        /// `true` leaves out what was said, so that the read isn't counted in `looks`.
        glance: Query<Option<bool>>,
    ) -> Result<Listed<AlertPageView>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let detail = if glance.0 == Some(true) {
            record_shown(Shown::NoWords);
            Detail::Glance
        } else {
            Detail::WithWords
        };
        let page = self
            .alerts
            .list(&access, &guardian.0, before, limit, detail)?;
        let answer = AlertPageView {
            alerts: page.alerts.into_iter().map(AlertView::from).collect(),
            next: page.next,
        };
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }

    /// Count the unseen alerts of each of the caller's children
    ///
    /// Counts only `phrase`, `outside_times` and `reviewer`, without what the caller has dealt with or finds not worrying.
    #[oai(
        path = "/alerts/unseen",
        method = "get",
        operation_id = "countUnseenAlerts",
        transform = "no_words"
    )]
    async fn unseen(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<Page<UnseenView>>, Refused<{ SIGNED_IN }>> {
        let counts = self.alerts.count_unseen(&guardian.0)?;
        let children = counts.children.into_iter();
        let children = children.map(|(child_id, unseen)| UnseenView {
            child_id,
            unseen: unseen as u64,
        });
        let answer = Page::<UnseenView>::whole(children);
        Ok(JsonRows::of(&answer, counts.unreadable).into())
    }

    /// Record that alerts were seen
    ///
    /// Marks the caller's alerts up to this number as seen. Alerts that arrive later stay unseen.
    #[oai(path = "/alerts/seen", method = "put", operation_id = "noteAlertsSeen")]
    async fn record_seen(
        &self,
        guardian: AsGuardian,
        body: Body<SeenRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, body.0.child_id)?;
        let by = guardian.0.guardian().clone();
        self.alerts
            .record_seen(access, by, body.0.up_to.number())
            .await?;
        Ok(Done)
    }

    /// Say whether a reviewer's alert is not worrying
    ///
    /// For the caller alone. Such an alert stays in the list, and isn't counted.
    #[oai(
        path = "/child/:childId/alerts/:alertId/not_worrying",
        method = "put",
        operation_id = "setAlertNotWorrying"
    )]
    async fn set_not_worrying(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The alert's id.
        #[oai(name = "alertId")]
        alert: Path<AlertId>,
        body: Body<NotWorryingView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let not_worrying = body.0.not_worrying;
        self.alerts
            .mark(
                access,
                by,
                alert.0.number(),
                Marking::NotWorrying,
                not_worrying,
            )
            .await?;
        Ok(Done)
    }

    /// Say whether one has dealt with an alert
    ///
    /// For the caller alone: no other guardian learns of it, and no time is kept. Of alerts of the kinds `phrase`,
    /// `outside_times` and `reviewer`; 404 for others. Such an alert stays in the list, isn't counted, and doesn't wait in
    /// `getAttention` any more. A `reviewer` alert that becomes urgent afterwards waits again.
    #[oai(
        path = "/child/:childId/alerts/:alertId/dealt_with",
        method = "put",
        operation_id = "setAlertDealtWith"
    )]
    async fn set_dealt_with(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The alert's id.
        #[oai(name = "alertId")]
        alert: Path<AlertId>,
        body: Body<DealtWithView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let dealt_with = body.0.dealt_with;
        self.alerts
            .mark(access, by, alert.0.number(), Marking::DealtWith, dealt_with)
            .await?;
        Ok(Done)
    }

    /// List the concerns that the caller finds not worrying
    ///
    /// Of a reviewer's alerts about this child. Private to the caller.
    #[oai(
        path = "/child/:childId/not_worrying",
        method = "get",
        operation_id = "listNotWorrying",
        transform = "no_words"
    )]
    async fn not_worrying(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<Page<Concern>>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let concerns = self
            .alerts
            .list_not_worrying(&access, guardian.0.guardian())?;
        Ok(Body(Page::whole(concerns)))
    }

    /// Replace the concerns that the caller finds not worrying
    ///
    /// The whole list. Alerts about these concerns, earlier and later ones, stay in the list and aren't counted. `self_harm`,
    /// `hurt`, `hurt_at_home`, `sexual_content` and `stranger` are refused (422): only single alerts about them can be not
    /// worrying.
    #[oai(
        path = "/child/:childId/not_worrying",
        method = "put",
        operation_id = "replaceNotWorrying"
    )]
    async fn replace_not_worrying(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<ReplaceConcerns>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let concerns = body.0.items.into_iter();
        self.alerts
            .replace_not_worrying(access, by, concerns.collect())
            .await?;
        Ok(Done)
    }

    /// List the phrases that the caller watches for
    ///
    /// Private to the caller: other guardians of the child never see them.
    #[oai(
        path = "/child/:childId/watched_phrases",
        method = "get",
        operation_id = "listWatchedPhrases",
        transform = "no_words"
    )]
    async fn phrases(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Tagged<Vec<PhraseView>>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian();
        Ok(self.alerts.list_phrases(&access, by)?.into())
    }

    /// Replace the phrases that the caller watches for
    ///
    /// The whole list. Words are trimmed; repeats that match the same are dropped. If a phrase can't be watched, nothing is
    /// changed.
    #[oai(
        path = "/child/:childId/watched_phrases",
        method = "put",
        operation_id = "replaceWatchedPhrases"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<AtMost<30, PhraseView>>,
    ) -> Result<Tagged<Vec<PhraseView>>, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let phrases = body.0.into_vec().into_iter();
        let phrases = phrases.map(|phrase| (phrase.words.into_string(), phrase.side));
        let kept = self
            .alerts
            .replace_phrases(access, by, phrases.collect(), is_expected);
        Ok(kept.await?.into())
    }

    /// Try a phrase on the last 90 days
    ///
    /// Reads for a short time and returns what was found by then. Nothing is stored.
    #[oai(
        path = "/child/:childId/watched_phrases/try",
        method = "post",
        operation_id = "tryWatchedPhrase"
    )]
    async fn try_phrase(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<TryRequest>,
    ) -> Result<Listed<TriedView>, Refused<{ CHILD | BODY | RULE }>> {
        record_shown(Shown::Found);
        let access = self.children.of(&guardian.0, child.0)?;
        let TryRequest { words, side, after } = body.0;
        let phrase = WatchedPhrase::new(&words, side).refused_at("/words")?;
        let by = guardian.0.guardian().clone();
        let after = after.map(String::from);
        let tried = self
            .alerts
            .try_phrase(access, by, phrase, after, reading_time());
        let tried = tried.await.refused_at("/after")?;
        let unreadable = tried.unreadable;
        Ok(JsonRows::of(&TriedView::from(tried), unreadable).into())
    }
}
