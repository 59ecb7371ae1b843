//! Writing and restoring backups, and verifying that all records can be read.

mod archive;
mod restore;
mod verify;

pub use archive::{
    ArchiveError, Contents, STANDARD_INPUT, Tables, begins_as_archive, check as check_archive,
    write as write_archive,
};
pub use restore::{RestoreError, restore};
pub use verify::{Damage, Verified};
