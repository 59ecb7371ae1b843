//! What a request's history changes in its session.

use super::alignment::{Alignment, answered_part};
use super::background::is_programs_own;
use super::choice::is_longer_form;
use super::entry::{Entry, Kept, Pending, State};
use super::history::{Item, Kind, is_beginning};
use super::message::{Message, MessageId, Place};
use super::session::{Counters, Session, next};
use crate::kernel::clock::Timestamp;

/// The words that a request asks about.
pub struct Asked {
    /// The entry after which the answer belongs; `None` at the start of the session.
    pub after: Option<u64>,
    /// The message that the answer replaces.
    pub replaces: Option<Kept>,
    /// Whether the words are those of an earlier request, or a longer form of them.
    pub is_repeated: bool,
    /// Whether answers to the earlier request no longer count.
    pub is_superseding: bool,
}

pub struct Update<'a> {
    pub session: &'a mut Session,
    pub counters: &'a mut Counters,
    pub history: &'a [Item],
    pub now: Timestamp,
    pub messages: Vec<Message>,
    pub confirmed: Vec<MessageId>,
}

impl Update<'_> {
    /// Compares the answers with what was heard of them.
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
    /// around them instead.
    pub fn settle_pending(&mut self, alignment: &Alignment) {
        let Some((last_item, last_entry)) = alignment.last() else {
            return;
        };
        let answered = answered_part(self.history);
        let has_new_words = self.history.len() > answered.max(last_item + 1);
        if !has_new_words {
            return;
        }
        let first_entry = alignment.pairs()[0].1;
        let mut follower_is_matched = false;
        for index in (0..last_entry + 1).rev() {
            let is_matched = alignment.has_entry(index);
            if self.session.entries[index].pending.is_none() {
                follower_is_matched = is_matched;
            } else if is_matched {
                let place = self.session.place();
                self.messages
                    .extend(confirm_pending(&mut self.session.entries[index], place));
            } else if first_entry < index || follower_is_matched {
                self.session.entries.remove(index);
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

    /// Adds what a new session's first request already has behind it. Greetings are part of the conversation; longer histories
    /// are examples for the model, or of another day.
    pub fn add_older(&mut self) {
        let older = &self.history[..answered_part(self.history)];
        let is_greeting = older.iter().all(|item| item.kind == Kind::Assistant);
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

    /// Adds the new words.
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
                let repeated = self.history.len().checked_sub(1);
                let repeated = repeated.and_then(|last| alignment.entry_of(last));
                let repeated =
                    repeated.filter(|index| self.session.entries[*index].kind == Kind::User);
                match repeated {
                    Some(index) if !ends_with_instruction => self.repeat(index, is_retry),
                    _ => Asked {
                        after: self.session.entries.last().map(|entry| entry.number),
                        replaces: None,
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
        let mut after = None;
        for (index, item) in words.iter().enumerate() {
            let mut entry = self.entry(item);
            entry.kept = Some(self.counters.kept(self.now, false));
            if index + 1 < words.len() {
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
            replaces: None,
            is_repeated: false,
            is_superseding: false,
        }
    }

    /// The same last words again.
    fn repeat(&mut self, index: usize, is_retry: bool) -> Asked {
        let end = self.session.end_of_answers(index);
        let answers = &self.session.entries[index + 1..end];
        let last = answers.iter().rfind(|entry| entry.kind == Kind::Assistant);
        let replaces = last.and_then(|entry| entry.kept.clone());
        let is_answered = replaces.is_some();
        let place = self.session.place();
        let entry = &mut self.session.entries[index];
        // They were among several, and now they are asked about by themselves.
        self.messages.extend(confirm_pending(entry, place));
        if !is_answered {
            entry.state = State::Asked;
        }
        Asked {
            after: Some(entry.number),
            replaces: replaces.filter(|_| is_retry),
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

    /// Replaces words by their longer form. What was answered to the shorter one was not said; the next answer replaces it.
    fn lengthen(&mut self, index: usize, item: &Item) -> Asked {
        let place = self.session.place();
        let answers = self.session.entries.drain(index + 1..);
        let replaces = answers.filter_map(|entry| entry.kept).next();
        let entry = &mut self.session.entries[index];
        entry.compared.clone_from(&item.compared);
        entry.state = State::Asked;
        entry.pending = None;
        if let Some(kept) = &mut entry.kept {
            kept.revision += 1;
        }
        self.messages.extend(entry.message(place, item, false));
        Asked {
            after: Some(entry.number),
            replaces,
            is_repeated: true,
            is_superseding: true,
        }
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

/// Makes pending words the child's. Returns their message.
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
