//! Mixed load on the real binary, from workers that know the exact expected state of the store.
//!
//! Each worker writes to its own child, one request at a time. After a crash the store may hold its acknowledged writes,
//! or these and the one in flight. All workers also edit one child's blocked topics, with `If-Match`.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};

use super::connection::Connection;
use super::process::{Home, Server};
use super::worker_state::{
    Message, SECOND, SHARED, START, There, WorkerState, Write, child_name, difference, topic_prefix,
};

const GUARDIAN: &str = "ada@example.org";

/// A seeded random number generator (SplitMix64).
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
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

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

/// Returns and prints the seed: `CRASH_SEED`, or a random one.
pub fn seed() -> u64 {
    let given = std::env::var("CRASH_SEED").ok();
    let seed = match given {
        Some(given) => given.parse().expect("CRASH_SEED is a number"),
        None => RandomState::new().build_hasher().finish() >> 32,
    };
    println!("To repeat this run: CRASH_SEED={seed}");
    seed
}

/// A client that sends one write after another.
pub struct Worker {
    number: usize,
    rng: Rng,
    /// The sent writes, in order.
    pub sent: Vec<Write>,
    /// The records that are expected after its acknowledged writes.
    pub expected: WorkerState,
    /// Whether the last request's outcome is unknown.
    in_flight: bool,
    next_id: u64,
    /// The server's numbers of the sessions.
    ids: BTreeMap<u64, u64>,
    /// Beyond these, writes replace existing data.
    limits: Limits,
}

/// The most that a worker stores.
#[derive(Clone, Copy)]
pub struct Limits {
    pub sessions: u64,
    /// For each session.
    pub messages: u64,
}

impl Limits {
    const NONE: Self = Self {
        sessions: u64::MAX,
        messages: u64::MAX,
    };
}

pub struct WorkContext<'a> {
    pub url: &'a str,
    pub key: &'a str,
    pub token: &'a str,
    /// The token of a guardian who stepped up.
    pub stepped_up: &'a str,
    pub acknowledged: &'a AtomicU64,
    /// Whether the server is being stopped, or a worker has failed.
    pub stopped: &'a AtomicBool,
}

/// Stops all workers when one panics.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

impl Worker {
    fn new(number: usize, seed: u64) -> Self {
        Self {
            number,
            rng: Rng::from(seed ^ (number as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d)),
            sent: Vec::new(),
            expected: WorkerState::default(),
            in_flight: false,
            next_id: 0,
            ids: BTreeMap::new(),
            limits: Limits::NONE,
        }
    }

    /// Sends writes until the run is stopped.
    fn work(&mut self, work: &WorkContext<'_>) {
        let _stop = StopOnPanic(work.stopped);
        let Some(mut connection) = Connection::open(work.url) else {
            assert!(work.stopped.load(Ordering::SeqCst), "connection refused");
            return;
        };
        while !work.stopped.load(Ordering::SeqCst) {
            // An assistant repeats a write whose outcome is unknown.
            let is_again = self.in_flight;
            let write = match self.sent.last() {
                Some(last) if is_again => last.clone(),
                _ => self.next_write(),
            };
            self.sent.push(write.clone());
            self.in_flight = true;
            match self.send(&mut connection, work, &write) {
                Some(status) if is_done(status, &write, is_again) => {
                    self.expected.apply(&write);
                    self.in_flight = false;
                    work.acknowledged.fetch_add(1, Ordering::SeqCst);
                }
                Some(status) => panic!("{status} for {:.300}", format!("{write:?}")),
                None => {
                    assert!(work.stopped.load(Ordering::SeqCst), "connection closed");
                    return;
                }
            }
        }
    }

