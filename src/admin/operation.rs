//! An operation: a request with a typed answer, which runs in a server or in the command's own process.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::AdminError;
use super::target::Target;
use crate::kernel::host::pieces::{Pieces, pieces};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::store::Store;

/// An answer as JSON, or why there is none.
pub type JsonAnswer = Result<Box<RawValue>, AdminError>;

/// What runs an operation on its target.
pub type Work = Box<dyn FnOnce(Reports) -> BoxFuture<'static, JsonAnswer> + Send>;

pub trait Operation: Listed + Serialize + DeserializeOwned + Send + 'static {
    type Answer: Serialize + DeserializeOwned + Send + 'static;

    /// Whether the answer contains the URL of the pages.
    const TELLS_URL: bool = false;

    fn run(
        self,
        on: &Self::On,
        reports: &Reports,
    ) -> impl Future<Output = Result<Self::Answer, AdminError>> + Send;

    /// The URL of the pages for the answer, if no server is running that knows it.
    fn public_url(&self) -> Option<PublicUrl> {
        None
    }

    /// The body of its HTTP request.
    fn into_body(self) -> Vec<u8> {
        serde_json::to_vec(&self).expect("an operation is JSON")
    }

    fn from_body(body: Vec<u8>) -> Option<Self> {
        serde_json::from_slice(&body).ok()
    }

    fn run_to_json(self, on: Self::On, reports: Reports) -> BoxFuture<'static, JsonAnswer> {
        Box::pin(async move {
            let answer = self.run(&on, &reports).await?;
            Ok(to_raw_value(&answer).expect("an answer is JSON"))
        })
    }
}

/// An operation whose type the compiler doesn't know: what a command does with one is compiled once, not for each of them.
pub trait AnyOperation: Send {
    fn name(&self) -> &'static str;

    fn is_allowed_on_copy(&self) -> bool;

    /// How long a command that runs it itself waits for progress.
    fn progress_timeout(&self) -> Duration;

    fn into_request_body(self: Box<Self>) -> Vec<u8>;

    /// Makes its target of a store that this process opened.
    fn open(self: Box<Self>, store: &Store) -> BoxFuture<'_, Result<Work, AdminError>>;
}

impl<O: Operation> AnyOperation for O {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn is_allowed_on_copy(&self) -> bool {
        O::ALLOWED_ON_COPY
    }

    fn progress_timeout(&self) -> Duration {
        O::On::PROGRESS_TIMEOUT
    }

    fn into_request_body(self: Box<Self>) -> Vec<u8> {
        self.into_body()
    }

    fn open(self: Box<Self>, store: &Store) -> BoxFuture<'_, Result<Work, AdminError>> {
        Box::pin(async move {
            let on = O::On::open(store, self.public_url(), O::TELLS_URL).await?;
            let work: Work = Box::new(move |reports| self.run_to_json(on, reports));
            Ok(work)
        })
    }
}

/// What the [list of operations](super::operations) says of each.
pub trait Listed {
    /// The path of the HTTP request, without a slash.
    const NAME: &'static str;

    /// Whether it may run on a copy of the data: what it writes there, such as an entry of the access log, is lost.
    const ALLOWED_ON_COPY: bool;

    type On: Target;
}

pub trait Runner: Clone + Send + Sync + 'static {
    fn run<O: Operation>(
        &self,
        operation: O,
        reports: Reports,
    ) -> impl Future<Output = JsonAnswer> + Send;
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    pub done: u64,
    /// Zero if it is unknown.
    pub total: u64,
}

/// Receives the progress of an operation, and the chunks of the file that it returns.
#[derive(Clone)]
pub struct Reports {
    progress: Arc<dyn Fn(Progress) + Send + Sync>,
    pub pieces: Pieces,
}

impl Reports {
    pub fn new(progress: impl Fn(Progress) + Send + Sync + 'static, pieces: Pieces) -> Self {
        let progress = Arc::new(progress);
        Self { progress, pieces }
    }

    /// For an operation that answers without a file.
    pub fn of_progress(progress: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self::new(progress, pieces().0)
    }

    pub fn ignored() -> Self {
        Self::of_progress(|_| {})
    }

    pub fn report(&self, made: Progress) {
        (self.progress)(made);
    }

    /// Reports progress whose total is unknown.
    pub fn count(&self, done: u64) {
        self.report(Progress { done, total: 0 });
    }
}

pub(super) const PANICKED: &str =
    "Something went wrong; the log tells where. Whether anything was changed is not known.";

/// Runs blocking work in a separate thread.
pub(super) async fn in_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, AdminError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| AdminError::new(PANICKED))
}
