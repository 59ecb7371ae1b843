//! What a damaged record costs: itself. Lists leave it out and count it; elsewhere it is an error like any other, unless the
//! caller says what it counts as.

use super::StoreError;

/// The error of a call that reads records.
pub trait ReadError {
    /// What is wrong with the record, if the call failed only because one is damaged.
    fn damage(&self) -> Option<&str>;
}

impl ReadError for StoreError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Unreadable(why) => Some(why),
            Self::Full | Self::Unavailable | Self::Unknown | Self::TooLarge => None,
        }
    }
}

/// `None` for what can't be read.
pub fn readable<T, E: ReadError>(found: Result<T, E>) -> Result<Option<T>, E> {
    match found {
        Err(error) if error.damage().is_some() => Ok(None),
        found => found.map(Some),
    }
}

/// `None` for what can't be read: a list leaves it out and counts it in `unreadable`. The first one of a list is logged.
pub fn readable_or_counted<T, E: ReadError>(
    found: Result<T, E>,
    unreadable: &mut u64,
) -> Result<Option<T>, E> {
    let why = found.as_ref().err().and_then(ReadError::damage);
    if let Some(why) = why.filter(|_| *unreadable == 0) {
        tracing::warn!(why, "a record of a list could not be read and was left out");
    }
    let found = readable(found)?;
    *unreadable += u64::from(found.is_none());
    Ok(found)
}