    fn next_write(&mut self) -> Write {
        let sessions = self.expected.sessions.len() as u64;
        let kind = self.rng.below(118);
        if kind >= 100
            && let Some(write) = self.next_of_guardian(kind)
        {
            return write;
        }
        // With a limit it picks any session; without, one of the latest three.
        let candidates = match self.limits.sessions {
            u64::MAX => 3,
            _ => usize::MAX,
        };
        let listed = self.sessions(There::Listed, candidates);
        if listed.is_empty() || kind < 6 {
            let topic = format!("Topic {}", self.rng.below(1_000));
            // Sometimes it corrects an open session.
            let correct = kind < 2 || sessions >= self.limits.sessions;
            let last = listed.first().copied().filter(|_| correct);
            let session = last.unwrap_or(sessions);
            return Write::Open { session, topic };
        }
        let session = listed[self.below(listed.len())];
        match kind {
            6..68 => self.next_delivery(session),
            68..74 => Write::Complete {
                session,
                seconds: self.rng.below(4_000),
            },
            74..79 => Write::Report(self.rng.below(1_000_000)),
            79..84 => {
                let first = self.rng.below(1_000);
                let count = 1 + self.rng.below(8);
                Write::Propose((first..first + count).collect())
            }
            84..89 if !self.expected.upcoming.is_empty() => {
                let open = self.expected.upcoming.len() as u64;
                let chosen = usize::try_from(self.rng.below(open)).unwrap();
                Write::GiveFeedback {
                    activity: self.expected.upcoming[chosen],
                    reason: format!("Reason {}", self.rng.below(1_000)),
                }
            }
            84..95 => {
                let first = self.rng.below(1_000);
                let count = self.rng.below(12);
                let topic = |number| format!("blocked matter {number}");
                Write::Block((first..first + count).map(topic).collect())
            }
            _ => Write::SetSharedTopic(self.expected.shared_topic.unwrap_or(0) + 1),
        }
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.rng.below(end as u64)).unwrap()
    }

    /// The latest sessions that are listed, deleted or erased, latest first.
    fn sessions(&self, there: There, most: usize) -> Vec<u64> {
        let sessions = self.expected.sessions.iter().rev();
        let sessions = sessions.filter(|(_, session)| session.there == there);
        sessions.map(|(number, _)| *number).take(most).collect()
    }

    /// A guardian's write: how long something is kept, what is shown, and what is watched. `None` without anything to write about.
    fn next_of_guardian(&mut self, kind: u64) -> Option<Write> {
        let listed = self.sessions(There::Listed, 20);
        let deleted = self.sessions(There::Deleted, 20);
        let yes = self.rng.below(2) == 0;
        // Erased sessions don't come back, so a bounded family has none.
        let may_erase = self.limits.sessions == u64::MAX;
        Some(match kind {
            100..104 if !listed.is_empty() => Write::Keep {
                session: listed[self.below(listed.len())],
                kept: yes,
            },
            // All but the last, so that there is one to talk in.
            104..107 if listed.len() > 1 => Write::Delete(listed[1 + self.below(listed.len() - 1)]),
            107..109 if !deleted.is_empty() => Write::Restore(deleted[self.below(deleted.len())]),
            109 if may_erase && !deleted.is_empty() => {
                Write::Erase(deleted[self.below(deleted.len())])
            }
            110..112 if may_erase => {
                Write::Retain([Some(30), Some(90), Some(365), None][self.below(4)])
            }
            112 => Write::ChoosePage(["younger", "older"][self.below(2)]),
            113 => Write::ShowQuestions(yes),
            114..116 if !listed.is_empty() => {
                let session = listed[self.below(listed.len())];
                let message = self.expected.sessions[&session].first_message()?;
                Write::HideQuestion { session, message }
            }
            116 => Write::Watch(yes),
            _ => {
                let judged = self.expected.judged();
                let chosen = self.below(judged.len());
                Write::TakeBackFeedback(*judged.get(chosen)?)
            }
        })
    }

    fn next_delivery(&mut self, session: u64) -> Write {
        let count = match self.rng.below(10) {
            0..6 => 1,
            6..9 => 2 + self.rng.below(12),
            // Rarely, a delivery that exceeds one of sled's segments.
            _ => [40, 40, 40, 40, 40, 40, 40, 500][usize::try_from(self.rng.below(8)).unwrap()],
        };
        let full = self.next_id >= self.limits.messages;
        let messages = (0..count).map(|_| {
            // One in ten repeats or corrects an earlier message.
            let id = match self.rng.below(10) {
                _ if full => self.rng.below(self.next_id),
                0 => self.rng.below(self.next_id),
                _ => {
                    self.next_id += 1;
                    self.next_id - 1
                }
            };
            let max_length = match self.rng.below(60) {
                0 => 20_000,
                _ => 200,
            };
            let length = usize::try_from(self.rng.below(max_length)).unwrap();
            let text = format!("{} {}", self.rng.next(), "word ".repeat(length / 5));
            let revision = if full {
                self.rng.below(1 << 30)
            } else {
                self.rng.below(2)
            };
            Message { id, revision, text }
        });
        let messages = messages.collect();
        Write::Deliver { session, messages }
    }

    /// Sends a write. Returns the response's status, or `None` if the server is gone.
    fn send(&mut self, to: &mut Connection, work: &WorkContext<'_>, write: &Write) -> Option<u16> {
        let child = self.number + 2;
        let base = "/api/assistant";
        let (worker, mark) = (
            self.number,
            format!("{}-{}", self.number, self.sent.len() - 1),
        );
        if let Some((method, path, body)) = self.guardians_request(child, write) {
            let headers = [("x-write", mark.as_str())];
            let response = to.call(method, &path, work.stepped_up, &headers, body.as_ref());
            return response.map(|response| response.status);
        }
        let ids = &mut self.ids;
        let mut as_assistant = |method: &str, path: &str, body: &Value| {
            to.call(method, path, work.key, &[("x-write", &mark)], Some(body))
        };
        let mut deliver = |session: &u64, mut delivery: Value| {
            delivery["session"] = format!("{worker}-{session}").into();
            delivery["child_id"] = child.into();
            let response = as_assistant("POST", &format!("{base}/deliveries"), &delivery)?;
            if response.status == 200 {
                let answer = serde_json::from_str::<Value>(&response.body).unwrap();
                ids.insert(*session, answer["session_id"].as_u64().unwrap());
            }
            Some(response.status)
        };
        match write {
            Write::Open { session, topic } => {
                let start = i64::try_from(*session).unwrap() * 3_600 * SECOND;
                let start = Timestamp::from_micros(START + start);
                deliver(session, json!({"topic": topic, "start_time": start}))
            }
            Write::Deliver { session, messages } => {
                let messages = messages.iter().map(|message| {
                    json!({"message_id": message.id.to_string(), "timestamp": message.at(),
                        "revision": message.revision, "source": "child", "text_content": message.text})
                });
                deliver(session, json!({"messages": Value::from_iter(messages)}))
            }
            Write::Complete { session, seconds } => {
                deliver(session, json!({"completion": {"duration": seconds}}))
            }
            Write::Report(number) => {
                let path = format!("{base}/child/{child}/report");
                let answered = as_assistant("PUT", &path, &json!({"number": number}));
                answered.map(|response| response.status)
            }
            Write::Propose(activities) => {
                let list = activities
                    .iter()
                    .map(|id| json!({"activity_id": id.to_string(), "topic": "Tides"}));
                let path = format!("{base}/child/{child}/activities/upcoming");
                let answered = as_assistant("PUT", &path, &Value::from_iter(list));
                answered.map(|response| response.status)
            }
            Write::GiveFeedback { activity, reason } => {
                let path = format!("/api/child/{child}/activities/upcoming/{activity}/feedback");
                let body = json!({"feedback": "up", "reason": reason});
                to.call("PUT", &path, work.token, &[("x-write", &mark)], Some(&body))
                    .map(|response| response.status)
            }
            Write::Block(topics) => {
                replace_topics(to, work.token, &mark, child, |_| topics.clone())
            }
            Write::SetSharedTopic(number) => {
                replace_topics(to, work.token, &mark, 1, |mut topics| {
                    let own = topic_prefix(worker);
                    topics.retain(|topic| !topic.starts_with(&own));
                    topics.push(format!("{own}{number}"));
                    topics
                })
            }
            _ => unreachable!("it is a guardian's request"),
        }
    }

    /// The request for a write of [`Worker::next_of_guardian`].
    fn guardians_request(
        &self,
        child: usize,
        write: &Write,
    ) -> Option<(&'static str, String, Option<Value>)> {
        let of_child = |path: &str| format!("/api/child/{child}/{path}");
        let id = |session: &u64| self.ids[session];
        Some(match write {
            Write::Retain(days) => ("PUT", of_child("retention"), Some(json!({"days": days}))),
            Write::Keep { session, kept } => {
                let path = format!("/api/sessions/{}/kept", id(session));
                ("PUT", path, Some(json!({"kept": kept})))
            }
            Write::Delete(session) => ("DELETE", format!("/api/sessions/{}", id(session)), None),
            Write::Restore(session) => {
                let path = format!("deleted_sessions/{}/undelete", id(session));
                ("POST", of_child(&path), None)
            }
            Write::Erase(session) => {
                let path = format!("deleted_sessions/{}", id(session));
                ("DELETE", of_child(&path), None)
            }
            Write::ChoosePage(edition) => (
                "PUT",
                of_child("for_child"),
                Some(json!({"edition": edition})),
            ),
            Write::ShowQuestions(on) => ("PUT", of_child("curious/on"), Some(json!({"on": on}))),
            Write::HideQuestion { session, message } => {
                let hidden = json!({"session_id": id(session), "message_id": message.to_string()});
                ("PUT", of_child("curious/hidden"), Some(hidden))
            }
            Write::Watch(watched) => {
                let phrase = json!({"words": "word", "side": "child"});
                let phrases = watched.then_some(phrase).into_iter().collect::<Value>();
                ("PUT", of_child("watched_phrases"), Some(phrases))
            }
            Write::TakeBackFeedback(activity) => {
                let path = format!("activities/upcoming/{activity}/feedback");
                ("DELETE", of_child(&path), None)
            }
            _ => return None,
        })
    }
}

