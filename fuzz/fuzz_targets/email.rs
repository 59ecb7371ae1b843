//! An accepted e-mail address is safe on an SMTP line, and round-trips.

#![no_main]

use libfuzzer_sys::fuzz_target;
use porchlight::kernel::outgoing::mail::EmailAddress;

fuzz_target!(|text: &str| {
    let Ok(address) = text.parse::<EmailAddress>() else {
        return;
    };
    let written = address.as_str();
    assert!(written.is_ascii() && written.len() <= 254, "{written:?}");
    assert!(
        !written
            .contains(|c: char| c.is_control() || c.is_whitespace() || "<>()[]\\,;:\"".contains(c)),
        "{written:?}"
    );
    assert_eq!(written.matches('@').count(), 1, "{written:?}");
    assert_eq!(written.parse().as_ref(), Ok(&address));
    assert_eq!(address.key().parse().as_ref(), Ok(&address));
    let json = serde_json::to_string(&address).expect("an address can be written");
    assert_eq!(
        serde_json::from_str::<EmailAddress>(&json).expect("and read"),
        address
    );
});
