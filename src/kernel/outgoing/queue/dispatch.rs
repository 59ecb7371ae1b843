//! Starts sending the messages that are due.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::task::JoinSet;

use super::delivery::Claim;
use super::line::{self, Due};
use super::{Id, Lane, Queue, Queued, Route, store};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Purpose, StoreError};

/// What a task has worked on.
pub enum Delivered {
    Message,
    /// Messages to one server, of which further ones may be due.
    Line,
}

pub type Deliveries = JoinSet<Result<Delivered, StoreError>>;

impl Queue {
    /// Starts sending the messages that are due, those that have waited longest first; drops those without a recipient. Returns
    /// the time until the next of the others is due.
    pub(super) async fn begin_due(
        &self,
        deliveries: &mut Deliveries,
    ) -> Result<Option<Duration>, StoreError> {
        let now = self.0.clock.now();
        let (due, next) = self.due(now)?;
        if due.is_empty() {
            return Ok(next);
        }
        let queue = self.clone();
        let looked_up = self.0.store.commit_for(Purpose::Essential, move |change| {
            let mut to_send = Vec::new();
            for (id, queued) in due {
                match queue.look_up(change, &id, &queued, now) {
                    Ok(Some(lane)) => to_send.push((lane, queued, id)),
                    Ok(None) => store::remove(change, &id)?,
                    // An unreadable message doesn't block the others.
                    Err(StoreError::Unreadable(cause)) => {
                        tracing::error!(%cause, kind = id.kind, "a queued message could not be read");
                        queue.postpone_unreadable(change, &id, queued, now)?;
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok::<_, StoreError>(to_send)
        });
        let mut to_send = looked_up.await?;
        let mut lines = BTreeMap::<_, Vec<_>>::new();
        to_send.sort_by_key(|(lane, queued, _)| (*lane, queued.due_at));
        for (lane, queued, id) in to_send {
            let route = self.route(&id);
            let Some(claim) = self.claim(id) else {
                continue;
            };
            match route {
                Route::InOrder(server) => lines
                    .entry(server)
                    .or_default()
                    .push((queued.queued_at, claim)),
                Route::Independent => {
                    let delivery = self.clone().deliver_independently(claim);
                    deliveries.spawn(async { delivery.await.map(|()| Delivered::Message) });
                }
                Route::Mail => {
                    let delivery = self.clone().deliver(claim, lane);
                    deliveries.spawn(async { delivery.await.map(|()| Delivered::Message) });
                }
            }
        }
        for (_, mut line) in lines {
            line.sort_by_key(|(queued_at, _)| *queued_at);
            let claims = line.into_iter().map(|(_, claim)| claim).collect();
            let delivery = self.clone().deliver_line(claims);
            deliveries.spawn(async { delivery.await.map(|()| Delivered::Line) });
        }
        Ok(next)
    }

    /// The messages that are due and not being sent, and the time until the next of the others is due.
    fn due(&self, now: Timestamp) -> Result<Due, StoreError> {
        let (mut due, mut next) = (Vec::new(), None::<Duration>);
        let mut lines = BTreeMap::<_, Vec<_>>::new();
        for (id, queued) in store::every(&self.0.store)? {
            if let Route::InOrder(server) = self.route(&id) {
                lines.entry(server).or_default().push((id, queued));
                continue;
            }
            match queued.waits(now) {
                Some(until) => next = next.into_iter().chain([until]).min(),
                None if self.in_progress().contains_key(&id) => {}
                None => due.push((id, queued)),
            }
        }
        for line in lines.into_values() {
            // One that is being sent goes first; when it is done, this is called again.
            if line
                .iter()
                .any(|(id, _)| self.in_progress().contains_key(id))
            {
                continue;
            }
            let (ready, until) = line::ready(line, now);
            due.extend(ready);
            next = next.into_iter().chain(until).min();
        }
        Ok((due, next))
    }

    fn route(&self, id: &Id) -> Route {
        let composer = self.composer(&id.kind);
        composer.map_or(Route::Mail, |composer| composer.route())
    }

    /// Sends the messages of a line, up to the first that must be tried again before the others.
    async fn deliver_line(self, claims: Vec<Claim>) -> Result<(), StoreError> {
        for claim in claims {
            if !self.deliver_in_line(&claim).await? {
                break;
            }
        }
        Ok(())
    }

    /// The lane of a message; `None` if it is dropped.
    fn look_up(
        &self,
        change: &mut Change,
        id: &Id,
        queued: &Queued,
        now: Timestamp,
    ) -> Result<Option<Lane>, StoreError> {
        let Some(composer) = self.composer(&id.kind) else {
            tracing::warn!(
                kind = id.kind,
                "this version sends no such messages, so one was dropped"
            );
            return Ok(None);
        };
        if queued.age(now) >= composer.policy().gives_up_after {
            tracing::warn!(
                kind = id.kind,
                "a message could not be sent in time and was given up"
            );
            return Ok(None);
        }
        composer.lane(change, id, queued)
    }
}
