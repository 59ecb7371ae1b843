//! Why a backup can't be made or read.

use std::io;

use crate::kernel::store::SnapshotError;

/// What is wrong with a backup, or why making one failed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("It cannot be read or written: {0}.")]
    Io(#[from] io::Error),
    #[error("It is no backup of Porchlight's.")]
    NotABackup,
    #[error("It was made by a newer Porchlight. Please use that version or a later one.")]
    Newer,
    #[error("It is encrypted. Name the file with its secret key: --identity FILE.")]
    Encrypted,
    #[error("It is encrypted for another key than those in the identity file.")]
    NotForThisIdentity,
    #[error(
        "It is encrypted with a passphrase, and not for a key. Decrypt it with age: age --decrypt --output family.backup FILE."
    )]
    Passphrase,
    #[error(
        "It is armoured, which means in text form. Make an ordinary file of it with age: age --decrypt --identity KEY --output \
         family.backup FILE."
    )]
    Armoured,
    #[error("It is not whole: its end is missing.")]
    Truncated,
    #[error("It is damaged: {0}.")]
    Damaged(&'static str),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// The error of reading a compressed, perhaps encrypted file. zstd reports an invalid frame as an I/O error of kind "other", age
/// one as "invalid data", and both a missing end as the end of file.
pub(super) fn unreadable(error: io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::Truncated,
        io::ErrorKind::Other => ArchiveError::Damaged("it cannot be unpacked"),
        io::ErrorKind::InvalidData => ArchiveError::Damaged("it cannot be decrypted"),
        _ => ArchiveError::Io(error),
    }
}
