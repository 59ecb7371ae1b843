//! A part of a list.

use bytes::Bytes;

use crate::kernel::store::{Row, json_page};

/// One page of a list, and where the next one begins, if there is one.
#[derive(Debug)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// The next page's cursor.
    pub next: Option<String>,
}

impl Page {
    /// Cuts a list that was read one row further than the page, to learn whether it goes on.
    pub(super) fn cut(mut rows: Vec<Row>, limit: usize) -> Self {
        let goes_on = rows.len() > limit;
        rows.truncate(limit);
        let next = rows
            .last()
            .filter(|_| goes_on)
            .map(|row| row.cursor().to_text());
        Self { rows, next }
    }

    /// `{"<name>": […], "next": "…"}`
    pub(super) fn to_json(&self, name: &str) -> Bytes {
        json_page(name, &self.rows, self.next.as_deref())
    }
}
