//! Imports a whole family from a file: all of it or nothing.
//!
//! The whole file is checked before anything is written. Then each child's sessions are written under a number
//! that nobody has access to, in changes short enough for others to write in between; if the process crashes, the next start
//! erases them. Last, one change adds the guardians and makes the
//! children visible.

mod alerts;
mod rules;

use std::mem;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AdminError;
use super::changing::change;
use super::family::{
    self, ChildSeed, EarlierTextSeed, EmptyStore, Existing, Family, MessageSeed, SessionSeed,
    TopicLists,
};
use super::operation::{Operation, Progress, Reports};
use crate::app::App;
use crate::assistants::deliveries::SessionCompletion;
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::{EarlierText, Message, MessageDelivery, SessionDetails};
use crate::identity::Caller;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::http::wire::{Id, Text};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose};
use crate::rules::SessionReceipt;

/// The number of messages that one change imports.
const MESSAGES_AT_ONCE: usize = 1_000;

/// The time between a message without a time and the previous message.
const BETWEEN_MESSAGES: Duration = Duration::from_secs(8);

#[derive(Clone, Serialize, Deserialize)]
pub struct Seed {
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeded {
    /// The number of new guardians.
    pub guardians: u64,
    pub children: Vec<ChildId>,
    pub sessions: u64,
    pub messages: u64,
}

impl Operation for Seed {
    type Answer = Seeded;

    async fn run(self, app: &App, reports: &Reports) -> Result<Seeded, AdminError> {
        let mut family = family::read(&self.text, app)?;
        let mut staging = Staging {
            app,
            reports,
            done: 0,
            total: count(&family),
            staged: Vec::new(),
            sessions: Vec::new(),
        };
        let brought_in = match staging.stage(&mut family).await {
            Ok(seeded) => staging.reveal(family, seeded).await,
            Err(error) => Err(error),
        };
        if brought_in.is_err() {
            for access in staging.staged {
                if let Err(error) = app.erase(access).await {
                    tracing::warn!(%error, "a child that was not brought in is erased later");
                }
            }
        }
        brought_in
    }

    /// The file itself.
    fn into_body(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    fn from_body(body: Vec<u8>) -> Option<Self> {
        let text = String::from_utf8(body).ok()?;
        Some(Self { text })
    }
}

impl Existing for App {
    fn has_guardian(&self, email: &EmailAddress) -> bool {
        let name = email.clone().into();
        let found = self
            .identity
            .guardians
            .named_for_certain(&self.store, &name);
        found.is_ok()
    }

    fn has_assistant(&self, name: &str) -> bool {
        let found = self.identity.assistants.is_taken(&self.store, name);
        found.unwrap_or(true)
    }
}

/// Checks whether a family could be imported from `text` into an empty store.
///
/// # Errors
///
/// A sentence with the line of the mistake.
pub fn check(text: &str) -> Result<(), AdminError> {
    family::read(text, &EmptyStore).map(drop)
}

/// The amount of work, in messages and sessions.
fn count(family: &Family) -> u64 {
    let sessions = family.children.iter().flat_map(|child| &child.sessions);
    sessions
        .map(|session| 1 + session.messages.len() as u64)
        .sum()
}

struct Staging<'a> {
    app: &'a App,
    reports: &'a Reports,
    done: u64,
    total: u64,
    staged: Vec<ChildAccess>,
    /// The sessions of each staged child.
    sessions: Vec<alerts::Sessions>,
}

impl Staging<'_> {
    /// Writes everything that belongs to children, still invisible.
    async fn stage(&mut self, family: &mut Family) -> Result<Seeded, AdminError> {
        let mut seeded = Seeded::default();
        for child in &mut family.children {
            let reserve = |app: &App, change: &mut Change| Ok(app.children.reserve(change)?);
            let access = change(self.app, Purpose::Ordinary, reserve).await?;
            self.staged.push(access.clone());
            seeded.children.push(access.child());
            let (fields, now) = (mem::take(&mut child.fields), self.app.clock.now());
            self.write(&access, move |_, change, access| {
                for import in fields {
                    import(change, access, now)?;
                }
                Ok(())
            })
            .await?;
            self.stage_sessions(child, &access, &mut seeded).await?;
        }
        Ok(seeded)
    }

