//! Tries by child and number; their answers; each guardian's verdicts on them, and the tries that each guardian has hidden.
//! Nothing of a try is in another feature's table.

use std::collections::BTreeSet;

use crate::children::{self, ChildId, SessionId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, Record, RecordKind, StoreError, Table, Trigger,
};

use super::record::{Answered, Hidden, Try, TryId, Verdict};

/// By child and try, the newest first.
const TRY: Table = Table::new("try");
/// By child, try and the answer's number.
const ANSWER: Table = Table::new("try-answer");
/// By child, guardian, try and the answer's number.
const VERDICT: Table = Table::new("try-verdict");
/// By child, guardian and try.
const HIDDEN: Table = Table::new("try-hidden");

impl Record for Try {}
impl Record for Answered {}
impl Record for Verdict {}
impl Record for Hidden {}

pub const KINDS: [RecordKind; 4] = [
    RecordKind::of::<Try>(TRY),
    RecordKind::of::<Answered>(ANSWER),
    RecordKind::of::<Verdict>(VERDICT),
    RecordKind::of::<Hidden>(HIDDEN),
];

/// What all guardians of a child see.
pub const SHARED: [Table; 2] = [TRY, ANSWER];

/// A former guardian's verdicts go with their access. Another guardian's stay.
pub const TRIGGERS: [Trigger; 1] = [Trigger {
    table: children::GUARDIANS,
    run: |change, keys| {
        for (child, guardian) in children::former_guardians_in(change, keys)? {
            for table in [VERDICT, HIDDEN] {
                let own = of_guardian(table, child, &guardian);
                while change.remove_some_below(&own)? > 0 {}
            }
        }
        Ok(())
    },
}];

fn tries_of(child: ChildId) -> Key {
    TRY.key().number(child.number())
}

fn try_key(child: ChildId, id: TryId) -> Key {
    tries_of(child).descending_number(id.number())
}

fn answers_of(child: ChildId, id: TryId) -> Key {
    ANSWER.key().number(child.number()).number(id.number())
}

fn of_guardian(table: Table, child: ChildId, guardian: &GuardianId) -> Key {
    let key = table.key().number(child.number());
    key.text(guardian.as_str())
}

fn verdicts_of(child: ChildId, guardian: &GuardianId, id: TryId) -> Key {
    of_guardian(VERDICT, child, guardian).number(id.number())
}

fn hidden_key(child: ChildId, guardian: &GuardianId, id: TryId) -> Key {
    of_guardian(HIDDEN, child, guardian).number(id.number())
}

pub fn next_id(change: &mut Change) -> Result<TryId, StoreError> {
    Ok(TryId::new(change.next_number("try")?))
}

pub fn put(change: &mut Change, child: ChildId, one: &Try) -> Result<(), StoreError> {
    change.put(&try_key(child, one.id), one)
}

pub fn find(view: &impl Read, child: ChildId, id: TryId) -> Result<Option<Try>, StoreError> {
    view.get(&try_key(child, id))
}

/// A page of a child's tries, the newest first.
pub fn page(
    view: &impl Read,
    child: ChildId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Try>(&tries_of(child), after, limit)
}

/// The readable tries of a child, the newest first.
pub fn all(view: &impl Read, child: ChildId) -> Result<Vec<Try>, StoreError> {
    Ok(view.list_readable(&tries_of(child))?.0)
}

/// The assistants of a child whose models were asked in a try. Fails if a try is unreadable.
pub fn tried_assistants(
    view: &impl Read,
    child: ChildId,
) -> Result<BTreeSet<AssistantId>, StoreError> {
    let tries = view.list::<Try>(&tries_of(child))?.into_iter();
    Ok(tries.map(|one| one.assistant).collect())
}

/// All tries: the child and the number of each.
pub fn all_keys(view: &impl Read) -> Result<Vec<(ChildId, TryId)>, StoreError> {
    let table = TRY.key();
    let keys = view.keys_below(&table, usize::MAX)?;
    let tries = keys.iter().filter_map(|key| {
        let mut components = key.components_below(&table);
        let child = ChildId::new(components.number()?);
        Some((child, TryId::new(components.descending_number()?)))
    });
    Ok(tries.collect())
}

/// A try, if it is readable.
pub fn find_readable(
    view: &impl Read,
    child: ChildId,
    id: TryId,
) -> Result<Option<Try>, StoreError> {
    view.get_readable(&try_key(child, id))
}

