//! Logs which keys are read, for tests: the reads of a request must not reveal whether another family's data exists.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A log of reads, disabled unless a test enables it.
#[derive(Default)]
pub struct ReadLog {
    is_on: AtomicBool,
    keys: Mutex<Vec<Vec<u8>>>,
}

impl ReadLog {
    /// Logs a read of this key, or of a range that begins with it.
    pub fn note(&self, key: &[u8]) {
        if self.is_on.load(Ordering::Relaxed) {
            let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            keys.push(key.to_owned());
        }
    }

    /// Starts with an empty log.
    pub fn begin(&self) {
        self.take();
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// Stops logging. Returns the keys in the order in which they were read.
    pub fn take(&self) -> Vec<Vec<u8>> {
        self.is_on.store(false, Ordering::Relaxed);
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *keys)
    }
}
