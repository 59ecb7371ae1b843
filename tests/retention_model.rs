//! Random sequences of everything that makes a session older, younger, kept or deleted, compared with a recomputation from the
//! list of what happened. One guardian leaves and comes back, as somebody else for Porchlight.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::{LinkChild, RemoveGuardian};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::requests;
use crate::support::test_app::{EVENING, TestApp};

const ADA: &str = "ada@example.org";
const BEN: &str = "ben@example.org";
const PERIODS: [Option<u64>; 4] = [Some(30), Some(90), Some(365), None];
const HOUR: Duration = Duration::from_secs(60 * 60);

fn days(days: u64) -> Duration {
    24 * HOUR * u32::try_from(days).unwrap()
}

/// Ada, who stays, or Ben with a number that is new each time he comes back.
type Guardian = usize;

const STAYS: Guardian = 0;

fn email(guardian: Guardian) -> &'static str {
    if guardian == STAYS { ADA } else { BEN }
}

/// What happened to a session, in order.
#[derive(Clone, Debug)]
enum Event {
    /// Something new arrived, said at the first time.
    Arrived {
        said: Timestamp,
        at: Timestamp,
    },
    Moved(Timestamp),
    Restored(Timestamp),
    KeepEnded(Timestamp),
}

#[derive(Clone, Debug)]
struct Deleted {
    /// The guardian; `None` for its age, with the period.
    by: Option<Guardian>,
    older_than: Option<u64>,
    at: Timestamp,
    /// When words last arrived in it.
    words_at: Option<Timestamp>,
    shown: BTreeMap<Guardian, Timestamp>,
}

#[derive(Debug)]
struct Session {
    id: u64,
    name: String,
    child: usize,
    events: Vec<Event>,
    kept_by: BTreeSet<Guardian>,
    /// Somebody who kept it has left since the last night.
    was_left: bool,
    not_child: bool,
    /// It was moved, and then the children's guardians were not the same for a while.
    has_no_name: bool,
    deleted: Option<Deleted>,
    is_gone: bool,
}

impl Session {
    /// From when its age counts.
    fn counts_from(&self) -> Timestamp {
        let (mut newest, mut arrivals, mut others) = (None, Vec::new(), None);
        for event in &self.events {
            match *event {
                Event::Arrived { said, at } => {
                    newest = newest.max(Some(said));
                    arrivals.push(at);
                }
                Event::Moved(at) | Event::Restored(at) | Event::KeepEnded(at) => {
                    others = others.max(Some(at));
                }
            }
        }
        let arrivals = [arrivals.first(), arrivals.last()].map(Option::<&_>::copied);
        let all = [newest, others].into_iter().chain(arrivals);
        all.flatten().max().unwrap()
    }

    fn is_listed(&self) -> bool {
        self.deleted.is_none() && !self.is_gone
    }

    fn is_older(&self, period: u64, now: Timestamp) -> bool {
        let is_old = self.counts_from().after(days(period)) <= now;
        self.is_listed() && self.kept_by.is_empty() && !self.was_left && is_old
    }
}

/// What `STAYS` may know of when the guardians were shown something: of others, once the day is over.
fn known(shown: &BTreeMap<Guardian, Timestamp>, now: Timestamp) -> BTreeMap<Guardian, Timestamp> {
    let known = shown
        .iter()
        .filter(|(guardian, on)| **guardian == STAYS || **on <= now);
    known.map(|(guardian, on)| (*guardian, *on)).collect()
}

impl Deleted {
    /// Until when it can be restored.
    fn until(&self, guardians: &[Guardian]) -> Timestamp {
        let since = self.at.max(self.words_at.unwrap_or(self.at));
        let longest = since.after(days(90));
        // An only guardian has chosen the period.
        let waits = self.by.is_some() || guardians.len() > 1;
        let is_new_to_all = self.words_at.is_some() && guardians.len() > 1;
        let others = guardians
            .iter()
            .filter(|guardian| waits && (is_new_to_all || self.by != Some(**guardian)));
        let until = others.map(|guardian| match self.shown.get(guardian) {
            Some(shown) => shown.after(days(7)),
            None => longest,
        });
        until
            .fold(since.after(days(7)), Timestamp::max)
            .min(longest)
    }
}

