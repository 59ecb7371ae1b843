//! Which tables hold words, and that no file holds those of a conversation once it is deleted, whichever way it was.
//!
//! After a deletion the files are searched for the numbers of sessions and of the child in keys. So a table that holds words
//! under another key would be invisible to that search: what `FACTS` and `tests/support/tables.rs` say of each table is compared with the rows
//! of a family that says a word everywhere.

mod everywhere;
mod packed;

use std::collections::BTreeSet;
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{Operation, RemoveChild, RevokeAssistant};
use porchlight::children::ChildId;
use porchlight::kernel::store::KeyPlace;
use serde_json::json;

use crate::support::requests::{ask_to_delete, confirm};
use crate::support::reviewing::{ADA, BEN};
use crate::support::tables::Words::{self, ChildsOwn, Conversation, Conversations};
use crate::support::tables::{Row, all_rows, row_has, tables, words_of};
use everywhere::{CHAT, CHATTED, ELSEWHERE, Everywhere, KITCHEN, OTHER, OWN, REPEATED, SPOKEN};
use packed::files_with;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn has(row: &Row, word: &str) -> bool {
    row_has(row, word.as_bytes())
}

/// The number in a key, if the table is one of these places'.
fn number_in(places: &[KeyPlace], key: &[u8]) -> Option<u64> {
    places.iter().find_map(|place| place.number_of(key))
}

/// What was found in the rows of tables.
#[derive(Default)]
struct Found {
    with: BTreeSet<(Words, String)>,
    wrong: BTreeSet<String>,
}

impl Found {
    fn judge(&mut self, table: &str, is_right: bool, why: &str) {
        match words_of(table) {
            Some(words) if is_right => {
                self.with.insert((words, table.to_owned()));
            }
            _ => {
                self.wrong.insert(format!("`{table}` has {why}"));
            }
        }
    }

    /// Looks for words in all rows.
    fn look(&mut self, world: &Everywhere) {
        let retention = &world.app().inner.retention;
        let of_sessions = retention.places_of_sessions();
        let of_children = retention.places_of_children();
        let child = Some(world.reviewed.mia.number());
        for (table, rows) in all_rows(world.app()) {
            let words = words_of(&table);
            for row in &rows {
                let number = number_in(&of_sessions, &row.0);
                for (word, session) in [(SPOKEN, world.spoken), (CHATTED, world.chatted)] {
                    let is_right = match words {
                        Some(Conversation) => number == Some(session),
                        Some(Conversations) => true,
                        _ => false,
                    };
                    if has(row, word) {
                        let why = "words of a conversation without its number in the key";
                        self.judge(&table, is_right, why);
                    }
                }
                let is_right = match words {
                    Some(Conversation) => number.is_some(),
                    Some(ChildsOwn) => number_in(&of_children, &row.0) == child,
                    _ => false,
                };
                if has(row, OWN) {
                    let why = "words about a child where its number is not looked for";
                    self.judge(&table, is_right, why);
                }
            }
        }
    }
}

#[tokio::test]
async fn the_words_of_a_conversation_are_in_no_row_without_its_number() {
    let world = Everywhere::of_guardians(&[ADA]).await;
    let mut found = Found::default();

    found.look(&world);
    let path = format!("/api/sessions/{}/child", world.chatted);
    let to_leo = json!({"child_id": world.leo});
    world.ada().await.put(&path, &to_leo).await.ok();
    found.look(&world);
    delete(&world, world.spoken).await;
    found.look(&world);

    assert!(found.wrong.is_empty(), "{:#?}", found.wrong);
    let declared = tables().filter_map(|(_, words, tables)| Some(((*words)?, tables)));
    let declared = declared
        .flat_map(|(words, tables)| tables.iter().map(move |table| (words, (*table).to_owned())));
    assert_eq!(found.with, declared.collect(), "found, and declared");
}

/// A family whose conversations are in the files, also packed.
async fn family(emails: &[&str]) -> Everywhere {
    let world = Everywhere::of_guardians(emails).await;
    world.app().inner.store.compact(|_| {}).await.unwrap();
    let backup = world.app().data().join("copy");
    world.app().back_up(&backup).await;
    for word in [SPOKEN, CHATTED, REPEATED, OTHER, OWN, ELSEWHERE] {
        let found = files_with(world.app().data(), word);
        assert!(
            found.contains(&backup),
            "{word} is found where it is packed"
        );
        assert!(found.len() > 1, "{word} is found: {found:?}");
    }
    std::fs::remove_file(backup).unwrap();
    world
}

async fn delete(world: &Everywhere, session: u64) {
    let path = format!("/api/sessions/{session}");
    let ada = world.ada().await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
}

/// Deletes a conversation of this child permanently.
async fn delete_permanently(world: &Everywhere, child: ChildId, session: u64) {
    delete(world, session).await;
    let path = format!("/api/child/{child}/deleted_sessions/{session}");
    let ada = world.ada().await;
    ada.send(Method::DELETE, &path, &[], None).await.ok();
}

async fn run(world: &Everywhere, operation: impl Operation) {
    world.app().run_admin(operation).await.0.unwrap();
}

/// Lets time pass, and does what is due.
async fn pass(world: &Everywhere, time: Duration) {
    world.app().clock.advance(time);
    world.app().inner.run_maintenance(|_| {}).await.unwrap();
}

