//! The store's tables, from all features.

use super::FEATURES;
use crate::identity;
use crate::kernel::outgoing::queue;
use crate::kernel::store::due;
use crate::kernel::store::{self, RecordKind, Table};

/// The record kind of each table, for reading all of them.
pub fn record_kinds() -> Vec<RecordKind> {
    let mut kinds = identity::kinds();
    kinds.extend(FEATURES.iter().flat_map(|feature| feature.kinds));
    kinds.push(due::KIND);
    kinds.push(queue::KIND);
    kinds.extend(store::KINDS);
    kinds
}

/// What is not restored, in words and as the tables that hold it.
pub const LEFT_OUT: [(&str, &[&str]); 8] = [
    (
        "sign-ins, sign-in links, codes and recovery codes",
        &[
            "sign-in",
            "sign-in-of",
            "link",
            "link-of",
            "link-to",
            "step-up-code",
            "recovery-code",
            "recovery-code-of",
            "recovery-codes-made",
            "provider-flow",
            "provider-flow-by-time",
        ],
    ),
    (
        "invitations, and changes of an address that waited",
        &[
            "invitation",
            "invitation-by-token",
            "invitation-of",
            "address-change",
            "address-change-by-token",
        ],
    ),
    (
        "requests to delete a child or to keep conversations for a shorter time",
        &["child-request"],
    ),
    (
        "which keys of former guardians were to be kept",
        &["key-kept"],
    ),
    (
        "messages that waited to be sent, and whether messages arrived",
        &[
            "queue",
            "told-waiting",
            "told-last",
            "weekly-sent",
            "message-arrivals",
        ],
    ),
    (
        "notifications on devices: each must be switched on again there",
        &["push-device", "push-device-ended", "push-key"],
    ),
    (
        "notifications to phones by ntfy, and quotes and topics in emails",
        &[],
    ),
    (
        "the agreements to the AI reader, and what waited for it",
        &["reviewer-consent", "reviewer-at-home", "reviewer-queue"],
    ),
];

/// The tables of a backup that are not restored.
pub fn not_restored() -> Vec<Table> {
    let mut tables = identity::not_restored();
    tables.extend(queue::not_restored());
    tables.extend(FEATURES.iter().flat_map(|feature| feature.not_restored));
    tables
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_command_that_restores_names_each_table_that_is_left_out() {
        let left_out = not_restored();
        let left_out = left_out
            .iter()
            .map(|table| table.name())
            .collect::<BTreeSet<_>>();

        let named = LEFT_OUT
            .iter()
            .flat_map(|(_, tables)| tables.iter().copied());

        assert_eq!(named.collect::<BTreeSet<_>>(), left_out, "edit LEFT_OUT");
    }
}