/// A request to keep sessions for a shorter time.
#[derive(Clone, Debug)]
struct Asked {
    by: Guardian,
    days: u64,
    shown: BTreeMap<Guardian, Timestamp>,
    confirmed: BTreeSet<Guardian>,
}

/// When a request takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    AtOnce,
    At(Timestamp),
    /// Somebody wasn't shown it.
    NotKnown,
}

impl Asked {
    fn due(&self, guardians: &[Guardian]) -> Due {
        let others = guardians.iter().filter(|guardian| **guardian != self.by);
        let due = others.map(|guardian| match self.shown.get(guardian) {
            _ if self.confirmed.contains(guardian) => Due::AtOnce,
            Some(shown) => Due::At(shown.after(days(7))),
            None => Due::NotKnown,
        });
        due.max().unwrap_or(Due::AtOnce)
    }
}

fn is_shorter(period: Option<u64>, before: Option<u64>) -> bool {
    period.unwrap_or(u64::MAX) < before.unwrap_or(u64::MAX)
}

/// Decides the details of a step.
#[derive(Clone, Debug)]
struct Choices(Vec<u64>);

impl Choices {
    fn below(&mut self, end: u64) -> u64 {
        self.0.pop().unwrap_or_default() % end
    }
}

struct Run {
    app: TestApp,
    kitchen: String,
    children: [ChildId; 2],
    /// Of both children.
    guardians: Vec<Guardian>,
    /// The number of the last Ben.
    last_ben: Guardian,
    periods: [Option<u64>; 2],
    asked: [Option<Asked>; 2],
    sessions: Vec<Session>,
    choices: Choices,
    /// How much longer the clock isn't trusted.
    waits: Duration,
}

impl Run {
    async fn new() -> Self {
        let app = TestApp::new().await;
        for email in [ADA, BEN] {
            app.guardian(email).await;
        }
        let children = [
            app.child("Mia", &[ADA, BEN]).await,
            app.child("Leo", &[ADA, BEN]).await,
        ];
        let kitchen = app.assistant("Kitchen", &children).await;
        let kitchen = kitchen.credential().to_owned();
        Self {
            app,
            kitchen,
            children,
            guardians: vec![STAYS, 1],
            last_ben: 1,
            periods: [None; 2],
            asked: [None, None],
            sessions: Vec::new(),
            choices: Choices(Vec::new()),
            waits: Duration::ZERO,
        }
    }

    fn now(&self) -> Timestamp {
        self.app.inner.clock.now()
    }

    fn pick(&mut self, of: usize) -> usize {
        usize::try_from(self.choices.below(of as u64)).unwrap()
    }

    fn guardian(&mut self) -> Guardian {
        let chosen = self.pick(self.guardians.len());
        self.guardians[chosen]
    }

    async fn call(
        &self,
        guardian: Guardian,
        method: Method,
        path: &str,
        body: Value,
    ) -> Option<Value> {
        let persona = self.app.stepped_up(email(guardian)).await;
        let body = (!body.is_null()).then(|| body.to_string());
        let response = persona.send(method, path, &[], body).await;
        let is_done = response.status.is_success();
        is_done.then(|| serde_json::from_str(&response.body).unwrap_or_default())
    }

    /// Returns the session's number, unless it was refused because the clock was set back.
    async fn deliver(&self, child: usize, name: &str, id: &str, said: Timestamp) -> Option<u64> {
        let message =
            json!({"message_id": id, "text_content": "Why?", "timestamp": said.to_string()});
        let delivery =
            json!({"session": name, "child_id": self.children[child], "messages": [message]});
        let robot = self.app.bearer(&self.kitchen);
        let delivered = robot.post("/api/assistant/deliveries", &delivery).await;
        assert!(
            [200, 503].contains(&delivered.status.as_u16()),
            "{}",
            delivered.body
        );
        let is_done = delivered.status == 200;
        is_done.then(|| delivered.json()["session_id"].as_u64().unwrap())
    }

