//! Builds JSON lists by joining stored bytes: several times faster than parsing and serializing them again. Tests check that
//! the stored JSON conforms to the documented one.

use bytes::{BufMut, Bytes, BytesMut};
use serde::Serialize;

/// A list as JSON, and the number of rows that are missing because they could not be read.
#[derive(Clone, Debug)]
pub struct JsonRows {
    pub json: Bytes,
    /// The number of unreadable rows.
    pub unreadable: u64,
}

impl JsonRows {
    pub fn of(answer: &impl Serialize, unreadable: u64) -> Self {
        let json = serde_json::to_vec(answer).expect("answers are JSON");
        let json = json.into();
        Self { json, unreadable }
    }
}

/// The rows as a JSON array.
pub fn json_array(rows: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Bytes {
    let mut json = BytesMut::with_capacity(4096);
    put_array(&mut json, rows);
    json.freeze()
}

/// The rows as `{"<name>": […], "previous": "…", "next": "…"}`; absent cursors are left out.
pub(super) fn json_page(
    name: &str,
    rows: impl IntoIterator<Item = impl AsRef<[u8]>>,
    previous: Option<&str>,
    next: Option<&str>,
) -> Bytes {
    let mut json = BytesMut::with_capacity(16 * 1024);
    json.put_slice(b"{\"");
    json.put_slice(name.as_bytes());
    json.put_slice(b"\":");
    put_array(&mut json, rows);
    for (name, cursor) in [("previous", previous), ("next", next)] {
        if let Some(cursor) = cursor {
            // A cursor is base64url: it needs no escaping.
            json.put_slice(format!(",\"{name}\":\"{cursor}\"").as_bytes());
        }
    }
    json.put_u8(b'}');
    json.freeze()
}

fn put_array(json: &mut BytesMut, rows: impl IntoIterator<Item = impl AsRef<[u8]>>) {
    json.put_u8(b'[');
    for (position, row) in rows.into_iter().enumerate() {
        if position > 0 {
            json.put_u8(b',');
        }
        json.put_slice(row.as_ref());
    }
    json.put_u8(b']');
}