    async fn stage_sessions(
        &mut self,
        child: &mut ChildSeed,
        access: &ChildAccess,
        seeded: &mut Seeded,
    ) -> Result<(), AdminError> {
        let now = self.app.clock.now();
        let lists = TopicLists::of(child, now);
        let mut sessions = alerts::Sessions::new();
        for session in &mut child.sessions {
            let start = session.start.moment(now);
            let number = self.begin(session, start, access).await?;
            sessions.extend(session.session_id.map(|id| (id, number)));
            let mut deliveries = deliveries(session, start).into_iter().peekable();
            while deliveries.peek().is_some() {
                let some = deliveries
                    .by_ref()
                    .take(MESSAGES_AT_ONCE)
                    .collect::<Vec<_>>();
                let count = some.len() as u64;
                self.write(access, move |app, change, access| {
                    app.transcripts.deliver(change, access, number, some)?;
                    Ok(())
                })
                .await?;
                seeded.messages += count;
                self.report_progress(count);
            }
            self.complete(session, number, access).await?;
            let receipts = session.receipts.iter();
            let receipts = receipts.map(|seed| lists.receipt(seed, start));
            self.stage_rest(session, receipts.collect(), number, access)
                .await?;
            seeded.sessions += 1;
            self.report_progress(1);
        }
        self.sessions.push(sessions);
        Ok(())
    }

    async fn begin(
        &self,
        session: &SessionSeed,
        start: Timestamp,
        access: &ChildAccess,
    ) -> Result<SessionId, AdminError> {
        let topic = session.topic.clone().map(Text::into_string);
        let details = SessionDetails {
            topic,
            start_time: Some(start),
            device: session.device.clone().map(Text::into_string),
        };
        let assistant = session.assistant.clone().map(Text::into_string);
        self.write(access, move |app, change, access| {
            let service = &app.assistant;
            let begun = service.begin_session(change, access, details, assistant)?;
            Ok(begun.session_id)
        })
        .await
    }

    async fn complete(
        &self,
        session: &SessionSeed,
        number: SessionId,
        access: &ChildAccess,
    ) -> Result<(), AdminError> {
        let Some(seed) = &session.completion else {
            return Ok(());
        };
        let duration = serde_json::Number::from_f64(seed.duration)
            .expect("JSON has no infinite numbers, and the file was JSON");
        let completion = SessionCompletion {
            duration: Some(duration),
            ended_at: seed.end_time,
            score: seed.score.clone().map(|score| score.0),
            mood: seed.mood.clone().map(Text::into_string),
            ..SessionCompletion::default()
        };
        self.write(access, move |app, change, access| {
            Ok(app.assistant.complete(change, access, number, completion)?)
        })
        .await
    }

    /// Imports what else is known of a session: whose it isn't, the features' fields, and the receipts.
    async fn stage_rest(
        &self,
        session: &mut SessionSeed,
        receipts: Vec<SessionReceipt>,
        number: SessionId,
        access: &ChildAccess,
    ) -> Result<(), AdminError> {
        let (not_child, fields) = (session.not_child, mem::take(&mut session.fields));
        if !not_child && fields.is_empty() && receipts.is_empty() {
            return Ok(());
        }
        self.write(access, move |app, change, access| {
            if not_child {
                app.retention
                    .import_not_child(change, access, number, true)?;
            }
            for import in fields {
                import(change, access, number)?;
            }
            for receipt in &receipts {
                app.rules.import_receipt(change, access, number, receipt)?;
            }
            Ok(())
        })
        .await
    }

