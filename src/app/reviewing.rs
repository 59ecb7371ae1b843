//! Builds the reviewer, and lets the features below it know whether a model reads a child's conversations.

use std::sync::Arc;

use crate::alerts::Alerts;
use crate::blocked_topics::BlockedTopics;
use crate::for_child::IsReviewed;
use crate::gateway::upstreams::UpstreamClient;
use crate::kernel::queue::Queue;
use crate::kernel::randomness::Randomness;
use crate::reviewer::{Consents, DEADLINE, Reviewer, Reviewing, Turns};
use crate::transcripts::Transcripts;

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
    queue: &Queue,
) -> Reviewer {
    let reviewer = Reviewer {
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
            turns: Turns::default(),
            deadline: DEADLINE,
        },
        consents,
    };
    reviewer.register_emails(queue);
    reviewer
}
