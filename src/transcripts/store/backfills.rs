//! Migrations of older data.

use super::{BY_NAME, STATE, get_session, messages, name_key, naming, put_session, state};
use crate::children::SessionId;
use crate::kernel::store::{Backfill, Read};
use crate::transcripts::TranscriptsError;

/// In the order in which they were introduced.
pub(in crate::transcripts) const BACKFILLS: [Backfill; 4] = [
    Backfill {
        name: "session-names-by-child",
        table: BY_NAME,
        row: |change, key| {
            if let Some(session) = change.get::<SessionId>(key)?
                && let Some(state) = state(change, session)?
                && let Some((assistant, name)) = state.name
            {
                change.put(&name_key(state.child, &assistant, &name), &session)?;
            }
            change.remove(key)?;
            Ok(())
        },
    },
    Backfill {
        name: "session-talk",
        table: STATE,
        row: |change, key| {
            let number = key.components_below(&STATE.key()).number();
            let session = SessionId::new(number.unwrap_or_default());
            match get_session(change, session) {
                Ok((mut state, session)) => put_session(change, &mut state, &session),
                Err(TranscriptsError::Store(error)) => Err(error),
                Err(_) => Ok(()),
            }
        },
    },
    Backfill {
        name: "session-spoken",
        table: STATE,
        row: |change, key| {
            let number = key.components_below(&STATE.key()).number();
            let session = SessionId::new(number.unwrap_or_default());
            let Some(mut state) = state(change, session)? else {
                return Ok(());
            };
            state.spoken = messages::count_all(change, session)?;
            change.put(key, &state)
        },
    },
    Backfill {
        name: "session-moved",
        table: STATE,
        row: |change, key| {
            let number = key.components_below(&STATE.key()).number();
            let session = SessionId::new(number.unwrap_or_default());
            match state(change, session)? {
                Some(state) => naming::index_move(change, state, session),
                None => Ok(()),
            }
        },
    },
];
