//! Which children a request was given access to, and whether it only glanced at what they said. Collected while the request runs, so
//! that one place can count who reads.

use std::cell::RefCell;

use super::{ChildAccess, SessionId};

tokio::task_local! {
    static ACCESSED: RefCell<Accessed>;
}

/// What a request accessed.
#[derive(Debug, Default)]
pub struct Accessed {
    pub children: Vec<ChildAccess>,
    pub glance: Option<Glance>,
}

/// Why a read of a conversation is only a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// The response has no words of a conversation.
    WithoutWords,
    /// It has the beginning of a conversation, which the page opened by itself.
    Beginning {
        session: SessionId,
        /// Whether it is the first one in the child's list.
        is_newest: bool,
    },
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
pub fn note_glance(glance: Glance) {
    let _ = ACCESSED.try_with(|accessed| accessed.borrow_mut().glance = Some(glance));
}
