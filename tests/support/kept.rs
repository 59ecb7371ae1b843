//! What a line of work writes, and what that leaves in the store.

use std::collections::BTreeMap;

use porchlight::kernel::clock::Timestamp;
use serde_json::Value;

/// The child whose list all lines change.
pub const SHARED: &str = "Everybody";

/// When it all begins, in microseconds: 2026-11-21T16:00:00Z.
pub const BEGINNING: i64 = 1_795_276_800_000_000;

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
        messages: Vec<Delivery>,
    },
    Complete {
        session: u64,
        seconds: u64,
    },
    Report(u64),
    Propose(Vec<u64>),
    Judge {
        activity: u64,
        reason: String,
    },
    Block(Vec<String>),
    /// Replaces the line's own topic on the list that all share.
    Tell(u64),
}

/// A message on its way.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: u64,
    pub revision: u64,
    pub text: String,
}

impl Delivery {
    /// Not in the order of the ids, and sometimes at the same moment.
    pub fn at(&self) -> Timestamp {
        let second = i64::try_from(self.id * 7_919 % 1_000).expect("a small number");
        Timestamp::from_micros(BEGINNING + second * SECOND)
    }
}

/// The records that a line's writes result in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    pub blocked: Vec<String>,
    pub report: Option<u64>,
    pub proposed: Vec<u64>,
    pub judged: BTreeMap<u64, String>,
    pub sessions: BTreeMap<u64, Session>,
    pub told: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    topic: String,
    seconds: Option<u64>,
    /// In the order in which they are read.
    said: Vec<(Timestamp, u64, u64, String)>,
}

impl Kept {
    /// Applies a write. Doing it twice changes nothing more, as with the server.
    pub fn apply(&mut self, write: &Write) {
        match write {
            Write::Open { session, topic } => {
                self.sessions.entry(*session).or_default().topic = topic.clone();
            }
            Write::Deliver { session, messages } => {
                let said = &mut self.sessions.get_mut(session).expect("it is open").said;
                for message in messages {
                    match said.iter_mut().find(|(_, id, ..)| *id == message.id) {
                        Some((.., revision, text)) if *revision < message.revision => {
                            (*revision, *text) = (message.revision, message.text.clone());
                        }
                        Some(_) => {}
                        None => {
                            let at = message.at();
                            let place = said.partition_point(|(earlier, ..)| *earlier <= at);
                            let new = (at, message.id, message.revision, message.text.clone());
                            said.insert(place, new);
                        }
                    }
                }
            }
            Write::Complete { session, seconds } => {
                let session = self.sessions.get_mut(session).expect("it is open");
                session.seconds = Some(*seconds);
            }
            Write::Report(number) => self.report = Some(*number),
            Write::Propose(activities) => {
                let judged = &self.judged;
                let open = activities.iter().filter(|id| !judged.contains_key(id));
                self.proposed = open.copied().collect();
            }
            Write::Judge { activity, reason } => {
                self.judged.insert(*activity, reason.clone());
                self.proposed.retain(|id| id != activity);
            }
            Write::Block(topics) => self.blocked.clone_from(topics),
            Write::Tell(number) => self.told = Some(*number),
        }
    }

    /// How many messages there are.
    pub fn messages(&self) -> usize {
        self.sessions.values().map(|held| held.said.len()).sum()
    }

    /// The same, without what the export doesn't tell.
    pub fn as_exported(&self) -> Self {
        let mut same = self.clone();
        for session in same.sessions.values_mut() {
            session
                .said
                .iter_mut()
                .for_each(|(.., revision, _)| *revision = 0);
        }
        same
    }

    /// What an export tells of this line.
    pub fn exported(line: usize, family: &Value) -> Self {
        let children = family["children"].as_array().unwrap();
        let named = |name: &str| children.iter().find(|child| child["name"] == name).unwrap();
        let child = named(&name_of(line));
        let list = |value: &Value| value.as_array().unwrap().clone();
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let number = |value: &Value| word(value).parse::<u64>().unwrap();
        let mut told = list(&named(SHARED)["blocked_topics"]);
        told.retain(|topic| word(topic).starts_with(&told_by(line)));
        assert!(told.len() <= 1, "a topic is there twice: {told:?}");
        let session = |session: &Value| {
            let said = list(&session["messages"]).into_iter().map(|message| {
                let text = word(&message["text_content"]);
                let at = Timestamp::parse(&word(&message["timestamp"])).unwrap();
                (at, number(&message["message_id"]), 0, text)
            });
            Session {
                topic: word(&session["topic"]),
                seconds: session["completion"]["duration"]
                    .as_f64()
                    .map(|seconds| seconds as u64),
                said: said.collect(),
            }
        };
        let judged = list(&child["feedback"]);
        Self {
            blocked: list(&child["blocked_topics"]).iter().map(word).collect(),
            report: child["report"]["number"].as_u64(),
            proposed: list(&child["upcoming"])
                .iter()
                .map(|activity| number(&activity["activity_id"]))
                .collect(),
            judged: judged
                .iter()
                .map(|verdict| (number(&verdict["activity_id"]), word(&verdict["reason"])))
                .collect(),
            sessions: (0..)
                .zip(list(&child["sessions"]).iter().map(session))
                .collect(),
            told: told
                .first()
                .map(|topic| word(topic).rsplit(' ').next().unwrap().parse().unwrap()),
        }
    }
}

pub fn name_of(line: usize) -> String {
    format!("Child of line {line}")
}

pub fn told_by(line: usize) -> String {
    format!("said by line {line} at ")
}

/// The first lines in which they differ.
pub fn difference(expected: &Kept, found: &Kept) -> String {
    let (expected, found) = (format!("{expected:#?}"), format!("{found:#?}"));
    let count = |text: &str| text.lines().count();
    let differing = expected.lines().zip(found.lines()).enumerate();
    let differing = differing.filter(|(_, (one, other))| one != other).take(3);
    let first =
        differing.map(|(number, (one, other))| format!("{number}: {one:.80} | {other:.80}"));
    format!(
        "{} lines, found {}: {}",
        count(&expected),
        count(&found),
        first.collect::<Vec<_>>().join("; ")
    )
}