/// A session that was erased before the answer was lost is not there any more.
fn is_done(status: u16, write: &Write, is_again: bool) -> bool {
    let is_gone = is_again && status == 404 && matches!(write, Write::Erase(_));
    is_gone || [200, 204].contains(&status)
}

/// Reads the list, changes it, and replaces it with `If-Match`. Starts again on 412.
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
        let response = to.call("PUT", &path, token, &headers, Some(&body))?;
        if response.status != 412 {
            return Some(response.status);
        }
    }
}

/// A family under load.
pub struct Family {
    pub home: Home,
    pub workers: Vec<Worker>,
    key: String,
}

impl Family {
    pub fn new(workers: usize, seed: u64) -> Self {
        let home = Home::new();
        home.ok(&["guardian", "add", GUARDIAN]);
        home.ok(&["child", "add", SHARED, "--guardian", GUARDIAN]);
        let mut assistant = vec!["assistant".into(), "add".into(), "robot".into()];
        for worker in 0..workers {
            let name = child_name(worker);
            home.ok(&["child", "add", &name, "--guardian", GUARDIAN]);
            assistant.extend(["--child".to_owned(), (worker + 2).to_string()]);
        }
        let assistant = assistant.iter().map(String::as_str).collect::<Vec<_>>();
        let key = home.json(&assistant)["key"].as_str().unwrap().to_owned();
        let workers = (0..workers).map(|n| Worker::new(n, seed)).collect();
        Self { home, workers, key }
    }