    /// Commits a change of a child that nobody sees yet.
    async fn write<T: Send + 'static>(
        &self,
        access: &ChildAccess,
        work: impl FnOnce(&App, &mut Change, &ChildAccess) -> Result<T, AdminError> + Send + 'static,
    ) -> Result<T, AdminError> {
        let access = access.clone();
        let work = move |app: &App, change: &mut Change| work(app, change, &access);
        change(self.app, Purpose::Ordinary, work).await
    }

    fn report_progress(&mut self, more: u64) {
        self.done += more;
        self.reports.report(Progress {
            done: self.done,
            total: self.total,
        });
    }

    /// Makes everything visible at once.
    async fn reveal(&self, family: Family, mut seeded: Seeded) -> Result<Seeded, AdminError> {
        let (staged, sessions) = (self.staged.clone(), self.sessions.clone());
        let reveal = move |app: &App, change: &mut Change| {
            seeded.guardians = add_guardians(app, change, &family)?;
            let assistants = rules::add_assistants(app, change, &family)?;
            let staged = staged.iter().zip(&sessions);
            for (child, (access, sessions)) in family.children.iter().zip(staged) {
                let name = valid_name(&child.name)?;
                app.children.reveal(change, access, name)?;
                for email in &child.guardians {
                    let name = email.clone().into();
                    let guardian = app.identity.guardians.named_for_certain(change, &name)?;
                    app.children
                        .link(change, access.child(), &Caller::Guardian(guardian.id))?;
                }
                rules::import(app, change, child, access, &assistants)?;
                alerts::import(app, change, child, access, &assistants, sessions)?;
                import_linked(app, change, child, access, &assistants)?;
            }
            Ok(seeded)
        };
        change(self.app, Purpose::Ordinary, reveal).await
    }
}

/// Imports the features' lists that name guardians and assistants.
fn import_linked(
    app: &App,
    change: &mut Change,
    child: &ChildSeed,
    access: &ChildAccess,
    assistants: &rules::Added,
) -> Result<(), AdminError> {
    for (_, items) in &child.linked {
        for (email, name) in &items.named {
            let guardian = rules::guardian_id(app, change, Some(email))?;
            if let Some((guardian, assistant)) = guardian.zip(assistants.get(name.trim())) {
                (items.import)(change, access, &guardian, assistant)?;
            }
        }
    }
    Ok(())
}

fn add_guardians(app: &App, change: &mut Change, family: &Family) -> Result<u64, AdminError> {
    let mut added = 0;
    for guardian in &family.guardians {
        let name = guardian.email.clone().into();
        let found = app.identity.guardians.named_for_certain(change, &name);
        if found.is_ok() {
            continue;
        }
        let name = guardian
            .name
            .as_ref()
            .map(|name| valid_name(name))
            .transpose()?;
        app.identity.guardians.add(change, &guardian.email, name)?;
        added += 1;
    }
    Ok(added)
}

/// The session's messages; missing ids and times are filled in.
fn deliveries(session: &SessionSeed, start: Timestamp) -> Vec<MessageDelivery> {
    let mut before = start;
    let numbered = session.messages.iter().enumerate();
    numbered
        .map(|(position, seed)| {
            let default = if position == 0 {
                start
            } else {
                before.after(BETWEEN_MESSAGES)
            };
            before = time_of(seed, start).unwrap_or(default);
            MessageDelivery::of(message(seed, position, before))
        })
        .collect()
}

fn time_of(seed: &MessageSeed, start: Timestamp) -> Option<Timestamp> {
    let after = seed
        .after
        .map(|seconds| start.after(Duration::from_secs(seconds.into())));
    seed.timestamp.or(after)
}

fn message(seed: &MessageSeed, position: usize, timestamp: Timestamp) -> Message {
    let given = seed.message_id.clone().map(Id::into_string);
    Message {
        message_id: given.unwrap_or_else(|| format!("seed-{}", position + 1)),
        source: text(&seed.source),
        text_content: seed.text_content.clone().map(Text::into_string),
        timestamp,
        content_type: text(&seed.content_type),
        event_type: text(&seed.event_type),
        start_sample: seed.start_sample.map(u64::from),
        interrupted: seed.interrupted,
        speaker: text(&seed.speaker),
        generated: seed.generated,
        heard: seed.heard,
        from_app: seed.from_app,
        kind: seed.kind,
        earlier: seed.earlier.iter().map(earlier).collect(),
    }
}

fn text(text: &Option<Text<200>>) -> Option<String> {
    text.clone().map(Text::into_string)
}

fn earlier(seed: &EarlierTextSeed) -> EarlierText {
    EarlierText {
        source: text(&seed.source),
        speaker: text(&seed.speaker),
        text_content: seed.text_content.clone().into_string(),
        until: seed.until,
    }
}