    async fn open(&mut self) {
        let (child, now) = (self.pick(2), self.now());
        let name = format!("s{}", self.sessions.len());
        let said = now.before(days(self.choices.below(120)));
        if let Some(id) = self.deliver(child, &name, "first", said).await {
            self.sessions.push(Session {
                id,
                name,
                child,
                events: vec![Event::Arrived { said, at: now }],
                kept_by: BTreeSet::new(),
                was_left: false,
                not_child: false,
                has_no_name: false,
                deleted: None,
                is_gone: false,
            });
        }
    }

    async fn deliver_late(&mut self, number: usize) {
        let (now, back) = (self.now(), days(self.choices.below(400)));
        let session = &self.sessions[number];
        if session.is_gone || session.has_no_name {
            return;
        }
        // A session that was moved is found under the child that it was opened for.
        let (said, id) = (now.before(back), format!("m{}", session.events.len()));
        let opened_for = self.opened_for(number);
        let name = session.name.clone();
        if self.deliver(opened_for, &name, &id, said).await.is_some() {
            let session = &mut self.sessions[number];
            session.events.push(Event::Arrived { said, at: now });
            session.deleted.take_if(|deleted| deleted.by.is_none());
            if let Some(deleted) = &mut session.deleted {
                deleted.words_at = Some(now);
                deleted.shown.clear();
            }
        }
        // The same again changes nothing.
        self.deliver(opened_for, &name, &id, said).await;
    }

    fn opened_for(&self, number: usize) -> usize {
        let session = &self.sessions[number];
        let moves = session.events.iter();
        let moves = moves.filter(|event| matches!(event, Event::Moved(_)));
        (session.child + moves.count()) % 2
    }

    async fn keep(&mut self, number: usize) {
        let (guardian, kept, now) = (self.guardian(), self.choices.below(3) > 0, self.now());
        let path = format!("/api/sessions/{}/kept", self.sessions[number].id);
        let done = self
            .call(guardian, Method::PUT, &path, json!({"kept": kept}))
            .await;
        let session = &mut self.sessions[number];
        assert_eq!(done.is_some(), session.is_listed());
        if !session.is_listed() {
            return;
        }
        if kept {
            session.kept_by.insert(guardian);
        } else if session.kept_by.remove(&guardian) {
            session.events.push(Event::KeepEnded(now));
        }
    }

    async fn mark(&mut self, number: usize) {
        let (guardian, not_child) = (self.guardian(), self.choices.below(3) > 0);
        let path = format!("/api/sessions/{}/not_child", self.sessions[number].id);
        let body = json!({"not_child": not_child});
        let done = self.call(guardian, Method::PUT, &path, body).await;
        let session = &mut self.sessions[number];
        assert_eq!(done.is_some(), session.is_listed());
        if session.is_listed() {
            session.not_child = not_child;
        }
    }

    async fn move_it(&mut self, number: usize) {
        let (guardian, now) = (self.guardian(), self.now());
        let session = &self.sessions[number];
        let to = 1 - session.child;
        let path = format!("/api/sessions/{}/child", session.id);
        let body = json!({"child_id": self.children[to]});
        let done = self.call(guardian, Method::PUT, &path, body).await;
        let session = &mut self.sessions[number];
        assert_eq!(done.is_some(), session.is_listed());
        if session.is_listed() {
            session.child = to;
            // The mark was about the other child.
            (session.not_child, session.was_left) = (false, false);
            session.events.push(Event::Moved(now));
        }
    }

    async fn delete(&mut self, number: usize) {
        let (guardian, now) = (self.guardian(), self.now());
        let path = format!("/api/sessions/{}", self.sessions[number].id);
        self.call(guardian, Method::DELETE, &path, Value::Null)
            .await;
        let session = &mut self.sessions[number];
        if session.is_listed() {
            let arrived = session.events.iter().rev().find_map(|event| match event {
                Event::Arrived { at, .. } => Some(*at),
                _ => None,
            });
            // Restored, it counts from then anyway.
            session.was_left = false;
            session.deleted = Some(Deleted {
                by: Some(guardian),
                older_than: None,
                at: now.max(arrived.unwrap()),
                words_at: None,
                shown: BTreeMap::new(),
            });
        }
    }

