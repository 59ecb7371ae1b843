//! Builds the reviewer, and lets the features below it know whether a model reads a child's conversations.

use std::sync::Arc;

use crate::alerts::Alerts;
use crate::alerts::reviewer::{Consents, DEADLINE, FairScheduler, Reviewer, Reviewing};
use crate::children::child_notice::IsReviewed;
use crate::conversations::transcripts::Transcripts;
use crate::kernel::host::randomness::Randomness;
use crate::models::UpstreamClient;
use crate::rules::blocked_topics::BlockedTopics;

pub(super) fn is_reviewed(consents: &Consents) -> IsReviewed {
    let consents = consents.clone();
    Arc::new(move |view, child| Ok(consents.permitted(view, child)?.is_some()))
}

pub(super) fn reviewer(
    consents: Consents,
    transcripts: &Transcripts,
    blocked_topics: &BlockedTopics,
    alerts: &Alerts,
    client: &UpstreamClient,
    rng: &Randomness,
) -> Reviewer {
    Reviewer {
        reviewing: Reviewing {
            store: consents.store.clone(),
            clock: consents.clock.clone(),
            children: consents.children.clone(),
            consents: consents.clone(),
            transcripts: transcripts.clone(),
            blocked_topics: blocked_topics.clone(),
            alerts: alerts.clone(),
            client: client.clone(),
            rng: rng.clone(),
            turns: FairScheduler::default(),
            deadline: DEADLINE,
        },
        consents,
    }
}
