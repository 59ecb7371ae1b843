//! Pages of a list in which a row may be damaged.
//!
//! A row that cannot be read is left out and counted, so it costs itself and nothing else. A page is filled up with the rows
//! behind it, so damage neither ends a list early nor makes an empty page. Each damaged row is counted on exactly one
//! page: the one that ends behind it.
//!
//! This is for lists that are shown. A list that grants, forbids or counts is read with [`Read::list`], which fails.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use super::json::{JsonRows, json_array, json_page};
use super::lsm::Pair;
use super::{Cursor, Key, Range, Read, Record, Row, StoreError, key};

/// A part of a list.
#[derive(Debug, Default)]
pub struct Page {
    /// The rows that can be read.
    pub rows: Vec<Row>,
    /// How many others there are among them.
    pub unreadable: u64,
    /// Where the page ends; `None` when there was nothing.
    pub end: Option<Cursor>,
    /// Whether a readable row follows.
    pub has_next: bool,
    /// Before which row the previous page ends, for a page that was read [before](Page::before) or [around](Page::around) a
    /// row; `None` on the first page.
    pub previous: Option<Cursor>,
}

impl Page {
    /// The last rows below `prefix` before `end`, in key order, at most `limit` of those that can be read as an `R`. All
    /// others before `end` are passed over in key order.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn before<R: Record>(
        view: &impl Read,
        prefix: &Key,
        end: &Cursor,
        limit: usize,
    ) -> Result<Self, StoreError> {
        let mut page = Self::default();
        let mut rows = view.stored_range(Range::before(prefix, end), usize::MAX)?;
        while page.rows.len() < limit {
            let Some(pair) = rows.pop() else {
                break;
            };
            match read_row::<R>(view, prefix, pair)? {
                None => {}
                Some(Ok(row)) => page.rows.push(row),
                Some(Err(_)) => page.unreadable += 1,
            }
        }
        page.rows.reverse();
        page.end = page.rows.last().map(Row::cursor);
        page.has_next = true;
        let first = page.rows.first().map_or_else(|| end.clone(), Row::cursor);
        page.previous = (!rows.is_empty()).then_some(first);
        Ok(page)
    }

    /// A page in whose middle is the row at `place`.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn around<R: Record>(
        view: &impl Read,
        prefix: &Key,
        place: &Cursor,
        limit: usize,
    ) -> Result<Self, StoreError> {
        let mut first = Self::before::<R>(view, prefix, place, limit / 2)?;
        let rest = view.page::<R>(prefix, first.end.as_ref(), limit - first.rows.len())?;
        first.rows.extend(rest.rows);
        first.unreadable += rest.unreadable;
        Ok(Self {
            end: rest.end,
            has_next: rest.has_next,
            ..first
        })
    }

    /// The same page, each of its records as `show` makes it. One that cannot be shown, because something else cannot be read,
    /// is left out and counted.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn shown_as<R: Record, S: Serialize>(
        mut self,
        mut show: impl FnMut(R) -> Result<S, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut shown = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            match row.record::<R>().and_then(&mut show) {
                Ok(record) => shown.push(row.shown_as(&record)),
                Err(StoreError::Unreadable(_)) => self.unreadable += 1,
                Err(error) => return Err(error),
            }
        }
        self.rows = shown;
        Ok(self)
    }

    /// The next page's cursor; `None` on the last page.
    pub fn next(&self) -> Option<String> {
        let end = self.end.as_ref().filter(|_| self.has_next);
        end.map(Cursor::to_text)
    }

    /// The rows as a JSON array.
    pub fn to_array(&self) -> JsonRows {
        self.with_count(json_array(&self.rows))
    }

    /// `{"<name>": […], "next": "…"}`; `next` is left out on the last page.
    pub fn to_object(&self, name: &str) -> JsonRows {
        self.to_object_with_next(name, self.next().as_deref())
    }

    /// [`Page::to_object`] with another `next`.
    pub fn to_object_with_next(&self, name: &str, next: Option<&str>) -> JsonRows {
        let previous = self.previous.as_ref().map(Cursor::to_text);
        let json = json_page(name, &self.rows, previous.as_deref(), next);
        self.with_count(json)
    }

    fn with_count(&self, json: Bytes) -> JsonRows {
        JsonRows {
            json,
            unreadable: self.unreadable,
        }
    }
}

/// Reads a row; `None` when it was removed meanwhile, and why when it cannot be read.
fn read_row<R: Record>(
    view: &(impl Read + ?Sized),
    prefix: &Key,
    (key, stored): Pair,
) -> Result<Option<Result<Row, Arc<str>>>, StoreError> {
    let json = match view.assemble_current(&key, stored) {
        Ok(None) => return Ok(None),
        Ok(Some(payload)) => payload.object::<R>(),
        Err(error) => Err(error),
    };
    match json {
        Ok(json) => Ok(Some(Ok(Row::new(key, prefix.bytes().len(), json)))),
        Err(StoreError::Unreadable(why)) => Ok(Some(Err(why))),
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
    let mut first_reason = None;
    let mut position = after.cloned();
    // One row more than the page has shows whether the list goes on.
    let batch = limit.saturating_add(1);
    'list: loop {
        let pairs = view.stored_range(Range::below(prefix, position.as_ref()), batch)?;
        let is_last = pairs.len() < batch;
        if let Some((key, _)) = pairs.last() {
            position = Some(Cursor::new(key[prefix.bytes().len()..].to_vec()));
        }
        for pair in pairs {
            match read_row::<R>(view, prefix, pair)? {
                None => {}
                Some(Ok(row)) if page.rows.len() < limit => {
                    page.unreadable += std::mem::take(&mut behind);
                    page.rows.push(row);
                }
                Some(Ok(_)) => {
                    page.has_next = true;
                    page.end = page.rows.last().map(Row::cursor);
                    break 'list;
                }
                Some(Err(reason)) => {
                    behind += 1;
                    first_reason.get_or_insert(reason);
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
        let (unreadable, why) = (page.unreadable, first_reason.as_deref());
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
