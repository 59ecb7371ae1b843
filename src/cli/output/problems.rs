//! What a running server has noticed, in sentences.

use super::tables::counted;
use crate::conversations::transcripts::{NotKeptReason, NotKeptTotal};
use crate::kernel::http::forwarding::SeenFault;
use crate::notifications::NotArriving;

/// A fault in trusted proxies' headers, and how often it occurred.
pub fn forwarding(seen: &SeenFault) -> String {
    let requests = counted(seen.requests, "request", "requests");
    let sentence = seen.fault.sentence();
    format!("{sentence} Seen in {requests} since the server started.")
}

/// How many conversations the reviewer's model did not read.
pub fn not_reviewed(conversations: u64) -> Option<String> {
    let (count, were) = match conversations {
        0 => return None,
        1 => ("1 conversation".to_owned(), "was"),
        more => (format!("{more} conversations"), "were"),
    };
    Some(format!(
        "{count} {were} not reviewed in the last 30 days: the reviewer's model did not answer for a day, or its budget was used up."
    ))
}

/// A channel by which no messages arrive.
pub fn not_arriving(found: &NotArriving) -> String {
    let NotArriving {
        channel,
        guardian,
        since,
        why,
    } = found;
    match (channel.as_str(), guardian.as_str()) {
        (channel, "") => format!("Nothing has arrived at the {channel} since {since}. {why}"),
        ("email", guardian) => {
            format!("No email about alerts has reached {guardian} since {since}. {why}")
        }
        ("push", guardian) => {
            format!("A device of {guardian} has not been notified since {since}. {why}")
        }
        (channel, guardian) => {
            format!("Nothing has reached {guardian} by {channel} since {since}. {why}")
        }
    }
}

/// The number of delivered messages that could not be stored, and why.
pub fn not_kept(total: &NotKeptTotal) -> String {
    let messages = counted(total.messages, "message", "messages");
    let sessions = counted(total.sessions, "session", "sessions");
    let why = match (total.reason, total.messages) {
        (NotKeptReason::IdUsedTwice, _) => "an assistant used an id twice",
        (NotKeptReason::Invalid, 1) => "an assistant sent it incorrectly",
        (NotKeptReason::Invalid, _) => "an assistant sent them incorrectly",
        (NotKeptReason::NotStored, _) => "the store could not take what passed through the gateway",
    };
    format!("{messages} of {sessions} could not be kept: {why}. The transcripts say so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_could_not_be_stored_are_counted_by_reason() {
        let two = NotKeptTotal {
            reason: NotKeptReason::IdUsedTwice,
            messages: 2,
            sessions: 1,
        };
        let one = NotKeptTotal {
            reason: NotKeptReason::Invalid,
            messages: 1,
            sessions: 1,
        };

        assert_eq!(
            not_kept(&two),
            "2 messages of 1 session could not be kept: an assistant used an id twice. The transcripts say so."
        );
        assert_eq!(
            not_kept(&one),
            "1 message of 1 session could not be kept: an assistant sent it incorrectly. The transcripts say so."
        );
    }
}
