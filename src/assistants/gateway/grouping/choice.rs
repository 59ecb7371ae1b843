//! Which recent session a request belongs to.

use std::time::Duration;

use super::alignment::{Alignment, Matcher, align, words_start};
use super::entry::{Entry, State};
use super::history::Item;
use super::kind::Kind;
use super::request::Request;
use super::session::Session;
use super::stored_text_lookup::StoredTextLookup;
use super::text_hash::TextKey;
use crate::kernel::host::clock::Timestamp;

/// Words that were recognised a moment too early are followed by their longer form within this time.
pub const INTERIM: Duration = Duration::from_secs(3);

/// A first turn is repeated within this time.
const REPEAT: Duration = Duration::from_secs(120);

/// A client is assumed to have no memory after this many requests without a history and none with one.
const FIRST_TURNS_WITHOUT_MEMORY: u64 = 3;

/// What earlier requests show about a client.
#[derive(Clone, Copy)]
pub struct ClientHabits {
    pub sends_history: bool,
    /// How many answered requests had no history.
    pub first_turns: u64,
}

pub struct Choice {
    /// The session's index.
    pub session: usize,
    pub alignment: Alignment,
}

/// Returns `None` for a new session. The sessions are ordered by when they were last seen.
pub fn choose(
    sessions: &[Session],
    request: &Request,
    habits: ClientHabits,
    stored: &dyn StoredTextLookup,
    now: Timestamp,
) -> Option<Choice> {
    let history = &request.history;
    if request.session.is_some() {
        let session = sessions
            .iter()
            .rposition(|session| session.id == request.session)?;
        let matcher = Matcher::new(stored, sessions[session].place());
        let alignment = align(history, &sessions[session].entries, &matcher);
        return Some(Choice { session, alignment });
    }
    let candidates = sessions.iter().enumerate().filter(|(_, session)| {
        session.id.is_none() && !session.separators.differ(&request.separators)
    });
    let best = candidates.clone().filter_map(|(index, session)| {
        let matcher = Matcher::new(stored, session.place());
        let alignment = align(history, &session.entries, &matcher);
        let evidence = Evidence::new(request, session, &alignment, &matcher, now)?;
        Some((evidence, index, alignment))
    });
    if let Some((_, session, alignment)) =
        best.max_by_key(|(evidence, index, _)| (*evidence, *index))
    {
        return Some(Choice { session, alignment });
    }
    let last = sessions.len().checked_sub(1)?;
    if let [only] = history.as_slice()
        && only.kind == Kind::User
        && candidates.clone().any(|(index, _)| index == last)
        && continues_without_history(&sessions[last], only, habits, &request.key, now)
    {
        return Some(Choice {
            session: last,
            alignment: Alignment::default(),
        });
    }
    let [only] = history.as_slice() else {
        return None;
    };
    let grown = candidates.rev().find(|(_, session)| {
        let mut words = session.words();
        let first = words.next().filter(|_| words.next().is_none());
        first.is_some_and(|first| is_longer_form(only, first, &request.key, now))
    });
    grown.map(|(session, _)| Choice {
        session,
        alignment: Alignment::default(),
    })
}

/// Whether the item's words are a longer form of those in the entry, because the child was still speaking.
pub fn is_longer_form(item: &Item, entry: &Entry, key: &TextKey, now: Timestamp) -> bool {
    let asked = entry.stored.as_ref().map(|stored| stored.at);
    let beginning = item.compared.get(..entry.length);
    item.kind == Kind::User
        && entry.kind == Kind::User
        && item.compared.len() > entry.length
        && beginning.is_some_and(|it| !it.is_empty() && key.of_item(Kind::User, it) == entry.hash)
        && asked.is_some_and(|asked| now.since(asked) <= INTERIM)
}

/// Whether words without any history belong to the session that was last seen.
fn continues_without_history(
    session: &Session,
    only: &Item,
    habits: ClientHabits,
    key: &TextKey,
    now: Timestamp,
) -> bool {
    if !session.has_only_first_turns {
        return false;
    }
    let last = session.words().next_back();
    let repeats_failed = |last: &Entry| last.state == State::Failed && last.hash == only.hash;
    let is_correction =
        last.is_some_and(|last| is_longer_form(only, last, key, now) || repeats_failed(last));
    let has_no_memory = !habits.sends_history && habits.first_turns >= FIRST_TURNS_WITHOUT_MEMORY;
    if has_no_memory && !is_correction {
        return true;
    }
    // After an interruption, some clients leave the whole turn out of the history.
    session.words().count() == 1
        && session.has_answer_cut_by_client()
        && now.since(session.seen) < REPEAT
        && last.is_some_and(|last| last.hash != only.hash)
}

