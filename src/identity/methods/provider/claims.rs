//! Claims in other types than the standard's, which some providers send: text or 0 and 1 for booleans, text for numbers, numbers
//! for text.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::JsonWebKey;
use openidconnect::core::{CoreJsonWebKey, CoreJwsSigningAlgorithm};
use serde_json::{Map, Value, json};

/// Gives the claims the standard's types (OpenID Connect Core 1.0, sections 2 and 5.1). Returns whether any had another.
pub fn give_types(claims: &mut Map<String, Value>) -> bool {
    let mut changed = false;
    for (name, claim) in claims.iter_mut() {
        let typed = match (name.as_str(), &*claim) {
            ("sub" | "acr", Value::Number(number)) => json!(number.to_string()),
            ("iat" | "exp" | "auth_time" | "updated_at", Value::String(text)) => {
                match text.trim().parse::<u32>() {
                    Ok(seconds) => json!(seconds),
                    Err(_) => continue,
                }
            }
            ("email_verified" | "phone_number_verified", it) if *it == json!(1) => json!(true),
            ("email_verified" | "phone_number_verified", it) if *it == json!(0) => json!(false),
            ("email_verified" | "phone_number_verified", Value::String(text)) => {
                match text.to_ascii_lowercase().as_str() {
                    "true" | "1" => json!(true),
                    "false" | "0" => json!(false),
                    _ => continue,
                }
            }
            ("amr", Value::String(method)) => json!([method]),
            ("address", Value::String(address)) => json!({"formatted": address}),
            _ => continue,
        };
        *claim = typed;
        changed = true;
    }
    changed
}

/// An ID token as it was signed, whose claims had other types.
pub struct AsSigned(pub String);

impl AsSigned {
    /// Whether the signature is of this key.
    pub fn is_by(&self, key: &CoreJsonWebKey, algorithm: &CoreJwsSigningAlgorithm) -> bool {
        let Some((message, signature)) = self.0.rsplit_once('.') else {
            return false;
        };
        let signature = URL_SAFE_NO_PAD.decode(signature);
        signature.is_ok_and(|signature| {
            key.verify_signature(algorithm, message.as_bytes(), &signature)
                .is_ok()
        })
    }
}

/// Replaces the claims of an ID token by those with the standard's types. `None` if they have them.
pub fn with_types(token: &str) -> Option<String> {
    let parts = token.split('.').collect::<Vec<_>>();
    let [header, claims, signature] = parts.as_slice() else {
        return None;
    };
    let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
    let mut claims = serde_json::from_slice(&claims).ok()?;
    give_types(&mut claims).then(|| {
        let claims = URL_SAFE_NO_PAD.encode(Value::Object(claims).to_string());
        format!("{header}.{claims}.{signature}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(claims: Value) -> (bool, Value) {
        let Value::Object(mut claims) = claims else {
            panic!("claims are an object");
        };
        let changed = give_types(&mut claims);
        (changed, Value::Object(claims))
    }

    #[test]
    fn claims_of_other_types_get_the_standards() {
        let odd = json!({
            "sub": 4711, "iat": "1795291200", "auth_time": " 1795291200", "email_verified": "True", "acr": 1,
            "amr": "pwd", "address": "1 High Street", "phone_number_verified": 0, "exp": 1795291200
        });
        let expected = json!({
            "sub": "4711", "iat": 1795291200, "auth_time": 1795291200, "email_verified": true, "acr": "1",
            "amr": ["pwd"], "address": {"formatted": "1 High Street"}, "phone_number_verified": false,
            "exp": 1795291200
        });

        assert_eq!(typed(odd), (true, expected.clone()));
        assert_eq!(typed(expected.clone()), (false, expected));
        for kept in [
            json!({"email_verified": "perhaps"}),
            json!({"email_verified": 2}),
            json!({"auth_time": "yesterday"}),
            json!({"sub": {"id": 1}}),
        ] {
            assert_eq!(typed(kept.clone()), (false, kept));
        }
    }
}
