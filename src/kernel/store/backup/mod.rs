//! Writing and restoring backups, and verifying that all records can be read.

mod archive;
mod encryption;
mod error;
mod restore;
mod verify;

pub use archive::{
    Contents, STANDARD_INPUT, Tables, begins_as_archive, check as check_archive, check_stream,
    each_key, write as write_archive,
};
pub use encryption::{
    EXTENSION as ENCRYPTED_EXTENSION, Identities, Recipient, begins_encrypted, encrypt,
};
pub use error::ArchiveError;
pub use restore::{RestoreError, restore};
pub use verify::{Damage, Verified};
