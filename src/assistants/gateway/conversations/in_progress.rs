//! Answers that are being passed on: the next request ends those whose client has left, because it may say what was heard.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc::{Sender, WeakSender};
use tokio_util::sync::CancellationToken;

use super::TrackerKey;

/// By key and child. Clones share it.
#[derive(Clone, Default)]
pub struct AnswersInProgress(Arc<Mutex<HashMap<TrackerKey, Vec<Progress>>>>);

#[derive(Clone)]
struct Progress {
    client: WeakSender<io::Result<Bytes>>,
    /// Set when the client has left and sent another request.
    superseded: CancellationToken,
    /// Set when the answer is stored, or could not be.
    ended: CancellationToken,
}

impl Progress {
    fn is_abandoned(&self) -> bool {
        self.client
            .upgrade()
            .is_none_or(|client| client.is_closed())
    }
}

/// An answer that is being passed on, until this is dropped.
pub struct AnswerInProgress {
    key: TrackerKey,
    answers: AnswersInProgress,
    progress: Progress,
}

impl AnswersInProgress {
    pub fn add(&self, key: TrackerKey, client: &Sender<io::Result<Bytes>>) -> AnswerInProgress {
        let progress = Progress {
            client: client.downgrade(),
            superseded: CancellationToken::new(),
            ended: CancellationToken::new(),
        };
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers
            .entry(key.clone())
            .or_default()
            .push(progress.clone());
        drop(answers);
        AnswerInProgress {
            key,
            answers: self.clone(),
            progress,
        }
    }

    /// Ends the answers of this key and child whose client has left, and returns when they are stored.
    pub async fn end_abandoned(&self, key: &TrackerKey) {
        let abandoned = {
            let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let of_key = answers.get(key).into_iter().flatten();
            of_key
                .filter(|it| it.is_abandoned())
                .cloned()
                .collect::<Vec<_>>()
        };
        for progress in &abandoned {
            progress.superseded.cancel();
        }
        for progress in &abandoned {
            progress.ended.cancelled().await;
        }
    }
}

impl AnswerInProgress {
    /// Returns when another request has come after the client left.
    pub async fn superseded(&self) {
        self.progress.superseded.cancelled().await;
    }
}

impl Drop for AnswerInProgress {
    fn drop(&mut self) {
        self.progress.ended.cancel();
        let mut answers = self
            .answers
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(of_key) = answers.get_mut(&self.key) {
            of_key.retain(|progress| !progress.ended.is_cancelled());
            if of_key.is_empty() {
                answers.remove(&self.key);
            }
        }
    }
}
