//! Finds a child's questions while its messages are read backwards.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use super::choosing::Candidate;
use super::question::{keys, question};
use crate::children::SessionId;
use crate::conversations::transcripts::{Message, Names, Session, Speaker, Visit, Visitor};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words::{fold, trim};
use crate::kernel::store::StoreError;

/// A subject returns only after this time: four weeks after the week in which it was shown.
const AGAIN: Duration = Duration::from_secs(35 * 24 * 60 * 60);

/// What a child has not talked about for this time is new.
const NEW: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The maximum number of questions among which the best are chosen.
const MAX_CANDIDATES: usize = 1000;

/// The maximum number of different words that are counted in one session.
const MAX_WORDS: usize = 20_000;

/// In bytes. A longer message is no conversation.
const LONGEST_READ: usize = 4096;

const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What was found, from the newest message back.
pub struct Found {
    /// The child's name, folded.
    name: String,
    asked: Range<Timestamp>,
    candidates: Vec<Candidate>,
    /// In how many messages of the current session a word occurs.
    session: Option<SessionId>,
    words: HashMap<String, u64>,
    /// The subjects of candidates that occur in earlier weeks.
    known: HashSet<String>,
    /// The subjects of questions in the weeks before.
    pub asked_before: HashSet<String>,
}

impl Found {
    pub fn new(name: &str, asked: Range<Timestamp>) -> Self {
        Self {
            name: fold(trim(name)),
            asked,
            candidates: Vec::new(),
            session: None,
            words: HashMap::new(),
            known: HashSet::new(),
            asked_before: HashSet::new(),
        }
    }

    fn oldest(&self) -> Timestamp {
        self.asked.start.before(NEW)
    }

    /// Whether all conversations of the weeks before this one were read, so that the questions asked then are known.
    pub fn knows_asked_before(&self, begun: Timestamp) -> bool {
        begun < self.asked.start.before(AGAIN).before(A_DAY)
    }

    fn is_childs(&self, message: &Message) -> bool {
        message.is_said() && message.said_by(Names::Child(&self.name)) == Speaker::Child
    }

    fn record(&mut self, message: Message, session: SessionId, topic: Option<&str>) {
        let text = message.text_content.as_deref().unwrap_or_default();
        if text.len() > LONGEST_READ || !self.is_childs(&message) {
            return;
        }
        if message.timestamp < self.asked.start {
            self.record_earlier(text, message.timestamp);
            return;
        }
        if self.session.replace(session) != Some(session) {
            self.words.clear();
        }
        let is_asked = message.timestamp < self.asked.end;
        if let Some(question) =
            question(text).filter(|_| is_asked && self.candidates.len() < MAX_CANDIDATES)
        {
            let units = |end: usize| text[..end].encode_utf16().count();
            let ranges = vec![[units(question.range.start), units(question.range.end)]];
            self.candidates.push(Candidate {
                session,
                message_id: message.message_id.clone(),
                at: message.timestamp,
                topic: topic.map(str::to_owned),
                stayed: self.words.get(&question.key).copied().unwrap_or_default(),
                question,
                ranges,
                is_new: true,
                is_hidden: false,
            });
        }
        for key in keys(text) {
            if self.words.len() < MAX_WORDS {
                *self.words.entry(key).or_default() += 1;
            }
        }
    }

    fn record_earlier(&mut self, text: &str, at: Timestamp) {
        let is_recent = at >= self.asked.start.before(AGAIN);
        if let Some(question) = question(text).filter(|_| is_recent) {
            self.asked_before.insert(question.key);
        }
        let keys = keys(text);
        let candidates = self
            .candidates
            .iter()
            .map(|candidate| &candidate.question.key);
        self.known
            .extend(candidates.filter(|key| keys.contains(*key)).cloned());
    }

    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + use<'_> {
        self.candidates.iter().cloned().map(|candidate| Candidate {
            is_new: !self.known.contains(&candidate.question.key),
            ..candidate
        })
    }
}

impl Visitor for Found {
    fn visit(
        &mut self,
        message: Message,
        session: &Session,
        _: bool,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<Visit, StoreError> {
        if session.not_child || message.timestamp < self.oldest() {
            return Ok(Visit::SkipSession);
        }
        self.record(message, session.session_id, session.topic.as_deref());
        Ok(Visit::Next)
    }

    fn is_complete_at(&self, began: Timestamp) -> bool {
        let oldest = if self.candidates.is_empty() {
            self.asked.start
        } else {
            self.oldest()
        };
        // A conversation can last a day.
        began < oldest.before(A_DAY)
    }
}
