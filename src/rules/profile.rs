//! What guardians say of the child itself: when it was born, and which language it speaks.

use super::{Rules, language};
use crate::children::{ChildAccess, ChildId};
use crate::kernel::host::language::Language;
use crate::kernel::store::{Change, Read, StoreError};
use crate::rules::age::{self, AgeError, BirthMonth, IssuedAge};

/// What a guardian says of a child that is being added.
#[derive(Clone, Copy, Debug, Default)]
pub struct Profile {
    pub born: Option<BirthMonth>,
    pub language: Option<Language>,
}

/// Why what a guardian says of a child is refused.
pub type NotAProfile = AgeError;

/// What assistants are told of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedProfile {
    pub age: IssuedAge,
    /// `None` if it is unknown.
    pub language: Option<Language>,
}

impl IssuedProfile {
    pub const UNKNOWN: Self = Self {
        age: IssuedAge::UNKNOWN,
        language: None,
    };

    pub(super) fn read(view: &impl Read, child: ChildId) -> Result<Self, StoreError> {
        Ok(Self {
            age: age::issued(view, child)?,
            language: language::issued(view, child)?,
        })
    }

    /// What an assistant is told that can't tell these children apart.
    pub(super) fn shared(each: &[Self]) -> Self {
        let languages = each.iter().map(|profile| profile.language);
        Self {
            age: IssuedAge::youngest(each.iter().map(|profile| profile.age)),
            language: language::shared(&languages.collect::<Vec<_>>()),
        }
    }
}

impl Rules {
    /// Stores what a guardian says of a child that is being added. Makes no version and no entry in the history.
    ///
    /// # Errors
    ///
    /// If the child can't have been born then.
    pub fn describe(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        profile: Profile,
    ) -> Result<(), NotAProfile> {
        self.ages.replace(change, access, profile.born)?;
        language::replace(change, access, profile.language)?;
        Ok(())
    }
}
