//! A worker's writes, and a model of the state that they produce.

use std::collections::BTreeMap;

use porchlight::kernel::host::clock::Timestamp;
use serde_json::Value;

/// The child whose blocked topics all workers edit.
pub const SHARED: &str = "Everybody";

/// The first session's start, in microseconds: 2020-01-01T00:00:00Z. All messages are old, so that sessions end at once.
pub const START: i64 = 1_577_836_800_000_000;

pub const SECOND: i64 = 1_000_000;

/// One write through the API.
#[derive(Clone, Debug)]
pub enum Write {
    Open {
        session: u64,
        topic: String,
    },
    Deliver {
        session: u64,
        messages: Vec<Message>,
    },
    Complete {
        session: u64,
        seconds: u64,
    },
    Report(u64),
    Propose(Vec<u64>),
    GiveFeedback {
        activity: u64,
        reason: String,
    },
    /// Takes back the feedback on an activity that is proposed.
    TakeBackFeedback(u64),
    Block(Vec<String>),
    /// Replaces the worker's own topic in the shared child's list.
    SetSharedTopic(u64),
    /// For how many days sessions are kept.
    Retain(Option<u64>),
    Keep {
        session: u64,
        kept: bool,
    },
    /// Moves a session to the deleted ones.
    Delete(u64),
    Restore(u64),
    /// Deletes a deleted session permanently.
    Erase(u64),
    /// Chooses the edition of the page for the child.
    ChoosePage(&'static str),
    /// Whether questions of the child are shown.
    ShowQuestions(bool),
    HideQuestion {
        session: u64,
        message: u64,
    },
    /// Whether a guardian watches for a phrase that occurs in almost every message.
    Watch(bool),
}

#[derive(Clone, Debug)]
pub struct Message {
    pub id: u64,
    pub revision: u64,
    pub text: String,
}

impl Message {
    /// Returns a timestamp. They aren't in the ids' order, and some are equal.
    pub fn at(&self) -> Timestamp {
        let second = i64::try_from(self.id * 7_919 % 1_000).expect("a small number");
        Timestamp::from_micros(START + second * SECOND)
    }
}

/// The records that a line's writes result in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerState {
    pub blocked: Vec<String>,
    pub report: Option<u64>,
    pub proposed: Vec<u64>,
    /// The proposed activities without feedback.
    pub upcoming: Vec<u64>,
    pub feedback: BTreeMap<u64, String>,
    pub sessions: BTreeMap<u64, Session>,
    pub shared_topic: Option<u64>,
    pub retention: Option<u64>,
    pub page: Option<String>,
    pub shows_questions: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    topic: String,
    seconds: Option<u64>,
    /// Whether the worker completed it.
    completed: bool,
    pub kept: bool,
    pub there: There,
    /// In reading order: timestamp, id, revision and text.
    messages: Vec<(Timestamp, u64, u64, String)>,
}

/// Whether a session is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum There {
    #[default]
    Listed,
    Deleted,
    Erased,
}

impl Session {
    pub fn first_message(&self) -> Option<u64> {
        self.messages.first().map(|(_, id, ..)| *id)
    }
}

impl WorkerState {
    /// Applies a write. It is idempotent, as on the server.
    pub fn apply(&mut self, write: &Write) {
        match write {
            Write::Open { session, topic } => {
                self.sessions.entry(*session).or_default().topic = topic.clone();
            }
            Write::Deliver { session, messages } => {
                let session = self.sessions.get_mut(session).expect("it is open");
                let stored = &mut session.messages;
                for message in messages {
                    match stored.iter_mut().find(|(_, id, ..)| *id == message.id) {
                        Some((.., revision, text)) if *revision < message.revision => {
                            (*revision, *text) = (message.revision, message.text.clone());
                        }
                        Some(_) => {}
                        None => {
                            let at = message.at();
                            let place = stored.partition_point(|(earlier, ..)| *earlier <= at);
                            let new = (at, message.id, message.revision, message.text.clone());
                            stored.insert(place, new);
                        }
                    }
                }
                if let (false, [(first, ..), ..]) = (session.completed, &stored[..]) {
                    let (last, ..) = stored.last().expect("there is a first one");
                    session.seconds = Some(last.since(*first).as_secs());
                }
            }
            Write::Complete { session, seconds } => {
                let session = self.sessions.get_mut(session).expect("it is open");
                session.seconds = Some(*seconds);
                session.completed = true;
            }
            Write::Report(number) => self.report = Some(*number),
            Write::Propose(activities) => {
                self.proposed.clone_from(activities);
                self.hide_judged();
            }
            Write::GiveFeedback { activity, reason } => {
                self.feedback.insert(*activity, reason.clone());
                self.hide_judged();
            }
            Write::TakeBackFeedback(activity) => {
                self.feedback.remove(activity);
                self.hide_judged();
            }
            Write::Block(topics) => self.blocked.clone_from(topics),
            Write::SetSharedTopic(number) => self.shared_topic = Some(*number),
            Write::Retain(days) => self.retention = *days,
            Write::Keep { session, kept } => self.session(session).kept = *kept,
            Write::Delete(session) => self.session(session).there = There::Deleted,
            Write::Restore(session) => self.session(session).there = There::Listed,
            Write::Erase(session) => self.session(session).there = There::Erased,
            Write::ChoosePage(edition) => self.page = Some((*edition).to_owned()),
            Write::ShowQuestions(shown) => self.shows_questions = Some(*shown),
            // No export has them.
            Write::HideQuestion { .. } | Write::Watch(_) => {}
        }
    }

