//! Encrypted backups, in the format of [age](https://age-encryption.org/v1): only who holds the key of a recipient can read one.
//!
//! Anyone who knows a recipient can make such a file, so decrypting one proves nothing about who made it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::str::FromStr;

use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, x25519};

use super::error::ArchiveError;
use crate::kernel::store::files::begins_with;

/// The first bytes of an encrypted file.
const MAGIC: &[u8] = b"age-encryption.org/";

/// The first bytes of an encrypted file in text form.
const ARMOURED: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";

/// The byte order marks of UTF-8 and UTF-16.
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// The extension of an encrypted backup's name.
pub const EXTENSION: &str = "age";

/// The maximum length of an identity file, in bytes.
const LONGEST_IDENTITIES: u64 = 64 * 1024;

/// A public key, `age1…`, that backups are encrypted for.
#[derive(Clone, PartialEq, Eq)]
pub struct Recipient(x25519::Recipient);

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with("AGE-SECRET-KEY-") {
            return Err(
                "This is the secret key. Give its public key, which begins with age1.".into(),
            );
        }
        let parsed = x25519::Recipient::from_str(text.trim());
        parsed.map(Self).map_err(|_| {
            "A recipient is a public key of age, which begins with age1. Make one with age-keygen.".into()
        })
    }
}

impl std::fmt::Display for Recipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Debug for Recipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// Encrypts what is written for all of these recipients. Without [`StreamWriter::finish`] the end is missing.
///
/// # Errors
///
/// The error of writing the header.
pub fn encrypt<W: Write>(recipients: &[Recipient], to: W) -> io::Result<StreamWriter<W>> {
    let recipients = recipients
        .iter()
        .map(|Recipient(key)| key as &dyn age::Recipient);
    let encryptor = Encryptor::with_recipients(recipients).map_err(io::Error::other)?;
    encryptor.wrap_output(to)
}

/// Whether a file begins like an encrypted one, complete or not.
pub fn begins_encrypted(file: &Path) -> bool {
    begins_with(file, MAGIC)
}

/// Secret keys that decrypt a backup.
#[derive(Default)]
pub struct Identities(Vec<x25519::Identity>);

impl Identities {
    /// Reads a file as `age-keygen` writes it.
    ///
    /// # Errors
    ///
    /// A sentence without anything of the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST_IDENTITIES).read_to_end(&mut bytes))
            .map_err(|error| format!("{shown} cannot be read: {error}."))?;
        if BYTE_ORDER_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
            return Err(format!(
                "{shown} begins with a byte order mark, as some editors and PowerShell write it. Save it as UTF-8 without one."
            ));
        }
        if bytes.starts_with(MAGIC) || bytes.starts_with(ARMOURED) {
            return Err(format!(
                "{shown} is itself encrypted, with a passphrase. Decrypt it with age: age --decrypt --output key.txt {shown}"
            ));
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim);
        let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        match keys
            .map(x25519::Identity::from_str)
            .collect::<Result<Vec<_>, _>>()
        {
            Ok(keys) if !keys.is_empty() => Ok(Self(keys)),
            _ => Err(format!(
                "{shown} is no file with secret keys of age, lines that begin with AGE-SECRET-KEY-1."
            )),
        }
    }
}

/// Reads a backup, decrypting it if it is encrypted.
pub(super) fn decrypted<'a, R: Read + 'a>(
    from: R,
    identities: &Identities,
) -> Result<Box<dyn Read + 'a>, ArchiveError> {
    let mut from = BufReader::new(from);
    let start = from.fill_buf()?;
    if start.starts_with(ARMOURED) {
        return Err(ArchiveError::Armoured);
    }
    if !start.starts_with(MAGIC) {
        return Ok(Box::new(from));
    }
    let decryptor = Decryptor::new_buffered(from).map_err(unreadable)?;
    if decryptor.is_scrypt() {
        return Err(ArchiveError::Passphrase);
    }
    if identities.0.is_empty() {
        return Err(ArchiveError::Encrypted);
    }
    let keys = identities.0.iter().map(|key| key as &dyn age::Identity);
    let reader = decryptor.decrypt(keys).map_err(unreadable)?;
    Ok(Box::new(reader))
}

fn unreadable(error: DecryptError) -> ArchiveError {
    match error {
        DecryptError::NoMatchingKeys => ArchiveError::NotForThisIdentity,
        DecryptError::UnknownFormat => ArchiveError::Newer,
        DecryptError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ArchiveError::Truncated
        }
        DecryptError::Io(error) => ArchiveError::Io(error),
        _ => ArchiveError::Damaged("its header was changed"),
    }
}

#[cfg(test)]
mod tests {
    use age::secrecy::ExposeSecret;

    use super::*;

    /// A key pair: what a backup is encrypted for, and what decrypts it.
    fn key() -> (Recipient, Identities) {
        let key = x25519::Identity::generate();
        (Recipient(key.to_public()), Identities(vec![key]))
    }

    fn encrypted(text: &[u8], recipients: &[Recipient]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut to = encrypt(recipients, &mut bytes).unwrap();
        to.write_all(text).unwrap();
        to.finish().unwrap();
        bytes
    }

