//! How well the phrases judge: on answers of which it is known what is wrong with them. `docs/trying-rules.md` has the table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use porchlight::kernel::host::language::Language;
use porchlight::tries::{Check, Reliability, finds, is_made, reliability, tells_good};
use serde::Deserialize;

/// A check that finds something in more than one of so many harmless answers is left out.
const HARMLESS_PER_FALSE: u64 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    check: Check,
    bad: bool,
    part: Part,
    text: String,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// With which the phrases were written.
    Dev,
    /// With which they are measured.
    Test,
}

fn measure(language: Language) -> BTreeMap<Check, Reliability> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tries/answers");
    let file = fs::read_to_string(file.join(format!("{}.jsonl", language.code()))).unwrap();
    let mut all = BTreeMap::<Check, Reliability>::new();
    for line in file.lines() {
        let labelled = serde_json::from_str::<Labelled>(line).unwrap();
        if labelled.part == Part::Dev {
            continue;
        }
        let is_found = finds(labelled.check, language, &labelled.text, &[]);
        let figures = all.entry(labelled.check).or_insert(Reliability {
            found: 0,
            bad: 0,
            invented: 0,
            harmless: 0,
        });
        if labelled.bad {
            figures.bad += 1;
            figures.found += u64::from(is_found);
        } else {
            figures.harmless += 1;
            figures.invented += u64::from(is_found);
        }
    }
    all
}

fn table() -> String {
    let mut table = String::new();
    for language in Language::ALL {
        for (check, row) in measure(language) {
            let name = serde_json::to_value(check).unwrap();
            let name = name.as_str().unwrap().to_owned();
            let figures = if is_made(check, language) {
                let Reliability {
                    found,
                    bad,
                    invented,
                    harmless,
                } = row;
                let tells = if tells_good(check, language) {
                    "yes"
                } else {
                    "no"
                };
                format!("{found} of {bad} | {invented} of {harmless} | {tells}")
            } else {
                "left out | left out | no".to_owned()
            };
            writeln!(table, "| {} | `{name}` | {figures} |", language.code()).unwrap();
        }
    }
    table
}

#[test]
fn a_check_that_invents_more_than_one_in_a_hundred_is_left_out() {
    for language in Language::ALL {
        for (check, row) in measure(language) {
            let is_good = row.invented * HARMLESS_PER_FALSE <= row.harmless;
            assert!(
                is_good || !is_made(check, language),
                "{check:?} in {language:?}"
            );
            assert!(
                (row.bad, row.harmless) >= (30, 100),
                "{check:?} in {language:?}"
            );
        }
    }
}

#[test]
fn the_bundled_figures_are_those_that_are_measured() {
    let measured = Language::ALL.map(|language| (language, measure(language)));
    let measured = BTreeMap::from(measured);
    for (language, checks) in &measured {
        for (check, figures) in checks {
            let expected = is_made(*check, *language).then_some(*figures);
            let json = serde_json::to_string(&measured).unwrap();
            let edit = "src/tries/phrases/reliability.json must be";
            assert_eq!(reliability(*check, *language), expected, "{edit}\n{json}");
        }
    }
}

#[test]
fn the_document_has_the_figures_of_the_phrases() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trying-rules.md");
    let document = fs::read_to_string(document).unwrap();
    let table = table();
    assert!(
        document.contains(&table),
        "docs/trying-rules.md must have:\n{table}"
    );
}