    fn hide_judged(&mut self) {
        self.upcoming.clone_from(&self.proposed);
        self.upcoming.retain(|id| !self.feedback.contains_key(id));
    }

    /// The proposed activities with feedback.
    pub fn judged(&self) -> Vec<u64> {
        let mut judged = self.proposed.clone();
        judged.retain(|id| self.feedback.contains_key(id));
        judged
    }

    fn session(&mut self, number: &u64) -> &mut Session {
        self.sessions.get_mut(number).expect("it was opened")
    }

    pub fn messages(&self) -> usize {
        self.sessions.values().map(|it| it.messages.len()).sum()
    }

    /// Returns the state without what an export doesn't contain.
    pub fn without_revisions(&self) -> Self {
        let mut same = self.clone();
        same.proposed.clear();
        same.sessions
            .retain(|_, session| session.there == There::Listed);
        for session in same.sessions.values_mut() {
            session
                .messages
                .iter_mut()
                .for_each(|(.., revision, _)| *revision = 0);
            session.completed = false;
        }
        same
    }

    /// Reads a worker's state from an export.
    pub fn from_export(worker: usize, family: &Value) -> Self {
        let children = family["children"].as_array().unwrap();
        let named = |name: &str| children.iter().find(|child| child["name"] == name).unwrap();
        let child = named(&child_name(worker));
        let list = |value: &Value| value.as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let number = |value: &Value| text(value).parse::<u64>().unwrap();
        let mut shared = list(&named(SHARED)["blocked_topics"]);
        shared.retain(|topic| text(topic).starts_with(&topic_prefix(worker)));
        assert!(shared.len() <= 1, "a topic is there twice: {shared:?}");
        let session = |session: &Value| {
            let messages = list(&session["messages"]).into_iter().map(|message| {
                let body = text(&message["text_content"]);
                let at = Timestamp::parse(&text(&message["timestamp"])).unwrap();
                (at, number(&message["message_id"]), 0, body)
            });
            let start = Timestamp::parse(&text(&session["start"])).unwrap();
            let number = (start.micros() - START) / (3_600 * SECOND);
            let session = Session {
                topic: text(&session["topic"]),
                seconds: session["completion"]["duration"]
                    .as_f64()
                    .map(|seconds| seconds as u64),
                completed: false,
                kept: session["kept"] == true,
                there: There::Listed,
                messages: messages.collect(),
            };
            (u64::try_from(number).unwrap(), session)
        };
        let feedback = list(&child["feedback"]);
        Self {
            blocked: list(&child["blocked_topics"]).iter().map(text).collect(),
            report: child["report"]["number"].as_u64(),
            proposed: Vec::new(),
            upcoming: list(&child["upcoming"])
                .iter()
                .map(|activity| number(&activity["activity_id"]))
                .collect(),
            feedback: feedback
                .iter()
                .map(|feedback| (number(&feedback["activity_id"]), text(&feedback["reason"])))
                .collect(),
            sessions: list(&child["sessions"]).iter().map(session).collect(),
            retention: child["retention_days"].as_u64(),
            page: child["page_for_child"].as_str().map(str::to_owned),
            shows_questions: child["something_to_talk_about"].as_bool(),
            shared_topic: shared
                .first()
                .map(|topic| text(topic).rsplit(' ').next().unwrap().parse().unwrap()),
        }
    }
}

pub fn child_name(worker: usize) -> String {
    format!("Child of worker {worker}")
}

pub fn topic_prefix(worker: usize) -> String {
    format!("set by worker {worker} at ")
}

/// Describes the first three lines that differ.
pub fn difference(expected: &WorkerState, actual: &WorkerState) -> String {
    let (expected, actual) = (format!("{expected:#?}"), format!("{actual:#?}"));
    let count = |text: &str| text.lines().count();
    let differing = expected.lines().zip(actual.lines()).enumerate();
    let differing = differing.filter(|(_, (one, other))| one != other).take(3);
    let first =
        differing.map(|(number, (one, other))| format!("{number}: {one:.80} | {other:.80}"));
    format!(
        "expected {} lines, found {}: {}",
        count(&expected),
        count(&actual),
        first.collect::<Vec<_>>().join("; ")
    )
}
