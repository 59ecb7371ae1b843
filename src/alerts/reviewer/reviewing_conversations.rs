//! The queue of sessions: which one is reviewed next, and which are dropped or given up.

use std::time::Duration;

use super::consents::Status;
use super::not_reviewed::{self, COUNTED_DAYS};
use super::reviewed::Reviewed;
use super::reviewing::{DueSession, Reviewing};
use super::store::{self, Queued};
use crate::children::agreements::Due;
use crate::children::{ChildId, ChildrenError, SessionId};
use crate::kernel::store::{Change, Purpose, Read, StoreError};

/// How often a conversation is reviewed that hasn't ended.
const WHILE_RUNNING: Duration = Duration::from_secs(30 * 60);

/// For how long a review is tried.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// What is to be done with a session of the queue.
enum ReviewAction {
    /// It isn't to be reviewed.
    Drop,
    Wait,
    /// It was not looked at before.
    Note(Queued),
    /// It was tried for a day.
    GiveUp,
    Due(Box<DueSession>),
}

impl Reviewing {
    /// Reviews the next part of a conversation. Returns `false` if nothing was to be done.
    pub async fn review_next(&self) -> Result<bool, StoreError> {
        let _alone = self.turns.alone.lock().await;
        self.consents.end_changed().await?;
        let (mut due, mut is_completed) = (Vec::new(), false);
        for (child, session, queued) in store::queue(&self.consents.store)? {
            match self.next_action(&self.consents.store, child, session, &queued)? {
                ReviewAction::Wait => {}
                ReviewAction::Due(session) => due.push((queued, session)),
                ReviewAction::Drop | ReviewAction::Note(_) | ReviewAction::GiveUp => {
                    self.complete(child, session).await?;
                    is_completed = true;
                }
            }
        }
        let next = due.into_iter().min_by_key(|(_, due)| {
            let last = self.turns.last_of(due.access.child());
            (last, due.due_since, due.session)
        });
        let Some((queued, due)) = next else {
            return Ok(is_completed);
        };
        self.turns.record(due.access.child());
        self.review(queued, *due).await?;
        Ok(true)
    }

    fn next_action(
        &self,
        view: &impl Read,
        child: ChildId,
        session: SessionId,
        queued: &Queued,
    ) -> Result<ReviewAction, StoreError> {
        let now = self.consents.clock.now();
        let permitted = match self.consents.status(view, child)? {
            Status::On(permitted, ..) => permitted,
            // The time has come, but the clock isn't trusted yet.
            Status::Waiting(_, _, _, Due::At(at)) if at <= now => return Ok(ReviewAction::Wait),
            _ => return Ok(ReviewAction::Drop),
        };
        let access = match self.consents.children.for_administrator(child) {
            Ok(access) => access,
            Err(ChildrenError::Store(error)) => return Err(error),
            Err(_) => return Ok(ReviewAction::Drop),
        };
        let Some(found) = self.reviewable(view, &access, session)? else {
            return Ok(ReviewAction::Drop);
        };
        let is_running = !found.session.ended;
        let Some(seen_at) = queued.seen_at else {
            return Ok(ReviewAction::Note(Queued {
                seen_at: Some(now),
                ..queued.clone()
            }));
        };
        // The clock may have been put back.
        if is_running && seen_at <= now && now.since(seen_at) < WHILE_RUNNING {
            return Ok(ReviewAction::Wait);
        }
        let Some(due_since) = queued.due_since else {
            return Ok(ReviewAction::Note(Queued {
                due_since: Some(now),
                ..queued.clone()
            }));
        };
        if now.since(due_since) >= GIVEN_UP_AFTER {
            return Ok(ReviewAction::GiveUp);
        }
        let is_paused = queued
            .not_before
            .is_some_and(|at| now < at && at.since(now) <= GIVEN_UP_AFTER);
        if is_paused {
            return Ok(ReviewAction::Wait);
        }
        Ok(ReviewAction::Due(Box::new(DueSession {
            access,
            session,
            permitted,
            due_since,
        })))
    }

    /// Does what [`Reviewing::next_action`] says, as the change sees it.
    async fn complete(&self, child: ChildId, session: SessionId) -> Result<(), StoreError> {
        let reviewing = self.clone();
        let completed = self
            .consents
            .store
            .commit_for(Purpose::Essential, move |change| {
                let Some(queued) = store::queued(change, child, session)? else {
                    return Ok(());
                };
                match reviewing.next_action(change, child, session, &queued)? {
                    ReviewAction::Wait | ReviewAction::Due(_) => Ok(()),
                    ReviewAction::Drop => store::remove_queued(change, child, session),
                    ReviewAction::Note(queued) => {
                        store::put_queued(change, child, session, &queued)?;
                        // The session may be due now.
                        if let ReviewAction::Note(queued) =
                            reviewing.next_action(change, child, session, &queued)?
                        {
                            store::put_queued(change, child, session, &queued)?;
                        }
                        Ok(())
                    }
                    ReviewAction::GiveUp => reviewing.give_up(change, child, session),
                }
            });
        completed.await
    }

    fn give_up(
        &self,
        change: &mut Change,
        child: ChildId,
        session: SessionId,
    ) -> Result<(), StoreError> {
        tracing::warn!(%session, "a conversation was not reviewed for a day, so it is given up");
        not_reviewed::add(change, child, self.consents.clock.now(), 1)?;
        // What comes later in it is tried again.
        if let Ok(access) = self.consents.children.for_administrator(child)
            && let Some(arrivals) = self.transcripts.count_arrived(change, &access, session)?
        {
            store::put_reviewed(change, child, session, &Reviewed::up_to(arrivals))?;
        }
        store::remove_queued(change, child, session)
    }

    /// How many of the child's conversations were not reviewed in the last thirty days.
    pub fn count_not_reviewed(&self, child: ChildId) -> Result<u64, StoreError> {
        self.count_not_reviewed_within(child, COUNTED_DAYS)
    }

    /// How many were not reviewed in this number of days (UTC), including today; at most thirty.
    pub fn count_not_reviewed_within(&self, child: ChildId, days: i64) -> Result<u64, StoreError> {
        let counted = store::not_reviewed(&self.consents.store, child)?;
        Ok(not_reviewed::count(
            &counted,
            self.consents.clock.now(),
            days,
        ))
    }
}