/// Panics if a file has one of these words, or none of those that stay.
async fn assert_gone(world: &mut Everywhere, gone: &[&str], stays: &[&str]) {
    // What the connections of the gateway still do brings nothing back.
    world.hang_up().await;
    world.app().inner.run_maintenance(|_| {}).await.unwrap();
    let (_, exported) = world.app().exported().await;
    for word in gone {
        let found = files_with(world.app().data(), word);
        assert!(found.is_empty(), "{word} is in {found:?}");
        assert!(!exported.contains(word), "{word} is exported");
        let tables = all_rows(world.app()).into_iter();
        let tables = tables.filter(|(_, rows)| rows.iter().any(|row| has(row, word)));
        let tables = tables.map(|(table, _)| table).collect::<Vec<_>>();
        assert!(tables.is_empty(), "{word} is in {tables:?}");
    }
    for word in stays {
        let found = files_with(world.app().data(), word);
        assert!(!found.is_empty(), "{word} stays");
    }
}

/// Panics unless all deletions of a child were checked, and nothing was found.
async fn assert_checked(world: &Everywhere, child: impl std::fmt::Display) {
    let path = format!("/api/child/{child}/deletions");
    let page = world.ada().await.get(&path).await.json();
    let deletions = page["items"].as_array().unwrap();
    assert!(!deletions.is_empty());
    for deletion in deletions {
        assert_eq!(deletion["check"]["outcome"], "not_found", "{deletion}");
    }
}

/// What is left of a family whose two conversations with these words are deleted.
const CONVERSATIONS: [&str; 2] = [SPOKEN, CHATTED];
const STAYS: [&str; 4] = [REPEATED, OTHER, OWN, ELSEWHERE];

#[tokio::test]
async fn nothing_is_left_of_conversations_that_a_guardian_deleted_seven_days_ago() {
    let mut world = family(&[ADA]).await;
    for session in [world.spoken, world.chatted] {
        delete(&world, session).await;
    }

    pass(&world, 7 * DAY).await;

    assert_gone(&mut world, &CONVERSATIONS, &STAYS).await;
    assert_checked(&world, world.reviewed.mia).await;
}

#[tokio::test]
async fn nothing_is_left_of_conversations_that_are_deleted_permanently() {
    let mut world = family(&[ADA]).await;
    for session in [world.spoken, world.chatted] {
        delete_permanently(&world, world.reviewed.mia, session).await;
    }

    assert_gone(&mut world, &CONVERSATIONS, &STAYS).await;
    assert_checked(&world, world.reviewed.mia).await;
}

#[tokio::test]
async fn nothing_is_left_of_conversations_that_were_moved_to_another_child_and_deleted_there() {
    let mut world = family(&[ADA]).await;
    for session in [world.spoken, world.chatted] {
        let path = format!("/api/sessions/{session}/child");
        let to_leo = json!({"child_id": world.leo});
        world.ada().await.put(&path, &to_leo).await.ok();
        delete_permanently(&world, world.leo, session).await;
    }

    assert_gone(&mut world, &CONVERSATIONS, &STAYS).await;
    assert_checked(&world, world.leo).await;
}

#[tokio::test]
async fn nothing_is_left_of_deleted_conversations_whose_assistants_were_removed() {
    let mut world = family(&[ADA]).await;
    for name in [KITCHEN, CHAT] {
        let name = name.to_owned();
        run(&world, RevokeAssistant { name }).await;
    }
    for session in [world.spoken, world.chatted] {
        delete_permanently(&world, world.reviewed.mia, session).await;
    }

    assert_gone(&mut world, &CONVERSATIONS, &STAYS).await;
    assert_checked(&world, world.reviewed.mia).await;
}

#[tokio::test]
async fn nothing_is_left_of_conversations_that_are_older_than_the_guardians_keep_them() {
    let mut world = family(&[ADA]).await;
    let ada = world.ada().await;
    for session in &world.others {
        let path = format!("/api/sessions/{session}/kept");
        ada.put(&path, &json!({"kept": true})).await.ok();
    }
    let path = format!("/api/child/{}/retention", world.reviewed.mia);
    ada.put(&path, &json!({"days": 30})).await.ok();

    for days in [7, 30, 7] {
        pass(&world, days * DAY).await;
    }

    assert_gone(&mut world, &CONVERSATIONS, &STAYS).await;
    assert_checked(&world, world.reviewed.mia).await;
}

/// The e-mail about a deleted child says that nothing was found.
async fn assert_receipt(world: &Everywhere) {
    let emails = world.app().take_emails().await;
    let receipts = emails.iter().filter(|email| {
        email
            .text
            .contains("no longer in any of Porchlight's data files")
    });
    assert!(receipts.count() > 0, "the guardians are told");
}

const OF_MIA: [&str; 5] = [SPOKEN, CHATTED, REPEATED, OTHER, OWN];

#[tokio::test]
async fn nothing_is_left_of_a_child_that_its_guardians_agreed_to_delete() {
    let mut world = family(&[ADA, BEN]).await;
    let mia = world.reviewed.mia;
    ask_to_delete(&world.ada().await, mia, "Mia").await.ok();
    let ben = world.reviewed.of(BEN).await;
    confirm(&ben, mia, "deletion").await.ok();

    pass(&world, DAY).await;

    assert_gone(&mut world, &OF_MIA, &[ELSEWHERE]).await;
    assert_receipt(&world).await;
}

#[tokio::test]
async fn nothing_is_left_of_a_child_that_the_administrator_removed() {
    let mut world = family(&[ADA]).await;
    let (child, name) = (world.reviewed.mia, "Mia".to_owned());
    run(&world, RemoveChild { child, name }).await;

    assert_gone(&mut world, &OF_MIA, &[ELSEWHERE]).await;
    assert_receipt(&world).await;
}
