//! An invalid seed file is refused with an error that contains its line number, and nothing else from it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use porchlight::admin::seed;

fuzz_target!(|text: &str| {
    let Err(refusal) = seed::check(text) else {
        return;
    };
    let sentence = refusal.to_string();
    let line = sentence
        .strip_prefix("Line ")
        .and_then(|rest| rest.split_once(" of the file: "))
        .and_then(|(line, _)| line.parse::<usize>().ok());
    let line = line.unwrap_or_else(|| panic!("no line: {sentence}"));
    assert!(line <= text.split('\n').count(), "{line}: {sentence}");
    assert!(
        sentence.ends_with(". Nothing was brought in."),
        "{sentence}"
    );
});
