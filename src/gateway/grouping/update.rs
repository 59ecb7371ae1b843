//! Applies a request's history to its session.

use super::alignment::{Alignment, answered_part, weight};
use super::background::is_programs_own;
use super::choice::is_longer_form;
use super::entry::{Entry, Pending, State};
use super::history::{Item, Kind, is_beginning};
use super::message::{Message, MessageId, Place};
use super::session::{Counters, Session, next};
use crate::kernel::clock::Timestamp;

/// The words that a request asks about.
pub struct Asked {
    /// The entry after which the answer belongs; `None` at the start of the session.
    pub after: Option<u64>,
    /// Whether the words are those of an earlier request, or a longer form of them.
    pub is_repeated: bool,
    /// Whether answers to the earlier request no longer count.
    pub is_superseding: bool,
}

pub struct Update<'a> {
    pub session: &'a mut Session,
    pub others: &'a [Session],
    pub counters: &'a mut Counters,
    pub adds_words: &'a mut bool,
    pub history: &'a [Item],
    pub now: Timestamp,
    pub messages: Vec<Message>,
    pub confirmed: Vec<MessageId>,
}

impl Update<'_> {
    /// Compares the answers with the part that the child heard.
    pub fn confirm(&mut self, alignment: &Alignment) {
        for (item, index) in alignment.pairs() {
            let item = &self.history[*item];
            let entry = &mut self.session.entries[*index];
            let Some(kept) = &mut entry.kept else {
                continue;
            };
            if item.kind != Kind::Assistant {
                continue;
            }
            let was_generated = std::mem::take(&mut kept.generated);
            if is_beginning(&item.compared, &entry.compared) {
                kept.revision += 1;
                entry.compared.clone_from(&item.compared);
                let place = self.session.place();
                let entry = &self.session.entries[*index];
                self.messages.extend(entry.message(place, item, true));
            } else if was_generated {
                self.confirmed.push(kept.id);
            }
        }
    }

    /// Decides about words that were pending: they are the child's if the history has them, and a program's if it has the words
    /// around them instead. If the history was trimmed before them, they stay pending, unless the client is known to add words.
    pub fn settle_pending(&mut self, alignment: &Alignment) {
        let Some((last_item, last_entry)) = alignment.last() else {
            return;
        };
        if self.history.len() <= answered_part(self.history).max(last_item + 1) {
            return;
        }
        for index in (0..=last_entry).rev() {
            let entries = &mut self.session.entries;
            if entries[index].pending.is_none() {
                continue;
            }
            if alignment.has_entry(index) {
                let place = self.session.place();
                let words = confirm_pending(&mut self.session.entries[index], place);
                self.messages.extend(words);
                continue;
            }
            let is_known = |entry: &Entry| entry.pending.is_none() && !entry.is_older;
            let before = entries[..index].iter().rposition(is_known);
            let after = entries[index..].iter().position(is_known);
            let after = after.map(|after| index + after);
            let is_contradicted = before
                .or(after)
                .is_some_and(|other| alignment.has_entry(other));
            *self.adds_words |= is_contradicted;
            if *self.adds_words {
                entries.remove(index);
            }
        }
    }

    /// Adds assistant texts of the history that we never sent, such as a greeting.
    pub fn add_unsent(&mut self, mut alignment: Alignment) {
        let Some(&(first, _)) = alignment.pairs().first() else {
            return;
        };
        for item in first + 1..self.history.len() {
            let text = &self.history[item];
            if text.kind != Kind::Assistant || alignment.entry_of(item).is_some() {
                continue;
            }
            let (before, after) = alignment.neighbours(item, self.session.entries.len());
            let entries = &self.session.entries;
            let gap = &entries[before + 1..after];
            let is_known = entries
                .iter()
                .any(|entry| entry.kind == Kind::Assistant && entry.compared == text.compared);
            // An error message, or another text in the place of the answer.
            let is_replacement = entries[before].state.is_incomplete()
                || gap
                    .iter()
                    .any(|entry| entry.state.is_incomplete() || entry.kind == Kind::Assistant);
            if is_known || is_replacement {
                continue;
            }
            let entry = self.unsent(text);
            self.session.entries.insert(after, entry);
            alignment.insert(item, after);
        }
    }

    /// Adds the history in a new session's first request. A greeting is part of the conversation. Longer histories are examples
    /// for the model, or from another day, and answers that we sent in another session are no greetings.
    pub fn add_older(&mut self) {
        let older = &self.history[..answered_part(self.history)];
        let is_greeting = older.iter().all(|item| item.kind == Kind::Assistant)
            && !older.iter().any(|item| self.is_elsewhere(item));
        for item in older {
            let mut entry = if is_greeting {
                self.unsent(item)
            } else {
                self.entry(item)
            };
            entry.is_older = true;
            self.session.entries.push(entry);
        }
    }

    /// Adds calls of tools and their results, for later comparisons.
    pub fn add_tools(&mut self, alignment: &Alignment) {
        let Some((last, _)) = alignment.last() else {
            return;
        };
        let end = answered_part(self.history).max(last + 1);
        for item in &self.history[last + 1..end] {
            if matches!(item.kind, Kind::ToolCall | Kind::ToolResult) {
                let entry = self.entry(item);
                self.session.entries.push(entry);
            }
        }
    }

    pub fn add_words(
        &mut self,
        alignment: &Alignment,
        ends_with_instruction: bool,
        is_retry: bool,
    ) -> Asked {
        let known = alignment.last().map_or(0, |(item, _)| item + 1);
        let start = known.max(answered_part(self.history));
        let new = &self.history[start..];
        let new = new.iter().filter(|item| !is_no_words(item));
        let new = new.collect::<Vec<_>>();
        match new.as_slice() {
            [] => {
                let last = self.history.last().filter(|_| !ends_with_instruction);
                let repeated = last.and_then(|_| alignment.entry_of(self.history.len() - 1));
                let repeated =
                    repeated.filter(|index| self.session.entries[*index].kind == Kind::User);
                match (last, repeated) {
                    // Words of an older history were never stored.
                    (Some(words), Some(index)) if self.session.entries[index].kept.is_none() => {
                        self.ask(&[words])
                    }
                    (Some(_), Some(index)) => self.repeat(index, is_retry),
                    _ => Asked {
                        after: self.session.entries.last().map(|entry| entry.number),
                        is_repeated: false,
                        is_superseding: false,
                    },
                }
            }
            [only] => match self.shorter_form(only, alignment) {
                Some(index) => self.lengthen(index, only),
                None => self.ask(&new),
            },
            _ => self.ask(&new),
        }
    }

    fn ask(&mut self, words: &[&Item]) -> Asked {
        let place = self.session.place();
        // If we grouped wrongly before, the words before the last can be in another session already.
        let is_new = self.session.words().next().is_none();
        let mut after = None;
        for (index, item) in words.iter().enumerate() {
            let mut entry = self.entry(item);
            let is_last = index + 1 == words.len();
            if !is_last && is_new && self.is_elsewhere(item) {
                entry.is_older = true;
                self.session.entries.push(entry);
                continue;
            }
            entry.kept = Some(self.counters.kept(self.now, false));
            if !is_last {
                entry.pending = Some(Pending {
                    text: item.text.clone(),
                    voice: item.voice.clone(),
                });
            } else {
                entry.state = State::Asked;
                self.messages.extend(entry.message(place, item, false));
                after = Some(entry.number);
            }
            self.session.entries.push(entry);
        }
        Asked {
            after,
            is_repeated: false,
            is_superseding: false,
        }
    }

    /// The same last words again.
    fn repeat(&mut self, index: usize, is_retry: bool) -> Asked {
        let end = self.session.end_of_answers(index);
        let answers = &self.session.entries[index + 1..end];
        let last = answers.iter().rfind(|entry| entry.kind == Kind::Assistant);
        let last = last.and_then(|entry| entry.kept.clone());
        let place = self.session.place();
        let entry = &mut self.session.entries[index];
        // Words that ended an earlier request together with others, and now stand alone, are the child's.
        self.messages.extend(confirm_pending(entry, place));
        if last.is_none() {
            entry.state = State::Asked;
        } else if is_retry {
            entry.discarded = last;
        }
        Asked {
            after: Some(entry.number),
            is_repeated: true,
            is_superseding: false,
        }
    }

    /// The index of the words of which these are a longer form.
    fn shorter_form(&self, item: &Item, alignment: &Alignment) -> Option<usize> {
        let entries = &self.session.entries;
        let after = match alignment.last() {
            Some((_, entry)) => entry + 1,
            None if self.history.len() == 1 => entries.iter().rposition(Entry::is_user)?,
            None => return None,
        };
        let mut words = (after..entries.len()).filter(|index| entries[*index].kind == Kind::User);
        let only = words.next().filter(|_| words.next().is_none())?;
        is_longer_form(item, &entries[only], self.now).then_some(only)
    }

    /// Replaces words by their longer form. The answer to the shorter form was not spoken; the next answer replaces it.
    fn lengthen(&mut self, index: usize, item: &Item) -> Asked {
        let place = self.session.place();
        let answers = self.session.entries.drain(index + 1..);
        let unheard = answers.filter_map(|entry| entry.kept).next();
        let entry = &mut self.session.entries[index];
        entry.compared.clone_from(&item.compared);
        entry.state = State::Asked;
        entry.pending = None;
        entry.discarded = unheard.or(entry.discarded.take());
        if let Some(kept) = &mut entry.kept {
            kept.revision += 1;
        }
        self.messages.extend(entry.message(place, item, false));
        Asked {
            after: Some(entry.number),
            is_repeated: true,
            is_superseding: true,
        }
    }

    /// Whether another session has a message with this text.
    fn is_elsewhere(&self, item: &Item) -> bool {
        let entries = self.others.iter().flat_map(|other| &other.entries);
        let mut messages =
            entries.filter(|it| it.kept.is_some() && it.pending.is_none() && !it.is_older);
        messages.any(|entry| weight(item, entry) > 0)
    }

    fn entry(&mut self, item: &Item) -> Entry {
        Entry::new(next(&mut self.counters.entries), item)
    }

    /// An assistant text that we never sent, with its message.
    fn unsent(&mut self, item: &Item) -> Entry {
        let mut entry = self.entry(item);
        entry.kept = Some(self.counters.kept(self.now, false));
        let place = self.session.place();
        self.messages.extend(entry.message(place, item, false));
        entry
    }
}

/// Confirms that pending words are the child's. Returns their message.
pub fn confirm_pending(entry: &mut Entry, place: Place) -> Option<Message> {
    let pending = entry.pending.take()?;
    let item = Item {
        kind: Kind::User,
        compared: String::new(),
        text: pending.text,
        voice: pending.voice,
    };
    entry.message(place, &item, false)
}

fn is_no_words(item: &Item) -> bool {
    item.text.trim().is_empty() || is_programs_own(&item.text)
}
