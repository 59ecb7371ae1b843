//! Mixed load on the real binary, by lines of work that know to the last byte what must be there afterwards.
//!
//! Each line has a child to itself and sends one write after the other. So there are but two states in which the
//! store may be found: with all that was acknowledged, or with the one write more that was on its way. What all
//! lines share is one child's list of blocked topics, which they change under `If-Match`.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use porchlight::kernel::clock::Timestamp;
use serde_json::{Value, json};

use super::connection::Connection;
use super::kept::{BEGINNING, Delivery, Kept, SECOND, SHARED, Write, difference, name_of, told_by};
use super::process::{Home, Server};

const GUARDIAN: &str = "ada@example.org";

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

/// A line of work.
pub struct Line {
    number: usize,
    chance: Chance,
    /// Everything that was sent, in order.
    pub sent: Vec<Write>,
    /// The records that its acknowledged writes result in.
    pub kept: Kept,
    /// Whether the last request's outcome is unknown.
    on_its_way: bool,
    next_id: u64,
    /// How much there may be: beyond it, what is there is replaced.
    most: Most,
}

/// How much a line may leave in the store.
#[derive(Clone, Copy)]
pub struct Most {
    pub sessions: u64,
    /// In each session.
    pub messages: u64,
}

impl Most {
    const ANYTHING: Self = Self {
        sessions: u64::MAX,
        messages: u64::MAX,
    };
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
            most: Most::ANYTHING,
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
                Some(status) => panic!("{status} for {:.300}", format!("{write:?}")),
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
            let again = sessions > 0 && (kind < 2 || sessions >= self.most.sessions);
            let session = if again { sessions - 1 } else { sessions };
            return Write::Open { session, topic };
        }
        // Of those that will stay few, any; else one of the latest.
        let reach = match self.most.sessions {
            u64::MAX => sessions.min(3),
            _ => sessions,
        };
        let session = sessions - 1 - self.chance.below(reach);
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
            // Now and then as much as a group of changes has, and more than a segment of the store's.
            _ => [40, 40, 40, 40, 40, 40, 40, 500][usize::try_from(self.chance.below(8)).unwrap()],
        };
        let full = self.next_id >= self.most.messages;
        let messages = (0..many).map(|_| {
            // One in ten was delivered before, or corrects one that was.
            let id = match self.chance.below(10) {
                _ if full => self.chance.below(self.next_id),
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
            let revision = match full {
                true => self.chance.below(1 << 30),
                false => self.chance.below(2),
            };
            Delivery { id, revision, text }
        });
        let messages = messages.collect();
        Write::Deliver { session, messages }
    }

    /// The status with which a write is answered; nothing when the server is gone.
    fn send(&self, to: &mut Connection, work: &Work<'_>, write: &Write) -> Option<u16> {
        let child = self.number + 2;
        let base = "/api/assistant";
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
                as_assistant("PUT", &format!("{base}/sessions/{line}-{session}"), &body)
            }
            Write::Deliver { session, messages } => {
                let messages = messages.iter().map(|message| {
                    json!({"message_id": message.id.to_string(), "timestamp": message.at(),
                        "revision": message.revision, "source": "child", "text_content": message.text})
                });
                let path = format!("{base}/sessions/{line}-{session}/messages");
                as_assistant("POST", &path, &Value::from_iter(messages))
            }
            Write::Complete { session, seconds } => {
                let path = format!("{base}/sessions/{line}-{session}/completion");
                as_assistant("PUT", &path, &json!({"duration": seconds}))
            }
            Write::Report(number) => {
                let path = format!("{base}/child/{child}/report");
                as_assistant("PUT", &path, &json!({"number": number}))
            }
            Write::Propose(activities) => {
                let list = activities
                    .iter()
                    .map(|id| json!({"activity_id": id.to_string(), "topic": "Tides"}));
                let path = format!("{base}/child/{child}/activities/upcoming");
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

    /// The same family with lines that leave only so much.
    pub fn with_at_most(mut self, most: Most) -> Self {
        self.lines.iter_mut().for_each(|line| line.most = most);
        self
    }

    /// Forgets what was sent, but for the last.
    pub fn forget(&mut self) {
        for line in &mut self.lines {
            let last = line.sent.len().saturating_sub(1);
            line.sent.drain(..last);
        }
    }

    /// Compares what is there with what must be; what was on its way is known afterwards. How many bytes it is.
    pub fn check(&mut self) -> u64 {
        let exported = self.home.ok(&["export"]);
        let family = serde_json::from_str::<Value>(&exported).unwrap();
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
        exported.len() as u64
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

    /// Whether it has ended, or a line has failed.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// From here on a broken answer is what was to be expected.
    pub fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
    }
}