    async fn restore(&mut self, number: usize) {
        let (guardian, now) = (self.guardian(), self.now());
        let session = &self.sessions[number];
        let child = self.children[session.child];
        let path = format!(
            "/api/child/{child}/deleted_sessions/{}/undelete",
            session.id
        );
        let done = self.call(guardian, Method::POST, &path, Value::Null).await;
        let session = &mut self.sessions[number];
        if done.is_some()
            && let Some(deleted) = session.deleted.take()
        {
            session.events.push(Event::Restored(now));
            if deleted.by.is_none() {
                session.kept_by.insert(guardian);
            }
        }
    }

    async fn show_deleted(&mut self) {
        let (guardian, child, now) = (self.guardian(), self.pick(2), self.now());
        let (number, trusted) = (self.children[child], self.waits.is_zero());
        let guardians = self.guardians.clone();
        let shown = self
            .sessions
            .iter_mut()
            .filter(|session| session.child == child);
        let mut ids = Vec::new();
        for session in shown {
            if let Some(deleted) = &mut session.deleted {
                ids.push(session.id);
                if !trusted || now < deleted.until(&guardians) {
                    deleted.shown.entry(guardian).or_insert(now.up_to_utc_day());
                }
            }
        }
        let path = format!("/api/child/{number}/deleted_sessions/shown");
        let done = self.call(guardian, Method::POST, &path, json!({"sessions": ids}));
        assert!(done.await.is_some());
    }

    async fn choose_period(&mut self) {
        let (guardian, child) = (self.guardian(), self.pick(2));
        let period = PERIODS[self.pick(4)];
        let path = format!("/api/child/{}/retention", self.children[child]);
        let chosen = self.call(guardian, Method::PUT, &path, json!({"days": period}));
        let chosen = chosen.await;
        let Some(days) =
            period.filter(|_| self.guardians.len() > 1 && is_shorter(period, self.periods[child]))
        else {
            assert!(chosen.is_some());
            return self.set_period(child, period);
        };
        let asked = self.asked[child].as_ref();
        if asked.is_some_and(|asked| asked.by != guardian) {
            assert!(chosen.is_none(), "one at a time");
        } else if asked.is_some_and(|asked| asked.days == days) {
            assert!(chosen.is_some(), "it is asked already");
        } else if chosen.is_some() {
            // More than three in a week are refused.
            self.asked[child] = Some(Asked {
                by: guardian,
                days,
                shown: BTreeMap::from([(guardian, self.now())]),
                confirmed: BTreeSet::new(),
            });
        }
    }

    fn set_period(&mut self, child: usize, period: Option<u64>) {
        self.periods[child] = period;
        // What isn't shorter any more is not asked any more.
        self.asked[child].take_if(|asked| !is_shorter(Some(asked.days), period));
    }

    /// Applies a request that is due.
    fn settle(&mut self, child: usize) {
        let (now, trusted) = (self.now(), self.waits.is_zero());
        let guardians = self.guardians.clone();
        let due = self.asked[child].take_if(|asked| match asked.due(&guardians) {
            Due::AtOnce => true,
            Due::At(at) => trusted && at <= now,
            Due::NotKnown => false,
        });
        if let Some(asked) = due {
            self.periods[child] = Some(asked.days);
        }
    }

    /// A guardian is shown a request, confirms it, or cancels it.
    async fn answer(&mut self) {
        let (guardian, child, now) = (self.guardian(), self.pick(2), self.now());
        let is_asked = self.asked[child].is_some();
        match self.choices.below(5) {
            0 | 1 => {
                let persona = self.app.stepped_up(email(guardian)).await;
                requests::read(&persona, self.children[child], "retention").await;
                if let Some(asked) = &mut self.asked[child] {
                    asked.shown.entry(guardian).or_insert(now.up_to_utc_day());
                }
            }
            2 => {
                let persona = self.app.stepped_up(email(guardian)).await;
                let done = requests::stop(&persona, self.children[child], "retention").await;
                assert_eq!(done.status.is_success(), is_asked);
                self.asked[child] = None;
            }
            _ => {
                let persona = self.app.stepped_up(email(guardian)).await;
                let done = requests::confirm(&persona, self.children[child], "retention").await;
                assert_eq!(done.status.is_success(), is_asked);
                if let Some(asked) = &mut self.asked[child]
                    && asked.by != guardian
                {
                    asked.shown.entry(guardian).or_insert(now.up_to_utc_day());
                    asked.confirmed.insert(guardian);
                }
                self.settle(child);
            }
        }
    }

