//! Lists in which rows are damaged.

use super::*;

/// The number of rows in each list: every combination of valid and damaged rows gets its own list.
const ROWS: u64 = 7;

/// Values that cannot be read as a [`Note`], one for each reason.
fn damaged_values() -> [Vec<u8>; 7] {
    let shorter_than_its_header = vec![1];
    let without_its_parts = [b"\x01\x01", &[7; 8][..], b"{\"text\":"].concat();
    let payloads: [&[u8]; 5] = [
        b"",
        b"{\"text\":",
        b"{\"words\":\"a\"}",
        b"{\"text\":7}",
        b"[\"a\"]",
    ];
    let [empty, cut, another_field, another_type, an_array] =
        payloads.map(|payload| [b"\x01\x00", payload].concat());
    [
        shorter_than_its_header,
        without_its_parts,
        empty,
        cut,
        another_field,
        another_type,
        an_array,
    ]
}

fn is_damaged(list: u64, row: u64) -> bool {
    list & (1 << row) != 0
}

async fn store_with_lists(folder: &TempDir) -> Store {
    let store = store_in(folder);
    let written = store.commit(|change| {
        let damaged = damaged_values();
        let mut kinds = damaged.iter().cycle();
        for list in 0..1 << ROWS {
            for row in 0..ROWS {
                let key = key(list).number(row);
                if is_damaged(list, row) {
                    change.put_damaged(&key, kinds.next().unwrap().clone());
                } else {
                    change.put_new(&key, &note(&row.to_string()))?;
                }
            }
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    store
}

#[tokio::test]
async fn pages_hold_every_readable_row_once_and_count_every_damaged_one_once() {
    let folder = TempDir::new().unwrap();
    let store = store_with_lists(&folder).await;

    for list in 0..1 << ROWS {
        for limit in 1..=8 {
            let (mut seen, mut unreadable, mut cursor) = (Vec::new(), 0, None);
            loop {
                let page = store
                    .page::<Note>(&key(list), cursor.as_ref(), limit)
                    .unwrap();
                let texts = page
                    .rows
                    .iter()
                    .map(|row| row.record::<Note>().unwrap().text);
                seen.extend(texts.map(|text| text.parse::<u64>().unwrap()));
                unreadable += page.unreadable;
                assert_eq!(page.has_next, page.next().is_some());
                if !page.has_next {
                    break;
                }
                assert_eq!(page.rows.len(), limit, "only the last page is not full");
                cursor = page.end;
            }

            let whole = (0..ROWS).filter(|row| !is_damaged(list, *row));
            assert_eq!(
                seen,
                whole.collect::<Vec<_>>(),
                "list {list:b}, {limit} at once"
            );
            assert_eq!(
                unreadable,
                u64::from(list.count_ones()),
                "list {list:b}, {limit} at once"
            );
        }
    }
}

#[tokio::test]
async fn pages_that_are_read_backwards_hold_every_row_once_too() {
    let folder = TempDir::new().unwrap();
    let store = store_with_lists(&folder).await;

    for list in 0..1 << ROWS {
        for limit in 1..=8 {
            let (mut seen, mut unreadable) = (Vec::new(), 0);
            let mut end = key(list).number(ROWS).cursor_below(&key(list)).unwrap();
            loop {
                let page = Page::before::<Note>(&store, &key(list), &end, limit).unwrap();
                let texts = page.rows.iter().rev();
                let texts = texts.map(|row| row.record::<Note>().unwrap().text);
                seen.extend(texts.map(|text| text.parse::<u64>().unwrap()));
                unreadable += page.unreadable;
                let Some(previous) = page.previous else { break };
                assert_eq!(page.rows.len(), limit, "only the last page is not full");
                end = previous;
            }

            let whole = (0..ROWS).rev().filter(|row| !is_damaged(list, *row));
            assert_eq!(seen, whole.collect::<Vec<_>>(), "list {list:b}, {limit}");
            assert_eq!(
                unreadable,
                u64::from(list.count_ones()),
                "{list:b}, {limit}"
            );
        }
    }
}

/// The size limit of a page, in bytes.
const MEBIBYTE: usize = 1024 * 1024;

fn bytes(page: &Page) -> usize {
    page.rows.iter().map(|row| row.json().len()).sum()
}

#[tokio::test]
async fn a_page_ends_at_a_mebibyte_and_has_at_least_one_row() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let lengths = [300, 300, 300, 300, 1_200, 0, 1_000, 100, 100, 900, 0, 0];
    let written = store.commit(move |change| {
        for (number, kilobytes) in (0..).zip(lengths) {
            let text = "x".repeat(kilobytes * 1_000);
            change.put(&key(1).number(number), &note(&text))?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    let place = |number| key(1).number(number).cursor_below(&key(1)).unwrap();
    let assert_fits = |page: &Page| {
        assert!(bytes(page) <= MEBIBYTE || page.rows.len() == 1);
    };

    let (mut pages, mut after) = (Vec::new(), None);
    loop {
        let page = store.page::<Note>(&key(1), after.as_ref(), 500).unwrap();
        assert_fits(&page);
        pages.push(page.rows.len());
        if page.has_next {
            after = page.end
        } else {
            break;
        }
    }
    assert_eq!(pages, [3, 1, 1, 2, 2, 3]);

    let (mut pages, mut before) = (Vec::new(), place(12));
    loop {
        let page = Page::before::<Note>(&store, &key(1), &before, 500).unwrap();
        assert_fits(&page);
        pages.push(page.rows.len());
        match page.previous {
            Some(previous) => before = previous,
            None => break,
        }
    }
    assert_eq!(pages, [4, 1, 2, 1, 3, 1]);

    for number in 0..12 {
        for limit in [1, 2, 500] {
            let page = Page::around::<Note>(&store, &key(1), &place(number), limit).unwrap();
            assert_fits(&page);
            let has_it = page.rows.iter().any(|row| row.cursor() == place(number));
            assert!(has_it && page.rows.len() <= limit, "{number} {limit}");
        }
    }
    assert_eq!(store.whole_page::<Note>(&key(1)).unwrap().rows.len(), 12);
}

/// Counts the pairs that are read.
struct Counting<'a>(&'a Store, std::cell::Cell<usize>);

impl Read for Counting<'_> {
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.0.stored(key)
    }

    fn stored_range(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let pairs = self.0.stored_range(range, limit)?;
        self.1.update(|read| read + pairs.len());
        Ok(pairs)
    }

    fn stored_range_back(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        let pairs = self.0.stored_range_back(range, limit)?;
        self.1.update(|read| read + pairs.len());
        Ok(pairs)
    }
}

#[tokio::test]
async fn what_is_before_a_page_that_is_read_backwards_is_not_read() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let written = store.commit(|change| {
        for number in 0..3_000 {
            change.put_new(&key(1).number(number), &note("a"))?;
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap();
    let end = key(1).number(2_900).cursor_below(&key(1)).unwrap();

    let before = Counting(&store, Default::default());
    let page = Page::before::<Note>(&before, &key(1), &end, 10).unwrap();
    let around = Counting(&store, Default::default());
    let middle = Page::around::<Note>(&around, &key(1), &end, 10).unwrap();

    assert_eq!((page.rows.len(), middle.rows.len()), (10, 10));
    assert_eq!(before.1.get(), 11, "one more shows that there are others");
    assert_eq!(around.1.get(), 12);
}

#[tokio::test]
async fn a_list_that_ends_in_damaged_rows_ends_behind_them() {
    let folder = TempDir::new().unwrap();
    let store = store_with_lists(&folder).await;
    let all_but_the_first_three = 0b111_1000;

    for limit in [3, 100] {
        let page = store
            .page::<Note>(&key(all_but_the_first_three), None, limit)
            .unwrap();
        let behind = store
            .page::<Note>(&key(all_but_the_first_three), page.end.as_ref(), limit)
            .unwrap();

        assert_eq!(
            (page.rows.len(), page.unreadable, page.has_next),
            (3, 4, false)
        );
        assert_eq!((behind.rows.len(), behind.unreadable), (0, 0));
        assert_eq!(behind.end, page.end, "nothing is counted twice");
    }
}

#[tokio::test]
async fn a_list_that_need_not_be_whole_leaves_damaged_rows_out_and_counts_them() {
    let folder = TempDir::new().unwrap();
    let store = store_with_lists(&folder).await;

    for list in 0..1 << ROWS {
        let rows = (0..ROWS).map(|row| key(list).number(row));
        // An array is readable: only what is returned as it is must be an object.
        let readable = |key: &Key| store.get::<Note>(key).is_ok();
        let keys = rows.filter(readable).collect::<Vec<_>>();
        let (notes, unreadable) = store.list_readable::<Note>(&key(list)).unwrap();
        let rows = store.readable_rows::<Note>(&key(list)).unwrap();

        let (found, of_rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        assert_eq!((&found, &of_rows), (&keys, &notes), "list {list:b}");
        assert_eq!(unreadable, ROWS - keys.len() as u64, "list {list:b}");
        assert!(unreadable > 0 || list.count_ones() < 2, "list {list:b}");
        let wanted = store.keys_of(&key(list), |_: &Note| true).unwrap();
        assert_eq!(wanted, keys, "list {list:b}");
        let unwanted = store.keys_of(&key(list), |_: &Note| false).unwrap();
        assert_eq!(unwanted, []);
    }
}

#[tokio::test]
async fn a_list_that_must_be_whole_fails_on_each_kind_of_damage() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let reasons = [
        "a value is shorter than its header",
        "a value kept losing its parts",
        "it is not the JSON that it was: Note, column 0",
        "it is not the JSON that it was: Note, column 8",
        "its JSON is of another shape: Note, column 13",
        "its JSON is of another shape: Note, column 9",
    ];
    for (number, (value, reason)) in (0..).zip(damaged_values().into_iter().zip(reasons)) {
        let list = NOTES.key().text("each").number(number);
        let row = list.clone().number(1);
        let written = store.commit(move |change| {
            change.put_damaged(&row, value);
            Ok::<_, StoreError>(())
        });
        written.await.unwrap();

        let Err(StoreError::Unreadable(why)) = store.list::<Note>(&list) else {
            panic!("{reason}");
        };
        assert_eq!(*why, *reason);
    }
}