pub fn put_answer(
    change: &mut Change,
    child: ChildId,
    id: TryId,
    answered: &Answered,
) -> Result<(), StoreError> {
    let key = answers_of(child, id).number(u64::from(answered.n));
    change.put(&key, answered)
}

/// The readable answers, and the number of unreadable ones.
pub fn answers(
    view: &impl Read,
    child: ChildId,
    id: TryId,
) -> Result<(Vec<Answered>, u64), StoreError> {
    let page = view.whole_page::<Answered>(&answers_of(child, id))?;
    let answers = page.rows.iter().map(|row| row.record());
    Ok((answers.collect::<Result<_, _>>()?, page.unreadable))
}

pub fn has_answers(view: &impl Read, child: ChildId, id: TryId) -> Result<bool, StoreError> {
    Ok(!view.keys_below(&answers_of(child, id), 1)?.is_empty())
}

pub fn has_answer(view: &impl Read, child: ChildId, id: TryId, n: u32) -> Result<bool, StoreError> {
    view.contains(&answers_of(child, id).number(u64::from(n)))
}

/// `None` removes it.
pub fn put_verdict(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
    id: TryId,
    n: u32,
    verdict: Option<Verdict>,
) -> Result<(), StoreError> {
    let key = verdicts_of(child, guardian, id).number(u64::from(n));
    match verdict {
        Some(verdict) => change.put(&key, &verdict),
        None => change.remove(&key).map(drop),
    }
}

/// A guardian's readable verdicts, each with the answer's number.
pub fn verdicts(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
    id: TryId,
) -> Result<Vec<(u32, bool)>, StoreError> {
    let own = verdicts_of(child, guardian, id);
    let mut verdicts = Vec::new();
    for key in view.keys_below(&own, usize::MAX)? {
        let number = key.components_below(&own).number();
        let verdict = view.get_readable::<Verdict>(&key)?;
        if let (Some(n), Some(Verdict { ok })) = (number, verdict) {
            verdicts.extend(u32::try_from(n).map(|n| (n, ok)));
        }
    }
    Ok(verdicts)
}

pub fn hide(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
    id: TryId,
) -> Result<(), StoreError> {
    change.put(&hidden_key(child, guardian, id), &Hidden {})
}

pub fn is_hidden(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
    id: TryId,
) -> Result<bool, StoreError> {
    view.contains(&hidden_key(child, guardian, id))
}

pub fn remove_answers(change: &mut Change, child: ChildId, id: TryId) -> Result<(), StoreError> {
    while change.remove_some_below(&answers_of(child, id))? > 0 {}
    Ok(())
}

/// Removes a try with its answers and what guardians said of them.
pub fn remove(change: &mut Change, child: ChildId, id: TryId) -> Result<(), StoreError> {
    remove_answers(change, child, id)?;
    for table in [VERDICT, HIDDEN] {
        let all = table.key().number(child.number());
        for key in change.keys_below(&all, usize::MAX)? {
            let mut components = key.components_below(&all);
            if components.text().is_some() && components.number() == Some(id.number()) {
                change.remove(&key)?;
            }
        }
    }
    change.remove(&try_key(child, id)).map(drop)
}

/// How many tries of a day a guardian can start, if all but the last get no answer.
const MOST_A_DAY: usize = 3;

/// When the newest try of a guardian began that got an answer or may still get one, or that was one of too many on its day.
pub fn last_of(tries: &[Try], by: &GuardianId) -> Option<Timestamp> {
    let own = tries.iter().filter(|one| one.by.as_ref() == Some(by));
    let newest = own.clone().next()?;
    let same_day = own
        .clone()
        .filter(|one| one.at.utc_day() == newest.at.utc_day());
    if same_day.count() >= MOST_A_DAY {
        return Some(newest.at);
    }
    let mut counted = own.filter(|one| !one.state.is_over() || one.has_answers());
    counted.next().map(|one| one.at)
}

/// Erases the answers of the tries with what an app sent in this session. Returns whether there were any.
pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    let mut were_any = false;
    for one in all(change, child)? {
        if one.app_session == Some(session) && has_answers(change, child, one.id)? {
            remove_answers(change, child, one.id)?;
            were_any = true;
        }
    }
    Ok(were_any)
}

/// Erases a batch of a removed child's rows. Returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for table in [ANSWER, VERDICT, HIDDEN, TRY] {
        if change.remove_some_below(&table.key().number(child.number()))? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
