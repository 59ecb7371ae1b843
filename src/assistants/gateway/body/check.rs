//! The walk that refuses text which parsers may read differently.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::BodyError;
use super::json::Name;

/// How much of a name an error quotes, in characters.
const MAX_QUOTED: usize = 40;

/// Names of fields in which any other name may stand: a schema's, a tool's, a token's.
const WITH_FREE_NAMES: [&str; 5] = [
    "properties",
    "arguments",
    "logit_bias",
    "$defs",
    "definitions",
];

/// Refuses text that parsers may read differently: what isn't JSON, is nested too deeply, or has a name twice in one object.
pub fn check(text: &str) -> Result<(), BodyError> {
    let mut walk = Walk::default();
    match walk.run(text) {
        Ok(()) => Ok(()),
        Err(_) if walk.repeated.is_some() => {
            // Only the hash of the name is known by now.
            let _ = walk.run(text);
            Err(BodyError::Repeated(walk.name.unwrap_or_default()))
        }
        Err(_) => Err(BodyError::NotJson),
    }
}

#[derive(Default)]
struct Walk {
    /// The hash of a name that stands twice.
    repeated: Option<u64>,
    name: Option<String>,
}

impl Walk {
    fn run(&mut self, text: &str) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let step = WalkValue {
            walk: self,
            has_free_names: false,
        };
        step.deserialize(&mut deserializer)?;
        deserializer.end()
    }
}

struct WalkValue<'w> {
    walk: &'w mut Walk,
    has_free_names: bool,
}

impl<'de> DeserializeSeed<'de> for WalkValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for WalkValue<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let has_free_names = self.has_free_names;
        let walk = self.walk;
        while list
            .next_element_seed(WalkValue {
                walk: &mut *walk,
                has_free_names,
            })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // Hashes, because an object may have half a million names. Equal names have equal hashes.
        let mut names = Vec::new();
        let walk = self.walk;
        while let Some(key) = map.next_key_seed(Name)? {
            let hash = hash_of(&key, !self.has_free_names);
            if walk.repeated == Some(hash) {
                walk.name = Some(key.chars().take(MAX_QUOTED).collect());
            }
            names.push(hash);
            map.next_value_seed(WalkValue {
                walk: &mut *walk,
                has_free_names: self.has_free_names || WITH_FREE_NAMES.contains(&&*key),
            })?;
        }
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            walk.repeated = Some(pair[0]);
            return Err(A::Error::custom("a name stands twice"));
        }
        Ok(())
    }
}

/// Of names that differ only in case, the hash is the same if `is_folded`. Upper case comes first, which folds `ſ` too.
fn hash_of(name: &str, is_folded: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    if is_folded {
        let folded = name
            .chars()
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase);
        folded.for_each(|character| hasher.write_u32(character.into()));
    } else {
        hasher.write(name.as_bytes());
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_once_in_each_object_whatever_its_case() {
        for (json, name) in [
            (r#"{"messages":[],"messages":[]}"#, "messages"),
            (r#"{"messages":[],"m\u0065ssages":[]}"#, "messages"),
            (r#"{"messages":[],"MESSAGES":[]}"#, "MESSAGES"),
            (r#"{"messages":[],"meſſages":[]}"#, "meſſages"),
            ("{\"think\":1,\"thin\u{212a}\":2}", "thin\u{212a}"),
            (r#"{"a":[{"b":{"Role":1,"role":2}}]}"#, "role"),
            (r#"{"arguments":{"a":1,"a":2}}"#, "a"),
        ] {
            let repeated = BodyError::Repeated(name.to_owned());
            assert_eq!(check(json), Err(repeated), "{json}");
        }
    }

    #[test]
    fn names_that_others_choose_may_differ_in_case() {
        for json in [
            r#"{"properties":{"a":{"x":1},"A":{"x":1}}}"#,
            r#"{"arguments":{"b":{"a":1,"A":2}}}"#,
            r#"{"logit_bias":{"a":1,"A":2}}"#,
            r#"[{"a":1},{"A":2}]"#,
        ] {
            assert_eq!(check(json), Ok(()), "{json}");
        }
    }

    #[test]
    fn what_parsers_may_read_differently_is_no_json() {
        let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
        for json in [
            "",
            "{",
            "{}x",
            "{} {}",
            "\u{feff}{}",
            "[1e400]",
            "[NaN]",
            "[01]",
            "['a']",
            "[1,]",
            "{\"a\":\"\u{1}\"}",
            "{/**/}",
            &deep,
        ] {
            assert_eq!(check(json), Err(BodyError::NotJson), "{json}");
        }
        let depth = format!("{}{}", "[".repeat(127), "]".repeat(127));
        assert_eq!(check(&depth), Ok(()));
    }
}
