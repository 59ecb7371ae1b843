//! Triggers: rules that run within every change that writes to a certain table.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use super::{Change, Key, StoreError, Table};

/// A rule that runs at the end of each change that writes to a table, before the change is committed.
#[derive(Clone, Copy)]
pub struct Trigger {
    pub table: Table,
    /// Receives the keys of the table that were written or removed, possibly including unchanged ones. If it fails, the whole
    /// change is discarded.
    pub run: fn(&mut Change, &[Key]) -> Result<(), StoreError>,
}

#[derive(Default)]
pub(super) struct Triggers(RwLock<Vec<Trigger>>);

impl Triggers {
    pub fn add(&self, triggers: &[Trigger]) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(triggers);
    }

    /// Runs the rules, also on what other rules have written, until nothing new is written.
    pub fn run(&self, change: &mut Change) -> Result<(), StoreError> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut seen = vec![BTreeSet::new(); all.len()];
        let mut is_over = all.is_empty();
        while !is_over {
            is_over = true;
            for (trigger, seen) in all.iter().zip(&mut seen) {
                let mut keys = change.written_in(trigger.table);
                keys.retain(|key| seen.insert(key.clone()));
                if !keys.is_empty() {
                    is_over = false;
                    (trigger.run)(change, &keys)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::store::{Read, Store};

    const NOTE: Table = Table::new("note");
    const COPY: Table = Table::new("copy");
    const COPY_OF_COPY: Table = Table::new("copy-of-copy");

    fn copy(change: &mut Change, from: Table, to: Table, keys: &[Key]) -> Result<(), StoreError> {
        for key in keys {
            let number = key.components_below(&from.key()).number();
            let copied = to.key().number(number.unwrap_or_default());
            match change.get::<u64>(key)? {
                Some(note) => change.put(&copied, &note)?,
                None => {
                    change.remove(&copied)?;
                }
            }
        }
        Ok(())
    }

    const TRIGGERS: [Trigger; 3] = [
        // Listed before the rule that triggers it, because the order must not matter.
        Trigger {
            table: COPY,
            run: |change, keys| copy(change, COPY, COPY_OF_COPY, keys),
        },
        Trigger {
            table: NOTE,
            run: |change, keys| copy(change, NOTE, COPY, keys),
        },
        Trigger {
            table: NOTE,
            run: |_, keys| {
                if keys.contains(&NOTE.key().number(13)) {
                    Err(StoreError::Full)
                } else {
                    Ok(())
                }
            },
        },
    ];

    #[tokio::test]
    async fn what_follows_is_in_the_same_change_and_nothing_is_kept_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.follow(&TRIGGERS);
        let put = |number: u64| {
            store.commit(move |change| change.put(&NOTE.key().number(number), &number))
        };
        let is_there = |table: Table, number: u64| store.contains(&table.key().number(number));

        put(7).await.unwrap();
        assert!(matches!(put(13).await, Err(StoreError::Full)));

        for table in [NOTE, COPY, COPY_OF_COPY] {
            assert!(is_there(table, 7).unwrap(), "{}", table.name());
            assert!(!is_there(table, 13).unwrap(), "{}", table.name());
        }
        let removed = store.commit(|change| change.remove(&NOTE.key().number(7)));
        removed.await.unwrap();
        assert!(!is_there(COPY_OF_COPY, 7).unwrap());
    }
}
