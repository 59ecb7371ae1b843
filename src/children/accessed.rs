//! Which children a request was given access to, and what it shows of what they said. Collected while the request runs, so that one
//! place can count who reads.
//!
//! A handler that reads and says nothing here counts as showing what was said. That is why a check of access collects it by itself, and
//! doesn't return it: a handler whose answer dropped it would read without a trace.

use std::cell::RefCell;

use super::{ChildAccess, SessionId};

tokio::task_local! {
    static ACCESSED: RefCell<Accessed>;
}

/// What a request accessed.
#[derive(Debug, Default)]
pub struct Accessed {
    pub children: Vec<ChildAccess>,
    pub shown: Option<Shown>,
}

/// What a response shows of what a child said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// No words of a conversation: at most topics, first words and figures, as on Summary and in lists.
    NoWords,
    /// It has the beginning of a conversation, which the page opened by itself.
    Beginning {
        session: SessionId,
        /// Whether it is the first one in the child's list.
        is_newest: bool,
    },
    /// What was found by its words.
    Found,
    /// Everything, as a file.
    Copy,
}

/// Runs a request, and returns what it accessed.
pub async fn collect<T>(request: impl Future<Output = T>) -> (T, Accessed) {
    let run = async {
        let done = request.await;
        (done, ACCESSED.with(RefCell::take))
    };
    ACCESSED.scope(RefCell::default(), run).await
}

/// Does nothing outside a request.
pub(super) fn note(access: &ChildAccess) {
    let _ = ACCESSED.try_with(|accessed| {
        let children = &mut accessed.borrow_mut().children;
        if !children.contains(access) {
            children.push(access.clone());
        }
    });
}

/// Does nothing outside a request.
pub fn record_shown(shown: Shown) {
    let _ = ACCESSED.try_with(|accessed| accessed.borrow_mut().shown = Some(shown));
}