    /// Ben leaves both children, or comes back to them.
    async fn leave_or_return(&mut self) {
        let email = BEN.parse().unwrap();
        if self.guardians.len() == 1 {
            self.app.guardian(BEN).await;
            for child in self.children {
                let email = BEN.parse().unwrap();
                let (linked, _) = self.app.run_admin(LinkChild { child, email }).await;
                linked.unwrap();
            }
            self.last_ben += 1;
            self.guardians.push(self.last_ben);
            // For a moment, one of the children had him and the other didn't.
            for number in 0..self.sessions.len() {
                let is_moved = self.opened_for(number) != self.sessions[number].child;
                self.sessions[number].has_no_name |= is_moved;
            }
            return;
        }
        let (removed, _) = self.app.run_admin(RemoveGuardian { email }).await;
        removed.unwrap();
        let gone = self.guardians.pop().unwrap();
        for session in &mut self.sessions {
            session.was_left |= session.kept_by.remove(&gone) && session.is_listed();
            if let Some(deleted) = &mut session.deleted {
                deleted.shown.remove(&gone);
            }
        }
        for asked in &mut self.asked {
            asked.take_if(|asked| asked.by == gone);
            if let Some(asked) = asked {
                asked.shown.remove(&gone);
                asked.confirmed.remove(&gone);
            }
        }
        // A removal ends with everything that is done at night.
        self.after_maintenance();
    }

    async fn pass(&mut self, time: Duration) {
        self.app.clock.advance(time);
        self.waits = self.waits.saturating_sub(time.min(HOUR));
        self.run_maintenance().await;
    }

    async fn jump(&mut self) {
        let by = days(2 + self.choices.below(60));
        let now = self.now();
        let forwards = self.choices.below(3) > 0;
        let to = if forwards {
            now.after(by)
        } else {
            now.before(by)
        };
        let to = to.max(EVENING.parse().unwrap());
        // A clock that is set by an hour is still trusted.
        if now.since(to).max(to.since(now)) <= HOUR {
            return;
        }
        self.app.clock.set(to);
        self.waits = 6 * HOUR;
        self.run_maintenance().await;
    }

    async fn run_maintenance(&mut self) {
        self.app.inner.run_maintenance(|_| {}).await.unwrap();
        self.after_maintenance();
    }

    fn after_maintenance(&mut self) {
        for child in 0..self.children.len() {
            self.settle(child);
        }
        if !self.waits.is_zero() {
            return;
        }
        let now = self.now();
        for session in &mut self.sessions {
            if session
                .deleted
                .as_ref()
                .is_some_and(|deleted| deleted.until(&self.guardians) <= now)
            {
                (session.deleted, session.is_gone) = (None, true);
            }
            if std::mem::take(&mut session.was_left) {
                session.events.push(Event::KeepEnded(now));
            }
            let Some(period) = self.periods[session.child] else {
                continue;
            };
            if session.is_older(period, now) {
                session.deleted = Some(Deleted {
                    by: None,
                    older_than: Some(period),
                    at: now,
                    words_at: None,
                    shown: BTreeMap::new(),
                });
            }
        }
    }

    async fn step(&mut self, (kind, choices): (u8, Vec<u64>)) {
        self.choices = Choices(choices);
        if self.sessions.is_empty() || kind < 5 {
            return self.open().await;
        }
        let number = self.pick(self.sessions.len());
        match kind {
            5 | 6 => self.deliver_late(number).await,
            7 | 8 => self.keep(number).await,
            9 | 29 => self.move_it(number).await,
            10 => self.delete(number).await,
            11 | 12 => self.restore(number).await,
            13 => self.show_deleted().await,
            14 | 15 => self.choose_period().await,
            16 => self.jump().await,
            17 => self.pass(HOUR).await,
            18 | 30 => self.mark(number).await,
            19..=21 => self.answer().await,
            22 => self.leave_or_return().await,
            _ => {
                let time = days(1 + self.choices.below(40));
                self.pass(time).await;
            }
        }
    }

