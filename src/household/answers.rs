//! A guardian's answer to a request, and when the request takes effect.

use crate::children::agreements::Due;
use crate::kernel::host::clock::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers {
    pub shown: bool,
    pub confirmed: bool,
    /// When it takes effect unless somebody cancels it; `None` until it was shown to every guardian, as far as the reader may know.
    pub due_at: Option<Timestamp>,
}

/// When a request takes effect, if that is known.
pub(super) fn due_at(due: Due, now: Timestamp) -> Option<Timestamp> {
    match due {
        Due::AtOnce => Some(now),
        Due::At(at) => Some(at),
        Due::NotKnown => None,
    }
}
