//! Pages of a list in which a row may be damaged.
//!
//! A row that cannot be read is left out and counted, so that it costs itself and nothing else. A page is filled up
//! with the rows behind it, so a damaged stretch neither ends a list early nor makes an empty page. Each damaged row
//! is counted on exactly one page: the one that ends behind it.
//!
//! This is for lists that are shown. A list that grants, forbids or counts is read with [`Read::list`], which fails.

use std::sync::Arc;

use super::joined::{self, JoinedRows};
use super::key;
use super::{Cursor, Key, Range, Read, Record, Row, StoreError};

/// A row that cannot be read as its list's record.
#[derive(Clone, Debug)]
pub struct UnreadableRow {
    key: sled::IVec,
    /// How long the list's prefix is.
    prefix: usize,
    why: Arc<str>,
}

impl UnreadableRow {
    /// The key's bytes behind the list's prefix.
    pub fn suffix(&self) -> &[u8] {
        &self.key[self.prefix..]
    }

    /// What is wrong with it, for the log: never what is stored.
    pub fn why(&self) -> &str {
        &self.why
    }
}

/// A row of a list, or what stands in its place.
pub type ScannedRow = Result<Row, UnreadableRow>;

/// A part of a list.
#[derive(Debug, Default)]
pub struct Page {
    /// The rows that can be read.
    pub rows: Vec<Row>,
    /// How many others there are among them.
    pub unreadable: u64,
    /// Where the page ends; `None` when nothing was there.
    pub end: Option<Cursor>,
    /// Whether a readable row follows.
    pub goes_on: bool,
}

impl Page {
    /// The next page's cursor; `None` on the last page.
    pub fn next(&self) -> Option<String> {
        let end = self.end.as_ref().filter(|_| self.goes_on);
        end.map(Cursor::to_text)
    }

    /// The rows as a JSON array.
    pub fn to_array(&self) -> JoinedRows {
        self.with(joined::json_array(&self.rows))
    }

    /// `{"<name>": […], "next": "…"}`; `next` is left out on the last page.
    pub fn to_object(&self, name: &str) -> JoinedRows {
        self.to_object_with_next(name, self.next().as_deref())
    }

    /// [`Page::to_object`] with a `next` of one's own.
    pub fn to_object_with_next(&self, name: &str, next: Option<&str>) -> JoinedRows {
        self.with(joined::json_page(name, &self.rows, next))
    }

    fn with(&self, json: bytes::Bytes) -> JoinedRows {
        JoinedRows {
            json,
            unreadable: self.unreadable,
        }
    }
}

/// Reads the rows among these pairs. One that was removed meanwhile is no row.
pub(super) fn rows<'a, R: Record>(
    view: &'a (impl Read + ?Sized),
    prefix: &'a Key,
    pairs: super::Pairs,
) -> impl Iterator<Item = Result<ScannedRow, StoreError>> + 'a {
    pairs
        .into_iter()
        .filter_map(|(key, stored)| row::<R>(view, prefix, key, stored).transpose())
}

fn row<R: Record>(
    view: &(impl Read + ?Sized),
    prefix: &Key,
    key: sled::IVec,
    stored: sled::IVec,
) -> Result<Option<ScannedRow>, StoreError> {
    let prefix = prefix.bytes().len();
    let read = || match view.assemble_current(&key, stored)? {
        Some(payload) => R::decode_object(&payload).map(|_| Some(payload)),
        None => Ok(None),
    };
    match read() {
        Ok(payload) => Ok(payload.map(|payload| Ok(Row::new(key, prefix, payload)))),
        Err(StoreError::Unreadable(why)) => Ok(Some(Err(UnreadableRow { key, prefix, why }))),
        Err(error) => Err(error),
    }
}

/// Reads a page of at most `limit` rows that can be read, behind `after` if there is one.
pub(super) fn read<R: Record>(
    view: &(impl Read + ?Sized),
    prefix: &Key,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    let mut page = Page::default();
    // Unreadable rows behind the last readable one: they belong to this page only if the list ends with them.
    let mut behind = 0;
    let mut why = None;
    let mut position = after.cloned();
    // One row more than the page has shows whether the list goes on.
    let batch = limit.saturating_add(1);
    'list: loop {
        let pairs = view.stored_range(Range::below(prefix, position.as_ref()), batch)?;
        let is_last = pairs.len() < batch;
        if let Some((key, _)) = pairs.back() {
            position = Some(Cursor::new(key[prefix.bytes().len()..].to_vec()));
        }
        for row in rows::<R>(view, prefix, pairs) {
            match row? {
                Ok(row) if page.rows.len() < limit => {
                    page.unreadable += std::mem::take(&mut behind);
                    page.rows.push(row);
                }
                Ok(_) => {
                    page.goes_on = true;
                    page.end = page.rows.last().map(Row::cursor);
                    break 'list;
                }
                Err(row) => {
                    behind += 1;
                    why.get_or_insert(row.why);
                }
            }
        }
        if is_last {
            page.unreadable += behind;
            page.end = position;
            break;
        }
    }
    if page.unreadable > 0 {
        let (table, of) = (key::table_of(prefix.bytes()), prefix.only_number());
        let (unreadable, why) = (page.unreadable, why.as_deref());
        tracing::warn!(
            table,
            of,
            unreadable,
            why,
            "rows of a list could not be read and were left out"
        );
    }
    Ok(page)
}
