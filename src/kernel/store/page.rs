//! Pages of a list with possibly damaged rows.
//!
//! An unreadable row is left out and counted; it affects nothing else. The page is filled up with the rows
//! after it, so damage neither ends a list early nor makes an empty page. Each damaged row is counted on exactly one
//! page: the one that ends after it.
//!
//! This is for lists that are shown. A list that grants, forbids or counts is read with [`Read::list`], which fails.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;

use super::json::{JsonRows, json_array, json_page};
use super::lsm::Pair;
use super::{
    Cursor, Key, Range, Read, Record, Row, StoreError, key, readable, readable_or_counted,
};

/// A part of a list.
#[derive(Debug, Default)]
pub struct Page {
    /// The readable rows.
    pub rows: Vec<Row>,
    /// The number of unreadable rows among them.
    pub unreadable: u64,
    /// The end of the page; `None` if the page is empty.
    pub end: Option<Cursor>,
    /// Whether a readable row follows.
    pub has_next: bool,
    /// The row before which the previous page ends, for a page that was read [before](Page::before) or [around](Page::around) a
    /// row; `None` on the first page.
    pub previous: Option<Cursor>,
}

/// The number of rows that are read at once: small enough that a page of long rows reads little more than it returns.
const ROWS_AT_ONCE: usize = 128;

/// The maximum size of a page in bytes of JSON, unless its first row alone is larger.
const PAGE_BYTES: usize = 1024 * 1024;

/// The remaining capacity of a page: a number of rows, and 1 MiB. Every paginated list is bounded by it.
#[derive(Debug)]
pub struct PageRoom {
    rows: usize,
    bytes: usize,
    is_empty: bool,
}

impl PageRoom {
    /// The capacity of an empty page of at most `rows` rows.
    pub const fn new(rows: usize) -> Self {
        Self::of(rows, PAGE_BYTES)
    }

    const fn of(rows: usize, bytes: usize) -> Self {
        Self {
            rows,
            bytes,
            is_empty: true,
        }
    }

    /// For lists whose length is limited by a product rule.
    pub(super) const fn unlimited() -> Self {
        Self::of(usize::MAX, usize::MAX)
    }

    /// Takes the capacity for a row of this many bytes; returns whether it fits. The first row always fits, and after one that
    /// doesn't, no other fits.
    pub fn take(&mut self, bytes: usize) -> bool {
        let fits = self.rows > 0 && (self.is_empty || bytes <= self.bytes);
        self.is_empty = false;
        if fits {
            self.rows -= 1;
            self.bytes = self.bytes.saturating_sub(bytes);
        } else {
            self.rows = 0;
        }
        fits
    }

    /// Whether no further row fits, regardless of its size.
    pub const fn is_full(&self) -> bool {
        self.rows == 0 || self.bytes == 0
    }

    /// The number of rows to read next: one more than fit shows whether the list continues.
    fn rows_to_read(&self) -> usize {
        self.rows.saturating_add(1).min(ROWS_AT_ONCE)
    }
}

impl Page {
    /// The last rows below `prefix` before `end`, in key order, at most `limit` that can be read as an `R`. They are
    /// read backwards from `end`.
    pub fn before<R: Record>(
        view: &impl Read,
        prefix: &Key,
        end: &Cursor,
        limit: usize,
    ) -> Result<Self, StoreError> {
        Self::read_back::<R>(view, prefix, end, &mut PageRoom::new(limit))
    }

