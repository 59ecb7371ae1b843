//! API for guardians: what a child's assistants are doing now.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Tag;
use crate::children::api::no_words;
use crate::children::history::api::AuthorView;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::http::problem::{CHILD, Refused, SIGNED_IN};
use crate::kernel::http::wire::{Listed, Page, Text};
use crate::kernel::store::JsonRows;
use crate::rules::schedule::Why;
use crate::rules::schedule::api::PauseView;
use crate::rules::{ChildTalk, LastHeard, Rules, TalkState, TalkStatus};

/// The conversation with a child's newest message.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "LastHeard", skip_serializing_if_is_none)]
pub struct LastHeardView {
    /// The time of the newest message.
    last_message_time: Timestamp,
    session_id: SessionId,
    /// The assistant's name. Omitted if unknown.
    assistant: Option<Text<200>>,
}

impl From<LastHeard> for LastHeardView {
    fn from(heard: LastHeard) -> Self {
        Self {
            last_message_time: heard.at,
            session_id: heard.session,
            assistant: heard.assistant.and_then(|name| Text::new(name).ok()),
        }
    }
}

/// What a child's assistants are doing now.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TalkStatus", skip_serializing_if_is_none)]
struct TalkStatusView {
    state: TalkState,
    /// The names of the assistants that talk with the child, or still do, as far as known.
    talking: Vec<Text<200>>,
    /// The names of the assistants that have not fetched the pause.
    unconfirmed: Vec<Text<200>>,
    /// The conversation in progress; omitted without one.
    session_id: Option<SessionId>,
    /// Why talking is not allowed; omitted if it is.
    why: Option<Why>,
    /// When the pause ends, else when talking is allowed again. Omitted if talking is allowed, or there is no such time.
    until: Option<Timestamp>,
    /// The pause; omitted without one.
    pause: Option<PauseView>,
    /// Who paused; omitted for a former guardian, and if unknown.
    paused_by: Option<AuthorView>,
    /// Omitted if nothing was ever said.
    last_heard: Option<LastHeardView>,
    /// After how many seconds this changes by the clock alone; omitted if it doesn't.
    changes_in: Option<f64>,
}

impl TalkStatusView {
    fn new(status: TalkStatus, now: Timestamp) -> Self {
        let texts = |names: Vec<String>| {
            let texts = names.into_iter().map(Text::new);
            texts.filter_map(Result::ok).collect()
        };
        Self {
            state: status.state,
            talking: texts(status.talking),
            unconfirmed: texts(status.unconfirmed),
            session_id: status.session,
            why: status.why,
            until: status.until,
            pause: status.pause.map(PauseView::from),
            paused_by: status.paused_by.map(AuthorView::from),
            last_heard: status.last_heard.map(LastHeardView::from),
            changes_in: status.next_change.map(|at| at.since(now).as_secs_f64()),
        }
    }
}

/// Whether an assistant is talking with a child.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ChildTalk", skip_serializing_if_is_none)]
struct ChildTalkView {
    child_id: ChildId,
    /// Whether one is talking with the child now.
    talking: bool,
    /// The time of the newest message; omitted if nothing was ever said.
    last_message_time: Option<Timestamp>,
}

impl From<ChildTalk> for ChildTalkView {
    fn from(talk: ChildTalk) -> Self {
        Self {
            child_id: talk.child,
            talking: talk.is_talking,
            last_message_time: talk.last_said,
        }
    }
}

pub(super) struct TalkStatusApi {
    pub(super) children: Children,
    pub(super) rules: Rules,
    pub(super) clock: Clock,
}

#[OpenApi(tag = "Tag::Talk")]
impl TalkStatusApi {
    /// Get what a child's assistants are doing now
    #[oai(
        path = "/child/:childId/talk_status",
        method = "get",
        operation_id = "getTalkStatus",
        transform = "no_words"
    )]
    async fn status(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<TalkStatusView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let (status, unreadable) = self.rules.talk_status(&access, &guardian.0)?;
        let view = TalkStatusView::new(status, self.clock.now());
        Ok(JsonRows::of(&view, unreadable).into())
    }

    /// List which of the caller's children an assistant is talking with, by the child's id
    #[oai(
        path = "/children/talk_status",
        method = "get",
        operation_id = "listChildTalk",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<Page<ChildTalkView>>, Refused<{ SIGNED_IN }>> {
        let (talk, unreadable) = self.rules.list_child_talk(&guardian.0)?;
        let view = Page::<ChildTalkView>::whole(talk);
        Ok(JsonRows::of(&view, unreadable).into())
    }
}
