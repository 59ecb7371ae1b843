//! All features that keep something of children.

use crate::alerts::{self, reviewer};
use crate::assistants::{deliveries, gateway};
use crate::children::feature::Feature;
use crate::children::{self, access_log, agreements, child_notice, history};
use crate::conversations::transcripts;
use crate::insights::{activities, summary};
use crate::kernel::store::Store;
use crate::rules::{self, age, blocked_topics, context, language, schedule};
use crate::{attention, conversation_starters, household, models, notifications, retention, tries};

/// In the order in which a child's data is erased.
pub static FEATURES: [&Feature; 25] = [
    &notifications::FEATURE,
    &reviewer::FEATURE,
    &conversation_starters::FEATURE,
    &attention::FEATURE,
    &tries::FEATURE,
    &alerts::FEATURE,
    &transcripts::FEATURE,
    &activities::FEATURE,
    &summary::FEATURE,
    &blocked_topics::FEATURE,
    &context::FEATURE,
    &age::FEATURE,
    &language::FEATURE,
    &schedule::FEATURE,
    &child_notice::FEATURE,
    &access_log::FEATURE,
    &rules::FEATURE,
    &retention::FEATURE,
    &history::FEATURE,
    &agreements::FEATURE,
    &gateway::FEATURE,
    &models::FEATURE,
    &deliveries::FEATURE,
    &household::FEATURE,
    &children::FEATURE,
];

/// Lets each feature react to the changes of others.
pub fn follow(store: &Store) {
    for feature in FEATURES {
        store.follow(feature.triggers);
    }
}