    fn read_back<R: Record>(
        view: &impl Read,
        prefix: &Key,
        end: &Cursor,
        room: &mut PageRoom,
    ) -> Result<Self, StoreError> {
        let mut page = Self {
            has_next: true,
            ..Self::default()
        };
        // The counterpart of `behind` in `read`.
        let mut before = 0;
        let mut position = end.clone();
        'list: loop {
            let batch = room.rows_to_read();
            let pairs = view.stored_range_back(Range::before(prefix, &position), batch)?;
            let is_last = pairs.len() < batch;
            if let Some((key, _)) = pairs.last() {
                position = place_of(prefix, key);
            }
            for pair in pairs {
                match read_row::<R>(view, prefix, pair)? {
                    None => {}
                    Some(Ok(row)) if room.take(row.json().len()) => {
                        page.unreadable += std::mem::take(&mut before);
                        page.rows.push(row);
                    }
                    Some(Ok(_)) => {
                        let first = page.rows.last().map(Row::cursor);
                        page.previous = Some(first.unwrap_or_else(|| end.clone()));
                        break 'list;
                    }
                    Some(Err(_)) => before += 1,
                }
            }
            if is_last {
                page.unreadable += before;
                break;
            }
        }
        page.rows.reverse();
        page.end = page.rows.last().map(Row::cursor);
        Ok(page)
    }

    /// A page with the row at `place` in its middle.
    pub fn around<R: Record>(
        view: &impl Read,
        prefix: &Key,
        place: &Cursor,
        limit: usize,
    ) -> Result<Self, StoreError> {
        let own = Key::from_bytes(&[prefix.bytes(), place.suffix()].concat());
        let own = readable(view.payload(&own))?.flatten();
        let own = own.map_or(0, |payload| payload.json.len());
        // The page includes the row at `place`, regardless of its size, so the rows before it get only the remaining capacity.
        let mut room = PageRoom {
            is_empty: false,
            ..PageRoom::of(
                limit / 2,
                (PAGE_BYTES / 2).min(PAGE_BYTES.saturating_sub(own)),
            )
        };
        let mut first = Self::read_back::<R>(view, prefix, place, &mut room)?;
        let used = first.rows.iter().map(|row| row.json().len()).sum();
        let left = PAGE_BYTES.saturating_sub(used);
        let room = PageRoom::of(limit - first.rows.len(), left);
        let rest = read::<R>(view, prefix, Range::starting_at(prefix, place), room)?;
        first.rows.extend(rest.rows);
        first.unreadable += rest.unreadable;
        Ok(Self {
            end: rest.end,
            has_next: rest.has_next,
            ..first
        })
    }

    /// The same page with each record converted by `show`. A record that cannot be converted, because something else is
    /// unreadable, is left out and counted.
    pub fn shown_as<R: Record, S: Serialize>(
        mut self,
        mut show: impl FnMut(R) -> Result<S, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut shown = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            let record = row.record::<R>().and_then(&mut show);
            let record = readable_or_counted(record, &mut self.unreadable)?;
            shown.extend(record.map(|record| row.shown_as(&record)));
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

/// Reads a row; `None` if it was removed meanwhile, and the error if it is unreadable.
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

fn place_of(prefix: &Key, key: &[u8]) -> Cursor {
    Cursor::new(key[prefix.bytes().len()..].to_vec())
}

/// Reads a page of the readable rows within `rows`, as far as they fit.
pub(super) fn read<R: Record>(
    view: &(impl Read + ?Sized),
    prefix: &Key,
    mut rows: Range,
    mut room: PageRoom,
) -> Result<Page, StoreError> {
    let mut page = Page::default();
    // Unreadable rows after the last readable one belong to this page only if the list ends with them.
    let mut behind = 0;
    let mut first_reason = None;
    'list: loop {
        let batch = room.rows_to_read();
        let pairs = view.stored_range(rows, batch)?;
        let is_last = pairs.len() < batch;
        if let Some((key, _)) = pairs.last() {
            page.end = Some(place_of(prefix, key));
        }
        rows = Range::below(prefix, page.end.as_ref());
        for pair in pairs {
            match read_row::<R>(view, prefix, pair)? {
                None => {}
                Some(Ok(row)) if room.take(row.json().len()) => {
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
            break;
        }
    }
    log_left_out(prefix, page.unreadable, first_reason.as_deref());
    Ok(page)
}

pub(super) fn log_left_out(prefix: &Key, unreadable: u64, why: Option<&str>) {
    if unreadable > 0 {
        let (table, of) = (key::table_of(prefix.bytes()), prefix.only_number());
        tracing::warn!(
            table,
            of,
            unreadable,
            why,
            "rows of a list could not be read and were left out"
        );
    }
}
