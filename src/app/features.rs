//! All features that keep something of children.

use crate::children::feature::Feature;
use crate::children::{self, agreements, history};
use crate::kernel::store::Store;
use crate::{
    activities, alerts, assistant, blocked_topics, context, curious, for_child, gateway, household,
    looks, retention, reviewer, rules, subscriptions, summary, times, transcripts,
};

/// In the order in which a child's data is erased.
pub static FEATURES: [&Feature; 20] = [
    &subscriptions::FEATURE,
    &reviewer::FEATURE,
    &curious::FEATURE,
    &alerts::FEATURE,
    &transcripts::FEATURE,
    &activities::FEATURE,
    &summary::FEATURE,
    &blocked_topics::FEATURE,
    &context::FEATURE,
    &times::FEATURE,
    &for_child::FEATURE,
    &looks::FEATURE,
    &rules::FEATURE,
    &retention::FEATURE,
    &history::FEATURE,
    &agreements::FEATURE,
    &gateway::FEATURE,
    &assistant::FEATURE,
    &household::FEATURE,
    &children::FEATURE,
];

/// Lets each feature react to the changes of others.
pub fn follow(store: &Store) {
    for feature in FEATURES {
        store.follow(feature.consequences);
    }
}