    async fn check(&self) {
        let now = self.now();
        for (child, number) in self.children.iter().enumerate() {
            let own = || {
                self.sessions
                    .iter()
                    .filter(move |session| session.child == child)
            };
            let path = format!("/api/sessions?child_id={number}&limit=500");
            let listed = self
                .call(STAYS, Method::GET, &path, Value::Null)
                .await
                .unwrap();
            let listed = listed["sessions"].as_array().unwrap().iter();
            let listed = listed.map(|session| {
                let id = session["session_id"].as_u64().unwrap();
                (id, session["not_child"] == true)
            });
            let expected = own().filter(|session| session.is_listed());
            let expected = expected.map(|session| (session.id, session.not_child));
            let expected = expected.collect::<BTreeMap<_, _>>();
            assert_eq!(
                listed.collect::<BTreeMap<_, _>>(),
                expected,
                "listed for {number}"
            );

            let path = format!("/api/child/{number}/summary");
            let summary = self.call(STAYS, Method::GET, &path, Value::Null).await;
            let counted = expected.values().filter(|not_child| !**not_child).count();
            // Nothing is counted for a child without sessions.
            let seen = summary.unwrap()["sessions"].as_u64().unwrap_or(0);
            assert_eq!(seen, counted as u64, "counted for {number}");

            let path = format!("/api/child/{number}/deleted_sessions?limit=500");
            let deleted = self
                .call(STAYS, Method::GET, &path, Value::Null)
                .await
                .unwrap();
            let deleted = deleted["items"].as_array().unwrap().iter().map(|row| {
                let id = row["session_id"].as_u64().unwrap();
                (
                    id,
                    (
                        row["older_than_days"].as_u64(),
                        row["restorable_until"].clone(),
                    ),
                )
            });
            // What is over isn't listed any more, even before it is erased.
            let trusted = self.waits.is_zero();
            let expected = own().filter_map(|session| {
                let deleted = session.deleted.as_ref()?;
                let is_over = trusted && deleted.until(&self.guardians) <= now;
                let mut seen = deleted.clone();
                seen.shown = known(&seen.shown, now);
                let until = seen.until(&self.guardians);
                let row = (deleted.older_than, json!(until.to_string()));
                (!is_over).then_some((session.id, row))
            });
            assert_eq!(
                deleted.collect::<BTreeMap<_, _>>(),
                expected.collect::<BTreeMap<_, _>>(),
                "deleted for {number}"
            );

            let path = format!("/api/child/{number}/retention");
            let retention = self
                .call(STAYS, Method::GET, &path, Value::Null)
                .await
                .unwrap();
            let older = |period, at| own().filter(|session| session.is_older(period, at)).count();
            assert_eq!(retention["days"], json!(self.periods[child]));
            assert_eq!(
                retention["would_delete"],
                json!({"days_30": older(30, now), "days_90": older(90, now), "days_365": older(365, now)})
            );
            let pending = self.asked[child].as_ref().map(|asked| {
                let mut seen = asked.clone();
                seen.shown = known(&seen.shown, now);
                let due = match seen.due(&self.guardians) {
                    Due::At(at) => json!(at.to_string()),
                    Due::NotKnown => Value::Null,
                    Due::AtOnce => panic!("it was applied"),
                };
                let conversations = older(asked.days, now);
                (json!([asked.days, conversations]), due)
            });
            let seen = retention.get("pending").map(|pending| {
                let asked = json!([pending["days"], pending["conversations"]]);
                (asked, pending["answers"]["due_at"].clone())
            });
            assert_eq!(seen, pending, "asked for {number}");
            let soon = now.after(days(7));
            let within = self.periods[child].map_or(0, |period| older(period, soon));
            assert_eq!(retention["within_a_week"], json!(within));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept_and_deleted_is_what_a_recomputation_says(
        steps in proptest::collection::vec((0u8..31, proptest::collection::vec(0u64..10_000, 4)), 20..80),
    ) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let mut run = Run::new().await;
            for step in steps {
                run.step(step).await;
                run.check().await;
            }
        });
    }
}
