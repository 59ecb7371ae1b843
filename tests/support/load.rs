//! Mixed load on the real binary, by lines of work that know to the last byte what must be there afterwards.
//!
//! Each line has a child to itself and sends one write after the other. So there are but two states in which the
//! store may be found: with all that was acknowledged, or with the one write more that was on its way. What all
//! lines share is one child's list of blocked topics, which they change under `If-Match`.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use porchlight::kernel::clock::Timestamp;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::process::{Home, Server};

const GUARDIAN: &str = "ada@example.org";

/// The child whose list all lines change.
const SHARED: &str = "Everybody";

/// When it all begins, in microseconds: 2026-11-21T16:00:00Z.
const BEGINNING: i64 = 1_795_276_800_000_000;

const SECOND: i64 = 1_000_000;

/// Random numbers that a seed repeats (SplitMix64).
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    pub fn from(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

/// The seed of this run: what `CRASH_SEED` says, or another one every time. It is printed.
pub fn seed() -> u64 {
    let given = std::env::var("CRASH_SEED").ok();
    let seed = match given {
        Some(given) => given.parse().expect("CRASH_SEED is a number"),
        None => RandomState::new().build_hasher().finish() >> 32,
    };
    println!("This run again: CRASH_SEED={seed}");
    seed
}

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
    id: u64,
    revision: u64,
    text: String,
}

impl Delivery {
    /// Not in the order of the ids, and sometimes at the same moment.
    fn at(&self) -> Timestamp {
        let second = i64::try_from(self.id * 7_919 % 1_000).expect("a small number");
        Timestamp::from_micros(BEGINNING + second * SECOND)
    }
}

