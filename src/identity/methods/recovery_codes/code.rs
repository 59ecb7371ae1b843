//! One recovery code: its form on paper, and parsing what was typed.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::SecretHash;

/// Crockford's base 32, without the letters that look like digits (I, L, O) and without U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Characters of a code: five random bits each, so 80 in all.
const CHARACTERS: usize = 16;

/// Characters between two hyphens on paper.
const GROUP: usize = 4;

/// A code in the clear. Its `Debug` shows nothing; [`RecoveryCode::reveal`] does.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveryCode([u8; CHARACTERS]);

impl RecoveryCode {
    pub fn generate(randomness: &Randomness) -> Self {
        let bytes = randomness.bytes();
        // 32 divides 256, so each character is equally likely.
        let character = |place: usize| ALPHABET[usize::from(bytes[place] % 32)];
        Self(std::array::from_fn(character))
    }

    /// Parses what was typed: hyphens, white space and case don't matter, and O, I and L count as the digits that they look like.
    /// `None` if it isn't a code.
    pub fn parse(typed: &str) -> Option<Self> {
        let mut characters = typed
            .chars()
            .filter(|typed| *typed != '-' && !typed.is_whitespace());
        let mut code = [0; CHARACTERS];
        for place in &mut code {
            let typed = match characters.next()?.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                typed => typed,
            };
            let known = ALPHABET.iter().find(|known| char::from(**known) == typed);
            *place = *known?;
        }
        characters.next().is_none().then_some(Self(code))
    }

    /// The code as printed on paper, `K7QX-3M0V-9T2D-HCRA`, only for its guardian.
    pub fn reveal(&self) -> String {
        let groups = self.0.chunks(GROUP).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join("-")
    }

    /// The stored form of the code. A plain SHA-256 is enough: 80 random bits cannot be guessed, and a code is found by its hash,
    /// without an address.
    pub fn hash(&self) -> SecretHash {
        let mut digest = Sha256::new_with_prefix(b"recovery code ");
        digest.update(self.0);
        SecretHash::from_bytes(digest.finalize().into())
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = RecoveryCode::parse("K7QX-3M0V-9T2D-HC1A");

        for typed in [
            "k7qx3m0v9t2dhc1a",
            " K7QX 3M0V 9T2D HC1A\n",
            "K7QX-3MOV-9T2D-HCIA",
            "K7QX-3MoV-9T2D-HClA",
        ] {
            assert_eq!(RecoveryCode::parse(typed), code, "{typed}");
        }
        assert_eq!(code.unwrap().reveal(), "K7QX-3M0V-9T2D-HC1A");
    }

    #[test]
    fn what_is_too_short_too_long_or_of_other_letters_is_no_code() {
        for typed in [
            "",
            "K7QX-3M0V-9T2D-HC1",
            "K7QX-3M0V-9T2D-HC1AA",
            "K7QX-3M0V-9T2D-HC1U",
            "K7QX-3M0V-9T2D-HC1ä",
        ] {
            assert_eq!(RecoveryCode::parse(typed), None, "{typed}");
        }
    }

    #[test]
    fn codes_use_the_whole_alphabet_and_reveal_nothing_by_accident() {
        let randomness = Randomness::repeatable();
        let codes = (0..200).map(|_| RecoveryCode::generate(&randomness));
        let revealed = codes.map(|code| code.reveal()).collect::<String>();

        for character in ALPHABET {
            assert!(revealed.contains(char::from(*character)));
        }
        let code = RecoveryCode::generate(&randomness);
        assert_eq!(format!("{code:?}"), "RecoveryCode(…)");
    }
}
