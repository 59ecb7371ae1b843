//! Encrypts a message for one device (RFC 8291, with the content coding of RFC 8188).

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use p256::elliptic_curve::point::AffineCoordinates;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::kernel::host::randomness::Randomness;

/// The length of each message before it is encrypted, in bytes, so that its length tells nothing.
const PADDED: usize = 128;

/// The size of the only record, as RFC 8291's example has it.
const RECORD_SIZE: u32 = 4096;

/// What a browser gave for encrypting messages to it. `Debug` is redacted.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceKeys {
    /// Its public key, in base64url.
    p256dh: String,
    /// The secret of the subscription: 16 bytes in base64url.
    auth: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This is not a key of a push subscription.")]
pub struct InvalidDeviceKeys;

impl fmt::Debug for DeviceKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeviceKeys(…)")
    }
}

impl DeviceKeys {
    pub fn new(p256dh: &str, auth: &str) -> Result<Self, InvalidDeviceKeys> {
        let keys = Self {
            p256dh: p256dh.trim_end_matches('=').to_owned(),
            auth: auth.trim_end_matches('=').to_owned(),
        };
        keys.decoded().ok_or(InvalidDeviceKeys).map(|_| keys)
    }

    fn decoded(&self) -> Option<(PublicKey, [u8; 16])> {
        let public = URL_SAFE_NO_PAD.decode(&self.p256dh).ok()?;
        // Uncompressed, as browsers write it.
        let public = (public.len() == 65).then(|| PublicKey::from_sec1_bytes(&public).ok())?;
        let auth = URL_SAFE_NO_PAD.decode(&self.auth).ok()?;
        Some((public?, auth.try_into().ok()?))
    }

    /// `None` if the stored keys are invalid, or the message is too long.
    pub(super) fn encrypt(&self, message: &str, randomness: &Randomness) -> Option<Vec<u8>> {
        let salt = *randomness.bytes().first_chunk()?;
        let mut padded = message.as_bytes().to_vec();
        // What ends the last record (RFC 8188, section 2), and then zeros.
        padded.push(2);
        if padded.len() > PADDED {
            return None;
        }
        padded.resize(PADDED, 0);
        self.encrypt_with(padded, salt, &secret_key(randomness))
    }

    fn encrypt_with(
        &self,
        mut padded: Vec<u8>,
        salt: [u8; 16],
        sender: &SecretKey,
    ) -> Option<Vec<u8>> {
        let (receiver, auth) = self.decoded()?;
        let sender_public = uncompressed(&sender.public_key());
        let shared = (receiver.to_projective() * *sender.to_nonzero_scalar()).to_affine();
        let info = [
            b"WebPush: info\0".as_slice(),
            &uncompressed(&receiver),
            &sender_public,
        ];
        let ikm = hkdf(&auth, &shared.x(), &info.concat());
        let key = hkdf(&salt, &ikm, b"Content-Encoding: aes128gcm\0");
        let nonce = hkdf(&salt, &ikm, b"Content-Encoding: nonce\0");
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).ok()?);
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).ok()?;
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut padded)
            .ok()?;
        let head = [
            salt.as_slice(),
            &RECORD_SIZE.to_be_bytes(),
            &[65],
            &sender_public,
        ];
        Some([head.concat(), padded].concat())
    }
}

/// HKDF with SHA-256 (RFC 5869), of at most 32 bytes.
fn hkdf(salt: &[u8], ikm: &[u8], info: &[u8]) -> [u8; 32] {
    let key = |bytes: &[u8]| Hmac::<Sha256>::new_from_slice(bytes).expect("a key of any length");
    let extracted = key(salt).chain_update(ikm).finalize().into_bytes();
    let expanded = key(&extracted).chain_update(info).chain_update([1]);
    expanded.finalize().into_bytes().into()
}

pub(super) fn secret_key(randomness: &Randomness) -> SecretKey {
    loop {
        // Of 2^32 numbers, some one is no key.
        if let Ok(key) = SecretKey::from_slice(&randomness.bytes()) {
            return key;
        }
    }
}

/// 65 bytes.
pub(super) fn uncompressed(key: &PublicKey) -> Vec<u8> {
    key.to_sec1_point(false).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8291, section 5 and appendix A.
    const P256DH: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const SENDER: &str = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
    const SALT: &str = "DGv6ra1nlYgDCS1FRnbzlw";
    const BODY: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    fn decode(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn the_body_is_that_of_the_rfcs_example() {
        let keys = DeviceKeys::new(P256DH, AUTH).unwrap();
        let sender = SecretKey::from_slice(&decode(SENDER)).unwrap();
        let salt = decode(SALT).try_into().unwrap();
        let message = b"When I grow up, I want to be a watermelon\x02".to_vec();

        let body = keys.encrypt_with(message, salt, &sender).unwrap();

        assert_eq!(URL_SAFE_NO_PAD.encode(body), BODY);
    }

    #[test]
    fn all_messages_have_one_length_and_no_two_are_the_same() {
        let keys = DeviceKeys::new(P256DH, AUTH).unwrap();
        let randomness = Randomness::repeatable();
        let encrypt = |text: &str| keys.encrypt(text, &randomness).unwrap();

        let bodies = ["", "a", "Something new", "Something new"].map(encrypt);

        for body in &bodies {
            assert_eq!(body.len(), 16 + 4 + 1 + 65 + PADDED + 16);
        }
        let (one, other) = (&bodies[2], &bodies[3]);
        assert!(one[..16] != other[..16] && one[21..86] != other[21..86]);
        assert_eq!(keys.encrypt(&"a".repeat(PADDED), &randomness), None);
    }

    #[test]
    fn what_is_no_key_is_refused_and_keys_are_not_shown() {
        let off_the_curve = URL_SAFE_NO_PAD.encode([4; 65]);
        let compressed = decode(P256DH)[..33].to_vec();
        for (p256dh, auth) in [
            ("", AUTH),
            (P256DH, ""),
            (P256DH, "BTBZMqHH6r4Tts7J_aSI"),
            (P256DH, "not base64 at all!!!!!"),
            (&off_the_curve, AUTH),
            (&URL_SAFE_NO_PAD.encode(compressed), AUTH),
        ] {
            assert!(DeviceKeys::new(p256dh, auth).is_err(), "{p256dh} {auth}");
        }
        let padded = DeviceKeys::new(&format!("{P256DH}="), &format!("{AUTH}=="));
        assert_eq!(format!("{:?}", padded.unwrap()), "DeviceKeys(…)");
    }
}
