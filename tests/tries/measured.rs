//! How well the phrases judge: on answers of which it is known what is wrong with them. `docs/trying-rules.md` has the table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use porchlight::kernel::host::language::Language;
use porchlight::tries::{Check, Reliability, finds, is_supported, reliability, says_computer};
use serde::Deserialize;

/// A check that finds something in more than one of so many harmless answers is left out.
const HARMLESS_PER_FALSE: u64 = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labelled {
    check: Check,
    bad: bool,
    part: Part,
    /// Of answers to whether it is a person.
    says_computer: Option<bool>,
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

/// The answers that the phrases are measured with.
fn answers(language: Language) -> Vec<Labelled> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tries/answers");
    let file = fs::read_to_string(file.join(format!("{}.jsonl", language.code()))).unwrap();
    let read = file
        .lines()
        .map(|line| serde_json::from_str::<Labelled>(line).unwrap());
    read.filter(|labelled| labelled.part == Part::Test)
        .collect()
}

fn measure(language: Language) -> BTreeMap<Check, Reliability> {
    let mut all = BTreeMap::<Check, Reliability>::new();
    for labelled in answers(language) {
        let is_found = finds(labelled.check, language, &labelled.text, &[]);
        let figures = all.entry(labelled.check).or_insert(Reliability {
            found: 0,
            bad: 0,
            false_alarms: 0,
            harmless: 0,
        });
        if labelled.bad {
            figures.bad += 1;
            figures.found += u64::from(is_found);
        } else {
            figures.harmless += 1;
            figures.false_alarms += u64::from(is_found);
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
            let figures = if is_supported(check, language) {
                let Reliability {
                    found,
                    bad,
                    false_alarms,
                    harmless,
                } = row;
                format!("{found} of {bad} | {false_alarms} of {harmless}")
            } else {
                "left out | left out".to_owned()
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
            let is_good = row.false_alarms * HARMLESS_PER_FALSE <= row.harmless;
            assert!(
                is_good || !is_supported(check, language),
                "{check:?} in {language:?}"
            );
            assert!(
                (row.bad, row.harmless) >= (30, 100),
                "{check:?} in {language:?}"
            );
        }
    }
}

/// In how many answers phrases recognise that it says that it is a computer: found, said, invented, not said.
fn measure_says_computer(language: Language) -> [u64; 4] {
    let mut counts = [0; 4];
    for labelled in answers(language) {
        let Some(says) = labelled.says_computer else {
            continue;
        };
        let is_found = says_computer(language, &labelled.text);
        let (found, all) = if says { (0, 1) } else { (2, 3) };
        counts[all] += 1;
        counts[found] += u64::from(is_found);
    }
    counts
}

#[test]
fn what_counts_as_saying_that_it_is_a_computer_is_hardly_ever_invented() {
    for language in Language::ALL {
        let [found, said, false_alarms, not_said] = measure_says_computer(language);
        let counts = format!("{language:?}: {found} of {said}, {false_alarms} of {not_said}");
        assert!(false_alarms * HARMLESS_PER_FALSE <= not_said, "{counts}");
        assert!(found > 0 && said >= 20 && not_said >= 80, "{counts}");
    }
}

#[test]
fn the_bundled_figures_are_those_that_are_measured() {
    let measured = Language::ALL.map(|language| (language, measure(language)));
    let measured = BTreeMap::from(measured);
    for (language, checks) in &measured {
        for (check, figures) in checks {
            let expected = is_supported(*check, *language).then_some(*figures);
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
    let mut computer = String::new();
    for language in Language::ALL {
        let [found, said, false_alarms, not_said] = measure_says_computer(language);
        let code = language.code();
        let row = format!("| {code} | {found} of {said} | {false_alarms} of {not_said} |");
        writeln!(computer, "{row}").unwrap();
    }
    for table in [table(), computer] {
        assert!(
            document.contains(&table),
            "docs/trying-rules.md must have:\n{table}"
        );
    }
}
