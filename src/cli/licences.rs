//! `porchlight licences`
//!
//! `make licences` collects them from the sources of everything that is compiled in. A test compares the collection with
//! the lock files.

use std::fmt::Write;

use serde::Deserialize;

use super::{Context, Outcome, output};

const COLLECTED: &[u8] = include_bytes!("licences.json.zst");

const OURS: &str = include_str!("../../LICENSE");

/// Everything that is compiled in, and the texts of all licences.
#[derive(Deserialize)]
struct Licences {
    components: Vec<Component>,
    /// Without duplicates.
    texts: Vec<String>,
}

/// A library, a font or similar.
#[derive(Deserialize)]
struct Component {
    /// For example `crate`.
    kind: String,
    name: String,
    version: String,
    /// As its authors state it, an SPDX expression if possible.
    licence: String,
    /// Indices into [`Licences::texts`].
    texts: Vec<usize>,
}

pub fn run(context: &Context) -> Outcome {
    let collected = zstd::decode_all(COLLECTED).expect("a test unpacks it");
    if context.json {
        output::print(String::from_utf8_lossy(&collected));
        return Ok(());
    }
    let licences = serde_json::from_slice(&collected).expect("a test reads it");
    output::print(in_words(&licences));
    Ok(())
}

fn in_words(licences: &Licences) -> String {
    let mut text = format!(
        "Porchlight {}\n\n{OURS}\nIt contains the following. The numbers lead to the texts below.\n\n",
        env!("CARGO_PKG_VERSION")
    );
    for component in &licences.components {
        let Component {
            kind,
            name,
            version,
            licence,
            texts,
        } = component;
        let texts = texts
            .iter()
            .map(|place| format!("[{}]", place + 1))
            .collect::<String>();
        let _ = writeln!(text, "{name} {version} ({kind}): {licence} {texts}");
    }
    for (place, licence) in licences.texts.iter().enumerate() {
        let _ = write!(text, "\n{:-<79}\n[{}]\n\n{licence}\n", "", place + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_has_a_text_and_every_text_a_component() {
        let collected = zstd::decode_all(COLLECTED).unwrap();
        let licences = serde_json::from_slice::<Licences>(&collected).unwrap();

        let mut unused = (0..licences.texts.len()).collect::<std::collections::BTreeSet<_>>();
        for component in &licences.components {
            assert!(!component.texts.is_empty(), "{}", component.name);
            for place in &component.texts {
                assert!(*place < licences.texts.len(), "{}", component.name);
                unused.remove(place);
            }
        }
        assert!(unused.is_empty(), "{unused:?}");
        assert!(in_words(&licences).contains("Porchlight"));
    }
}
