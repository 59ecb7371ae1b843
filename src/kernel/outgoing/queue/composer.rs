//! How a feature composes the messages of a kind.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::policy::Policy;
use super::queued::{Id, Queued};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::Email;
use crate::kernel::outgoing::post::Post;
use crate::kernel::store::{Change, StoreError};

/// Messages of different lanes don't wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Sign-in links, codes, and what happened to the recipient's own access.
    Security,
    Ordinary,
    /// Sign-in links to addresses of no guardian, with open sign-up.
    Strangers,
}

/// A queued message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<T> {
    /// Whom it is for, or about: a guardian's or a child's id, or an address that may belong to no guardian.
    pub recipient: String,
    /// The subject: an id, or empty. Only one message of the same kind, recipient and subject is queued at a time.
    pub about: String,
    /// Further ids and flags that its composer needs.
    pub data: T,
    /// 32 hexadecimal digits, the same for each try; empty before the message is queued.
    pub message_id: String,
}

impl<T> Item<T> {
    pub fn new(recipient: &str, about: &str, data: T) -> Self {
        Self {
            recipient: recipient.to_owned(),
            about: about.to_owned(),
            data,
            message_id: String::new(),
        }
    }
}

/// How the messages of a kind leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// By the mail server.
    Mail,
    /// As requests to the server with this name: one after the other, in the order in which they were queued. They wait for no others.
    InOrder(&'static str),
    /// As requests to servers that differ from message to message: none waits for another.
    Independent,
}

/// Composes the messages of a kind. It must own neither the [`Queue`](super::Queue), which owns it, nor a [`Kind`](super::Kind).
pub trait Composer: Send + Sync + 'static {
    /// What a record contains besides the recipient and the subject. A message with data in another form waits as if it could
    /// not be sent.
    type Data: Serialize + DeserializeOwned;

    fn policy(&self) -> Policy;

    fn route(&self) -> Route {
        Route::Mail
    }

    /// The lane of a message to its present recipient; `None` without one, so that it is dropped.
    fn lane(
        &self,
        _change: &mut Change,
        _item: &Item<Self::Data>,
    ) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    /// Composes the message in the change that records its try; `None` if there is nothing to send any more. Secrets in it are
    /// generated here.
    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError>;
}

/// A [`Composer`] that reads its data from the record.
pub(super) trait AnyComposer: Send + Sync {
    fn policy(&self) -> Policy;

    fn route(&self) -> Route;

    fn lane(
        &self,
        change: &mut Change,
        id: &Id,
        queued: &Queued,
    ) -> Result<Option<Lane>, StoreError>;

    fn compose(
        &self,
        change: &mut Change,
        id: &Id,
        queued: &Queued,
    ) -> Result<Option<Composed>, StoreError>;
}

impl<C: Composer> AnyComposer for C {
    fn policy(&self) -> Policy {
        Composer::policy(self)
    }

    fn route(&self) -> Route {
        Composer::route(self)
    }

    fn lane(
        &self,
        change: &mut Change,
        id: &Id,
        queued: &Queued,
    ) -> Result<Option<Lane>, StoreError> {
        Composer::lane(self, change, &item(id, queued)?)
    }

    fn compose(
        &self,
        change: &mut Change,
        id: &Id,
        queued: &Queued,
    ) -> Result<Option<Composed>, StoreError> {
        Composer::compose(self, change, item(id, queued)?)
    }
}

fn item<T: DeserializeOwned>(id: &Id, queued: &Queued) -> Result<Item<T>, StoreError> {
    let unreadable = || StoreError::unreadable("a queued message");
    Ok(Item {
        recipient: id.recipient.clone(),
        about: id.about.clone(),
        data: queued.data().ok_or_else(unreadable)?,
        message_id: queued.message_id.clone(),
    })
}

/// A message in the form in which it leaves the server.
pub enum Message {
    Email(Email),
    Request(Post),
    /// To a push service, which somebody's browser named.
    Push(Post),
}

/// A message ready to be sent.
pub struct Composed {
    pub message: Message,
    /// Runs in the change that records the outcome.
    pub on_outcome: Option<OnOutcome>,
    pub report: Option<Report>,
}

impl Composed {
    /// Adds a callback that learns, in the same change, whether the message arrived.
    #[must_use]
    pub fn reported_to(
        self,
        report: impl FnOnce(&mut Change, Arrival) -> Result<(), StoreError> + Send + 'static,
    ) -> Self {
        Self {
            report: Some(Box::new(report)),
            ..self
        }
    }

    /// Adds a callback that runs in the change that records the outcome.
    #[must_use]
    pub fn with_outcome(
        self,
        then: impl FnOnce(&mut Change, Outcome) -> Result<(), StoreError> + Send + 'static,
    ) -> Self {
        let on_outcome: OnOutcome = match self.on_outcome {
            None => Box::new(then),
            Some(first) => Box::new(|change, outcome| {
                first(change, outcome)?;
                then(change, outcome)
            }),
        };
        Self {
            on_outcome: Some(on_outcome),
            ..self
        }
    }
}

pub type Report = Box<dyn FnOnce(&mut Change, Arrival) -> Result<(), StoreError> + Send>;

pub type OnOutcome = Box<dyn FnOnce(&mut Change, Outcome) -> Result<(), StoreError> + Send>;

impl Composed {
    /// A message to a push service.
    pub fn push(post: Post) -> Self {
        Self {
            message: Message::Push(post),
            on_outcome: None,
            report: None,
        }
    }
}

impl From<Email> for Composed {
    fn from(email: Email) -> Self {
        Self {
            message: Message::Email(email),
            on_outcome: None,
            report: None,
        }
    }
}

impl From<Post> for Composed {
    fn from(post: Post) -> Self {
        Self {
            message: Message::Request(post),
            on_outcome: None,
            report: None,
        }
    }
}

/// The outcome of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was sent completely at this time, and not refused.
    Sent(Timestamp),
    NotSent,
    /// A push service says that the subscription has ended.
    Gone,
}

/// Whether a server took a message, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    Taken(Timestamp),
    /// Why not, in a sentence without addresses and secrets.
    NotTaken(Timestamp, String),
}