/// What a line's writes leave in the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    blocked: Vec<String>,
    report: Option<u64>,
    proposed: Vec<u64>,
    judged: BTreeMap<u64, String>,
    sessions: BTreeMap<u64, Session>,
    told: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Session {
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
    fn as_exported(&self) -> Self {
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
    fn exported(line: usize, family: &Value) -> Self {
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

fn name_of(line: usize) -> String {
    format!("Child of line {line}")
}

fn told_by(line: usize) -> String {
    format!("said by line {line} at ")
}

/// A line of work.
pub struct Line {
    number: usize,
    chance: Chance,
    /// Everything that was sent, in order.
    pub sent: Vec<Write>,
    /// What the acknowledged of it leaves.
    pub kept: Kept,
    /// Whether nobody knows what became of the last one sent.
    on_its_way: bool,
    next_id: u64,
}

/// What all lines have in common while they work.
pub struct Work<'a> {
    pub url: &'a str,
    pub key: &'a str,
    pub token: &'a str,
    pub acknowledged: &'a AtomicU64,
    /// Whether the server is about to end.
    pub over: &'a AtomicBool,
}

/// Ends it for all when a line fails.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

impl Line {
    fn new(number: usize, seed: u64) -> Self {
        Self {
            number,
            chance: Chance::from(seed ^ (number as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d)),
            sent: Vec::new(),
            kept: Kept::default(),
            on_its_way: false,
            next_id: 0,
        }
    }

    /// Sends writes until it is over.
    fn work(&mut self, work: &Work<'_>) {
        let _alarm = Alarm(work.over);
        let Some(mut connection) = Connection::open(work.url) else {
            assert!(work.over.load(Ordering::SeqCst), "no connection in life");
            return;
        };
        while !work.over.load(Ordering::SeqCst) {
            // What may have come or not is sent again, as an assistant does.
            let write = match self.sent.last() {
                Some(last) if self.on_its_way => last.clone(),
                _ => self.think_of_one(),
            };
            self.sent.push(write.clone());
            self.on_its_way = true;
            match self.send(&mut connection, work, &write) {
                Some(200 | 204) => {
                    self.kept.apply(&write);
                    self.on_its_way = false;
                    work.acknowledged.fetch_add(1, Ordering::SeqCst);
                }
                Some(status) => panic!("{status} for {write:?}"),
                None => {
                    assert!(work.over.load(Ordering::SeqCst), "an answer broke off");
                    return;
                }
            }
        }
    }

    fn think_of_one(&mut self) -> Write {
        let sessions = self.kept.sessions.len() as u64;
        let kind = self.chance.below(100);
        if sessions == 0 || kind < 6 {
            let topic = format!("Topic {}", self.chance.below(1_000));
            // Now and then an open one is corrected.
            let again = sessions > 0 && kind < 2;
            let session = if again { sessions - 1 } else { sessions };
            return Write::Open { session, topic };
        }
        let session = sessions - 1 - self.chance.below(sessions.min(3));
        match kind {
            6..68 => self.think_of_messages(session),
            68..74 => Write::Complete {
                session,
                seconds: self.chance.below(4_000),
            },
            74..79 => Write::Report(self.chance.below(1_000_000)),
            79..84 => {
                let first = self.chance.below(1_000);
                let many = 1 + self.chance.below(8);
                Write::Propose((first..first + many).collect())
            }
            84..89 if !self.kept.proposed.is_empty() => {
                let open = self.kept.proposed.len() as u64;
                let chosen = usize::try_from(self.chance.below(open)).unwrap();
                Write::Judge {
                    activity: self.kept.proposed[chosen],
                    reason: format!("Reason {}", self.chance.below(1_000)),
                }
            }
            84..95 => {
                let first = self.chance.below(1_000);
                let many = self.chance.below(12);
                let topic = |number| format!("blocked matter {number}");
                Write::Block((first..first + many).map(topic).collect())
            }
            _ => Write::Tell(self.kept.told.unwrap_or(0) + 1),
        }
    }

    fn think_of_messages(&mut self, session: u64) -> Write {
        let many = match self.chance.below(10) {
            0..6 => 1,
            6..9 => 2 + self.chance.below(12),
            _ => 40,
        };
        let messages = (0..many).map(|_| {
            // One in ten was delivered before, or corrects one that was.
            let id = match self.chance.below(10) {
                0 => self.chance.below(self.next_id),
                _ => {
                    self.next_id += 1;
                    self.next_id - 1
                }
            };
            let long = match self.chance.below(60) {
                0 => 20_000,
                _ => 200,
            };
            let much = usize::try_from(self.chance.below(long)).unwrap();
            let text = format!("{} {}", self.chance.next(), "word ".repeat(much / 5));
            let revision = self.chance.below(2);
            Delivery { id, revision, text }
        });
        let messages = messages.collect();
        Write::Deliver { session, messages }
    }

    /// The status with which a write is answered; nothing when the server is gone.
    fn send(&self, to: &mut Connection, work: &Work<'_>, write: &Write) -> Option<u16> {
        let child = self.number + 2;
        let door = "/api/assistant";
        let (line, mark) = (
            self.number,
            format!("{}-{}", self.number, self.sent.len() - 1),
        );
        let mut as_assistant = |method: &str, path: &str, body: &Value| {
            to.call(method, path, work.key, &[("x-write", &mark)], Some(body))
                .map(|answer| answer.status)
        };
        match write {
            Write::Open { session, topic } => {
                let start = i64::try_from(*session).unwrap() * 3_600 * SECOND;
                let start = Timestamp::from_micros(BEGINNING + start);
                let body = json!({"child_id": child, "topic": topic, "start_time": start});
                as_assistant("PUT", &format!("{door}/sessions/{line}-{session}"), &body)
            }
            Write::Deliver { session, messages } => {
                let messages = messages.iter().map(|message| {
                    json!({"message_id": message.id.to_string(), "timestamp": message.at(),
                        "revision": message.revision, "source": "child", "text_content": message.text})
                });
                let path = format!("{door}/sessions/{line}-{session}/messages");
                as_assistant("POST", &path, &Value::from_iter(messages))
            }
            Write::Complete { session, seconds } => {
                let path = format!("{door}/sessions/{line}-{session}/completion");
                as_assistant("PUT", &path, &json!({"duration": seconds}))
            }
            Write::Report(number) => {
                let path = format!("{door}/child/{child}/report");
                as_assistant("PUT", &path, &json!({"number": number}))
            }
            Write::Propose(activities) => {
                let list = activities
                    .iter()
                    .map(|id| json!({"activity_id": id.to_string(), "topic": "Tides"}));
                let path = format!("{door}/child/{child}/activities/upcoming");
                as_assistant("PUT", &path, &Value::from_iter(list))
            }
            Write::Judge { activity, reason } => {
                let path = format!("/api/child/{child}/activities/upcoming/{activity}/feedback");
                let body = json!({"feedback": "up", "reason": reason});
                to.call("PUT", &path, work.token, &[("x-write", &mark)], Some(&body))
                    .map(|answer| answer.status)
            }
            Write::Block(topics) => {
                replace_topics(to, work.token, &mark, child, |_| topics.clone())
            }
            Write::Tell(number) => replace_topics(to, work.token, &mark, 1, |mut topics| {
                let own = told_by(line);
                topics.retain(|topic| !topic.starts_with(&own));
                topics.push(format!("{own}{number}"));
                topics
            }),
        }
    }
}

/// Changes a list as a guardian's page does: reads it, changes it, and begins again when somebody was faster.
fn replace_topics(
    to: &mut Connection,
    token: &str,
    mark: &str,
    child: usize,
    change: impl Fn(Vec<String>) -> Vec<String>,
) -> Option<u16> {
    let path = format!("/api/child/{child}/blocked_topics");
    loop {
        let read = to.call("GET", &path, token, &[], None)?;
        let topics = serde_json::from_str(&read.body).unwrap();
        let headers = [("x-write", mark), ("if-match", &read.etag)];
        let body = json!(change(topics));
        let answer = to.call("PUT", &path, token, &headers, Some(&body))?;
        if answer.status != 412 {
            return Some(answer.status);
        }
    }
}

/// A family under load.
pub struct Family {
    pub home: Home,
    pub lines: Vec<Line>,
    key: String,
}

impl Family {
    pub fn new(lines: usize, seed: u64) -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", GUARDIAN]);
        home.ok(&["child", "add", SHARED, "--guardian", GUARDIAN]);
        let mut assistant = vec!["assistant".into(), "add".into(), "robot".into()];
        for line in 0..lines {
            let name = name_of(line);
            home.ok(&["child", "add", &name, "--guardian", GUARDIAN]);
            assistant.extend(["--child".to_owned(), (line + 2).to_string()]);
        }
        let assistant = assistant.iter().map(String::as_str).collect::<Vec<_>>();
        let key = home.json(&assistant)["key"].as_str().unwrap().to_owned();
        let lines = (0..lines).map(|number| Line::new(number, seed)).collect();
        Self { home, lines, key }
    }

    /// Lets all lines work until `end` returns, which ends the server, too; how many writes were acknowledged.
    pub fn work<T>(&mut self, server: Server, end: impl FnOnce(Server, &Acknowledged) -> T) -> T {
        let token = self.home.json(&["token", GUARDIAN]);
        let token = token["identity_token"].as_str().unwrap();
        let acknowledged = Acknowledged::default();
        let url = server.url.clone();
        let work = Work {
            url: &url,
            key: &self.key,
            token,
            acknowledged: &acknowledged.count,
            over: &acknowledged.over,
        };
        std::thread::scope(|scope| {
            for line in &mut self.lines {
                scope.spawn(|| line.work(&work));
            }
            end(server, &acknowledged)
        })
    }

    /// Compares what is there with what must be; what was on its way is known afterwards.
    pub fn check(&mut self) {
        let family = self.export();
        for line in &mut self.lines {
            let found = Kept::exported(line.number, &family);
            if found == line.kept.as_exported() {
                continue;
            }
            let last = line.sent.last().expect("something was sent");
            assert!(
                line.on_its_way,
                "line {} has another state than was acknowledged",
                line.number
            );
            line.kept.apply(last);
            let expected = line.kept.as_exported();
            assert!(
                found == expected,
                "line {}: {}",
                line.number,
                difference(&expected, &found)
            );
        }
    }

    fn export(&self) -> Value {
        serde_json::from_str(&self.home.ok(&["export"])).unwrap()
    }

    /// The first thing in which an export differs from what the first `acknowledged` writes of each line leave, or
    /// one more of them.
    pub fn differs(&self, family: &Value, acknowledged: &[usize]) -> Option<String> {
        self.lines.iter().find_map(|line| {
            let mut kept = Kept::default();
            let acknowledged = acknowledged[line.number];
            line.sent[..acknowledged]
                .iter()
                .for_each(|write| kept.apply(write));
            let found = Kept::exported(line.number, family);
            if found == kept.as_exported() {
                return None;
            }
            let without = kept.as_exported();
            if let Some(next) = line.sent.get(acknowledged) {
                kept.apply(next);
            }
            (found != kept.as_exported())
                .then(|| format!("line {}: {}", line.number, difference(&without, &found)))
        })
    }
}

/// What a run says of itself.
#[derive(Default)]
pub struct Acknowledged {
    count: AtomicU64,
    over: AtomicBool,
}

impl Acknowledged {
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    /// Waits until so many writes were acknowledged.
    pub fn reach(&self, count: u64) {
        while self.count() < count && !self.over.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    }

    /// From here on a broken answer is what was to be expected.
    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

/// The first lines in which they differ.
fn difference(expected: &Kept, found: &Kept) -> String {
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
