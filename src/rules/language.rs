//! The language that a child speaks with its assistants.
//!
//! Each guardian of the child may say which one. Assistants are told it, and the child hears its goodbyes in it. An assistant
//! still follows a child who speaks another language.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::file::{ChildField, FieldError, ImportChildField};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::host::language::Language;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table, readable};

const LANGUAGE: Table = Table::new("child-language");

#[derive(Serialize, Deserialize)]
struct Spoken {
    language: Language,
}

impl Record for Spoken {}

const KINDS: [RecordKind; 1] = [RecordKind::of::<Spoken>(LANGUAGE)];

pub static FEATURE: Feature = Feature {
    kinds: &KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("language", || tables(&KINDS))],
    erase_batch: |change, access| Ok(change.remove_some_below(&key(access.child()))? > 0),
    of_session: None,
    child_fields: &[FIELD],
    session_fields: &[],
};

/// In an exported file.
const FIELD: ChildField = ChildField {
    name: "language",
    export: |view, access, _, left_out| {
        let language = left_out.readable("language", find(view, access.child()))?;
        Ok(language
            .flatten()
            .map(|language| json!(language).to_string().into_bytes()))
    },
    read: |json| {
        let language = FieldError::parse::<Option<Language>>(json)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            replace(change, access, language)?;
            Ok(())
        }))
    },
};

fn key(child: ChildId) -> Key {
    LANGUAGE.key().number(child.number())
}

/// `None` if no guardian has said it.
pub fn find(view: &impl Read, child: ChildId) -> Result<Option<Language>, StoreError> {
    let spoken = view.get::<Spoken>(&key(child))?;
    Ok(spoken.map(|spoken| spoken.language))
}

/// What assistants are told. An unreadable record counts as none.
pub fn issued(view: &impl Read, child: ChildId) -> Result<Option<Language>, StoreError> {
    Ok(readable(find(view, child))?.flatten())
}

/// The language that all of these children speak; `None` if one is unknown or differs.
pub fn shared(languages: &[Option<Language>]) -> Option<Language> {
    let first = languages.first().copied().flatten();
    first.filter(|_| languages.iter().all(|language| *language == first))
}

/// Sets the language, or removes it. Returns whether it was another one.
pub fn replace(
    change: &mut Change,
    access: &ChildAccess,
    language: Option<Language>,
) -> Result<bool, ChildrenError> {
    access.confirm(change)?;
    let key = key(access.child());
    let before = readable(find(change, access.child()))?;
    match language {
        Some(language) => change.put(&key, &Spoken { language })?,
        None => change.remove(&key).map(drop)?,
    }
    Ok(before != Some(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_share_a_language_if_each_speaks_it() {
        use Language::{De, Fr};

        assert_eq!(shared(&[Some(De), Some(De)]), Some(De));
        for several in [
            &[Some(De), Some(Fr)][..],
            &[Some(De), None],
            &[None, Some(De)],
            &[None, None],
            &[],
        ] {
            assert_eq!(shared(several), None, "{several:?}");
        }
    }
}
