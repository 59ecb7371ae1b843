//! A parsed cursor round-trips and respects its limits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use porchlight::kernel::store::Cursor;

fuzz_target!(|text: &str| {
    let Ok(cursor) = Cursor::parse(text) else {
        return;
    };
    let written = cursor.to_text();
    assert!(!text.is_empty() && text.len() <= Cursor::MAX_LENGTH);
    assert!(
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)),
        "{text:?}"
    );
    assert_eq!(written.len(), text.len(), "{text:?}");
    assert_eq!(Cursor::parse(&written).as_ref(), Ok(&cursor));
});