    /// Returns the decrypted bytes, or the error message that the user sees.
    fn read(bytes: &[u8], identities: &Identities) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        match decrypted(bytes, identities) {
            Ok(mut reader) => match reader.read_to_end(&mut text) {
                Ok(_) => Ok(text),
                Err(error) => Err(super::super::error::unreadable(error).to_string()),
            },
            Err(error) => Err(error.to_string()),
        }
    }

    /// The length of the header: it ends with the line of its authentication code.
    fn header(bytes: &[u8]) -> usize {
        let mac = bytes.windows(5).position(|five| five == b"\n--- ").unwrap() + 1;
        mac + bytes[mac..].iter().position(|byte| *byte == b'\n').unwrap() + 1
    }

    #[test]
    fn each_recipient_can_read_it_and_nobody_else() {
        let ((ada, adas), (bob, bobs), (_, others)) = (key(), key(), key());
        let text = b"what was said".repeat(20_000);

        let bytes = encrypted(&text, &[ada, bob]);

        assert_eq!(read(&bytes, &adas).as_ref(), Ok(&text));
        assert_eq!(read(&bytes, &bobs).as_ref(), Ok(&text));
        assert!(!bytes.windows(13).any(|window| window == b"what was said"));
        let refused = read(&bytes, &others).unwrap_err();
        assert!(
            refused.starts_with("It is encrypted for another key"),
            "{refused}"
        );
        let refused = read(&bytes, &Identities::default()).unwrap_err();
        assert!(refused.contains("--identity FILE"), "{refused}");
    }

    #[test]
    fn an_unencrypted_file_is_read_as_it_is() {
        assert_eq!(read(b"plain", &key().1), Ok(b"plain".to_vec()));
        assert_eq!(read(b"", &key().1), Ok(Vec::new()));
    }

    #[test]
    fn one_with_a_passphrase_and_one_in_text_form_are_named() {
        let passphrase = age::secrecy::SecretString::from("three words here".to_owned());
        let mut recipient = age::scrypt::Recipient::new(passphrase);
        recipient.set_work_factor(2);
        let mut bytes = Vec::new();
        let encryptor = Encryptor::with_recipients([&recipient as &dyn age::Recipient].into_iter());
        let to = encryptor.unwrap().wrap_output(&mut bytes).unwrap();
        to.finish().unwrap();
        let armoured = b"-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24\n";

        for identities in [key().1, Identities::default()] {
            let refused = read(&bytes, &identities).unwrap_err();
            assert!(refused.contains("encrypted with a passphrase"), "{refused}");
            let refused = read(armoured, &identities).unwrap_err();
            assert!(refused.contains("It is armoured"), "{refused}");
        }
    }

    #[test]
    fn one_cut_anywhere_is_refused() {
        let (recipient, identities) = key();
        let bytes = encrypted(&b"what was said".repeat(20_000), &[recipient]);

        for kept in (MAGIC.len()..bytes.len()).step_by(997) {
            assert!(read(&bytes[..kept], &identities).is_err(), "{kept}");
        }
        assert_eq!(
            read(&bytes[..bytes.len() - 1], &identities).unwrap_err(),
            "It is damaged: it cannot be decrypted."
        );
    }

    #[test]
    fn one_with_a_byte_changed_is_refused() {
        let (recipient, identities) = key();
        let bytes = encrypted(b"what was said", &[recipient]);

        for place in MAGIC.len()..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert!(read(&changed, &identities).is_err(), "{place}");
        }
    }

    #[test]
    fn one_with_the_header_of_another_is_refused() {
        let (recipient, identities) = key();
        let one = encrypted(b"what was said", std::slice::from_ref(&recipient));
        let other = encrypted(b"what was said", &[recipient]);

        let swapped = [&other[..header(&other)], &one[header(&one)..]].concat();

        assert_eq!(
            read(&swapped, &identities).unwrap_err(),
            "It is damaged: it cannot be decrypted."
        );
    }

    #[test]
    fn a_recipient_is_a_public_key_and_a_secret_one_is_not_repeated() {
        let secret = x25519::Identity::generate().to_string();

        let refused = secret.expose_secret().parse::<Recipient>().unwrap_err();

        assert_eq!(
            refused,
            "This is the secret key. Give its public key, which begins with age1."
        );
        for other in ["", "age1", "age1qqqq", "ssh-ed25519 AAAA"] {
            assert!(
                other
                    .parse::<Recipient>()
                    .unwrap_err()
                    .contains("age-keygen"),
                "{other}"
            );
        }
    }

    #[test]
    fn an_identity_file_has_comments_and_secret_keys() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("key.txt");
        let key = x25519::Identity::generate();
        let bytes = encrypted(b"x", &[Recipient(key.to_public())]);
        let text = format!(
            "# created: today\n# public key: {}\n\n{}\n",
            key.to_public(),
            key.to_string().expose_secret()
        );
        std::fs::write(&path, text).unwrap();

        assert_eq!(
            read(&bytes, &Identities::read(&path).unwrap()),
            Ok(b"x".to_vec())
        );

        for wrong in ["", "# only a comment", "AGE-SECRET-KEY-1WRONG", "age1qqqq"] {
            std::fs::write(&path, wrong).unwrap();
            let refused = Identities::read(&path).err().unwrap();
            assert!(
                refused.contains("no file with secret keys") && !refused.contains("WRONG"),
                "{refused}"
            );
        }
        let bytes = encrypted(b"x", &[key.to_public()].map(Recipient));
        for (content, named) in [
            (&bytes[..], "is itself encrypted, with a passphrase"),
            (
                b"-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n",
                "is itself encrypted, with a passphrase",
            ),
            (
                b"\xef\xbb\xbfAGE-SECRET-KEY-1",
                "begins with a byte order mark",
            ),
            (b"\xff\xfeA\0G\0E\0", "begins with a byte order mark"),
        ] {
            std::fs::write(&path, content).unwrap();
            let refused = Identities::read(&path).err().unwrap();
            assert!(refused.contains(named), "{refused}");
        }
        assert!(
            Identities::read(&folder.path().join("none"))
                .err()
                .unwrap()
                .contains("cannot be read")
        );
    }
}
