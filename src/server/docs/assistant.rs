//! The part of the contract that assistants use, as a document of its own: whoever writes a plug-in reads 30 KB instead of all, and
//! nothing in it changes without a version.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value};

use super::{collect_references, mappings};

/// The version of the document: from the first release on, raised with each change in it.
pub const VERSION: &str = "1";

/// The tag of the operations.
pub(super) const TAG: &str = "assistant";

const DESCRIPTION: &str = "What a voice assistant asks of Porchlight. Nothing in this document changes without a new version of it. Fields may be added to \
     answers, and codes to errors: ignore those that you don't know.";

/// The operations for assistants, with the components that they use.
pub fn document(contract: &Value) -> Value {
    let mut document = contract.clone();
    document["info"]["title"] = "Porchlight for assistants".into();
    document["info"]["description"] = DESCRIPTION.into();
    document["info"]["version"] = VERSION.into();
    retain(&mut document, |field, _| field != "security");
    retain(&mut document["tags"], |_, tag| tag["name"] == TAG);
    for item in mappings(&mut document["paths"]) {
        retain(item, |_, operation| operation["tags"][0] == TAG);
    }
    retain(&mut document["paths"], |_, item| {
        item != &Value::Mapping(Mapping::new())
    });
    let components = &mut document["components"];
    retain(&mut components["securitySchemes"], |name, _| name == TAG);
    // The codes stay open: most are for pages, and a new one needs no new version of this document.
    if let Some(code) = components["schemas"]["ProblemCode"].as_mapping_mut() {
        code.shift_remove("enum");
    }
    let mut used = BTreeSet::new();
    collect_references(contract, &document["paths"], &mut used);
    for kind in ["schemas", "parameters", "headers", "responses"] {
        let is_used = |name: &str, _: &Value| used.contains(&format!("#/components/{kind}/{name}"));
        retain(&mut document["components"][kind], is_used);
    }
    document
}

/// Keeps the entries of a mapping, or of a list, for which the condition holds.
fn retain(value: &mut Value, keep: impl Fn(&str, &Value) -> bool) {
    match value {
        Value::Mapping(fields) => {
            fields.retain(|name, value| keep(name.as_str().unwrap_or_default(), value))
        }
        Value::Sequence(items) => items.retain(|item| keep("", item)),
        _ => {}
    }
}
