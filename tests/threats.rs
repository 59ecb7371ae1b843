//! The threat model names its proofs, and this holds that they are there.

use std::fs;
use std::path::Path;

/// The rows of the table, cell by cell.
fn rows(page: &str) -> Vec<Vec<&str>> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|line| line.split(" | ").collect())
        .filter(|cells: &Vec<_>| cells[0] != "Asset")
        .collect()
}

/// The file and the test that one proof names.
fn named(proof: &str) -> Option<(&str, &str)> {
    proof.strip_prefix('`')?.split_once("` ")
}

/// Whether a file of Rust or TypeScript defines a test of this name; a shell script is a proof as a whole.
fn defines(source: &str, file: &str, name: &str) -> bool {
    match Path::new(file).extension().and_then(|kind| kind.to_str()) {
        Some("rs") => source.contains(&format!("fn {name}(")),
        Some(_) => source.contains(&format!("\"{name}\"")),
        None => source.starts_with("#!"),
    }
}

#[test]
fn every_threat_has_a_proof_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(".github/SECURITY.md")).unwrap();
    let rows = rows(&page);
    let mut gone = Vec::new();

    for cells in &rows {
        assert_eq!(cells.len(), 5, "five cells: {cells:?}");
        for proof in cells[4].split("<br>") {
            let there = named(proof).is_some_and(|(file, name)| {
                let source = fs::read_to_string(root.join(file));
                source.is_ok_and(|source| defines(&source, file, name))
            });
            if !there {
                gone.push(proof);
            }
        }
    }

    assert!(rows.len() >= 20, "the table is cut short");
    assert!(
        gone.is_empty(),
        "correct .github/SECURITY.md, or bring the tests back:\n{gone:#?}"
    );
}
