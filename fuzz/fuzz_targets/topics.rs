//! A normalized list of topics is valid, and normalizing it again changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use porchlight::rules::blocked_topics::{BlockedTopic, MANDATORY};
use porchlight::kernel::host::words;

fn keep(sent: Vec<String>) -> Option<Vec<String>> {
    let kept = BlockedTopic::list(sent).ok()?;
    let json = serde_json::to_value(kept).expect("topics can be written");
    Some(serde_json::from_value(json).expect("as texts"))
}

// Each line of the input is a topic.
fuzz_target!(|text: &str| {
    let sent = text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let Some(kept) = keep(sent.clone()) else {
        return;
    };
    assert!(kept.len() <= sent.len().min(500));
    let caseless = kept
        .iter()
        .map(|topic| words::caseless(topic))
        .collect::<Vec<_>>();
    for (position, topic) in kept.iter().enumerate() {
        assert_eq!(words::trim(topic), topic);
        assert!((3..=200).contains(&words::length(topic)), "{topic:?}");
        assert!(
            !caseless[..position].contains(&caseless[position]),
            "{topic:?} twice"
        );
        let mandatory = MANDATORY
            .iter()
            .any(|always| words::caseless(always) == caseless[position]);
        assert!(!mandatory, "{topic:?}");
    }
    assert_eq!(keep(kept.clone()), Some(kept));
});