/// The score of a session for a request: the weight of the matches minus penalties. The session with the highest score is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Evidence {
    score: i64,
    weight: i64,
}

/// In twentieths of a unit of weight.
const UNIT: i64 = 20;
/// The penalty for words between matches that only one side has.
const GAP: i64 = 2 * UNIT;
/// The penalty for words of the session after the last match.
const UNMATCHED_TAIL: i64 = 3 * UNIT / 2;
/// The same if the request has these words too, without an answer.
const REPEATED_TAIL: i64 = 21;

impl Evidence {
    /// `None` if the request doesn't belong to the session.
    fn new(
        request: &Request,
        session: &Session,
        alignment: &Alignment,
        matcher: &Matcher<'_>,
        now: Timestamp,
    ) -> Option<Self> {
        let (history, entries) = (&request.history, &session.entries);
        let answered = words_start(history);
        let own = alignment.pairs().iter().copied();
        let own = own.filter(|(_, entry)| !entries[*entry].is_older);
        let own = own.collect::<Vec<_>>();
        let mut pairs = own.clone();
        if pairs.iter().any(|(item, _)| *item < answered) {
            pairs.retain(|(item, _)| *item < answered);
        }
        let (first, last) = (*pairs.first()?, *pairs.last()?);

        let is_retry = request.is_retry
            || entries[last.1 + 1..]
                .iter()
                .any(|entry| entry.state.is_incomplete());
        let tail = entries.iter().enumerate().skip(last.1 + 1);
        let tail = tail.filter(|(_, entry)| entry.is_user());
        let tail = tail.map(|(index, entry)| {
            let is_repeated = own.iter().any(|(_, entry)| *entry == index);
            let grown = history
                .last()
                .filter(|item| is_longer_form(item, entry, &request.key, now));
            if grown.is_some() || is_repeated && is_retry {
                0
            } else if is_repeated {
                REPEATED_TAIL
            } else {
                UNMATCHED_TAIL
            }
        });
        let tail = tail.sum::<i64>();

        let has_answer = pairs
            .iter()
            .any(|(item, _)| matches!(history[*item].kind, Kind::Assistant | Kind::ToolCall));
        if !has_answer && has_one_turn(history, session, alignment) {
            // A request that has only the words of a completely answered turn begins a new conversation.
            let is_repeat = answered > 0 || request.is_retry || session.is_unanswered();
            let is_first = session.has_only_first_turns || session.words().count() == 1;
            let is_last = !entries[last.1 + 1..].iter().any(Entry::is_user);
            let is_recent = now.since(session.seen) < REPEAT;
            if !(is_repeat && is_first && is_last && is_recent) {
                return None;
            }
        } else if !has_answer {
            let mut words = (0..history.len()).rev();
            let mut words = words
                .by_ref()
                .filter(|item| history[*item].kind == Kind::User);
            let newest = words.next();
            let needed = words.next().or(newest)?;
            if tail > 0 || last.0 < needed {
                return None;
            }
        }

        let missing_in_history = (first.1..last.1).filter(|index| {
            let entry = &entries[*index];
            entry.is_user() && entry.state == State::Done && !alignment.has_entry(*index)
        });
        let missing_in_session = (first.0 + 1..last.0).filter(|item| {
            history[*item].kind == Kind::User && alignment.entry_of(*item).is_none()
        });
        let gaps = missing_in_history.count() + missing_in_session.count();
        let weights = pairs
            .iter()
            .map(|(item, entry)| matcher.weight(&history[*item], &entries[*entry]));
        let weight = UNIT * i64::from(weights.sum::<u32>());
        let score = weight - GAP * i64::try_from(gaps).unwrap_or(i64::MAX / GAP) - tail;
        (score > 0).then_some(Self { score, weight })
    }
}

/// Whether the child said something once, apart from what the client always sends.
fn has_one_turn(history: &[Item], session: &Session, alignment: &Alignment) -> bool {
    let is_older = |item| {
        let entry = alignment.entry_of(item);
        entry.is_some_and(|entry| session.entries[entry].is_older)
    };
    let words = (0..history.len()).filter(|item| history[*item].kind == Kind::User);
    words.filter(|item| !is_older(*item)).count() == 1
}
