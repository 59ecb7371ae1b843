//! Which of a provider's keys and algorithms are accepted.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::JsonWebKey;
use openidconnect::JsonWebKeyUse;
use openidconnect::core::{
    CoreIdToken, CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use serde_json::Value;

/// Accepted algorithms: signatures with the provider's key pair. HS256 is excluded because our client secret would be the key,
/// and "none" because it is no signature.
pub const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::EdDsa,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
];

/// The minimum RSA modulus (RFC 7518, section 3.3), in bytes.
const SHORTEST_MODULUS: usize = 2048 / 8;

/// The maximum RSA modulus that the library supports, in bytes.
const LONGEST_MODULUS: usize = 4096 / 8;

/// Why an ID token with this algorithm is refused, for the log; `None` if it isn't.
pub fn unsupported_algorithm(algorithm: &CoreJwsSigningAlgorithm) -> Option<String> {
    let name = serde_json::to_value(algorithm).unwrap_or_default();
    (!ALGORITHMS.contains(algorithm)).then(|| {
        format!(
            "it signs with {}, which is not supported: let it sign with RS256, ES256 or EdDSA",
            name.as_str().unwrap_or_default()
        )
    })
}

/// Why a key isn't used, for the log; `None` if it is.
pub fn unsupported_key(key: &CoreJsonWebKey) -> Option<&'static str> {
    let key = serde_json::to_value(key).ok()?;
    if key["crv"] == "P-521" {
        return Some("its key is on the curve P-521, which is not supported: let it use P-256");
    }
    let modulus = URL_SAFE_NO_PAD.decode(key["n"].as_str()?).ok()?;
    match modulus.into_iter().skip_while(|byte| *byte == 0).count() {
        ..SHORTEST_MODULUS => Some("its RSA key is too short: let it use one of 2048 bits"),
        SHORTEST_MODULUS..=LONGEST_MODULUS => None,
        _ => Some("its RSA key is too long: let it use one of 2048 bits"),
    }
}

/// Why no ID token of this provider would be accepted; `None` if one may be.
pub fn complaint(metadata: &CoreProviderMetadata) -> Option<String> {
    let algorithms = metadata.id_token_signing_alg_values_supported();
    let refused = algorithms.iter().map(unsupported_algorithm);
    if let Some(all) = refused.collect::<Option<Vec<_>>>() {
        let none = "it names no algorithm to sign with that is supported".to_owned();
        return Some(all.into_iter().next().unwrap_or(none));
    }
    let signs = |key: &&CoreJsonWebKey| key.key_use().is_none_or(|it| it.allows_signature());
    let keys = metadata.jwks().keys().iter().filter(signs);
    let all = keys.map(unsupported_key).collect::<Option<Vec<_>>>()?;
    let none = "it has no key to sign with that is supported";
    Some(all.first().copied().unwrap_or(none).to_owned())
}

/// The keys that may have signed this token. Key ids are optional (RFC 7517, section 4.5): if no key has the id named by the
/// token, those without an id may be meant.
pub fn keys_for(token: &CoreIdToken, keys: &CoreJsonWebKeySet) -> CoreJsonWebKeySet {
    let Some(id) = key_id(token) else {
        return keys.clone();
    };
    let mut listed = keys.keys().iter().filter_map(|key| key.key_id());
    if listed.any(|of_key| of_key.as_str() == id) {
        return keys.clone();
    }
    let named = keys.keys().iter().filter_map(|key| {
        let mut key = serde_json::to_value(key).ok()?;
        let members = key.as_object_mut()?;
        members.entry("kid").or_insert_with(|| id.clone().into());
        serde_json::from_value(key).ok()
    });
    CoreJsonWebKeySet::new(named.collect())
}

/// The key id in a token's header.
fn key_id(token: &CoreIdToken) -> Option<String> {
    let token = token.to_string();
    let header = URL_SAFE_NO_PAD.decode(token.split('.').next()?).ok()?;
    let header: Value = serde_json::from_slice(&header).ok()?;
    Some(header["kid"].as_str()?.to_owned())
}
