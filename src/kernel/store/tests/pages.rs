//! Lists in which rows are damaged.

use super::*;

/// How many rows each list has: every combination of whole and damaged ones gets a list of its own.
const ROWS: u64 = 7;

/// Values that cannot be read as a [`Note`], one for each way in which that happens.
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
                match is_damaged(list, row) {
                    true => change.put_stored(
                        key.bytes().to_vec(),
                        kinds.next().expect("they are repeated").clone(),
                    ),
                    false => change.put_new(&key, &note(&row.to_string())),
                }
            }
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap().unwrap();
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
                assert_eq!(page.goes_on, page.next().is_some());
                if !page.goes_on {
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
            (page.rows.len(), page.unreadable, page.goes_on),
            (3, 4, false)
        );
        assert_eq!((behind.rows.len(), behind.unreadable), (0, 0));
        assert_eq!(behind.end, page.end, "nothing is counted twice");
    }
}

#[tokio::test]
async fn each_damaged_row_is_told_in_its_place_and_a_list_that_must_be_whole_fails() {
    let folder = TempDir::new().unwrap();
    let store = store_with_lists(&folder).await;
    let damaged = damaged_values();
    let keys = (0..).map(|number| NOTES.key().text("each").number(number));
    let values = damaged.clone().into_iter().zip(keys);
    let written = store.commit(move |change| {
        for (value, key) in values {
            change.put_stored(key.bytes().to_vec(), value);
        }
        Ok::<_, StoreError>(())
    });
    written.await.unwrap().unwrap();
    let list = NOTES.key().text("each");

    let scanned = store.scan_each::<Note>(&list, None, 100).unwrap();

    let told = scanned
        .into_iter()
        .map(|row| row.expect_err("it is damaged"));
    let told = told.collect::<Vec<_>>();
    let places = (0..damaged.len()).map(|number| number.to_be_bytes());
    assert!(told.iter().map(|row| row.suffix()).eq(places));
    let expected = [
        "a value is shorter than its header",
        "a value kept losing its parts",
        "it is no JSON object",
        "it is not the JSON that it was: Note, column 8",
        "its JSON is of another shape: Note, column 13",
        "its JSON is of another shape: Note, column 9",
        "it is no JSON object",
    ];
    assert!(told.iter().map(|row| row.why()).eq(expected), "{told:?}");
    assert!(store.list::<Note>(&list).is_err());
}
