//! `porchlight licences` lists the components of the lock files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::process::{Home, text};

/// The platforms that releases are built for. `ui/scripts/licences.ts` has them, too.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

const ADVICE: &str =
    "The licences are not those of what is compiled in. Run `make licences` and commit the outcome";

/// Returns the components of one kind, as name and version.
fn components(kind: &str) -> BTreeSet<(String, String)> {
    let licences = Home::new().json(&["licences"]);
    let components = licences["components"].as_array().unwrap().iter();
    let components = components.filter(|component| component["kind"] == kind);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    components
        .map(|component| (word(&component["name"]), word(&component["version"])))
        .collect()
}

/// Returns the crates that are linked on the release platforms. `Cargo.lock` decides their versions.
fn linked_crates() -> BTreeSet<(String, String)> {
    let mut linked = BTreeSet::new();
    for target in TARGETS {
        let mut tree = Command::new(env!("CARGO"));
        tree.current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["tree", "--locked", "--edges", "normal,no-proc-macro"])
            .args(["--prefix", "none", "--format", "{p}", "--target", target]);
        let output = tree.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        for line in text(&output.stdout).lines() {
            let mut words = line.split(' ');
            let (name, version) = (words.next().unwrap(), words.next().unwrap());
            let version = version.strip_prefix('v').unwrap();
            linked.insert((name.to_owned(), version.to_owned()));
        }
    }
    linked.retain(|(name, _)| name != "porchlight");
    linked
}

fn json(path: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_licences_name_every_linked_crate_with_its_version() {
    assert_eq!(components("crate"), linked_crates(), "{ADVICE}");
}

#[test]
fn the_licences_name_the_npm_packages_with_the_versions_of_the_lock_file() {
    let lock = json("ui/package-lock.json");

    let named = components("npm package")
        .into_iter()
        .collect::<BTreeMap<_, _>>();

    for (name, version) in &named {
        let locked = &lock["packages"][format!("node_modules/{name}")]["version"];
        assert_eq!(locked.as_str(), Some(version.as_str()), "{name}: {ADVICE}");
    }
    for (name, _) in json("ui/package.json")["dependencies"].as_object().unwrap() {
        assert!(named.contains_key(name), "{name}: {ADVICE}");
    }
    // What the last build of the UI bundled. Missing if PORCHLIGHT_SKIP_UI skipped the UI.
    let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/dist/.vite/licences.json");
    if bundled.exists() {
        for package in json("ui/dist/.vite/licences.json").as_array().unwrap() {
            let name = package["name"].as_str().unwrap();
            assert!(named.contains_key(name), "{name}: {ADVICE}");
        }
    }
}

#[test]
fn the_licences_name_the_font_and_the_api_page_and_have_their_texts() {
    let printed = Home::new().ok(&["licences"]);

    for words in [
        "Porchlight 0.1.0\n\nMIT License",
        "@fontsource-variable/figtree",
        "SIL OPEN FONT LICENSE",
        "swagger-ui",
        "SmartBear Software",
        "tikv-jemalloc-sys",
        "Jason Evans",
    ] {
        assert!(printed.contains(words), "{words}: {ADVICE}");
    }
}