    /// Runs all workers until `end` returns, which also stops the server. Returns its result.
    pub fn work<T>(&mut self, server: Server, end: impl FnOnce(Server, &Progress) -> T) -> T {
        let token = self.home.json(&["token", GUARDIAN]);
        let token = token["identity_token"].as_str().unwrap();
        let link = self.home.json(&["sign-in-link", GUARDIAN]);
        let stepped_up = server.sign_in(GUARDIAN, link["link"].as_str().unwrap());
        let progress = Progress::default();
        let url = server.url.clone();
        let work = WorkContext {
            url: &url,
            key: &self.key,
            token,
            stepped_up: &stepped_up,
            acknowledged: &progress.count,
            stopped: &progress.stopped,
        };
        std::thread::scope(|scope| {
            for worker in &mut self.workers {
                scope.spawn(|| worker.work(&work));
            }
            end(server, &progress)
        })
    }

    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.workers.iter_mut().for_each(|it| it.limits = limits);
        self
    }

    /// Discards the sent writes except the last.
    pub fn discard_sent(&mut self) {
        for worker in &mut self.workers {
            let last = worker.sent.len().saturating_sub(1);
            worker.sent.drain(..last);
        }
    }

    /// Compares the export with the expected state, and resolves the writes in flight. Returns the export's size in bytes.
    pub fn check(&mut self) -> u64 {
        let exported = self.home.ok(&["export"]);
        let family = serde_json::from_str::<Value>(&exported).unwrap();
        for worker in &mut self.workers {
            let actual = WorkerState::from_export(worker.number, &family);
            if actual == worker.expected.without_revisions() {
                continue;
            }
            let last = worker.sent.last().expect("a write was sent");
            assert!(
                worker.in_flight,
                "worker {} has other data than was acknowledged",
                worker.number
            );
            worker.expected.apply(last);
            let expected = worker.expected.without_revisions();
            assert!(
                actual == expected,
                "worker {}: {}",
                worker.number,
                difference(&expected, &actual)
            );
        }
        exported.len() as u64
    }

    /// Compares an export with the first `acknowledged` writes of each worker, or one more. Returns the first difference.
    pub fn mismatch(&self, family: &Value, acknowledged: &[usize]) -> Option<String> {
        self.workers.iter().find_map(|worker| {
            let mut expected = WorkerState::default();
            let acknowledged = acknowledged[worker.number];
            worker.sent[..acknowledged]
                .iter()
                .for_each(|write| expected.apply(write));
            let actual = WorkerState::from_export(worker.number, family);
            if actual == expected.without_revisions() {
                return None;
            }
            let without = expected.without_revisions();
            if let Some(next) = worker.sent.get(acknowledged) {
                expected.apply(next);
            }
            (actual != expected.without_revisions()).then(|| {
                format!(
                    "worker {}: {}",
                    worker.number,
                    difference(&without, &actual)
                )
            })
        })
    }
}

#[derive(Default)]
pub struct Progress {
    count: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }

    /// Waits until `count` writes are acknowledged.
    pub fn wait_for(&self, count: u64) {
        while self.count() < count && !self.stopped.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    }

    /// Whether the run was stopped, or a worker has failed.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Stops the run. From now on the server may close connections.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }
}
